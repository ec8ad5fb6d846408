# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""What scripts that test print, and how they end. Python's own library alone."""
import sys

failures = 0


def report(name, faults):
    """A verdict of one line, and a line for each fault."""
    global failures
    print(f'{"FAIL" if faults else "PASS"} {name}', flush=True)
    for fault in faults:
        print(f'  {fault}')
    failures += bool(faults)


def end():
    sys.exit(1 if failures else 0)
