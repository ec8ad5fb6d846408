#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""tools/build_progress.py knows what the steps of a build cost: progress_test.py ROOT BUILD"""
import importlib.util
import os
import re
import sys
import tempfile

root, build = sys.argv[1:]
spec = importlib.util.spec_from_file_location('build_progress', os.path.join(root, 'tools/build_progress.py'))
progress = importlib.util.module_from_spec(spec)
spec.loader.exec_module(progress)
failures = 0


def expect(what, good):
    global failures
    failures += not good
    print(f'{"PASS" if good else "FAIL"} {what}')


commands = progress.lines_of(['ninja', '-t', 'commands'], build)
objects = [command for command in commands if ' -c ' in command and '.cc.o ' in command]
unknown = [command for command in objects if progress.cost_of(command, build) <= progress.OTHER_SECONDS]
expect(f'every one of {len(objects)} objects has a cost', objects and not unknown)
for command in unknown[:5]:
    print('  ' + command)

codelet = 'c++ -DHWY_DISABLED_TARGETS=(HWY_AVX3_DL|HWY_SSSE3{}) -o codelets/libulpfft_codelets.a.p/meson-generated_.._generated_hwy_f32_0.cc.o -c x.cc'
expect('three instruction sets cost three times as much as one',
       abs(progress.cost_of(codelet.format(''), build) - 3 * progress.cost_of(codelet.format('|HWY_AVX2|HWY_SSE4'), build)) < 1e-9)

with tempfile.TemporaryDirectory() as folder:
    costs = []
    for files in (2, 8):
        with open(os.path.join(folder, 'joined.cpp'), 'w', encoding='utf-8') as file:
            file.writelines(f'#include<{i}.cc>\n' for i in range(files))
        costs.append(progress.cost_of('c++ -o planner/libulpfft_planner.a.p/x-unity0.cpp.o -c joined.cpp', folder))
    expect('files that are joined cost more the more they are, and less than alone',
           costs[0] < costs[1] < 8 * progress.cost_of('c++ -o planner/libulpfft_planner.a.p/x.cc.o -c x.cc', folder))

# Steps that are announced with a time of one machine alone. Packages come from a network.
with open(os.path.join(root, 'tools/dev'), encoding='utf-8') as file:
    fixed = [line.strip() for line in file if re.search(r'^ *step .*"[^"$]*\d+ (s|min)\b[^"]*"$', line) and 'step "packages: ' not in line]
expect('every time that tools/dev announces is scaled by the speed of this machine', not fixed)
for line in fixed:
    print('  ' + line)

told = progress.Progress(10.0, 100.0)
told.show(1.0)
told.show(8.0)
expect('the work done is told, not the number of steps', told.told == 9)
sys.exit(1 if failures else 0)
