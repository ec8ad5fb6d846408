# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Shapes and axes of transforms along several axes, by SciPy's rules and with its words for what is wrong."""
import operator
from numbers import Number

import numpy as np

from . import _core
from ._arrays import as_numbers

FULL, HALF, REAL, COSINE, SINE = range(5)  # families, as the extension numbers them
_MOST_AXES = 8  # of one plan


def _integers(x, name):
    if isinstance(x, Number):
        x = (x,)
    try:
        return [operator.index(a) for a in x]
    except TypeError as error:
        raise ValueError(f'{name} must be a scalar or iterable of integers') from error


def shape_and_axes(x, shape, axes):
    """Lengths along axes, and the axes from 0 on."""
    rank = x.ndim
    if axes is not None:
        axes = [a + rank if a < 0 else a for a in _integers(axes, 'axes')]
        if any(a >= rank or a < 0 for a in axes):
            raise ValueError('axes exceeds dimensionality of input')
        if len(set(axes)) != len(axes):
            raise ValueError('all axes must be unique')
    if shape is None:
        axes = list(range(rank)) if axes is None else axes
        shape = [x.shape[a] for a in axes]
    else:
        shape = _integers(shape, 'shape')
        if axes and len(axes) != len(shape):
            raise ValueError('when given, axes and shape arguments have to be of the same length')
        if axes is None:
            if len(shape) > rank:
                raise ValueError('shape requires more axes than are present')
            axes = list(range(rank - len(shape), rank))
        shape = [x.shape[a] if n == -1 else n for n, a in zip(shape, axes)]
    if any(n < 1 for n in shape):
        raise ValueError(f'invalid number of data points ({shape}) specified')
    return shape, axes


def along_axes(x, s, axes, norm, overwrite_x, workers, family, forward, type=None, orthogonalize=None):
    """One transform along several axes."""
    tmp = as_numbers(x)
    if family == HALF and tmp.dtype.kind == 'c':
        raise TypeError('x must be a real sequence')
    lengths, axes = shape_and_axes(tmp, s, axes)
    if not axes:
        if family in (HALF, REAL):
            raise ValueError('at least 1 axis must be transformed')
        return np.asarray(x)
    if family == REAL and s is None:
        lengths[-1] = max(2 * (tmp.shape[axes[-1]] - 1), 1)
    if len(axes) <= _MOST_AXES:
        return _core.along_axes(tmp, axes, lengths, norm, overwrite_x, workers, type, orthogonalize, 2 * family + forward)
    # More axes than a plan has: one part after the other, the halved axis first or last.
    parts = [(axes[:-_MOST_AXES], lengths[:-_MOST_AXES], FULL if family in (HALF, REAL) else family),
             (axes[-_MOST_AXES:], lengths[-_MOST_AXES:], family)]
    for part_axes, part_lengths, part in parts if family == REAL else parts[::-1]:
        tmp = along_axes(tmp, part_lengths, part_axes, norm, overwrite_x, workers, part, forward, type if part == family else None,
                         orthogonalize)
    return tmp
