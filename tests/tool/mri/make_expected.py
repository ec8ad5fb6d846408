#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Makes expected_metrics.inc: fastMRI's metrics of small volumes, by scikit-image. make_expected.py > expected_metrics.inc

Needs scikit-image and NumPy; the test needs neither, as it makes the same volumes by the same integer arithmetic.
The three functions are those of fastMRI's evaluation: a volume's largest value is the data range.
"""
import numpy
import skimage
from skimage.metrics import peak_signal_noise_ratio, structural_similarity

M64 = (1 << 64) - 1


def numbers(seed, count):
    """Uniform in [0, 1), splitmix64: the same in the test."""
    values = []
    for _ in range(count):
        seed = (seed + 0x9E3779B97F4A7C15) & M64
        z = seed
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & M64
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & M64
        values.append(((z ^ (z >> 31)) >> 11) * 2.0 ** -53)
    return numpy.array(values)


def volume(seed, slices, ny, nx, scale):
    """A bright block on noise, brighter from slice to slice."""
    image = 0.25 * numbers(seed, slices * ny * nx).reshape(slices, ny, nx)
    for s in range(slices):
        image[s, ny // 4:ny // 2, nx // 4:nx - nx // 4] += 0.5 + 0.25 * s
    return scale * image


def nmse(gt, pred):
    return numpy.linalg.norm(gt - pred) ** 2 / numpy.linalg.norm(gt) ** 2


def psnr(gt, pred):
    return peak_signal_noise_ratio(gt, pred, data_range=gt.max())


def ssim(gt, pred):
    return sum(structural_similarity(g, p, data_range=gt.max()) for g, p in zip(gt, pred)) / gt.shape[0]


CASES = [  # seed, slices, ny, nx, scale of the values, scale of the error
    (1, 1, 7, 7, 1.0, 0.1), (2, 1, 16, 23, 1.0, 0.01), (3, 3, 32, 24, 1.0, 0.3), (4, 2, 40, 64, 3e-6, 0.05), (5, 4, 24, 24, 5e4, 1e-3),
    (6, 1, 64, 64, 1.0, 1.0), (7, 2, 8, 51, 2.0, 1e-6),
]


def main():
    print(f'// Made by make_expected.py with scikit-image {skimage.__version__}.')
    print('// {seed, slices, ny, nx, scale of the values, scale of the error, NMSE, PSNR, SSIM}')
    for seed, slices, ny, nx, scale, error in CASES:
        gt = volume(seed, slices, ny, nx, scale)
        pred = gt + scale * error * (volume(seed + 100, slices, ny, nx, 1.0) - 0.25)
        print(f'{{{seed}, {slices}, {ny}, {nx}, {scale!r}, {error!r}, {float(nmse(gt, pred))!r}, {float(psnr(gt, pred))!r}, '
              f'{float(ssim(gt, pred))!r}}},')


if __name__ == '__main__':
    main()
