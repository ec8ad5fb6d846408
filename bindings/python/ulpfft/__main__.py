# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""python -m ulpfft run SCRIPT: a program whose scipy.fft and numpy.fft are served by ulpfft."""
import argparse
import os
import runpy
import sys

import ulpfft


def _print_used():
    for engine, calls in ulpfft.used().items():
        for name, number in sorted(calls.items()):
            print(f'{engine:8} {name:8} {number}', file=sys.stderr)


def main():
    """Runs what the command line says."""
    parser = argparse.ArgumentParser(prog='python -m ulpfft', description=__doc__)
    commands = parser.add_subparsers(dest='command', required=True)
    run = commands.add_parser('run', help='run a script')
    run.add_argument('--used', action='store_true', help='print to standard error which engine served how many calls')
    run.add_argument('--effort', default='estimate', help='how hard to look for plans: estimate (the default), measure, ...')
    run.add_argument('-m', dest='is_module', action='store_true', help='SCRIPT is the name of a module')
    run.add_argument('script', metavar='SCRIPT')
    run.add_argument('arguments', nargs=argparse.REMAINDER, help='what the script gets')
    wishes = parser.parse_args()
    try:
        ulpfft.set_effort(wishes.effort)
    except ValueError as error:
        parser.error(str(error))
    try:
        ulpfft.install()
    except ImportError:
        pass  # a program without SciPy
    sys.argv = [wishes.script, *wishes.arguments]
    try:
        with ulpfft.patch_numpy():
            if wishes.is_module:
                sys.path.insert(0, os.getcwd())
                runpy.run_module(wishes.script, run_name='__main__', alter_sys=True)
            else:
                sys.path[0] = os.path.dirname(os.path.abspath(wishes.script))
                runpy.run_path(wishes.script, run_name='__main__')
    finally:
        if wishes.used:
            _print_used()


if __name__ == '__main__':
    main()
