# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""An array in the parts of several processes: slabs and pencils, complex and real, DCT. One process plans, and the others read its wisdom.

The first process prints whole spectra as JSON, and how far complex and real ones are from NumPy's.
"""
import functools
import json

import numpy
from mpi4py import MPI
from mpi4py_fft import PFFT, fftw, newDistArray

shape = (12, 10, 16)
world = MPI.COMM_WORLD
random = numpy.random.RandomState(3)
real = random.standard_normal(shape)
numbers = {'D': real + 1j * random.standard_normal(shape), 'F': (real + 0.5j).astype('F'), 'd': real}
numpys = {'D': numpy.fft.fftn(numbers['D']), 'F': numpy.fft.fftn(numbers['F']), 'd': numpy.fft.rfftn(real)}
results = {}


def whole(part):
    """The array of all processes, in the first."""
    parts = world.gather((part.local_slice(), numpy.array(part)))
    if parts is None:
        return None
    array = numpy.zeros(part.global_shape, parts[0][1].dtype)
    for at, block in parts:
        array[at] = block
    return array


def transform(name, code, axes, **options):
    fft = PFFT(world, shape, axes=axes, dtype=code, **options)
    u = newDistArray(fft, False)
    u[:] = numbers[code][u.local_slice()]
    spectrum, back = newDistArray(fft, True), newDistArray(fft, False)
    fft.forward(u.copy(), spectrum, normalize=False)
    fft.backward(spectrum.copy(), back, normalize=True)
    total, returned = whole(spectrum), whole(back)
    if total is None:
        return
    results[name] = total.ravel().view(total.real.dtype).astype(float).tolist()
    results['returned ' + name] = [float(abs(returned - numbers[code]).max() < (1e-5 if code == 'F' else 1e-13))]
    if 'transforms' not in options:
        results['NumPy ' + name] = [float(abs(total - numpys[code]).max() / abs(total).max() < (1e-6 if code == 'F' else 1e-14))]


def plan_once():
    """A plan of the part that each process holds: measured by the first, and known to the others by its text."""
    part = numpy.zeros((6, 10, 16), 'D')
    double = fftw.factory.fftlib['D']  # whose functions take a file for all; those of the package have one for each process
    if world.rank == 0:
        fftw.fftn(part.copy(), axes=(1, 2), flags=(fftw.FFTW_MEASURE,))
        double.export_wisdom(bytearray(b'wisdom'))
    world.barrier()
    if world.rank != 0:
        double.forget_wisdom()
        assert double.import_wisdom(bytearray(b'wisdom')) == 1
    known = fftw.fftn(part, axes=(1, 2), flags=(fftw.FFTW_MEASURE, fftw.FFTW_WISDOM_ONLY))
    part[:] = world.rank + 1
    all_read = world.allreduce(int(abs(known()).max() == 160 * (world.rank + 1)), MPI.MIN)
    results['wisdom of another process'] = [float(all_read)]


first_complex = numpy.empty(2, object)  # groups of axes, as a list of which NumPy's ndim makes an error
first_complex[:] = [(0,), (1, 2)]
for division, options in (('slabs', {'slab': True}), ('pencils', {'slab': False})):
    for code in 'DFd':
        transform(f'{division}, {code}' + (' of f32' if code == 'F' else ''), code, (0, 1, 2), **options)
    dct, idct = functools.partial(fftw.dctn, type=3), functools.partial(fftw.idctn, type=3)
    transform(f'{division}, dct', 'd', first_complex, transforms={(1, 2): (dct, idct)}, **options)
plan_once()
if world.rank == 0:
    print('\n' + json.dumps(results))
