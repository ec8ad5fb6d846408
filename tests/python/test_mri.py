# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""ulpfft.mri: images against NumPy's, and what the choice keeps."""
import numpy as np
import pytest

import ulpfft

RNG = np.random.default_rng(19)


def phantom(n=48, coils=3):
    """k-space of ellipses, seen by coils, with noise."""
    y, x = np.mgrid[-1:1:n * 1j, -1:1:n * 1j]
    image = (x ** 2 + (y / 0.9) ** 2 < 0.7) * 1.0 - 0.5 * ((x - 0.2) ** 2 + y ** 2 < 0.1) + 0.3 * (x ** 2 + (y + 0.4) ** 2 < 0.05)
    sensed = np.stack([image * np.exp(-((x - np.cos(c)) ** 2 + (y - np.sin(c)) ** 2)) for c in range(coils)])
    kspace = np.fft.fftshift(np.fft.fft2(np.fft.ifftshift(sensed, axes=(1, 2)), norm='ortho'), axes=(1, 2))
    return 1000 * kspace + RNG.standard_normal(kspace.shape) + 1j * RNG.standard_normal(kspace.shape)


KSPACE = phantom()


def test_images_are_numpys():
    for kspace in (KSPACE, np.stack([KSPACE, 2 * KSPACE]), KSPACE[:, :47, :45]):
        slices = kspace.reshape((-1,) + kspace.shape[-3:])
        coils = np.fft.fftshift(np.fft.ifft2(np.fft.ifftshift(slices, axes=(2, 3)), norm='ortho'), axes=(2, 3))
        assert np.allclose(ulpfft.mri.reconstruct(kspace), np.sqrt(np.sum(np.abs(coils) ** 2, axis=1)))
    assert np.allclose(ulpfft.mri.reconstruct(KSPACE, 'f16'), ulpfft.mri.reconstruct(KSPACE), rtol=0.01, atol=1)


def test_sweep_orders_and_judges():
    table = ulpfft.mri.sweep(KSPACE)
    assert table['bytes_a_sample'] == sorted(table['bytes_a_sample'])
    row = {name: table['psnr'][place] for place, name in enumerate(table['storage'])}
    assert row['f64'] > row['f32'] > row['f16'] > row['bf16'] > row['mxfp8_e4m3'] > row['mxfp4_e2m1'] > 20
    same = ulpfft.mri.reconstruct(KSPACE, 'e4m3')
    reference = ulpfft.mri.reconstruct(KSPACE)
    nmse = np.sum((same - reference) ** 2) / np.sum(reference ** 2)
    assert table['nmse'][table['storage'].index('e4m3')] == pytest.approx(nmse)
    assert all(0 < value <= 1 + 1e-12 for value in table['ssim'])


def test_similarity_is_that_of_its_definition():
    x, y = ulpfft.mri.reconstruct(KSPACE)[0], ulpfft.mri.reconstruct(KSPACE, 'e2m1')[0]
    c1, c2, total, count = (0.01 * x.max()) ** 2, (0.03 * x.max()) ** 2, 0.0, 0
    for top in range(x.shape[0] - 6):
        for left in range(x.shape[1] - 6):
            a, b = (image[top:top + 7, left:left + 7].ravel() for image in (x, y))
            (vx, vxy), (_, vy) = np.cov(a, b)
            total += ((2 * a.mean() * b.mean() + c1) * (2 * vxy + c2) / ((a.mean() ** 2 + b.mean() ** 2 + c1) * (vx + vy + c2)))
            count += 1
    assert ulpfft.mri.sweep(KSPACE, ['e2m1'])['ssim'][0] == pytest.approx(total / count, rel=1e-6)


def test_choice_is_the_smallest_that_keeps_the_limits():
    table = ulpfft.mri.sweep(KSPACE)
    best = ulpfft.mri.choose(KSPACE, psnr=50, ssim=0.98)
    assert best['psnr'] >= 50 and best['ssim'] >= 0.98
    for place, size in enumerate(table['bytes_a_sample']):
        if size < best['bytes_a_sample']:
            assert table['psnr'][place] < 50 or table['ssim'][place] < 0.98
    assert ulpfft.Plan(best['problem'], effort='estimate').shape == KSPACE.shape
    assert ulpfft.mri.choose(KSPACE, psnr=1e4)['storage'] == 'f64'
    for words in ({}, {'ssim': 2}):
        with pytest.raises(ValueError):
            ulpfft.mri.choose(KSPACE, **words)


def test_bad_kspace_is_refused():
    for bad in (KSPACE[0], np.zeros((2, 16, 16)), np.ones((2, 6, 6)), np.zeros((0, 8, 8)), np.full((1, 8, 8), np.nan)):
        with pytest.raises(ValueError):
            ulpfft.mri.sweep(bad)
    with pytest.raises(ValueError):
        ulpfft.mri.reconstruct(KSPACE, 'f33')


def test_sweep_plots():
    pyplot = pytest.importorskip('matplotlib.pyplot')
    assert ulpfft.mri.sweep(KSPACE, ['f16', 'e4m3']).plot(pyplot.figure().gca()).lines
