#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""The binary interface of the C headers is the committed one: abi_test.py [--write] [C_COMPILER...]

Every function that ulpfft.h or stream.h declares is defined, empty, in a library with debug information, from which abidw reads types and
layouts.
A release has no such information; structure_library holds its symbols to the header. abidiff compares with package/abi/libulpfft.abi.
--write writes that file anew. Needs abidw and abidiff, of Debian's abigail-tools; ends with 77 (skipped) where they are missing.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

root = os.path.abspath(os.path.join(os.path.dirname(__file__), '..', '..'))
include = os.path.join(root, 'include')
committed = os.path.join(root, 'package', 'abi', 'libulpfft.abi')
INCOMPATIBLE = 8  # a bit of abidiff's status
WRITE = 'python3 tests/structure/abi_test.py --write'

arguments = sys.argv[1:]
writing = arguments[:1] == ['--write']
compiler = arguments[writing:] or ['cc']
if not shutil.which('abidw') or not shutil.which('abidiff'):
    print("SKIP abi: Debian's abigail-tools are not installed")
    sys.exit(77)


def run(command):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, check=True).stdout


def definitions():
    """A C source that defines what the headers declare."""
    headers = [name for name in sorted(os.listdir(os.path.join(include, 'ulpfft'))) if name.endswith('.h')]
    includes = [word for name in headers for word in ('-include', f'ulpfft/{name}')]
    text = run([*compiler, '-std=c11', '-E', '-P', f'-I{include}', *includes, '-x', 'c', os.devnull])
    return re.sub(r'(__attribute__\(\(visibility\("default"\)\)\)[^;{}]*\))\s*;', r'\1 { __builtin_trap(); }', text)


def describe(folder):
    """The interface as abidw writes it, of no machine and no folder."""
    source, library, abi = (os.path.join(folder, name) for name in ('interface.c', 'libulpfft.so', 'libulpfft.abi'))
    with open(source, 'w', encoding='utf-8') as file:
        file.write(definitions())
    run([*compiler, '-std=gnu11', '-g', '-fno-eliminate-unused-debug-types', '-O0', '-w', '-fPIC', '-shared', '-nostdlib',
         '-Wl,-soname,libulpfft.so', source, '-o', library])
    run(['abidw', '--load-all-types', '--no-corpus-path', '--no-comp-dir-path', '--no-show-locs', '--no-architecture',
         '--type-id-style', 'hash', '--out-file', abi, library])
    return abi


with tempfile.TemporaryDirectory() as scratch:
    now = describe(scratch)
    if writing:
        os.makedirs(os.path.dirname(committed), exist_ok=True)
        shutil.copyfile(now, committed)
        print(f'{os.path.relpath(committed, root)} is written')
        sys.exit(0)
    functions = re.findall(r"<elf-symbol name='(\w+)' type='func-type'", open(now, encoding='utf-8').read())
    if len(functions) < 80 or len(functions) != len(set(functions)):
        sys.exit(f'FAIL abi: {len(functions)} functions are in the interface')
    compared = subprocess.run(['abidiff', '--non-reachable-types', committed, now], text=True, capture_output=True, check=False)
    if compared.returncode == 0:
        print(f'PASS abi: {len(functions)} functions and their types are those of package/abi/libulpfft.abi')
        sys.exit(0)
    print(compared.stdout + compared.stderr)
    if compared.returncode & INCOMPATIBLE:
        print('FAIL abi: programs that are linked with the committed interface would break; a new minor version may do so, a patch may not.')
    else:
        print('FAIL abi: the interface has changed, compatibly or by members that a struct has more.')
    print(f'Where that is meant, say it in CHANGELOG.md and write the file again: {WRITE}')
    sys.exit(1)
