# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""`ulpfft transform --real` against complex transforms by the same tool, and what it refuses. Usage: real_test.py TOOL"""
import cmath
import itertools
import json
import math
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import harness  # noqa: E402
from harness import command, expect, indices, marked_word, run_cases, succeeding  # noqa: E402

run = command(sys.argv[1])
good = succeeding(run)
random.seed(7)

UNIT = {'<f4': 2.0 ** -24, '<f8': 2.0 ** -53}
SPECTRUM_OF = {'<f4': '<c8', '<f8': '<c16'}


# ---- Arrays: a shape, and values by index tuple ------------------------------------------------------------------------------


def write(path, shape, values, descr, fortran=False):
    harness.write_npy(path, shape, [values[i] for i in indices(shape, fortran)], descr, fortran)


def read(path):
    header, numbers = harness.read_npy(path)
    return header, dict(zip(indices(header['shape'], header['fortran_order']), numbers))


def random_reals(shape):
    return {i: round(random.gauss(0, 1), 3) for i in indices(shape)}


def random_numbers(shape):
    return {i: complex(round(random.gauss(0, 1), 3), round(random.gauss(0, 1), 3)) for i in indices(shape)}


def halved(shape, axis):
    return shape[:axis] + (shape[axis] // 2 + 1,) + shape[axis + 1:]


def distance(got, wanted):
    norm = math.sqrt(sum(abs(value) ** 2 for value in wanted.values()))
    return math.sqrt(sum(abs(got[i] - wanted[i]) ** 2 for i in wanted)) / norm


def tolerance(descr, shape, axes):
    """Passes of radix 2 or more have errors of a few units each; a length of Bluestein's or Rader's has three transforms."""
    return 8 * UNIT[descr] * (3 * math.log2(2 * math.prod(shape[a] for a in axes)) + 1)


def axes_words(shape, axes):
    return '--axes=' + ','.join(str(a - len(shape) if random.random() < 0.5 else a) for a in axes)


def all_cases():
    """Shapes with all choices and orders of their axes, at random in both types and orders of memory."""
    for shape in [(8,), (9,), (1,), (2,), (34,), (5, 1), (1, 6), (3, 4), (4, 7), (4, 3, 5), (2, 1, 6, 3)]:
        for count in range(1, len(shape) + 1):
            for axes in itertools.permutations(range(len(shape)), count):
                yield shape, axes, random.choice(list(UNIT)), random.random() < 0.5


# ---- Cases -------------------------------------------------------------------------------------------------------------------


def spectra_are_halves_of_complex_ones():
    for shape, axes, descr, fortran in all_cases():
        write('in.npy', shape, random_reals(shape), descr, fortran)
        words = [axes_words(shape, axes), '--scale=' + random.choice(['none', 'ortho', '1/n', '-0.25'])]
        words += random.choice([[], ['--target=ref']])
        good('transform', 'in.npy', 'complex.npy', '--quiet', *words)
        good('transform', 'in.npy', 'out.npy', '--quiet', '--real', *words)
        header, got = read('out.npy')
        what = f'{shape} {descr} fortran={fortran} {words}: {header}'
        expect(header['descr'] == SPECTRUM_OF[descr] and header['fortran_order'] == fortran, what)
        expect(tuple(header['shape']) == halved(shape, axes[-1]), what)
        error = distance(got, {i: value for i, value in read('complex.npy')[1].items() if i in got})
        expect(error < tolerance(descr, shape, axes), f'{what}: error {error}')


def real_numbers_are_those_of_the_whole_spectrum():
    for shape, axes, descr, fortran in all_cases():
        stored = random_numbers(halved(shape, axes[-1]))
        whole = {}
        for i in indices(shape):
            mirror = tuple(-k % n if axis in axes else k for axis, (k, n) in enumerate(zip(i, shape)))
            whole[i] = stored[i] if i in stored else stored[mirror].conjugate()
        write('stored.npy', halved(shape, axes[-1]), stored, SPECTRUM_OF[descr], fortran)
        write('whole.npy', shape, whole, SPECTRUM_OF[descr], fortran)
        n = shape[axes[-1]]
        words = [axes_words(shape, axes), '--inverse', '--scale=' + random.choice(['none', '1/n'])]
        length = [f'--length={n}'] if n % 2 == 1 or random.random() < 0.5 else []
        good('transform', 'whole.npy', 'complex.npy', '--quiet', *words)
        good('transform', 'stored.npy', 'out.npy', '--quiet', '--real', *words, *length)
        header, got = read('out.npy')
        what = f'{shape} {descr} fortran={fortran} {words}: {header}'
        expect(header['descr'] == descr and tuple(header['shape']) == shape, what)
        complex_values = read('complex.npy')[1]
        # The complex transform also has the imaginary parts that c2r ignores: an error is relative to all of it.
        norm = math.sqrt(sum(abs(value) ** 2 for value in complex_values.values()))
        error = math.sqrt(sum((got[i] - complex_values[i].real) ** 2 for i in got)) / norm
        expect(error < tolerance(descr, shape, axes), f'{what}: error {error}')


def there_and_back_gives_the_file():
    values = random_reals((4, 30, 7))
    write('in.npy', (4, 30, 7), values, '<f8')
    report = json.loads(good('transform', 'in.npy', 'spectrum.npy', '--real', '--axes', '1,2', '--json'))
    expect(report['kind'] == 'r2c' and report['shape'] == [4, 30, 4] and report['problem'].startswith('r2c 30x7*4'), f'{report}')
    expect(report['transforms'] == 4 and report['real_numbers'] == 4 * 30 * 4 * 2, f'{report}')
    back = ['--real', '--inverse', '--axes', '1,2', '--length', '7', '--scale', '1/n', '--json']
    report = json.loads(good('transform', 'spectrum.npy', 'spectrum.npy', *back))  # a file may replace itself
    expect(report['kind'] == 'c2r' and report['shape'] == [4, 30, 7] and report['problem'].startswith('c2r 30x7*4'), f'{report}')
    expect(report['real_numbers'] == 4 * 30 * 7, f'{report}')
    error = distance(read('spectrum.npy')[1], values)
    expect(error < tolerance('<f8', (4, 30, 7), (1, 2)), f'error {error}')
    expect(json.loads(good('transform', 'in.npy', 'o.npy', '--axes', '1', '--json'))['kind'] == 'c2c', 'without --real')


def powers_are_squares_of_the_spectrum():
    shape = (3, 4, 10)
    write('reals.npy', shape, random_reals(shape), '<f8')
    write('numbers.npy', shape, random_numbers(shape), '<c16', fortran=True)
    for words in (['reals.npy', '--real', '--axes', '1,2'], ['numbers.npy', '--axes', '2', '--inverse'],
                  ['numbers.npy', '--axes', '0,2', '--centered']):
        name, words = words[0], words[1:] + ['--scale', 'ortho', '--quiet']
        good('transform', name, 'spectrum.npy', *words)
        good('transform', name, 'power.npy', '--power', *words)
        header, spectrum = read('spectrum.npy')
        power_header, power = read('power.npy')
        expect(power_header['descr'] == '<f8' and power_header['shape'] == header['shape'], f'{words}: {power_header}')
        wanted = {i: abs(value) ** 2 for i, value in spectrum.items()}
        expect(distance(power, wanted) < 1e-14, f'{words}: {distance(power, wanted)}')
        good('transform', name, 'power.json', '--power', '--storage', 'f64->mxfp8_e4m3', '--exponents', *words)
        good('convert', 'power.json', 'again.npy', '--to', 'f64')
        expect(distance(read('again.npy')[1], wanted) < 0.1, f'{words} in mxfp8_e4m3')
    status, _, errors = run('transform', 'numbers.npy', 'power.cfl', '--power')
    expect(status == 2 and '--power writes real numbers' in errors, f'{status} {errors}')
    status, _, errors = run('transform', 'reals.npy', 'o.npy', '--power', '--dct', '2', '--axes', '2')
    expect(status != 0 and 'has no power of a spectrum' in errors, f'{status} {errors}')


def windows_multiply_the_input():
    shape = (3, 4, 10)
    for name, values, words in (('reals.npy', random_reals(shape), ['--real', '--axes', '1,2']),
                                ('numbers.npy', random_numbers(shape), ['--axes', '2', '--inverse', '--centered'])):
        descr = '<f8' if '--real' in words else '<c16'
        for window, period in (('hann', 0), ('hann:symmetric', 1)):
            def factor(index):
                axes = [int(axis) for axis in words[words.index('--axes') + 1].split(',')]
                return math.prod(math.sin(math.pi * index[axis] / (shape[axis] - period)) ** 2 for axis in axes)
            write(name, shape, values, descr)
            good('transform', name, 'windowed.npy', '--quiet', '--window', window, *words)
            write(name, shape, {index: value * factor(index) for index, value in values.items()}, descr)
            good('transform', name, 'by_hand.npy', '--quiet', *words)
            error = distance(read('windowed.npy')[1], read('by_hand.npy')[1])
            expect(error < 1e-14, f'{window} {words}: error {error}')
    status, _, errors = run('transform', 'numbers.npy', 'o.npy', '--axes', '2', '--window', 'han')
    expect(status != 0 and "Did you mean 'hann'?" in errors, f'{status} {errors}')
    status, _, errors = run('transform', 'reals.npy', 'o.npy', '--window', 'hann', '--dct', '2', '--axes', '2')
    expect(status != 0 and 'has no window' in errors, f'{status} {errors}')


def chosen_frequencies_are_the_definition():
    shape = (3, 10, 4)
    values = random_numbers(shape)
    write('numbers.npy', shape, values, '<c16')
    for axis, points, start, step, words in ((1, 7, 0.1, 1e-3, []), (2, 9, -0.2, 0.05, ['--inverse']), (0, 3, 0, 0, []),
                                             (1, 0, 0.25, 0, [])):
        count = points or shape[axis]
        given = [f'--{name}={value}' for name, value in (('points', points), ('start', start), ('step', step)) if value]
        sign = 2j if words else -2j

        def output(index):
            frequency = start + index[axis] * (step or 1 / count)
            return sum(values[index[:axis] + (j,) + index[axis + 1:]] * cmath.exp(sign * math.pi * j * frequency)
                       for j in range(shape[axis]))
        good('transform', 'numbers.npy', 'band.npy', '--quiet', '--axes', str(axis), *given, *words)
        header, band = read('band.npy')
        expect(header['shape'] == shape[:axis] + (count,) + shape[axis + 1:], f'{given}: {header}')
        error = distance(band, {index: output(index) for index in indices(header['shape'])})
        expect(error < 1e-14, f'{given}: error {error}')
        good('transform', 'numbers.npy', 'narrow.json', '--quiet', '--storage', 'f64:mxint8', '--axes', str(axis), *given, *words)
        good('convert', 'narrow.json', 'again.npy', '--to', 'f64')
        error = distance(read('again.npy')[1], band)
        expect(error < 0.02, f'{given} in mxint8: error {error}')
    expect('czt 10->7*3x4 f64' in good('transform', 'numbers.npy', 'band.npy', '--axes', '1', '--points', '7'), 'the problem')
    planned = good('plan', 'czt', '1k->2k*4', 'i16:f16', 'step=1e-3', '--effort', 'estimate')
    expect('czt 1024->2048*4 i16->f16' in planned, planned)
    for words, says in ((['--axes', '0,1'], 'one length'), (['--axes', '0', '--real'], 'do not go with --real'),
                        (['--axes', '0', '--multiply', 'numbers.npy'], 'do not go with --multiply')):
        status, _, errors = run('transform', 'numbers.npy', 'o.npy', '--points', '5', *words)
        expect(status != 0 and says in errors, f'{words}: {status} {errors}')
    status, _, errors = run('bench', 'czt', '100', 'f32')
    expect(status != 0 and 'ulpfft plan times them' in errors, f'{status} {errors}')


def storage_converts_the_file():
    write('wide.npy', (3, 10), random_reals((3, 10)), '<f8')
    report = json.loads(good('transform', 'wide.npy', 'o.npy', '--real', '--axes', '-1', '--storage', 'f32', '--json'))
    expect(report['input_format'] == 'f64' and report['storage_in'] == report['storage_out'] == 'f32', f'{report}')
    expect(read('o.npy')[0]['descr'] == '<c8', 'the spectrum of f32')


def narrow_storages_are_within_their_steps():
    shape = (6, 30)
    values = random_reals(shape)
    write('in.npy', shape, values, '<f4')
    for centered in [[], ['--centered']]:
        good('transform', 'in.npy', 'wide.npy', '--quiet', '--real', '--axes', '0,1', *centered)
        good('transform', 'wide.npy', 'back.npy', '--quiet', '--real', '--inverse', '--axes', '0,1', '--scale', '1/n', *centered)
        expect(distance(read('back.npy')[1], values) < tolerance('<f4', shape, (0, 1)), f'there and back {centered}')
        for storage, bound in [('f16', 1e-3), ('f32->f16', 1e-3), ('mxfp8_e4m3', 0.1), ('f16->f64', 1e-3), ('f64->f32', 1e-6),
                               ('f32->mxint8', 0.02)]:
            words = ['--real', '--axes', '0,1', '--storage', storage, *centered]
            good('transform', 'in.npy', 'out.npy', '--quiet', *words)
            wanted = read('wide.npy')[1]
            error = distance(read('out.npy')[1], wanted)
            expect(error < bound, f'{storage} {centered}: error {error}')
            if '64' in storage or storage.endswith('f32'):
                continue
            good('transform', 'in.npy', 'out.json', '--quiet', *words, '--exponents')
            good('transform', 'out.json', 'back.npy', '--quiet', '--real', '--inverse', '--axes', '0,1', '--scale', '1/n', *centered)
            header, got = read('back.npy')
            error = distance(got, values)
            expect(tuple(header['shape']) == shape and error < 2 * bound, f'back from {storage} {centered}: {header} error {error}')
            good('transform', 'out.json', 'back.json', '--quiet', '--real', '--inverse', '--axes', '0,1', '--scale', '1/n', *centered)
            good('convert', 'back.json', 'again.npy', '--to', 'f32')
            error = distance(read('again.npy')[1], values)
            expect(error < 3 * bound, f'codes from {storage} {centered}: error {error}')


def remembers_plans():
    write('in.npy', (64,), random_reals((64,)), '<f4')
    first = json.loads(good('transform', 'in.npy', 'o.npy', '--real', '--wisdom', 'w.json', '--effort', 'measure', '--json'))
    second = json.loads(good('transform', 'in.npy', 'o.npy', '--real', '--wisdom', 'w.json', '--json'))
    expect(first['recipe'] == second['recipe'] and 'r2c 64' in good('wisdom', 'show', 'w.json'), f'{first} {second}')


def cosines(line, kind, sines):
    """By the definition: unscaled, types 1 to 4."""
    n = len(line)
    a, b = (0.5 if kind in (2, 4) else sines), (0.5 if kind in (3, 4) else sines)
    m = n if kind > 1 else n + 1 if sines else n - 1
    ends = [] if kind not in (1, 3) or (kind == 1 and sines) else [0, n - 1] if kind == 1 else [n - 1] if sines else [0]
    wave = math.sin if sines else math.cos
    return [sum((1 if j in ends else 2) * x * wave(math.pi * (j + a) * (k + b) / m) for j, x in enumerate(line)) for k in range(n)]


def cosine_and_sine_transforms_are_the_definition_and_invert():
    for n, kind, word in itertools.product([5, 8], [1, 2, 3, 4], ['--dct', '--dst']):
        values = random_reals((3, n))
        write('in.npy', (3, n), values, '<f8')
        report = json.loads(good('transform', 'in.npy', 'out.npy', word, str(kind), '--axes', '1', '--json'))
        expect(report['kind'] == 'r2r' and report['problem'] == f'r2r {n}*3 f64 kinds={word[2:]}{kind}', f'{report}')
        expect(report['real_numbers'] == 3 * n, f'{report}')
        wanted = {}
        for row in range(3):
            line = cosines([values[(row, j)] for j in range(n)], kind, word == '--dst')
            wanted.update({(row, k): value for k, value in enumerate(line)})
        header, got = read('out.npy')
        expect(header['descr'] == '<f8' and distance(got, wanted) < 1e-14, f'{n} {kind} {word}: {distance(got, wanted)}')
        good('transform', 'out.npy', 'back.npy', word, str(kind), '--inverse', '--axes', '1', '--scale', '1/n', '--quiet')
        expect(distance(read('back.npy')[1], values) < 1e-14, f'{n} {kind} {word} and back')


def cosines_of_narrow_arrays_are_those_of_their_numbers():
    """Narrow at either end, in rows of blocks along the transformed axis, with exponents and prescale, there and back."""
    for shape, axes in [((12,), '0'), ((5, 8), '1'), ((8, 5), '0'), ((6, 4, 8), '0,2')]:
        values = random_reals(shape)
        write('in.npy', shape, values, '<f4')
        for name, more in [('dct2', []), ('dst4', ['--prescale', 'amax']), ('dct3', ['--exponents'])]:
            words = ['--quiet', '--axes', axes, '--' + name[:3], name[3:], '--scale', 'ortho']
            good('transform', 'in.npy', 'wide.npy', *words)
            wanted = read('wide.npy')[1]
            for storage, bound in [('f16', 2e-3), ('f32->f16', 1e-3), ('mxint8', 0.05)]:
                good('transform', 'in.npy', 'out.json', *words, *more, '--storage', storage)
                good('convert', 'out.json', 'out.npy', '--to', 'f32')
                error = distance(read('out.npy')[1], wanted)
                expect(error < bound, f'{shape} {storage} {words} {more}: error {error}')
                good('transform', 'out.json', 'back.npy', *words, '--inverse')
                header, got = read('back.npy')
                expect(header['descr'] == '<f4' and distance(got, values) < 2 * bound, f'{shape} {storage} {words} {more} and back: {header}')
                good('transform', 'out.json', 'back.json', *words, '--inverse')
                good('convert', 'back.json', 'again.npy', '--to', 'f32')
                expect(distance(read('again.npy')[1], values) < 3 * bound, f'{shape} codes from {storage} {words} {more}')


def refuses_by_a_sentence():
    write('real.npy', (3, 8), random_reals((3, 8)), '<f8')
    write('spectrum.npy', (3, 5), random_numbers((3, 5)), '<c16')
    write('single.npy', (3, 1), random_numbers((3, 1)), '<c16')
    good('transform', 'spectrum.npy', 'spectrum.cfl', '--axes', '0', '--quiet')
    good('transform', 'spectrum.npy', 'spectrum.json', '--axes', '0', '--quiet', '--storage', 'f64->f16')
    real = ['transform', 'real.npy', 'o.npy', '--real', '--axes', '1']
    inverse = ['transform', 'spectrum.npy', 'o.npy', '--real', '--inverse', '--axes', '1']
    for arguments, word, sentence in [
        ([*real, '--exponents'], '--exponents', 'narrow storage'), ([*inverse, '--multiply', 'x.npy'], '--inverse', 'there and back'),
        ([*real, '--raw', 'i16'], '--raw', 'complex samples'), ([*real, '--length', '8'], '8', '--real --inverse'),
        (['transform', 'spectrum.cfl', 'o.npy', '--real'], 'spectrum.cfl', '.npy files'),
        (['transform', 'real.npy', 'o.cfl', '--real'], 'o.cfl', '.npy files'),
        ([*inverse, '--length', '7'], '7', '8 or 9 real numbers'), ([*inverse, '--length', '10'], '10', '8 or 9 real numbers'),
        (['transform', 'single.npy', 'o.npy', '--real', '--inverse', '--axes', '1'], '--length', 'say --length 1'),
        ([*real, '--dct', '2'], '--real', 'leave out --real'), ([*real[:3], '--dct', '2', '--dst', '2'], '--dst', 'name one'),
        ([*real[:3], '--dct', '2', '--centered'], '--centered', 'does not go with --centered'),
        (['plan', 'r2c 64 f32 chain=mul', '--pareto'], 'chain=mul', 'leave this word out'),
        (['plan', 'r2c 24 f32 inplace', '--judge', 'real.npy'], 'inplace', 'padded'),
    ]:
        status, output, errors = run(*arguments)
        expect(status == 2 and marked_word(errors) == word and sentence in errors and not output, f'{arguments}: {status}\n{errors}')
    for arguments, sentence in [
        (['transform', 'spectrum.npy', 'o.npy', '--real', '--axes', '1'], "spectrum.npy: descr: '<c16' is complex"),
        ([*real, '--scheme', 'mx:mxfp8_e4m3'], 'scheme'),
        (['transform', 'spectrum.json', 'o.npy', '--real', '--axes', '1'], 'spectrum.json: numbers: they are complex'),
        (['transform', 'spectrum.json', 'o.npy', '--dct', '2', '--axes', '1'], 'they are complex, but --dct reads real numbers'),
    ]:
        status, output, errors = run(*arguments)
        expect(status == 1 and sentence in errors and not output, f'{arguments}: {status}\n{errors}')
    expect(not os.path.exists('o.npy'), 'a refused transform writes no file')


def plans_are_compared_and_judged():
    for problem, bytes_of_a_point in [('r2c 64*8 f32', 4 + 8 * 33 / 64), ('c2r 30x20 f64 split', 8 + 16 * 11 / 20), ('r2c 15*9 f32 inplace', 64 / 15),
                                      ('r2r 32*20 f32 kinds=dct2', 8), ('r2r 8x9 f64 kinds=dct1,dst4 inplace', 16)]:
        report = json.loads(good('plan', problem, '--pareto', '--storages', 'f32,f64', '--json', '--time-limit', '60'))
        measured = {(row['storage_in'], row['scheme']): row for row in report['rows'] if not row.get('reason')}
        own = problem.split()[2]
        expect((own, own) in measured, f'{problem}: {list(measured)}')
        row = measured[own, own]
        expect(0 < row['error'] < 1e-6 and row['seconds'] > 0, f'{problem}: {row}')
        expect('inplace' in problem or abs(row['bytes_per_point'] - bytes_of_a_point) < 1e-9, f'{problem}: {row}')
    write('impulse.npy', (64,), {(i,): float(i == 0) for i in range(64)}, '<f4')
    plan = json.loads(good('plan', 'r2c 64 f32 max_error=1e-12', '--judge', 'impulse.npy', '--json'))
    expect(plan['error'] == 0 and plan['error_level'] == 'sampled', f'{plan}')  # random numbers err by 1e-7
    plan = json.loads(good('plan', 'r2r 64 f32 kinds=dct3 max_error=1e-12', '--judge', 'impulse.npy', '--json'))
    expect(plan['error'] == 0, f'{plan}')
    write('impulse.npy', (33,), {(i,): complex(i == 0, 0) for i in range(33)}, '<c16')
    plan = json.loads(good('plan', 'c2r 64 f32 max_error=1e-12', '--judge', 'impulse.npy', '--json'))
    expect(plan['error'] == 0, f'{plan}')
    for problem, words in [('r2c 64 f32', 'complex'), ('c2r 66 f32', '34'), ('r2r 33 f32 kinds=dct2', 'complex')]:
        status, _, errors = run('plan', problem, '--judge', 'impulse.npy')
        expect(status == 1 and words in errors, f'{problem}: {errors}')


def a_filter_multiplies_half_the_spectrum():
    for shape, axes in [((3, 16), (1,)), ((9, 5), (0,)), ((4, 6, 7), (1, 2)), ((4, 6), (1, 0))]:
        values = random_reals(shape)
        write('in.npy', shape, values, '<f8')
        lengths = halved(tuple(shape[a] for a in range(len(shape)) if a in axes), sorted(axes).index(axes[-1]))
        factors = random_numbers(lengths)
        write('factors.npy', lengths, factors, '<c16')
        axis_words = ['--axes', ','.join(str(a) for a in axes), '--real']
        good('transform', 'in.npy', 'spectrum.npy', '--quiet', *axis_words)
        spectrum = read('spectrum.npy')[1]
        product = {i: value * factors[tuple(k for a, k in enumerate(i) if a in axes)] for i, value in spectrum.items()}
        write('product.npy', halved(shape, axes[-1]), product, '<c16')
        good('transform', 'product.npy', 'apart.npy', '--quiet', *axis_words, '--inverse', '--length', str(shape[axes[-1]]), '--scale', '1/n')
        report = json.loads(good('transform', 'in.npy', 'out.npy', *axis_words, '--multiply', 'factors.npy', '--scale', '1/n', '--json'))
        header, got = read('out.npy')
        expect(report['kind'] == 'r2c' and 'chain=mul' in report['problem'] and tuple(header['shape']) == shape, f'{report}')
        error = distance(got, read('apart.npy')[1])
        expect(error < 2 * tolerance('<f8', shape, axes), f'{shape} {axes}: error {error}')


run_cases('real', [
    cosine_and_sine_transforms_are_the_definition_and_invert, refuses_by_a_sentence, spectra_are_halves_of_complex_ones,
    real_numbers_are_those_of_the_whole_spectrum, there_and_back_gives_the_file,
    powers_are_squares_of_the_spectrum, windows_multiply_the_input, chosen_frequencies_are_the_definition, storage_converts_the_file,
    narrow_storages_are_within_their_steps, cosines_of_narrow_arrays_are_those_of_their_numbers, remembers_plans, plans_are_compared_and_judged, a_filter_multiplies_half_the_spectrum,
])
