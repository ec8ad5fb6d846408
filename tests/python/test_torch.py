# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Transforms of torch's 16-bit tensors and their gradients, against torch's own in double precision; arrays of torch and JAX by DLPack."""
import importlib
import itertools

import numpy as np
import pytest

import ulpfft

torch = pytest.importorskip('torch')
ours = importlib.import_module('ulpfft.torch')


def complex_of(x):
    return torch.view_as_complex((torch.view_as_real(x) if x.is_complex() else x).detach().double().contiguous())


def error(got, exact):
    return float(np.linalg.norm(got - exact) / np.linalg.norm(exact))


def compare(ours, theirs, x, exact, limit):
    """Results, and the gradients of the same random direction."""
    result, expected = ours(x.requires_grad_()), theirs(exact.requires_grad_())
    part = torch.float16 if x.is_complex() else x.dtype
    toward = torch.randn(*expected.shape, *(2,) * expected.is_complex()).to(part)
    wide = complex_of(toward) if expected.is_complex() else toward.double()
    got = complex_of(result) if expected.is_complex() else result.detach().double()
    assert got.shape == expected.shape and error(got, expected.detach()) < limit
    result.backward(torch.view_as_complex(toward) if result.is_complex() else toward)
    expected.backward(wide)
    assert x.grad.dtype == x.dtype
    gradient = complex_of(x.grad) if exact.is_complex() else x.grad.double()
    assert error(gradient, exact.grad) < 2 * limit


@pytest.mark.parametrize('norm', (None, 'ortho', 'forward'))
@pytest.mark.parametrize('shape, dim', [((7,), None), ((3, 17), -1), ((3, 12), 0), ((20, 20, 10), None), ((2, 3, 10), (0, 2))])
@pytest.mark.parametrize('kind', ('float16', 'bfloat16', 'complex32'))
def test_gradients(kind, shape, dim, norm):
    torch.manual_seed(1)
    dims = list(range(len(shape))) if dim is None else [dim] if isinstance(dim, int) else list(dim)
    limit = 2.0 ** (-8 if kind == 'bfloat16' else -11)  # a rounding of every number
    part = torch.float16 if kind == 'complex32' else getattr(torch, kind)

    def spectrum_of(*lengths):
        x = torch.randn(*lengths, 2).to(part)
        return torch.view_as_complex(x) if kind == 'complex32' else x

    for name in ('fftn', 'ifftn'):
        x = spectrum_of(*shape)
        compare(lambda x: getattr(ours, name)(x, dim, norm), lambda x: getattr(torch.fft, name)(x, dim=dims, norm=norm), x, complex_of(x),
                limit)
    if kind != 'complex32':
        x = torch.randn(*shape).to(part)
        compare(lambda x: ours.rfftn(x, dim, norm), lambda x: torch.fft.rfftn(x, dim=dims, norm=norm), x, x.detach().double(), limit)
    for n in (None, 2 * shape[dims[-1]] - 1):
        x = spectrum_of(*shape)
        lengths = [shape[d] for d in dims[:-1]] + [n or 2 * shape[dims[-1]] - 2]
        compare(lambda x: ours.irfftn(x, dim, norm, n=n), lambda x: torch.fft.irfftn(x, s=lengths, dim=dims, norm=norm), x, complex_of(x),
                limit)


def test_what_torch_cannot_give_is_refused():
    half = torch.randn(8, 2).half()
    for failure, bad in ((TypeError, lambda: ours.fftn(half.float())), (TypeError, lambda: ours.rfftn(torch.view_as_complex(half))),
                         (ValueError, lambda: ours.fftn(half[:, 0])), (ValueError, lambda: ours.fftn(half, norm='other')),
                         (ValueError, lambda: ours.irfftn(half, n=11)), (IndexError, lambda: ours.fftn(half, dim=1)),
                         (RuntimeError, lambda: ours.fftn(half, dim=(0, 0)))):
        with pytest.raises(failure):
            bad()


@pytest.mark.parametrize('library, name', itertools.product(('torch', 'jax'), ('float32', 'float64', 'float16', 'bfloat16', 'complex64')))
def test_arrays_of_others(library, name):
    """They are taken as they are, and take what is given."""
    module = pytest.importorskip('jax.numpy') if library == 'jax' else torch
    x = np.random.default_rng(5).standard_normal((4, 8))
    given = module.asarray(x).astype(name) if library == 'jax' else module.from_numpy(x).to(getattr(module, name))
    exact = np.asarray(given.astype('complex64') if library == 'jax' else given.to(module.complex128))
    result = ulpfft.fft.fft(given)
    assert error(result, np.fft.fft(exact)) < 1e-6
    assert error(np.asarray(module.from_dlpack(result.astype('complex64'))), result) < 1e-6
    if name == 'bfloat16':
        plan = ulpfft.Plan('4*4 bf16', effort='estimate')
        pairs = plan(given.reshape(4, 4, 2))
        assert error(pairs.astype('f4').view('c8')[..., 0], np.fft.fft(exact.real.reshape(4, 4, 2) @ [1, 1j])) < 2.0 ** -7
