# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Examples of docs/python and of examples/python run as scripts, stubs say what the modules have, and dask takes the functions."""
import ast
import inspect
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

import ulpfft

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.parametrize('script', sorted([*(ROOT / 'docs' / 'python').glob('*.py'), *(ROOT / 'examples' / 'python').glob('*.py')]), ids=lambda path: path.name)
def test_examples_run(script, tmp_path):
    ran = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0 and ran.stdout, ran.stderr


def test_readme_runs(capsys):
    code = re.findall(r'^```python\n(.*?)^```', (ROOT / 'README.md').read_text(), re.DOTALL | re.MULTILINE)
    try:
        for block in code:
            exec(block, names := {})
    finally:
        ulpfft.uninstall()
    assert len(code) == 1 and np.array_equal(names['y'], names['z'])
    assert capsys.readouterr().out.startswith('128256 0.0002')


def parameters_of(definition):
    """(name, kind of parameter) of a function in a stub, in order."""
    known = definition.args
    names = [(a.arg, 'before') for a in known.posonlyargs] + [(a.arg, 'any') for a in known.args]
    names += [(known.vararg.arg, 'rest')] if known.vararg else []
    names += [(a.arg, 'key') for a in known.kwonlyargs]
    return names + ([(known.kwarg.arg, 'words')] if known.kwarg else [])


def parameters_at_runtime(function):
    kinds = dict(zip(inspect._ParameterKind, ('before', 'any', 'rest', 'key', 'words')))
    return [(p.name, kinds[p.kind]) for p in inspect.signature(function).parameters.values()]


@pytest.mark.parametrize('name', ('ulpfft', 'ulpfft.fft', 'ulpfft.mri', 'ulpfft.wisdom', 'ulpfft.scipy_backend'))
def test_stubs_have_the_functions(name):
    module = sys.modules[name]
    stub = pathlib.Path(module.__file__).with_suffix('.pyi')
    assert (stub.parent / 'py.typed').exists()
    stated = set()
    for node in ast.parse(stub.read_text()).body:
        owner = module
        functions = [node] if isinstance(node, ast.FunctionDef) else []
        if isinstance(node, ast.ClassDef) and not node.name.startswith('_'):
            owner = getattr(module, node.name)
            stated.add(node.name)
            functions = [part for part in node.body if isinstance(part, ast.FunctionDef) and not part.decorator_list]
        for function in functions:
            stated.add(function.name)
            assert parameters_of(function) == parameters_at_runtime(getattr(owner, function.name)), f'{name}: {function.name}'
        if isinstance(node, ast.ImportFrom):
            stated.update(alias.asname or alias.name for alias in node.names)
        if isinstance(node, ast.AnnAssign):
            stated.add(node.target.id)
    assert set(getattr(module, '__all__', ())) <= stated


def test_public_functions_are_documented():
    for name in ulpfft.__all__:
        part = getattr(ulpfft, name)
        assert part.__doc__, name
    for name in ulpfft.fft.__all__ + ulpfft.wisdom.__all__:
        part = getattr(ulpfft.fft, name, None) or getattr(ulpfft.wisdom, name)
        assert part.__doc__, name


def test_dask_takes_the_functions():
    dask_fft = pytest.importorskip('dask.array.fft')
    import dask.array
    x = np.random.default_rng(6).standard_normal((8, 60))
    chunked = dask.array.from_array(x, chunks=(2, 60))
    assert np.allclose(dask_fft.fft_wrap(ulpfft.fft.fft)(chunked).compute(), np.fft.fft(x))
    assert np.allclose(dask_fft.fft_wrap(ulpfft.fft.rfft)(chunked).compute(), np.fft.rfft(x))
    with pytest.raises(ValueError):
        dask_fft.fft_wrap(ulpfft.fft.fft)(dask.array.from_array(x, chunks=(8, 30)))
