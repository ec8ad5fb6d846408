#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""`pip wheel` from the source, by every CPython at hand from 3.11 on, for this machine's instruction set: wheels_test.py SOURCE

From 3.12 on one wheel of the stable ABI is built, audited, and loaded by all later versions. A free-threaded build has a wheel of its own.
What is not at hand is printed as skipped; without a Python that has pip, the test is.
"""
import glob
import os
import pathlib
import subprocess
import sys
import tempfile

MOST_BYTES = 8 << 20
TRY = ("import numpy as np, ulpfft; x = np.arange(60.0); y = ulpfft.fft.fft(x); assert np.allclose(y, np.fft.fft(x)); "
       "print(ulpfft._core.__file__.rsplit('/', 1)[1], ulpfft.Plan('8 f16', effort='estimate').recipe)")


def pythons():
    """Paths by version: '3.11', '3.14t', ..."""
    found = {}
    names = [path for folder in os.environ['PATH'].split(':') for path in sorted(glob.glob(f'{folder}/python3*'))]
    names += sorted(glob.glob(os.path.expanduser('~/.pyenv/versions/*/bin/python3')))
    ask = 'import sys, sysconfig; print("%d.%d" % sys.version_info[:2] + ("t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""))'
    for name in names:
        try:
            ran = subprocess.run([name, '-c', ask], capture_output=True, text=True, timeout=60)
        except (OSError, subprocess.TimeoutExpired):
            continue
        version = ran.stdout.strip()
        if ran.returncode == 0 and tuple(map(int, version.rstrip('t').split('.'))) >= (3, 11):
            found.setdefault(version, name)
    return found


def run(*command):
    """Its output; ends the test where it fails."""
    ran = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if ran.returncode != 0:
        sys.exit(f'FAIL {command}\n{ran.stdout[-4000:]}')
    return ran.stdout.strip()


def environment(python, folder):
    """The Python of a new environment, or None where it cannot have one."""
    made = subprocess.run([python, '-m', 'venv', folder], capture_output=True)
    return folder / 'bin' / 'python' if made.returncode == 0 else None


def main():
    """Builds, audits, loads."""
    source = pathlib.Path(sys.argv[1])
    stable, tried = None, 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        for version, python in sorted(pythons().items(), key=lambda item: (int(item[0][2:].rstrip('t')), item[0])):
            here = environment(python, scratch / version)
            if here is None or subprocess.run([here, '-m', 'pip', 'install', '-q', 'numpy'], capture_output=True).returncode != 0:
                print(f'SKIP {version}: no venv, or no PyPI')
                continue
            wheel = stable if version >= '3.12' and not version.endswith('t') else None
            if wheel is None:
                into = scratch / f'wheel-{version}'
                run(here, '-m', 'pip', 'wheel', '-q', '--no-deps', source, '-w', into, '-Csetup-args=-Dtargets=native')
                wheel = next(into.glob('*.whl'))
                size = wheel.stat().st_size
                print(f'{"PASS" if size <= MOST_BYTES else "FAIL"} {wheel.name}: {size / 2**20:.2f} MiB of at most 8')
                if size > MOST_BYTES:
                    sys.exit(1)
            if '-abi3-' in wheel.name and stable is None:
                stable = wheel
                run(here, '-m', 'pip', 'install', '-q', 'abi3audit')
                run(scratch / version / 'bin' / 'abi3audit', '--strict', wheel)
                print('PASS abi3audit')
            run(here, '-m', 'pip', 'install', '-q', '--no-deps', wheel)
            print(f'PASS {version}: {run(here, "-c", TRY)}')
            tried += 1
    for wanted in ('3.12', '3.14t'):
        if wanted not in pythons():
            print(f'SKIP {wanted}: not at hand')
    sys.exit(0 if tried else 77)


if __name__ == '__main__':
    main()
