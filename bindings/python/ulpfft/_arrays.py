# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""What calls seldom need before a plan takes their array: other types, padding, copies. The extension calls these functions."""
import numpy as np


def from_elsewhere(x):
    """Arrays of other libraries in the processor's memory, by DLPack; everything else as it is.

    NumPy before 2.5 does not take bfloat16 by DLPack: torch's tensors of it are read as int16.
    """
    if isinstance(x, np.ndarray) or not hasattr(x, '__dlpack__') or hasattr(x, '__array_interface__'):
        return x
    if str(getattr(x, 'dtype', '')) == 'torch.bfloat16':
        import ml_dtypes
        import torch
        return np.from_dlpack(x.detach().view(torch.int16)).view(ml_dtypes.bfloat16)
    if hasattr(x, 'detach'):
        x = x.detach()
    try:
        return np.from_dlpack(x)
    except (BufferError, RuntimeError, TypeError):
        return np.asarray(x)  # types that DLPack or NumPy does not pass, which the other library converts


def widened(x):
    """Numbers of ml_dtypes as float32 or complex64, as SciPy widens float16."""
    from ._formats import storage_of
    known = storage_of(x.dtype)
    if known is None and x.dtype.name not in ('int2', 'int4', 'uint2', 'uint4', 'int1', 'uint1'):
        raise TypeError(f'ulpfft has no transforms of {x.dtype.name}')
    if known is None:
        return x.astype(np.float64)
    return x.astype(np.complex64 if known[1] else np.float32)


def as_numbers(x):
    """`x` as an aligned ndarray in the machine's byte order, of float16, float32, float64, complex64 or complex128, by SciPy's rules."""
    x = np.asarray(from_elsewhere(x))
    if x.dtype in (np.longdouble, np.clongdouble) and x.dtype not in (np.float64, np.complex128):
        raise TypeError(f'ulpfft has no transforms of {x.dtype.name}: convert to float64 or complex128, or call scipy.fft')
    if type(x.dtype).__module__ == 'ml_dtypes' or x.dtype.kind in 'VW':
        x = widened(x)
    if x.dtype.kind not in 'fc':
        x = np.asarray(x, np.float64)
    elif x.dtype.newbyteorder('=') not in (np.float16, np.float32, np.float64, np.complex64, np.complex128):
        raise TypeError(f'ulpfft has no transforms of {x.dtype.name}')
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
