#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""A library with every kernel for every processor builds, and its images are what plans load.

    library_test.py ROOT BUILD NVCC LIBCUDA KERNELS

BUILD gets a build of ROOT with -Dcuda=enabled, which takes NVCC several minutes: it is skipped unless ULPFFT_TEST_FULL is set. LIBCUDA is a
library in the place of the driver's. KERNELS prints a line for each kernel.
"""
import glob
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../support'))
from verdict import end, report  # noqa: E402

MOST_MEGABYTES = 15  # of code for GPUs

root, build, nvcc, libcuda, kernels = sys.argv[1:]
if not nvcc or not os.environ.get('ULPFFT_TEST_FULL'):
    reason = 'it takes minutes; set ULPFFT_TEST_FULL' if nvcc else 'there is no nvcc, or -Dcuda=disabled'
    print(f'SKIP a library with all kernels: {reason}')
    sys.exit(77)


def run(*command, **environment):
    done = subprocess.run(command, env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    if done.returncode:
        sys.exit(f'FAIL {" ".join(command)}: status {done.returncode}\n{done.stdout[-4000:]}')
    return done.stdout


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


if not os.path.exists(os.path.join(build, 'build.ninja')):
    meson = [shutil.which('meson')] if shutil.which('meson') else [sys.executable, '-m', 'mesonbuild.mesonmain']
    run(*meson, 'setup', build, root, '-Dcuda=enabled', '-Dtargets=scalar', '-Dtests=false')
said = run('ninja', '-C', build)
report('it builds without a warning', [line for line in said.splitlines() if re.search(r'\bwarning\b', line)])

planner = os.path.join(build, 'planner')
files = {kind: sorted(path for path in glob.glob(os.path.join(planner, 'cuda_kernels_*.' + kind)) if '_new' not in path)
         for kind in ('fatbin', 'ptx', 'names')}
expected = sorted(line.split('\t')[0] for line in run(kernels).splitlines())
report('each kernel is named by one image', [] if sorted(name for path in files['names'] for name in read(path).split()) == expected else [
    'the names differ from the list of kernels'])
report('the PTX has the kernels that its image names', [
    f'{ptx} differs' for ptx, names in zip(files['ptx'], files['names'])
    if sorted(re.findall(r'^\.visible \.entry (\w+)', read(ptx), re.MULTILINE)) != sorted(read(names).split())])
sizes = {kind: sum(map(os.path.getsize, files[kind])) for kind in ('fatbin', 'ptx')}
report(f'code for GPUs has at most {MOST_MEGABYTES} MB', [] if sum(sizes.values()) <= MOST_MEGABYTES * 10**6 and all(sizes.values()) else [
    str(sizes)])
print(f'  {len(expected)} kernels in {len(files["names"])} images: {sizes["fatbin"]} bytes of binaries, {sizes["ptx"]} of PTX')

tool = os.path.join(build, 'tools', 'ulpfft', 'ulpfft')
driver = {'LD_LIBRARY_PATH': os.path.dirname(os.path.abspath(libcuda))}
info = run(tool, 'info', **driver)
report('info names the device and misses no kernels', [info] if 'Fake device 0, sm_90' not in info or 'no CUDA kernels' in info else [])
plan = run(tool, 'plan', '4096*10 f32 backend=cuda', **driver)
report('a plan is timed, which executes it', [plan] if 'not timed' in plan or 'f32:dit(' not in plan else [])
end()
