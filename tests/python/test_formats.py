# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Narrow arrays: every format there and back, the types of ml_dtypes, and transforms of them at any length."""
import ml_dtypes
import numpy as np
import pytest
from cases import numbers

import ulpfft
from ulpfft._formats import number_type, pack, storage_of, unpack

RNG = np.random.default_rng(11)
NARROW = [row['name'] for row in ulpfft.formats() if row['kind'] != 'wide']
BLOCKS = [row['name'] for row in ulpfft.formats() if row['kind'] == 'block']
TYPED = [name for name in NARROW if number_type(name, False) is not None]
HAS_COMPLEX = hasattr(ml_dtypes, 'complex32')


def error(got, expected):
    return np.linalg.norm(np.asarray(got) - expected) / np.linalg.norm(expected)


def facts(name):
    return next(row for row in ulpfft.formats() if row['name'] == name)


def fitting(name, shape, kind):
    """Normal numbers of the size that `rms_error` is of: an eighth of the largest value in integers, 1 or what fits in narrow floats."""
    known = facts(name)
    deviation = known['largest'] / 8 if known['kind'] == 'integer' else min(1.0, known['largest'] / 8)
    x = RNG.standard_normal(shape) * deviation
    if np.dtype(kind).kind == 'c':
        x = x + 1j * RNG.standard_normal(shape) * deviation
    if known['lowest'] >= 0:
        x = np.abs(x.real) + 1j * np.abs(x.imag) if np.dtype(kind).kind == 'c' else np.abs(x)
    return x.astype(kind)


@pytest.mark.parametrize('name', NARROW)
@pytest.mark.parametrize('kind', ('float32', 'complex128'))
def test_there_and_back(name, kind):
    x = fitting(name, (3, 5, 37), kind)
    narrow = ulpfft.encode(x, name)
    back = np.asarray(narrow)
    assert (narrow.shape, back.shape, narrow.ndim, narrow.size, len(narrow)) == (x.shape, x.shape, 3, x.size, 3)
    assert back.dtype.kind == x.dtype.kind
    assert error(back, x) < 1.25 * facts(name)['rms_error']
    again = ulpfft.encode(back, name)
    if name not in BLOCKS:  # a block's scale may be smaller the second time, its values stay
        assert np.array_equal(again.codes, narrow.codes)
    assert np.array_equal(np.asarray(again), back)


@pytest.mark.parametrize('name', TYPED)
def test_native_types_have_the_same_values(name):
    """ml_dtypes decodes our codes to our values, and packed formats lie one to a byte there."""
    x = np.abs(fitting(name, (4, 33), 'float32'))
    narrow = ulpfft.encode(x, name)
    native = narrow.native()
    assert native.dtype == number_type(name, False) and native.shape == x.shape and storage_of(native.dtype) == (name, False)
    if name == 'u8':
        assert np.array_equal(native.ravel(), narrow.codes.ravel())  # NumPy knows no offset
    else:
        assert np.array_equal(native.astype('float32'), np.asarray(narrow))


def test_packing_is_a_bit_stream():
    for bits in (4, 6):
        codes = RNG.integers(0, 1 << bits, (3, 7)).astype('uint8')
        rows = pack(codes, bits)
        assert rows.shape == (3, (7 * bits + 7) // 8)
        value = int.from_bytes(rows[1].tobytes(), 'little')
        assert [value >> bits * i & (1 << bits) - 1 for i in range(7)] == codes[1].tolist()
        assert np.array_equal(unpack(rows, bits, 7), codes)


@pytest.mark.parametrize('n', (1, 2, 16, 100, 127, 1009))
@pytest.mark.parametrize('name', ('f16', 'bf16'))
def test_16_bit_complex_numbers_at_any_length(name, n):
    x = numbers(RNG, (3, n), 'complex64')
    exact = np.fft.fft(x) / np.sqrt(n)
    plan = ulpfft.Plan(n, storage=name, batch=3, scale='ortho', effort='estimate')
    limit = 3 * facts(name)['rms_error'] + 1e-6
    pairs = np.stack([x.real, x.imag], -1).astype(number_type(name, False))
    result = plan(pairs)
    assert result.dtype == pairs.dtype and result.shape == pairs.shape
    wide = result.astype('float32')
    assert error(wide[..., 0] + 1j * wide[..., 1], exact) < limit
    if HAS_COMPLEX:
        whole = number_type(name, True)
        result = plan(x.astype(whole))
        assert result.dtype == whole and error(result.astype('complex64'), exact) < limit
        assert np.array_equal(result.view('u2').ravel(), plan(pairs).view('u2').ravel())
        assert ulpfft.fft.fft(x.astype(whole)).dtype == np.complex64
        assert error(ulpfft.fft.fft(x.astype(whole)), np.fft.fft(x)) < limit


@pytest.mark.parametrize('name', NARROW)
def test_plans_take_and_give_each_format(name):
    if facts(name)['lowest'] >= 0:
        pytest.skip('no negative numbers, so no spectrum')
    x = fitting(name, (2, 60), 'complex64')
    narrow = ulpfft.encode(x, name)
    plan = ulpfft.Plan(60, storage=name, batch=2, scale='ortho', effort='estimate')
    result = plan(narrow)
    assert isinstance(result, ulpfft.NarrowArray) and result.format == name
    assert error(result, np.fft.fft(np.asarray(narrow)) / np.sqrt(60)) < 1.5 * facts(name)['rms_error']
    assert np.array_equal(plan(np.asarray(narrow)).codes, result.codes)
    out = ulpfft.encode(np.zeros((2, 60), 'complex64'), name)
    assert plan(narrow, out=out) is out and np.array_equal(out.codes, result.codes)
    if name in TYPED:
        native = plan(narrow.native())
        given = native.view('u1').reshape(2, -1)
        expected = result.native().view('u1').reshape(2, -1)
        assert np.array_equal(given, expected)
    else:
        with pytest.raises(ValueError, match='NumPy has no type'):
            narrow.native()


def test_samples_of_a_receiver():
    samples = RNG.integers(-2000, 2000, (64, 2)).astype('int16')
    spectrum = ulpfft.Plan('64 i16->f32', effort='estimate')(samples)
    assert error(spectrum, np.fft.fft(samples[:, 0] + 1j * samples[:, 1])) < 1e-6
    real = ulpfft.Plan('r2c 64 i16->f32', effort='estimate')(samples[:, 0])
    small = (samples // 256).astype(ml_dtypes.int4)
    assert error(ulpfft.Plan('64 i8->f32', effort='estimate')(small), np.fft.fft(small.astype('f4') @ [1, 1j])) < 1e-6
    assert error(real, np.fft.rfft(samples[:, 0])) < 1e-6


def test_exponents_keep_the_range():
    x = numbers(RNG, (3, 64), 'complex64') * np.array([1e-3, 1, 1e4], 'float32')[:, None]
    exact = np.fft.fft(x)
    plan = ulpfft.Plan('64*3 f32->e4m3', effort='estimate')
    assert plan(x).saturated > 0
    result = plan(x, exponents=True)
    assert result.saturated == 0 and result.exponents.shape == (3,)
    for row in range(3):
        assert error(np.asarray(result)[row], exact[row]) < 0.05
    back = ulpfft.Plan('64*3 e4m3->f32 inverse scale=1/n', effort='estimate')(result)
    assert error(back, x) < 0.1


def test_rounding_and_saturation():
    x = np.array([1e9, -1e9, 0.3], 'float32')
    assert np.asarray(ulpfft.encode(x, 'f16')).tolist()[:2] == [65504, -65504]
    assert np.isinf(np.asarray(ulpfft.encode(x, 'f16', rounding='nearest'))[:2]).all()
    assert ulpfft.encode(x, 'f16').saturated == 2
    many = ulpfft.encode(np.full(10000, 0.3, 'float32'), 'e2m1', rounding='stochastic', seed=3)
    assert abs(np.asarray(many).mean() - 0.3) < 0.01
    for words in ({'format': 'f33'}, {'format': 'e4m3', 'rounding': 'up'}, {'format': 'f32'}):
        with pytest.raises(ValueError):
            ulpfft.encode(x, **words)


def test_small_types_go_through_the_functions():
    x = numbers(RNG, (3, 8), 'float32')
    for name in ('bfloat16', 'float8_e4m3fn', 'float4_e2m1fn', 'float6_e2m3fn', 'int4'):
        narrow = x.clip(-3, 3).astype(getattr(ml_dtypes, name))
        assert error(ulpfft.fft.fft(narrow), np.fft.fft(narrow.astype('float32'))) < 1e-6
        assert ulpfft.fft.fft(narrow).dtype == (np.complex128 if name == 'int4' else np.complex64)
    assert error(ulpfft.fft.rfft(ulpfft.encode(x, 'e2m1')), np.fft.rfft(np.asarray(ulpfft.encode(x, 'e2m1')))) < 1e-6


def test_bad_parts_are_refused():
    narrow = ulpfft.encode(np.ones((2, 40), 'complex64'), 'mxfp8_e4m3')
    for words in ({'codes': narrow.codes[:1]}, {'codes': narrow.codes.view('i1')}, {'scales': None}, {'format': 'none'}):
        parts = dict(codes=narrow.codes, format=narrow.format, shape=narrow.shape, is_complex=True, scales=narrow.scales) | words
        with pytest.raises(ValueError):
            ulpfft.NarrowArray(**parts)
    with pytest.raises(ValueError, match='copy'):
        np.asarray(narrow, copy=False)
    with pytest.raises(ValueError):
        ulpfft.decode(np.array(['a']))


class Elsewhere:
    """An array of another library, as far as DLPack shows it."""

    def __init__(self, x):
        self._x = x

    def __dlpack__(self, **words):
        return self._x.__dlpack__(**words)

    def __dlpack_device__(self):
        return self._x.__dlpack_device__()


def test_dlpack_both_ways():
    x = numbers(RNG, (4, 8), 'complex64')
    assert error(ulpfft.fft.fft(Elsewhere(x)), np.fft.fft(x)) < 1e-6
    assert error(ulpfft.Plan('8*4 f32', effort='estimate')(Elsewhere(x)), np.fft.fft(x)) < 1e-6
    result = np.from_dlpack(Elsewhere(ulpfft.fft.fft(x)))
    assert error(result, np.fft.fft(x)) < 1e-6
