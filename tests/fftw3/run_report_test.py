#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Reports, threads, wisdom and equal bits of `ulpfft run`: run_report_test.py ROOT BUILD CC"""
import glob
import json
import os
import shlex
import signal
import subprocess
import sys
import time

root, build = (os.path.abspath(path) for path in sys.argv[1:3])
cc = shlex.split(sys.argv[3])
sys.path.insert(0, os.path.join(root, 'tests', 'tool'))
from harness import command, expect, run_cases  # noqa: E402

here = os.path.join(root, 'tests', 'fftw3')
folder = os.path.join(build, 'bindings', 'fftw3')
tool = os.path.join(build, 'tools', 'ulpfft', 'ulpfft')
run = command(tool, 'run')


def program(name):
    """A program that is linked with the folder's own libraries: it loads what its run path has, and run replaces it by the same."""
    path = os.path.abspath(name)
    subprocess.run([*cc, '-O1', '-I' + folder, os.path.join(here, name + '.c'), '-o', path, os.path.join(folder, 'libfftw3.so.3'),
                    os.path.join(folder, 'libfftw3f.so.3'), '-Wl,-rpath,' + folder, '-pthread', '-lm'], check=True)
    return path


def report_of(*words, options=()):
    """The JSON report and the output of a run."""
    status, output, errors = run(*options, '--report', 'report.json', '--', *words)
    expect(not errors, f'{words}: {errors}')
    with open('report.json', encoding='utf-8') as file:
        report = json.load(file)
    expect(report['status'] == status and report['program'] == list(words), f'{report}')
    return report, output


def rows_of(report):
    return {row['problem']: row for process in report['processes'] for row in process['transforms']}


def every_transform_is_in_the_table():
    path = program('run_sizes')
    report, output = report_of(path, 'estimate')
    rows = rows_of(report)
    expect(len(report['processes']) == 1 and report['processes'][0]['name'] == 'run_sizes', f'{report}')
    expect(len(rows) == 7 and sorted(row['calls'] for row in rows.values()) == [1] * 6 + [5], f'{rows}')
    expect(rows['65536 f64']['calls'] == 1 and [row['calls'] for row in rows.values() if row['storage'] == 'f32'] == [5], f'{rows}')
    expect(all(row['plans'] == 1 and row['seconds'] > 0 and row['recipe'] for row in rows.values()) and 'digest' not in report, f'{rows}')
    alone = subprocess.run([path, 'estimate'], stdout=subprocess.PIPE, text=True, check=True).stdout
    expect(alone == output, 'a report changes results')

    status, output, errors = run('--report', '--', path, 'estimate')
    lines = errors.split('\n')
    expect(status == 0 and output == alone and lines[0].split() == ['process', 'problem', 'calls', 'seconds', 'plans', 'recipe'] and len(lines) == 9, errors)
    expect(run('--report', 'page.html', '--', path, 'estimate')[0] == 0, 'a page')
    with open('page.html', encoding='utf-8') as file:
        page = file.read()
    expect(page.startswith('<!doctype html>') and page.count('<tr>') == 8 and '65536 f64' in page, page)
    expect(run('--report', 'of-%p.json', '--', path, 'estimate')[0] == 0 and len(glob.glob('of-[0-9]*.json')) == 1, 'a name with the process')
    expect(run('--report', '--', 'true')[2].startswith('No transform was planned'), 'a program without transforms')
    expect(not glob.glob('*.part*') and not glob.glob(os.path.join(os.environ.get('TMPDIR', '/tmp'), 'ulpfft-run-*')), 'something is left')


def threads_and_processes():
    path = program('run_program')
    row, = rows_of(report_of(path, 'threads')[0]).values()
    expect(row['calls'] == 9 and row['plans'] == 3, f'three plans with three calls each in two threads: {row}')
    report, _ = report_of(path, 'fork')
    counts = sorted(row['calls'] for process in report['processes'] for row in process['transforms'])
    expect(len(report['processes']) == 2 and counts == [3, 3], f'a child counts its own: {report}')
    report, _ = report_of('sh', '-c', f'{path}; {path} threads')
    expect(sorted(row['calls'] for process in report['processes'] for row in process['transforms']) == [3, 9], f'two programs: {report}')


def how_the_program_ended():
    path = program('run_program')
    for status in (0, 3, 255):
        report, _ = report_of(path, 'status', str(status))
        expect(report['status'] == status, f'{report}')
    for number in (6, 9, 15):
        shell = subprocess.run(['sh', '-c', '"$@"; exit $?', 'sh', tool, 'run', '--report', 'r.json', '--', path, 'signal', str(number)], check=False,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open('r.json', encoding='utf-8') as file:
            told = json.load(file)['status']
        expect(shell.returncode == 128 + number == told, f'signal {number}: {shell.returncode} {told}')
    # A request to end goes on to the program, whose way of ending is the tool's.
    code = 'import signal, sys, time\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(7))\nprint("ready", flush=True)\ntime.sleep(600)\n'
    with subprocess.Popen([tool, 'run', '--report', 'r.json', '--', sys.executable, '-c', code], stdout=subprocess.PIPE, text=True) as process:
        expect(process.stdout.readline() == 'ready\n', 'it begins')
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        expect(process.wait() == 7 and time.monotonic() - began < 500, f'{process.returncode}')


def threads_of_every_plan():
    path = program('run_sizes')
    rows = rows_of(report_of(path, 'estimate', options=('--threads', '3'))[0])
    expect(len(rows) == 7 and all('threads=3' in problem for problem in rows), f'{rows}')
    for wrong in ('0', '257', 'x'):
        status, _, errors = run('--threads', wrong, '--', path, 'estimate')
        expect(status == 2 and '--threads' in errors, f'{wrong}: {status} {errors}')


def same_bits():
    """Whatever threads and effort, and however the numbers lie, results and digest are the same; other numbers have another digest."""
    path = program('run_sizes')
    digests, outputs, of_rows = set(), set(), set()
    for effort in ('estimate', 'measure'):
        for threads in ('1', '2', '5', '16'):
            report, output = report_of(path, effort, options=('--same-bits', '--threads', threads))
            digests.add(report['digest'])
            outputs.add(output)
            of_rows.add(tuple(sorted(row['digest'] for row in rows_of(report).values())))
    expect(len(digests) == len(outputs) == len(of_rows) == 1 and len(set(*of_rows)) == 7, f'{digests} {outputs} {of_rows}')
    other, _ = report_of(path, 'estimate', '2', options=('--same-bits',))
    expect(other['digest'] not in digests, 'other numbers have the same digest')
    errors = run('--same-bits', '--report', '--', path, 'estimate')[2]
    expect(f'digest of all results: {digests.pop()}\n' in errors, errors)
    status, _, errors = run('--same-bits', '--wisdom', 'w.json', '--', path)
    expect(status == 2 and '--same-bits' in errors, f'{status} {errors}')


def wisdom_is_kept():
    """Though the program forgets it by fftw_cleanup: what one run measured, the next one knows."""
    path = program('run_sizes')
    expect(run('--wisdom', 'plans.json', '--', path, 'measure')[0] == 0, 'a first run')
    with open('plans.json', encoding='utf-8') as file:
        first = file.read()
    shown = json.loads(subprocess.run([tool, 'wisdom', 'show', '--json', 'plans.json'], stdout=subprocess.PIPE, text=True, check=True).stdout)
    problems = ' '.join(entry['problem'] for entry in shown)
    expect(len(shown) >= 7 and '65536 f64' in problems and any(entry['problem'].startswith('1000') for entry in shown), f'{shown}')
    before = os.stat('plans.json')
    rows = rows_of(report_of(path, 'measure', options=('--wisdom', 'plans.json'))[0])
    recipes = {entry['recipe'] for entry in shown}
    expect(all(row['recipe'] in recipes for row in rows.values()), f'{rows} {recipes}')
    with open('plans.json', encoding='utf-8') as file:
        expect(file.read() == first, 'the second run measured anew')
    expect(os.stat('plans.json').st_ino == before.st_ino, 'a run that learnt nothing wrote the file')
    with open('no.json', 'w', encoding='utf-8') as file:
        file.write('no wisdom')
    for name in ('no.json', 'nonexist/w.json'):
        status, output, errors = run('--wisdom', name, '--', path, 'measure')
        expect(status == 1 and not output and errors.startswith('error: '), f'{name}: {status} {errors}')


def words_of_the_report():
    for file in ('report.txt', 'report'):
        status, output, errors = run('--report', file, '--', 'true')
        expect(status == 2 and '.json or .html' in errors and not output, f'{file}: {status} {errors}')
    status, _, errors = run('--report', 'nonexist/r.json', '--', 'true')
    expect(status == 1 and 'nonexist' in errors, f'{status} {errors}')


run_cases('run', [every_transform_is_in_the_table, threads_and_processes, how_the_program_ended, threads_of_every_plan, same_bits, wisdom_is_kept,
                  words_of_the_report])
