# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""The report of a script under what_if."""
import numpy as np
import pytest
import scipy.fft
import scipy.signal
from cases import COSINES, MANY_AXES, ONE_AXIS

import ulpfft

RNG = np.random.default_rng(13)


def test_error_is_that_of_a_plan():
    """The same numbers as a plan of this storage gives."""
    x = (RNG.standard_normal((4, 256)) + 1j * RNG.standard_normal((4, 256))).astype('complex64')
    for storage in ('f16', 'e4m3', 'mxfp8_e4m3:b8:floor', 'f32->bf16'):
        with ulpfft.what_if(storage) as report:
            y = scipy.fft.fft(x, norm='ortho')
        storages = storage.split('->')
        plan = ulpfft.Plan(256, storage=storages[0], storage_out=storages[-1], batch=4, scale='ortho', effort='estimate')
        exact = np.fft.fft(x, norm='ortho')
        expected = np.linalg.norm(np.asarray(plan(x)) - exact) / np.linalg.norm(exact)
        assert report[0].error == pytest.approx(expected, rel=0.02), storage
        assert np.linalg.norm(y - exact) / np.linalg.norm(exact) == pytest.approx(expected, rel=0.02)
        assert y.dtype == np.complex64


def test_every_function_is_reported():
    x = RNG.standard_normal((6, 8))
    with ulpfft.what_if('storage=f16') as report:
        for name in ONE_AXIS + COSINES + MANY_AXES:
            getattr(scipy.fft, name)(x)
            getattr(scipy.fft, name)(x)
        np.fft.fft(x)
        scipy.signal.fftconvolve(x[0], x[1])
    rows = {row.function: row for row in report if row.shape == (6, 8)}
    assert set(rows) == set(ONE_AXIS + COSINES + MANY_AXES)
    assert rows['fft'].calls == 3 and rows['dct'].calls == 2
    assert all(1e-5 < row.error < 2e-3 and row.saturated == 0 and row.bytes < row.wide_bytes / 3 for row in rows.values())
    assert len(report) > len(rows)
    assert 'fft' in str(report) and set(report.to_dict()) >= {'function', 'shape', 'calls', 'error', 'saturated', 'bytes'}


def test_saturation_is_counted_and_shown():
    x = np.full((4, 4), 1e4)
    with ulpfft.what_if('f16') as report:
        y = np.fft.fft2(x)
    assert report[0].saturated == 1 and y[0, 0] == 65504 and report[0].error > 0.1


def test_nothing_stays_behind():
    original = np.fft.fft
    with pytest.raises(KeyError):
        with ulpfft.what_if('e4m3'):
            raise KeyError
    assert np.fft.fft is original
    x = RNG.standard_normal(16)
    assert np.allclose(scipy.fft.fft(x), original(x))
    for spec in ('f33', 'f16 f32', 'mxfp8_e4m3:b7', 'f16->x'):
        with pytest.raises(ValueError):
            with ulpfft.what_if(spec):
                pass


def test_plot_has_a_bar_per_problem():
    pyplot = pytest.importorskip('matplotlib.pyplot')
    with ulpfft.what_if('e4m3') as report:
        np.fft.fft(np.ones(8))
        np.fft.fft(np.ones(9))
    assert len(report.plot(pyplot.figure().gca()).patches) == 2
