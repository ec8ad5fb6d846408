#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""How long a build takes here, and how far it is, by the cost of its steps and not by their number.

  build_progress.py speed FOLDER                    how long this machine takes, in percent of an idle Zen 4; kept in FOLDER for an hour
  build_progress.py estimate BUILD SECONDS TARGET... what is left of SECONDS, those of a build from nothing, because steps are done
  build_progress.py run BUILD LOG SECONDS TARGET... builds; SECONDS: expected, by the clock. On a terminal a line that changes, else a line
                                                    for every tenth of the work. What ninja says goes to LOG

Costs are processor seconds of g++ 12 on a Zen 4. Only their ratios matter, and a file that none was measured for takes that of its folder.
"""
import os
import re
import resource
import subprocess
import sys
import time

REFERENCE_SECONDS = 1.2  # of tests/structure/build_reference.cc, read and not compiled, on the machine of the costs
X86_TARGETS = ('HWY_AVX3', 'HWY_AVX2', 'HWY_SSE4')

# The first pattern that is found in the name of an output: seconds, and seconds for each file that a unity build joins.
COSTS = [(re.compile(pattern), seconds, joined) for pattern, seconds, joined in (
    (r'^tools/.*\.gch$', 3.5, 0),
    (r'\.gch$', 2, 0),
    (r'^codelets/.*hwy_f\d\d_rolled', 8.5, 0),
    (r'^codelets/libulpfft_codelets.*hwy_f\d\d_', 3.7, 0),
    (r'^codelets/libulpfft_codelets.*/hwy_', 2, 0),
    (r'^codelets/.*cuda', 9, 0),
    (r'^codelets/.*\.o$', 1.5, 0),
    (r'^genfft/.*\.o$', 1.3, 0.7),
    (r'^wisdom/.*\.o$', 1.4, 0.9),
    (r'^planner/.*cold.*\.o$', 1.7, 0.8),
    (r'^planner/.*\.o$', 1.0, 0.42),
    (r'^stream/.*\.o$', 1.5, 0.35),
    (r'^tools/.*\.o$', 1.8, 0.6),
    (r'^bindings/.*\.o$', 1.2, 0),
    (r'^tests/codelets/cuda/.*\.o$', 3.5, 0),
    (r'^tests/.*\.o$', 2.2, 1.0),
)]
GENERATOR_SECONDS = 4.0
OTHER_SECONDS = 0.15  # archives and links


def cost_of(command, folder):
    """Of a command of ninja that runs in `folder`."""
    if ' emit --outdir ' in command:
        return GENERATOR_SECONDS
    output = re.search(r' -o (\S+)', command)
    name = output.group(1) if output else ''
    for pattern, seconds, joined in COSTS:
        if not pattern.search(name):
            continue
        disabled = re.search(r'-DHWY_DISABLED_TARGETS=\'?\(?([A-Z0-9_|]+)', command)
        if disabled and name.startswith('codelets/libulpfft_codelets'):
            return seconds * max(1, sum(target not in disabled.group(1).split('|') for target in X86_TARGETS))
        if '-unity' in name and joined:
            source = re.search(r' -c (\S+)', command)
            with open(os.path.join(folder, source.group(1)), encoding='utf-8') as file:
                return 0.8 + joined * sum(line.startswith('#include') for line in file)
        return seconds
    return OTHER_SECONDS


def lines_of(command, folder):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    return done.stdout.splitlines()


def left_to_do(folder, targets):
    """The costs of the commands that ninja would run now. Where it would configure first it names nothing else, so that is done before."""
    lines_of(['ninja', 'build.ninja'], folder)
    steps = (re.match(r'\[\d+/\d+\] (.*)', line) for line in lines_of(['ninja', '-n', '-v', *targets], folder))
    return sum(cost_of(step.group(1), folder) for step in steps if step)


def estimate(folder, seconds, targets):
    left = left_to_do(folder, targets)
    whole = sum(cost_of(line, folder) for line in lines_of(['ninja', '-t', 'commands', *targets], folder))
    return round(float(seconds) * min(1.0, left / whole)) if whole > 0 else round(float(seconds))


def speed(folder):
    """By the processor seconds of the compiler for the reference file."""
    kept = os.path.join(folder, 'speed.txt')
    if os.path.exists(kept) and time.time() - os.path.getmtime(kept) < 3600:
        with open(kept, encoding='utf-8') as file:
            return int(file.read())
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tests/structure/build_reference.cc')
    try:
        subprocess.run(['g++', '-std=c++20', '-fsyntax-only', source], check=True)
    except (OSError, subprocess.CalledProcessError):
        return 100  # no compiler yet
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    percent = max(1, round(100 * (used.ru_utime + used.ru_stime) / REFERENCE_SECONDS))
    os.makedirs(folder, exist_ok=True)
    with open(kept, 'w', encoding='utf-8') as file:
        file.write(str(percent))
    return percent


class Progress:
    """Tells how far the work is. `whole`: its cost; `expected`: seconds."""

    def __init__(self, whole, expected):
        self.whole, self.expected, self.done = max(whole, 1e-9), expected, 0.0
        self.started, self.told = time.monotonic(), 0
        self.terminal = sys.stdout.isatty()

    def show(self, cost):
        self.done += cost
        part = min(1.0, self.done / self.whole)
        tenth = int(10 * part)
        if not self.terminal and tenth <= self.told:
            return
        self.told = tenth
        passed = time.monotonic() - self.started
        # At first what was expected, then what the work done tells.
        left = passed * (1 - part) / part if part >= 0.1 else max(0.0, self.expected - passed)
        line = f'    {100 * part:.0f} % of the work, {passed:.0f} s' + (f', about {left:.0f} s left' if part < 1 else '')
        print('\r' + line + '\033[K' if self.terminal else line, end='' if self.terminal else '\n', flush=True)

    def finish(self):
        if self.terminal and self.done > 0:
            print('\r\033[K', end='', flush=True)


def run(folder, log, expected, targets):
    progress = Progress(left_to_do(folder, targets), float(expected))
    with open(log, 'w', encoding='utf-8') as file, \
         subprocess.Popen(['ninja', '-v', *targets], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as ninja:
        for line in ninja.stdout:
            file.write(line)
            step = re.match(r'\[\d+/\d+\] (.*)', line)
            if step:
                progress.show(cost_of(step.group(1), folder))
    progress.finish()
    return ninja.returncode


def main():
    what, *words = sys.argv[1:]
    if what == 'speed':
        print(speed(words[0]))
    elif what == 'estimate':
        print(estimate(words[0], words[1], words[2:]))
    elif what == 'run':
        sys.exit(run(words[0], words[1], words[2], words[3:]))
    else:
        sys.exit(__doc__)


if __name__ == '__main__':
    main()
