#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""`ulpfft accuracy --study split,chains`: what the figures show, and that their sentences say it: split_study_test.py ULPFFT.

ULPFFT_TEST_FULL=1 measures up to 65536 points, else up to 4096."""
import json
import math
import os
import re
import sys

sys.dont_write_bytecode = True
from harness import command, expect, run_cases, succeeding  # noqa: E402

tool = os.path.abspath(sys.argv[1])
good = succeeding(command(tool))
full = bool(os.environ.get('ULPFFT_TEST_FULL'))
figures = {}  # by their id, measured once for all cases

FIGURES = {'split': ['split-lengths', 'split-range', 'split-shapes', 'split-2x3', 'split-residue', 'split-f16x2'],
           'chains': ['chains-plain', 'chains-products']}
# By the library; data and result are f64 for the last.
LISTED = ['split:bf16', 'split:bf16x2', 'split:f16x2', 'split:f16x2:tile16', 'split:bf16x3', 'split:i8x4']


def curves(name):
    """Values of a figure by curve and place; an overflow is infinite."""
    if not figures:
        for figure in json.loads(good('accuracy', '--study', 'split,chains', '--json', *([] if full else ['--quick'])))['figures']:
            figures[figure['id']] = figure
    return {c['name']: {p['x']: math.inf if p['y'] == 'overflow' else p['y'] for p in c['points']} for c in figures[name]['curves']}


def every_scheme_of_the_library_is_in_the_figures():
    for study, names in FIGURES.items():
        for name in names:
            expect(curves(name) and figures[name]['study'] == study and 'missing' not in figures[name], f'{name}: {figures[name]}')
    for name in ('split-lengths', 'split-range', 'split-shapes', 'chains-plain', 'chains-products'):
        expect(set(LISTED) <= set(curves(name)), f'{name}: {list(curves(name))}')
    expect(list(curves('split-lengths')['f32']) == [2 ** i for i in range(4, 17 if full else 13)], 'lengths')


def schemes_err_in_the_order_of_their_bits():
    for n in curves('split-lengths')['f32']:
        at = {name: curve[n] for name, curve in curves('split-lengths').items()}
        # As accurate as f32, whose sums they have, and twice as many bits of every part.
        for name in ('split:f16x2', 'split:f16x2:tile16', 'split:bf16x3'):
            expect(0.5 < at[name] / at['f32'] < 1.5, f'{name} over f32 at {n}: {at[name] / at["f32"]}')
        expect(2 ** 8 < at['split:bf16'] / at['split:bf16x2'] < 2 ** 10, f'the second part of bf16 at {n}: {at}')
        expect(at['split:i8x4'] <= 1.5e-9, f'four slices at {n}: {at["split:i8x4"]}')


def the_range_of_data_does_not_matter_and_f16_alone_has_none():
    at = curves('split-range')
    for name, curve in at.items():
        expect(list(curve) == [1e-15, 1e-10, 1e-5, 1, 1e5, 1e10, 1e15], f'{name}: {list(curve)}')
        spread = max(curve.values()) / min(curve.values())
        if 'f16' in name and not name.startswith('split'):
            expect(all(curve[a] > 0.1 for a in (1e-15, 1e-10, 1e10, 1e15)) and curve[1] < 2e-3, f'{name}: {curve}')
        else:
            expect(spread < 1.1, f'{name}: the largest error is {spread} times the least')
    # The poster claims 1e-4.
    expect(max(at['split:f16x2:whole:arbitrary'].values()) < 1e-6 and 'hardly matters' in figures['split-range']['sentence'], 'f16x2 as published')


def shapes_hardly_matter():
    points = 65536 if full else 4096
    for name, curve in curves('split-shapes').items():
        expect(list(curve) == [2 ** i for i in range(points.bit_length())], f'{name}: {list(curve)}')
        expect(max(curve.values()) < 1.25 * min(curve.values()), f'{name}: {curve}')
    expect('hardly matters' in figures['split-shapes']['sentence'], figures['split-shapes']['sentence'])


def two_parts_of_the_matrix_and_three_of_data_do_not_reach_their_claim():
    at = curves('split-2x3')
    for n in (256, 1024, 4096):
        expect(500 < at['split:bf16x2x3'][n] / 2e-9 < 2000, f'2 x 3 at {n}: {at["split:bf16x2x3"][n]}')
        expect(at['split:bf16x3'][n] < at['split:bf16x2x3'][n] / 10, f'3 x 3 at {n}')
        # The matrix of radix 4 has one part that is not 0.
        expect(at['split:bf16x2x3, radix 4'][n] == curves('split-lengths')['split:bf16x3'][n], f'radix 4 at {n}')
    expect(f'{at["split:bf16x2x3"][4096] / 2e-9:.0f} times' in figures['split-2x3']['sentence'], figures['split-2x3']['sentence'])


def rounded_residues_lose_the_third_part():
    at = curves('split-residue')
    rounded = next(curve for name, curve in at.items() if 'rounded first' in name)
    for n in (256, 4096):
        expect(rounded[n] > 10 * at['split:bf16x3'][n] and 0.5 < rounded[n] / at['split:bf16x2'][n] < 1, f'{n}: {rounded[n]}')
    # Two parts of bf16 hold 16 bits: the rest is below 2^-17 of the number.
    lost = re.search(r'three parts then lose (\S+) of numbers of f32, where they lose 0 ', figures['split-residue']['sentence'])
    expect(lost and 2 ** -20 < float(lost[1]) < 2 ** -17, figures['split-residue']['sentence'])


def norms_and_matrices_of_f16_do_what_they_are_said_to():
    at = curves('split-f16x2')
    power, largest, whole, split_matrix, f16_matrix = at.values()
    for n in (1024, 4096):
        expect(power[n] < largest[n] < 1.5 * power[n] and power[n] < whole[n] < 1.5 * power[n], f'norms at {n}')
        expect(split_matrix[n] < 2 * power[n] and f16_matrix[n] > 1e-4, f'matrices at {n}')


def errors_add_up_from_trip_to_trip():
    for name in FIGURES['chains']:
        for scheme, curve in curves(name).items():
            expect(list(curve) == [1, 10, 100], f'{scheme}: {curve}')
            # At most by what one trip adds; independent errors would grow 10 times. Storage rounds what it has rounded to itself.
            settled = name == 'chains-plain' and scheme.endswith('storage')
            growth = curve[100] / curve[1]
            expect(1 <= growth < 2 if settled else 3 < growth < 100, f'{name}, {scheme}: {growth}')
    plain, products = curves('chains-plain'), curves('chains-products')
    expect(set(plain) == set(products) and {'f64', 'f32', 'f16 storage', 'bf16 storage', 'rounded:f16', 'rounded:bf16/f32'} <= set(plain), f'{list(plain)}')
    for scheme in ('split:bf16x3', 'split:f16x2'):
        expect(0.5 < plain[scheme][100] / plain['f32'][100] < 2, f'{scheme} after 100 trips: {plain[scheme][100]}')
    expect(plain['split:i8x4'][100] < plain['f32'][1], 'four slices after 100 trips')


run_cases('split_study', [
    every_scheme_of_the_library_is_in_the_figures, schemes_err_in_the_order_of_their_bits, the_range_of_data_does_not_matter_and_f16_alone_has_none,
    shapes_hardly_matter, two_parts_of_the_matrix_and_three_of_data_do_not_reach_their_claim, rounded_residues_lose_the_third_part,
    norms_and_matrices_of_f16_do_what_they_are_said_to, errors_add_up_from_trip_to_trip,
])
