# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""The module in a process: threads, fork, memory, other libraries with FFTW's names beside it, and what the file exports."""
import importlib.util
import itertools
import multiprocessing
import os
import resource
import subprocess
import sys
import threading

import numpy as np
import pytest
from cases import FULL, SEED

import ulpfft
from ulpfft import _core

CALLS = 100_000


def test_eight_threads_at_once():
    x = np.random.default_rng(3).standard_normal((64, 32)) + 0j
    expected = [ulpfft.fft.fft(x, n=n) for n in range(1, 33)]
    ulpfft.plan_cache.clear()
    wrong = []

    def work(first):
        for turn in range(200):
            n = (first + turn) % 32
            if not np.array_equal(ulpfft.fft.fft(x, n=n + 1, workers=1 + turn % 2), expected[n]):
                wrong.append(n)

    threads = [threading.Thread(target=work, args=(4 * i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_first_calls_of_many_threads():
    script = """
import threading, numpy as np, ulpfft
start = threading.Barrier(8)
def work():
    start.wait()
    ulpfft.fft.fft([1, 2, 3])
threads = [threading.Thread(target=work) for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
kept = ulpfft.Plan('8 f32', effort='estimate')
import ctypes
ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept))  # a cache of the program that outlives the interpreter: nothing to complain about
"""
    ran = subprocess.run([sys.executable, '-c', script], timeout=60, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, '')


def _in_child(x):
    return ulpfft.fft.fft(x, workers=2)


def test_children_of_fork_transform():
    x = np.random.default_rng(4).standard_normal((256, 256))
    expected = ulpfft.fft.fft(x, workers=2)
    with multiprocessing.get_context('fork').Pool(2) as pool:
        for result in pool.map(_in_child, [x] * 4, chunksize=1):
            assert np.array_equal(result, expected)


def test_memory_stays_flat():
    x = np.zeros(16)

    def rounds(count):
        for _ in range(count):
            ulpfft.fft.fft(x)
            ulpfft.fft.rfft(x)
        for _ in range(count // 100):
            try:
                ulpfft.fft.fft(x, n=0)
            except ValueError:
                pass
            ulpfft.fft.fft([1.0, 2.0])

    rounds(2000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    rounds(CALLS // 2)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 1024, f'{grown} KiB more after {CALLS} calls'


def test_only_the_init_function_is_exported():
    names = subprocess.run(['nm', '-D', '--defined-only', _core.__file__], capture_output=True, text=True, check=True).stdout.split()[2::3]
    assert names == ['PyInit__core']


LIBRARIES = [name for name in ('scipy.fft', 'pyfftw', 'finufft', 'ulpfft') if importlib.util.find_spec(name.split('.')[0])]
ORDERS = list(itertools.permutations(LIBRARIES))


@pytest.mark.parametrize('order', ORDERS if FULL else ORDERS[SEED % 12::12], ids='-'.join)
def test_import_order(order):
    """finufft exports FFTW's names into the process; ours are not taken for them, nor theirs for ours."""
    script = '\n'.join(f'import {name}' for name in order) + '''
import numpy as np
x = np.random.default_rng(5).standard_normal(60) + 0j
expected = np.array([np.sum(x * np.exp(-2j * np.pi * k * np.arange(60) / 60)) for k in range(60)])
results = [ulpfft.fft.fft(x), scipy.fft.fft(x)]
if 'pyfftw' in globals():
    results.append(pyfftw.builders.fft(x)())
if 'finufft' in globals():
    results.append(finufft.nufft1d1(2 * np.pi * np.arange(60) / 60, x, 60, isign=-1, modeord=1, eps=1e-12))
for result in results:
    assert np.allclose(result, expected)
'''
    ran = subprocess.run([sys.executable, '-c', script], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


def test_exit_waits_for_nobody():
    script = '''
import threading, numpy as np, ulpfft
x = np.ones((512, 512))
ulpfft.fft.fft2(x, workers=2)
def forever():
    while True:
        ulpfft.fft.fft2(x, workers=2)
threading.Thread(target=forever, daemon=True).start()
'''
    assert subprocess.run([sys.executable, '-c', script], timeout=60).returncode == 0


def test_doctests():
    import doctest
    import pkgutil
    os.environ.pop('ULPFFT_WISDOM', None)
    np.set_printoptions(legacy=False)
    for module in pkgutil.iter_modules(ulpfft.__path__):
        if module.name not in ('_core', '__main__', 'torch'):
            result = doctest.testmod(__import__(f'ulpfft.{module.name}', fromlist=['x']))
            assert result.failed == 0, module.name
    assert doctest.testmod(ulpfft).failed == 0
