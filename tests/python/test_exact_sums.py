# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Transforms against their definitions, summed in long double; and properties that random shapes, axes and layouts must keep."""
import itertools

import numpy as np
import scipy.fft
from cases import COSINES, FULL, LAYOUTS, ONE_AXIS, SEED, TYPES, assert_same, laid_out, numbers
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

import ulpfft

PI = np.longdouble('3.14159265358979323846264338327950288')


def phases(n, k, j, numerator):
    """numerator(k, j) / n of a turn, reduced before it is rounded."""
    return 2 * PI * np.longdouble(np.mod(numerator(k[:, None], j[None, :]), n)) / n


def by_definition(name, x, n):
    """`x` has the numbers that the function is given."""
    x = x.astype(np.clongdouble)
    if name in ('irfft', 'hfft'):
        half = x.conj() if name == 'hfft' else x
        half = half[:n // 2 + 1].copy()
        half[0] = half[0].real
        if n % 2 == 0:
            half[-1] = half[-1].real
        x = np.concatenate([half, half[1:(n + 1) // 2][::-1].conj()])
    k = np.arange(n)
    turn = phases(n, k, k, lambda a, b: a * b)
    if name in ('ifft', 'irfft', 'ihfft'):
        y = (np.cos(turn) + 1j * np.sin(turn)) @ x / n
    elif name == 'hfft':
        y = (np.cos(turn) + 1j * np.sin(turn)) @ x
    else:
        y = (np.cos(turn) - 1j * np.sin(turn)) @ x
    if name in ('irfft', 'hfft'):
        return y.real
    return y[:n // 2 + 1] if name in ('rfft', 'ihfft') else y


def cosine_by_definition(name, x, type):
    x, n = x.astype(np.longdouble), len(x)
    k = j = np.arange(n)
    inverse, sine = name.startswith('i'), name.endswith('st')
    if inverse:
        type = {1: 1, 2: 3, 3: 2, 4: 4}[type]
    logical = {1: 2 * (n + 1 if sine else n - 1)}.get(type, 2 * n)
    wave = np.sin if sine else np.cos
    shift = 1 if sine else 0
    numerators = {1: (2 * logical, lambda a, b: 2 * (a + shift) * (b + shift)),
                  2: (4 * n, lambda a, b: (2 * b + 1) * (a + shift)),
                  3: (4 * n, lambda a, b: (b + shift) * (2 * a + 1)),
                  4: (8 * n, lambda a, b: (2 * a + 1) * (2 * b + 1))}
    period, numerator = numerators[type]
    weights = np.full(n, np.longdouble(2))
    if type == 1 and not sine:
        weights[[0, -1]] = 1
    if type == 3:
        weights[-1 if sine else 0] = 1
    y = wave(phases(period, k, j, numerator)) @ (weights * x)
    return y / logical if inverse else y


def assert_accurate(got, exact, n, what):
    u = np.finfo(got.dtype).eps / 2
    # docs/accuracy.md: 2 u sqrt(log2 n) of lengths with a convolution, in the mean; one transform has less than half as much again. Tables
    # and the rounding of the result add a unit.
    limit = u * (3 * np.sqrt(np.log2(max(n, 2))) + 1)
    error = np.linalg.norm(got - exact) / max(np.linalg.norm(exact), np.finfo(got.dtype).tiny)
    assert error <= limit, f'{what}: error {error / u:.2f} u, limit {limit / u:.2f} u'


def test_functions_against_exact_sums():
    rng = np.random.default_rng(SEED)
    types, lengths = ('float32', 'float64', 'complex64', 'complex128'), (1, 2, 3, 6, 7, 16, 25, 37, 64, 90, 127)
    for name, dtype, n in itertools.product(ONE_AXIS, types, lengths):
        if dtype.startswith('complex') and name in ('rfft', 'ihfft'):
            continue
        given_numbers = n // 2 + 1 if name in ('irfft', 'hfft') else n
        x = numbers(rng, (given_numbers,), dtype)
        assert_accurate(getattr(ulpfft.fft, name)(x, n=n), by_definition(name, x, n), n, f'{name} {dtype} {n}')


def test_cosines_against_exact_sums():
    rng = np.random.default_rng(SEED)
    for name, type, dtype, n in itertools.product(COSINES, (1, 2, 3, 4), ('float32', 'float64'), (2, 3, 8, 17, 30, 64)):
        x = numbers(rng, (n,), dtype)
        assert_accurate(getattr(ulpfft.fft, name)(x, type=type), cosine_by_definition(name, x, type), 2 * n, f'{name} {type} {dtype} {n}')


@seed(SEED)
@settings(max_examples=5000 if FULL else 500, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_any_shape_axes_and_layout(data):
    """Against SciPy: a function of one axis or several, of an array of up to four axes."""
    shape = data.draw(st.lists(st.integers(1, 7), min_size=1, max_size=4))
    axes = data.draw(st.lists(st.sampled_from(range(-len(shape), len(shape))), min_size=1, unique_by=lambda a: a % len(shape)))
    name = data.draw(st.sampled_from(['fftn', 'ifftn', 'rfftn', 'irfftn', 'hfftn', 'ihfftn', 'dctn', 'idctn', 'dstn', 'idstn']))
    norm = data.draw(st.sampled_from([None, 'ortho', 'forward']))
    lengths = data.draw(st.none() | st.lists(st.integers(2, 9), min_size=len(axes), max_size=len(axes)))
    x = numbers(np.random.default_rng(data.draw(st.integers(0, 99))), shape, data.draw(st.sampled_from(TYPES)))
    x = laid_out(x, data.draw(st.sampled_from([layout for layout in LAYOUTS if layout != 'swapped'])))
    if x.dtype.kind == 'c' and name in ('rfftn', 'ihfftn'):
        x = x.real
    words = {'s': lengths, 'axes': axes, 'norm': norm}
    assert_same(getattr(ulpfft.fft, name)(x, **words), getattr(scipy.fft, name)(x, **words), f'{name} {x.dtype}{x.shape} {words}')
