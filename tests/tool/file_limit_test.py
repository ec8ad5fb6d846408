#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Every command that writes files, under a limit on their size (ulimit -f): file_limit_test.py ULPFFT.

The tool ends with status 1 and a sentence, not by SIGXFSZ, and every file is as it was before.
"""
import os
import resource
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
from harness import command, expect, run_cases, write_npy  # noqa: E402

tool = os.path.abspath(sys.argv[1])
run = command(tool)
ESTIMATE = ['--effort', 'estimate']

# A name, the words of the command, and the files that it writes.
WRITERS = [
    ('npy', ['transform', 'in.npy', 'out.npy', '--axes', '0', *ESTIMATE], ['out.npy']),
    ('cfl', ['transform', 'in.npy', 'out.cfl', '--axes', '0', *ESTIMATE], ['out.cfl', 'out.hdr']),
    ('npy of codes', ['convert', 'in.npy', 'out.json', '--to', 'f16'], ['out.json', 'out.codes.npy']),
    ('npy of codes and scales', ['convert', 'in.npy', 'out.json', '--to', 'mxfp8_e4m3'], ['out.json', 'out.codes.npy', 'out.scales.npy']),
    ('narrow result', ['transform', 'narrow.json', 'out.json', '--axes', '0', *ESTIMATE], ['out.json', 'out.codes.npy', 'out.scales.npy']),
    ('page of a plan', ['plan', '64 f32 max_error=1e-3', '--pareto', '--storages', 'f16', '--html', 'out.html'], ['out.html']),
    ('wisdom of a plan', ['plan', '8 f32', '--wisdom', 'out.json'], ['out.json']),
    ('merged wisdom', ['wisdom', 'merge', 'out.json', 'wisdom.json'], ['out.json']),
    ('accuracy', ['accuracy', '8 f32', '--no-fftw', '--html', 'out.html'], ['out.html']),
    ('bench json', ['bench', '8 f32', '--seconds', '0.001', '--json', 'out.json'], ['out.json']),
    ('bench csv', ['bench', '8 f32', '--seconds', '0.001', '--csv', 'out.csv'], ['out.csv']),
    ('bench html', ['bench', '8 f32', '--seconds', '0.001', '--html', 'out.html'], ['out.html']),
    ('mri recon', ['mri', 'recon', 'coils.npy', '-o', 'out'], ['out']),
    ('mri sweep', ['mri', 'sweep', 'coils.npy', '--quick', '-o', 'out.html', '--csv', 'out.csv'], ['out.html', 'out.csv']),
]


def limited(words, limit, stdout=subprocess.PIPE):
    """Python ignores the signal; the tool gets the default action, as from a shell."""
    def limit_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    return subprocess.run([tool, *words], text=True, stdout=stdout, stderr=subprocess.PIPE, check=False, preexec_fn=limit_files, restore_signals=True)


def contents():
    found = {}
    for folder, _, names in os.walk('.'):
        for name in names:
            with open(os.path.join(folder, name), 'rb') as file:
                found[os.path.join(folder, name)] = file.read()
    return {name: held for name, held in found.items() if not name.endswith('.lock')}  # beside a wisdom file, for good


def remove(names):
    for name in names + ['out.json.lock']:
        if os.path.isdir(name):
            shutil.rmtree(name)
        elif os.path.exists(name):
            os.remove(name)


def make_inputs():
    signal = [complex(i % 7, i % 5) for i in range(64)]
    write_npy('in.npy', (64,), signal, '<c8')
    write_npy('coils.npy', (1, 2, 16, 16), signal * 8, '<c8')
    expect(run('convert', 'in.npy', 'narrow.json', '--to', 'mxfp8_e4m3')[0] == 0, 'narrow.json')
    expect(run('plan', '16 f32', '--wisdom', 'wisdom.json')[0] == 0, 'wisdom.json')


def expect_refused(name, words, limit):
    before = contents()
    done = limited(words, limit)
    expect(done.returncode == 1, f'{name}, limit {limit}: status {done.returncode}, {done.stderr}')
    expect(done.stderr.startswith('error: ') and 'too large' in done.stderr, f'{name}, limit {limit}: {done.stderr!r}')
    after = contents()
    expect(after == before, f'{name}, limit {limit}: {sorted(file for file in {**before, **after} if before.get(file) != after.get(file))}')


def every_writer_refuses_and_every_file_stays_as_it_was():
    make_inputs()
    for name, words, made in WRITERS:
        expect_refused(name, words, 0)  # there is no old file
        before = contents()
        status, _, errors = run(*words)
        expect(status == 0 and all(os.path.exists(file) for file in made), f'{name}: status {status}, {errors}, {os.listdir(".")}')
        largest = max(len(held) for file, held in contents().items() if before.get(file) != held)
        # A plan that wisdom has is not saved again.
        again = [word.replace('8 f32', '32 f32') for word in words] if name == 'wisdom of a plan' else words
        expect_refused(name, again, 1)
        expect_refused(name, again, largest // 2)
        remove(made)


def output_that_is_a_file_is_told():
    for words in (['info'], ['info', '--codelets'], ['formats', 'e4m3'], ['plan', '8 f32', *ESTIMATE]):
        for limit in (0, 1):
            with open('printed.txt', 'wb') as file:
                done = limited(words, limit, file)
            expect(done.returncode == 1 and 'standard output' in done.stderr, f'{words}, limit {limit}: status {done.returncode}, {done.stderr!r}')


run_cases('file limit', [every_writer_refuses_and_every_file_stays_as_it_was, output_that_is_a_file_is_told])
