# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Every function of ulpfft.fft against that of scipy.fft: types, norms, axes, lengths, layouts, and what is refused."""
import inspect
import itertools

import numpy as np
import pytest
import scipy.fft
from cases import COSINES, FULL, LAYOUTS, MANY_AXES, MANY_COSINES, NORMS, ONE_AXIS, SEED, TYPES, assert_same, call, laid_out, numbers

import ulpfft

LENGTHS = (1, 2, 3, 8, 15, 16, 17, 34, 60)
KEPT = 1 if FULL else 6  # one case of so many, others with another seed


def compare(name, x, **words):
    what = f'{name}({x.dtype}{list(x.shape)}, strides={x.strides}, {words})'
    with np.errstate(all='ignore'):
        expected = call(getattr(scipy.fft, name), x, **words)
    assert_same(call(getattr(ulpfft.fft, name), x, **words), expected, what)


def sampled(*axes):
    return [case for place, case in enumerate(itertools.product(*axes)) if (place + SEED) % KEPT == 0]


@pytest.mark.parametrize('name', ONE_AXIS)
def test_one_axis(name):
    rng = np.random.default_rng(SEED)
    for n, dtype, norm, layout, axis in sampled(LENGTHS, TYPES, NORMS, LAYOUTS, (0, 1, -1)):
        shape = [2, 3, 4]
        shape[axis] = n
        compare(name, laid_out(numbers(rng, shape, dtype), layout), axis=axis, norm=norm)


@pytest.mark.parametrize('name', COSINES)
@pytest.mark.parametrize('type', (1, 2, 3, 4))
def test_cosines(name, type):
    rng = np.random.default_rng(SEED)
    for n, dtype, norm, layout, weights in sampled((2, 3, 8, 15, 34), TYPES, NORMS, LAYOUTS, (None, True, False)):
        if dtype.startswith('complex') and weights is not None:
            continue  # SciPy forgets `orthogonalize` there
        compare(name, laid_out(numbers(rng, (3, n), dtype), layout), type=type, norm=norm, orthogonalize=weights)


def test_complex_cosines_have_weights():
    """Where SciPy forgets them: of the parts, each by itself."""
    x = numbers(np.random.default_rng(1), (3, 8), 'complex128')
    for name, norm, weights in itertools.product(COSINES, NORMS, (True, False)):
        ours = getattr(ulpfft.fft, name)(x, norm=norm, orthogonalize=weights)
        parts = [getattr(scipy.fft, name)(part, norm=norm, orthogonalize=weights) for part in (x.real, x.imag)]
        assert_same(ours, parts[0] + 1j * parts[1], f'{name} {norm} {weights}')


@pytest.mark.parametrize('name', MANY_AXES + MANY_COSINES)
def test_many_axes(name):
    rng = np.random.default_rng(SEED)
    axes_of = (None, (0, 1), (1, 0), (2,), (0, 2, 1), (-1, -3), 1, ())
    for shape, dtype, norm, layout, axes in sampled(((4, 5, 6), (1, 8, 3), (7, 2, 1)), TYPES, NORMS, LAYOUTS, axes_of):
        compare(name, laid_out(numbers(rng, shape, dtype), layout), axes=axes, norm=norm)


@pytest.mark.parametrize('name', ONE_AXIS + COSINES)
def test_other_lengths(name):
    rng = np.random.default_rng(SEED)
    for dtype, n, axis in itertools.product(('float32', 'complex128'), (1, 3, 4, 5, 9, 0, -1), (0, -1, 2, -3)):
        compare(name, numbers(rng, (4, 5), dtype), n=n, axis=axis)
    for n in (2.5, 'x', (3,)):
        compare(name, numbers(rng, (4, 5), 'float64'), n=n)


@pytest.mark.parametrize('name', MANY_AXES + MANY_COSINES)
def test_other_shapes(name):
    rng = np.random.default_rng(SEED)
    shapes = (None, (3, 9), (7,), 5, (2, -1), (0, 3), (1, 2, 3, 4), 'ab', (2.5, 1))
    for dtype, s, axes in itertools.product(('float64', 'complex64'), shapes, (None, (0, 2), (1, 1), (5,), (-4,), 'a')):
        compare(name, numbers(rng, (3, 4, 5), dtype), s=s, axes=axes)


@pytest.mark.parametrize('name', ONE_AXIS + COSINES + MANY_AXES + MANY_COSINES)
def test_empty_scalar_and_odd_inputs(name):
    for x in (np.zeros((0,)), np.zeros((0, 4)), np.zeros((4, 0)), np.array(3.0), np.zeros(5), np.array(['a', 'b']), np.zeros(3, 'M8[s]')):
        compare(name, x)
    for x in ([1, 2, 3, 4], ((1.5, 2), (3, 4)), 7, 'abc', None, [1j, 2], np.matrix([[1, 2], [3, 4]]), np.ma.array([[1.0, 2.0]] * 2)):
        assert_same(call(getattr(ulpfft.fft, name), x), call(getattr(scipy.fft, name), x), f'{name}({x!r})')


def test_bad_words():
    x = np.arange(6.0).reshape(2, 3)
    for name in ONE_AXIS + COSINES + MANY_AXES + MANY_COSINES:
        for words in ({'norm': 'other'}, {'norm': 1}, {'workers': 0}, {'workers': -1000}, {'workers': 'a'}, {'nothing': 1}):
            compare(name, x, **words)
    for name in COSINES + MANY_COSINES:
        for type in (0, 5, -1):
            compare(name, x, type=type)


def test_words_of_numpy_types():
    x = np.arange(12.0).reshape(3, 4)
    for name in ONE_AXIS + COSINES:
        compare(name, x, n=np.int16(3), axis=np.int64(0), overwrite_x=np.bool_(False), workers=np.int32(1))
        compare(name, x, overwrite_x=None, axis=True)
        compare(name, x, axis=1.0)
    for name in COSINES:
        compare(name, x, type=np.int8(3), orthogonalize=np.bool_(True))
        compare(name, x, type=2.5)
    overlapping = np.lib.stride_tricks.as_strided(np.arange(16) + 0j, (4, 8), (16, 16))
    assert_same(ulpfft.fft.fft(overlapping.copy()), ulpfft.fft.fft(overlapping, overwrite_x=True), 'overlapping')


def test_longdouble_is_refused_by_name():
    for name, dtype in itertools.product(ONE_AXIS + COSINES + MANY_AXES, ('longdouble', 'clongdouble')):
        with pytest.raises(TypeError, match=np.dtype(dtype).name):
            getattr(ulpfft.fft, name)(np.zeros((2, 4), dtype))


def test_signatures_are_scipys():
    for name in ulpfft.fft.__all__:
        ours, theirs = getattr(ulpfft.fft, name), getattr(scipy.fft, name)
        try:
            expected = inspect.signature(theirs)
        except ValueError:
            continue
        got = inspect.signature(ours)
        if name not in ('fftfreq', 'rfftfreq', 'fftshift', 'ifftshift', 'next_fast_len', 'prev_fast_len'):
            assert str(got) == str(expected), name
    assert set(ulpfft.fft.__all__) == set(scipy.fft.__all__) - {'set_backend', 'set_global_backend', 'register_backend', 'skip_backend'}


def test_input_stays_and_overwriting_is_in_place():
    rng = np.random.default_rng(SEED)
    for name, dtype in itertools.product(ONE_AXIS + COSINES, TYPES):
        x = numbers(rng, (3, 8), dtype)
        before = x.copy()
        call(getattr(ulpfft.fft, name), x)
        assert np.array_equal(x, before), name
    x = numbers(rng, (8, 8), 'complex64')
    expected = ulpfft.fft.fft2(x)
    result = ulpfft.fft.fft2(x, overwrite_x=True)
    assert np.shares_memory(result, x)
    assert_same(result, expected, 'in place')


def test_more_axes_than_a_plan_has():
    x = numbers(np.random.default_rng(SEED), (2,) * 8 + (3,), 'float64')
    for name in ('fftn', 'ifftn', 'rfftn', 'irfftn', 'dctn', 'idstn'):
        compare(name, x)
    y = numbers(np.random.default_rng(SEED), (2, 1) * 9, 'complex128')[..., ::-1]
    compare('fftn', y, axes=tuple(range(0, 18, 3)))
    compare('dctn', y, axes=tuple(range(1, 18, 3)))


def test_workers_change_no_bit():
    x = numbers(np.random.default_rng(SEED), (64, 1000), 'complex64')
    one = ulpfft.fft.fft(x)
    assert np.array_equal(one.view('u4'), ulpfft.fft.fft(x, workers=2).view('u4'))
    with ulpfft.fft.set_workers(2):
        assert ulpfft.fft.get_workers() == 2
        assert np.array_equal(one.view('u4'), ulpfft.fft.fft(x).view('u4'))
    assert ulpfft.fft.get_workers() == 1


def test_fast_lengths():
    for target in (1, 2, 17, 1009, 65537):
        above, below = ulpfft.fft.next_fast_len(target), ulpfft.fft.prev_fast_len(target)
        assert below <= target <= above
        for n in (above, below):
            for prime in (2, 3, 5, 7, 11, 13):
                while n % prime == 0:
                    n //= prime
            assert n == 1
    for bad in (-1, 2.5, 'a'):
        assert isinstance(call(ulpfft.fft.next_fast_len, bad), (ValueError, TypeError))
        assert isinstance(call(ulpfft.fft.prev_fast_len, bad), (ValueError, TypeError))


def test_cache_is_bounded_and_visible():
    ulpfft.plan_cache.clear()
    ulpfft.plan_cache.limit(plans=4)
    try:
        for n in range(1, 11):
            ulpfft.fft.fft(np.zeros(n))
        known = ulpfft.plan_cache.info()
        assert len(ulpfft.plan_cache) == known['plans'] == 4
        assert (known['misses'], known['hits']) == (10, 0)
        ulpfft.fft.fft(np.zeros(10))
        ulpfft.fft.fft(np.zeros(1))
        known = ulpfft.plan_cache.info()
        assert (known['misses'], known['hits']) == (11, 1)
        ulpfft.plan_cache.limit(nbytes=1)
        assert len(ulpfft.plan_cache) == 1
        with ulpfft.set_effort('measure'):
            ulpfft.fft.fft(np.zeros(10))
        assert ulpfft.get_effort() == 'estimate'
        assert ulpfft.plan_cache.info()['misses'] == 12
    finally:
        ulpfft.plan_cache.limit()
        ulpfft.plan_cache.clear()
    assert isinstance(call(ulpfft.set_effort, 'much'), ValueError)
