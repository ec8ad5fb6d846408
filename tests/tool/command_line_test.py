#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""The words of the command line: command_line_test.py ULPFFT. What may be left out, what is suggested, what every help shows."""
import itertools
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
from harness import HANG, command, commands, expect, marked_word, read_npy, run_cases, succeeding, write_npy  # noqa: E402

tool = os.path.abspath(sys.argv[1])
run = command(tool)
good = succeeding(run)
all_commands = commands(run)


def planned(*words):
    """The problem that the library was asked for."""
    return json.loads(good('plan', *words, '--effort', 'estimate', '--json'))['problem']


def options_of(words):
    return sorted(set(re.findall(r'--[a-z][a-z-]+', good(*words, '--help').split('Options:')[1].split('Example')[0])))


# ---- Cases -------------------------------------------------------------------------------------------------------------------


def problems_need_no_quotes():
    expect(planned('1000', 'f32') == '1000 f32', 'two words')
    expect(planned('256x256*8', 'f64', 'inverse', 'centered', 'scale=ortho') == planned('256x256*8 f64 inverse centered scale=ortho'), 'all words')
    expect(planned('1000', '--top', '3', 'f32', 'inverse') == '1000 f32 inverse', 'an option among them')
    expect(planned('c2c', '1000', 'f32') == '1000 f32', 'a kind before')
    status, _, errors = run('plan', '1000', 'f32', '64', 'f64')
    expect(status == 2 and marked_word(errors) == '64 f64', f'two problems: {errors}')
    status, output, errors = run('bench', '64', 'f32', '60', 'f64', 'inverse', '8 f32', '--seconds', '0.001', '--effort', 'estimate', '--json', 'b.json')
    expect(status == 0, errors)
    with open('b.json', encoding='utf-8') as file:
        expect([row['problem'] for row in json.load(file)['rows']] == ['64 f32', '60 f64 inverse', '8 f32'], 'bench takes several')
    report = json.loads(good('accuracy', '64', 'f32', '2^5', 'double', '--no-fftw', '--json'))
    expect('32 f64' in json.dumps(report) and '64 f32' in json.dumps(report), f'accuracy: {report}')


def lengths_may_be_short():
    for short, digits in (('2^20', 1048576), ('2^0', 1), ('3^5', 243), ('64k', 65536), ('1k', 1024), ('2M', 2097152), ('1000', 1000), ('10^3', 1000)):
        expect(planned(short, 'f32').split()[0] == str(digits), f'{short}: {planned(short, "f32")}')
    expect(planned('2^4x1k*2^3 f32') == '16x1024*8 f32', planned('2^4x1k*2^3 f32'))
    for wrong in ('2^70', '2^', '64K5', '9999999999999M', '0^', '2^2^2', '1kk', '2^-1'):
        status, output, errors = run('plan', wrong, 'f32', '--effort', 'estimate')
        expect(status == 2 and not output and marked_word(errors) == wrong, f'{wrong}: {status} {errors}')
    good('plan', '2^10', 'f32', '--wisdom', 'w.json')
    with open('w.json', encoding='utf-8') as file:
        text = file.read()
    expect('"1024 f32"' in text and '^' not in text, 'keys of wisdom are digits')
    expect(json.loads(good('plan', '1k', 'float', '--wisdom', 'w.json', '--json'))['from_wisdom'], 'and are found by them')
    expect('k = 1024' in good('--help') and 'k = 1024' in good('plan', '--help'), 'the help says what k is')


ALIASES = {'fp16': 'f16', 'half': 'f16', 'bfloat16': 'bf16', 'float': 'f32', 'double': 'f64', 'complex64': 'f32', 'complex128': 'f64',
           'cs16': 'i16', 'cu8': 'u8', 'cf32': 'f32'}


def formats_have_other_names():
    for alias, name in ALIASES.items():
        expect(planned('64', alias) == planned('64', name), alias)
        expect(json.loads(good('formats', alias, '--json'))['name'] == name, f'formats {alias}')
    expect(planned('64 half->float') == '64 f16->f32', planned('64 half->float'))
    expect(planned('64 f32 scheme=rounded:half/float') == planned('64 f32 scheme=rounded:f16/f32'), 'schemes')
    write_npy('x.npy', (4, 8), [complex(i, -i) for i in range(32)], '<c8')
    good('convert', 'x.npy', 'x.json', '--from', 'complex64', '--to', 'half')
    with open('x.json', encoding='utf-8') as file:
        expect(json.load(file)['format'] == 'f16', 'files hold the name of the library')
    good('transform', 'x.npy', 'y.npy', '--axes', '-1', '--storage', 'complex64->bfloat16', '--scheme', 'float')
    good('transform', 'x.npy', 'z.npy', '--axes', '-1', '--storage', 'f32->bf16', '--scheme', 'f32')
    expect(read_npy('y.npy') == read_npy('z.npy'), 'the same transform')


def near_words_are_suggested():
    for arguments, word, meant in (
            (['pln'], 'pln', "'plan'"), (['transfrom'], 'transfrom', "'transform'"), (['mri', 'chose'], 'chose', "'choose'"), (['wisdom', 'shwo'], 'shwo', "'show'"),
            (['plan', '64', 'e4m4'], 'e4m4', "'e4m3'"), (['plan', '64', 'mxfp8_e4m4'], 'mxfp8_e4m4', "'mxfp8_e4m3'"), (['formats', 'bf61'], 'bf61', "'bf16'"),
            (['convert', 'x.npy', 'x.json', '--to', 'e5m2fnux'], 'e5m2fnux', "'e5m2fnuz'"), (['bench', '--suite', 'c2d'], 'c2d', "'c2c'"), (['bench', '--suite', 'covert'], 'covert', "'convert'"),
            (['plan', '64', 'f32', '--effort', 'mesure'], 'mesure', "'measure'"), (['convert', 'x.npy', 'x.json', '--to', 'f16', '--rounding', 'neerest'], 'neerest', "'nearest'"),
            (['plan', '64', 'f32', 'invers'], 'invers', "'inverse'"),
            (['plan', '64', 'f32', '--pareto', '--storages', 'e4m4'], 'e4m4', "'e4m3'"), (['accuracy', '--study', 'fromats'], 'fromats', "'formats'")):
        status, output, errors = run(*arguments)
        expect(status == 2 and not output and marked_word(errors) == word and f'Did you mean {meant}?' in errors, f'{arguments}: {status} {errors}')
        named = errors.split('Did you mean')[0]
        expect(len(named) < 120, f'{arguments}: the nearest name comes before the list: {errors}')
    for arguments in (['blub'], ['plan', '64', 'qqqq'], ['formats', 'zzz'], ['bench', '--suite', 'nothing'], ['plan', '64', 'f32', '--effort', 'utterly']):
        status, _, errors = run(*arguments)
        expect(status == 2 and 'Did you mean' not in errors, f'{arguments}: nothing is near: {errors}')


def every_option_misspelt_suggests_itself():
    for words in (('info',), ('formats',), ('plan', '8', 'f32'), ('transform', 'a.npy', 'b.npy'), ('convert', 'a.npy', 'b.json', '--to', 'f16'), ('bench', '8', 'f32'),
                  ('accuracy',), ('mri', 'recon', 'k.npy', '-o', 'out'), ('mri', 'choose', 'k.npy'), ('mri', 'sweep', 'k.npy', '-o', 'p.html'),
                  ('psd', 'a.cs16'), ('stft', 'a.cs16', 'b.npy'), ('filter', 'a.cs16', 'b.cs16'), ('wisdom', 'show', 'w.json'),
                  ('wisdom', 'calibrate', 'w.json')):
        for option in options_of([word for word in words[:2] if (words[0], word) in all_commands or word == words[0]]):
            if option in ('--to', '--output'):
                continue  # given already
            slip = option + option[-1]
            status, output, errors = run(*words, slip)
            expect(status == 2 and not output and f'There is no option {slip}' in errors and f'Did you mean {option}?' in errors and marked_word(errors) == slip,
                   f'{words} {slip}: {status} {errors}')
    status, _, errors = run('plan', '8', 'f32', '--efort', 'measure')
    expect(marked_word(errors) == '--efort' and 'There is no option --efort of plan. Did you mean --effort?' in errors, errors)


def every_command_has_examples_of_its_own():
    found = all_commands
    expect({('plan',), ('mri',), ('mri', 'recon'), ('wisdom', 'merge'), ('info',), ('bench',)} <= set(found) and len(found) >= 16, f'{found}')
    for words in ((), *found):
        text = re.sub(r' \\\n +', ' ', good(*words, '--help'))  # long commands are continued
        examples = [line.strip() for line in re.split(r'Examples?:\n', text)[-1].split('\n') if line.startswith('  ulpfft ')]
        expect(examples and 'Example' in text, f'{words}: no examples')
        own = [line for line in examples if line.split()[1:1 + len(words)] == list(words)]
        expect(own, f'{words}: none of {examples} is its own')
        for line in examples:
            arguments = shlex.split(re.split(r'   +|  (?=[a-z]+ [a-z]+ )| < ', line)[0])[1:]
            # A last word that nothing takes: the parser complains about it, and about nothing else. Words behind two dashes are another program's.
            status, output, errors = run(*itertools.takewhile('--'.__ne__, arguments), '--no-such-option', *itertools.dropwhile('--'.__ne__, arguments))
            expect(status == 2 and not output and 'There is no option --no-such-option' in errors, f'{arguments}: {status} {errors}')
    for example in (['info'], ['info', '--json'], ['formats', 'e4m3'], ['plan', '1000', 'f32', '--effort', 'estimate'], ['-V']):
        good(*example)


def no_words_at_all_list_the_commands():
    status, output, errors = run()
    expect(status == 2 and not output and errors.startswith('Which command?'), f'{status} {output} {errors}')
    for words in all_commands:
        expect(len(words) > 1 or re.search(rf'^  {words[0]} +\S', errors, re.MULTILINE), f'{words} is not listed: {errors}')
    expect(good('-V') == good('--version') and 'ulpfft' in good('-V'), 'the version')


def a_text_named_npy_is_told_as_such():
    for data, shown in ((b'hello\n', "'hello'"), (b'a,b,c\n1,2,3\n', "'a,b,c'"), (b'PK\x03\x04 and so on, as of an archive', "'PK?? and so on")):
        with open('text.npy', 'wb') as file:
            file.write(data)
        for arguments in (['transform', 'text.npy', 'o.npy'], ['convert', 'text.npy', 'o.json', '--to', 'f16']):
            status, _, errors = run(*arguments)
            expect(status == 1 and 'is not a NumPy file: it begins with ' + shown in errors, f'{data}: {errors}')


def transform_and_convert_print_json():
    write_npy('x.npy', (4, 8), [complex(1000 * i, -i) for i in range(32)], '<c8')
    done = json.loads(good('transform', 'x.npy', 'o.json', '--axes', '-1', '--storage', 'f32->e4m3', '--json'))
    expect(done['files'] == ['o.json', 'o.codes.npy'] and all(os.path.exists(name) for name in done['files']), f'{done}')
    expect(done['shape'] == [4, 8] and done['real_numbers'] == 64 and 0 < done['saturated'] <= 64 and done['seconds'] > 0, f'{done}')
    expect(done['recipe'] and done['error'] > 0 and done['transforms'] == 4 and done['problem'].startswith('8*4 f32->e4m3'), f'{done}')
    done = json.loads(good('transform', 'x.npy', 'o.json', '--axes', '-1', '--storage', 'f32->e4m3', '--exponents', '--json'))
    expect(len(done['exponents']) == 4 and done['saturated'] == 0 and 'o.exponents.npy' in done['files'], f'{done}')
    done = json.loads(good('transform', 'x.npy', 'o.cfl', '--axes', '-1', '--json', '--quiet'))
    expect(done['files'] == ['o.cfl', 'o.hdr'] and done['storage_out'] == 'f32', f'{done}')
    done = json.loads(good('convert', 'x.npy', 'c.json', '--to', 'mxfp8_e4m3', '--json'))
    expect(done['files'] == ['c.json', 'c.codes.npy', 'c.scales.npy'] and done['code_bytes'] == 64 and done['scale_bytes'] == 4, f'{done}')
    expect(done['from'] == 'f32' and done['to'] == 'mxfp8_e4m3' and done['numbers'] == 'complex' and done['seconds'] > 0 and done['axis'] == 1, f'{done}')
    done = json.loads(good('convert', 'c.json', 'back.npy', '--to', 'f64', '--json'))
    expect(done['files'] == ['back.npy'] and done['saturated'] == 0 and done['axis'] is None, f'{done}')
    name = 'quo"te\\ and \u00fcmlaut.npy'
    os.rename('x.npy', name)
    expect(json.loads(good('transform', name, 'o.npy', '--axes', '0', '--json'))['input'] == name, 'names with odd characters')


def raw_samples_come_from_streams():
    data = bytes(range(256)) * 128
    with open('c.cs16', 'wb') as file:
        file.write(data)
    good('transform', 'c.cs16', 'file.npy', '--raw', 'cs16', '--length', '1k', '--quiet')
    for source in ('-', '/dev/stdin'):
        done = subprocess.run([tool, 'transform', source, 'stream.npy', '--raw', 'i16', '--length', '1024', '--quiet'], input=data, capture_output=True, check=False, timeout=HANG)
        expect(done.returncode == 0 and read_npy('stream.npy') == read_npy('file.npy'), f'{source}: {done}')
    os.mkfifo('pipe')

    def feed():
        with open('pipe', 'wb') as file:
            file.write(data + b'123')
    for wide in (['cs16', '4'], ['cf32', '8'], ['cu8', '2']):
        feeder = threading.Thread(target=feed)
        feeder.start()
        status, output, errors = run('transform', 'pipe', 'stream.npy', '--raw', wide[0], '--length', '1024', '--drop-partial')
        feeder.join()
        expect(status == 0 and read_npy('stream.npy')[0]['shape'] == (len(data) // int(wide[1]) // 1024, 1024), f'{wide}: {status} {errors}')
        expect(' of a partial transform' in output, output)
    done = subprocess.run([tool, 'transform', '-', 'never.npy', '--raw', 'i16', '--length', '64'], input=b'', capture_output=True, check=False, timeout=HANG)
    expect(done.returncode == 1 and b'nothing to transform' in done.stderr and not os.path.exists('never.npy'), f'{done}')


def folders_are_looked_for_before_the_work():
    write_npy('x.npy', (8,), [complex(i, 1) for i in range(8)], '<c8')
    write_npy('k.npy', (1, 2, 16, 16), [complex(i % 7, i % 5) for i in range(512)], '<c8')
    open('file', 'w', encoding='ascii').close()
    for arguments in (['plan', '2^20', 'f32', '--effort', 'exhaustive', '--wisdom'], ['plan', '64', 'f32', '--pareto', '--html'], ['transform', 'x.npy'],
                      ['transform', 'x.npy', 'o.npy', '--wisdom'], ['convert', 'x.npy', '--to', 'f32', '--from', 'f16'], ['bench', '2^20', 'f32', '--csv'], ['bench', '2^20', 'f32', '--html'],
                      ['bench', '2^20', 'f32', '--json'], ['bench', '2^20', 'f32', '--wisdom'], ['accuracy', '--html'], ['accuracy', '--csv'], ['mri', 'recon', 'k.npy', '-o'],
                      ['mri', 'sweep', 'k.npy', '-o'], ['mri', 'sweep', 'k.npy', '-o', 'p.html', '--csv'], ['wisdom', 'calibrate'], ['wisdom', 'merge']):
        path = 'nonexist/out.npy'
        more = ['--axes', '0'] if arguments[:2] == ['transform', 'x.npy'] and len(arguments) == 2 else ['w.json'] if arguments[-1] == 'merge' else []
        status, output, errors = run(*arguments, path, *more)
        expect(status == 1 and not output and 'The folder nonexist does not exist' in errors, f'{arguments}: {status} {output} {errors}')
    status, _, errors = run('plan', '8', 'f32', '--wisdom', 'file/w.json')
    expect(status == 1 and 'file is not a folder' in errors, errors)
    expect(not os.path.exists('nonexist'), 'a folder was made')


def instruction_sets_are_called_as_people_do():
    targets = json.loads(good('info', '--json'))['targets']
    if not any(target['name'] == 'avx3' for target in targets):
        return 'this build has no AVX-512'
    expect('avx3 (AVX-512)' in good('info'), 'info')
    for words in all_commands:
        text = good(*words, '--help')
        expect('--target' not in text or 'AVX-512' in text, f'{words}: --target')
    expect('avx3 (AVX-512)' in run('plan', '8', 'f32', '--target', 'none')[2], 'the list of targets')
    if any(target['name'] == 'avx3' and target['available'] for target in targets):
        expect('hwy avx3 (AVX-512)' in good('plan', '64', 'f32', '--effort', 'estimate', '--target', 'avx3'), 'the description of a plan')


def info_names_machine_libraries_and_files():
    text, report = good('info'), json.loads(good('info', '--json'))
    for name in ('processor', 'threads', 'memory', 'HDF5', 'ISMRMRD', 'FFTW f32', 'FFTW f64', 'user wisdom', 'system wisdom'):
        expect(re.search(rf'^  {name} +\S', text, re.MULTILINE), f'{name}: {text}')
    expect(report['threads'] >= 1 and report['memory_bytes'] > 2 ** 28 and report['available_bytes'] <= report['memory_bytes'], f'{report["threads"]}')
    expect(set(report['libraries']) == {'HDF5', 'ISMRMRD', 'FFTW f32', 'FFTW f64'}, f'{report["libraries"]}')
    for value in (report['libraries']['FFTW f32'], report['libraries']['FFTW f64']):
        expect(value is None or os.path.exists(value.split(', ')[-1]), f'FFTW is found where it is: {value}')
    good('plan', '64', 'f32', '--wisdom', 'own.json')
    status, output, _ = run('info', ULPFFT_WISDOM=os.path.abspath('own.json'))
    expect(status == 0 and 'own.json: 1 plan' in output, output)
    formats = re.search(r'Formats\n.*?\n(.*)', text, re.DOTALL)[1].split()
    expect(len(formats) == len(set(formats)), f'{formats}')
    expect('Codelets of' not in text and len(text.split('\n')) < 45, f'kernels are for --codelets: {text}')
    expect('Codelets of' in good('info', '--codelets'), 'kernels')


def info_counts_wisdom_as_the_import_judges_it():
    good('plan', '64', 'f32', '--wisdom', 'own.json')
    path = os.path.abspath('own.json')
    for mode, words in ((0o644, ': 1 plan'), (0o666, ': refused: '), (0o664, ': 1 plan'), (0o602, ': refused: ')):
        os.chmod(path, mode)
        status, output, errors = run('info', ULPFFT_WISDOM=path)
        expect(status == 0 and f'own.json{words}' in output, f'{mode:o}: {output} {errors}')
        expect(('everybody may write' in output) == ('refused' in words), f'{mode:o}: {output}')
    os.chmod(path, 0o644)


def links_in_a_loop_are_told_in_words():
    os.symlink('loop.json', 'loop.json')
    os.symlink('loop', 'loop')
    write_npy('x.npy', (8,), [complex(i, 1) for i in range(8)], '<c8')
    write_npy('k.npy', (1, 2, 16, 16), [complex(i % 7, i % 5) for i in range(512)], '<c8')
    for arguments in (['plan', '8', 'f32', '--wisdom', 'loop.json'], ['transform', 'x.npy', 'o.npy', '--wisdom', 'loop.json'], ['bench', '8', 'f32', '--wisdom', 'loop.json'],
                      ['wisdom', 'merge', 'loop.json', 'own.json'], ['wisdom', 'calibrate', 'loop.json'], ['wisdom', 'show', 'loop.json'], ['transform', 'loop.json', 'o.npy'],
                      ['transform', 'x.npy', 'loop/o.npy'], ['convert', 'x.npy', 'loop/o.json', '--to', 'f16'], ['plan', '8', 'f32', '--pareto', '--html', 'loop/p.html'],
                      ['mri', 'recon', 'k.npy', '-o', 'loop']):
        status, output, errors = run(*arguments)
        expect(status == 1 and not output and 'filesystem' not in errors and 'levels of symbolic links' in errors, f'{arguments}: {status} {output} {errors}')
    status, output, errors = run('info', ULPFFT_WISDOM=os.path.abspath('loop.json'))
    expect(status == 0 and 'levels of symbolic links' in output, f'info: {output} {errors}')
    status, _, errors = run('accuracy', '--csv', 'loop')
    expect(status == 1 and "The folder 'loop' cannot be made" in errors, errors)


def bench_tells_how_long_a_peer_plans():
    status, output, errors = run('bench', '2^12', 'f32', '64k', 'f32', '--vs', 'target:ref', '--seconds', '0.001', '--effort', 'measure')
    expect(status == 0 and output.startswith('Planning by target:ref takes at most 2 s') and 'Ctrl-C keeps' in output, f'{status} {output} {errors}')
    status, output, errors = run('bench', '8', 'f32', '--vs', 'target:ref', '--seconds', '0.001', '--effort', 'estimate')
    expect(status == 0 and 'Planning by' not in output, 'an estimate takes no time')
    status, output, errors = run('bench', '64k', 'f32', '--vs', 'fftw', '--peer-limit', '0.5', '--seconds', '0.001', '--effort', 'estimate')
    if status == 2 and 'cannot be loaded' in errors:
        return 'FFTW is not installed'
    expect(status == 0 and re.match(r'Planning by fftw takes about 2 s: it plans each problem 3 times', output), f'{output} {errors}')
    return ''


def what_bench_measured_is_kept_on_interrupt():
    problems = [word for n in range(64, 4000, 8) for word in (str(n), 'f32')]
    process = subprocess.Popen([tool, 'bench', *problems, '--seconds', '0.05', '--effort', 'estimate', '--json', 'i.json', '--csv', 'i.csv', '--html', 'i.html', '--wisdom', 'i.wisdom'],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    seen = []
    while len([line for line in seen if ' f32 ' in line]) < 3:
        seen.append(process.stdout.readline())
    process.send_signal(signal.SIGINT)
    rest, errors = process.communicate(timeout=HANG)
    expect(process.returncode == -signal.SIGINT and not errors, f'{process.returncode} {errors}')  # 130 in a shell
    with open('i.json', encoding='utf-8') as file:
        report = json.load(file)
    expect(report['interrupted'] and 3 <= len(report['rows']) < len(problems) // 2, f'{len(report["rows"])} rows')
    expect(f'Interrupted after {len(report["rows"])} of {len(problems) // 2} problems' in rest and 'geometric mean' not in errors, rest)
    with open('i.csv', encoding='utf-8') as file:
        expect(len(file.readlines()) == len(report['rows']) + 1, 'the CSV has the same rows')
    expect(os.path.exists('i.html') and os.path.exists('i.wisdom') and not [name for name in os.listdir('.') if '.part' in name], f'{os.listdir(".")}')
    early = subprocess.run(['timeout', '-s', 'INT', '0.05', tool, 'bench', '--suite', 'c2c', '--json', 'early.json'], capture_output=True, check=False, timeout=HANG)
    expect(early.returncode in (124, 130) and not os.path.exists('early.json'), f'nothing was measured yet: {early.returncode}')


def a_long_search_leaves_what_measure_finds():
    for n in ('786432', '1048576'):  # their search takes minutes on any machine
        process = subprocess.Popen([tool, 'plan', n, 'f32', '--effort', 'exhaustive', '--time-limit', '600', '--wisdom', 'long.json'], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        while process.poll() is None and not (os.path.exists('long.json') and f'"{n} f32"' in open('long.json', encoding='utf-8').read()):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=HANG)
        expect(process.returncode == -signal.SIGINT and not output and 'long.json has the plan' in errors, f'{n}: {process.returncode} {output} {errors}')
        expect(json.loads(good('plan', n, 'f32', '--wisdom', 'long.json', '--json'))['from_wisdom'], f'{n} is not remembered')
    entries = json.loads(good('wisdom', 'show', 'long.json', '--json'))
    expect([entry['effort'] for entry in entries] == ['measure', 'measure'], f'{entries}')
    good('plan', '786432', 'f32', '--effort', 'patient', '--time-limit', '0.5', '--wisdom', 'long.json')
    entries = json.loads(good('wisdom', 'show', 'long.json', '--json'))
    expect(sorted(entry['effort'] for entry in entries) == ['measure', 'patient'], f'a search that ends takes its place: {entries}')


run_cases('command line', [
    problems_need_no_quotes, lengths_may_be_short, formats_have_other_names, near_words_are_suggested, every_option_misspelt_suggests_itself,
    every_command_has_examples_of_its_own, no_words_at_all_list_the_commands, a_text_named_npy_is_told_as_such, transform_and_convert_print_json,
    raw_samples_come_from_streams, folders_are_looked_for_before_the_work, instruction_sets_are_called_as_people_do,
    info_names_machine_libraries_and_files, info_counts_wisdom_as_the_import_judges_it, links_in_a_loop_are_told_in_words, bench_tells_how_long_a_peer_plans, a_long_search_leaves_what_measure_finds, what_bench_measured_is_kept_on_interrupt,
])
