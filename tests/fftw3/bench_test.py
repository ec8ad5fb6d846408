#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""`ulpfft bench --vs` of the libraries with FFTW's interface: bench_test.py ROOT BUILD CC

They are the same arithmetic as the tool's own library, so that their errors are ours and their time is about ours, in one process with FFTW
where that is installed.
"""
import glob
import json
import math
import os
import sys

root, build = (os.path.abspath(path) for path in sys.argv[1:3])
sys.path.insert(0, os.path.join(root, 'tests', 'tool'))
from harness import command, expect, run_cases  # noqa: E402

folder = os.path.join(build, 'bindings', 'fftw3')
run = command(os.path.join(build, 'tools', 'ulpfft', 'ulpfft'), 'bench')
os.environ.pop('LD_LIBRARY_PATH', None)
PROBLEMS = ('256 f32', '480 f64', '60*20 f64 inverse', '32x24 f32', 'r2c 1000 f64', 'c2r 360 f32', 'r2r 128 f64 kinds=dct2', '64 f64 split')
# How far apart two timings of one library may lie in the mean: single ones differ by a few percent, on a busy machine by tens.
FACTOR = 1.5


def measured(peers):
    status, _, errors = run(*PROBLEMS, '--vs', ','.join(peers), '--seconds', '0.02', '--effort', 'estimate', '--peer-effort', 'estimate',
                            '--json', 'out.json')
    expect(status == 0, f'status {status}, {errors}')
    with open('out.json', encoding='utf-8') as file:
        return json.load(file)


def the_interface_is_as_fast_and_as_exact():
    installed = glob.glob('/usr/lib/*/libfftw3.so.3') + glob.glob('/usr/lib*/libfftw3.so.3')
    for name in ('libfftw3.so.3', 'libulpfft_fftw3.so'):
        peers = [f'swapped={folder}/{name}'] + (['fftw'] if installed else [])
        report = measured(peers)
        versions = {peer['name']: peer['version'] for peer in report['peers']}
        expect(versions['swapped'] == 'fftw-3.3.10-ulpfft' and 'ulpfft' not in versions.get('fftw', ''), f'{versions}')
        ratios = []
        for row in report['rows']:
            swapped = next(peer for peer in row['peers'] if peer['peer'] == 'swapped')
            expect(not swapped['reason'], f'{row["problem"]}: {swapped["reason"]}')
            told = f'{row["problem"]}: an error of {swapped["error"]} for {row["error"]}'
            expect(math.isclose(swapped['error'], row['error'], rel_tol=1e-3), told)
            ratios.append(swapped['ratio'])
        mean = math.prod(ratios) ** (1 / len(ratios))
        expect(len(ratios) == len(PROBLEMS) and 1 / FACTOR < mean < FACTOR, f'{name}: times of the interface over ours, {ratios}')


def no_comparison_with_ourselves():
    status, output, errors = run('64 f32', '--vs', 'fftw', LD_LIBRARY_PATH=folder)
    expect(status == 2 and not output and "ulpfft's own here" in errors, f'{status} {output} {errors}')


run_cases('bench', [the_interface_is_as_fast_and_as_exact, no_comparison_with_ourselves])
