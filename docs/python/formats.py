# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Arrays in narrow formats: what a format does to data, transforms of it, and what it would do to a script. Run it: python formats.py"""
import ml_dtypes
import numpy as np

import ulpfft

rng = np.random.default_rng(2)
x = (rng.standard_normal((8, 1000)) + 1j * rng.standard_normal((8, 1000))).astype('complex64')
exact = np.fft.fft(x, norm='ortho')


def error(y):
    return np.linalg.norm(np.asarray(y).astype('complex64') - exact) / np.linalg.norm(exact)


# 1. A format is a word of the problem. Arrays are decoded once, transformed in f32, and rounded once. The error here counts the rounding
# of the input too; a plan's own error is against the exact transform of what the input encodes.
for storage in ('f16', 'bf16', 'e4m3', 'mxfp8_e4m3', 'mxfp4_e2m1'):
    plan = ulpfft.Plan(1000, storage=storage, batch=8, scale='ortho', effort='estimate')
    y = plan(x)
    print(f'{storage:12} {y.nbytes / x.nbytes:6.1%} of the bytes, error {error(y):.1e}, predicted {plan.error:.1e}')

# 2. Complex numbers of 16-bit parts, as NumPy has them by ml_dtypes: no other library transforms them.
half = x.astype(ml_dtypes.complex32) if hasattr(ml_dtypes, 'complex32') else np.stack([x.real, x.imag], -1).astype('float16')
plan = ulpfft.Plan(1000, storage='f16', batch=8, scale='ortho', effort='estimate')
spectrum = plan(half)
print('in and out:', half.dtype, spectrum.dtype, spectrum.shape)

# 3. Numbers below a byte lie one to a byte in ml_dtypes; a NarrowArray packs them.
small = ulpfft.encode(x.real, 'e2m1')
print(small, 'as', small.native().dtype, small.native().nbytes, 'bytes')

# 4. Where the range is small, one power of two per transform keeps the results in it.
large = ulpfft.Plan('1000*8 f32->e4m3', effort='estimate')
print('saturated without exponents:', large(1000 * x).saturated, 'with:', large(1000 * x, exponents=True).saturated)

# 5. What would a format do to a script? Its own transforms tell, on its own numbers.
with ulpfft.what_if('mxfp8_e4m3') as report:
    filtered = np.fft.irfft(np.fft.rfft(x.real) * np.exp(-np.arange(501) / 100))
print(report)
