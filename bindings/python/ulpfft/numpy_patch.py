# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""`numpy.fft`, which has no hook for other engines, served by `ulpfft` for a while."""
import contextlib
import functools
import threading

import numpy

from . import fft as _fft
from .scipy_backend import count

_NAMES = ('fft', 'ifft', 'rfft', 'irfft', 'hfft', 'ihfft', 'fft2', 'ifft2', 'fftn', 'ifftn', 'rfft2', 'irfft2', 'rfftn', 'irfftn')
_lock = threading.RLock()


def _serves(name, a, out):
    """Whether the result has the same type here and there. NumPy computes float16 in float16."""
    if type(a) is not numpy.ndarray or out is not None or not (a.dtype.char in 'fdFD' or a.dtype.kind in 'biu') or not a.dtype.isnative:
        return False
    return not (name.startswith(('irfft', 'hfft')) and 1 in a.shape)  # NumPy refuses them where the last axis has one number


def _made_by(name, original):
    """A function that has the arguments of `original`, and falls back to it for what is not ours, or is refused."""
    ours = getattr(_fft, name)
    along_one = not name.endswith(('2', 'n'))
    default = -1 if along_one else (-2, -1) if name.endswith('2') else None

    def serve(a, lengths, axes, norm, out):
        if _serves(name, a, out) and not (along_one and lengths is not None and lengths < 1):
            try:
                result = ours(a, lengths, axes, norm)
            except (IndexError, TypeError, ValueError):
                pass  # NumPy's own says why, or knows an answer: axes may repeat there
            else:
                count('ulpfft', name)
                return result
        count('numpy', name)
        return original(a, lengths, axes, norm, out)

    if along_one:
        def served(a, n=None, axis=-1, norm=None, out=None):
            return serve(a, n, axis, norm, out)
    else:
        def served(a, s=None, axes=default, norm=None, out=None):
            return serve(a, s, axes, norm, out)
    return functools.wraps(original)(served)


@contextlib.contextmanager
def exchanged(make):
    """A context in which each function of `numpy.fft` is make(name, the function that was there)."""
    with _lock:
        before = {name: getattr(numpy.fft, name) for name in _NAMES}
        for name, original in before.items():
            setattr(numpy.fft, name, make(name, original))
    try:
        yield
    finally:
        with _lock:
            for name, original in before.items():
                setattr(numpy.fft, name, original)


def patch_numpy():
    """A context in which the functions of `numpy.fft` are those of `ulpfft`.

    What `ulpfft` has not goes to NumPy's own: `out=`, repeated axes, longdouble, subclasses of ndarray, and calls that NumPy refuses.
    The names in `numpy.fft` are exchanged, for all threads; a function that was imported by name before stays NumPy's. At the end the
    names have what they had at the beginning, so that contexts may lie in each other. `ulpfft.used()` counts the calls.

    Examples
    --------
    >>> import numpy as np
    >>> import ulpfft
    >>> with ulpfft.patch_numpy():
    ...     np.fft.fft(np.array([1.0, 0.0]))
    array([1.+0.j, 1.+0.j])
    """
    return exchanged(_made_by)
