# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""A spectrum of a receiver's samples, which arrive as pairs of int16 and are never widened as a whole. Run it: python sdr_spectrum.py"""
import numpy as np

import ulpfft

RATE, N, ROWS = 2_400_000, 4096, 64  # samples a second, points of a spectrum, spectra
TONES = {250_000: 0.05, -600_000: 0.005}  # Hz: amplitude of full scale

# Samples as a driver delivers them: I, Q, I, Q, ... of 16 bits, with noise.
rng = np.random.default_rng(3)
time = np.arange(N * ROWS) / RATE
signal = sum(amplitude * np.exp(2j * np.pi * frequency * time) for frequency, amplitude in TONES.items())
signal = signal + 1e-3 * (rng.standard_normal(time.size) + 1j * rng.standard_normal(time.size))
samples = (np.stack([signal.real, signal.imag], -1) * 32767).astype('int16').reshape(ROWS, N, 2)

# One plan reads the codes, multiplies them by the window and writes f32, so that no widened copy of the samples is made.
plan = ulpfft.Plan(N, storage='i16', storage_out='f32', batch=ROWS, window='hann', effort='measure', time_limit=0.2)
windowed = plan(samples) / 32767

# Power first, then the mean of the rows, then decibels of the points that are shown.
power = ulpfft.fft.fftshift(np.mean(np.abs(windowed) ** 2, axis=0)) / (N / 2) ** 2
frequencies = ulpfft.fft.fftshift(ulpfft.fft.fftfreq(N, 1 / RATE))
level = 10 * np.log10(power)

for frequency, amplitude in TONES.items():
    place = np.argmin(np.abs(frequencies - frequency))
    near = slice(place - 3, place + 4)
    print(f'{frequencies[near][np.argmax(level[near])] / 1e3:8.1f} kHz {level[near].max():7.1f} dB of full scale, '
          f'{20 * np.log10(amplitude):.1f} expected')
    assert abs(level[near].max() - 20 * np.log10(amplitude)) < 1.5  # between two points a Hann window loses up to 1.4 dB
print(f'noise {np.median(level):.1f} dB; rounding of the plan {20 * np.log10(plan.error):.1f} dB of the signal')
print(f'samples {samples.nbytes / 2**20:.1f} MiB, read as they are; as complex64 they would take {samples.size * 4 / 2**20:.1f} MiB')
