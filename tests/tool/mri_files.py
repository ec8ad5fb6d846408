# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""K-space and images for the tests of `ulpfft mri`: numbers, the files they come in, and reconstruction by plain sums."""
import cmath
import math
import random
import struct
import subprocess
from dataclasses import astuple, dataclass, field


def kspace(slices, coils, ny, nx, seed=1, spread=1.0):
    """Every sample a float32, larger in the middle."""
    random.seed(seed)
    return [struct.unpack('2f', struct.pack('2f', *(spread * random.gauss(0, 1) / (0.02 + ((y - ny // 2) / ny) ** 2 + ((x - nx // 2) / nx) ** 2)
                                                     for _ in 'ri')))
            for _ in range(slices) for _ in range(coils) for y in range(ny) for x in range(nx)]


def complexes(pairs):
    return [complex(*pair) for pair in pairs]


def write_cfl(name, dims, pairs):
    with open(name + '.hdr', 'w', encoding='ascii') as file:
        file.write('# Dimensions\n' + ' '.join(str(n) for n in dims) + '\n')
    with open(name + '.cfl', 'wb') as file:
        file.write(struct.pack(f'<{2 * len(pairs)}f', *(part for pair in pairs for part in pair)))


def write_h5(write_hdf5, name, *datasets):
    """By the program `write_hdf5`; a dataset is a name, c64 or f32, lengths, real numbers."""
    arguments = []
    for number, (dataset, kind, dims, values) in enumerate(datasets):
        raw = f'{name}.{number}.raw'
        with open(raw, 'wb') as file:
            file.write(struct.pack(f'<{len(values)}f', *values))
        arguments += [dataset, kind, ','.join(str(n) for n in dims), raw]
    subprocess.run([write_hdf5, name, *arguments], check=True)


# ---- ISMRMRD -----------------------------------------------------------------------------------------------------------------


@dataclass
class Line:
    """An acquisition; the numbers in the order of write_ismrmrd, then its samples, coil by coil."""
    flags: int = 0
    samples: int = 0
    coils: int = 1
    discard_before: int = 0
    discard_after: int = 0
    center: int = 0
    encoding: int = 0
    step_1: int = 0
    step_2: int = 0
    average: int = 0
    slice: int = 0
    contrast: int = 0
    phase: int = 0
    repetition: int = 0
    set: int = 0
    data: list = field(default_factory=list)


def flag(number):
    """As ISMRMRD counts them, from 1."""
    return 1 << (number - 1)


def header_xml(nx, ny, center=None, image=None, trajectory='cartesian', z=1):
    """`image`: the points a line of the image, where the readout is oversampled."""
    def space(name, x):
        return (f'<{name}><matrixSize><x>{x}</x><y>{ny}</y><z>{z}</z></matrixSize>'
                f'<fieldOfView_mm><x>{10 * x}</x><y>{10 * ny}</y><z>5</z></fieldOfView_mm></{name}>')
    return ('<?xml version="1.0" encoding="utf-8"?><ismrmrdHeader xmlns="http://www.ismrm.org/ISMRMRD">'
            '<experimentalConditions><H1resonanceFrequency_Hz>63500000</H1resonanceFrequency_Hz></experimentalConditions>'
            f'<encoding><trajectory>{trajectory}</trajectory>{space("encodedSpace", nx)}{space("reconSpace", image or nx)}<encodingLimits>'
            f'<kspace_encoding_step_1><minimum>0</minimum><maximum>{ny - 1}</maximum><center>{ny // 2 if center is None else center}</center>'
            '</kspace_encoding_step_1></encodingLimits></encoding></ismrmrdHeader>')


def write_mrd(write_ismrmrd, name, xml, lines, layout='1'):
    with open(name + '.xml', 'w', encoding='utf-8') as file:
        file.write(xml)
    with open(name + '.lines', 'w', encoding='ascii') as file:
        file.write(''.join(' '.join(str(number) for number in astuple(line)[:-1]) + '\n' for line in lines))
    numbers = [part for line in lines for value in line.data for part in (value.real, value.imag)]
    with open(name + '.raw', 'wb') as file:
        file.write(struct.pack(f'<{len(numbers)}f', *numbers))
    subprocess.run([write_ismrmrd, name, name + '.xml', name + '.lines', name + '.raw', layout], check=True)


# ---- Images ------------------------------------------------------------------------------------------------------------------


def centred_inverse(line):
    n, c = len(line), len(line) // 2
    root = [cmath.exp(2j * math.pi * k / n) for k in range(n)]
    return [sum(value * root[(j - c) * (k - c) % n] for k, value in enumerate(line)) / math.sqrt(n) for j in range(n)]


def images_of(values, slices, coils, ny, nx):
    """Root of the sum of squares, by plain sums."""
    result = []
    for s in range(slices):
        squares = [0.0] * (ny * nx)
        for c in range(coils):
            begin = (s * coils + c) * ny * nx
            rows = [centred_inverse(values[begin + y * nx:begin + (y + 1) * nx]) for y in range(ny)]
            columns = [centred_inverse([rows[y][x] for y in range(ny)]) for x in range(nx)]
            for y in range(ny):
                for x in range(nx):
                    squares[y * nx + x] += abs(columns[x][y]) ** 2
        result += [math.sqrt(square) for square in squares]
    return result


def distance(got, wanted):
    return math.sqrt(sum(abs(a - b) ** 2 for a, b in zip(got, wanted)) / sum(abs(b) ** 2 for b in wanted))
