#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""What `tools/dev test` costs, from nothing to its last test: test_cost.py BUILD TESTLOG

The cost is held in CI alone (CI is set in the environment), from the notes that tools/measure_cost.py left in BUILD/cost. It is processor
time relative to a reference that was compiled and run all along, so neither load nor the speed of the processor decides. The verdict is
written to TESTLOG as a test of meson's, for tools/count_tests.py. Everywhere it is checked how notes are judged.
"""
import json
import math
import os
import sys

# Budgets are times the reference: that of `default` is for building library, tool and tests, for the tests and for clang. Whoever makes them
# dearer by more than the 2 % of GROWTH moves the number in the same commit and says there what is bought; whoever makes them cheaper lowers
# it. Beside 20 other processes the quotient of a compilation and a test by one sample scatters by 3.3 %, so that of 45 by 0.5 %.
# The first run from nothing cost 1426, 151 of it for `thread`. With FFTW's interface, `ulpfft run` and bodies of 19 to 31 points an idle
# Zen 4 took 1485, 163 of it for `thread`: 2878 processor seconds (library and tool 659, compiling tests 612, tests 1163, thread 315, clang
# 130). With what-if, programs of Debian, the Python package, arrays in files and primes to 61 it took 1559, 179 of it for `threads`: 3103
# processor seconds (library and tool 696, compiling tests 668, tests 1229, threads 356, clang 153). With files joined, a fifth of the files
# read by clang and fewer formats a day in one_file, but nvfp4 and 40 tests more, it took 1453, 126 of it for `threads`: 3020 processor
# seconds (705, 713, 1241, 263, 98), 2.079 for the reference. Runs on two machines of one kind differed by 2 %, which the budget leaves
# beside GROWTH. Then the files of the tool were joined (194 to 86 processor seconds on a loaded Zen 5, 1.56 there for the reference), those
# of several tests, too (71 to 33), the generator and its tests took 40 seconds less, and two tests of buffers between guard pages 22 for
# 45: 134 references less, of which a fifth of what is compiled is left out, because load slows compilers more than the reference.
# `arrays` took 946 processor seconds (811 to build), 480 references; without twins of kernels, CUDA and a generator with sanitizers it took
# 590 on that Zen 5, where the same parts took 925 before: two thirds, and 5 % for the load. `texts` is an estimate. Windows, powers,
# streams, the PTX that is executed, a manual, examples and the packages' interface took 1577 with `arrays` on that machine, idle: 2469
# processor seconds (library and tool 470, compiling tests 534, tests 864, arrays 532, clang 69), 1.565 for the reference.
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../tools/ci/builds.json'), encoding='utf-8') as opened:
    MORE = {build['name']: build['budget'] for build in json.load(opened)['builds'] if 'budget' in build}
BUDGET = MORE.pop('default')  # MORE comes to that: tests that nvcc compiles kernels for, where it is found, and the sanitizer of the day.
PROCESSOR = '25.17'  # A Zen 4. Others do compilations and transforms at other rates, which ELSEWHERE allows for.
GROWTH = 1.02
ELSEWHERE = 1.15
FEWEST_SAMPLES = 20


def judge(note):
    """('PASS', 'FAIL' or 'SKIP', sentence)."""
    if note is None:
        return 'SKIP', 'nothing was measured; .ci/run measures'
    if note['objects_before'] > 0:
        return 'SKIP', f'not held: {note["objects_before"]} files were built before'
    if note['cached'] > 0 or note['launcher'] not in ('', 'ccache'):
        cache = note['launcher'] or 'ccache'
        return 'SKIP', f'not held: a compiler cache ({cache}) answered {note["cached"]} times; without one (CCACHE_DISABLE=1) it is'
    if len(note['samples']) < FEWEST_SAMPLES:
        return 'FAIL', f'{len(note["samples"])} samples of the reference are too few to judge by; {FEWEST_SAMPLES} or more were expected'
    count = len(note['samples'])
    reference = sum(note['samples']) / count
    deviation = math.sqrt(sum((one - reference)**2 for one in note['samples']) / (count - 1) / count) / reference
    seconds = sum(note['phases'].values())
    cost = seconds / reference
    more = sum(cost for name, cost in MORE.items() if name in note['phases'] or (name == 'nvcc' and note['nvcc']))
    budget = BUDGET + more
    allowed = budget * (GROWTH if note['processor'] == PROCESSOR else ELSEWHERE)
    sentence = (f'{cost:.0f} times the reference of {budget}, {allowed:.0f} allowed on processor {note["processor"]}: '
                f'{seconds:.0f} processor seconds, {reference:.3f} for the reference, the mean of {count} samples '
                f'(+- {100 * deviation:.1f} %); '
                + ', '.join(f'{phase} {taken:.0f} s' for phase, taken in note['phases'].items()))
    if note['processor'] == PROCESSOR and cost < budget * (2 - GROWTH):
        sentence += f'; the budget of default in tools/ci/builds.json can be lowered to {cost - more:.0f}'
    return ('PASS' if cost <= allowed else 'FAIL'), sentence


def check_judge():
    """A run from nothing passes up to the budget and what it may grow by, whatever a second is worth; runs with help are not held."""
    def of(cost, **other):
        return {'objects_before': 0, 'launcher': '', 'cached': 0, 'nvcc': False, 'processor': PROCESSOR, 'samples': [0.9, 1.1] * 25,
                'phases': {'build': 0.4 * cost, 'tests': 0.6 * cost}, **other}
    slow = {'samples': [9.0, 11.0] * 25}
    cases = [(of(BUDGET), 'PASS'), (of(1.019 * BUDGET), 'PASS'), (of(1.021 * BUDGET), 'FAIL'), (of(10.19 * BUDGET, **slow), 'PASS'),
             (of(10.21 * BUDGET, **slow), 'FAIL'),
             (of(1.1 * BUDGET, processor='6.106'), 'PASS'), (of(1.2 * BUDGET, processor='6.106'), 'FAIL'),
             (of(1.019 * (BUDGET + MORE['nvcc']), nvcc=True), 'PASS'), (of(1.021 * (BUDGET + MORE['nvcc']), nvcc=True), 'FAIL'),
             (of(0, phases={'tests': 1.019 * BUDGET, 'threads': MORE['threads']}), 'PASS'),
             (of(0, phases={'tests': 1.03 * BUDGET, 'threads': MORE['threads']}), 'FAIL'),
             (of(2 * BUDGET, launcher='ccache'), 'FAIL'), (of(2 * BUDGET, launcher='ccache', cached=1), 'SKIP'),
             (of(2 * BUDGET, launcher='sccache'), 'SKIP'), (of(2 * BUDGET, objects_before=1), 'SKIP'),
             (of(BUDGET, samples=[1.0] * 3), 'FAIL'), (None, 'SKIP')]
    faults = [f'{note}: {judge(note)}, not {expected}' for note, expected in cases if judge(note)[0] != expected]
    faults += [f'{cost}: {judge(of(cost))[1]}' for cost, told in ((0.99 * BUDGET, False), (0.97 * BUDGET, True))
               if ('can be lowered' in judge(of(cost))[1]) != told]
    return faults


def read_note(build):
    """One note of all that was written, None where nothing was."""
    folder = os.path.join(build, 'cost')
    try:
        with open(os.path.join(folder, 'start.json'), encoding='utf-8') as file:
            note = json.load(file)
        with open(os.path.join(folder, 'samples.txt'), encoding='ascii') as file:
            note['samples'] = [float(line) for line in file]
        with open(os.path.join(folder, 'phases.txt'), encoding='ascii') as file:
            marks = [(float(line.split()[0]), line.split(maxsplit=1)[1].strip()) for line in file]
    except FileNotFoundError:
        return None
    note['phases'] = {phase: seconds - before for (before, _), (seconds, phase) in zip(marks, marks[1:])}  # the first is the beginning
    note['cached'] = 0
    if os.path.exists(log := os.path.join(folder, 'ccache.txt')):
        with open(log, encoding='utf-8') as file:
            note['cached'] += sum('hit' in line for line in file if not line.startswith('#'))
    if os.path.exists(log := os.path.join(build, 'build_cost.json')):
        with open(log, encoding='utf-8') as file:
            note['cached'] += json.load(file)['cached']
    return note


def main():
    build, testlog = sys.argv[1:]
    faults = check_judge()
    lines = [f'{"FAIL" if faults else "PASS"} notes of what the tests cost are judged by processor time alone']
    lines += ['  ' + fault for fault in faults]
    outcome, sentence = judge(read_note(build))
    if not os.environ.get('CI'):
        outcome, sentence = 'SKIP', f'held in CI alone; the last measurement: {sentence}'
    lines.append(f'{outcome} {sentence}')
    print('\n'.join(lines))
    with open(testlog, 'w', encoding='utf-8') as file:
        result = 'ERROR' if faults or outcome == 'FAIL' else 'OK'
        json.dump({'name': 'cost of all tests', 'result': result, 'stdout': '\n'.join(lines)}, file)
        file.write('\n')


if __name__ == '__main__':
    main()
