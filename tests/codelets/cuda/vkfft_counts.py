#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Writes vkfft_counts.txt: what the code of VkFFT's kernels for sm_90 costs, counted as static_test.py counts ours. No GPU is needed.

    python3 -m venv peer
    peer/bin/pip install nvidia-cuda-cuobjdump nvidia-cuda-nvdisasm nvidia-cuda-nvrtc==13.0.88
    apt-get download libvkfft-dev && dpkg -x libvkfft-dev_*.deb peer
    PATH=$PATH:$PWD/peer/lib/python3.11/site-packages/nvidia/cu13/bin tests/codelets/cuda/vkfft_counts.py \\
      /usr/local/cuda peer/usr/include peer/lib/python3.11/site-packages/nvidia/cu13

The arguments are CUDA's toolkit, the folder of vkFFT.h and the folder of NVRTC (include, lib). NVRTC's version should be that of the
toolkit, whose ptxas reads its PTX. cuobjdump calls nvdisasm, which it finds by PATH. No build and no test runs this; the table is
committed.
"""
import os
import re
import subprocess
import sys
import tempfile

import sass

HERE = os.path.dirname(os.path.abspath(__file__))
STORAGES = {'f32': 16, 'f64': 32, 'f16': 8}  # bytes of a point at both ends
LENGTHS = [2 ** e for e in (*range(6, 15), 16, 18, 20, 22)]

toolkit, vkfft, nvrtc = (os.path.abspath(path) for path in sys.argv[1:4])


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=True, **options).stdout


def compile_peer(folder):
    library = os.path.join(nvrtc, 'lib')
    name = next(name for name in sorted(os.listdir(library)) if re.match(r'libnvrtc\.so\.\d+$', name))
    program = os.path.join(folder, 'vkfft_kernels')
    folders = [f'-I{folder}' for folder in (vkfft, f'{toolkit}/include', f'{nvrtc}/include')]
    run('g++', '-std=c++20', '-w', '-DVKFFT_BACKEND=1', '-DCUDA_TOOLKIT_ROOT_DIR=""', *folders,
        os.path.join(HERE, 'vkfft_kernels.cc'), os.path.join(library, name), f'-Wl,-rpath,{library}', '-o', program)
    return program


def rows_of(program, folder, storage, n):
    """Text for each kernel of a transform, in the order of launches."""
    lines = [line.split() for line in run(program, storage, str(n), cwd=folder).splitlines()]
    points = next(int(line[1]) for line in lines if line[0] == 'points')
    launches = {}  # several of one kernel where the grid is too large for one
    for _, kernel, blocks, threads, shared in (line for line in lines if line[0] == 'launch'):
        before = launches.get(kernel, (0,))[0]
        launches[kernel] = (before + int(blocks), int(threads), int(shared))
    rows = []
    for number, (kernel, (blocks, threads, shared)) in enumerate(launches.items()):
        cubin = os.path.join(folder, 'kernel.cubin')
        run(os.path.join(toolkit, 'bin/ptxas'), '-arch=sm_90', os.path.join(folder, f'kernel_{kernel}.ptx'), '-o', cubin)
        (code,) = sass.codes_of('cuobjdump', cubin).values()
        each = blocks * threads / points  # threads of a point
        arithmetic = sum(sass.arithmetic_of(code.path))
        accessed = sum(code.bytes.values()) * each
        resident = sass.resident_blocks(code.registers, threads, shared)
        rows.append(f'{storage:7} {n:7} {number + 1}/{len(launches)} {code.registers:9} {threads:7} {shared:6} {resident:8} '
                    f'{code.path.total() * each:12.1f} {arithmetic * each:10.1f} {sass.other_of(code.path) * each:6.1f} {accessed:8.1f} '
                    f'{code.path["MUFU"] * each:5.1f} {code.path["BAR"]:8} {len(code.loops):5}')
    return rows


def version_of(*command):
    return re.search(r'V([\d.]+)', run(*command))[1]


with tempfile.TemporaryDirectory() as scratch:
    peer = compile_peer(scratch)
    table = [row for storage in STORAGES for n in LENGTHS for row in rows_of(peer, scratch, storage, n)]
    number = int(next(line.split()[1] for line in run(peer, 'f32', '64', cwd=scratch).splitlines() if line.startswith('version')))
    ptx = re.search(r'V([\d.]+)', open(os.path.join(scratch, 'kernel_0.ptx'), encoding='utf-8').read())[1]
version = f'{number // 10000}.{number // 100 % 100}.{number % 100}'
ptxas = version_of(os.path.join(toolkit, 'bin/ptxas'), '--version')
head = [f'# VkFFT {version}, its kernels for the attributes of an H100, by vkfft_counts.py: NVRTC {ptx},',
        f'# ptxas {ptxas} for sm_90, cuobjdump {version_of("cuobjdump", "--version")}.',
        '# Instructions, arithmetic, other (neither arithmetic nor accesses), bytes accessed and approximate functions are per point.',
        '# Counts of code, not times: no kernel ran. In version 1.2.26 f16 lacks the types of CUDA, which vkfft_kernels.cc adds.',
        '# storage length sweep registers threads shared resident instructions arithmetic other accessed  mufu barriers loops']
with open(os.path.join(HERE, 'vkfft_counts.txt'), 'w', encoding='utf-8') as file:
    file.write('\n'.join(head + table) + '\n')
