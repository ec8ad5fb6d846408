# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""What users of pyFFTW do: interfaces, builders, wisdom and threads. The last line has the results as JSON."""
import json

import numpy
import pyfftw

random = numpy.random.RandomState(7)
real, spectrum = random.standard_normal((12, 30)), random.standard_normal((12, 30)) + 1j * random.standard_normal((12, 30))
results = {}


def keep(name, array):
    results[name] = numpy.ascontiguousarray(array).ravel().view(array.real.dtype).astype(float).tolist()


for name in ('fft', 'ifft', 'fft2', 'ifftn', 'hfft'):
    keep(name, getattr(pyfftw.interfaces.numpy_fft, name)(spectrum))
for name in ('rfft', 'rfft2', 'ihfft'):
    keep(name, getattr(pyfftw.interfaces.numpy_fft, name)(real))
keep('irfftn', pyfftw.interfaces.numpy_fft.irfftn(numpy.fft.rfftn(real), s=(12, 30)))
for kind in ('REDFT00', 'REDFT01', 'REDFT10', 'REDFT11', 'RODFT00', 'RODFT01', 'RODFT10', 'RODFT11'):
    out = numpy.empty_like(real)
    pyfftw.FFTW(real.copy(), out, axes=(0, 1), direction=['FFTW_' + kind, 'FFTW_REDFT10'], flags=['FFTW_ESTIMATE']).execute()
    keep(kind, out)
keep('of_columns', pyfftw.interfaces.numpy_fft.fft(spectrum, axis=0, norm='ortho'))
keep('of f32', pyfftw.interfaces.numpy_fft.fft(spectrum.astype(numpy.complex64)))

pyfftw.interfaces.cache.enable()
keep('cached', pyfftw.interfaces.numpy_fft.fft(spectrum) + pyfftw.interfaces.numpy_fft.fft(spectrum))
builder = pyfftw.builders.rfft(pyfftw.byte_align(real.copy()), threads=2, planner_effort='FFTW_MEASURE')
keep('builder', builder(real))
a, b = pyfftw.empty_aligned((5, 64), 'complex128'), pyfftw.empty_aligned((5, 64), 'complex128')
forward, inverse = pyfftw.FFTW(a, b), pyfftw.FFTW(b, a, direction='FFTW_BACKWARD')
a[:] = spectrum[0, 0] + numpy.arange(320).reshape(5, 64)
keep('forward', forward())
keep('round_trip', inverse())
keep('new_arrays', forward(numpy.ones((5, 64), complex), numpy.empty((5, 64), complex)))

wisdom = pyfftw.export_wisdom()
pyfftw.forget_wisdom()
results['wisdom'] = [float(all(pyfftw.import_wisdom(wisdom)[:2]))]
pyfftw.FFTW(a, b, flags=('FFTW_MEASURE', 'FFTW_WISDOM_ONLY'))
try:
    pyfftw.FFTW(a[:, :47], b[:, :47], flags=('FFTW_MEASURE', 'FFTW_WISDOM_ONLY'))
    results['unknown'] = [1.0]
except RuntimeError:
    results['unknown'] = [0.0]
print(json.dumps(results))
