# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Transforms of torch's 16-bit tensors on the processor, of any length, through which gradients flow.

torch itself refuses them there. Complex numbers are torch.complex32, or pairs (re, im) of float16 or bfloat16 along a last axis of 2, which
`dim` does not count. Results are like arguments; those of `rfftn` are complex32 or, from bfloat16, pairs. The arithmetic is float32 inside;
numbers are rounded once, as they are stored, and saturate: large transforms of float16 want a norm.

    x = torch.randn(20, 20, 10, dtype=torch.bfloat16, requires_grad=True)
    ulpfft.torch.rfftn(x, norm='ortho').square().sum().backward()      # the gradient is x.grad, in bfloat16
"""
import functools
import math

import torch

from ._formats import NarrowArray
from ._plan import Plan
from ._settings import get_effort
from .fft import get_workers

_STORAGES = {torch.float16: 'f16', torch.bfloat16: 'bf16', torch.complex32: 'f16'}


@functools.lru_cache(maxsize=256)
def _plan(lengths, storage, kind, batch, inverse, scale, threads, effort):
    return Plan(lengths, storage=storage, kind=kind, batch=batch, inverse=inverse, scale=scale, threads=threads, effort=effort)


def _by_plan(x, kind, lengths, inverse, scale):
    """`x` has one axis of the batch, those that are transformed and, where its side is complex, one of pairs."""
    plan = _plan(lengths, _STORAGES[x.dtype], kind, x.shape[0], inverse, scale, get_workers(), get_effort())
    codes = x.contiguous().view(torch.int16).numpy().view('uint8').reshape(plan.shape[:-1] + (-1,))
    result = plan(NarrowArray(codes, _STORAGES[x.dtype], plan.shape, kind != 'r2c'))
    return torch.from_numpy(result.codes.view('int16').reshape(result.shape + (2,) * result.is_complex)).view(x.dtype)


def _weighted(half, n, weight):
    """Those numbers of a half spectrum multiplied that stand for two."""
    weights = torch.full((half.shape[-2], 1), weight, dtype=half.dtype)
    weights[0] = 1
    weights[(n + 1) // 2:] = 1
    return half * weights


class _Transform(torch.autograd.Function):
    """Its gradient is the adjoint: the transform of the other direction with the same scale, as kinds have their own sign."""

    @staticmethod
    def forward(ctx, x, kind, lengths, inverse, scale):
        ctx.words = kind, lengths, inverse, scale
        return _by_plan(x, kind, lengths, inverse, scale)

    @staticmethod
    def backward(ctx, gradient):
        kind, lengths, inverse, scale = ctx.words
        if kind == 'c2c':
            result = _Transform.apply(gradient, kind, lengths, not inverse, scale)
        elif kind == 'r2c':
            result = _Transform.apply(_weighted(gradient, lengths[-1], 0.5), 'c2r', lengths, inverse, scale)
        else:
            result = _weighted(_Transform.apply(gradient, 'r2c', lengths, inverse, scale), lengths[-1], 2)
        return result, None, None, None, None


def _transform(x, dim, norm, kind, inverse, last=None):
    if x.dtype not in _STORAGES or x.device.type != 'cpu' or (kind == 'r2c' and x.is_complex()):
        raise TypeError(f'x is {x.dtype} on {x.device}: taken are float16, bfloat16 and, but for rfftn, complex32, on the processor.')
    if norm not in (None, 'backward', 'ortho', 'forward'):
        raise ValueError(f"norm is {norm!r}. Possible are 'backward', 'ortho' and 'forward'.")
    parts = torch.view_as_real(x) if x.is_complex() else x
    if kind != 'r2c' and parts.shape[-1:] != (2,):
        raise ValueError(f'x has shape {list(x.shape)} of {x.dtype}; complex numbers are complex32, or pairs along a last axis of 2.')
    rank = parts.ndim - (kind != 'r2c')
    dims = [range(rank)[d] for d in (range(rank) if dim is None else [dim] if isinstance(dim, int) else dim)]
    places = list(range(rank - len(dims), rank))
    moved = parts.movedim(dims, places)  # refuses an axis that is named twice
    lengths = list(moved.shape[rank - len(dims):rank])
    if kind == 'c2r':
        lengths[-1] = 2 * (lengths[-1] - 1) if last is None else last
        if moved.shape[rank - 1] != lengths[-1] // 2 + 1:
            raise ValueError(f'n is {last}: x has {moved.shape[rank - 1]} numbers along the halved axis, of {last // 2 + 1} for n.')
    scale = 'ortho' if norm == 'ortho' else '1/n' if (norm == 'forward') != (inverse or kind == 'c2r') else None
    batch = moved.shape[:rank - len(dims)]
    flat = moved.reshape(math.prod(batch), *moved.shape[len(batch):])
    result = _Transform.apply(flat, kind, tuple(lengths), inverse, scale)
    result = result.reshape(batch + result.shape[1:]).movedim(places, dims)
    is_complex = x.is_complex() and kind == 'c2c' or kind == 'r2c' and x.dtype == torch.float16
    return torch.view_as_complex(result.contiguous()) if is_complex else result


def fftn(x, dim=None, norm=None):
    """As torch.fft.fftn, along one axis or several, by default all."""
    return _transform(x, dim, norm, 'c2c', False)


def ifftn(x, dim=None, norm=None):
    """As torch.fft.ifftn."""
    return _transform(x, dim, norm, 'c2c', True)


def rfftn(x, dim=None, norm=None):
    """As torch.fft.rfftn."""
    return _transform(x, dim, norm, 'r2c', False)


def irfftn(x, dim=None, norm=None, *, n=None):
    """As torch.fft.irfftn; `n` is the length of the last of `dim` in the result, by default even."""
    return _transform(x, dim, norm, 'c2r', False, n)
