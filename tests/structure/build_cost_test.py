#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""What a clean build of library and tool costs: build_cost_test.py BUILD

The cost is held in CI alone (CI is set in the environment), from the note that tools/measure_build.py left there. It is processor time relative to
a reference file, so neither load nor the speed of the processor decides. Elsewhere nothing is held: the wall seconds of ninja's log are
shown, and this test checks how a note is judged.
"""
import json
import os
import sys

# Times the reference file. By g++ 12 on a Zen 4: 474 processor seconds for 241 files, 5.96 for the reference, which is 79.5. Where the reference took
# 8.3, all files once took 1,001 seconds, which is 121. Pairs of bodies with loops came later, in two files: 17.1 seconds on a Zen 5 where the
# reference took 6.6, which is 2.6. Real transforms, split schemes and CUDA launches on a Zen 4: 640 seconds for 327
# files, 6.07 for the reference, which is 105.5. Plans by strides and distances, planning that can be interrupted, words of the tool and
# NumPy's types: 727 seconds for 342 files, 6.16 for the reference, which is 118, while another build filled the caches. A precompiled header
# of the tool, FFTW's interface, `ulpfft run` and 121 pairs more: 635 seconds for 352 files on an idle Zen 4, 5.8 for the reference, which is
# 109.3. 365 files beside a build that ran where the processors were idle: 670 seconds, 6.35 for the reference, which is 105.5. Then the
# tool's files were joined, which take 0.4 of the time, about 18 of these references less.
BUDGET = 95
FOLDERS = ('codelets', 'genfft', 'planner', 'stream', 'tools', 'wisdom')

build = sys.argv[1]


def judge(note):
    """('PASS', 'FAIL' or 'SKIP', sentence)."""
    if note is None:
        return 'SKIP', 'this build was not measured; .ci/run builds with tools/measure_build.py'
    if note['objects_before'] > 0:
        return 'SKIP', f'not held: {note["objects_before"]} files were built before, so the rest is no clean build'
    if note['cached'] > 0 or note['launcher'] not in ('', 'ccache'):
        return 'SKIP', f'not held: a compiler cache ({note["launcher"]}) answered for {note["cached"]} of {note["compiled"]} files; without one (CCACHE_DISABLE=1) it is'
    if note['compiled'] == 0 or min(note['reference_seconds']) <= 0:
        return 'FAIL', 'the note has no compilations, or a reference that cost nothing'
    reference = sum(note['reference_seconds']) / len(note['reference_seconds'])
    cost = note['seconds'] / reference
    sentence = (f'{cost:.1f} times the reference file of {BUDGET}: {note["seconds"]:.0f} processor seconds for {note["compiled"]} files, '
                f'{" and ".join(f"{seconds:.1f}" for seconds in note["reference_seconds"])} for the reference')
    return ('PASS' if cost <= BUDGET else 'FAIL'), sentence


def check_judge():
    """A clean build without a cache passes up to the budget and fails above it, whatever a second is worth; others are not held."""
    clean = {'objects_before': 0, 'launcher': '', 'cached': 0, 'compiled': 300, 'reference_seconds': [9.0, 11.0], 'seconds': 10.0 * BUDGET}
    slow = {**clean, 'reference_seconds': [90.0, 110.0], 'seconds': 100.0 * BUDGET}
    cases = [(clean, 'PASS'), (slow, 'PASS'), ({**clean, 'seconds': 10.1 * BUDGET}, 'FAIL'), ({**slow, 'seconds': 101.0 * BUDGET}, 'FAIL'),
             ({**clean, 'launcher': 'ccache'}, 'PASS'), ({**clean, 'launcher': 'ccache', 'seconds': 10.1 * BUDGET}, 'FAIL'),
             ({**clean, 'launcher': 'ccache', 'cached': 1}, 'SKIP'), ({**clean, 'launcher': 'sccache'}, 'SKIP'), ({**clean, 'objects_before': 1}, 'SKIP'),
             ({**clean, 'compiled': 0}, 'FAIL'), (None, 'SKIP')]
    return [f'{note}: {judge(note)}, not {expected}' for note, expected in cases if judge(note)[0] != expected]


def read_note():
    try:
        with open(os.path.join(build, 'build_cost.json'), encoding='utf-8') as file:
            return json.load(file)
    except FileNotFoundError:
        return None


def show_wall_seconds():
    """What ninja noted of each step: begin, end and command of the last that made an output. One command may make several."""
    steps = {}
    try:
        with open(os.path.join(build, '.ninja_log'), encoding='utf-8') as file:
            for line in file:  # half a line, of a ninja that was killed, is none
                fields = line.rstrip('\n').split('\t')
                if len(fields) == 5 and fields[3].split('/')[0] in FOLDERS and fields[0].isdigit() and fields[1].isdigit():
                    steps[fields[3]] = (int(fields[0]), int(fields[1]), fields[4])
    except FileNotFoundError:
        return

    def time_of(outputs):
        return sum(end - begin for begin, end, _ in {steps[output] for output in outputs}) / 1000
    by_folder = {folder: time_of(output for output in steps if output.startswith(folder + '/')) for folder in FOLDERS}
    print(f'  wall seconds of {len(set(steps.values()))} commands, others beside them: '
          + ', '.join(f'{folder} {taken:.0f}' for folder, taken in sorted(by_folder.items(), key=lambda item: -item[1])))
    print('  the longest: ' + ', '.join(f'{output} {time_of([output]):.0f} s' for output in sorted(steps, key=lambda output: -time_of([output]))[:5]))


faults = check_judge()
print(f'{"FAIL" if faults else "PASS"} build cost: notes are judged by processor time alone')
for fault in faults:
    print('  ' + fault)
outcome, sentence = judge(read_note())
if not os.environ.get('CI'):
    outcome, sentence = 'SKIP', f'held in CI alone; the last measurement: {sentence}'
print(f'{outcome} build cost of library and tool: {sentence}')
show_wall_seconds()
sys.exit(1 if faults or outcome == 'FAIL' else 0)
