#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Pages and panels as a reader sees them: pages_test.py ULPFFT ULPFFT_DEMO PEER [WRITE_HDF5 [WRITE_ISMRMRD]]."""
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
from harness import command, expect, read_npy, run_cases, write_npy  # noqa: E402
from mri_files import Line, header_xml, write_cfl, write_h5, write_mrd  # noqa: E402
from pages import check_colors, check_letters, images_of_page, read_png  # noqa: E402

tool, demo, peer = (os.path.abspath(path) for path in sys.argv[1:4])
write_hdf5, write_ismrmrd = [os.path.abspath(path) for path in sys.argv[4:6]] + [None] * (6 - len(sys.argv[:6]))
run = command(tool)
HIGH, WIDE = 24, 20
GAP, LEAST_SIDE = 8, 240  # of panels


def good(*arguments):
    status, output, errors = run(*arguments)
    expect(status == 0, f'{arguments}: status {status}, {errors}')
    return output


def head():
    """What is to be seen: bright at the top, half as bright on the left, dark at the bottom and on the right."""
    def value(row, column):
        if row in range(2, 8) and column in range(7, 13):
            return 1.0
        return 0.5 if row in range(9, 15) and column in range(1, 7) else 0.1
    return [[value(row, column) for column in range(WIDE)] for row in range(HIGH)]


def kspace_of(image, name='scratch.npy'):
    """Complex numbers, row by row."""
    ny, nx = len(image), len(image[0])
    write_npy('image.npy', (ny, nx), [complex(value) for row in image for value in row], '<c8')
    good('transform', 'image.npy', name, '--axes', '0,1', '--centered', '--scale', 'ortho', '--quiet')
    return read_npy(name)[1]


def heads():
    """Files of every kind that this build reads; in each the head is upright by the convention of the kind."""
    seen = head()
    kspace_of(seen, 'head.npy')
    turned = [[seen[row][column] for row in range(HIGH)] for column in range(WIDE)]  # BART: dimension 0, which is fastest, goes down
    write_cfl('head', (HIGH, WIDE) + (1,) * 14, [(number.real, number.imag) for number in kspace_of(turned)])
    names = ['head.npy', 'head.cfl']
    upwards = kspace_of(seen[::-1])  # the first row is the lowest
    if write_hdf5:
        write_h5(write_hdf5, 'head.h5', ('kspace', 'c64', (1, 1, HIGH, WIDE), [part for number in upwards for part in (number.real, number.imag)]))
        names.append('head.h5')
    if write_ismrmrd:
        lines = [Line(samples=WIDE, center=WIDE // 2, step_1=row, data=upwards[row * WIDE:(row + 1) * WIDE]) for row in range(HIGH)]
        write_mrd(write_ismrmrd, 'head.mrd', header_xml(WIDE, HIGH), lines)
        names.append('head.mrd')
    return names


def expect_upright(what, rows):
    high, wide = len(rows), len(rows[0])

    def brightness(row, column):  # around this place of the head
        return rows[int((row + 0.5) * high / HIGH)][int((column + 0.5) * wide / WIDE)]
    top, left, bottom, right = brightness(4, 9), brightness(11, 3), brightness(18, 9), brightness(11, 16)
    expect(top > 1.5 * left and left > 2 * right and top > 4 * bottom, f'{what}: top {top}, left {left}, bottom {bottom}, right {right}')


def pages():
    """Name and text of one page of every kind."""
    for name, numbers in (('kspace_16', head()), ('bart_16', head())):
        square = [row[2:18] for row in numbers[:16]]
        pairs = [(n.real, n.imag) for n in kspace_of(square)] if name == 'kspace_16' else [(value, 0.0) for row in square for value in row]
        write_cfl(name, (16, 16) + (1,) * 14, pairs)
    done = subprocess.run([demo, 'images', '.', '', '16'], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    expect(done.returncode == 0 and 'relative L2' in done.stdout, done.stdout)
    kspace_of(head(), 'page.npy')
    good('mri', 'sweep', 'page.npy', '--quick', '-o', 'sweep.html')
    good('accuracy', '--study', 'formats', '--study', 'blocks', '--longest', '64', '--html', 'accuracy.html')
    good('bench', '64 f32', '128 f32', '--vs', peer, '--seconds', '0.001', '--html', 'bench.html')
    good('plan', '64*4 f32 max_error=1e-3', '--pareto', '--storages', 'f16,mxint8', '--html', 'pareto.html', '--time-limit', '86400')
    for name in ('demo', 'sweep', 'accuracy', 'bench', 'pareto'):
        with open(name + '.html', encoding='utf-8') as file:
            yield name, file.read()


# ---- Cases -------------------------------------------------------------------------------------------------------------------


def heads_of_every_kind_of_file_are_upright_in_panels_and_pages():
    for name in heads():
        good('mri', 'recon', name, '--storage', 'f16', '-o', 'out')
        with open('out/panel_0000.png', 'rb') as file:
            rows = read_png(file.read())
        side = (len(rows[0]) - 2 * GAP) // 3
        picture = rows[len(rows) - side * HIGH // WIDE:]
        expect(side >= LEAST_SIDE and side % WIDE == 0, f'{name}: a panel of {side} columns')
        for third, what in enumerate(('reference', 'result')):
            begin = third * (side + GAP)
            expect_upright(f'{name}, {what}', [row[begin:begin + side] for row in picture])
        good('mri', 'sweep', name, '--quick', '-o', 'page.html')
        with open('page.html', encoding='utf-8') as page:
            alt, rows = images_of_page(page.read())[0]
        expect_upright(f'{name}, {alt} of the page', rows)


def numbers_keep_the_order_of_the_file():
    for name, wanted in (('head.npy', head()), ('head.cfl', [[head()[row][column] for row in range(HIGH)] for column in range(WIDE)])):
        good('mri', 'recon', name, '--storage', 'f32', '-o', 'out')
        header, numbers = read_npy('out/reference.npy')
        expect(header['shape'] == (1, len(wanted), len(wanted[0])), f'{name}: {header["shape"]}')
        expect(all(abs(a - b) < 1e-6 for a, b in zip(numbers, [value for row in wanted for value in row])), f'{name}: numbers moved')


def panels_have_titles_and_a_difference_that_can_be_seen():
    kspace_of(head(), 'panel.npy')
    for storage in ('f32', 'f16', 'mxfp4_e2m1'):
        good('mri', 'recon', 'panel.npy', '--storage', storage, '-o', 'out')
        with open('out/panel_0000.png', 'rb') as file:
            rows = read_png(file.read())
        side = (len(rows[0]) - 2 * GAP) // 3
        title = len(rows) - side * HIGH // WIDE
        for third in range(3):
            begin = third * (side + GAP)
            black = sum(value == 0 for row in rows[:title] for value in row[begin:begin + side])
            expect(black > 200, f'{storage}: {black} black pixels in title {third}')
        difference = [value for row in rows[title:] for value in row[2 * (side + GAP):]]
        expect(max(difference) >= 100 and sum(difference) / len(difference) < 200, f'{storage}: the brightest of the difference is {max(difference)}')


def strips_say_what_differences_are_multiplied_by():
    kspace_of(head(), 'strip.npy')
    good('mri', 'sweep', 'strip.npy', '--quick', '-o', 'strip.html')
    with open('strip.html', encoding='utf-8') as page:
        text = page.read()
    factors = re.findall(r'<span class="over">difference &times; (\d+)</span>', text)
    shown = [(alt, rows) for alt, rows in images_of_page(text) if ', difference x ' in alt]
    expect(len(factors) == len(shown) > 20, f'{len(factors)} factors, {len(shown)} pictures')
    for factor, (alt, rows) in zip(factors, shown):
        expect(alt.endswith(' x ' + factor) and re.fullmatch('[125]0*', factor), f'{alt}: {factor}')
        expect(max(max(row) for row in rows) >= 100, f'{alt}: black')


def every_page_can_be_read_in_the_dark_and_on_a_phone():
    for name, text in pages():
        check_colors(name, text)
        figures = check_letters(name, text)
        expect(figures > 0 or name == 'demo', f'{name}: no figure')
        if name in ('bench', 'pareto'):
            expect('<td class="recipe"><code>' in text and 'td.recipe { white-space: normal' in text, f'{name}: recipes do not wrap')


def pages_link_to_each_other():
    with open('demo.html', encoding='utf-8') as file:
        text = file.read()
    expect('href="sweep.html"' in text, 'the demonstration does not link to the sweep')
    expect(-1 < text.find('What is compared') < text.find('within the limit of'), 'the limit comes before what is compared')
    with open('sweep.html', encoding='utf-8') as file:
        expect('href="demo.html"' in file.read(), 'the sweep does not link to the demonstration beside it')
    os.mkdir('alone')
    os.rename('page.npy', 'alone/page.npy')
    good('mri', 'sweep', 'alone/page.npy', '--quick', '-o', 'alone/sweep.html')
    with open('alone/sweep.html', encoding='utf-8') as file:
        expect('demo.html' not in file.read(), 'a link to nothing')


def several_slices_are_slices():
    write_npy('four.npy', (4, 1, 8, 8), [1 + 1j] * 256, '<c8')
    expect('here slices 1 to 3 of' in good('mri', 'recon', 'four.npy', '--storage', 'f16', '--slice', '1-3', '-o', 'out'), 'not "slices 1 to 3"')
    expect('here slice 2 of' in good('mri', 'recon', 'four.npy', '--storage', 'f16', '--slice', '2', '-o', 'out'), 'not "slice 2"')


run_cases('pages', [
    heads_of_every_kind_of_file_are_upright_in_panels_and_pages, numbers_keep_the_order_of_the_file, panels_have_titles_and_a_difference_that_can_be_seen,
    strips_say_what_differences_are_multiplied_by, every_page_can_be_read_in_the_dark_and_on_a_phone, pages_link_to_each_other, several_slices_are_slices,
])
