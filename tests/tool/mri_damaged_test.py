#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""HDF5 files of which a byte was changed: mri_damaged_test.py ULPFFT WRITE_HDF5 [WRITE_ISMRMRD].

A run ends with a refusal that names file and field, or with images: of the numbers that the file then holds.
"""
import json
import math
import os
import random
import struct
import subprocess
import sys

sys.dont_write_bytecode = True
from harness import command, expect, read_npy, run_cases, write_npy  # noqa: E402
from mri_files import Line, complexes, header_xml, kspace, write_h5, write_mrd  # noqa: E402

tool, write_hdf5, write_ismrmrd = (os.path.abspath(sys.argv[i]) if len(sys.argv) > i else None for i in (1, 2, 3))
run = command(tool, 'mri', 'recon')
SHAPE = (2, 2, 12, 10)  # slices, coils, ny, nx
PAIRS = kspace(*SHAPE)
NO_ISMRMRD = 'this build does not read ISMRMRD'
PARTS = [part for pair in PAIRS for part in pair]


def change(path, to, at, bits):
    with open(path, 'rb') as file:
        data = bytearray(file.read())
    data[at] ^= bits
    with open(to, 'wb') as file:
        file.write(data)


def places(path, count, seed, samples=b''):
    """Half of them anywhere, half in what is not `samples`, which come as they are in the file: (byte, bits to change)."""
    with open(path, 'rb') as file:
        data = file.read()
    begin = data.find(samples) if samples else len(data)
    expect(begin >= 0, f'{path} does not hold the samples in one piece')
    random.seed(seed)
    others = [at for at in range(len(data)) if not begin <= at < begin + len(samples)]
    list_of_both = [random.randrange(len(data)) for _ in range(count // 2)] + [random.choice(others) for _ in range(count - count // 2)]
    return begin, [(at, random.choice([1 << random.randrange(8), random.randrange(1, 256), 0xFF])) for at in list_of_both]


def images(name, *arguments):
    """Status, what was reported, and the reference images."""
    try:
        status, output, errors = run(name, '-o', 'out', '--json', *arguments)
    except subprocess.TimeoutExpired:
        expect(False, f'{name}: no end')
        return None, '', ''
    if status == 0:
        return status, json.loads(output), read_npy('out/reference.npy')[1]
    lines = errors.rstrip('\n').split('\n')
    expect(status == 1 and output == '' and len(lines) == 1 and lines[0].startswith('error: ') and f'{name}: ' in lines[0] and lines[0].count(': ') >= 3,
           f'{name} {arguments}: status {status}, {errors!r}')
    return status, errors, ''


def judge(path, count, seed, samples=b'', arguments=(), expected=None):
    """Runs all; `expected(at, bits)` tells images to be met where the shape is still the same. Both ways of ending must occur."""
    begin, changes = places(path, count, seed, samples)
    _, whole, reference = images(path, *arguments)
    ended = {0: 0, 1: 0}
    broken = 0
    for at, bits in changes:
        change(path, 'changed.h5', at, bits)
        status, report, found = images('changed.h5', *arguments)
        ended[status] = ended.get(status, 0) + 1
        broken += status == 1 and 'breaks down' in report
        if status != 0:
            continue
        where = f'{path}, byte {at} ^ {bits:#x}'
        expect(all(map(math.isfinite, found)), f'{where}: an image is not finite')
        if expected and report['shape'] == whole['shape'] and report['image'] == whole['image']:
            wanted = expected(at, bits, begin) if begin <= at < begin + len(samples) else reference
            expect(found == wanted, f'{where}: other images')
    expect(broken <= count // 50, f'{path}: what reads it breaks down {broken} times; libhdf5 1.10 does for 1 of 3000')
    expect(set(ended) == {0, 1} and min(ended.values()) > 0, f'{path}: {ended}')


def of_changed_sample(at, bits, begin):
    data = bytearray(struct.pack(f'<{len(PARTS)}f', *PARTS))
    data[at - begin] ^= bits
    values = struct.unpack(f'<{len(PARTS)}f', data)
    write_npy('changed.npy', SHAPE, [complex(*pair) for pair in zip(values[::2], values[1::2])], '<c8')
    return images('changed.npy')[2]


# ---- Cases -------------------------------------------------------------------------------------------------------------------


def fastmri_in_one_piece():
    write_h5(write_hdf5, 'plain.h5', ('kspace', 'c64', SHAPE, PARTS))
    judge('plain.h5', 50, 11, struct.pack(f'<{len(PARTS)}f', *PARTS), expected=of_changed_sample)


def fastmri_in_compressed_chunks():
    write_h5(write_hdf5, 'packed.h5', ('kspace', 'c64z', SHAPE, PARTS))
    write_npy('plain.npy', SHAPE, complexes(PAIRS), '<c8')
    expect(images('packed.h5')[2] == images('plain.npy')[2], 'compressed is not plain')
    judge('packed.h5', 50, 12)


def fastmri_as_the_reference():
    write_npy('plain.npy', SHAPE, complexes(PAIRS), '<c8')
    slices, _, ny, nx = SHAPE
    write_h5(write_hdf5, 'images.h5', ('reconstruction_rss', 'f32', (slices, ny, nx), [abs(complex(*pair)) for pair in PAIRS[:slices * ny * nx]]))
    for at, bits in places('images.h5', 20, 13)[1]:
        change('images.h5', 'changed.h5', at, bits)
        try:
            status, _, errors = run('plain.npy', '--reference', 'changed.h5', '-o', 'out')
        except subprocess.TimeoutExpired:
            status, errors = None, 'no end'
        expect(status == 0 or (status == 1 and errors.startswith('error: changed.h5: ')), f'byte {at} ^ {bits:#x}: {status}, {errors!r}')


def write_lines(name, layout):
    slices, coils, ny, nx = SHAPE
    values = complexes(PAIRS)
    lines = [Line(samples=nx, coils=coils, center=nx // 2, step_1=row, slice=s,
                  data=[value for coil in range(coils) for value in values[((s * coils + coil) * ny + row) * nx:][:nx]])
             for s in range(slices) for row in range(ny)]
    write_mrd(write_ismrmrd, name, header_xml(nx, ny), lines, layout)


def ismrmrd():
    if not write_ismrmrd:
        return NO_ISMRMRD
    for layout, seed in (('1', 14), ('5', 15)):
        write_lines('lines.h5', layout)
        judge('lines.h5', 50, seed)
    return None


def what_libhdf5_breaks_down_on():
    if not write_ismrmrd:
        return NO_ISMRMRD
    write_lines('lines.h5', '5')
    with open('lines.h5', 'rb') as file:
        data = file.read()
    lengths = [at for at in range(len(data)) if data[at:at + 4] == struct.pack('<I', 5) and data[at - 11:at - 8] == b'\3\2\2']  # of a chunk; before them an address
    expect(len(lengths) == 1, f'the lengths of a chunk are at {lengths}')
    change('lines.h5', 'none.h5', lengths[0] - 9, 2)  # chunks of no dimensions: libhdf5 1.10 divides by zero
    expect(images('none.h5')[0] == 1, 'chunks without dimensions are read')
    return None


def a_file_that_ends_early_anywhere():
    write_h5(write_hdf5, 'whole.h5', ('kspace', 'c64', SHAPE, PARTS))
    with open('whole.h5', 'rb') as file:
        data = file.read()
    random.seed(16)
    for length in [0, 1, 8, 95] + [random.randrange(len(data)) for _ in range(20)]:
        with open('short.h5', 'wb') as file:
            file.write(data[:length])
        expect(images('short.h5')[0] == 1, f'{length} of {len(data)} bytes')


run_cases('mri damaged', [
    fastmri_in_one_piece, fastmri_in_compressed_chunks, fastmri_as_the_reference, ismrmrd, what_libhdf5_breaks_down_on, a_file_that_ends_early_anywhere,
])
