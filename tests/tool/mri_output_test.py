#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""What ulpfft mri leaves where it writes, whatever was there and however it ends: mri_output_test.py ULPFFT."""
import fcntl
import os
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from harness import HANG, command, expect, marked_word, run_cases, write_npy  # noqa: E402
from mri_files import complexes, kspace  # noqa: E402

tool = os.path.abspath(sys.argv[1])
run = command(tool, 'mri')
SHAPE = (4, 2, 12, 10)
OWN = ['metrics.json', 'reference.npy', 'result.npy']


def panels(*slices):
    return [f'panel_{s:04}.png' for s in slices]


def contents(folder):
    """Names, with what the files hold."""
    result = {}
    for name in sorted(os.listdir(folder)):
        with open(f'{folder}/{name}', 'rb') as file:
            result[name] = file.read()
    return result


def touch(path, text='mine'):
    with open(path, 'w', encoding='ascii') as file:
        file.write(text)


def recon(*arguments):
    status, output, errors = run('recon', *arguments)
    expect(status == 0, f'{arguments}: status {status}, {errors}')
    return output


def end_with(sent, folder, *words):
    """Starts a long run and ends it by a signal as soon as it has begun a file. Returns what there is then.

    Where this process was not scheduled before the run was over, a run four times as long is tried in the same state.
    """
    before = set(os.listdir(folder))

    def ends_by_it():  # also where this test runs in the background, or under nohup
        if sent != signal.SIGKILL:
            signal.signal(sent, signal.SIG_DFL)

    for slices in (300, 1200, 4800):
        write_npy('long.npy', (slices, 2, 64, 64), [0.5 + 0.25j] * (slices * 2 * 64 * 64), '<c8')
        with subprocess.Popen([tool, 'mri', *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=ends_by_it) as process:
            latest = time.monotonic() + HANG
            while not any('.part' in name for name in set(os.listdir(folder)) - before) and process.poll() is None and time.monotonic() < latest:
                time.sleep(0.001)
            process.send_signal(sent)
            process.wait()
        if process.returncode != 0:
            break
        for name in set(os.listdir(folder)) - before:
            os.remove(f'{folder}/{name}')
    expect(process.returncode == -sent, f'{words}: it ended with {process.returncode}, not by signal {sent}')
    return sorted(set(os.listdir(folder)))


# ---- Cases -------------------------------------------------------------------------------------------------------------------


def a_folder_used_again_holds_the_last_run_alone():
    write_npy('k.npy', SHAPE, complexes(kspace(*SHAPE)), '<c8')
    recon('k.npy', '-o', 'out')
    others = ['panel_12.png', 'panel_00x1.png', 'panel_-001.png', 'notes.txt', 'result.npy.partx', 'other.npy.part1']
    for name in others:
        touch(f'out/{name}')
    expect(sorted(os.listdir('out')) == sorted(OWN + panels(0, 1, 2, 3) + others), f'{os.listdir("out")}')
    output = recon('k.npy', '--slice', '1-2', '-o', 'out')
    expect(sorted(os.listdir('out')) == sorted(OWN + panels(1, 2) + others), f'{os.listdir("out")}')
    expect('2 panels of an earlier run' in output and 'earlier' not in recon('k.npy', '--slice', '1-2', '-o', 'out'), output)


def a_run_that_fails_leaves_the_folder_as_it_was():
    write_npy('k.npy', SHAPE, complexes(kspace(*SHAPE)), '<c8')
    numbers = complexes(kspace(*SHAPE))
    numbers[-1] = complex('nan')
    write_npy('bad.npy', SHAPE, numbers, '<c8')
    recon('k.npy', '-o', 'kept')
    before = contents('kept')
    status, _, errors = run('recon', 'bad.npy', '--slice', '2-3', '-o', 'kept')
    expect(status == 1 and 'bad.npy: samples' in errors and contents('kept') == before, f'{status}, {errors!r}, {os.listdir("kept")}')


def a_signal_leaves_nothing_begun():
    for number, sent in enumerate((signal.SIGINT, signal.SIGTERM, signal.SIGHUP)):
        folder = f'ended{number}'
        os.mkdir(folder)
        expect(end_with(sent, folder, 'recon', 'long.npy', '-o', folder) == [], f'recon, {sent}: {os.listdir(folder)}')
        left = end_with(sent, folder, 'sweep', 'long.npy', '-o', folder + '/page.html', '--csv', folder + '/rows.csv')
        expect(left == [], f'sweep, {sent}: {left}')


def what_a_killed_run_has_begun_the_next_removes():
    write_npy('k.npy', SHAPE, complexes(kspace(*SHAPE)), '<c8')
    os.mkdir('killed')
    left = end_with(signal.SIGKILL, 'killed', 'recon', 'long.npy', '-o', 'killed')
    expect(left and all('.part' in name for name in left), f'{left}')
    touch('killed/panel_0099.png.part7')
    touch('killed/result.npy.part8')
    with open('killed/reference.npy.part9', 'w', encoding='ascii') as busy:  # by a process that still runs
        fcntl.flock(busy, fcntl.LOCK_EX)
        recon('k.npy', '-o', 'killed')
        expect(sorted(os.listdir('killed')) == sorted(OWN + panels(0, 1, 2, 3) + ['reference.npy.part9']), f'{os.listdir("killed")}')
    recon('k.npy', '-o', 'killed')
    expect(sorted(os.listdir('killed')) == sorted(OWN + panels(0, 1, 2, 3)), f'{os.listdir("killed")}')


def names_that_cannot_be_written_are_told_before_the_work():
    write_npy('slow.npy', (1, 1, 16, 16), [complex('nan')] * 256, '<c8')  # what the work would tell
    touch('file')
    for words, named in ((('sweep', 'slow.npy', '-o', 'nowhere/page.html'), 'nowhere/page.html'),
                         (('sweep', 'slow.npy', '-o', 'p.html', '--csv', 'nowhere/r.csv'), 'nowhere/r.csv'),
                         (('recon', 'slow.npy', '-o', 'file'), 'file: the folder cannot be made')):
        status, output, errors = run(*words)
        expect(status == 1 and named in errors and output == '', f'{words}: {status}, {errors!r}')
    expect(not os.path.exists('p.html'), 'a page was made')
    status, _, errors = run('sweep', 'slow.npy', '-o', 'same', '--csv', 'same')
    expect(status == 2 and marked_word(errors) == 'same', f'{status}, {errors!r}')


run_cases('mri output', [
    a_folder_used_again_holds_the_last_run_alone, a_run_that_fails_leaves_the_folder_as_it_was, a_signal_leaves_nothing_begun,
    what_a_killed_run_has_begun_the_next_removes, names_that_cannot_be_written_are_told_before_the_work,
])
