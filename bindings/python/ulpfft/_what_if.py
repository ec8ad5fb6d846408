# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""What a narrow format would do to a script: its transforms, computed as if their arrays were kept so."""
import contextlib
import dataclasses

import numpy as np

from . import _core
from . import fft as _fft
from ._arrays import as_numbers
from ._formats import encode, facts_of
from .numpy_patch import exchanged

_NAMES = [name for name in _fft.__all__ if name.rstrip('2n').endswith(('fft', 'dct', 'dst'))]


@dataclasses.dataclass
class Row:
    """One problem of a report: the calls of a function with arrays of one shape and type."""
    function: str
    shape: tuple
    dtype: str
    calls: int = 0
    error: float = 0.0  # the largest relative L2 error of a call, against the transform in double precision
    mean_error: float = 0.0
    saturated: int = 0  # real numbers that were beyond the largest value
    bytes: int = 0  # of input and output of one call, as they would be kept
    wide_bytes: int = 0  # as they are


class Report:
    """What happened within `what_if`: a sequence of `Row`, which prints as a table."""

    def __init__(self, storage):
        self.storage = storage
        self._rows = {}

    def __len__(self):
        return len(self._rows)

    def __iter__(self):
        return iter(self._rows.values())

    def __getitem__(self, place):
        return list(self)[place]

    def add(self, function, x, error, saturated, narrow_bytes, wide_bytes):
        """Notes one call."""
        key = function, x.shape, x.dtype.name
        row = self._rows.setdefault(key, Row(*key))
        row.mean_error = (row.mean_error * row.calls + error) / (row.calls + 1)
        row.calls += 1
        row.error = max(row.error, error)
        row.saturated += saturated
        row.bytes, row.wide_bytes = narrow_bytes, wide_bytes

    def __str__(self):
        lines = [f'with arrays in {self.storage}:',
                 f'{"function":9}{"shape":>18} {"type":<11}{"calls":>7}{"error":>10}{"saturated":>11}{"bytes":>8}']
        for row in self:
            shape = 'x'.join(map(str, row.shape))
            share = f'{100 * row.bytes / max(row.wide_bytes, 1):.0f} %'
            lines.append(f'{row.function:9}{shape:>18} {row.dtype:<11}{row.calls:>7}{row.error:>10.1e}{row.saturated:>11}{share:>8}')
        return '\n'.join(lines)

    __repr__ = __str__

    def to_dict(self):
        """Columns by name; `pandas.DataFrame` takes it."""
        fields = [field.name for field in dataclasses.fields(Row)]
        return {name: [getattr(row, name) for row in self] for name in fields}

    def plot(self, axes=None):
        """Draws the error of each problem by matplotlib, and returns its Axes."""
        if axes is None:
            from matplotlib import pyplot
            axes = pyplot.gca()
        labels = [f'{row.function} {"x".join(map(str, row.shape))}' for row in self]
        axes.barh(labels, [row.error for row in self])
        axes.set_xscale('log')
        axes.set_xlabel(f'relative L2 error in {self.storage}')
        return axes


def _kept(x, storage):
    """Numbers as they come back from a storage, what saturated, and its bytes."""
    if storage in ('f32', 'f64'):
        part = np.asarray(x, {'f32': {'c': 'c8'}.get(x.dtype.kind, 'f4'), 'f64': {'c': 'c16'}.get(x.dtype.kind, 'f8')}[storage])
        return part, 0, part.nbytes
    narrow = encode(x, storage)
    return np.asarray(narrow).reshape(x.shape), narrow.saturated, narrow.nbytes


def _storages(spec):
    words = spec.split()
    if len(words) != 1:
        raise ValueError(f"'{spec}' is one storage, or two with '->' between them, e.g. 'f16' or 'i16->mxfp8_e4m3:b8'.")
    word = words[0].removeprefix('storage=')
    storage_in, _, storage_out = word.partition('->')
    for storage in (storage_in, storage_out or storage_in):
        facts_of(storage)
        if storage not in ('f32', 'f64'):
            _core.layout(storage, [1, 2])  # refuses a block length or a rule that there is not
    return storage_in, storage_out or storage_in


class _Served:
    """The functions of `scipy.fft` and `numpy.fft`, as a backend and by name."""

    __ua_domain__ = 'numpy.scipy.fft'

    def __init__(self, storages, report):
        self._storages = storages
        self._report = report

    def call(self, name, x, *arguments, **words):
        """The result as it would be read back, in the type that it has without narrow storage."""
        function = getattr(_fft, name)
        x = as_numbers(x)
        words.pop('overwrite_x', None)
        usual = function(x, *arguments, **words)
        wide = np.result_type(x.dtype, np.float64)
        exact = function(x.astype(wide), *arguments, **words)
        if x.size == 0 or x.ndim == 0:
            return usual
        given, saturated_in, bytes_in = _kept(x, self._storages[0])
        result, saturated_out, bytes_out = _kept(function(given, *arguments, **words), self._storages[1])
        norm = np.linalg.norm(exact)
        with np.errstate(invalid='ignore', over='ignore'):
            error = float(np.linalg.norm((result - exact).ravel()) / norm) if norm > 0 else 0.0
        self._report.add(name, x, error, saturated_in + saturated_out, bytes_in + bytes_out, x.nbytes + usual.nbytes)
        return result.astype(usual.dtype)

    def __ua_function__(self, method, args, kwargs):
        return self.call(method.__name__, *args, **kwargs) if method.__name__ in _NAMES else NotImplemented


@contextlib.contextmanager
def what_if(spec):
    """A context in which every call of `scipy.fft` and `numpy.fft` is computed as if its arrays were kept in a narrow format.

    Of each call the input is encoded and decoded, transformed in the precision that a plan of this storage computes in, and the result is
    encoded and decoded. The script goes on with those numbers, in the types it is used to.

    Parameters
    ----------
    spec : str
        A storage ('f16', 'mxfp8_e4m3', 'e4m3', ...), or two, of input and output: 'i16->f16'.

    Yields
    ------
    Report
        Per problem: calls, the relative L2 error on the script's own numbers against double precision, how many numbers saturated, bytes.

    Raises
    ------
    ValueError
        For a storage that there is not.

    Examples
    --------
    >>> import numpy as np
    >>> import ulpfft
    >>> x = np.random.default_rng(0).standard_normal((8, 256))
    >>> with ulpfft.what_if('mxfp8_e4m3') as report:
    ...     y = np.fft.rfft(x)
    >>> report[0].function, report[0].calls, report[0].error < 0.05, report[0].saturated
    ('rfft', 1, True, 0)
    """
    storages = _storages(spec)
    report = Report(spec)
    served = _Served(storages, report)

    def made_by(name, original):
        def function(a, *arguments, **words):
            if 'out' in words or len(arguments) > 3:
                raise TypeError('what_if serves no out=')
            return served.call(name, a, *arguments, **words)
        return function

    with contextlib.ExitStack() as stack:
        try:
            import scipy.fft
            stack.enter_context(scipy.fft.set_backend(served))
        except ImportError:
            pass
        stack.enter_context(exchanged(made_by))
        yield report
