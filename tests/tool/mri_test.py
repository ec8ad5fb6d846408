#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""ulpfft mri as a user meets it: mri_test.py ULPFFT [WRITE_HDF5]. Without the second, HDF5 is not read by this build."""
import json
import math
import os
import shutil
import struct
import subprocess
import sys

sys.dont_write_bytecode = True
import mri_files  # noqa: E402
from harness import command, expect, marked_word, read_npy, run_cases, write_npy  # noqa: E402
from mri_files import complexes, distance, images_of, kspace, write_cfl  # noqa: E402

tool = os.path.abspath(sys.argv[1])
write_hdf5 = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
run = command(tool, 'mri', 'recon')
NO_HDF5 = 'this build does not read HDF5'


def good(*arguments):
    status, output, errors = run(*arguments, '--json')
    expect(status == 0, f'{arguments}: status {status}, {errors}')
    return json.loads(output) if status == 0 else None


def refused(status, *arguments, names):
    got, output, errors = run(*arguments)
    expect(got == status and output == '' and all(name in errors for name in names), f'{arguments}: status {got}, {errors!r}, wanted {status} and {names}')
    return errors


def write_h5(name, *datasets):
    mri_files.write_h5(write_hdf5, name, *datasets)


SHAPE = (3, 2, 12, 9)  # slices, coils, ny, nx
PAIRS = kspace(*SHAPE)


def files_alike():
    """The same k-space as every kind of file that this build reads."""
    slices, coils, ny, nx = SHAPE
    write_npy('k8.npy', SHAPE, complexes(PAIRS), '<c8')
    write_npy('k16.npy', SHAPE, complexes(PAIRS), '<c16')
    write_cfl('k', (nx, ny, 1, coils) + (1,) * 9 + (slices,), PAIRS)
    names = ['k8.npy', 'k16.npy', 'k.cfl']
    if write_hdf5:
        write_h5('k.h5', ('kspace', 'c64', SHAPE, [part for pair in PAIRS for part in pair]))
        names.append('k.h5')
    return names


# ---- Cases -------------------------------------------------------------------------------------------------------------------


def reconstructs_every_kind_of_file_as_plain_sums_do():
    slices, coils, ny, nx = SHAPE
    wanted = images_of(complexes(PAIRS), *SHAPE)
    images = {}
    for name in files_alike():
        report = good(name, '--storage', 'f16', '-o', 'out')
        expect(report['shape'] == {'repetitions': 1, 'slices': slices, 'coils': coils, 'ny': ny, 'nx': nx}, f'{name}: {report["shape"]}')
        header, reference = read_npy('out/reference.npy')
        expect(header['shape'] == (slices, ny, nx) and header['descr'] == '<f8', f'{name}: {header}')
        expect(distance(reference, wanted) < 1e-14, f'{name}: {distance(reference, wanted)}')
        images[name] = (reference, read_npy('out/result.npy')[1])
        for s in range(slices):
            with open(f'out/panel_{s:04}.png', 'rb') as file:
                start = file.read(24)
            expect(start[1:4] == b'PNG' and struct.unpack('>2I', start[16:])[0] >= 3 * nx, f'{name}: panel {start}')
        with open('out/metrics.json', encoding='utf-8') as file:
            expect(json.load(file) == report, f'{name}: metrics.json is not what was printed')
    expect(all(image == images['k8.npy'] for image in images.values()), 'kinds of files differ')


def metrics_follow_from_the_images():
    files_alike()
    report = good('k8.npy', '--storage', 'e4m3', '-o', 'out')
    reference, result = read_npy('out/reference.npy')[1], read_npy('out/result.npy')[1]
    error = sum((a - b) ** 2 for a, b in zip(reference, result))
    nmse = error / sum(a * a for a in reference)
    psnr = 10 * math.log10(max(reference) ** 2 / (error / len(reference)))
    expect(abs(report['nmse'] / nmse - 1) < 1e-12 and abs(report['psnr_db'] - psnr) < 1e-10, f'{report["nmse"]} {nmse}, {report["psnr_db"]} {psnr}')
    expect(report['range'] == max(reference), 'the range is the largest value of the volume')
    spread = [10 ** (-entry['psnr_db'] / 10) for entry in report['slices']]  # mean squares, in squares of the range
    expect(abs(-10 * math.log10(sum(spread) / len(spread)) - report['psnr_db']) < 1e-9, f'{report["slices"]}')
    ssims = [entry['ssim'] for entry in report['slices']]
    expect(abs(sum(ssims) / len(ssims) - report['ssim']) < 1e-14 and 0.5 < report['ssim'] < 1, f'{report["ssim"]} {ssims}')
    expect(report['bytes_per_sample'] == 2, f'{report["bytes_per_sample"]}')
    # Quantisation of e4m3, twice: -20 log10(0.0264 sqrt 2) is 28.6 dB where nothing is below its range.
    expect(25 < report['kspace_snr_db'] < 32, f'{report["kspace_snr_db"]}')


def agrees_with_bart():
    if not shutil.which('bart'):
        return 'bart is not installed'

    def bart(*arguments):
        return subprocess.run(['bart', *arguments], check=True, text=True, stdout=subprocess.PIPE).stdout
    bart('phantom', '-k', '-s', '4', '-x', '48', 'clean')
    bart('noise', '-s', '7', '-n', '25', 'clean', 'noisy')
    bart('fft', '-iu', '3', 'noisy', 'coils')
    bart('rss', '8', 'coils', 'theirs')
    report = good('noisy.cfl', '--storage', 'mxfp8_e4m3', '-o', 'out')
    compared = good('noisy.cfl', '--storage', 'f32', '--reference', 'theirs.cfl', '-o', 'with')
    expect(compared['nmse'] < 1e-12, f'f32 against bart: {compared["nmse"]}')
    for name in ('reference', 'result'):
        pairs = [(value, 0.0) for value in read_npy(f'out/{name}.npy')[1]]
        write_cfl(name, (48, 48), pairs)
    nrmse = float(bart('nrmse', 'reference', 'result').split()[-1])
    expect(abs(math.sqrt(report['nmse']) / nrmse - 1) < 1e-4, f'{math.sqrt(report["nmse"])}, bart {nrmse}')
    psnr = float(bart('measure', '--psnr', 'reference', 'result').split()[-1])
    expect(abs(report['psnr_db'] - psnr) < 1e-3, f'{report["psnr_db"]}, bart {psnr}')
    # bart divides variances by 49 where scikit-image divides by 48: two percent of what makes the two images differ.
    ssim = float(bart('measure', '--ssim', 'reference', 'result').split()[-1])
    expect(abs(report['ssim'] - ssim) < 0.03 * (1 - ssim), f'{report["ssim"]}, bart {ssim}')


def slices_and_repetitions_are_chosen():
    files_alike()
    whole = good('k8.npy', '-o', 'whole')
    part = good('k8.npy', '--slice', '1-2', '-o', 'part')
    images, chosen = read_npy('whole/result.npy')[1], read_npy('part/result.npy')[1]
    expect(len(chosen) * 3 == 2 * len(images) and chosen == images[len(images) // 3:], 'slices 1 and 2')
    expect([entry['slice'] for entry in part['slices']] == [1, 2] and os.path.exists('part/panel_0002.png') and len(whole['slices']) == 3, f'{part}')
    write_npy('two.npy', (2,) + SHAPE, complexes(kspace(*SHAPE, seed=5)) + complexes(PAIRS), '<c8')
    good('two.npy', '--repetition', '1', '-o', 'second')
    expect(read_npy('second/result.npy')[1] == images, 'the second repetition is the first series')
    slices, coils, ny, nx = SHAPE
    first, third = kspace(*SHAPE, seed=5), kspace(*SHAPE, seed=6)
    size = coils * ny * nx
    write_cfl('three', (nx, ny, 1, coils) + (1,) * 6 + (3, 1, 1, slices),
              [pair for s in range(slices) for series in (first, PAIRS, third) for pair in series[s * size:(s + 1) * size]])
    good('three.cfl', '--repetition', '1', '-o', 'middle')
    expect(read_npy('middle/result.npy')[1] == images, 'BART: repetitions are dimension 10, slices 13')
    for word, names in (('3', ['3 slices']), ('2-1', ['--slice']), ('x', ['--slice']), ('1-', ['--slice'])):
        expect(marked_word(refused(2, 'k8.npy', '--slice', word, '-o', 'no', names=names)) == word, word)
    refused(2, 'two.npy', '--repetition', '2', '-o', 'no', names=['2 repetitions'])
    expect(not os.path.exists('no'), 'a folder was made for nothing')


def fastmri_images_are_met_after_oversampling_is_cut():
    if not write_hdf5:
        return NO_HDF5
    slices, coils, ny, nx = 2, 2, 32, 14
    pairs = kspace(slices, coils, ny, nx, seed=3)
    whole = images_of(complexes(pairs), slices, coils, ny, nx)
    # The middle 16 of 32 rows and 10 of 14 columns, as fastMRI's centre crop takes them.
    theirs = [whole[(s * ny + y) * nx + x] for s in range(slices) for y in range(8, 24) for x in range(2, 12)]
    write_h5('fast.h5', ('kspace', 'c64', (slices, coils, ny, nx), [part for pair in pairs for part in pair]), ('reconstruction_rss', 'f32', (slices, 16, 10), theirs))
    report = good('fast.h5', '--reference', 'fast.h5', '-o', 'out')
    expect(report['shape']['ny'] == 16 and report['image'] == [16, 10] and '32 points to 16' in report['notes'][0], f'{report}')
    expect(report['nmse'] < 1e-12, f'{report["nmse"]}')
    kept = good('fast.h5', '--reference', 'fast.h5', '--keep-oversampling', '-o', 'out')
    expect(kept['shape']['ny'] == 32 and kept['nmse'] < 1e-12 and kept['notes'] == [], f'{kept}')
    single = kspace(slices, 1, 12, 14, seed=4)
    write_h5('single.h5', ('kspace', 'c64', (slices, 12, 14), [part for pair in single for part in pair]))
    good('single.h5', '-o', 'out')
    expect(distance(read_npy('out/reference.npy')[1], images_of(complexes(single), slices, 1, 12, 14)) < 1e-14, 'one coil: no dimension for it')


def ismrmrd_lines_find_their_places():
    generate = shutil.which('ismrmrd_generate_cartesian_shepp_logan')
    if not generate:
        return 'ismrmrd_generate_cartesian_shepp_logan (ismrmrd-tools) is not installed'
    for name, more in (('full.h5', []), ('half.h5', ['-a', '2', '-C'])):
        subprocess.run([generate, '-m', '32', '-c', '3', '-O', '2', '-n', '0.01', '-r', '2', '-o', name, *more], check=True, stdout=subprocess.DEVNULL)
    status, _, errors = run('full.h5', '-o', 'cut')
    if status != 0 and 'was not found when it was made' in errors:
        expect('full.h5' in errors, errors)
        return 'this build does not read ISMRMRD'
    cut, kept = good('full.h5', '-o', 'cut'), good('full.h5', '--keep-oversampling', '-o', 'kept')
    expect(cut['shape'] == {'repetitions': 2, 'slices': 1, 'coils': 3, 'ny': 32, 'nx': 32} and kept['shape']['nx'] == 64, f'{cut["shape"]}, {kept["shape"]}')
    wide = read_npy('kept/reference.npy')[1]
    middle = [wide[y * 64 + x] for y in range(32) for x in range(16, 48)]
    expect(distance(read_npy('cut/reference.npy')[1], middle) < 1e-6, 'the middle of the image is left')  # f32 between
    first, second = read_npy('cut/reference.npy')[1], None
    good('full.h5', '--repetition', '1', '-o', 'cut')
    second = read_npy('cut/reference.npy')[1]
    expect(0 < distance(first, second) < 0.5, f'repetitions differ by noise: {distance(first, second)}')
    half = good('half.h5', '-o', 'half')
    expect(any('lines were measured' in note for note in half['notes']), f'{half["notes"]}')
    # Shepp and Logan's head: bright in the middle of the image, dark at its corners.
    expect(first[16 * 32 + 16] > 5 * first[0], f'{first[16 * 32 + 16]} {first[0]}')
    with open('full.h5', 'rb') as file:
        data = file.read()
    with open('short.h5', 'wb') as file:
        file.write(data[:len(data) // 2])
    refused(1, 'short.h5', '-o', 'no', names=['short.h5'])
    return None


def a_power_of_two_changes_nothing():
    for name, exponent in (('small', -60), ('plain', 0), ('large', 50)):
        write_npy(name + '.npy', SHAPE, [value * 2.0 ** exponent for value in complexes(PAIRS)], '<c16')
    for arithmetic in (('--storage', 'e4m3'), ('--storage', 'f16'), ('--storage', 'i16'), ('--storage', 'f32', '--scheme', 'rounded:e5m2')):
        reports = {name: good(name + '.npy', *arithmetic, '-o', name) for name in ('small', 'plain', 'large')}
        plain = read_npy('plain/result.npy')[1]
        for name, exponent in (('small', -60), ('large', 50)):
            expect([value * 2.0 ** exponent for value in plain] == read_npy(name + '/result.npy')[1], f'{arithmetic}: {name}')
            expect(reports[name]['slices'][0]['exponent'] == reports['plain']['slices'][0]['exponent'] - exponent and reports[name]['prescaled'],
                   f'{arithmetic}: {reports[name]["slices"]}')
            expect(reports[name]['slices'][0]['saturated'] == 0, f'{arithmetic}: {reports[name]["slices"]}')
    expect(not good('plain.npy', '--storage', 'mxfp8_e4m3', '-o', 'out')['prescaled'], 'blocks have scales of their own')
    expect('to fit e4m3 (undone afterwards)' in run('plain.npy', '--storage', 'e4m3', '-o', 'out')[1], 'the table says it')


def every_scheme_and_round_trip():
    files_alike()
    least = {'f32': 120, 'f64': 120, 'rounded:f16': 45, 'rounded:f16/f32': 45, 'mx:mxint8:b8:rceil:fresh': 25}
    for scheme, decibels in least.items():
        for more in ([], ['--round-trip']):
            storage = 'f64' if scheme == 'f64' else 'f32'
            report = good('k8.npy', '--storage', storage, '--scheme', scheme, *more, '-o', 'out')
            expect(report['kspace_snr_db'] > decibels and report['round_trip'] == bool(more), f'{scheme} {more}: {report["kspace_snr_db"]}')
            expect(report['nmse'] < 10 ** (-decibels / 10) * (4 if more else 1), f'{scheme} {more}: {report["nmse"]}')
    once, twice = good('k8.npy', '--storage', 'mxint8', '-o', 'out'), good('k8.npy', '--storage', 'mxint8', '--round-trip', '-o', 'out')
    expect(twice['nmse'] != once['nmse'] and twice['kspace_snr_db'] < 60, f'{once["nmse"]} {twice["nmse"]}')


def block_and_rule_reach_storage_and_scheme():
    files_alike()
    report = good('k8.npy', '--storage', 'mxfp8_e4m3', '--block', '8', '--rule', 'even', '-o', 'out')
    expect('mxfp8_e4m3:b8:even' in report['problem'] and report['storage'] == 'mxfp8_e4m3:b8:even', f'{report["problem"]}')
    report = good('k8.npy', '--scheme', 'mx:mxint8:fresh', '--block', '16', '-o', 'out')
    expect('scheme=mx:mxint8:b16:fresh' in report['problem'], f'{report["problem"]}')
    expect(marked_word(refused(2, 'k8.npy', '--storage', 'f16', '--block', '8', '-o', 'no', names=['blocks'])) == 'f16', 'no blocks')
    expect(marked_word(refused(2, 'k8.npy', '--storage', 'mxint8:b8', '--rule', 'floor', '-o', 'no', names=['already'])) == 'b8', 'named twice')
    expect(marked_word(refused(2, 'k8.npy', '--storage', 'f17', '-o', 'no', names=['f17'])) == 'f17', 'unknown format')
    expect(marked_word(refused(2, 'k8.npy', '--scheme', 'mx:f17', '-o', 'no', names=['f17'])) == 'mx:f17', 'unknown block format')
    refused(2, 'k8.npy', '--storage', 'e8m0', '-o', 'no', names=['negative'])


def the_storage_chosen_is_the_smallest_that_is_good_enough():
    files_alike()
    choose = command(tool, 'mri', 'choose')
    for demand, holds in ((('--nmse', '1e-3'), lambda one: one['nmse'] <= 1e-3), (('--psnr', '80'), lambda one: one['psnr_db'] >= 80),
                          (('--ssim', '0.99', '--psnr', '35'), lambda one: one['ssim'] >= 0.99 and one['psnr_db'] >= 35)):
        status, output, errors = choose('k8.npy', *demand, '--json')
        expect(status == 0, f'{demand}: {errors}')
        report = json.loads(output)
        tried = [one for one in report['tried'] if 'refused' not in one]
        expect(len(tried) >= 5 and all(one['good'] == holds(one) for one in tried), f'{demand}: {tried}')
        best = min((one for one in tried if one['good']), key=lambda one: (one['bytes_per_sample'], one['seconds_per_slice']))
        expect(best['storage'] == report['chosen'] and best['seconds_per_slice'] > 0, f'{demand}: {report["chosen"]}, but {best}')
        again = good('k8.npy', '--storage', report['chosen'], '-o', 'out')
        expect(all(again[key] == best[key] for key in ('nmse', 'psnr_db', 'ssim', 'problem', 'bytes_per_sample')), f'{best}, recon says {again}')
        expect('  problem  ' + best['problem'].split()[0] in choose('k8.npy', *demand)[1], 'the table ends with a problem')
        expect(all(one['prescaled'] == good('k8.npy', '--storage', one['storage'], '-o', 'out')['prescaled'] for one in tried), f'{tried}')
    status, output, errors = choose('k8.npy', '--psnr', '900', '--round-trip')
    expect(status == 1 and 'k8.npy: no storage' in errors and 'f64' in output, f'{status} {errors}')
    expect(choose('k8.npy')[0] == 2 and '--nmse' in choose('k8.npy')[2], 'nothing asked')
    status, _, errors = choose('k8.npy', '--psnr', '30', '--scheme', 'mx:f17')
    expect(status == 2 and marked_word(errors) == 'mx:f17', f'{status} {errors}')


def wrong_words_are_shown_with_what_is_possible():
    files_alike()
    bare = command(tool)
    for words, names, marked in (
            (('mri',), ['recon, choose, sweep'], 'mri'), (('mri', 'chose', 'k8.npy'), ["'chose'", 'recon, choose, sweep'], 'chose'), (('wisdom',), ['show'], 'wisdom'),
            (('mri', 'recon', 'k8.npy', '-o', 'no', '--block', '3', '--storage', 'mxint8'), ['--block', '64'], '3'),
            (('mri', 'choose', 'k8.npy', '--nmse', '-1'), ['--nmse takes a number, 0 or larger'], '-1'), (('mri', 'choose', 'k8.npy', '--psnr', 'nan'), ['--psnr takes a number, 0 or larger'], 'nan'),
            (('mri', 'choose', 'k8.npy', '--ssim', '2'), ['--ssim', '-1 to 1'], '2')):
        status, output, errors = bare(*words)
        expect(status == 2 and output == '' and all(name in errors for name in names) and marked_word(errors) == marked, f'{words}: {status}, {errors!r}')
    expect(bare('mri', '--help')[0] == 0 and bare('mri', 'recon', '--help')[0] == 0, 'help')


def refuses_bad_files_naming_file_and_field():
    slices, coils, ny, nx = SHAPE
    names = files_alike()
    for name in names:
        with open(name, 'rb') as file:
            data = file.read()
        with open('cut-' + name, 'wb') as file:
            file.write(data[:-100])
    shutil.copy('k.hdr', 'cut-k.hdr')
    for name in names:
        refused(1, 'cut-' + name, '-o', 'no', names=['cut-' + name])
    refused(1, 'cut-k.cfl', '-o', 'no', names=['cut-k.cfl: data', 'k.hdr'])
    write_cfl('deep', (nx, ny, 2, coils), PAIRS[:2 * coils * ny * nx])
    refused(1, 'deep.cfl', '-o', 'no', names=['deep.cfl: # Dimensions: dimension 2 is 2'])
    write_cfl('none', (nx, ny, 1, 0), [])
    refused(1, 'none.cfl', '-o', 'no', names=['none.hdr: shape'])
    write_npy('real.npy', SHAPE, [1.0] * (slices * coils * ny * nx), '<f4')
    refused(1, 'real.npy', '-o', 'no', names=['real.npy: descr'])
    write_npy('order.npy', SHAPE, complexes(PAIRS), '<c8', fortran=True)
    refused(1, 'order.npy', '-o', 'no', names=['order.npy: fortran_order'])
    write_npy('flat.npy', (len(PAIRS),), complexes(PAIRS), '<c8')
    refused(1, 'flat.npy', '-o', 'no', names=['flat.npy: shape'])
    write_npy('empty.npy', (0, coils, ny, nx), [], '<c8')
    refused(1, 'empty.npy', '-o', 'no', names=['empty.npy: shape'])
    write_npy('tiny.npy', (2, 6, 9), complexes(PAIRS)[:108], '<c8')
    refused(1, 'tiny.npy', '-o', 'no', names=['tiny.npy: shape', '7 x 7'])
    write_npy('zero.npy', SHAPE, [0j] * len(PAIRS), '<c8')
    refused(1, 'zero.npy', '-o', 'no', names=['zero.npy: samples', 'is 0'])
    refused(1, 'none.dat', '-o', 'no', names=['none.dat: name'])
    refused(1, 'absent.npy', '-o', 'no', names=['absent.npy'])
    write_npy('other.npy', (2, ny, nx), [1.0] * (2 * ny * nx), '<f8')
    refused(1, 'k8.npy', '--reference', 'other.npy', '-o', 'no', names=['other.npy: slices'])
    write_npy('other.npy', (slices, ny + 1, nx), [1.0] * (slices * (ny + 1) * nx), '<f8')
    refused(1, 'k8.npy', '--reference', 'other.npy', '-o', 'no', names=['other.npy: shape'])
    if not write_hdf5:
        with open('any.h5', 'wb') as file:
            file.write(b'any')
        refused(1, 'any.h5', '-o', 'no', names=['any.h5', 'libhdf5'])
        return
    parts = [part for pair in PAIRS for part in pair]
    for name, dataset, kind, dims, words in (
            ('real.h5', 'kspace', 'f32', SHAPE, ['kspace', 'complex']), ('flat.h5', 'kspace', 'c64', (len(PAIRS),), ['kspace', '1 dimensions']),
            ('empty.h5', 'kspace', 'c64', (0, coils, ny, nx), ['kspace', 'no slice']), ('other.h5', 'images', 'c64', SHAPE, ['kspace', 'missing'])):
        write_h5(name, (dataset, kind, dims, parts))
        refused(1, name, '-o', 'no', names=[name + ': ' + words[0], words[1]])
    write_h5('data.h5', ('dataset/xml', 'f32', (1,), [0.0]), ('dataset/data', 'f32', (4,), [0.0] * 4))
    refused(1, 'data.h5', '-o', 'no', names=['data.h5: dataset/data'])
    write_h5('xml.h5', ('dataset/xml', 'f32', (1,), [0.0]))
    refused(1, 'xml.h5', '-o', 'no', names=['xml.h5: dataset/data'])
    refused(1, 'k8.npy', '--reference', 'k.h5', '-o', 'no', names=['k.h5: reconstruction_rss'])


def a_bad_sample_in_the_last_slice_leaves_nothing_behind():
    slices, coils, ny, nx = SHAPE
    pairs = list(PAIRS)
    pairs[((2 * coils + 1) * ny + 5) * nx + 7] = (float('nan'), 0.0)
    write_npy('bad.npy', SHAPE, complexes(pairs), '<c8')
    write_cfl('bad', (nx, ny, 1, coils) + (1,) * 9 + (slices,), pairs)
    names = ['bad.npy', 'bad.cfl']
    if write_hdf5:
        write_h5('bad.h5', ('kspace', 'c64', SHAPE, [part for pair in pairs for part in pair]))
        names.append('bad.h5')
    for name in names:
        refused(1, name, '-o', 'behind', names=[f'{name}: samples', 'slice 2, coil 1, row 5, column 7'])
        expect(os.listdir('behind') == [], f'{name}: {os.listdir("behind")}')
        good(name, '--slice', '0-1', '-o', 'whole')


run_cases('mri', [
    reconstructs_every_kind_of_file_as_plain_sums_do, metrics_follow_from_the_images, agrees_with_bart, slices_and_repetitions_are_chosen,
    fastmri_images_are_met_after_oversampling_is_cut, ismrmrd_lines_find_their_places, a_power_of_two_changes_nothing, every_scheme_and_round_trip,
    block_and_rule_reach_storage_and_scheme, the_storage_chosen_is_the_smallest_that_is_good_enough,
    wrong_words_are_shown_with_what_is_possible, refuses_bad_files_naming_file_and_field,
    a_bad_sample_in_the_last_slice_leaves_nothing_behind,
])
