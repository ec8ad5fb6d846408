#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Builds targets with ninja and notes what that cost: measure_build.py ROOT BUILD TARGET...

The cost is user + system seconds of all commands, divided by those of one reference file, tests/structure/build_reference.cc, compiled by
the same compiler in the same run, on two cores before and on two after. Load, and the speed of the processor, change both. BUILD/build_cost.json
holds the numbers; tests/structure/build_cost_test.py judges them.
"""
import json
import os
import resource
import shlex
import subprocess
import sys
import tempfile

FOLDERS = ('codelets', 'genfft', 'planner', 'stream', 'tools', 'wisdom')
LAUNCHERS = ('ccache', 'sccache', 'distcc', 'icecc')


def processor_seconds(command, **options):
    """Of a command and of all that it waited for, as ninja does for compilers."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    status = subprocess.run(command, check=False, **options).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return status, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def compiler_of(build):
    """The words that call the C++ compiler of a build, and the launcher before it, '' where there is none."""
    with open(os.path.join(build, 'compile_commands.json'), encoding='utf-8') as file:
        entries = json.load(file)
    command = shlex.split(next(entry['command'] for entry in entries if entry['file'].endswith('planner/plan/plan.cc')))
    launcher = os.path.basename(command[0]) if os.path.basename(command[0]) in LAUNCHERS else ''
    words = command[1:] if launcher else command
    return words[:next(i for i, word in enumerate(words) if word.startswith('-'))], launcher


def reference_seconds(root, compiler):
    """Of the reference file, the mean of two that are compiled at the same time."""
    source = os.path.join(root, 'tests/structure/build_reference.cc')
    with tempfile.TemporaryDirectory() as folder:
        words = [*compiler, '-std=c++20', '-O2', '-c', source, '-o']
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        both = [subprocess.Popen([*words, os.path.join(folder, f'reference{i}.o')]) for i in range(2)]
        statuses = [process.wait() for process in both]
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if any(statuses):
        sys.exit(f'measure_build.py: {source} does not compile')
    return (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime) / 2


def built_before(build):
    """Object files that are there already, whose cost nobody will see."""
    return sum(name.endswith('.o') for folder in FOLDERS for _, _, names in os.walk(os.path.join(build, folder)) for name in names)


def main():
    root, build, *targets = sys.argv[1:]
    compiler, launcher = compiler_of(build)
    note = {'objects_before': built_before(build), 'launcher': launcher}
    references = [reference_seconds(root, compiler)]
    with tempfile.NamedTemporaryFile('r', encoding='utf-8') as log:
        status, note['seconds'] = processor_seconds(['ninja', '-C', build, *targets], env={**os.environ, 'CCACHE_STATSLOG': log.name})
        note['cached'] = sum('hit' in line for line in log if not line.startswith('#'))
    if status != 0:
        sys.exit(status)
    references.append(reference_seconds(root, compiler))
    note['reference_seconds'] = references
    note['compiled'] = built_before(build) - note['objects_before']
    with open(os.path.join(build, 'build_cost.json'), 'w', encoding='utf-8') as file:
        json.dump(note, file, indent=1)


if __name__ == '__main__':
    main()
