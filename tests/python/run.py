# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Packs the package that this build made, installs it beside the Python that runs this, and tests it; then SciPy's own tests with it.

    run.py SOURCE MODULE
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from cases import FULL, SEED
from wheel import make_wheel

MOST_BYTES = 8 << 20  # of a wheel
LARGE = ('torch', 'jax')  # 3 GB with what they need: --full installs them

# Tests of SciPy that do not hold with another engine, and why.
DEVIATIONS = {
    'test_multiprocess': 'its child processes are started anew, without install(), and compare digits of SciPy\'s engine with ours',
}


def run(*command, **words):
    """Shows the command; ends with its status where it fails."""
    print('+', *command, flush=True)
    status = subprocess.run(command, **words).returncode
    if status != 0:
        sys.exit(f'{command[2:4]} failed with status {status}')


def scipys_tests(folder):
    """How many passed of those that go through the backend."""
    ran = subprocess.run([sys.executable, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', '-p', 'scipy_with_ulpfft', '-W', 'ignore',
                          '--pyargs', 'scipy.fft.tests'], capture_output=True, text=True, cwd=folder,
                         env=dict(os.environ, PYTHONPATH=str(pathlib.Path(__file__).parent)))
    failed = [line for line in ran.stdout.splitlines() if line.startswith('FAILED')]
    unknown = [line for line in failed if not any(name in line for name in DEVIATIONS)]
    summary = re.search(r'(\d+ failed, )?\d+ passed', ran.stdout)
    served = re.search(r"'ulpfft': (\d+)", ran.stdout)
    if summary is None or served is None or int(served.group(1)) < 1000 or unknown:
        sys.exit(f'{ran.stdout[-4000:]}\n{ran.stderr[-2000:]}\nSciPy\'s own tests do not hold')
    print(f"SciPy's own tests with ulpfft: {summary.group(0)}; ulpfft served {served.group(1)} calls")
    for name, reason in DEVIATIONS.items():
        print(f'  {name}: {reason}')


def main():
    """All of it."""
    print('every case' if FULL else f'cases of seed {SEED}; ULPFFT_TEST_SEED={SEED} takes them again')
    source, module = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        stripped = pathlib.Path(folder) / module.name
        run('strip', '-o', stripped, module)
        wheel = make_wheel(source, stripped, pathlib.Path(folder))
        print(f'{wheel.name}: {wheel.stat().st_size / 2**20:.2f} MiB')
        if wheel.stat().st_size > MOST_BYTES:
            sys.exit('The wheel is larger than 8 MiB.')
        run(sys.executable, '-m', 'pip', 'install', '-q', '--disable-pip-version-check', '--no-deps', '--force-reinstall', wheel)
        if FULL and subprocess.run([sys.executable, '-m', 'pip', 'install', '-q', *LARGE]).returncode != 0:
            print('SKIP test_torch.py: torch and JAX are not to be had')
        run(sys.executable, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', '-W', 'ignore', pathlib.Path(__file__).parent, cwd=folder)
        scipys_tests(folder)


if __name__ == '__main__':
    main()
