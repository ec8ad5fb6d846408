# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Arrays in narrow formats: codes of numbers and back, and which NumPy types they are."""
import os

import numpy as np

from . import _core

_ROUNDINGS = {'saturate': 0, 'nearest': 1, 'stochastic': 2}
# Element formats as NumPy and ml_dtypes name them, where they do.
_TYPES = {'f16': 'float16', 'bf16': 'bfloat16', 'e4m3': 'float8_e4m3fn', 'e4m3fnuz': 'float8_e4m3fnuz', 'e5m2': 'float8_e5m2',
          'e5m2fnuz': 'float8_e5m2fnuz', 'e8m0': 'float8_e8m0fnu', 'e2m3': 'float6_e2m3fn', 'e3m2': 'float6_e3m2fn',
          'e2m1': 'float4_e2m1fn', 'i16': 'int16', 'i8': 'int8', 'u8': 'uint8'}
_SMALL_INTEGERS = ('int1', 'int2', 'int4', 'uint1', 'uint2', 'uint4')  # of ml_dtypes: i8 holds their numbers
_COMPLEX = {'f16': 'complex32', 'bf16': 'bcomplex32'}
_FORMATS = {row['name']: row for row in _core.formats()}


def formats():
    """Every format of this build, as a list of dicts: name, source, kind ('wide', 'element', 'integer', 'block'), bits, largest, ..."""
    return [dict(row) for row in _FORMATS.values()]


def facts_of(storage):
    """The format that a storage such as 'mxfp8_e4m3:b8:floor' names."""
    try:
        return _FORMATS[storage.split(':')[0]]
    except KeyError:
        raise ValueError(f"There is no format '{storage}'. Possible are {', '.join(_FORMATS)}.") from None


def _dtype(name):
    try:
        return np.dtype(name)
    except TypeError:
        try:
            import ml_dtypes
        except ImportError:
            return None
        return np.dtype(getattr(ml_dtypes, name)) if hasattr(ml_dtypes, name) else None


def number_type(storage, is_complex):
    """The NumPy type of one number of a storage, or None: complex numbers are pairs then, or there is none."""
    if storage in ('f32', 'f64'):
        wide = 'complex' if is_complex else 'float'
        return np.dtype(wide + str((64 if storage == 'f32' else 128) // (1 if is_complex else 2)))
    name = (_COMPLEX if is_complex else _TYPES).get(storage)
    return None if name is None else _dtype(name)


def storage_of(dtype):
    """(storage, is_complex) of a NumPy type, or None."""
    wide = {'float32': ('f32', False), 'float64': ('f64', False), 'complex64': ('f32', True), 'complex128': ('f64', True)}
    known = {name: (storage, False) for storage, name in _TYPES.items()} | {name: (storage, True) for storage, name in _COMPLEX.items()}
    return (wide | known).get(np.dtype(dtype).name)


def is_packed(storage):
    """Whether codes are no whole bytes, and lie without gaps."""
    facts = facts_of(storage)
    return facts['kind'] == 'element' and facts['bits'] % 8 != 0


def pack(codes, bits):
    """Codes, one to a byte, as rows of a bit stream, bit 0 first."""
    spread = np.unpackbits(codes[..., None], axis=-1, bitorder='little')[..., :bits]
    return np.packbits(spread.reshape(codes.shape[:-1] + (-1,)), axis=-1, bitorder='little')


def unpack(rows, bits, count):
    """The inverse of `pack`: `count` codes of each row, one to a byte."""
    spread = np.unpackbits(rows, axis=-1, bitorder='little')[..., :bits * count]
    return np.packbits(spread.reshape(rows.shape[:-1] + (count, bits)), axis=-1, bitorder='little')[..., 0]


def row_bytes(storage, shape, is_complex):
    """Bytes of the codes of a row, and of its scales. Rows lie along the last axis; how many there are does not matter."""
    if 0 in shape:
        return 0, 0
    return _core.layout(storage, [shape[-1] * (2 if is_complex else 1)])[1:]


def _axis_of(axis, rank):
    if not -rank <= axis < rank:
        raise np.exceptions.AxisError(axis, rank)
    return axis % rank


class NarrowArray:
    """Numbers in a narrow format: their codes, and of block formats the scales.

    Rows lie along one axis, the last one unless it is said; each begins a new byte, a new block and a new scale. `numpy.asarray` decodes.

    Attributes
    ----------
    format : str
        A storage as problem texts have it, e.g. 'f16' or 'mxfp8_e4m3:b8:floor'.
    shape : tuple of int
        Of the numbers.
    is_complex : bool
    axis : int
        That rows lie along, counted from 0. Plans take arrays with rows along the last one.
    codes : ndarray of uint8, shape without `axis` + (bytes of a row,)
    scales : ndarray of uint8, shape without `axis` + (bytes of a row,), or None
    exponents : ndarray of int32, or None
        One power of two per transform, of a batch whose shape the array has: the numbers are codes times 2**exponent.
    saturated : int
        Real numbers that were beyond the largest value as the array was made.

    Examples
    --------
    >>> import numpy as np
    >>> import ulpfft
    >>> x = ulpfft.encode(np.array([1.0, 0.3, 100.0]), 'e2m1')
    >>> np.asarray(x)
    array([1. , 0.5, 6. ], dtype=float32)
    >>> x.saturated, x.nbytes
    (1, 2)
    """

    def __init__(self, codes, format, shape, is_complex, scales=None, exponents=None, saturated=0, axis=-1):
        self.shape = tuple(shape)
        self.axis = _axis_of(axis, len(self.shape))
        by_rows = self._by_rows()
        codes_bytes, scale_bytes = row_bytes(format, by_rows, is_complex)
        for name, rows, needed in (('codes', codes, codes_bytes), ('scales', scales, scale_bytes)):
            if rows is None and needed == 0:
                continue
            if rows is None or rows.dtype != np.uint8 or rows.shape != by_rows[:-1] + (needed,):
                found = None if rows is None else f'{rows.dtype}{list(rows.shape)}'
                raise ValueError(f'{name} are {found}; {format} of shape {list(shape)} has uint8{[*by_rows[:-1], needed]}.')
        self.codes = np.ascontiguousarray(codes)
        self.scales = None if scale_bytes == 0 else np.ascontiguousarray(scales)
        self.format = format
        self.is_complex = is_complex
        self.exponents = exponents
        self.saturated = saturated

    def _by_rows(self):
        """The shape with rows along the last axis."""
        return self.shape[:self.axis] + self.shape[self.axis + 1:] + (self.shape[self.axis],)

    def along_last(self, name):
        """Refuses an array that no plan takes."""
        if self.axis != self.ndim - 1:
            raise ValueError(f'{name} has rows along axis {self.axis} of {list(self.shape)}; plans take them along the last one. Transform '
                             f'numpy.moveaxis of the decoded array, or encode it anew along axis {self.ndim - 1}.')

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def nbytes(self):
        """Bytes of codes and scales."""
        return self.codes.nbytes + (0 if self.scales is None else self.scales.nbytes)

    @property
    def dtype(self):
        """The type that `numpy.asarray` gives."""
        return number_type(facts_of(self.format)['compute'], self.is_complex)

    def __len__(self):
        return self.shape[0]

    def __repr__(self):
        kind = 'complex' if self.is_complex else 'real'
        along = '' if self.axis == self.ndim - 1 else f' along axis {self.axis}'
        return f'<ulpfft.NarrowArray {self.format} {kind} {"x".join(map(str, self.shape))}{along}, {self.nbytes} bytes>'

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError('A NarrowArray is decoded into a new array; copy=False cannot be kept.')
        return decode(self) if dtype is None else decode(self).astype(dtype)

    def save(self, path):
        """Writes a narrow array file: `path`, which ends in .json, and the files of codes, scales and exponents beside it.

        Raises
        ------
        OSError
            Where a file cannot be written; old files are as they were then.
        """
        exponents, shared = None, ()
        if self.exponents is not None:
            exponents = np.ascontiguousarray(self.exponents, np.int32)
            shared = exponents.shape + (1,) * (self.ndim - exponents.ndim)
        _core.write_array(os.fspath(path), self.format, self.is_complex, self.shape, self.axis, self.codes, self.scales, exponents,
                          shared)

    @classmethod
    def load(cls, path):
        """Reads a narrow array file, NAME.json, that `save` or the program `ulpfft` wrote.

        Raises
        ------
        OSError
            Where a file cannot be read.
        ValueError
            Where it holds something else.

        Examples
        --------
        >>> import os, tempfile
        >>> import ulpfft
        >>> path = os.path.join(tempfile.mkdtemp(), 'x.json')
        >>> ulpfft.encode([1.0, 2.0, 4.0], 'e4m3').save(path)
        >>> ulpfft.NarrowArray.load(path)
        <ulpfft.NarrowArray e4m3 real 3, 3 bytes>
        """
        path = os.fspath(path)
        if not path.endswith('.json'):
            raise ValueError(f"'{path}' does not end in .json, as narrow array files do; numpy.load reads others.")
        file = _core.ArrayFile(path)
        facts = file.facts()
        shape = facts['shape'] or (1,)
        by_rows = shape[:facts['axis']] + shape[facts['axis'] + 1:] + (shape[facts['axis']],)
        rows = row_bytes(facts['storage'], by_rows, facts['is_complex'])
        codes, scales = (np.empty(by_rows[:-1] + (count,), np.uint8) for count in rows)
        exponents = np.empty(facts['exponent_shape'], np.int32) if 'exponent_shape' in facts else None
        for part, array in enumerate((codes, scales, exponents)):
            if array is not None and array.nbytes:
                file.read(part, array.nbytes, array)
        while exponents is not None and exponents.ndim and exponents.shape[-1] == 1:
            exponents = exponents[..., 0]  # one for a whole transform
        return cls(codes, facts['storage'], shape, facts['is_complex'], scales if rows[1] else None, exponents, axis=facts['axis'])

    def native(self):
        """The codes as NumPy and ml_dtypes have them: float16, bfloat16, float8_..., and for numbers below a byte one to a byte.

        Complex numbers are complex32 or bcomplex32 where ml_dtypes has them, else pairs along a last axis of 2.

        Raises
        ------
        ValueError
            For block formats, which no NumPy type holds, and where ml_dtypes is missing.
        """
        whole, part = number_type(self.format, self.is_complex), number_type(self.format, False)
        if self.is_complex and whole is not None:
            return np.moveaxis(self.codes.view(whole), -1, self.axis)
        if part is None:
            raise ValueError(f'NumPy has no type for {self.format}{"" if self.format not in _TYPES else ": install ml_dtypes"}.')
        codes = self.codes
        if is_packed(self.format):
            codes = unpack(codes, facts_of(self.format)['bits'], self.shape[self.axis] * (2 if self.is_complex else 1))
        numbers = codes.view(part).reshape(self._by_rows() + ((2,) if self.is_complex else ()))
        return np.moveaxis(numbers, self.ndim - 1, self.axis)


def from_native(x, storage, is_complex, shape):
    """Codes of an array of the storage's own NumPy type, complex numbers as such or as pairs; None where it is another array."""
    if storage == 'i8' and x.dtype.name in _SMALL_INTEGERS:
        x = x.astype(np.int8)
    if is_complex and x.dtype == number_type(storage, True) and x.shape == shape:
        part = x
    elif x.dtype == number_type(storage, False) and x.shape == shape + ((2,) if is_complex else ()):
        part = x.reshape(shape[:-1] + (-1,))
    else:
        return None
    codes = np.ascontiguousarray(part).view(np.uint8)
    return pack(codes, facts_of(storage)['bits']) if is_packed(storage) else codes


def encode(x, format, rounding='saturate', seed=0, axis=-1):
    """Numbers in a narrow format.

    Parameters
    ----------
    x : array_like
        Real or complex numbers. float64 and complex128 are rounded once.
    format : str
        An element format ('f16', 'e4m3', 'i16', ...) or a block format ('mxfp8_e4m3', 'mxfp8_e4m3:b8:floor', ...); see `formats`.
    rounding : {'saturate', 'nearest', 'stochastic'}
        To nearest, ties to even, and beyond the largest value that value; or infinity or NaN there, where the format has one; or up or
        down at random by the distance, from `seed`.
    axis : int
        That rows, and with them blocks, lie along. Plans take arrays with rows along the last one.

    Returns
    -------
    NarrowArray

    Raises
    ------
    ValueError
        For an unknown format or rounding, or f32 and f64.

    Examples
    --------
    >>> import numpy as np
    >>> import ulpfft
    >>> ulpfft.encode(np.ones((4, 100), 'c8'), 'mxfp8_e4m3')
    <ulpfft.NarrowArray mxfp8_e4m3 complex 4x100, 828 bytes>
    """
    x = np.asarray(x)
    is_complex = x.dtype.kind in 'c' or (storage_of(x.dtype) or ('', False))[1]
    wide = x.dtype.itemsize > (8 if is_complex else 4) or x.dtype.kind in 'iu' and x.dtype.itemsize > 2
    axis = _axis_of(axis, max(x.ndim, 1))
    numbers = x.shape or (1,)
    x = np.ascontiguousarray(np.moveaxis(x.reshape(numbers), axis, -1), number_type('f64' if wide else 'f32', is_complex))
    if rounding not in _ROUNDINGS:
        raise ValueError(f"rounding is '{rounding}'. Possible are 'saturate', 'nearest' and 'stochastic'.")
    facts_of(format)
    codes_bytes, scale_bytes = row_bytes(format, x.shape, is_complex)
    codes = np.empty(x.shape[:-1] + (codes_bytes,), np.uint8)
    scales = np.empty(x.shape[:-1] + (scale_bytes,), np.uint8) if scale_bytes else None
    rows = x.size // x.shape[-1] if x.size else 0
    saturated = _core.encode(format, wide, rows, x.shape[-1] * (2 if is_complex else 1), x, codes, scales, _ROUNDINGS[rounding], seed)
    return NarrowArray(codes, format, numbers, is_complex, scales, None, saturated, axis)


def decode(narrow, dtype=None):
    """The numbers of a NarrowArray, or of an array of ml_dtypes, as float32, complex64 or, where a format needs it, in double precision.

    Exponents are applied.

    Examples
    --------
    >>> import numpy as np
    >>> import ulpfft
    >>> ulpfft.decode(ulpfft.encode([1.0, 2.0], 'bf16'))
    array([1., 2.], dtype=float32)
    """
    if not isinstance(narrow, NarrowArray):
        x = np.asarray(narrow)
        known = storage_of(x.dtype)
        if known is None:
            raise ValueError(f'{x.dtype.name} is no narrow format.')
        result = x.astype(number_type('f64' if known[0] == 'f64' else 'f32', known[1]))
        return result if dtype is None else result.astype(dtype)
    row = narrow.shape[narrow.axis]
    result = np.empty(narrow.codes.shape[:-1] + (row,), narrow.dtype)
    rows = narrow.size // row if narrow.size else 0
    reals = row * (2 if narrow.is_complex else 1)
    _core.decode(narrow.format, result.real.dtype == np.float64, rows, reals, narrow.codes, narrow.scales, result)
    result = np.moveaxis(result, -1, narrow.axis)
    if narrow.exponents is not None:
        exponents = narrow.exponents.reshape(narrow.exponents.shape + (1,) * (narrow.ndim - narrow.exponents.ndim))
        result *= np.exp2(exponents.astype(result.real.dtype))
    return result if dtype is None else result.astype(dtype)
