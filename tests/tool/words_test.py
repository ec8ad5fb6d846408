#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Words that people bring from elsewhere: words_test.py ULPFFT

What NumPy, SciPy, FFTW and shells make them type, and what the help looks like.
"""
import json
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
from harness import command, commands, expect, marked_word, run_cases, succeeding, write_npy  # noqa: E402

tool = os.path.abspath(sys.argv[1])
run = command(tool)
good = succeeding(run)
all_commands = commands(run)


def planned(*words):
    """The problem that the library was asked for."""
    return json.loads(good('plan', *words, '--effort', 'estimate', '--json'))['problem']


# ---- Cases -------------------------------------------------------------------------------------------------------------------


def transforms_have_the_names_of_numpy_and_scipy():
    own = {'fft': ('1000 f32', False), 'rfft': ('r2c 1000 f32', False), 'irfft': ('c2r 1000 f32', True),
           'ifft': ('1000 f32 inverse', True), 'dct': ('r2r 1000 f32 kinds=dct2', False),
           'idct': ('r2r 1000 f32 kinds=dct3', True), 'dst': ('r2r 1000 f32 kinds=dst2', False), 'idst': ('r2r 1000 f32 kinds=dst3', True)}
    kinds = [f'{name}{n}' for name in ('dct', 'dst') for n in (1, 2, 3, 4)] + ['r2hc', 'hc2r', 'dht']
    own |= {kind: (f'r2r 1000 f32 kinds={kind}', False) for kind in kinds}
    for name, (problem, inverse) in own.items():
        expect(planned(name, '1000', 'f32') == problem + (' scale=1/n' if inverse else ''), f'{name}: {planned(name, "1000", "f32")}')
        expect(planned(f'{name} 1000') == planned(name, '1000', 'f32'), f'{name} in quotes, without a format')
        # norm= means what it means in NumPy.
        scale = {'ortho': ' scale=ortho', 'backward': ' scale=1/n' if inverse else '', 'forward': '' if inverse else ' scale=1/n'}
        for norm, word in scale.items():
            expect(planned(name, '1000', 'f32', f'norm={norm}') == problem + word,
                   f'{name} norm={norm}: {planned(name, "1000", "f32", f"norm={norm}")}')
        expect(planned(name, '1000', 'f32', 'scale=2') == problem + ' scale=2', f'{name}: a scale of its own')
    for name, problem in (('rfft2', 'r2c 8x12 f64'), ('irfftn', 'c2r 8x12 f64 scale=1/n'), ('ifft2', '8x12 f64 inverse scale=1/n'),
                          ('fftn', '8x12 f64'),
                          ('dctn', 'r2r 8x12 f64 kinds=dct2,dct2'), ('idstn', 'r2r 8x12 f64 kinds=dst3,dst3 scale=1/n'),
                          ('dct3', 'r2r 8x12 f64 kinds=dct3,dct3')):
        expect(planned(name, '8x12', 'double') == problem, f'{name}: {planned(name, "8x12", "double")}')
    for words in (['rfft', '1000', 'f32', 'dct', '64', 'f64'], ['1000', 'f32', 'rfft', '64', 'f32']):
        status, _, errors = run('plan', *words)
        expect(status == 2 and 'a second problem' in errors, f'{words}: {errors}')


def directions_scales_and_lengths_are_read_as_people_type_them():
    for words, problem in ((['1000'], '1000 f32'), (['1000', 'inverse'], '1000 f32 inverse'),
                           (['r2c', '1000', 'threads=2'], 'r2c 1000 f32 threads=2'),
                           (['1000', 'f32', 'backward'], '1000 f32 inverse'), (['1000', 'f32', 'forward'], '1000 f32'),
                           (['1000', 'f32', 'ortho'], '1000 f32 scale=ortho'),
                           (['1000', 'f32', 'norm=ortho'], '1000 f32 scale=ortho'), (['1000', 'f32', 'scale=1/N'], '1000 f32 scale=1/n'),
                           (['64K'], '65536 f32'),
                           (['1e6'], '1000000 f32'), (['2**20'], '1048576 f32'), (['2**3x3**2*2**4'], '8x9*16 f32'),
                           (['25e2*1e3'], '2500*1000 f32'),
                           (['64', 'sc16'], '64 i16'), (['64', 'int8'], '64 i8')):
        expect(planned(*words) == problem, f'{words}: {planned(*words)}')
    for wrong in ('1e99', '1e', '2**', '2**99', '64K1'):
        status, output, errors = run('plan', wrong)
        expect(status == 2 and not output and 'whole numbers up to 2^62' in errors, f'{wrong}: {errors}')
    write_npy('x.npy', (8,), [complex(i, 1) for i in range(8)], '<c8')
    good('transform', 'x.npy', 'y.npy', '--scale', '1/N')


def storages_are_joined_by_a_colon():
    formats = [one['name'] for one in json.loads(good('formats', '--json')) if one['kind'] != 'element' or one['signed']]
    pairs = [(a, formats[(3 * i + 1) % len(formats)]) for i, a in enumerate(formats)]
    pairs += [('mxfp8_e4m3:b8:floor', 'f16'), ('i16', 'mxint8:b2')]
    for one, other in pairs:
        expect(planned('64', f'{one}:{other}') == planned(f'64 {one}->{other}'), f'{one}:{other}')
    expect(planned('64', 'cs16:half') == '64 i16->f16' and planned('64', 'mxfp8_e4m3:b8') == '64 mxfp8_e4m3:b8',
           'other names, and a block length')
    write_npy('x.npy', (8,), [complex(i, 1) for i in range(8)], '<c8')
    for storage in ('f32:bf16', 'f32->bf16', 'float:mxfp8_e4m3:b4'):
        good('transform', 'x.npy', 'y.npy', '--storage', storage)
    status, _, errors = run('plan', '64', 'i16:f33')
    expect(status == 2 and marked_word(errors) == 'f33', errors)


def what_the_shell_took_is_said():
    for words, short in ((['plan', '64', 'i16-'], 'i16:'), (['bench', '64', 'cs16-'], 'cs16:'), (['accuracy', '64', 'f16-'], 'f16:'),
                         (['transform', 'x.npy', 'y.npy', '--storage', 'f32-'], 'f32:')):
        status, output, errors = run(*words)
        said = "the shell took the '>'" in errors and f'write {short}f32.' in errors
        expect(status == 2 and not output and said and marked_word(errors) == words[-1], f'{words}: {errors}')
    done = subprocess.run(['sh', '-c', f'{tool} plan 4096*512 i16->f64'], capture_output=True, text=True, check=False)
    expect(done.returncode == 2 and "the file 'f64'" in done.stderr and 'write i16:f64.' in done.stderr, f'{done}')
    expect(os.path.getsize('f64') == 0, 'nothing was written into the file')
    done = subprocess.run(['sh', '-c', f'{tool} plan 4096*512 i16- > table.txt'], capture_output=True, text=True, check=False)
    expect(done.returncode == 2 and 'table.txt' not in done.stderr and 'write i16:f32.' in done.stderr, f'the user named that file: {done}')
    for words in all_commands:
        text = good(*words, '--help')
        expect('with or without quotes' not in text and not re.search(r'(?<!")\b[a-z]\d+->[a-z]', text),
               f'{words}: the help shows a > that a shell takes')
    done = subprocess.run(['sh', '-c', f'{tool} plan 64 i16:f32 --effort estimate --json'], capture_output=True, text=True, check=False)
    expect(done.returncode == 0 and json.loads(done.stdout)['problem'] == '64 i16->f32', f'{done}')


def help_and_version_are_commands():
    for words in ((), *all_commands):
        expect(good('help', *words) == good(*words, '--help'), f'help {words}')
    expect(good('version') == good('--version') == good('-v') == good('-V'), 'the version')
    status, _, errors = run('help', 'pln')
    expect(status == 2 and "Did you mean 'plan'?" in errors, errors)


def options_that_are_words_of_the_problem_are_told_as_such():
    possible = run('plan', '64', 'f32', 'nonsense')[2].split('Possible are ')[1].split('.\n')[0]
    words = re.split(', | or ', possible)
    expect(len(words) > 15, possible)
    reserved = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../genfft/format/reserved_names.cc'), encoding='utf-8').read()
    for word in words:
        expect(word.endswith('=') or f'"{word}"' in reserved, f'a format may be called {word}, and would be read as that word')
    for command_words in (['plan', '64', 'f32'], ['bench', '64', 'f32']):
        for word in words:
            option, value = '--' + word.rstrip('=').replace('_', '-'), ['2'] if word.endswith('=') else []
            if option in ('--precision',) or option == '--split':
                continue  # an option; nearest to none
            status, output, errors = run(*command_words, option, *value)
            expect(status == 2 and not output and f'Write {word}{"".join(value)}.' in errors and marked_word(errors) == option,
                   f'{command_words} {option}: {errors}')
    for words in (['plan', '64', 'f32', '--window', 'hann'], ['mri', 'recon', 'k.npy', '-o', 'x', '--window', 'hann']):
        status, _, errors = run(*words)
        expect(status == 2 and 'Did you mean' not in errors and 'window=' in errors, f'{words}: {errors}')


def families_of_formats_say_which_they_are():
    for name, one in (('fp8', 'e5m2'), ('mxfp8', 'mxfp8_e4m3'), ('fp6', 'e3m2'), ('fp4', 'e2m1'), ('mxfp4', 'mxfp4_e2m1')):
        for words in (['plan', '64', name], ['convert', 'x.npy', 'y.json', '--to', name],
                      ['transform', 'x.npy', 'y.npy', '--storage', name], ['mri', 'recon', 'k.npy', '-o', 'x', '--storage', name]):
            status, _, errors = run(*words)
            expect(status == 2 and one in errors.split('This build has')[0] and marked_word(errors) == name, f'{words}: {errors}')


def instruction_sets_are_called_as_processors_call_them():
    targets = {target['name']: target for target in json.loads(good('info', '--json'))['targets']}
    for name, own in (('avx512', 'avx3'), ('AVX-512', 'avx3'), ('AVX2', 'avx2'), ('REF', 'ref')):
        status, output, errors = run('plan', '64', 'f32', '--effort', 'estimate', '--target', name)
        available = own in targets and targets[own]['available']
        expect(status == (0 if available else 2) and (not available or f' {own}' in output), f'{name}: {status} {output} {errors}')
    if targets.get('avx3', {}).get('available'):
        good('bench', '8', 'f32', '--vs', 'target:avx512', '--seconds', '0.001', '--effort', 'estimate', '--target', 'avx512')


def limits_that_cannot_be_kept_have_the_status_of_failed_work():
    for words, word in ((['plan', '4096', 'f32', 'max_error=1e-12'], '1e-12'), (['plan', '2^40', 'f32'], ''),
                        (['plan', '4096', 'f32', 'max_workspace=1'], '')):
        status, output, errors = run(*words)
        expect(status == 1 and not output and (not word or marked_word(errors) == word), f'{words}: {status} {errors}')
    for words in (['plan', '4096', 'f32', 'max_error=x'], ['plan', '4096', 'f33'], ['plan', '0', 'f32']):
        expect(run(*words)[0] == 2, f'{words}')
    write_npy('k.npy', (1, 2, 16, 16), [complex(i % 7, i % 5) for i in range(512)], '<c8')
    status, output, errors = run('mri', 'choose', 'k.npy', '--psnr', '200')
    expect(status == 0 and 'inf' not in output and 'no error' in output, f'{status} {output} {errors}')
    status, output, errors = run('mri', 'choose', 'k.npy', '--psnr', '200', '--scheme', 'rounded:f16')
    expect(status == 1 and 'no storage meets' in errors and 'inf' not in output, f'{status} {output} {errors}')


def json_of_bench_needs_no_file():
    for words in (['bench', '8', 'f32', '--json'], ['bench', '--json', '8', 'f32'], ['bench', '--json', 'rfft', '8'],
                  ['bench', '8', '--json', '-'], ['bench', '8', '--json=-']):
        status, output, errors = run(*words, '--seconds', '0.001', '--effort', 'estimate')
        expect(status == 0 and len(json.loads(output)['rows']) == 1 and ' f32 ' in errors, f'{words}: {status} {output[:200]} {errors}')
    good('bench', '8', 'f32', '--json', 'b.json', '--seconds', '0.001', '--effort', 'estimate')
    expect(os.path.exists('b.json') and not os.path.exists('8'), 'a file is still one')
    status, _, errors = run('bench', '8', '--csv', '-')
    expect(status == 2 and marked_word(errors) == '-', errors)


def help_fits_the_line():
    for words in ((), *all_commands):
        texts = {}
        for columns in ('40', '60', '80', '100', ''):
            status, text, _ = run(*words, '--help', COLUMNS=columns)
            width = int(columns or 100)
            long = [line for line in text.split('\n') if len(line) > width and max(len(word) for word in line.split()) < width - 12]
            expect(status == 0 and not long, f'{words} in {columns}: {long}')
            # The words are the same in every width: but for the backslashes behind the lines of a command.
            texts[columns] = ''.join(text.replace('\\\n', '').split())
        expect(len(set(texts.values())) == 1, f'{words}: words differ by width')


run_cases('words', [
    transforms_have_the_names_of_numpy_and_scipy, directions_scales_and_lengths_are_read_as_people_type_them,
    storages_are_joined_by_a_colon, what_the_shell_took_is_said,
    help_and_version_are_commands, options_that_are_words_of_the_problem_are_told_as_such, families_of_formats_say_which_they_are,
    instruction_sets_are_called_as_processors_call_them, limits_that_cannot_be_kept_have_the_status_of_failed_work,
    json_of_bench_needs_no_file, help_fits_the_line,
])
