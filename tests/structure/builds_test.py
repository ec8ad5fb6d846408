#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""tools/ci/builds.json names what is there, and tools/dev can use it: builds_test.py ROOT BUILD"""
import json
import os
import re
import subprocess
import sys

root, build = sys.argv[1:]
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(root, 'tools/ci'))
import builds  # noqa: E402

failures = 0


def report(name, faults):
    global failures
    print(f'{"FAIL" if faults else "PASS"} {name}')
    for fault in faults:
        print(f'  {fault}')
    failures += bool(faults)


def read(name):
    with open(os.path.join(root, name), encoding='utf-8') as file:
        return file.read()


def of_kind(*kinds):
    return [name for name, row in builds.BUILDS.items() if row['runs'] in kinds and 'part_of' not in row]


days = of_kind('day')
runs = [builds.chosen(False, seed) for seed in range(19000, 19000 + len(days))]
report('as many days in a row have every build of a day, once',
       [run for run in runs if len(run) != len(set(run)) or set(run) - set(days) != set(of_kind('always', 'default'))] +
       ([] if sorted(name for run in runs for name in run if name in days) == sorted(days) else [runs]))
full = builds.chosen(True, 0)
report('a full run has every build but those of other runs', [] if full == of_kind('always', 'day', 'full') else [full])

with open(os.path.join(build, 'meson-info/intro-tests.json'), encoding='utf-8') as opened:
    known = {test['name'] for test in json.load(opened)}
wanted = {name for row in builds.BUILDS.values() for name in row.get('tests', [])} - {'short'} | set(builds.TABLE['short'])
if 'manual' in known:  # a build with the tool has them all
    report('tests of builds are tests', sorted(wanted - known))
else:
    print('SKIP tests of builds are tests: this build has no tool')
parts = set(re.findall(r"'(\w+)': (?:threads|arrays|texts|\{)", read('tests/sanitized/meson.build')))
report('suites of builds are parts of tests/sanitized',
       [f'{name}: {suite}' for name, row in builds.BUILDS.items() for suite in row.get('suites', []) if suite not in parts])

choices = re.search(r"option\('targets'.*?choices: \[(.*?)\]", read('meson_options.txt'))[1]
configured = {name: row for name, row in builds.BUILDS.items() if 'options' in row}
report('targets of builds are those of meson_options.txt',
       [name for name, row in configured.items() if f"'{row['targets']}'" not in choices])
standards = {'headers in C': ('tests/structure', "'c_std={}'"), 'headers in C++': ('tests/structure', "'cpp_std={}'"),
             'header for heFFTe': ('tests/heffte', "'cpp_std={}'"), 'nvcc': ('planner', "'-std={}'")}
report('standards of parts are those of their build files',
       [name for name, (folder, text) in standards.items()
        if text.format(builds.BUILDS[name]['standard']) not in read(f'{folder}/meson.build')])


def expected(name, machine, present, absent, environment):
    words, found = builds.arguments(builds.BUILDS[name], machine)
    good = set(present) <= set(words) and not any(word.startswith(tuple(absent)) for word in words if absent) and found == environment
    return [] if good else [f'{name} on {machine}: {words}, {found}']


report('compiler, targets and sanitizers become what meson takes',
       expected('default', 'x86_64', ['-Dcpp_std=c++20', '-Dtool=enabled'], ['-Dtargets', '-Db_'], {}) +
       expected('arrays', 'x86_64', ['-Db_sanitize=address,undefined', '-Dtargets=avx2'], [], {}) +
       expected('arrays', 'aarch64', ['-Db_sanitize=address,undefined'], ['-Dtargets'], {}) +
       expected('threads', 'aarch64', ['-Db_sanitize=thread', '-Dtargets=scalar'], [], {}) +
       expected('fuzz', 'x86_64', ['-Dfuzz=true'], ['-Db_sanitize'], {'CC': 'clang-19', 'CXX': 'clang++-19'}) +
       expected('aarch64', 'x86_64', ['--cross-file', os.path.join(builds.root, 'tools/cross/aarch64-linux-gnu.ini')], ['-Dtargets'], {}) +
       [f'{word} of {name} is not there' for name, row in configured.items() for word in builds.arguments(row, 'x86_64')[0]
        if word.endswith('.ini') and not os.path.exists(word)])

SHELL = 'eval "$(python3 -B "$0" fields "$1" "$2")"; echo "$what|$host|$sanitizers|$build_seconds|$test_seconds|${#tests[@]}|${suites[*]}"'
cases = {('texts', 'no'): '||address,undefined|220|150|0|texts', ('texts', 'yes'): '||address,undefined|500|150|0|texts twins',
         ('aarch64', 'yes'): f'for 64-bit Arm, under qemu|amd64||800|600|{len(builds.TABLE["short"])}|'}
told = {case: subprocess.run(['bash', '-c', SHELL, os.path.join(root, 'tools/ci/builds.py'), *case], capture_output=True, text=True,
                             check=False).stdout.strip() for case in cases}
report('the shell reads what a build has', [f'{case}: {text}' for case, text in told.items() if text != cases[case]])
sys.exit(1 if failures else 0)
