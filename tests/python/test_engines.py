# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""ulpfft behind scipy.fft and numpy.fft: who serves which call, and what comes back afterwards."""
import subprocess
import sys

import numpy as np
import pytest
import scipy.fft
import scipy.signal
from cases import COSINES, MANY_AXES, MANY_COSINES, ONE_AXIS, assert_same, call, numbers

import ulpfft
import ulpfft.scipy_backend


def test_every_function_goes_through_the_backend():
    x = numbers(np.random.default_rng(1), (4, 6), 'float32')
    ulpfft.used(reset=True)
    with scipy.fft.set_backend(ulpfft.scipy_backend, only=True):
        got = {name: getattr(scipy.fft, name)(x) for name in ONE_AXIS + COSINES + MANY_AXES + MANY_COSINES}
    for name, result in got.items():
        assert_same(result, getattr(scipy.fft, name)(x), name)
    assert ulpfft.used()['ulpfft'] == {name: 1 for name in got}


def test_what_is_missing_is_not_implemented():
    with scipy.fft.set_backend(ulpfft.scipy_backend, only=True):
        for name, x in (('fft', np.zeros(4, 'longdouble')), ('fftn', np.zeros(4, 'clongdouble')), ('fft', [np.longdouble(1)])):
            with pytest.raises(scipy.fft._backend.ua.BackendNotImplementedError):
                getattr(scipy.fft, name)(x)
        with pytest.raises(scipy.fft._backend.ua.BackendNotImplementedError):
            scipy.fft.fht(np.ones(4), 0.1, 0.0)


def test_scipy_serves_the_rest_behind_install():
    x = np.arange(8.0)
    ulpfft.install()
    ulpfft.install()
    try:
        ulpfft.used(reset=True)
        assert scipy.fft.fft(x.astype('longdouble')).dtype == np.clongdouble
        scipy.fft.fht(np.ones(8), 0.1, 0.0)
        scipy.fft.fft(x)
        scipy.signal.fftconvolve(x, x)
        known = ulpfft.used()
        assert known['scipy'] == {'fft': 1, 'fht': 1}
        assert known['ulpfft']['fft'] == 1
        assert known['ulpfft']['rfft' if 'rfft' in known['ulpfft'] else 'rfftn'] >= 1
    finally:
        ulpfft.uninstall()
    ulpfft.used(reset=True)
    scipy.fft.fft(x)
    assert ulpfft.used() == {'ulpfft': {}, 'scipy': {}, 'numpy': {}}


def test_scipys_workers_hold_in_the_backend():
    seen = []
    served = ulpfft.scipy_backend._FUNCTIONS['fft']
    ulpfft.scipy_backend._FUNCTIONS['fft'] = lambda *arguments, **words: seen.append(words.get('workers')) or served(*arguments, **words)
    try:
        with scipy.fft.set_backend(ulpfft.scipy_backend), scipy.fft.set_workers(2):
            scipy.fft.fft(np.zeros(8))
            scipy.fft.fft(np.zeros(8), workers=1)
    finally:
        ulpfft.scipy_backend._FUNCTIONS['fft'] = served
    assert seen == [2, 1]


NUMPY = ('fft', 'ifft', 'rfft', 'irfft', 'hfft', 'ihfft', 'fft2', 'ifft2', 'fftn', 'ifftn', 'rfft2', 'irfft2', 'rfftn', 'irfftn')


@pytest.mark.parametrize('name', NUMPY)
def test_numpy_has_the_same_results_and_errors(name):
    rng = np.random.default_rng(2)
    original = getattr(np.fft, name)
    cases = [(numbers(rng, shape, dtype), words)
             for shape in ((6,), (4, 6), (2, 3, 5), (), (0,), (3, 0))
             for dtype in ('float16', 'float32', 'float64', 'complex64', 'complex128', 'longdouble', 'int16', 'bool', '>f8')
             for words in ({}, {'norm': 'ortho'}, {'norm': 'odd'}, {'axis': 0}, {'axes': (0,)}, {'axes': (0, 0)}, {'axes': (9,)}, {'n': 3},
                           {'n': 0}, {'s': (3, 4)}, {'s': (4,), 'axes': (-1,)})]
    with ulpfft.patch_numpy():
        for x, words in cases:
            if x.size == 0 and name.startswith(('irfft', 'hfft')):
                continue  # NumPy gives what lay in memory
            with np.testing.suppress_warnings() as quiet:
                quiet.filter()
                assert_same(call(getattr(np.fft, name), x, **words), call(original, x, **words), f'{name}({x.dtype}{x.shape}, {words})')
    assert getattr(np.fft, name) is original


def test_patches_lie_in_each_other():
    originals = {name: getattr(np.fft, name) for name in NUMPY}
    ulpfft.used(reset=True)
    with pytest.raises(KeyError):
        with ulpfft.patch_numpy():
            outer = np.fft.fft
            with ulpfft.patch_numpy():
                np.fft.fft(np.ones(4))
            assert np.fft.fft is outer
            raise KeyError
    assert ulpfft.used()['ulpfft'] == {'fft': 1}
    assert {name: getattr(np.fft, name) for name in NUMPY} == originals
    out = np.empty(4, complex)
    with ulpfft.patch_numpy():
        assert np.fft.fft(np.ones(4), out=out) is out
    assert ulpfft.used()['numpy'] == {'fft': 1}


def test_run_serves_a_script(tmp_path):
    script = tmp_path / 'script.py'
    script.write_text('import sys, numpy as np, scipy.fft\n'
                      'assert __name__ == "__main__" and sys.argv[1:] == ["--used", "7"]\n'
                      'import beside\n'
                      'np.fft.fft(np.ones(4)); scipy.fft.rfft(np.ones(4)); scipy.fft.fht(np.ones(4), 0.1, 0.0)\n'
                      'sys.exit(3)\n')
    (tmp_path / 'beside.py').write_text('')
    ran = subprocess.run([sys.executable, '-m', 'ulpfft', 'run', '--used', str(script), '--used', '7'], capture_output=True, text=True)
    assert ran.returncode == 3, ran.stderr
    assert sorted(line.split() for line in ran.stderr.splitlines()) == [
        ['scipy', 'fht', '1'], ['ulpfft', 'fft', '1'], ['ulpfft', 'rfft', '1']]
    ran = subprocess.run([sys.executable, '-m', 'ulpfft', 'run', '--effort', 'much', str(script)], capture_output=True, text=True)
    assert ran.returncode == 2 and 'estimate' in ran.stderr
