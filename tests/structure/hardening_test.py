#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Library and tool are linked and compiled as meson.build says: hardening_test.py [now] [canary] -- FILE...

now: the linker has -z relro and -z now; canary: the compiler has -fstack-protector-strong. What it lacks is reported as skipped.
"""
import os
import re
import shutil
import subprocess
import sys

split = sys.argv.index('--')
features, files = sys.argv[1:split], sys.argv[split + 1:]
failures = 0


def readelf(*options):
    return subprocess.run(['readelf', *options], capture_output=True, text=True, check=True, env={**os.environ, 'LC_ALL': 'C'}).stdout


def report(name, holds, needed=None):
    global failures
    if needed is not None and needed not in features:
        print(f'SKIP {name}: the compiler or the linker has no option for it')
        return
    print(f'{"PASS" if holds else "FAIL"} {name}')
    failures += not holds


if not shutil.which('readelf'):
    print('SKIP hardening: no readelf')
    sys.exit(77)
if not all(open(path, 'rb').read(4) == b'\x7fELF' for path in files):
    print('SKIP hardening: these are no ELF files')
    sys.exit(77)

for path in files:
    name = os.path.basename(path)
    dynamic = readelf('-dW', path)
    segments = dict(re.findall(r'^ +([A-Z_]+) +(?:0x[0-9a-f]+ +){5}([RWE ]+?) +0x', readelf('-lW', path), re.M))
    loads = re.findall(r'^ +LOAD +(?:0x[0-9a-f]+ +){5}([RWE ]+?) +0x', readelf('-lW', path), re.M)
    symbols = readelf('--dyn-syms', '-W', path)
    report(f'{name} has segments', loads != [])
    report(f'{name} is resolved when it is loaded', re.search(r'\(FLAGS\).*BIND_NOW|\(FLAGS_1\).*NOW|\(BIND_NOW\)', dynamic) is not None, 'now')
    report(f'{name} is read-only where it was resolved', 'GNU_RELRO' in segments, 'now')
    report(f'{name} has no relocations in its text', 'TEXTREL' not in dynamic)
    report(f'{name} has no executable stack', 'E' not in segments.get('GNU_STACK', 'E'))
    report(f'{name} has no segment to write and to execute', not any('W' in flags and 'E' in flags for flags in loads))
    report(f'{name} checks the stack of functions with arrays', re.search(r'UND __stack_chk_fail\b', symbols) is not None, 'canary')
sys.exit(1 if failures else 0)
