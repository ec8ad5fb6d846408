# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""The functions of `scipy.fft`, with its signatures, types and errors.

Arguments that all transforms have
    x : array_like
        Any strides; a plan takes the array as it lies, but for numbers that are not aligned or in another byte order, which are copied.
        float16 and float32 give complex64 (or float32), float64, integers and booleans complex128 (or float64). longdouble is refused
        with TypeError.
    n, s : int, or sequence of ints
        Lengths along `axis` or `axes`: the array is cut, or filled with zeros at its end, to them. Of inverse transforms to real
        numbers (`irfft`, `hfft`) it is the length of the result, by default 2 (m - 1) for m numbers.
    axis, axes : int, or sequence of ints
        What is transformed; the last of several axes is the one that `rfftn` and its kin halve.
    norm : {'backward', 'ortho', 'forward'}
        Which direction is scaled: the inverse by 1/n (the default), both by 1/sqrt(n), or the forward one by 1/n.
    overwrite_x : bool
        The array may be destroyed. Complex transforms that keep the shape then happen in place.
    workers : int
        Threads that one call may use; negative numbers count from the processors, -1 is all of them. None: that of `set_workers`, at
        first 1. Results have the same bits for any number.
    plan : ulpfft.Plan
        A plan for this very transform, which is executed in place of one of the cache.

Errors are ValueError for lengths, axes, norms and types of DCT, TypeError for numbers without a transform, MemoryError. The GIL is released
from 1024 numbers on. Any number of threads may call at once.
"""
import contextlib as _contextlib
import operator as _operator

import numpy as _numpy
from numpy.fft import fftshift, ifftshift

from . import _core
from ._axes import COSINE as _COSINE
from ._axes import FULL as _FULL
from ._axes import HALF as _HALF
from ._axes import REAL as _REAL
from ._axes import SINE as _SINE
from ._axes import along_axes as _along_axes

__all__ = ['dct', 'dctn', 'dst', 'dstn', 'fft', 'fft2', 'fftfreq', 'fftn', 'fftshift', 'fht', 'fhtoffset', 'get_workers', 'hfft', 'hfft2',
           'hfftn', 'idct', 'idctn', 'idst', 'idstn', 'ifft', 'ifft2', 'ifftn', 'ifftshift', 'ifht', 'ihfft', 'ihfft2', 'ihfftn', 'irfft',
           'irfft2', 'irfftn', 'next_fast_len', 'prev_fast_len', 'rfft', 'rfft2', 'rfftfreq', 'rfftn', 'set_workers']

_fft_1d = _core.fft_1d
_r2r_1d = _core.r2r_1d


def _by_plan(plan, x, norm, family, forward):
    """Executes the caller's plan, which says everything else."""
    from ._plan import Plan
    if not isinstance(plan, Plan):
        raise NotImplementedError(f'plan is a {type(plan).__name__}: a precomputed plan must be an ulpfft.Plan')
    return plan.execute_for(x, norm, family, forward)


def fft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """Discrete Fourier transform along one axis: y[k] = sum_j x[j] exp(-2 pi i j k / n).

    Arguments are explained at the head of `ulpfft.fft`.

    Returns
    -------
    complex ndarray
        Of the shape of `x`, but `n` numbers along `axis`.

    Examples
    --------
    >>> import numpy as np
    >>> import ulpfft.fft
    >>> ulpfft.fft.fft(np.array([1.0, 2.0, 3.0, 4.0]))
    array([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j])
    """
    if plan is not None:
        return _by_plan(plan, x, norm, _FULL, True)
    return _fft_1d(x, n, axis, norm, overwrite_x, workers, 1)


def ifft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """Inverse of `fft`: x[j] = sum_k y[k] exp(+2 pi i j k / n) / n.

    Examples
    --------
    >>> import numpy as np
    >>> import ulpfft.fft
    >>> ulpfft.fft.ifft(np.array([10, -2 + 2j, -2, -2 - 2j])).real
    array([1., 2., 3., 4.])
    """
    if plan is not None:
        return _by_plan(plan, x, norm, _FULL, False)
    return _fft_1d(x, n, axis, norm, overwrite_x, workers, 0)


def rfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """The n/2 + 1 (rounded down) first numbers of the transform of real numbers; the others are their conjugates.

    Examples
    --------
    >>> import numpy as np
    >>> import ulpfft.fft
    >>> ulpfft.fft.rfft(np.array([1.0, 2.0, 3.0, 4.0]))
    array([10.+0.j, -2.+2.j, -2.+0.j])
    """
    if plan is not None:
        return _by_plan(plan, x, norm, _HALF, True)
    return _fft_1d(x, n, axis, norm, overwrite_x, workers, 3)


def irfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """Inverse of `rfft`, n real numbers.

    Examples
    --------
    >>> import numpy as np
    >>> import ulpfft.fft
    >>> ulpfft.fft.irfft(np.array([10, -2 + 2j, -2]))
    array([1., 2., 3., 4.])
    """
    if plan is not None:
        return _by_plan(plan, x, norm, _REAL, False)
    return _fft_1d(x, n, axis, norm, overwrite_x, workers, 4)


def hfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """The real transform of a signal whose first n/2 + 1 numbers are given and whose others are their conjugates.

    Examples
    --------
    >>> import numpy as np
    >>> import ulpfft.fft
    >>> ulpfft.fft.hfft(np.array([1.0, 2.0, 3.0]))
    array([ 8., -2.,  0., -2.])
    """
    if plan is not None:
        return _by_plan(plan, x, norm, _REAL, True)
    return _fft_1d(x, n, axis, norm, overwrite_x, workers, 5)


def ihfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """Inverse of `hfft`: the first n/2 + 1 numbers.

    Examples
    --------
    >>> import numpy as np
    >>> import ulpfft.fft
    >>> ulpfft.fft.ihfft(np.array([8.0, -2.0, 0.0, -2.0])).real
    array([1., 2., 3.])
    """
    if plan is not None:
        return _by_plan(plan, x, norm, _HALF, False)
    return _fft_1d(x, n, axis, norm, overwrite_x, workers, 2)


def fftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """`fft` along several axes, by default all.

    Examples
    --------
    >>> import numpy as np
    >>> import ulpfft.fft
    >>> ulpfft.fft.fftn(np.ones((2, 2)))
    array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    if plan is not None:
        return _by_plan(plan, x, norm, _FULL, True)
    return _along_axes(x, s, axes, norm, overwrite_x, workers, _FULL, True)


def ifftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """Inverse of `fftn`."""
    if plan is not None:
        return _by_plan(plan, x, norm, _FULL, False)
    return _along_axes(x, s, axes, norm, overwrite_x, workers, _FULL, False)


def fft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    """`fft` along two axes."""
    return fftn(x, s, axes, norm, overwrite_x, workers, plan=plan)


def ifft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    """Inverse of `fft2`."""
    return ifftn(x, s, axes, norm, overwrite_x, workers, plan=plan)


def rfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """`rfft` along the last of `axes`, `fft` along the others.

    Examples
    --------
    >>> import numpy as np
    >>> import ulpfft.fft
    >>> ulpfft.fft.rfftn(np.ones((2, 4))).shape
    (2, 3)
    """
    if plan is not None:
        return _by_plan(plan, x, norm, _HALF, True)
    return _along_axes(x, s, axes, norm, overwrite_x, workers, _HALF, True)


def irfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """Inverse of `rfftn`, real numbers."""
    if plan is not None:
        return _by_plan(plan, x, norm, _REAL, False)
    return _along_axes(x, s, axes, norm, overwrite_x, workers, _REAL, False)


def rfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    """`rfftn` along two axes."""
    return rfftn(x, s, axes, norm, overwrite_x, workers, plan=plan)


def irfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    """Inverse of `rfft2`."""
    return irfftn(x, s, axes, norm, overwrite_x, workers, plan=plan)


def hfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """`hfft` along the last of `axes`, `fft` along the others: real numbers."""
    if plan is not None:
        return _by_plan(plan, x, norm, _REAL, True)
    return _along_axes(x, s, axes, norm, overwrite_x, workers, _REAL, True)


def ihfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """Inverse of `hfftn`."""
    if plan is not None:
        return _by_plan(plan, x, norm, _HALF, False)
    return _along_axes(x, s, axes, norm, overwrite_x, workers, _HALF, False)


def hfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    """`hfftn` along two axes."""
    return hfftn(x, s, axes, norm, overwrite_x, workers, plan=plan)


def ihfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    """Inverse of `hfft2`."""
    return ihfftn(x, s, axes, norm, overwrite_x, workers, plan=plan)


def dct(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """Discrete cosine transform of type 1, 2, 3 or 4 along one axis; of complex numbers, that of both parts.

    Parameters
    ----------
    orthogonalize : bool, optional
        Whether first and last numbers have the weights that make the matrix orthogonal; by default where `norm` is 'ortho'.

    Returns
    -------
    ndarray
        Real numbers of the precision of `x`, complex where `x` is.

    Examples
    --------
    >>> import numpy as np
    >>> import ulpfft.fft
    >>> ulpfft.fft.dct(np.array([1.0, 1.0, 1.0]), norm='ortho').round(6) + 0.0
    array([1.732051, 0.      , 0.      ])
    """
    return _r2r_1d(x, type, n, axis, norm, overwrite_x, workers, orthogonalize, 7)


def idct(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """Inverse of `dct` of the same type.

    Examples
    --------
    >>> import numpy as np
    >>> import ulpfft.fft
    >>> ulpfft.fft.idct(ulpfft.fft.dct(np.array([1.0, 2.0, 4.0]))).round(6)
    array([1., 2., 4.])
    """
    return _r2r_1d(x, type, n, axis, norm, overwrite_x, workers, orthogonalize, 6)


def dst(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """Discrete sine transform of type 1, 2, 3 or 4 along one axis; of complex numbers, that of both parts."""
    return _r2r_1d(x, type, n, axis, norm, overwrite_x, workers, orthogonalize, 9)


def idst(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """Inverse of `dst` of the same type."""
    return _r2r_1d(x, type, n, axis, norm, overwrite_x, workers, orthogonalize, 8)


def dctn(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, orthogonalize=None):
    """`dct` along several axes, by default all."""
    return _along_axes(x, s, axes, norm, overwrite_x, workers, _COSINE, True, type, orthogonalize)


def idctn(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """Inverse of `dctn`."""
    return _along_axes(x, s, axes, norm, overwrite_x, workers, _COSINE, False, type, orthogonalize)


def dstn(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """`dst` along several axes, by default all."""
    return _along_axes(x, s, axes, norm, overwrite_x, workers, _SINE, True, type, orthogonalize)


def idstn(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """Inverse of `dstn`."""
    return _along_axes(x, s, axes, norm, overwrite_x, workers, _SINE, False, type, orthogonalize)


def fht(a, dln, mu, offset=0.0, bias=0.0):
    """Not there: NotImplementedError. SciPy's own serves `scipy.fft.fht` after `ulpfft.install()`."""
    raise NotImplementedError('ulpfft has no Hankel transform: call scipy.fft.fht')


def ifht(A, dln, mu, offset=0.0, bias=0.0):
    """Not there, see `fht`."""
    raise NotImplementedError('ulpfft has no Hankel transform: call scipy.fft.ifht')


def fhtoffset(dln, mu, initial=0.0, bias=0.0):
    """Not there, see `fht`."""
    raise NotImplementedError('ulpfft has no Hankel transform: call scipy.fft.fhtoffset')


@_contextlib.contextmanager
def set_workers(workers):
    """A context in which calls of this thread without `workers` have that many.

    Examples
    --------
    >>> import ulpfft.fft
    >>> with ulpfft.fft.set_workers(4):
    ...     ulpfft.fft.get_workers()
    4
    >>> ulpfft.fft.get_workers()
    1
    """
    before = get_workers()
    _core.set_default_workers(_core.workers_of(_operator.index(workers)))
    try:
        yield
    finally:
        _core.set_default_workers(before)


def get_workers():
    """Threads that a call without `workers` may use."""
    return _core.workers_of(None)


def _frequencies(name, n, d, xp, device, dtype):
    result = getattr((xp or _numpy).fft, name)(n, d, **({} if device is None else {'device': device}))
    return result if dtype is None else result.astype(dtype)


def fftfreq(n, d=1.0, *, xp=None, device=None, dtype=None):
    """Frequencies of what `fft` gives of n samples at a distance of d: an array of NumPy, or of the array-API library `xp`."""
    return _frequencies('fftfreq', n, d, xp, device, dtype)


def rfftfreq(n, d=1.0, *, xp=None, device=None, dtype=None):
    """Frequencies of what `rfft` gives, see `fftfreq`."""
    return _frequencies('rfftfreq', n, d, xp, device, dtype)


_PRIMES = (2, 3, 5, 7, 11, 13)  # lengths of these factors have no convolution in their plans


def _is_fast(n):
    for prime in _PRIMES:
        while n % prime == 0:
            n //= prime
    return n == 1


def _checked_target(target):
    try:
        target = _operator.index(target)
    except TypeError:
        raise TypeError('The target length must be an integer') from None
    return target


def next_fast_len(target, real=False):
    """The least length of `target` or more that has a fast transform: one without a prime factor above 13.

    Parameters
    ----------
    target : int
        0 or more.
    real : bool
        Changes nothing here: transforms of real numbers have the same fast lengths.

    Examples
    --------
    >>> import ulpfft.fft
    >>> ulpfft.fft.next_fast_len(1013)
    1014
    """
    target = _checked_target(target)
    if target < 0:
        raise ValueError('Target length must be positive')
    while target > 0 and not _is_fast(target):
        target += 1
    return target


def prev_fast_len(target, real=False):
    """The largest length of `target` or less that has a fast transform.

    Examples
    --------
    >>> import ulpfft.fft
    >>> ulpfft.fft.prev_fast_len(1019)
    1014
    """
    target = _checked_target(target)
    if target < 1:
        raise ValueError('Target length must be positive')
    while not _is_fast(target):
        target -= 1
    return target
