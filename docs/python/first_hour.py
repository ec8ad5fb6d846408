# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""The first hour with ulpfft in Python: functions, an unchanged SciPy program, plans, errors, wisdom. Run it: python first_hour.py"""
import os
import tempfile

import numpy as np
import scipy.fft
import scipy.signal

import ulpfft

rng = np.random.default_rng(1)
x = rng.standard_normal((64, 1000)).astype('float32')

# 1. The functions of scipy.fft, with its arguments, types and errors.
y = ulpfft.fft.rfft(x, axis=1, norm='ortho')
assert y.dtype == np.complex64 and np.allclose(y, scipy.fft.rfft(x, axis=1, norm='ortho'), atol=1e-4)
print('first call of a problem plans it, later ones find the plan:', ulpfft.plan_cache)

# 2. A program that calls scipy.fft stays as it is. What ulpfft has not, SciPy's own engine does.
ulpfft.install()
z = scipy.signal.fftconvolve(x[0], x[1])
print('who served it:', ulpfft.used())
ulpfft.uninstall()

# 3. numpy.fft has no hook for engines, so its names are exchanged for a while.
with ulpfft.patch_numpy():
    np.fft.fft2(x)
# A whole program: python -m ulpfft run --used program.py

# 4. Planning. The functions choose by a cost model; measuring finds faster plans, once, in the call that needs them.
with ulpfft.set_effort('measure'):
    ulpfft.fft.fft(x[0])
plan = ulpfft.Plan('1000*64 f32', effort='measure', time_limit=0.2)
result = plan(x)
print(plan.describe())

# 5. A plan knows its error, and an error can be asked for.
print(f'error on random data {plan.error:.1e}, on this data {plan.assess(x)["relative_l2"]:.1e}')
try:
    ulpfft.Plan('1000 f16 max_error=1e-6', effort='estimate')
except ulpfft.Error as error:
    print('refused:', error)

# 6. What was measured can be kept for the next process.
path = os.path.join(tempfile.mkdtemp(), 'wisdom.json')
ulpfft.wisdom.save(path)
print('loaded:', ulpfft.wisdom.load(path)['accepted'], 'plans')

# 7. More threads change no bit of a result.
assert np.array_equal(ulpfft.fft.fft(x, workers=2), ulpfft.fft.fft(x))
