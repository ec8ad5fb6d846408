#!/usr/bin/env python3
"""A clean build of library and tool keeps its budget, by what ninja noted of each step: build_time_test.py BUILD"""
import os
import sys

BUDGET = 15 * 60  # seconds on two cores, design section 4; clang 19 took 8.4 minutes in CI
CORES = 2
FOLDERS = ('codelets', 'genfft', 'planner', 'tools', 'wisdom')

log = os.path.join(sys.argv[1], '.ninja_log')
if not os.path.exists(log):
    print('SKIP build time: it was not built by ninja')
    sys.exit(77)

def time_of(outputs):
    """One command may make several."""
    return sum(step[1] - step[0] for step in {steps[output] for output in outputs}) / 1000


steps = {}  # begin, end and command of the last that made an output; half a line, of a ninja that was killed, is none
with open(log, encoding='utf-8') as file:
    version = file.readline()
    for line in file:
        fields = line.rstrip('\n').split('\t')
        if len(fields) == 5 and fields[3].split('/')[0] in FOLDERS and fields[0].isdigit() and fields[1].isdigit():
            steps[fields[3]] = (int(fields[0]), int(fields[1]), fields[4])

if not version.startswith('# ninja log v') or not steps:
    print(f'FAIL build time: {version.strip()!r}, {len(steps)} files of library and tool')
    sys.exit(1)
total = time_of(steps)
print(f'{"PASS" if total <= CORES * BUDGET else "FAIL"} build of library and tool: {total / CORES / 60:.1f} of {BUDGET // 60} minutes on {CORES} cores, '
      f'{len(set(steps.values()))} commands (less than a clean build takes, where a compiler cache knew some)')
by_folder = {folder: time_of(output for output in steps if output.startswith(folder + '/')) for folder in FOLDERS}
print('  ' + ', '.join(f'{folder} {taken:.0f} s' for folder, taken in sorted(by_folder.items(), key=lambda item: -item[1])))
print('  the longest: ' + ', '.join(f'{output} {time_of([output]):.0f} s' for output in sorted(steps, key=lambda output: -time_of([output]))[:5]))
sys.exit(total > CORES * BUDGET)
