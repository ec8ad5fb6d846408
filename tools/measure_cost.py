#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Notes what `tools/dev test` costs: measure_cost.py start BUILD FOLDER... | sample ROOT BUILD | note BUILD PHASE

start   empties BUILD/cost, and notes there what was built before in BUILD and the FOLDERs, and on what machine.
sample  until it gets a SIGTERM: has the compiler read tests/structure/build_reference.cc, runs what tests/structure/compute_reference.cc
        compiles to, again and again, and notes the processor seconds of both together. A processor that is shared with others runs slower
        for minutes; samples from the whole run tell how fast it was while the work was done. A crowded cache makes compilers a quarter
        slower and transforms hardly at all: the reference has of both about what the work has.
note    the processor seconds (user + system) that the calling shell's children have used since it began.

tests/structure/test_cost.py judges the notes.
"""
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from measure_build import compiler_of  # noqa: E402

PERIOD = 30  # seconds from one sample to the next: 45 of two seconds in a run of 25 minutes


def processor():
    """Family and model, e.g. 25.17 of a Zen 4."""
    facts = {}
    with open('/proc/cpuinfo', encoding='utf-8') as file:
        for line in file:
            name, _, value = line.partition(':')
            facts.setdefault(name.strip(), value.strip())
    return f'{facts.get("cpu family", "?")}.{facts.get("model", "?")}'


def start(build, *folders):
    folder = os.path.join(build, 'cost')
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    # Meson's own trials while it configures are no part of a build.
    objects = sum(name.endswith('.o') for one in (build, *folders) for path, _, names in os.walk(one) if 'meson-private' not in path
                  for name in names)
    nvcc = bool(shutil.which('nvcc') or os.path.exists('/usr/local/cuda/bin/nvcc'))
    note = {'objects_before': objects, 'launcher': compiler_of(build)[1], 'processor': processor(), 'nvcc': nvcc}
    with open(os.path.join(folder, 'start.json'), 'w', encoding='utf-8') as file:
        json.dump(note, file)


def sample(root, build):
    folder, compiler = os.path.join(root, 'tests/structure'), [*compiler_of(build)[0], '-std=c++20']
    program = os.path.abspath(os.path.join(build, 'cost', 'compute_reference'))
    subprocess.run([*compiler, '-O2', os.path.join(folder, 'compute_reference.cc'), '-o', program], check=True)
    ended = []
    signal.signal(signal.SIGTERM, lambda *_: ended.append(True))
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = usage.ru_utime + usage.ru_stime
    while not ended:
        subprocess.run([*compiler, '-fsyntax-only', os.path.join(folder, 'build_reference.cc')], check=True)
        subprocess.run([program], check=True, stdout=subprocess.DEVNULL)
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        with open(os.path.join(build, 'cost', 'samples.txt'), 'a', encoding='ascii') as file:
            file.write(f'{usage.ru_utime + usage.ru_stime - used:.3f}\n')
        used = usage.ru_utime + usage.ru_stime
        due = time.monotonic() + PERIOD
        while not ended and time.monotonic() < due:
            time.sleep(0.5)


def note(build, phase):
    with open(f'/proc/{os.getppid()}/stat', encoding='utf-8') as file:
        fields = file.read().rpartition(')')[2].split()
    seconds = (int(fields[13]) + int(fields[14])) / os.sysconf('SC_CLK_TCK')  # cutime, cstime
    with open(os.path.join(build, 'cost', 'phases.txt'), 'a', encoding='ascii') as file:
        file.write(f'{seconds:.2f} {phase}\n')


if __name__ == '__main__':
    {'start': start, 'sample': sample, 'note': note}[sys.argv[1]](*sys.argv[2:])
