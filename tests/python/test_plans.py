# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""ulpfft.Plan: every word of a problem, placements and layouts, chains, errors, progress, wisdom."""
import re
import threading

import numpy as np
import pytest
from cases import numbers

import ulpfft
from ulpfft._problem import problem_text, read_sides

RNG = np.random.default_rng(7)


def plan(problem, **words):
    return ulpfft.Plan(problem, effort='estimate', **words)


def close(got, expected):
    got, expected = np.asarray(got), np.asarray(expected)
    return got.shape == expected.shape and np.linalg.norm(got - expected) <= 1e-5 * np.linalg.norm(expected)


def test_text_and_keywords_are_one():
    words = dict(storage='f32', storage_out='f16', kind='c2c', batch=(2, 3), inverse=True, centered=True, scale='ortho', threads=2)
    text = problem_text((4, 5), **words)
    assert text == '4x5*2x3 f32->f16 inverse centered scale=ortho threads=2'
    made = plan((4, 5), **words)
    assert made.problem == plan(text).problem
    assert made.shape == made.out_shape == (2, 3, 4, 5)
    assert problem_text(8, kind='r2r', kinds=['dct2'], max_error=1e-6) == 'r2r 8 f32 kinds=dct2 max_error=1e-06'
    with pytest.raises(TypeError, match='batch'):
        plan('8 f32', batch=2)
    with pytest.raises(TypeError):
        plan(8, nothing=1)


@pytest.mark.parametrize('kind, reference', [('c2c', np.fft.fft2), ('r2c', np.fft.rfft2), ('c2r', lambda x: np.fft.irfft2(x, (6, 9)) * 54)])
def test_kinds(kind, reference):
    made = plan((6, 9), kind=kind, batch=3)
    x = numbers(RNG, made.shape, 'float32' if kind == 'r2c' else 'complex64')
    assert close(made(x), reference(x))
    out = np.empty(made.out_shape, made(x).dtype)
    assert made(x, out=out) is out and close(out, reference(x))
    strided = np.ascontiguousarray(np.flip(x))[::-1, ::-1, ::-1]
    assert close(made(strided), reference(x))
    with pytest.raises(ValueError, match='shape'):
        made(x[:2])
    for bad in (np.empty(made.out_shape, 'f2'), out[:2], out.tolist(), np.asfortranarray(np.ones((3, 2, 2), out.dtype))):
        with pytest.raises(ValueError, match='out is'):
            made(x, out=bad)


def test_strides_in_place_and_split():
    x = numbers(RNG, (5, 8), 'complex64')
    made = plan('8*5 f32 in_strides=5 out_strides=-1 batch_strides=1,8')
    expected = np.fft.fft(x)
    result = made(x)
    assert close(result, expected) and result.strides == (64, -8)
    turned = np.ascontiguousarray(x.T).T  # the strides of the plan: taken as it is
    assert close(made(turned), expected)
    placed = plan('8*5 f32 inplace')
    y = x.copy()
    assert placed(y) is y and close(y, expected)
    with pytest.raises(ValueError, match='in place'):
        placed(x.astype('complex128'))
    with pytest.raises(ValueError, match='in place'):
        placed(y, out=x)
    re, im = plan('8*5 f32 split')((x.real, x.imag))
    assert close(re + 1j * im, expected)
    parts = np.ascontiguousarray(x.real), np.ascontiguousarray(x.imag)
    assert plan('8*5 f32 split inplace')(parts) is parts and close(parts[0] + 1j * parts[1], expected)


def test_chains():
    x, h = numbers(RNG, (3, 64), 'complex64'), numbers(RNG, (64,), 'complex64')
    made = plan(64, batch=3, chain='mul', scale='1/n')
    assert close(made(x, factors=h), np.fft.ifft(np.fft.fft(x) * h))
    real = plan(64, kind='r2c', storage='f64', chain='mul', scale='1/n')
    half = numbers(RNG, (33,), 'complex128')
    assert close(real(x[0].real, factors=half), np.fft.irfft(np.fft.rfft(x[0].real) * half))
    for bad in (None, h[:9]):
        with pytest.raises(ValueError, match='factors'):
            made(x, factors=bad)
    with pytest.raises(ValueError, match='factors'):
        plan(64)(x[0], factors=h)


@pytest.mark.parametrize('storage, strides', [('f64', ''), ('f32', ' batch_strides=64,32'), ('f16', '')])
def test_real_transforms_in_place(storage, strides):
    there = plan(f'r2c 5x7*2 {storage} inplace{strides}')
    reals, limit = {'f64': ('f8', 1e-5), 'f32': ('f4', 1e-5), 'f16': ('f2', 2e-3)}[storage]
    pairs = np.zeros((2, 8 if strides else 5, 8), reals)[:, :5].reshape(2, 5, 4, 2)  # a spectrum with padded rows, and a gap between planes
    spectrum = pairs if storage == 'f16' else pairs.view(f'c{2 * pairs.itemsize}')[..., 0]
    x = pairs.reshape(2, 5, 8)[..., :7]
    assert np.shares_memory(x, pairs)
    x[...] = numbers(RNG, (2, 5, 7), 'float32')
    kept = x.astype('f8')
    expected = np.fft.rfft2(kept)
    result = there(spectrum, out=spectrum)
    assert result is spectrum
    got = pairs[..., 0].astype('f8') + 1j * pairs[..., 1].astype('f8')
    assert np.linalg.norm(got - expected) < limit * np.linalg.norm(expected)
    back = plan(f"c2r 5x7*2 {storage} inplace scale=1/n{strides and ' batch_strides=32,64'}")(spectrum)
    assert back.shape == (2, 5, 7) and np.shares_memory(back, spectrum) and back.dtype == x.dtype
    assert np.linalg.norm(back.astype('f8') - kept) < 2 * limit * np.linalg.norm(kept)
    for bad in (x, spectrum[:1], spectrum.tolist(), np.asfortranarray(spectrum)):
        with pytest.raises(ValueError, match='in place'):
            there(bad)
    with pytest.raises(ValueError, match='in place'):
        there(spectrum, out=x)


def test_a_function_of_the_spectrum():
    x, h = numbers(RNG, (3, 6, 64), 'complex64'), RNG.random((6, 64))
    seen = np.zeros((3, 6 * 64), int)

    def filtered(values, index, transform):
        values *= h.ravel()[index]
        seen[transform][index] += 1

    chain = plan((6, 64), batch=3, chain='user', scale='1/n', threads=2)
    assert close(chain(x, apply=filtered), np.fft.ifft2(np.fft.fft2(x) * h)) and (seen == 1).all()
    real = plan(64, kind='r2c', storage='f64', chain='user', scale='1/n')

    def lowpass(values, index, _):
        values[index >= 9] = 0

    assert close(real(x[0, 0].real, apply=lowpass), np.fft.irfft(np.fft.rfft(x[0, 0].real) * (np.arange(33) < 9)))
    kept = []
    for bad, failure in ((lambda *_: 1 / 0, ZeroDivisionError), (lambda values, *_: kept.append(values[:1]), ValueError), (5, TypeError)):
        with pytest.raises(failure):
            chain(x, apply=bad)
    for words in ({}, {'factors': h}):
        with pytest.raises(ValueError, match='apply|factors'):
            chain(x, **words)


def test_what_a_plan_tells():
    made = plan('1000 f32')
    assert made.recipe.startswith('f32:') and 0 < made.error < 1e-6 and not made.error_is_measured
    assert made.seconds == 0 and made.workspace_bytes >= 0 and made.threads == 1
    assert 'recipe' in made.describe() and made.explain() and made.candidates()
    assert made.hash() == ulpfft.Plan('1000 f32', recipe=made.recipe).hash()
    x = numbers(RNG, (1000,), 'complex64')
    report = made.assess(x, every_output=True)
    assert report['outputs'] == 1000
    exact = np.fft.fft(x.astype('complex128'))
    assert abs(report['relative_l2'] - np.linalg.norm(made(x) - exact) / np.linalg.norm(exact)) < 1e-9
    timed = ulpfft.Plan('256 f32', effort='measure', time_limit=0.05, measure_error=True)
    assert timed.seconds > 0 and timed.error_is_measured and timed.planning_seconds > 0


def test_max_error_chooses_and_refuses():
    assert plan('256 f32 max_error=1e-6').error <= 1e-6
    with pytest.raises(ulpfft.Error, match='[0-9]e-'):
        plan('256 f16 max_error=1e-9')
    x = np.ones(256, 'complex64')
    assert plan('256 f16 max_error=1e-3', judge=x).error < 1e-3


def test_errors_name_their_place():
    for text, field, word in (('100 f33', 'storage_in', 'f33'), ('1o0 f32', '', '1o0'), ('100 f32 scale=x', '', 'x')):
        with pytest.raises(ulpfft.Error) as caught:
            plan(text)
        assert isinstance(caught.value, ValueError) and caught.value.status
        begin, end = caught.value.span
        assert word in text[begin:end] and (not field or caught.value.field == field)
    with pytest.raises(MemoryError):
        ulpfft.Plan('1024x1024 f64', effort='estimate', max_memory=1000)


def test_progress_is_called_and_cancels():
    seen = []
    ulpfft.Plan('4096*64 f32', effort='measure', time_limit=0.3, progress=lambda fraction, what: seen.append((fraction, what)))
    assert seen and all(0 <= fraction <= 1 for fraction, _ in seen)
    with pytest.raises(ulpfft.Error) as caught:
        ulpfft.Plan('4096*65 f32', effort='measure', progress=lambda *_: True)
    assert caught.value.status == 'cancelled'

    def fails(fraction, what):
        raise KeyError(what)
    with pytest.raises(KeyError):
        ulpfft.Plan('4096*66 f32', effort='measure', progress=fails)


def test_progress_without_tqdm_prints_lines(capsys, monkeypatch):
    monkeypatch.setitem(__import__('sys').modules, 'tqdm.auto', None)
    ulpfft.Plan('4096*67 f32', effort='measure', time_limit=0.3, progress=True)
    lines = capsys.readouterr().err.splitlines()
    assert lines and all(re.match(r'planning 4096\*67 f32: \d+ %, ', line) for line in lines)


def test_one_plan_in_eight_threads():
    made, x = plan('360*50 f32'), numbers(RNG, (50, 360), 'complex64')
    expected, wrong = made(x), []

    def work():
        wrong.extend(turn for turn in range(50) if not np.array_equal(made(x), expected))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_plans_serve_the_functions():
    x = numbers(RNG, (16,), 'float64')
    assert close(ulpfft.fft.fft(x, plan=plan('16 f64')), np.fft.fft(x))
    assert close(ulpfft.fft.rfft(x, plan=plan('r2c 16 f64')), np.fft.rfft(x))
    assert close(ulpfft.fft.irfft(x[:9], plan=plan('c2r 16 f64 scale=1/n')), np.fft.irfft(x[:9]))
    for call in (lambda: ulpfft.fft.ifft(x, plan=plan('16 f64')), lambda: ulpfft.fft.rfft(x, plan=plan('16 f64'))):
        with pytest.raises(ValueError, match='The plan is of'):
            call()
    with pytest.raises(NotImplementedError, match='ulpfft.Plan'):
        ulpfft.fft.fft(x, plan='fast')


def test_wisdom_goes_through_a_file(tmp_path, monkeypatch):
    path = tmp_path / 'wisdom.json'
    ulpfft.wisdom.forget()
    ulpfft.Plan('96 f32', effort='measure', time_limit=0.05)
    assert [entry['problem'] for entry in ulpfft.wisdom.entries()] == ['96 f32']
    ulpfft.wisdom.save(path)
    ulpfft.wisdom.forget()
    assert ulpfft.wisdom.load(path)['accepted'] == 1
    assert ulpfft.Plan('96 f32', effort='wisdom_only').from_wisdom
    with pytest.raises(OSError):
        ulpfft.wisdom.load(tmp_path / 'none.json')
    (tmp_path / 'bad.json').write_text('{')
    with pytest.raises(ulpfft.Error):
        ulpfft.wisdom.load(tmp_path / 'bad.json')
    assert ulpfft.wisdom.machine() and ulpfft.wisdom.user_path() is not None


def test_sides_are_read_as_printed():
    sides = read_sides('c2r 8x6*3 f16->f32 inverse batch_strides=40,50')
    assert (sides.into.shape, sides.out.shape, sides.into.is_complex, sides.out.is_complex) == ((3, 8, 4), (3, 8, 6), True, False)
    assert (sides.into.strides, sides.out.strides, sides.inverse) == ((40, 4, 1), (50, 6, 1), True)
    chain = read_sides('r2c 8 f32 chain=mul')
    assert chain.out.shape == (8,) and not chain.out.is_complex
    zoom = read_sides('czt 1000->500*8 i16->f32 start=0.1 step=1e-04 output=power')
    assert (zoom.into.shape, zoom.out.shape, zoom.out.is_complex) == ((8, 1000), (8, 500), False)


def test_some_frequencies_alone():
    x = np.random.default_rng(5).standard_normal((3, 100)) + 0j
    plan = ulpfft.Plan(100, storage='f64', kind='czt', points=40, batch=3, start=0.1, step=0.001, effort='estimate')
    assert (plan.shape, plan.out_shape) == ((3, 100), (3, 40))
    turns = np.outer(np.arange(100), 0.1 + 0.001 * np.arange(40))
    np.testing.assert_allclose(plan(x), x @ np.exp(-2j * np.pi * turns), atol=1e-12)
