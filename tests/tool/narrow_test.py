#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Narrow storage as a user of the command-line tool meets it: narrow_test.py ULPFFT."""
import cmath
import json
import math
import os
import re
import struct
import sys

sys.dont_write_bytecode = True
from harness import command, expect, marked_word, read_npy, run_cases, succeeding, write_npy  # noqa: E402

tool = os.path.abspath(sys.argv[1])
run = command(tool)
good = succeeding(run)


def dft(values):
    n = len(values)
    root = [cmath.exp(-2j * math.pi * k / n) for k in range(n)]
    return [sum(value * root[j * k % n] for j, value in enumerate(values)) for k in range(n)]


def distance(got, wanted):
    return math.sqrt(sum(abs(a - b) ** 2 for a, b in zip(got, wanted)) / sum(abs(b) ** 2 for b in wanted))


def all_formats():
    return [entry for entry in json.loads(run('formats', '--json')[1]) if entry['kind'] != 'wide']


# ---- Cases -------------------------------------------------------------------------------------------------------------------


def converts_there_and_back_what_a_format_holds():
    shape = (3, 5)
    for entry in all_formats():
        name = entry['name']
        if name == 'e8m0':  # powers of two alone
            numbers = [complex(2.0 ** (i % 7), 2.0 ** -(i % 5)) for i in range(15)]
        else:
            whole = [entry['largest'], entry['lowest'], 1.0, 0.5 if entry['smallest_subnormal'] <= 0.5 else 1.0]
            if name == 'u8':  # halves
                whole = [127.5, -127.5, 0.5, -3.5] if entry['offset'] == 127.5 else [127.0, -128.0, 1.0, -3.0]
            if entry['kind'] == 'block':
                whole = [6.0, 3.0, -6.0, 0.0]
            numbers = [complex(whole[i % 4], whole[(i + 1) % 4]) for i in range(15)]
        for descr, kind, back in (('<c8', 'complex', 'f32'), ('<c16', 'complex', 'f64'), ('<f4', 'real', 'f32'), ('<f8', 'real', 'f64')):
            given = numbers if kind == 'complex' else [number.real for number in numbers]
            write_npy('in.npy', shape, given, descr)
            output = good('convert', 'in.npy', 'narrow.json', '--from', back, '--to', name)
            expect('no value was clipped' in output, f'{name}: {output}')
            with open('narrow.json', encoding='utf-8') as file:
                description = json.load(file)
            expect(description['format'] == name and description['numbers'] == kind and description['shape'] == [3, 5] and description['axis'] == 1,
                   f'{description}')
            good('convert', 'narrow.json', 'back.npy', '--from', name, '--to', back)
            header, got = read_npy('back.npy')
            expect(header['descr'] == descr and header['shape'] == shape and got == given, f'{name} {descr}: {header} {got}')


def says_what_saturates():
    write_npy('big.npy', (4,), [1e9, -1e9, 1.0, math.inf], '<f4')
    for name, largest in (('e4m3', 448.0), ('i16', 32767.0), ('f16', 65504.0)):
        output = good('convert', 'big.npy', 'big.json', '--to', name)
        expect('saturated  3 of 4' in output, output)
        good('convert', 'big.json', 'back.npy', '--to', 'f32')
        expect(read_npy('back.npy')[1][0] == largest, f'{name}: {read_npy("back.npy")}')
    status, output, errors = run('convert', 'big.npy', 'big.json', '--to', 'f16', '--quiet')
    expect(status == 0 and not output and errors == 'big.json: 3 real numbers saturated\n', f'{output} {errors}')
    status, _, errors = run('convert', 'big.json', 'back.npy', '--to', 'f32', '--rounding', 'stochastic')
    expect(status == 2 and '--rounding says how narrow codes are rounded' in errors, errors)
    good('convert', 'big.npy', 'big.json', '--to', 'f16', '--rounding', 'nearest')
    expect(read_npy('big.codes.npy')[1] == [math.inf, -math.inf, 1.0, math.inf], 'NumPy reads f16 as numbers, infinities among them')


def rows_run_along_the_axis_named():
    shape, values = (3, 4, 2), [float(1 + (7 * i) % 11) * 2.0 ** (i % 9) for i in range(24)]
    fortran = [values[(a * 4 + b) * 2 + c] for c in range(2) for b in range(4) for a in range(3)]
    for axis, others in ((0, (4, 2)), (1, (3, 2)), (2, (3, 4)), (-1, (3, 4))):
        write_npy('c.npy', shape, values, '<f4')
        write_npy('f.npy', shape, fortran, '<f4', fortran=True)
        length = shape[axis]
        for source in ('c', 'f'):
            good('convert', source + '.npy', source + '.json', '--to', 'mxfp8_e4m3:b2', '--axis', str(axis))
            header, _ = read_npy(source + '.codes.npy')
            scales, _ = read_npy(source + '.scales.npy')
            expect(header['shape'] == others + (length,) and scales['shape'] == others + ((length + 1) // 2,), f'{header} {scales}')
            good('convert', source + '.json', source + '_back.npy', '--to', 'f64')
        expect(read_npy('c.codes.npy') == read_npy('f.codes.npy') and read_npy('c_back.npy') == read_npy('f_back.npy'), f'axis {axis}: order of the file')
        expect(distance(read_npy('c_back.npy')[1], values) < 0.04, f'axis {axis}: {read_npy("c_back.npy")}')
    good('convert', 'c.json', 'turned.json', '--to', 'mxfp4_e2m1:b4', '--axis', '0')
    with open('turned.json', encoding='utf-8') as file:
        expect(json.load(file)['axis'] == 0, 'narrow to narrow along another axis')


def stochastic_rounding_repeats_with_its_seed():
    write_npy('in.npy', (64,), [1.0 + i / 1000 for i in range(64)], '<f4')
    codes = []
    for seed in ('7', '7', '8'):
        good('convert', 'in.npy', 'out.json', '--to', 'e4m3', '--rounding', 'stochastic', '--seed', seed)
        codes.append(read_npy('out.codes.npy')[1])
    expect(codes[0] == codes[1] != codes[2], f'{codes}')


def capture(transforms, n):
    samples = [complex(round(900 * math.cos(0.7 * j)) + j % 13, round(800 * math.sin(1.9 * j))) for j in range(transforms * n)]
    with open('capture.cs16', 'wb') as file:
        file.write(struct.pack(f'<{2 * len(samples)}h', *(int(part) for sample in samples for part in (sample.real, sample.imag))))
    return samples


def transforms_raw_samples():
    n = 60
    samples = capture(3, n)
    wanted = [value for t in range(3) for value in dft(samples[t * n:(t + 1) * n])]
    good('transform', 'capture.cs16', 'out.npy', '--raw', 'i16', '--length', str(n))
    header, got = read_npy('out.npy')
    expect(header['shape'] == (3, n) and distance(got, wanted) < 1e-6, f'{header} {distance(got, wanted)}')
    output = good('transform', 'capture.cs16', 'out.json', '--raw', 'i16', '--length', str(n), '--storage', 'i16->f16', '--scale', '1/n')
    expect('i16->f16' in output and 'no value was clipped' in output, output)
    _, parts = read_npy('out.codes.npy')
    got = [complex(parts[2 * i], parts[2 * i + 1]) for i in range(3 * n)]
    expect(distance(got, [value / n for value in wanted]) < 5e-4, f'f16: {distance(got, [value / n for value in wanted])}')
    good('transform', 'capture.cs16', 'out.npy', '--raw', 'i16', '--length', str(n), '--storage', 'i16->mxfp8_e4m3')
    expect(distance(read_npy('out.npy')[1], wanted) < 0.05, 'a narrow result in a .npy file is its numbers')
    output = good('transform', 'capture.cs16', 'out.json', '--raw', 'i16', '--length', str(n), '--storage', 'i16->e4m3')
    expect(int(re.search(r'saturated  (\d+) of 360', output)[1]) > 0, f'{output}: the line at 900 n lies beyond 448')
    expect('--exponents keeps its range' in output and 'of what does not saturate' in output, output)
    status, output, errors = run('transform', 'capture.cs16', 'out.json', '--raw', 'i16', '--length', str(n), '--storage', 'i16->e4m3', '--quiet')
    expect(status == 0 and not output and re.search(r'out.json: 0 real numbers of the input and [1-9]\d* of the result saturated', errors), f'{output} {errors}')
    with open('capture.cf32', 'wb') as file:
        file.write(struct.pack(f'<{6 * n}f', *(part for sample in samples for part in (sample.real, sample.imag))))
    good('transform', 'capture.cf32', 'wide.npy', '--raw', 'f32', '--length', str(n))
    expect(distance(read_npy('wide.npy')[1], wanted) < 1e-6, 'raw f32')


def computes_in_the_scheme_that_is_asked_for():
    values = [complex(math.sin(0.3 * j * j), math.cos(1.7 * j)) for j in range(240)]
    write_npy('in.npy', (240,), values, '<c8')
    wanted = dft(values)
    for scheme, least, most in (('f64', 0, 1e-6), ('rounded:f16', 1e-4, 3e-3), ('mx:mxfp8_e4m3', 0.02, 0.15), ('mx:mxint8:b8:floor:fresh', 2e-3, 0.05)):
        good('transform', 'in.npy', 'out.npy', '--axes', '0', '--scheme', scheme)
        expect(least <= distance(read_npy('out.npy')[1], wanted) < most, f'{scheme}: {distance(read_npy("out.npy")[1], wanted)}')
    status, _, errors = run('transform', 'in.npy', 'never.npy', '--axes', '0', '--scheme', 'mx:e4m3')
    expect(status != 0 and 'mx:e4m3' in errors and 'mxfp8_e4m3' in errors, errors)


def a_partial_transform_is_refused_or_left_out():
    samples = capture(3, 16)
    os.truncate('capture.cs16', 3 * 64 - 7)
    status, _, errors = run('transform', 'capture.cs16', 'never.npy', '--raw', 'i16', '--length', '16')
    expect(status == 1 and '14 samples and part of one are left over after 2 transforms of 16.' in errors and '--drop-partial' in errors, errors)
    output = good('transform', 'capture.cs16', 'out.npy', '--raw', 'i16', '--length', '16', '--drop-partial')
    header, got = read_npy('out.npy')
    expect('57 bytes' in output and header['shape'] == (2, 16), f'{output} {header}')
    expect(distance(got, dft(samples[:16]) + dft(samples[16:32])) < 1e-6, 'the whole transforms')
    status, _, errors = run('transform', 'capture.cs16', 'never.npy', '--raw', 'i16', '--length', '100', '--drop-partial')
    expect(status == 1 and 'nothing to transform' in errors, errors)
    expect(not os.path.exists('never.npy'), 'a refused transform writes nothing')


def transforms_narrow_files_along_any_axes():
    shape = (4, 6)
    values = [complex((5 * i) % 7 - 3, (3 * i) % 5 - 2) for i in range(24)]
    rows = [value for r in range(4) for value in dft(values[6 * r:6 * r + 6])]
    columns = [dft([values[6 * r + c] for r in range(4)]) for c in range(6)]
    columns = [columns[c][r] for r in range(4) for c in range(6)]
    both = [dft([rows[6 * r + c] for r in range(4)]) for c in range(6)]
    both = [both[c][r] for r in range(4) for c in range(6)]
    write_npy('in.npy', shape, values, '<c8')
    for storage, limit in (('f16', 1e-3), ('i16', 0.2), ('e4m3', 0.05), ('e5m2', 0.1), ('mxfp8_e4m3:b4', 0.1), ('mxfp6_e2m3:b2', 0.15), ('mxint8', 0.1)):
        for axes, axis, wanted in (('1', '1', rows), ('0', '0', columns), ('0,1', '0', both), ('0,1', '1', both)):
            good('convert', 'in.npy', 'in.json', '--to', storage, '--axis', axis)
            for out in ('out.npy', 'out.json'):
                good('transform', 'in.json', out, '--axes', axes)
                if out.endswith('json'):
                    good('convert', out, 'out.npy', '--to', 'f32')
                header, got = read_npy('out.npy')
                expect(header['shape'] == shape and distance(got, wanted) < limit, f'{storage} axes {axes} {out}: {distance(got, wanted)}')
    output = good('transform', 'in.npy', 'out.npy', '--axes', '0', '--storage', 'f16->mxfp8_e4m3')
    expect('f32, converted to f16' in output and distance(read_npy('out.npy')[1], columns) < 0.05, output)


def transforms_return_exponents_of_their_own():
    shape, n = (3, 2, 8), 8
    values = [complex((5 * i) % 7 - 3, (3 * i) % 5 - 2) * 10.0 ** (6 * (i // 8) - 15) for i in range(48)]  # rows of very different size
    rows = [value for r in range(6) for value in dft(values[n * r:n * r + n])]
    for order in ('c', 'f'):
        numbers = values if order == 'c' else [values[(a * 2 + b) * 8 + c] for c in range(8) for b in range(2) for a in range(3)]
        write_npy('in.npy', shape, numbers, '<c16', fortran=order == 'f')
        for storage, limit in (('f64->f16', 1e-3), ('f64->e4m3', 0.05), ('f64->e2m1', 0.3), ('f64->mxfp8_e4m3:b4', 0.05)):
            blocks = storage.endswith('b4')  # whose scales do it
            output = good('transform', 'in.npy', 'out.json', '--axes', '-1', '--storage', storage, '--exponents')
            expect('no value was clipped' in output and 'one of each of 6 transforms' in output, output)
            header, exponents = read_npy('out.exponents.npy')
            expect(header['shape'] == (3, 2, 1) and header['descr'] == '<i4', f'{header}')
            expect(exponents == [0] * 6 if blocks else exponents == sorted(exponents) and exponents[0] < -30 and exponents[-1] > 20, f'{storage}: {exponents}')
            good('convert', 'out.json', 'out.npy', '--to', 'f64')
            good('transform', 'in.npy', 'direct.npy', '--axes', '-1', '--storage', storage, '--exponents')
            got = [read_npy(name)[1] for name in ('out.npy', 'direct.npy')]
            expect(distance(got[0], got[1]) < 1e-6, f'{storage}: a .npy file has the exponents applied')
            for r in range(6):
                expect(distance(got[0][n * r:n * r + n], rows[n * r:n * r + n]) < limit, f'{order} {storage}, row {r}: {got[0][n * r:n * r + n]}')
            # Back again: exponents of an input are read.
            good('transform', 'out.json', 'back.json', '--axes', '2', '--inverse', '--scale', '1/n', '--exponents')
            good('convert', 'back.json', 'back.npy', '--to', 'f64')
            back = read_npy('back.npy')[1]
            for r in range(6):
                expect(distance(back[n * r:n * r + n], values[n * r:n * r + n]) < 2 * limit, f'{order} {storage}, back, row {r}')
            # And where the codes become others first: f16 alone has not the range.
            good('transform', 'out.json', 'back.json', '--axes', '2', '--inverse', '--scale', '1/n', '--storage', 'f16', '--exponents')
            good('convert', 'back.json', 'back.npy', '--to', 'f64')
            back = read_npy('back.npy')[1]
            for r in range(6) if not blocks else ():
                expect(distance(back[n * r:n * r + n], values[n * r:n * r + n]) < 2 * limit, f'{order} {storage}, back by way of f16, row {r}')
    good('transform', 'in.npy', 'out.json', '--axes', '0,2', '--storage', 'f64->f16', '--exponents')
    expect(read_npy('out.exponents.npy')[0]['shape'] == (1, 2, 1), 'one per transform of several axes')
    status, _, errors = run('transform', 'out.json', 'never.json', '--axes', '1,2')
    expect(status == 1 and errors.startswith('error: out.json: exponent_shape: ') and 'ulpfft convert' in errors, errors)
    with open('out.json', encoding='utf-8') as file:
        sound = json.load(file)
    for wrong in ([1, 2, 2], [1, 2], [1, 2, 1, 1], [3, 2, 1], 'x', [1, 2.0, 1]):
        with open('bad.json', 'w', encoding='utf-8') as file:
            json.dump(sound | {'exponent_shape': wrong}, file)
        status, _, errors = run('convert', 'bad.json', 'never.npy', '--to', 'f32')
        expect(status == 1 and re.match('error: (bad.json: exponent_shape|out.exponents.npy: shape): ', errors), f'{wrong}: {errors}')
    for field in ('exponents', 'exponent_shape'):
        with open('bad.json', 'w', encoding='utf-8') as file:
            json.dump({name: value for name, value in sound.items() if name != field}, file)
        status, _, errors = run('convert', 'bad.json', 'never.npy', '--to', 'f32')
        expect(status == 1 and errors.startswith(f'error: bad.json: {field}: '), f'without {field}: {errors}')


def refuses_wrong_files_naming_file_and_field():
    write_npy('in.npy', (3, 8), [complex(i, -i) for i in range(24)], '<c8')
    good('convert', 'in.npy', 'x.json', '--to', 'mxfp8_e4m3:b4')
    with open('x.json', encoding='utf-8') as file:
        sound = json.load(file)
    wrong = {'version': 2, 'format': 'e9m9', 'numbers': 'both', 'shape': [3, 9], 'axis': 2, 'codes': '../x.codes.npy', 'scales': 7, 'ulpfft': 'plans', 'extra': 1}
    for field, value in wrong.items():
        with open('bad.json', 'w', encoding='utf-8') as file:
            json.dump(sound | {field: value}, file)
        status, _, errors = run('convert', 'bad.json', 'never.npy', '--to', 'f32')
        at_fault = 'x.codes.npy: shape' if field == 'shape' else f'bad.json: {field}'
        expect(status == 1 and errors.startswith(f'error: {at_fault}: '), f'{field}: {status} {errors}')
    for field in sound:
        with open('bad.json', 'w', encoding='utf-8') as file:
            json.dump({name: value for name, value in sound.items() if name != field}, file)
        status, _, errors = run('transform', 'bad.json', 'never.npy', '--axes', '1')
        expect(status == 1 and errors.startswith(f'error: bad.json: {field}: '), f'without {field}: {status} {errors}')
    for text in ('', '[]', '{', '[' * 60000, '{"ulpfft": "narrow array"' + ' ' * 70000 + '}', json.dumps(sound | {'shape': [2 ** 63, 4]}),
                 json.dumps(sound | {'shape': [-3, 8]}), json.dumps(sound | {'shape': [3.5, 8]}), json.dumps(sound | {'axis': -1}),
                 json.dumps(sound)[:-1] + ', "format": "e4m3"}'):
        with open('bad.json', 'w', encoding='utf-8') as file:
            file.write(text)
        status, _, errors = run('convert', 'bad.json', 'never.npy', '--to', 'f32')
        expect(status == 1 and errors.startswith('error: bad.json: '), f'{text[:60]}: {status} {errors}')
    for part in ('codes', 'scales'):
        with open(f'x.{part}.npy', 'rb') as file:
            whole = file.read()
        for damaged, field in ((whole[:-1], 'data'), (whole + b'x', 'data'), (whole.replace(b'|u1', b'<f4'), 'descr'), (whole[:4], 'magic'),
                               (whole.replace(b'False', b'True '), 'fortran_order')):
            with open(f'x.{part}.npy', 'wb') as file:
                file.write(damaged)
            status, _, errors = run('convert', 'x.json', 'never.npy', '--to', 'f32')
            expect(status == 1 and errors.startswith(f'error: x.{part}.npy: {field}'), f'{part} {field}: {status} {errors}')
        with open(f'x.{part}.npy', 'wb') as file:
            file.write(whole)
    # A folder or a FIFO where one of the files is to be: found before any of them has its name.
    for part in ('codes.npy', 'scales.npy', 'json'):
        files = ('x.codes.npy', 'x.scales.npy', 'x.json')
        os.rename(f'x.{part}', 'kept')
        os.mkdir(f'x.{part}')
        before = {name: open(name, 'rb').read() for name in files if os.path.isfile(name)}
        status, _, errors = run('convert', 'in.npy', 'x.json', '--to', 'mxint8')
        expect(status == 1 and errors == f'error: x.{part}: is a folder.\n', f'{part}: {status} {errors}')
        expect(before == {name: open(name, 'rb').read() for name in files if os.path.isfile(name)}, f'{part}: another file was written')
        os.rmdir(f'x.{part}')
        os.mkfifo(f'x.{part}')
        status, _, errors = run('convert', 'in.npy', 'x.json', '--to', 'mxint8')
        expect(status == 1 and errors == f'error: x.{part}: is no regular file, and would be replaced by one.\n', f'{part}: {status} {errors}')
        os.remove(f'x.{part}')
        os.rename('kept', f'x.{part}')
    left = [name for name in os.listdir('.') if name.startswith('never') or '.part' in name]
    expect(not left, f'left behind: {left}')


def underlines_the_word_at_fault():
    write_npy('in.npy', (3, 8), [complex(i, -i) for i in range(24)], '<c8')
    good('convert', 'in.npy', 'x.json', '--to', 'mxfp8_e4m3')
    capture(1, 16)
    raw = ['transform', 'capture.cs16', 'o.npy', '--raw']
    cases = [
        (['convert', 'in.npy', 'o.json', '--to', 'e4m33'], 'e4m33'), (['convert', 'in.npy', 'o.json', '--to', 'mxfp8_e4m3:b7'], 'mxfp8_e4m3:b7'),
        (['convert', 'in.npy', 'o.json', '--from', 'f23', '--to', 'e4m3'], 'f23'), (['convert', 'in.npy', 'o.npy', '--to', 'e4m3'], 'o.npy'),
        (['convert', 'x.json', 'o.json', '--to', 'f32'], 'o.json'), (['convert', 'in.npy', 'o.npy', '--to', 'f64'], 'f64'),
        (['convert', 'in.npy', 'o.json', '--to', 'e4m3', '--axis', '2'], '2'), (['convert', 'in.npy', 'o.json', '--to', 'e4m3', '--rounding', 'up'], 'up'),
        (['convert', 'in.npy', 'o.json', '--to', 'e4m3', '--seed', '5'], '5'),
        (['convert', 'in.npy', 'o.json', '--to', 'e4m3', '--rounding', 'stochastic', '--seed', '-1'], '-1'),
        (['convert', 'in.npy', 'o.json', '--to', 'e4m3', '--rounding', 'stochastic', '--seed', '18446744073709551616'], '18446744073709551616'),
        (['transform', 'in.npy', 'o.json', '--axes', '1'], 'o.json'),
        (['transform', 'in.npy', 'o.npy', '--axes', '1', '--storage', 'f16->f61'], 'f61'),
        (['transform', 'in.npy', 'o.json', '--axes', '1', '--storage', 'f16->f32'], 'o.json'),
        (['transform', 'in.npy', 'o.cfl', '--axes', '1', '--storage', 'f16'], 'o.cfl'),
        (['transform', 'in.npy', 'o.npy', '--axes', '1', '--storage', 'f16->f32', '--exponents'], '--exponents'),
        ([*raw, 'i16'], 'i16'), ([*raw, 'i61', '--length', '4'], 'i61'), ([*raw, 'mxint8', '--length', '4'], 'mxint8'), ([*raw, 'e3m2', '--length', '3'], '3'),
        ([*raw, 'i16', '--length', '0'], '0'), ([*raw, 'i16', '--length', '16', '--axes', '1'], '1'), (['transform', 'in.npy', 'o.npy', '--length', '4'], '4'),
        (['bench', '--suite', 'c2c', '--format', 'f16'], 'f16'), (['bench', '--suite', 'convert', '--format', 'f32'], 'f32'),
        (['bench', '--suite', 'convert', '--format', 'f61'], 'f61'), (['formats', 'mxfp8_e4m3:b8'], ':b8'), (['formats', 'f61'], 'f61'),
    ]
    for arguments, word in cases:
        status, output, errors = run(*arguments)
        marked = marked_word(errors)
        expect(status == 2 and marked == word and not output, f'{arguments}: status {status}, marked "{marked}"\n{errors}')
    status, _, errors = run('convert', 'in.npy', 'o.json', '--from', 'f64', '--to', 'e4m3')
    expect(status == 1 and errors.startswith('error: in.npy: format: ') and 'f32' in errors, errors)
    status, _, errors = run('transform', 'x.json', 'o.npy', '--axes', '0')
    expect(status == 1 and errors.startswith('error: x.json: axis: ') and 'ulpfft convert' in errors, errors)
    expect('Example' in run('convert', '--help')[1], 'convert --help has no example')


def holds_measured_errors_to_predicted_ones():
    named = ['1024*4 f16', '64*16 mxint8:b8 scale=ortho', '256*4 f32->e2m1', '256*4 e4m3->f32', '60*7 i16 scheme=f64']
    status, output, errors = run('accuracy', *named, '--json')
    expect(status == 0, f'status {status}, {errors}')
    for row in json.loads(output)['rows']:
        narrow = row['format'] not in ('f32', 'f64')
        expect(row['passes'] and narrow == ('->f32' not in row['problem']), f'{row}')
        expect(not narrow or (row['gate'] == 1.5 and 1 / 1.5 < row['k'] < 1.5), f'{row}')


def times_conversions_beside_a_copy():
    output = good('bench', '--suite', 'convert', '--format', 'f16', '--format', 'mxfp8_e4m3:b8', '--seconds', '0.001', '--json', 'bench.json')
    with open('bench.json', encoding='utf-8') as file:
        rows = json.load(file)['conversions']
    seen = [(row['format'], row['level'], row['direction']) for row in rows]
    expect(seen == [(f, level, d) for f in ('f16', 'mxfp8_e4m3:b8') for level in ('L1', 'DRAM') for d in ('encode', 'decode')], f'{seen}')
    for row in rows:
        expect(row['seconds'] > 0 and row['time_over_copy'] > 0 and (row['level'] == 'L1') == (row['numbers'] == 2048), f'{row}')
        expect(math.isclose(row['bytes'], row['numbers'] * (6 if row['format'] == 'f16' else 5.125)), f'{row}')
    expect('reads and writes as many bytes' in output, output)


run_cases('narrow', [
    converts_there_and_back_what_a_format_holds, says_what_saturates, rows_run_along_the_axis_named,
    stochastic_rounding_repeats_with_its_seed, transforms_raw_samples, computes_in_the_scheme_that_is_asked_for, a_partial_transform_is_refused_or_left_out,
    transforms_narrow_files_along_any_axes,
    transforms_return_exponents_of_their_own, refuses_wrong_files_naming_file_and_field, underlines_the_word_at_fault,
    holds_measured_errors_to_predicted_ones, times_conversions_beside_a_copy,
])
