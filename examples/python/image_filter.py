# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Sharpens an image, and says what 8-bit storage of its spectrum would cost. Run it: python image_filter.py"""
import numpy as np

import ulpfft

ROWS, COLUMNS, RADIUS = 480, 640, 4.0

y, x = np.mgrid[:ROWS, :COLUMNS]
image = np.where((x // 80 + y // 80) % 2 == 0, 200.0, 50.0 * x / COLUMNS).astype('float32')

# The half spectrum of a Gaussian, and with it that of an unsharp mask.
v, u = np.abs(ulpfft.fft.fftfreq(ROWS))[:, None], ulpfft.fft.rfftfreq(COLUMNS)
blur = np.exp(-2 * (np.pi * RADIUS) ** 2 * (u**2 + v**2)).astype('float32')
mask = 1 + 0.5 * (1 - blur)

spectrum = ulpfft.fft.rfft2(image, workers=2)
sharp = ulpfft.fft.irfft2(spectrum * mask, s=image.shape, workers=2)

# A plan whose result is narrow: codes of 8 bits, with a scale for every 32 of them.
narrow = ulpfft.Plan(f'r2c {ROWS}x{COLUMNS} f32->mxfp8_e4m3', effort='estimate')
print(f'steepest step {np.abs(np.diff(image)).max():.0f} before, {np.abs(np.diff(sharp)).max():.0f} after')
print(f'a spectrum in mxfp8_e4m3 has an error of {narrow.error:.1e}')
assert np.abs(np.diff(sharp)).max() > np.abs(np.diff(image)).max()
assert abs(sharp.mean() - image.mean()) < 1e-2 and narrow.error < 0.05
