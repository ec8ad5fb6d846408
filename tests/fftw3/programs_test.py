#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Programs of Debian that nobody changed, on FFTW and on this library: programs_test.py ROOT BUILD CC [NAME...]

Each row of programs/table.py runs three ways: as it is, by `ulpfft run`, and with LD_LIBRARY_PATH. The two on ulpfft must have made
transforms, by ulpfft's own count, and their results must be FFTW's. A row whose program is absent is skipped, and names the package.
ULPFFT_TEST_FULL=1 runs the large programs as well. Names choose rows.
"""
import os
import shlex
import sys
import time

root, build = (os.path.abspath(path) for path in sys.argv[1:3])
sys.path[:0] = [os.path.join(root, 'tests', 'tool'), os.path.join(root, 'tests', 'fftw3', 'programs')]
import mpi  # noqa: E402
import table  # noqa: E402
from harness import expect, run_cases  # noqa: E402
from ways import Way, absent, difference  # noqa: E402

full = os.environ.get('ULPFFT_TEST_FULL', '') not in ('', '0')
chosen = sys.argv[4:]
os.environ.pop('LD_LIBRARY_PATH', None)  # that of a test names the folder
os.environ.pop('MALLOC_PERTURB_', None)  # that of a test fills new memory, and wsjtx decodes only where it is zero
# OpenMP's threads wait asleep: on a busy machine those of programs would spin for seconds.
os.environ.update(OMP_NUM_THREADS='2', OMP_WAIT_POLICY='passive', LC_ALL='C.UTF-8')


def compared(row, results):
    """Expects the results of each way to be those of FFTW, and returns the largest difference."""
    theirs, worst = results['fftw'], 0.0
    for name, ours in results.items():
        expect(ours.keys() == theirs.keys(), f'{name}: {sorted(ours)} for {sorted(theirs)}')
        for key, value in theirs.items():
            if isinstance(value, str):
                expect(ours[key] == value, f'{name}, {key}: {ours[key]!r} for {value!r}')
                continue
            expect(len(value) > 0 and len(ours[key]) == len(value), f'{name}, {key}: {len(ours[key])} numbers for {len(value)}')
            error = difference(ours[key], value)
            bound = max(row.bound, table.F32) if key.endswith('f32') else row.bound
            expect(error <= bound, f'{name}, {key}: a relative difference of {error:.2g}, beyond {bound:.2g}')
            worst = max(worst, error)
    return worst


def case_of(row):
    def case():
        missing = absent(row.needs)
        if missing:
            return f'no {missing[0]}: package {row.package}'
        if row.full and not full and not chosen:
            return 'set ULPFFT_TEST_FULL'
        began, ways, results = time.monotonic(), [], {}
        for name in ('fftw', 'run', 'folder'):
            ways.append(Way(name, row.name, root, build))
            results[name] = row.results(ways[-1])
        worst = compared(row, results)
        for way in ways[1:] if row.counts else ():
            storages = {transform['storage'] for transform in way.transforms}
            counted = sum(transform[row.counts] for transform in way.transforms)
            told = f'{way.name}: {counted} {row.counts}, in {sorted(storages)} for {row.storages}'
            expect(storages >= set(row.storages) and counted > 0, told)
        expect(not ways[0].transforms, f'FFTW itself is not what the program runs on: {ways[0].transforms[:1]}')
        if row.counts:
            print(f'{row.name} ({row.package}): {counted} {row.counts} of {" and ".join(sorted(storages))}, '
                  f'largest difference {worst:.1e}, {time.monotonic() - began:.1f} s')
        return ''
    case.__name__ = row.name
    return case


rows = table.rows() + mpi.rows(shlex.split(sys.argv[3]))
unknown = set(chosen) - {row.name for row in rows}
if unknown:
    sys.exit(f'FAIL no row {min(unknown)}')
run_cases('programs', [case_of(row) for row in rows if not chosen or row.name in chosen])
