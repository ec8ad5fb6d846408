#!/usr/bin/env python3
"""The shared library exports what ulpfft.h declares, and keeps its size budget: library_test.py ROOT LIBRARY"""
import os
import re
import shutil
import subprocess
import sys

TEXT_BUDGET = 3 << 20       # bytes of .text over all targets, design section 4
FUNCTION_BUDGET = 1400      # generated functions, as far as symbols tell

root, library = sys.argv[1:3]
failures = 0


def report(name, faults):
    global failures
    print(f'{"FAIL" if faults else "PASS"} {name}')
    for fault in faults:
        print(f'  {fault}')
    failures += bool(faults)


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


if not shutil.which('nm') or not shutil.which('readelf'):
    print('SKIP library: no nm or readelf')
    sys.exit(77)

with open(os.path.join(root, 'include/ulpfft/ulpfft.h'), encoding='utf-8') as file:
    header = re.sub(r'/\*.*?\*/|^#.*?$', '', file.read(), flags=re.DOTALL | re.MULTILINE)
declared = set(re.findall(r'ULPFFT_API\b[^;(]*?\b(\w+)\s*\(', header))
marked = set(re.findall(r'\b(ulpfft_\w+)\s*\(', header))
report('every function of ulpfft.h is marked ULPFFT_API', sorted(marked - declared))

exported = {fields[-1].split('@')[0] for fields in
            (line.split() for line in output('nm', '-D', '--defined-only', library).splitlines()) if fields[-2] != 'A'}
report(f'exported symbols are the {len(declared)} functions of ulpfft.h',
       [f'{name}: declared, not exported' for name in sorted(declared - exported)] +
       [f'{name}: exported, not declared' for name in sorted(exported - declared)])

needed = re.findall(r'\(NEEDED\).*\[(.*)\]', output('readelf', '-d', library))
allowed = re.compile(r'^(lib(stdc\+\+|m|gcc_s|c|pthread|hwy|c\+\+|c\+\+abi)\.so|ld-linux)')
report('needs the C and C++ runtime and Highway, nothing else', [name for name in needed if not allowed.match(name)])

sections = {fields[0]: int(fields[1]) for fields in
            (line.split() for line in output('size', '-A', '-d', library).splitlines()) if len(fields) == 3 and fields[1].isdigit()}
text = sections['.text']
report(f'text size {text / (1 << 20):.2f} MiB of {TEXT_BUDGET / (1 << 20):.0f} MiB',
       [] if text <= TEXT_BUDGET else [f'{text} bytes exceed {TEXT_BUDGET}'])
print('  ' + ', '.join(f'{name} {size / 1024:.0f} KiB' for name, size in
                       sorted(sections.items(), key=lambda item: -item[1])[:6]))

symbols = output('nm', '-C', '--defined-only', library).splitlines()
kernels = [line for line in symbols if re.search(r' [tT] .*N_\w+::|::ref::', line)]
print(f'  {len(kernels)} function symbols of codelets (budget for generated functions: {FUNCTION_BUDGET})')

sys.exit(1 if failures else 0)
