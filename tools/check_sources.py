#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Has the compiler of a build read its sources without making code of them: check_sources.py BUILD OTHER ONE_IN SEED

What a compiler finds in the text, warnings and missing includes, does not need its code. What the build would generate is taken from OTHER,
a build of the same tree that is complete. Ends with 1, and shows what the compiler says, where it ends with an error; -Werror in the
build makes a warning one.

Of the sources one in ONE_IN is read, chosen by SEED so that as many seeds in a row read all, and each that the last commit or the work
since then changed.
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
            made = os.path.join(other, name)
            if not os.path.isdir(made):  # pages of the manual are no source
                shutil.copy(made, os.path.join(build, name))


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


def changed_files():
    """Absolute paths of what differs from the commit before the last; none where git cannot tell."""
    git = ['git', '-c', 'safe.directory=*']
    try:
        root = subprocess.run([*git, 'rev-parse', '--show-toplevel'], check=True, capture_output=True, text=True).stdout.strip()
        names = subprocess.run([*git, 'diff', '--name-only', '-z', 'HEAD~1'], check=True, capture_output=True, text=True).stdout
        names += subprocess.run([*git, 'ls-files', '--others', '--exclude-standard', '-z'], check=True, capture_output=True, text=True,
                                cwd=root).stdout
    except (OSError, subprocess.CalledProcessError):
        return set()
    return {os.path.realpath(os.path.join(root, name)) for name in names.split('\0') if name}


def chosen(entries, one_in, seed):
    changed = changed_files()
    ordered = sorted(entries, key=lambda entry: entry['output'])
    return [entry for i, entry in enumerate(ordered)
            if i % one_in == seed % one_in or os.path.realpath(os.path.join(entry['directory'], entry['file'])) in changed]


def main():
    build, other = sys.argv[1:3]
    one_in, seed = (int(word) for word in sys.argv[3:])
    copy_generated(build, other)
    with open(os.path.join(build, 'compile_commands.json'), encoding='utf-8') as file:
        entries = chosen(json.load(file), one_in, seed)
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
