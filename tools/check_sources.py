#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Has the compiler of a build read every source without making code of it: check_sources.py BUILD OTHER

What a compiler finds in the text, warnings and missing includes, does not need its code. What the build would generate is taken from OTHER,
a build of the same tree that is complete. Ends with 1, and shows what the compiler says, where it ends with an error; -Werror in the
build makes a warning one.
"""
import concurrent.futures
import json
import os
import shlex
import shutil
import subprocess
import sys
import time


def copy_generated(build, other):
    """The outputs of every custom command."""
    rules = subprocess.run(['ninja', '-C', build, '-t', 'targets', 'rule', 'CUSTOM_COMMAND'], check=True, capture_output=True, text=True).stdout
    for name in rules.split('\n'):
        if name and not name.startswith(('ninja: ', 'meson-internal__')):
            os.makedirs(os.path.dirname(os.path.join(build, name)), exist_ok=True)
            shutil.copy(os.path.join(other, name), os.path.join(build, name))


def check(entry):
    """What the compiler says of a source, and whether it is content."""
    words = shlex.split(entry['command'])
    for option in ('-o', '-MF', '-MQ'):
        while option in words:
            at = words.index(option)
            del words[at:at + 2]
    words = [word for word in words if word not in ('-c', '-MD')] + ['-fsyntax-only']
    done = subprocess.run(words, cwd=entry['directory'], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode == 0, done.stdout


def main():
    build, other = sys.argv[1:]
    copy_generated(build, other)
    with open(os.path.join(build, 'compile_commands.json'), encoding='utf-8') as file:
        entries = json.load(file)
    started, told, failures = time.monotonic(), 0, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for done, (good, said) in enumerate(pool.map(check, entries), 1):
            if said:
                print(said, file=sys.stderr)
            failures += not good
            if 10 * done // len(entries) > told:
                told = 10 * done // len(entries)
                print(f'    {10 * told} %, {time.monotonic() - started:.0f} s', flush=True)
    if not entries or failures:
        sys.exit(f'check_sources.py: {failures} of {len(entries)} sources of {build} are refused')


main()
