# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""SpFFT through its C interface: sparse frequencies in columns of z, of which each process has some, to space in slabs of z, and back.

The first process prints the numbers in space and in frequency as JSON, and whether space is NumPy's.
"""
import ctypes
import json

import numpy
from mpi4py import MPI

HOST, C2C, R2C, TRIPLETS, FULL_SCALING, EXCHANGE = 1, 0, 1, 0, 1, 0
nx, ny, nz = 10, 12, 8
world = MPI.COMM_WORLD
spfft = ctypes.CDLL('libspfft.so.1')
communicator = ctypes.c_void_p.from_address(MPI._addressof(world))  # Open MPI's are pointers
results = {}


def good(status):
    if status != 0:
        raise RuntimeError(f'SpFFT: {status}')


def pointer(array):
    return array.ctypes.data_as(ctypes.c_void_p)


def columns_of(kind):
    """Columns within a ball, as far as a real array's half needs them."""
    every = [(x, y) for x in range(nx if kind == C2C else nx // 2) for y in range(ny) if min(x, nx - x) ** 2 + min(y, ny - y) ** 2 <= 16]
    return every if kind == C2C else [(x, y) for x, y in every if x > 0]


def transform(name, kind):
    columns = columns_of(kind)
    mine = columns[world.rank::world.size]
    depth = nz // world.size
    triplets = numpy.array([(x, y, z) for x, y in mine for z in range(nz)], 'i4')
    given = numpy.array([complex(1 + x - y * z % 5, x * y % 3 - z) for x, y, z in triplets.tolist()])
    grid, plan = ctypes.c_void_p(), ctypes.c_void_p()
    good(spfft.spfft_grid_create_distributed(ctypes.byref(grid), nx, ny, nz, len(mine), depth, HOST, 1, communicator, EXCHANGE))
    good(spfft.spfft_transform_create(ctypes.byref(plan), grid, HOST, kind, nx, ny, nz, depth, len(triplets), TRIPLETS, pointer(triplets)))
    good(spfft.spfft_transform_backward(plan, pointer(given), HOST))
    address = ctypes.POINTER(ctypes.c_double)()
    good(spfft.spfft_transform_get_space_domain(plan, HOST, ctypes.byref(address)))
    flat = numpy.ctypeslib.as_array(address, (depth * ny * nx * (2 if kind == C2C else 1),))
    space = world.gather(flat.copy())
    back = numpy.zeros_like(given)
    good(spfft.spfft_transform_forward(plan, HOST, pointer(back), FULL_SCALING))
    returned = world.allreduce(float(abs(back - given).max()), MPI.MAX)
    good(spfft.spfft_transform_destroy(plan))
    good(spfft.spfft_grid_destroy(grid))
    everything = world.gather((triplets, given))
    if world.rank != 0:
        return
    results[name] = numpy.concatenate(space).tolist()
    cube = numpy.zeros((nz, ny, nx), complex)
    for at, values in everything:
        cube[at[:, 2], at[:, 1], at[:, 0]] = values
        if kind == R2C:
            cube[-at[:, 2], -at[:, 1], -at[:, 0]] = values.conj()
    expected = numpy.fft.ifftn(cube) * cube.size
    got = numpy.array(results[name]).view(complex) if kind == C2C else numpy.array(results[name])
    results['NumPy ' + name] = [float(abs(got - expected.ravel()).max() < 1e-12 * abs(expected).max())]
    results['returned ' + name] = [float(returned < 1e-12 * abs(given).max())]


transform('complex', C2C)
transform('real', R2C)
if world.rank == 0:
    print('\n' + json.dumps(results))
