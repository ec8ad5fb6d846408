# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""What several test files need: random arrays, in every layout, and the comparison of two calls."""
import os
import time

import numpy as np

FULL = bool(os.environ.get('ULPFFT_TEST_FULL'))
# Which cases a default run takes: the day's number, as in tests/support/sample.h.
SEED = int(os.environ.get('ULPFFT_TEST_SEED') or time.time() // 86400)

ONE_AXIS = ('fft', 'ifft', 'rfft', 'irfft', 'hfft', 'ihfft')
COSINES = ('dct', 'idct', 'dst', 'idst')
MANY_AXES = ('fftn', 'ifftn', 'rfftn', 'irfftn', 'hfftn', 'ihfftn', 'fft2', 'ifft2', 'rfft2', 'irfft2', 'hfft2', 'ihfft2')
MANY_COSINES = ('dctn', 'idctn', 'dstn', 'idstn')
NORMS = (None, 'backward', 'ortho', 'forward')
TYPES = ('float16', 'float32', 'float64', 'complex64', 'complex128', 'int8', 'int32', 'uint64', 'bool')
LAYOUTS = ('dense', 'fortran', 'negative', 'gaps', 'zero', 'swapped', 'unaligned', 'read only')


def numbers(rng, shape, dtype):
    """Random numbers that every type holds."""
    x = rng.integers(-9, 10, shape) + rng.random(shape)
    if np.dtype(dtype).kind == 'c':
        return (x + 1j * rng.standard_normal(shape)).astype(dtype)
    return x.astype('int8').astype(dtype) if np.dtype(dtype).kind in 'biu' else x.astype(dtype)


def laid_out(x, layout):
    """An array that equals `x` (of 'zero': whose rows all equal its first one), in another layout."""
    if layout == 'fortran':
        return np.asfortranarray(x)
    if layout == 'negative':
        return np.ascontiguousarray(np.flip(x))[(slice(None, None, -1),) * x.ndim]
    if layout == 'gaps':
        wide = np.zeros([2 * n + 1 for n in x.shape], x.dtype)
        part = (slice(1, None, 2),) * x.ndim
        wide[part] = x
        return wide[part]
    if layout == 'zero' and x.ndim > 1:
        return np.broadcast_to(x[:1], x.shape)
    if layout == 'swapped':
        return x.astype(x.dtype.newbyteorder())
    if layout == 'unaligned':
        packed = np.zeros(x.shape, np.dtype([('gap', 'u1'), ('x', x.dtype)]))
        packed['x'] = x
        return packed['x']
    if layout == 'read only':
        x = x.copy()
        x.flags.writeable = False
    return x


def call(function, *arguments, **words):
    """The result, or the exception."""
    try:
        return function(*arguments, **words)
    except Exception as failure:
        return failure


def assert_same(got, expected, what):
    """Equal type, shape and numbers within the rounding of both; of failures, a type that a handler of SciPy's catches."""
    if isinstance(expected, RuntimeError) and 'unsupported data type' in str(expected) and not isinstance(got, Exception):
        return  # float16 in another byte order, which SciPy's engine cannot read
    if isinstance(expected, Exception):
        # Where SciPy's engine raises RuntimeError for a length, a ValueError says it.
        allowed = (type(expected), ValueError) if type(expected) is RuntimeError else type(expected)
        assert isinstance(got, allowed), f'{what}: SciPy raises {expected!r}, ulpfft gives {got!r}'
        return
    assert not isinstance(got, Exception), f'{what}: {got!r}'
    assert got.dtype == expected.dtype, f'{what}: {got.dtype}, SciPy {expected.dtype}'
    assert got.shape == expected.shape, f'{what}: {got.shape}, SciPy {expected.shape}'
    if expected.dtype.kind not in 'fc':
        assert np.array_equal(got, expected), what
        return
    eps = np.finfo(expected.dtype).eps
    # Both err by at most about eps * sqrt(log2 n) in the norm (docs/accuracy.md), cosine transforms of type 1 by that of an odd length.
    limit = 10 * eps * np.linalg.norm(expected.ravel().astype(np.clongdouble))
    off = np.linalg.norm((got.astype(np.clongdouble) - expected).ravel())
    assert off <= limit, f'{what}: off by {off:.2e}, limit {limit:.2e}'
