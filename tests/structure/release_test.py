#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""One version everywhere: release_test.py ROOT BUILD LIBRARY [TOOL]. meson.build has it; what says it as well is compared with that."""
import ctypes
import glob
import json
import os
import re
import subprocess
import sys

root, build, library = (os.path.abspath(path) for path in sys.argv[1:4])
tool = os.path.abspath(sys.argv[4]) if len(sys.argv) > 4 else None
failures = 0


def read(*path):
    with open(os.path.join(*path), encoding='utf-8') as file:
        return file.read()


def found(pattern, *path):
    match = re.search(pattern, read(*path), re.MULTILINE)
    return match.group(1) if match else None


def said_by(command, folder=None):
    return subprocess.run(command, cwd=folder, text=True, capture_output=True, check=True).stdout.strip()


def check(what, shown):
    global failures
    good = shown == version
    failures += not good
    print(f'PASS {what}' if good else f'FAIL {what}: {shown!r} is not {version!r}')


version = json.loads(read(build, 'meson-info', 'intro-projectinfo.json'))['version']
check('meson.build', found(r"^  version: '(.*)',", root, 'meson.build'))
macros = (found(rf'^#define ULPFFT_VERSION_{part} (\d+)$', root, 'include/ulpfft/c/base.h') for part in ('MAJOR', 'MINOR', 'PATCH'))
check('the header', '.'.join(macros))
loaded = ctypes.CDLL(library)
loaded.ulpfft_version.restype = ctypes.c_char_p
check('the library', loaded.ulpfft_version().decode())
check('pkg-config', found(r'^Version: (.*)$', build, 'package/ulpfft.pc'))
check('CMake', found(r'^set\(PACKAGE_VERSION "?([\d.]+)"?\)', build, 'package/ulpfft-config-version.cmake'))
check('CITATION.cff', found(r'^version: (.*)$', root, 'CITATION.cff'))
check('CHANGELOG.md, its first entry', found(r'^## (\S+)', root, 'CHANGELOG.md'))
check('Debian', found(r'^ulpfft \((.*)-\d+\)', root, 'package/debian/changelog'))
check('conda', found(r'^  version: (.*)$', root, 'package/conda/recipe.yaml'))
check('Spack', found(r'^    version\("(.*?)"', root, 'package/spack/package.py'))
if tool:
    check('the tool', said_by([tool, '--version']).removeprefix('ulpfft '))
else:
    print('SKIP the tool: this build has none')
if glob.glob(os.path.join(build, 'bindings/python/_core*.so')):
    options = {option['name']: option['value'] for option in json.loads(read(build, 'meson-info', 'intro-buildoptions.json'))}
    interpreter = options['python_interpreter'] or sys.executable
    if subprocess.run([interpreter, '-c', 'import numpy'], capture_output=True, check=False).returncode == 0:
        check('the Python package', said_by([interpreter, '-c', 'import _core; print(_core.version)'], os.path.join(build, 'bindings/python')))
    else:
        print('SKIP the Python package: its interpreter has no numpy')
else:
    print('SKIP the Python package: this build has none')
sys.exit(1 if failures else 0)
