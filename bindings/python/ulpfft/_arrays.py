# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""What calls seldom need before a plan takes their array: other types, padding, copies. The extension calls these functions."""
import numpy as np


def as_numbers(x):
    """`x` as an aligned ndarray in the machine's byte order, of float16, float32, float64, complex64 or complex128, by SciPy's rules."""
    x = np.asarray(x)
    if x.dtype in (np.longdouble, np.clongdouble) and x.dtype not in (np.float64, np.complex128):
        raise TypeError(f'ulpfft has no transforms of {x.dtype.name}: convert to float64 or complex128, or call scipy.fft')
    if x.dtype.kind not in 'fc':
        x = np.asarray(x, np.float64)
    elif x.dtype.newbyteorder('=') not in (np.float16, np.float32, np.float64, np.complex64, np.complex128):
        raise TypeError(f'ulpfft.fft has no transforms of {x.dtype.name}: use ulpfft.Plan')
    x = np.require(x, x.dtype.newbyteorder('='), 'A')
    if any(step % x.itemsize for step in x.strides):
        x = x.copy()
    return x if type(x) is np.ndarray else x.view(np.ndarray)


def as_complex(x):
    """Real numbers as complex ones, of float16 as complex64."""
    return x.astype(np.complex128 if x.dtype == np.float64 else np.complex64)


def padded(x, lengths, axes):
    """`x` cut or filled with zeros to `lengths` along `axes`."""
    shape = list(x.shape)
    part = [slice(None)] * x.ndim
    for n, axis in zip(lengths, axes):
        shape[axis] = n
        part[axis] = slice(0, min(n, x.shape[axis]))
    result = np.zeros(shape, x.dtype)
    result[tuple(part)] = x[tuple(part)]
    return result


def dense(x):
    """A row-major copy."""
    return np.array(x, order='C')
