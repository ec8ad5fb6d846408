# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""The backend of `scipy.fft`: this module is one, for `scipy.fft.set_backend`, `set_global_backend` and `register_backend`.

What `ulpfft` has not is answered with NotImplemented, so that SciPy asks the next backend: Hankel transforms, longdouble and other numbers
without a transform, arrays of other libraries.

Examples
--------
>>> import numpy as np
>>> import scipy.fft
>>> import ulpfft.scipy_backend
>>> with scipy.fft.set_backend(ulpfft.scipy_backend):
...     scipy.fft.fft(np.array([1.0, 0.0]))
array([1.+0.j, 1.+0.j])
"""
import collections
import threading

import numpy

from . import fft as _fft

__ua_domain__ = 'numpy.scipy.fft'

_HANKEL = {'fht', 'ifht', 'fhtoffset'}
_FUNCTIONS = {name: getattr(_fft, name) for name in _fft.__all__ if name.rstrip('2n').endswith(('fft', 'dct', 'dst'))}
_TYPES = {numpy.dtype(name).char: True for name in ('float16', 'float32', 'float64', 'complex64', 'complex128')}

_lock = threading.Lock()
_counts = {engine: collections.Counter() for engine in ('ulpfft', 'scipy', 'numpy')}


def count(engine, name):
    with _lock:
        _counts[engine][name] += 1


def _is_ours(x):
    """Whether `scipy.fft` would transform it by NumPy's arrays, in a type that we have."""
    if type(x) is numpy.ndarray or isinstance(x, numpy.ndarray):
        return x.dtype.char in _TYPES or x.dtype.kind in 'biu' or x.dtype.kind == 'O'
    if hasattr(x, '__array_namespace__') or hasattr(x, '__cuda_array_interface__') or type(x).__module__.split('.')[0] == 'torch':
        return False
    return numpy.asarray(x).dtype.char not in 'gG'


def _workers():
    import scipy.fft
    return scipy.fft.get_workers()


def __ua_function__(method, args, kwargs):
    name = method.__name__
    function = _FUNCTIONS.get(name)
    x = args[0] if args else kwargs.get('x')
    if function is None or not _is_ours(x):
        return NotImplemented
    # SciPy's own default of workers holds for what is called through SciPy.
    if kwargs.get('workers') is None and len(args) < _place_of_workers(name):
        kwargs = dict(kwargs, workers=_workers())
    result = function(*args, **kwargs)
    count('ulpfft', name)
    return result


def _place_of_workers(name):
    """How many positional arguments reach `workers`."""
    return 7 if name.rstrip('n').endswith(('dct', 'dst')) else 6


class _CountedScipy:
    """SciPy's own engine, with what it serves counted."""

    __ua_domain__ = __ua_domain__

    @staticmethod
    def __ua_function__(method, args, kwargs):
        import scipy.fft
        with scipy.fft.set_backend('scipy', only=True):
            result = method(*args, **kwargs)
        count('scipy', method.__name__)
        return result


def _this_module():
    import sys
    return sys.modules[__name__]


_is_registered = False


def install():
    """Makes `ulpfft` the engine of `scipy.fft` in this process, and SciPy's own the one behind it for what `ulpfft` has not.

    Calling it twice is calling it once. `uninstall` brings SciPy's own engine back.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.fft
    >>> import ulpfft
    >>> ulpfft.install()
    >>> y = scipy.fft.fft(np.ones(8))
    >>> ulpfft.used()['ulpfft']['fft'] >= 1
    True
    >>> ulpfft.uninstall()
    """
    global _is_registered
    import scipy.fft
    scipy.fft.set_global_backend(_this_module())
    if not _is_registered:
        scipy.fft.register_backend(_CountedScipy)
        _is_registered = True


def uninstall():
    """Makes SciPy's own engine that of `scipy.fft` again."""
    import scipy.fft
    scipy.fft.set_global_backend('scipy')


def used(reset=False):
    """Which engine served how many calls that came through `scipy.fft` or `numpy.fft`.

    Parameters
    ----------
    reset : bool
        Begins to count anew.

    Returns
    -------
    dict
        By engine ('ulpfft', 'scipy', 'numpy'), a dict of calls by the name of the function. SciPy's engine is counted behind `install()`,
        NumPy's within `patch_numpy()`.
    """
    with _lock:
        known = {engine: dict(calls) for engine, calls in _counts.items()}
        if reset:
            for calls in _counts.values():
                calls.clear()
    return known
