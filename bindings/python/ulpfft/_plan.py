# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Plans that a program makes itself."""
import weakref

import numpy as np

from . import _core
from ._arrays import from_elsewhere
from ._axes import FULL, HALF, REAL
from ._formats import NarrowArray, encode, from_native, number_type, row_bytes
from ._problem import problem_text, read_sides, with_words
from ._progress import reporter


def _strided(side, dtype):
    """An array of a side's shape and strides, uninitialised."""
    if not side.strides:
        return np.empty(side.shape, dtype)
    reach = [(n - 1) * step for n, step in zip(side.shape, side.strides)]
    first = -sum(r for r in reach if r < 0)
    base = np.empty(1 + sum(abs(r) for r in reach), dtype)
    return np.lib.stride_tricks.as_strided(base[first:], side.shape, [step * dtype.itemsize for step in side.strides])


def _called_with_tiles(function, dtype):
    """`function` of (values, index, transform) as one of the memory of a tile."""
    def on_tile(memory, rows, columns, row_stride, transform, first, row_step):
        values = np.ndarray((rows, columns), dtype, memory, strides=(row_stride * dtype.itemsize, dtype.itemsize))
        index = first + row_step * np.arange(rows)[:, None] + np.arange(columns)
        function(values, index, transform)
        seen = weakref.ref(values)
        del values
        if seen() is not None:
            raise ValueError('apply keeps an array of the spectrum, whose memory is lent for the call: copy it.')
    return on_tile


def _lies_so(x, side):
    """Whether an array has the strides of a side."""
    if not side.strides:
        return x.flags.c_contiguous
    return all(n == 1 or step == wanted * x.itemsize for n, step, wanted in zip(x.shape, x.strides, side.strides))


class Plan:
    """A transform that was planned: its problem, the recipe found for it, and its tables.

    Parameters
    ----------
    problem : str, int or sequence of ints
        A problem text, e.g. '256x256*8 f32->f16 inverse scale=ortho'; or the lengths, with the rest as keywords.
    **words
        The words of a problem text as keywords: storage, storage_out, kind ('c2c', 'r2c', 'c2r', 'r2r', 'czt'), batch, inverse, centered,
        scale, max_error, scheme, threads, in_place, split, in_strides, out_strides, batch_strides, intermediate, chain, prescale, kinds,
        window, output, points, start, step, ...
    effort : {'estimate', 'measure', 'patient', 'exhaustive', 'wisdom_only'}
        How hard to look; 'measure' times recipes for a second at most, but for `time_limit`.
    time_limit : float
        Seconds; 0 for that of the effort.
    deterministic : bool
        The same recipe on every machine, without timing.
    judge : array_like
        Numbers of the problem's input, on which `max_error` and `error` are judged instead of random ones.
    measure_error : bool
        `error` is measured, not predicted.
    progress : bool or callable
        True draws a bar by tqdm, or lines where that is not installed. A callable gets (fraction, text) every 30 ms; a true result
        cancels, which raises ulpfft.Error.

    Raises
    ------
    ulpfft.Error
        A problem that does not parse (`span` tells where), that no strategy serves, or whose `max_error` no recipe keeps: then the
        message names the least error there is.
    MemoryError
        A plan that does not fit in memory, or in `max_memory` bytes.

    Notes
    -----
    A plan is immutable, and any number of threads may call it at once. The GIL is released.

    Examples
    --------
    >>> import numpy as np
    >>> import ulpfft
    >>> plan = ulpfft.Plan('8 f64', effort='estimate')
    >>> plan(np.arange(8))[0]
    np.complex128(28+0j)
    >>> ulpfft.Plan(1000, storage='f32', storage_out='f16', scale='ortho', effort='estimate').problem
    '1000 f32->f16 scale=ortho'
    """

    @with_words
    def __init__(self, problem, /, *, effort='measure', time_limit=0.0, deterministic=False, judge=None, measure_error=False, max_memory=0,
                 progress=False, recipe=None, **words):
        text = problem if isinstance(problem, str) else problem_text(problem, **words)
        if isinstance(problem, str) and words:
            raise TypeError(f'A problem text says everything: give {", ".join(words)} in it.')
        if recipe is not None:
            self._plan = _core.Plan(text, recipe)
            self._sides = read_sides(self._plan.problem)
            return
        judged = None
        if judge is not None:
            self._sides = read_sides(_core.Plan(_without_limit(text), 'estimate', 0.0, False, False, 0, None, None).problem)
            judged = self._input(judge)[0]
        with reporter(progress, text) as report:
            self._plan = _core.Plan(text, effort, time_limit, deterministic, measure_error, max_memory, judged, report)
        self._sides = read_sides(self._plan.problem)

    problem = property(lambda self: self._plan.problem, doc='The problem as text.')
    recipe = property(lambda self: self._plan.recipe, doc='The recipe as text, e.g. "f32:dit(16 8 8)".')
    error = property(lambda self: self._plan.error, doc='Relative L2 error of random data, predicted unless error_is_measured.')
    error_is_measured = property(lambda self: self._plan.error_is_measured)
    seconds = property(lambda self: self._plan.seconds, doc='Measured seconds of one execution; 0 where nothing was timed.')
    planning_seconds = property(lambda self: self._plan.planning_seconds, doc='Seconds that planning took.')
    workspace_bytes = property(lambda self: self._plan.workspace_bytes, doc='Scratch bytes of one execution.')
    threads = property(lambda self: self._plan.threads, doc='Threads that an execution uses.')
    from_wisdom = property(lambda self: self._plan.from_wisdom, doc='Whether the recipe came from wisdom and nothing was timed.')
    shape = property(lambda self: self._sides.into.shape, doc='Of the input, in numbers, batch first.')
    out_shape = property(lambda self: self._sides.out.shape, doc='Of the output.')

    def describe(self):
        """Several lines for people: problem, recipe, operations, seconds, error, workspace, hash."""
        return self._plan.describe()

    def explain(self):
        """The passes that the plan runs, in their loops. For people: the form may change."""
        return self._plan.explain()

    def candidates(self):
        """What the planner considered, best first: a list of dicts."""
        return self._plan.candidates()

    def hash(self):
        """64 bits of the results of a fixed input: equal for equal recipes on every machine with FMA."""
        return self._plan.hash()

    def __repr__(self):
        return f"<ulpfft.Plan '{self.problem}' by '{self.recipe}'>"

    def _input(self, x):
        """(parts for the extension, the form that the caller has, what must be kept alive)."""
        side = self._sides.into
        if self._sides.split:
            return self._split_parts(x, side, 'in'), 'split', None
        if isinstance(x, NarrowArray) and (x.format, x.shape, x.is_complex) == (side.storage, side.shape, side.is_complex):
            x.along_last('x')
            exponents = None if x.exponents is None else np.array(np.broadcast_to(x.exponents, self._sides.batch), np.int32, order='C')
            return (x.codes, None, x.scales, None, exponents), 'narrow', x
        x = np.asarray(from_elsewhere(x))
        wide = number_type(side.storage, side.is_complex) if side.storage in ('f32', 'f64') else None
        if wide is not None:
            if x.shape != side.shape:
                raise ValueError(f'x has shape {list(x.shape)}; the plan takes {list(side.shape)}.')
            if x.dtype.kind == 'c' and not side.is_complex:
                raise TypeError('x is complex; the plan takes real numbers')
            if x.dtype != wide or not _lies_so(x, side) or not x.flags.aligned:
                laid = _strided(side, wide)
                laid[...] = x
                x = laid
            return (x, None, None, None, None), 'wide', x
        codes = from_native(x, side.storage, side.is_complex, side.shape)
        if codes is not None and not side.strides:
            return (codes, None, None, None, None), 'native' if x.shape == side.shape else 'pairs', codes
        if x.shape != side.shape:
            pairs = f', or pairs {[*side.shape, 2]} of {side.storage}' if side.is_complex else ''
            raise ValueError(f'x has shape {list(x.shape)} of {x.dtype.name}; the plan takes {list(side.shape)}{pairs}.')
        if side.strides:
            raise ValueError('Strides of narrow storage are for the C interface.')
        narrow = encode(x, side.storage)
        return (narrow.codes, None, narrow.scales, None, None), 'narrow', narrow

    def _split_parts(self, x, side, name):
        """Of (re, im), two arrays of real numbers."""
        wide = number_type(side.storage, False) if side.storage in ('f32', 'f64') else None
        if wide is None or side.strides:
            raise ValueError('Split arrays are taken dense and in f32 or f64.')
        parts = [np.ascontiguousarray(part, wide) for part in (x if side.is_complex else (x,))]
        if len(parts) != (2 if side.is_complex else 1) or any(part.shape != side.shape for part in parts):
            raise ValueError(f'{name}: this plan is split and takes real and imaginary parts of shape {list(side.shape)}.')
        return (*parts, None, None, None) if side.is_complex else (parts[0], None, None, None, None)

    def _new_output(self, form, exponents):
        """(parts, what the caller gets as a function of the count of saturated numbers)."""
        side, batch = self._sides.out, self._sides.batch
        powers = np.zeros(batch or (1,), np.int32) if exponents else None
        if self._sides.split:
            parts = [np.empty(side.shape, number_type(side.storage, False)) for _ in range(2 if side.is_complex else 1)]
            return (*parts, *[None] * (4 - len(parts)), powers), lambda _: tuple(parts) if side.is_complex else parts[0]
        if side.storage in ('f32', 'f64'):
            result = _strided(side, number_type(side.storage, side.is_complex))
            if powers is None:
                return (result, None, None, None, None), lambda _: result
            return (result, None, None, None, powers), lambda _: (result, powers.reshape(batch))
        codes_bytes, scale_bytes = row_bytes(side.storage, side.shape, side.is_complex)
        codes = np.empty(side.shape[:-1] + (codes_bytes,), np.uint8)
        scales = np.empty(side.shape[:-1] + (scale_bytes,), np.uint8) if scale_bytes else None

        def finished(saturated):
            given_powers = None if powers is None else powers.reshape(batch)
            narrow = NarrowArray(codes, side.storage, side.shape, side.is_complex, scales, given_powers, saturated)
            if form not in ('native', 'pairs') or scales is not None or powers is not None:
                return narrow
            native = narrow.native()
            if form == 'native' or not side.is_complex:
                return native
            return native.view(number_type(side.storage, False)).reshape(side.shape + (2,))

        return (codes, None, scales, None, powers), finished

    def _given_output(self, out):
        side = self._sides.out
        if isinstance(out, NarrowArray):
            if (out.format, out.shape, out.is_complex) != (side.storage, side.shape, side.is_complex):
                raise ValueError(f'out is {out!r}; the plan writes {side.storage} {list(side.shape)}.')
            out.along_last('out')
            return out.codes, None, out.scales, None, out.exponents
        dtype = number_type(side.storage, side.is_complex)
        if side.storage not in ('f32', 'f64') or self._sides.split:
            raise ValueError('out is an ndarray of f32 or f64 storage, or a NarrowArray.')
        if not isinstance(out, np.ndarray) or out.dtype != dtype or out.shape != side.shape or not _lies_so(out, side):
            raise ValueError(f'out is {type(out).__name__} {getattr(out, "dtype", "")}{list(getattr(out, "shape", ()))}; the plan writes '
                             f'{dtype}{list(side.shape)}, {"strides " + str(list(side.strides)) if side.strides else "row-major"}.')
        if not out.flags.writeable:
            raise ValueError('out is read-only.')
        return out, None, None, None, None

    def __call__(self, x, out=None, *, factors=None, apply=None, exponents=False):
        """Transforms an array.

        Parameters
        ----------
        x : array_like, NarrowArray, or (re, im) of split plans
            Of `shape`. Numbers of another type, or with other strides, are copied; wide numbers for a plan of narrow storage are encoded.
            Arrays of the storage's own type are taken as they are: complex32 and bcomplex32, or pairs along a last axis of 2. Those of
            int4 and its kin go into plans of i8.
        out : ndarray or NarrowArray, optional
            Where the result goes. In place plans write into `x` itself.
        factors : array_like, optional
            Of a plan with chain=mul: what the spectrum is multiplied by, one complex number per point of it.
        apply : callable, optional
            Of a plan with chain=user: what changes the spectrum, as a function of (values, index, transform). It changes the numbers of
            `values` in place, rows x columns of a part of one spectrum; `index` has their places in it, counted row-major; `transform` is
            that of the batch. Parts come in any order and, of plans with several threads, from several threads. The memory is lent for
            the call. An exception of it is raised here, and the result is unfinished then.
        exponents : bool
            Narrow results get one power of two per transform that keeps them in range (`NarrowArray.exponents`).

        Returns
        -------
        ndarray, NarrowArray or tuple
            `out` where it is given. f32 and f64 results are ndarrays. Narrow ones are like `x`: of the same kind of array where it is one
            of ml_dtypes or of pairs, else a NarrowArray.

        Notes
        -----
        r2c and c2r in place take and change an array of the spectrum, in whose memory the real numbers lie with padded rows: r2c returns
        it, c2r the view of its real numbers.

        Examples
        --------
        >>> import numpy as np
        >>> import ulpfft
        >>> plan = ulpfft.Plan('r2c 6 f64 inplace', effort='estimate')
        >>> spectrum = np.empty(plan.out_shape, 'complex128')
        >>> spectrum.view('float64')[:6] = 1
        >>> plan(spectrum) + 0.0
        array([6.+0.j, 0.+0.j, 0.+0.j, 0.+0.j])

        >>> def lowpass(values, index, transform):
        ...     values[index > 1] = 0
        >>> chain = ulpfft.Plan('r2c 4 f64 chain=user scale=1/n', effort='estimate')
        >>> chain([1.0, 0.0, 1.0, 0.0], apply=lowpass)
        array([0.5, 0.5, 0.5, 0.5])
        """
        sides = self._sides
        for name, given, chain in (('factors', factors, 'mul'), ('apply', apply, 'user')):
            if (sides.chain == chain) != (given is not None):
                raise ValueError(f'{name} goes with chain={chain}, and chain={chain} needs it.')
        spectrum, real_bytes = None if factors is None else self._spectrum(factors), 0
        if apply is not None:
            spectrum, real_bytes = _called_with_tiles(apply, self._spectrum_type()), self._spectrum_type().itemsize // 2

        def run(given, parts):
            return self._plan.execute(given, parts, spectrum, real_bytes)

        if sides.in_place and sides.kind in ('r2c', 'c2r') and not sides.chain:
            return self._in_place_padded(x, run, out)
        given, form, kept = self._input(x)
        if sides.in_place:
            return self._in_place(x, given, form, kept, run, out)
        if out is not None:
            saturated = run(given, self._given_output(out))
            if isinstance(out, NarrowArray):
                out.saturated = saturated
            return out
        parts, finished = self._new_output(form, exponents)
        return finished(run(given, parts))

    def _in_place(self, x, given, form, kept, run, out):
        if out is not None and out is not x:
            raise ValueError('The plan is in place: out is x, or not given.')
        same_parts = form == 'split' and all(a is b for a, b in zip(x, given))
        if same_parts or kept is x or (form in ('native', 'pairs') and np.shares_memory(kept, x)):
            run(given, given)
            return x
        raise ValueError(f"The plan is in place: x is an array of {self._sides.into.storage} with the plan's strides, taken as it is.")

    def _in_place_padded(self, x, run, out):
        """r2c or c2r in the memory of a spectrum, whose rows the real numbers have, padded."""
        real, half = (self._sides.into, self._sides.out) if self._sides.kind == 'r2c' else (self._sides.out, self._sides.into)
        part, whole = number_type(half.storage, False), number_type(half.storage, True)
        is_array = isinstance(x, np.ndarray) and x.flags.writeable and x.flags.aligned and (out is None or out is x)
        as_pairs = is_array and x.dtype == part and x.shape == half.shape + (2,) and not half.strides and x.flags.c_contiguous
        if not as_pairs and not (is_array and x.dtype == whole and x.shape == half.shape and _lies_so(x, half)):
            raise ValueError(f'The plan is in place: x is an array for the spectrum, {whole}{list(half.shape)} with the plan\'s strides, '
                             f'whose memory has the real numbers, x.view({part}) without its padding.')
        numbers = x.reshape(half.shape[:-1] + (-1,)) if as_pairs else x.view(part)
        memory = x if x.dtype.kind in 'fc' else x.view(np.uint8)
        run((memory, None, None, None, None), (memory, None, None, None, None))
        return x if real is self._sides.into else numbers[..., :real.shape[-1]]

    def _spectrum_type(self):
        return np.dtype(np.complex128 if self.recipe.startswith(('f64', 'split:i8')) else np.complex64)

    def _spectrum(self, factors):
        lengths = self._sides.into.shape[len(self._sides.batch):]
        if self._sides.kind == 'r2c':
            lengths = lengths[:-1] + (lengths[-1] // 2 + 1,)
        factors = np.ascontiguousarray(factors, self._spectrum_type())
        if factors.shape != lengths:
            raise ValueError(f'factors have shape {list(factors.shape)}; a spectrum of this plan has {list(lengths)}.')
        return factors

    def assess(self, x=None, *, every_output=False):
        """The measured error of this plan on `x`, or on random data.

        Parameters
        ----------
        x : array_like or NarrowArray, optional
            As a call takes it; only read.
        every_output : bool
            Compares every output, not a sample.

        Returns
        -------
        dict
            relative_l2, relative_largest, and how many outputs were compared.

        Examples
        --------
        >>> import ulpfft
        >>> ulpfft.Plan('64 f16', effort='estimate').assess()['relative_l2'] < 1e-3
        True
        """
        kept = None if x is None else self._input(x)
        report = self._plan.assess(None if kept is None else kept[0], every_output)
        return dict(zip(('relative_l2', 'relative_largest', 'outputs'), report))

    def execute_for(self, x, norm, family, forward):
        """For `plan=` of `ulpfft.fft`: refuses a plan of another kind or direction."""
        kind = {FULL: 'c2c', HALF: 'r2c', REAL: 'c2r'}[family]
        inverse = forward if family == REAL else not forward
        if self._sides.kind != kind or self._sides.inverse != inverse or norm is not None:
            needed = f"{kind}{' inverse' if inverse else ''}"
            raise ValueError(f"The plan is of '{self.problem}'; this call needs {needed}, and the plan says the norm.")
        return self(x)


def _without_limit(text):
    return ' '.join(word for word in text.split() if not word.startswith('max_error='))
