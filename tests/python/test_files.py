# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Narrow array files and Pareto from Python."""
import json

import numpy as np
import pytest
from cases import numbers

import ulpfft

RNG = np.random.default_rng(17)
NARROW = [row['name'] for row in ulpfft.formats() if row['kind'] != 'wide']


@pytest.mark.parametrize('name', NARROW)
@pytest.mark.parametrize('kind', ('float32', 'complex64'))
def test_arrays_come_back(tmp_path, name, kind):
    narrow = ulpfft.encode(numbers(RNG, (3, 5, 37), kind), name)
    narrow.save(tmp_path / 'x.json')
    back = ulpfft.NarrowArray.load(tmp_path / 'x.json')
    assert (back.format.split(':')[0], back.shape, back.is_complex, back.exponents) == (name, narrow.shape, narrow.is_complex, None)
    assert np.array_equal(back.codes, narrow.codes)
    assert (back.scales is None) == (narrow.scales is None) and (back.scales is None or np.array_equal(back.scales, narrow.scales))


@pytest.mark.parametrize('name', ('mxfp8_e4m3', 'e2m1', 'f16'))
def test_rows_lie_along_any_axis(tmp_path, name):
    x = numbers(RNG, (3, 37, 5), 'complex64')
    along = ulpfft.encode(x, name, axis=1)
    moved = ulpfft.encode(np.moveaxis(x, 1, 2), name)
    assert (along.shape, along.axis, moved.axis) == (x.shape, 1, 2) and np.array_equal(along.codes, moved.codes)
    along.save(tmp_path / 'x.json')
    back = ulpfft.NarrowArray.load(tmp_path / 'x.json')
    assert back.axis == 1 and np.array_equal(np.asarray(back), np.moveaxis(np.asarray(moved), 2, 1))
    assert 'along axis 1' in repr(back)
    if name == 'e2m1':
        assert np.array_equal(back.native().view('u1'), np.moveaxis(moved.native().view('u1'), 2, 1))
    plan = ulpfft.Plan(f'5*3x37 {name}', effort='estimate')
    for words in ({'x': back}, {'x': ulpfft.encode(x, name), 'out': back}):
        with pytest.raises(ValueError, match='along axis 1'):
            plan(**words)
    with pytest.raises(IndexError, match='axis 3'):
        ulpfft.encode(x, name, axis=3)


def test_exponents_come_back(tmp_path):
    x = numbers(RNG, (3, 64), 'complex64') * np.array([1e-3, 1, 1e4], 'float32')[:, None]
    result = ulpfft.Plan('64*3 f32->e4m3', effort='estimate')(x, exponents=True)
    result.save(tmp_path / 'x.json')
    back = ulpfft.NarrowArray.load(tmp_path / 'x.json')
    assert np.array_equal(back.exponents, result.exponents)
    assert np.array_equal(np.asarray(back), np.asarray(result))
    inverse = ulpfft.Plan('64*3 e4m3->f32 inverse scale=1/n', effort='estimate')
    assert np.array_equal(inverse(back), inverse(result))


def test_bad_files_are_refused(tmp_path):
    with pytest.raises(OSError):
        ulpfft.NarrowArray.load(tmp_path / 'none.json')
    with pytest.raises(ValueError, match='json'):
        ulpfft.NarrowArray.load(tmp_path / 'x.npy')
    narrow = ulpfft.encode(np.ones((2, 4)), 'e4m3')
    narrow.save(tmp_path / 'x.json')
    text = json.loads((tmp_path / 'x.json').read_text())
    (tmp_path / 'x.json').write_text(json.dumps(text | {'axis': 2}))
    with pytest.raises(ValueError):
        ulpfft.NarrowArray.load(tmp_path / 'x.json')
    (tmp_path / 'x.json').write_text('{')
    with pytest.raises(ulpfft.Error):
        ulpfft.NarrowArray.load(tmp_path / 'x.json')
    with pytest.raises(OSError):
        narrow.save(tmp_path / 'no folder' / 'x.json')


def test_pareto_has_rows_and_a_front():
    result = ulpfft.pareto('256 f32', time_limit=2.0, storages=['f16', 'mxfp8_e4m3'])
    assert result.problem.startswith('256 f32') and len(result) == len(result.rows)
    known = [row for row in result.rows if not row['reason']]
    assert {row['storage_out'] for row in result.rows} >= {'f32', 'f16', 'mxfp8_e4m3'} and known and result.front
    for row in result.front:
        assert not any(other['seconds'] < row['seconds'] and other['error'] < row['error'] for other in known)
    remade = ulpfft.Plan(known[0]['problem'], recipe=known[0]['recipe'])
    assert remade.recipe == known[0]['recipe']
    assert '256 f32' in str(result) and len(result.to_dict()['error']) == len(result)
    with pytest.raises(ulpfft.Error):
        ulpfft.pareto('256 f32 scheme=f64')
    with pytest.raises(ulpfft.Error) as caught:
        ulpfft.pareto('256 f32', progress=lambda *_: True)
    assert caught.value.status == 'cancelled'


def test_pareto_plots():
    pyplot = pytest.importorskip('matplotlib.pyplot')
    axes = ulpfft.pareto('64 f32', time_limit=1.0, storages=['f16']).plot(pyplot.figure().gca())
    assert axes.lines
