#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Lines of k-space in ISMRMRD files find their places: mri_ismrmrd_test.py ULPFFT WRITE_ISMRMRD."""
import dataclasses
import json
import os
import random
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from harness import HANG, command, expect, read_npy, run_cases, write_npy  # noqa: E402
from mri_files import Line, flag, header_xml, write_mrd  # noqa: E402

tool, writer = (os.path.abspath(path) for path in sys.argv[1:3])
run = command(tool, 'mri', 'recon')
NOISE, CALIBRATION, CALIBRATION_AND_IMAGING, REVERSE, NAVIGATION, PHASE_CORRECTION = 19, 20, 21, 22, 23, 24
LEFT_OUT = {NOISE: 'noise', CALIBRATION: 'calibration', NAVIGATION: 'navigation', PHASE_CORRECTION: 'phase correction', 26: 'feedback', 27: 'dummy', 28: 'feedback',
            29: 'surface coil correction', 30: 'phase stabilisation', 31: 'phase stabilisation'}
COILS, NY, NX = 2, 10, 8


def samples(count, seed):
    """Small integers: their sums and halves are exact."""
    random.seed(seed)
    return [complex(random.randrange(-99, 99), random.randrange(-99, 99)) for _ in range(count)]


def lines_of(series):
    """Every line of k-space of [repetition][slice][coil][row][column], in the order of the list."""
    return [Line(samples=NX, coils=COILS, center=NX // 2, step_1=row, slice=s, repetition=r, data=[value for coil in range(COILS) for value in series[r][s][coil][row]])
            for r, slices in enumerate(series) for s, coils in enumerate(slices) for row in range(NY)]


def volume(repetitions, slices, seed):
    numbers = iter(samples(repetitions * slices * COILS * NY * NX, seed))
    return [[[[[next(numbers) for _ in range(NX)] for _ in range(NY)] for _ in range(COILS)] for _ in range(slices)] for _ in range(repetitions)]


def flat(series):
    return [value for slices in series for coils in slices for rows in coils for columns in rows for value in columns]


def write(name, lines, xml=header_xml(NX, NY), layout='1'):
    write_mrd(writer, name, xml, lines, layout)


def recon(name, *arguments):
    """What recon says, and the reference images."""
    status, output, errors = run(name, '-o', 'out', '--json', *arguments)
    expect(status == 0, f'{name}: status {status}, {errors}')
    return (json.loads(output), read_npy('out/reference.npy')[1]) if status == 0 else ({'notes': [], 'shape': {}}, None)


def expect_same(name, series, *arguments, what):
    """That the file holds what the series does, bit for bit."""
    write_npy('wanted.npy', (len(series), len(series[0]), COILS, NY, NX), flat(series), '<c8')
    report, images = recon(name, *arguments)
    expect(images is not None and images == recon('wanted.npy', *arguments)[1], what)
    return report


def refused(name, lines, *names, xml=header_xml(NX, NY), layout='1'):
    write(name, lines, xml, layout)
    status, output, errors = run(name, '-o', 'no')
    expect(status == 1 and output == '' and all(part in errors for part in (name, *names)), f'{names}: status {status}, {errors!r}')


# ---- Cases -------------------------------------------------------------------------------------------------------------------


def slices_and_repetitions_come_in_any_order():
    series = volume(2, 3, 1)
    lines = lines_of(series)
    random.seed(2)
    random.shuffle(lines)
    write('shuffled.h5', lines)
    for repetition in '01':
        report = expect_same('shuffled.h5', series, '--repetition', repetition, what=f'repetition {repetition}')
        expect(report['shape'] == {'repetitions': 2, 'slices': 3, 'coils': COILS, 'ny': NY, 'nx': NX} and report['notes'] == [], f'{report}')
    expect_same('shuffled.h5', series, '--slice', '1-2', what='slices 1 and 2')


def records_are_found_however_they_are_stored():
    series = volume(1, 2, 3)
    for layout in ('whole', '1', '7', '20'):
        write('stored.h5', lines_of(series), layout=layout)
        expect_same('stored.h5', series, what=f'layout {layout}')
    refused('packed.h5', lines_of(series), 'dataset/data', 'compressed', 'h5repack', layout='7z')


def lines_measured_again_are_averaged():
    series = volume(1, 1, 4)
    lines = lines_of(series)
    for row in (2, 7):
        again = dataclasses.replace(lines[row], average=1, data=samples(COILS * NX, row))
        for coil in range(COILS):
            series[0][0][coil][row] = [(a + b) / 2 for a, b in zip(lines[row].data[coil * NX:], again.data[coil * NX:(coil + 1) * NX])]
        lines.append(again)
    # The right half of line 4 twice more: the left half is as it was. Multiples of 3, so that the mean is exact.
    right = NX // 2
    lines[4].data = [3 * value for value in lines[4].data]
    halves = [Line(samples=right, coils=COILS, center=0, step_1=4, average=n, data=[3 * value for value in samples(COILS * right, 40 + n)]) for n in (1, 2)]
    for coil in range(COILS):
        whole = lines[4].data[coil * NX:(coil + 1) * NX]
        means = [(a + b + c) / 3 for a, b, c in zip(whole[NX - right:], *(half.data[coil * right:] for half in halves))]
        series[0][0][coil][4] = whole[:NX - right] + means
    lines += halves
    write('again.h5', lines)
    report = expect_same('again.h5', series, what='means')
    expect(report['notes'] == ['4 lines were measured again, and averaged'], f'{report["notes"]}')


def reversed_lines_are_turned_around():
    series = volume(1, 1, 5)
    turned = lines_of(series)
    for line in turned[1::2]:  # the sample in the middle of k-space comes as number 3 of 0..7
        line.flags, line.center = flag(REVERSE), NX - 1 - NX // 2
        line.data = [value for coil in range(COILS) for value in reversed(line.data[coil * NX:(coil + 1) * NX])]
    write('turned.h5', turned)
    report = expect_same('turned.h5', series, what='center_sample as the samples come')
    expect(report['notes'] == [], f'{report["notes"]}')
    for line in turned:  # as scanners write it: of every line the same
        line.center = NX // 2
    write('same.h5', turned)
    report = expect_same('same.h5', series, what='center_sample from the left')
    expect(len(report['notes']) == 1 and 'counted from the left' in report['notes'][0], f'{report["notes"]}')


def samples_to_be_discarded_are_and_short_lines_lie_around_the_center():
    series = volume(1, 1, 6)
    lines = lines_of(series)
    spoilt = [complex(1e6, 1e6)]
    for number, line in enumerate(lines):
        before, after, missing = number % 3, number % 2, number % 4
        rows = [line.data[coil * NX:(coil + 1) * NX] for coil in range(COILS)]
        for coil in range(COILS):
            series[0][0][coil][number][:missing] = [0j] * missing
        line.samples, line.center = NX - missing + before + after, NX // 2 - missing + before
        line.discard_before, line.discard_after = before, after
        line.data = [value for row in rows for value in spoilt * before + row[missing:] + spoilt * after]
        if number in (5, 6):
            line.flags, line.center = flag(REVERSE), line.samples - 1 - line.center
            line.discard_before, line.discard_after = after, before
            line.data = [value for coil in range(COILS) for value in reversed(line.data[coil * line.samples:(coil + 1) * line.samples])]
    write('short.h5', lines)
    expect_same('short.h5', series, what='partial lines')


def the_center_of_the_lines_is_that_of_the_header():
    series = volume(1, 1, 7)
    lines = [dataclasses.replace(line, step_1=line.step_1 - 2) for line in lines_of(series)[2:]]
    for coil in range(COILS):
        series[0][0][coil][:2] = [[0j] * NX] * 2
    write('moved.h5', lines, header_xml(NX, NY, center=NY // 2 - 2))
    report = expect_same('moved.h5', series, what='center 3')
    expect(report['notes'] == [f'{NY - 2} of {NY} lines were measured; the others are 0'], f'{report["notes"]}')


def acquisitions_of_another_purpose_are_left_out_and_counted():
    series = volume(1, 1, 8)
    lines = lines_of(series)
    lines[3].flags = flag(CALIBRATION_AND_IMAGING) | flag(CALIBRATION)
    lines[4].flags = flag(7) | flag(25) | flag(57)  # first in slice, last in measurement, a user's
    # Other lengths and coils, and counters beyond the matrix: they are not looked at.
    others = [Line(flags=flag(number), samples=5, coils=1, step_1=900, slice=70, contrast=1, data=samples(5, number)) for number in LEFT_OUT]
    write('flags.h5', others[:4] + lines + others[4:])
    report = expect_same('flags.h5', series, what='the others are left out')
    expect(report['shape']['slices'] == 1 and len(report['notes']) == 1 and all(why in report['notes'][0] for why in LEFT_OUT.values()), f'{report["notes"]}')
    expect('2 feedback' in report['notes'][0] and '1 noise' in report['notes'][0], f'{report["notes"]}')
    refused('none.h5', others, 'dataset/data', 'no line of an image')


def what_does_not_fit_is_refused_by_its_number():
    lines = lines_of(volume(1, 1, 9))

    def with_line(number, **changes):
        return [dataclasses.replace(line, **changes) if i == number else line for i, line in enumerate(lines)]
    refused('f.h5', with_line(3, step_1=NY), 'acquisition 3', f'kspace_encode_step_1 is {NY}')
    refused('f.h5', with_line(4, step_2=1), 'acquisition 4', 'kspace_encode_step_2')
    refused('f.h5', with_line(5, contrast=1), 'acquisition 5', 'contrast')
    refused('f.h5', with_line(5, encoding=1), 'acquisition 5', 'encoding_space_ref')
    refused('f.h5', with_line(6, center=3), 'acquisition 6', 'around 3', 'do not fit')
    refused('f.h5', with_line(6, flags=flag(REVERSE), center=7), 'acquisition 6', 'do not fit')
    refused('f.h5', with_line(6, discard_before=5, discard_after=4), 'acquisition 6', '9 are to be discarded')
    refused('f.h5', with_line(7, coils=1, data=lines[7].data[:NX]), 'acquisition 7', 'active_channels is 1')
    refused('f.h5', with_line(8, flags=flag(53)), 'acquisition 8', 'compressed')
    refused('f.h5', with_line(9, slice=2), 'dataset/data', 'slice 1 has no line')
    refused('f.h5', lines[:1], 'encodedSpace.matrixSize', 'lines high', xml=header_xml(NX, 40 * NY, center=0))
    refused('f.h5', [], 'dataset/data', 'no acquisition')
    for xml, words in ((header_xml(NX, NY, z=4), ['encodedSpace.matrixSize', f'{NX} x {NY} x 4']), (header_xml(NX, NY, trajectory='radial'), ['encoding.trajectory']),
                       (header_xml(NX, NY).replace('<encoding>', '<encodin>'), ['dataset/xml']), ('', ['dataset/xml']),
                       (header_xml(NX, NY).replace('cartesian', 'kartesisch'), ['dataset/xml']), (header_xml(0, NY), ['f.h5'])):
        refused('f.h5', lines, *words, xml=xml)


def a_process_that_reads_for_another_ends_with_it():
    write('long.h5', lines_of(volume(1, 40, 10)))
    children = []
    with subprocess.Popen([tool, 'mri', 'sweep', 'long.h5', '-o', 'page.html'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        of_process = f'/proc/{process.pid}/task/{process.pid}/children'
        if not os.path.exists(of_process):
            process.kill()
            return 'this system does not tell the children of a process'
        while process.poll() is None and not children:
            with open(of_process, encoding='ascii') as file:
                children = file.read().split()
        process.kill()
    expect(len(children) == 1, f'{children}')

    def runs(child):
        try:
            with open(f'/proc/{child}/stat', encoding='ascii') as file:
                return file.read().rsplit(')', 1)[1].split()[0] not in 'ZX'
        except FileNotFoundError:
            return False
    latest = time.monotonic() + HANG
    while any(map(runs, children)) and time.monotonic() < latest:
        time.sleep(0.01)
    expect(not any(map(runs, children)), 'it still runs')
    return None


run_cases('mri ismrmrd', [
    slices_and_repetitions_come_in_any_order, records_are_found_however_they_are_stored, lines_measured_again_are_averaged, reversed_lines_are_turned_around,
    samples_to_be_discarded_are_and_short_lines_lie_around_the_center, the_center_of_the_lines_is_that_of_the_header,
    acquisitions_of_another_purpose_are_left_out_and_counted, what_does_not_fit_is_refused_by_its_number, a_process_that_reads_for_another_ends_with_it,
])
