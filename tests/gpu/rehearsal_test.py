#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""tools/gpu_check runs as it will on a GPU, over a driver without a device, and notices faults.

    rehearsal_test.py CHECK RUNNER REHEARSAL CUFFT CUPTI LIBCUDA

RUNNER is the program for a device, REHEARSAL the one without, CUFFT and CUPTI libraries with the functions of
cuFFT and CUPTI. LIBCUDA is one with those of the
driver, or '' where RUNNER has no kernels: then it is not rehearsed itself.
"""
import ctypes
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../support'))
from verdict import end, report  # noqa: E402

check, runner, rehearsal, cufft, cupti = map(os.path.abspath, sys.argv[1:6])
libcuda = sys.argv[6]
PARTS = ['info', 'api', 'hashes', 'grid_f32', 'grid_f64', 'grid_f16', 'grid_bf16', 'records', 'chunks', 'memcheck', 'racecheck', 'spoiled']


def has_driver():
    try:
        ctypes.CDLL('libcuda.so.1')
        return True
    except OSError:
        return False


def write_program(path, text):
    with open(path, 'w', encoding='utf-8') as file:
        file.write('#!/bin/bash\n' + text + '\n')
    os.chmod(path, 0o755)


class Run:
    """One run of a folder, its reports read."""

    def __init__(self, folder, out, **environment):
        done = subprocess.run([os.path.join(folder, 'gpu_check'), 'run', folder, out], env={**os.environ, **environment}, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.status, self.said = done.returncode, done.stdout
        with open(os.path.join(out, 'report.json'), encoding='utf-8') as file:
            self.json = json.load(file)
        with open(os.path.join(out, 'report.txt'), encoding='utf-8') as file:
            self.text = file.read()
        self.parts = {part['part']: part for part in self.json['parts']}

    def other_states(self, status, **expected):
        """Faults where the run has another status or other states than `passed` and those given."""
        states = {name: part['status'] for name, part in self.parts.items()}
        faults = [] if self.status == status else [f'the run ends with {self.status}, not {status}:\n{self.said}']
        return faults + [f'{name} is {states.get(name)}, not {expected.get(name, "passed")}: {self.parts.get(name, {}).get("reason")}'
                         for name in PARTS if states.get(name) != expected.get(name, 'passed')]

    def cells(self):
        return [cell for name, part in self.parts.items() if name.startswith('grid_') for cell in part['result']]


with tempfile.TemporaryDirectory() as top:
    folder = os.path.join(top, 'folder')
    sanitizers = os.path.join(top, 'sanitizers')
    os.mkdir(sanitizers)
    sanitizer = os.path.join(sanitizers, 'compute-sanitizer')
    with_sanitizer = {'PATH': sanitizers + ':' + os.environ['PATH'], 'ULPFFT_CUFFT': cufft, 'ULPFFT_CUPTI': cupti}
    packed = subprocess.run([check, 'pack', folder, rehearsal, rehearsal], check=False, capture_output=True, text=True)
    report('a folder is filled', [] if packed.returncode == 0 else [packed.stdout + packed.stderr])

    # What a machine has where everything is installed.
    write_program(sanitizer, '[[ $1 $3 == "--tool --error-exitcode" ]] || exit 3; shift 4; exec "$@"')
    run = Run(folder, os.path.join(top, 'whole'), **with_sanitizer)
    report('every part of a whole run passes', run.other_states(0))
    report('every time says that it is of a fake driver', [cell['problem'] for cell in run.cells() if 'fake driver' not in cell['clock']] +
           ([] if run.json['machine'] == 'fake driver' and run.text.count('FAKE DRIVER') == 8 else ['the reports do not say so']))
    report('every length of every storage is there', [f'{len(run.cells())} lengths'] if len(run.cells()) != 4 * 4 else [])
    report('what can be timed is timed', [
        f'{cell["problem"]}: {name}: {cell[name]}' for cell in run.cells() for name in ('ulpfft', 'copy', 'cufft_default', 'cufft_patient')
        if (cell[name]['status'] == 'timed') != (not name.startswith('cufft') or re.search(
            r'^256\*.* f(32|64)$' if name == 'cufft_patient' else r' f(32|64)$', cell['problem']) is not None)])
    report('results are compared with those of cuFFT', [cell['problem'] for cell in run.cells()
           if (cell['cufft_default']['status'] == 'timed') != ('distance_to_cufft' in cell)])

    # f32 and f64 of 2^8 by both; cuFFT of the rehearsal has no 16 bits. The numbers are those of fake_cupti.cc.
    records = run.parts['records']['result']
    wanted = {'kernel': 'fake_kernel', 'registers': 42, 'static_shared_bytes': 31, 'dynamic_shared_bytes': 32, 'local_bytes': 33,
              'grid': '11x12x13', 'block': '21x22x23', 'seconds': 2.5e-6}
    report('records of CUPTI are read as they are', [str(kernel) for kernel in records['kernels']
           if {key: kernel[key] for key in wanted} != wanted] + ([] if records['cupti'] == 130001 else [str(records['cupti'])]))
    report('records are those of both', [] if sorted((kernel['problem'], kernel['by']) for kernel in records['kernels']) == sorted(
        [(f'256*2 {storage}', 'ulpfft') for storage in ('f32', 'f64', 'f16', 'bf16')] +
        [(f'256*2 {storage}', 'cuFFT') for storage in ('f32', 'f64')]) else [str(records)])
    row = r'256\*2 f32 +ulpfft +42 +31 +32 +33 +11x12x13 +21x22x23 +2\.50 +fake_kernel'
    report('the report has their table', [] if re.search(row, run.text) else ['it has not'])

    # Faults, and what is not installed.
    hashes = os.path.join(folder, 'hashes.txt')
    with open(hashes, encoding='utf-8') as file:
        lines = file.readlines()
    problem, recipe, value = lines[0].rstrip('\n').split('\t')
    with open(hashes, 'w', encoding='utf-8') as file:
        file.writelines([f'{problem}\t{recipe}\t{int(value, 16) ^ 1:016x}\n'] + lines[1:])
    write_program(sanitizer, 'echo "1 error"; exit 9')
    run = Run(folder, os.path.join(top, 'faults'), **{**with_sanitizer, 'ULPFFT_FAKE_CUFFT_WRONG': '1', 'ULPFFT_FAKE_CUPTI_VERSION': '17'})
    report('each fault is found in its part, and the others run',
           run.other_states(1, hashes='failed', memcheck='failed', racecheck='failed', grid_f32='failed', grid_f64='failed',
                            records='skipped'))
    report('records of an unknown version are not read', [] if 'Records of CUPTI 17 are not known' in run.parts['records']['reason'] else
           [run.parts['records']['reason']])
    report('one wrong hash is one', [] if run.parts['hashes']['result']['wrong'] == 1 else [str(run.parts['hashes']['result'])])

    # Plans of cuFFT that take long leave lengths out, and no part fails for it.
    out = os.path.join(top, 'slow.json')
    done = subprocess.run([rehearsal, 'grid', out, 'f32', '9', '1', '3'], check=False, text=True, stdout=subprocess.PIPE,
                          env={**os.environ, 'ULPFFT_CUFFT': cufft, 'ULPFFT_FAKE_CUFFT_SECONDS': '0.7'})
    report('lengths that time does not reach are left out', [] if done.returncode == 75 and re.search(
        r'^INCOMPLETE [123] lengths', done.stdout, re.MULTILINE) and 'not run: out of time' in open(out, encoding='utf-8').read()
           else [f'status {done.returncode}: {done.stdout}'])

    # Where PyTorch, JAX or CuPy are installed, cuFFT and CUPTI are Python packages.
    for layout in ({'cu13': ((cufft, 'libcufft.so.12'), (cupti, 'libcupti.so.13'))},
                   {'cufft': ((cufft, 'libcufft.so.11'),), 'cuda_cupti': ((cupti, 'libcupti.so.12'),)}):
        environment = tempfile.mkdtemp(dir=top)
        for package, libraries in layout.items():
            lib = os.path.join(environment, 'lib/python3.12/site-packages/nvidia', package, 'lib')
            os.makedirs(lib)
            for library, name in libraries:
                shutil.copy(library, os.path.join(lib, name))
        out = os.path.join(environment, 'records.json')
        known = {name: value for name, value in os.environ.items() if name not in ('ULPFFT_CUFFT', 'ULPFFT_CUPTI', 'LD_LIBRARY_PATH')}
        done = subprocess.run([rehearsal, 'records', out, '9'], env={**known, 'VIRTUAL_ENV': environment}, check=False, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        report(f'libraries of the packages {", ".join(layout)} are found',
               [] if done.returncode == 0 and 'cuFFT' in done.stdout and 'fake_kernel' in done.stdout else [done.stdout])

    # A program that dies, and no cuFFT.
    with open(hashes, 'w', encoding='utf-8') as file:
        file.writelines(lines)
    program = os.path.join(folder, 'gpu_check_runner')
    os.rename(program, program + '.whole')
    write_program(program, f'[[ $1 != api && $1 != hashes ]] || kill -SEGV $$\n"{program}.whole" "$@" || exit\n'
                  '[[ "$1 $3" != "grid f16" ]] || exit 75')
    os.remove(sanitizer)
    run = Run(folder, os.path.join(top, 'deaths'), ULPFFT_CUFFT=os.path.join(top, 'none'), ULPFFT_CUPTI=os.path.join(top, 'none'))
    absent = 'failed' if shutil.which('compute-sanitizer', path='/usr/local/cuda/bin:' + os.environ['PATH']) else 'skipped'
    report('a part that dies leaves the others',
           run.other_states(1, api='failed', hashes='failed', records='skipped', memcheck=absent, racecheck=absent,
                            grid_f16='incomplete'))
    report('without cuFFT there are no numbers of it', [
        cell['problem'] for cell in run.cells() for name in ('cufft_default', 'cufft_patient')
        if cell[name]['status'] != 'not timed' or 'not installed' not in cell[name]['reason'] or 'seconds' in cell[name]])

    # The program for a device, without one.
    if has_driver():
        print('SKIP the program for a device without one: this machine has a driver')
    else:
        os.remove(program)
        shutil.copy(runner, program)
        run = Run(folder, os.path.join(top, 'absent'), ULPFFT_CUFFT=cufft, ULPFFT_CUPTI=cupti)
        report('without a device every part is skipped', run.other_states(77, **{name: 'skipped' for name in PARTS}))
        report('without a device nothing is claimed', [name for name, part in run.parts.items() if part['result'] not in (None, [])])

    # The program for a device itself, over a library in the place of the driver's.
    if libcuda:
        shutil.copy(runner, program)
        run = Run(folder, os.path.join(top, 'library'), ULPFFT_CUFFT=cufft, ULPFFT_CUPTI=cupti,
                  LD_LIBRARY_PATH=os.path.dirname(os.path.abspath(libcuda)))
        report('the program for a device passes over a library without one', run.other_states(0, memcheck=absent, racecheck=absent))
        run = Run(folder, os.path.join(top, 'ptx'), ULPFFT_CUFFT=cufft, ULPFFT_CUPTI=cupti, ULPFFT_FAKE_DRIVER_TAKES_PTX_ONLY='1',
                  LD_LIBRARY_PATH=os.path.dirname(os.path.abspath(libcuda)))
        report('and over one that refuses its binaries', run.other_states(0, memcheck=absent, racecheck=absent))
        report('every length of it is there', [f'{len(run.cells())} lengths'] if len(run.cells()) != 4 * 4 else [])
    else:
        print('SKIP the program for a device over a library without one: this build has no kernels, configure it with -Dcuda=enabled')

end()
