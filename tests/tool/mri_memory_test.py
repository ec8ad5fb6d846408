#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""ulpfft mri on a series larger than what is asked for in memory: mri_memory_test.py ULPFFT."""
import json
import os
import struct
import subprocess
import sys

sys.dont_write_bytecode = True
from harness import expect, run_cases  # noqa: E402

tool = os.path.abspath(sys.argv[1])
MIB = 1 << 20
PROGRAM = 40 * MIB  # without any data: code, plans, tables of the page
COILS_OF_A_THREAD = 2  # sweep: a format each, coil by coil


def write_series(name, coils, side, slices):
    """A .cfl file that is nearly all holes: three samples in the middle of every slice. Returns the bytes of a slice."""
    size = coils * side * side * 8
    with open(name + '.hdr', 'w', encoding='ascii') as file:
        file.write(f'# Dimensions\n{side} {side} 1 {coils} 1 1 1 1 1 1 1 1 1 {slices} 1 1\n')
    with open(name + '.cfl', 'wb') as file:
        file.truncate(slices * size)
        for s in range(slices):
            file.seek(s * size + (side // 2 * side + side // 2) * 8)
            file.write(struct.pack('<6f', 3.0, 1.0, -2.0, 0.5, 0.3, 0.1 * (s + 1)))
    return size


def peak(*arguments):
    """The largest resident size of the run, and what it printed."""
    # One arena: what threads free is found again by all. A fixed threshold: else glibc keeps up to 4 MiB that were freed, by where the heap begins.
    environment = {**os.environ, 'MALLOC_ARENA_MAX': '1', 'MALLOC_MMAP_THRESHOLD_': '131072'}
    with subprocess.Popen([tool, 'mri', *arguments, '--json'], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        output = process.stdout.read()
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    expect(process.returncode == 0, f'{arguments}: status {process.returncode}, {errors.decode()}')
    return usage.ru_maxrss * 1024, json.loads(output) if process.returncode == 0 else None


# choose --psnr 60 tries a dozen storages, several of the same size.
COMMANDS = {'recon': ['--storage', 'f16', '-o', 'out'], 'choose': ['--psnr', '60'], 'sweep': ['--quick', '-o', 'page.html']}


def a_series_of_4_gb_takes_two_slices_of_memory():
    coils = 32
    size = write_series('large', coils, 512, 64)
    expect(os.path.getsize('large.cfl') == 4 << 30, 'the file is not as large as said')
    for command, words in COMMANDS.items():
        most, report = peak(command, 'large.cfl', '--slice', '63' if command == 'choose' else '61-63', *words)
        threads = os.cpu_count() * COILS_OF_A_THREAD * size // coils if command == 'sweep' else 0
        expect(most < 2 * size + PROGRAM + threads, f'{command}: {most / size:.2f} slices of {size // MIB} MiB')
        if command == 'choose':
            sizes = [one['bytes_per_sample'] for one in report['tried']]
            expect(len(sizes) - len(set(sizes)) >= 2, f'no storages of the same size: {sizes}')


def memory_does_not_grow_with_the_slices():
    size = write_series('long', 16, 128, 256)
    for command, words in COMMANDS.items():
        last = {'recon': '255', 'choose': '23', 'sweep': '9'}[command]
        # The threads of a sweep have their largest arrays at once in some slices. 4 slices show that (24.8 to 25.0 MB); 2 may not (23.8 to 24.4).
        first = '3' if command == 'sweep' else '1'
        few, _ = peak(command, 'long.cfl', '--slice', f'0-{first}', *words)
        many, report = peak(command, 'long.cfl', '--slice', f'0-{last}', *words)
        expect(many - few < size, f'{command}: slices 0 to {last} take {many - few} bytes more than 0 to {first}; a slice is {size}')
        if command == 'recon':
            expect(len(report['slices']) == 256 and os.path.getsize('out/result.npy') > 256 * 128 * 128 * 8, 'every slice is there')
            expect(abs(report['peak_memory_bytes'] - many) < MIB, f'it says {report["peak_memory_bytes"]}, the system {many}')


run_cases('mri memory', [a_series_of_4_gb_takes_two_slices_of_memory, memory_does_not_grow_with_the_slices])
