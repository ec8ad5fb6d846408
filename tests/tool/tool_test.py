#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""The command-line tool as a user types it: tool_test.py ULPFFT. Needs nothing but Python's own library."""
import cmath
import itertools
import json
import math
import os
import random
import struct
import sys

sys.dont_write_bytecode = True
import harness  # noqa: E402
from harness import command, expect, indices, marked_word, run_cases  # noqa: E402

tool = os.path.abspath(sys.argv[1])
run = command(tool)
random.seed(5)


# ---- Arrays: a shape, and values by index tuple ------------------------------------------------------------------------------

TOLERANCES = {'<c8': 1e-6, '<c16': 1e-14, '<f4': 1e-6, '<f8': 1e-14}


def random_array(shape, real):
    return {i: complex(round(random.gauss(0, 1), 3), 0 if real else round(random.gauss(0, 1), 3)) for i in indices(shape, False)}


def write_npy(path, shape, values, descr, fortran=False, version=1):
    harness.write_npy(path, shape, [values[i] for i in indices(shape, fortran)], descr, fortran, version)


def read_npy(path):
    header, numbers = harness.read_npy(path)
    return header, dict(zip(indices(header['shape'], header['fortran_order']), numbers))


def write_cfl(path, shape, values):
    with open(path + '.hdr', 'w', encoding='ascii') as file:
        file.write('# Dimensions\n' + ' '.join(str(n) for n in shape) + ' \n# Command\nnone\n')
    with open(path + '.cfl', 'wb') as file:
        for i in indices(shape, True):
            file.write(struct.pack('<ff', values[i].real, values[i].imag))


def read_cfl(path):
    with open(path + '.hdr', encoding='ascii') as file:
        shape = tuple(int(word) for word in file.read().split('\n')[1].split())
    expect(len(shape) == 16, f'{path}.hdr lists {len(shape)} lengths')
    with open(path + '.cfl', 'rb') as file:
        numbers = list(struct.iter_unpack('<ff', file.read()))
    return shape, dict(zip(indices(shape, True), (complex(*number) for number in numbers)))


def dft(shape, values, axes, inverse=False, centered=False, scale='none'):
    points = math.prod(shape[a] for a in axes)
    factor = {'none': 1.0, 'ortho': points ** -0.5, '1/n': 1.0 / points}.get(scale)
    factor = float(scale) if factor is None else factor
    for axis in axes:
        n = shape[axis]
        middle = n // 2 if centered else 0
        root = [cmath.exp((2j if inverse else -2j) * math.pi * k / n) for k in range(n)]
        result = {}
        for i in values:
            line = (values[i[:axis] + (j,) + i[axis + 1:]] * root[(j - middle) * (i[axis] - middle) % n] for j in range(n))
            result[i] = sum(line)
        values = result
    return {i: factor * value for i, value in values.items()}


def distance(got, wanted):
    norm = math.sqrt(sum(abs(value) ** 2 for value in wanted.values()))
    return math.sqrt(sum(abs(got[i] - wanted[i]) ** 2 for i in wanted)) / norm


# ---- Cases -------------------------------------------------------------------------------------------------------------------


def transforms_npy():
    shapes = [(8,), (1,), (5, 1), (3, 4), (4, 3, 5), (2, 1, 6, 3), (2, 3, 2, 2, 3)]
    for shape in shapes:
        rank = len(shape)
        for axes in itertools.chain.from_iterable(itertools.combinations(range(rank), k) for k in range(1, rank + 1)):
            descr = random.choice(list(TOLERANCES))
            fortran, inverse, centered = (random.random() < 0.5 for _ in range(3))
            scale = random.choice(['none', 'ortho', '1/n', '-0.25'])
            version = random.choice([1, 2, 3])
            target = random.choice(['ref', ''])
            values = random_array(shape, descr.startswith('<f'))
            write_npy('in.npy', shape, values, descr, fortran, version)
            shown = ','.join(str(a - rank if random.random() < 0.5 else a) for a in random.sample(axes, len(axes)))
            options = ['--axes=' + shown, '--scale=' + scale] + ['--inverse'] * inverse + ['--centered'] * centered
            options += ['--target=' + target] if target else []
            status, _, errors = run('transform', 'in.npy', 'out.npy', '--quiet', *options)
            what = f'{shape} {descr} fortran={fortran} {" ".join(options)}'
            expect(status == 0, f'{what}: status {status}, {errors}')
            header, got = read_npy('out.npy')
            expect(header['descr'] == {'4': '<c8', '8': '<c16', '6': '<c16'}[descr[-1]] or descr == '<c8', f'{what}: {header}')
            expect(tuple(header['shape']) == shape, f'{what}: {header}')
            error = distance(got, dft(shape, values, axes, inverse, centered, scale))
            expect(error < TOLERANCES[descr], f'{what}: error {error}')


def transforms_cfl():
    for axes, centered in (((0, 1), True), ((3,), False), ((1, 3), True), ((0,), False)):
        shape = (6, 5, 1, 4)
        values = random_array(shape, False)
        write_cfl('in', shape, values)
        wanted = dft(shape, values, axes, True, centered, 'ortho')
        options = ['--inverse', '--scale', 'ortho', '--axes', ','.join(map(str, axes))] + ['--centered'] * centered
        status, _, errors = run('transform', 'in.cfl', 'out.cfl', *options)
        expect(status == 0, errors)
        got_shape, got = read_cfl('out')
        expect(got_shape == shape + (1,) * 12, f'shape {got_shape}')
        expect(distance({i[:4]: value for i, value in got.items()}, wanted) < 1e-6, f'axes {axes}')
        status, _, errors = run('transform', 'in.cfl', 'out.npy', *options)
        expect(status == 0, errors)
        header, got = read_npy('out.npy')
        expect(header['shape'] == shape and header['fortran_order'], f'{header}')
        expect(distance(got, wanted) < 1e-6, f'axes {axes}, to .npy')
        write_npy('in.npy', shape, values, '<c16')
        status, _, errors = run('transform', 'in.npy', 'out.cfl', *options)
        expect(status == 0, errors)
        expect(distance({i[:4]: value for i, value in read_cfl('out')[1].items()}, wanted) < 1e-6, f'axes {axes}, from .npy')


def multiplies_a_spectrum_and_transforms_back():
    shapes = [(8,), (1,), (3, 4), (4, 3, 5), (2, 1, 6, 3), (17,)]
    for shape in shapes:
        rank = len(shape)
        for axes in itertools.chain.from_iterable(itertools.combinations(range(rank), k) for k in range(1, rank + 1)):
            descr = random.choice(['<c8', '<c16'])
            fortran, of_factors, inverse, centered, whole = (random.random() < 0.5 for _ in range(5))
            values = random_array(shape, False)
            write_npy('in.npy', shape, values, descr, fortran)
            spectrum = tuple(shape[a] if a in axes else 1 for a in range(rank))
            factors = random_array(spectrum, False)
            short = {tuple(i[a] for a in axes): value for i, value in factors.items()}
            if whole:
                write_npy('factors.npy', spectrum, factors, '<c16', of_factors)
            else:
                write_npy('factors.npy', tuple(shape[a] for a in axes), short, '<c16', of_factors)
            options = ['--axes=' + ','.join(str(a) for a in random.sample(axes, len(axes))), '--scale=1/n', '--multiply=factors.npy']
            options += ['--inverse'] * inverse + ['--centered'] * centered
            status, _, errors = run('transform', 'in.npy', 'out.npy', '--quiet', *options)
            what = f'{shape} {descr} fortran={fortran} {of_factors} whole={whole} {" ".join(options)}'
            expect(status == 0, f'{what}: status {status}, {errors}')
            there = dft(shape, values, axes, inverse, centered)
            product = {i: value * factors[tuple(k if a in axes else 0 for a, k in enumerate(i))] for i, value in there.items()}
            error = distance(read_npy('out.npy')[1], dft(shape, product, axes, not inverse, centered, '1/n'))
            expect(error < TOLERANCES[descr], f'{what}: error {error}')
    status, output, errors = run('transform', 'in.npy', 'out.json', '--multiply', 'factors.npy', '--scale', '1/n', '--storage', 'e4m3', '--exponents')
    expect(status == 0 and 'chain=mul' in output and 'saturated' in output, f'{output}{errors}')
    write_npy('many.npy', (3, 17), random_array((3, 17), False), '<c8')
    write_npy('wild.npy', (17,), {(i,): complex(1e60, 0) for i in range(17)}, '<c16')
    write_npy('narrow.npy', (17,), random_array((17,), False), '<c8')
    for arguments, words in ((['in.npy', '--multiply', 'many.npy'], '3 x 17'), (['in.npy', '--multiply', 'none.npy'], 'none.npy'),
                             (['narrow.npy', '--multiply', 'wild.npy'], 'not finite in f32'),
                             (['in.npy', '--multiply', 'factors.npy', '--scheme', 'rounded:f16'], 'rounded:f16')):
        status, output, errors = run('transform', arguments[0], 'refused.npy', *arguments[1:])
        expect(status == 1 and words in errors and not os.path.exists('refused.npy'), f'{arguments}: {status} {output}{errors}')


def counts_operations_that_overflow():
    for scheme, descr, wanted in (('rounded:f16', '<c8', True), ('rounded:e4m3', '<c16', True), ('rounded:bf16', '<c8', False)):
        write_npy('large.npy', (64,), {(i,): complex(3000, 0) for i in range(64)}, descr)
        status, output, errors = run('transform', 'large.npy', 'out.npy', '--scheme', scheme)
        line = [line for line in output.split('\n') if line.startswith('  overflow')]
        expect(status == 0 and len(line) == 1 and (int(line[0].split()[1]) > 0) == wanted, f'{scheme}: {output}{errors}')
    expect('overflow' not in run('transform', 'large.npy', 'out.npy')[1], 'f32 has none')
    for prescale in ('amax', '8'):
        status, output, errors = run('transform', 'large.npy', 'out.npy', '--scheme', 'rounded:f16', '--prescale', prescale)
        expect(status == 0 and 'overflow   0 ' in output and f'prescale={prescale}' in output, f'{output}{errors}')
        expect(abs(read_npy('out.npy')[1][(0,)] - 192000) < 200, f'{prescale}: not undone')
    for wrong in ('large', '0', '-1', 'inf', ''):
        status, output, errors = run('transform', 'large.npy', 'out.npy', '--prescale', wrong)
        expect(status == 2 and 'amax' in errors, f'{wrong}: {status} {output}{errors}')


def names_schemes_by_precisions():
    write_npy('in.npy', (64,), random_array((64,), False), '<c8')
    schemes = {'bf16': 'split:bf16', 'ozaki': 'split:bf16x2', 'ozaki_hq': 'split:bf16x2x3', 'fp32': 'f32', 'double': 'f64'}
    for mode, scheme in schemes.items():
        for arguments in (('transform', 'in.npy', 'out.npy'), ('plan', '64 f32', '--effort', 'estimate')):
            status, output, errors = run(*arguments, '--precision', mode)
            expect(status == 0 and f' {scheme}:' in output, f'{arguments}, {mode}: {output}{errors}')
            expect(f'Precision {mode} is the scheme {scheme}: its error here is ' in output, f'{arguments}, {mode}: {output}')
            expect(('split:bf16x3' in output) == (mode == 'ozaki_hq'), f'{arguments}, {mode}: {output}')
        expect(f' {scheme}:' in run('plan', f'64 f32 precision={mode}', '--effort', 'estimate')[1], mode)
    for arguments in (('transform', 'in.npy', 'out.npy'), ('plan', '64 f32'), ('bench', '64 f32')):
        status, _, errors = run(*arguments, '--precision', 'bf8')
        expect(status == 2 and 'bf16, ozaki, ozaki_hq, fp32' in errors, f'{arguments}: {status} {errors}')
    for arguments in (('plan', '64 f32 scheme=f64'), ('bench', '64 f32 scheme=f64'), ('transform', 'in.npy', 'out.npy', '--scheme', 'f64')):
        status, _, errors = run(*arguments, '--precision', 'bf16')
        expect(status == 2 and 'precision' in errors, f'{arguments}: {status} {errors}')


def replaces_its_input_when_asked():
    values = random_array((12,), False)
    write_npy('same.npy', (12,), values, '<c16')
    status, _, errors = run('transform', 'same.npy', 'same.npy')
    expect(status == 0, errors)
    expect(distance(read_npy('same.npy')[1], dft((12,), values, (0,))) < 1e-14, 'wrong result')


def refuses_damaged_files():
    write_npy('good.npy', (3, 4), random_array((3, 4), False), '<c8')
    with open('good.npy', 'rb') as file:
        good = file.read()
    header = good[10:good.index(b'\n') + 1]

    def with_header(text):
        return good[:8] + struct.pack('<H', len(text)) + text + good[10 + len(header):]

    damaged = {f'the first {n} bytes': (good[:n], 'is empty.' if n == 0 else '') for n in range(len(good))}
    damaged |= {
        'one byte more': (good + b'x', 'data'),
        'another magic': (b'\x94' + good[1:], 'magic'),
        'version 9': (good[:6] + b'\x09' + good[7:], 'version'),
        'text': (with_header(header.replace(b'<c8', b'<U2')), 'descr'),
        'long double': (with_header(header.replace(b'<c8', b'<f16')), 'descr'),
        'no byte order': (with_header(header.replace(b'<c8', b'c8')), 'descr'),
        'records': (with_header(header.replace(b"'<c8'", b"[('a', '<c8')]")), 'descr'),
        'no shape': (with_header(header.replace(b"'shape': (3, 4), ", b'')), 'shape'),
        'shape ()': (with_header(header.replace(b'(3, 4)', b'()')), 'data'),
        'zero length': (with_header(header.replace(b'(3, 4)', b'(0, 4)')), 'data'),
        'negative length': (with_header(header.replace(b'(3, 4)', b'(-3, -4)')), 'shape'),
        'huge shape': (with_header(header.replace(b'(3, 4)', b'(4294967296, 4294967296, 8)')), 'shape'),
        'overflowing length': (with_header(header.replace(b'(3, 4)', b'(99999999999999999999,)')), 'shape'),
        'larger shape': (with_header(header.replace(b'(3, 4)', b'(3, 5)')), 'data'),
        'text for shape': (with_header(header.replace(b'(3, 4)', b"'x'")), 'shape'),
        'unknown key': (with_header(header.replace(b'shape', b'shade')), 'header'),
        'text after it': (with_header(header.replace(b'}', b'} 1')), 'header'),
        'fortran_order 1': (with_header(header.replace(b'False', b'1')), 'fortran_order'),
    }
    for name, (data, field) in damaged.items():
        with open('bad.npy', 'wb') as file:
            file.write(data)
        status, _, errors = run('transform', 'bad.npy', 'never.npy', '--axes', '0')
        expect(status == 1 and errors.startswith(f'error: bad.npy: {field}'), f'{name}: status {status}, {errors}')
    write_cfl('good', (4, 3), random_array((4, 3), False))
    headers = {'no dimensions': 'x\n', 'words': '# Dimensions\n4 x\n', 'zero': '# Dimensions\n4 0\n', 'too many': '# Dimensions\n' + '1 ' * 17,
               'too large': '# Dimensions\n4 4\n', 'empty': '', 'none': '# Dimensions\n', 'overflow': '# Dimensions\n99999999999999999999 2\n'}
    for name, text in headers.items():
        with open('good.hdr', 'w', encoding='ascii') as file:
            file.write(text)
        status, _, errors = run('transform', 'good.cfl', 'never.npy', '--axes', '0')
        expect(status == 1 and errors.startswith('error: good.'), f'{name}: status {status}, {errors}')
    left = [name for name in os.listdir('.') if name.startswith('never') or '.part' in name]
    expect(not left, f'left behind: {left}')


def underlines_the_word_at_fault():
    write_npy('three.npy', (2, 3, 4), random_array((2, 3, 4), False), '<c8')
    cases = [
        (['plan', '1000 f3'], 'f3'), (['plan', '1000 f32 invrse'], 'invrse'), (['plan', '8x0 f32'], '0'), (['plan', '8 f32 scale=0'], '0'),
        (['plan', '8 f32 backend=x'], 'x'), (['plan', '1000 f32', '--recipe', 'f32:dit(16 8 8 -)'], '-'),
        (['plan', '1000 f32', '--recipe', 'f3:n8'], 'f3'), (['plan', '8 f32', '--target', 'avx9'], 'avx9'),
        (['plan', '8 f32', '--effort', 'fast'], 'fast'), (['plan', '8 f32', '--efort', 'measure'], '--efort'),
        (['plan', '8 f32', '--time-limit', '-1'], '-1'), (['formats', 'f3'], 'f3'), (['blub'], 'blub'), (['info', 'extra'], 'extra'),
        (['transform', 'three.npy', 'o.npy', '--axes', '0,3'], '3'), (['transform', 'three.npy', 'o.npy', '--axes', '0,x'], 'x'),
        (['transform', 'three.npy', 'o.npy', '--axes', '0,-3'], '-3'), (['transform', 'three.npy', 'o.npy', '--axes', '-4'], '-4'),
        (['transform', 'three.npy', 'o.npy', '--axes', '0', '--scale', 'big'], 'big'),
        (['transform', 'three.npy', 'o.npy', '--axes', '0', '--scale', 'inf'], 'inf'),
    ]
    for arguments, word in cases:
        status, output, errors = run(*arguments)
        marked = marked_word(errors)
        expect(status == 2 and marked == word and not output, f'{arguments}: status {status}, marked "{marked}"\n{errors}')


def says_what_is_wrong_with_files():
    expect(run('transform', 'none.npy', 'o.npy')[0] == 1, 'no such file')
    expect(run('transform', 'three.npy', 'o.npy')[0] == 2, 'three axes, none named')
    expect(run('transform', 'three.npy', 'o.txt', '--axes', '0')[0] == 1, 'a kind of file nobody knows')
    expect(run('transform', 'three.npy', 'nowhere/o.npy', '--axes', '0')[0] == 1, 'a folder that is not there')
    expect(run('wisdom', 'show', 'three.npy')[0] == 1, 'an array is not wisdom')
    expect(run('wisdom', 'validate', 'three.npy')[0] == 1, 'an array is not wisdom')
    expect(run()[0] == 2 and run('wisdom')[0] == 2 and run('plan')[0] == 2, 'something is missing')


def helps():
    for arguments in (['--help'], ['plan', '--help'], ['transform', '-h'], ['wisdom', '--help'], ['wisdom', 'merge', '--help'],
                      ['info', '--help'], ['formats', '--help'], ['accuracy', '--help'], ['--version']):
        status, output, errors = run(*arguments)
        expect(status == 0 and output and not errors, f'{arguments}: status {status}, {errors}')
        expect(arguments == ['--version'] or 'Example' in output, f'{arguments}: no example')


def shows_what_there_is():
    info = json.loads(run('info', '--json')[1])
    expect([target for target in info['targets'] if target['name'] == 'ref' and target['available']], 'ref is always there')
    expect(sum(target['default'] for target in info['targets']) == 1, 'one target is the default')
    expect(all(target['available'] or target['reason'] for target in info['targets']), 'a target is off without a reason')
    for name in info['formats']:
        one = json.loads(run('formats', name, '--json')[1])
        expect(one['name'] == name, f'{one}')
        if one['kind'] in ('wide', 'element'):
            expect(one['bits'] == one['signed'] + one['exponent_bits'] + one['mantissa_bits'], f'{one}')
        if one['kind'] in ('element', 'integer') and one['bits'] <= 8:
            numbers = [value for value in one['values'] if not isinstance(value, str)]
            expect(len(one['values']) == 2 ** one['bits'] and max(numbers) == one['largest'], f'{one}')
        else:
            expect('values' not in one, f'{name} has too many codes to print')
    status, output, _ = run('formats', 'e2m1')
    expect(status == 0 and all(f' {value} ' in output + ' ' for value in ('-1.5', '0.5', '4')), output)
    status, output, _ = run('info', '--codelets')
    expect(status == 0 and all(target['name'] in output for target in info['targets']), output)
    expect(len(json.loads(run('formats', '--json')[1])) == len(info['formats']), 'formats and info disagree')


def plans_and_remembers():
    problem = '1000 f32'
    first = json.loads(run('plan', problem, '--wisdom', 'w.json', '--time-limit', '60', '--json')[1])
    second = json.loads(run('plan', problem, '--wisdom', 'w.json', '--json')[1])
    expect(not first['from_wisdom'] and second['from_wisdom'], 'the second plan comes from wisdom')
    expect(sum(candidate['seconds'] > 0 for candidate in first['candidates']) >= 2, 'several recipes were timed')
    expect(first['recipe'] == second['recipe'] and first['hash'] == second['hash'], 'the same recipe and bits')
    again = json.loads(run('plan', problem, '--recipe', first['recipe'], '--target', 'ref', '--json')[1])
    expect(again['recipe'] == first['recipe'], 'the recipe given is the recipe used')
    explained = run('plan', problem, '--recipe', 'f32:dit(8 5 5 5)', '--explain')[1]
    expect('after expand\n' in explained and 'n8 first' in explained and 'out[' in explained, explained)
    expect('n8 whole' in json.loads(run('plan', '8 f32', '--recipe', 'f32:n8', '--explain', '--json', '--target', 'ref')[1])['program'], 'JSON has no program')
    estimate = json.loads(run('plan', problem, '--effort', 'estimate', '--json')[1])
    expect(not any(candidate['seconds'] > 0 for candidate in estimate['candidates']), 'an estimate times nothing')
    status, output, _ = run('plan', problem, '--wisdom', 'w.json')
    expect(status == 0 and 'nothing was timed' in output and first['recipe'] in output, output)
    run('plan', '64 f64', '--wisdom', 'v.json')
    status, output, errors = run('wisdom', 'merge', 'all.json', 'w.json', 'v.json')
    expect(status == 0, errors)
    entries = json.loads(run('wisdom', 'show', 'all.json', '--json')[1])
    expect(len(entries) == 2 and all(entry['usable'] for entry in entries), f'{entries}')
    status, output, _ = run('wisdom', 'show', 'all.json')
    expect(status == 0 and first['recipe'] in output and '2 accepted' in output, output)
    expect(run('wisdom', 'validate', 'all.json', 'w.json')[0] == 0, 'what was written is sound')
    target = next(target['name'] for target in json.loads(run('info', '--json')[1])['targets'] if target['available'])
    status, output, errors = run('wisdom', 'calibrate', 'all.json', '--seconds', '60', '--target', target)
    kept = json.loads(open('all.json', encoding='utf-8').read())
    expect(status == 0 and 'pass costs' in output and len(kept['costs']) > 50 and kept['plans'], f'{status} {output} {errors}')
    expect(run('wisdom', 'calibrate', 'all.json', '--seconds', '-1')[0] == 2, 'a time below zero')


def tells_what_was_timed():
    for length in ('101', '1009', '10007', '65537'):
        status, output, errors = run('plan', f'{length} f32', '--time-limit', '60')
        expect(status == 0, errors)
        rows = [line for line in output.split('\n') if 'rader(' in line or 'bluestein(' in line]
        for name in ('rader(', 'bluestein('):
            timed = [line for line in rows if name in line and (' ns ' in line or ' us ' in line or ' ms ' in line) and ' -  ' not in line]
            expect(timed, f'no time of {name[:-1]} for {length}:\n{output}')
        expect('Effort measure: timed ' in output, output)
    kinds = {}
    for effort in ('estimate', 'measure', 'patient', 'exhaustive'):
        found = json.loads(run('plan', '720 f32', '--effort', effort, '--time-limit', '2' if effort == 'exhaustive' else '60', '--json')[1])
        kinds[effort] = set(found['timed'])
        expect(found['effort'] == effort, f'{found}')
        expect(sum(found['timed'].values()) == sum(candidate['seconds'] > 0 for candidate in found['candidates']), f'{found}')
    expect(not kinds['estimate'] and kinds['measure'] < kinds['patient'], f'{kinds}')
    _, output, _ = run('plan', '720 f32', '--all')
    expect(output.count('f32:dit(') > 20, output)
    recipes = {run('plan', '4096 f32', '--deterministic', '--json', '--target', target['name'])[1].split('"recipe": ')[1].split('\n')[0]
               for target in json.loads(run('info', '--json')[1])['targets'] if target['available']}
    expect(len(recipes) == 1, f'{recipes}')
    limited = json.loads(run('plan', '4096 f32 max_error=5e-8', '--json')[1])
    expect(limited['recipe'].startswith('f64:') and limited['error_level'] == 'sampled' and limited['error'] <= 5e-8, f'{limited}')
    status, output, errors = run('plan', '4096 f32 max_error=1e-12')
    expect(status != 0 and 'least error' in errors and '1e-12' in errors, errors)
    status, output, errors = run('plan', '4096 f32', '--effort', 'wisdom_only')
    expect(status != 0 and 'Wisdom has no plan' in errors, errors)
    threaded = json.loads(run('plan', '1024*512 f32 threads=2', '--json')[1])
    expect(threaded['threads'] in (1, 2), f'{threaded}')


run_cases('tool', [
    transforms_npy, transforms_cfl, multiplies_a_spectrum_and_transforms_back, counts_operations_that_overflow, names_schemes_by_precisions,
    replaces_its_input_when_asked, refuses_damaged_files, underlines_the_word_at_fault,
    says_what_is_wrong_with_files, helps, shows_what_there_is, plans_and_remembers, tells_what_was_timed,
])
