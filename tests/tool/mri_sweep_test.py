#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""ulpfft mri sweep as a user meets it: mri_sweep_test.py ULPFFT."""
import csv
import html
import html.parser
import itertools
import json
import math
import os
import random
import re
import sys

sys.dont_write_bytecode = True
from harness import command, expect, run_cases, write_npy  # noqa: E402

tool = os.path.abspath(sys.argv[1])
run = command(tool)
POWER_RULES = ['floor', 'ceil', 'rceil', 'even', 'fit']
MX = ['mxfp8_e4m3', 'mxfp8_e5m2', 'mxfp6_e2m3', 'mxfp6_e3m2', 'mxint8', 'mxfp4_e2m1']
CONTROLS = ['f16', 'bf16']
BLOCKS, RULES, WAYS, DIRECTIONS, SIZES = ['2', '8', '32'], ['floor', 'rceil'], ['arithmetic', 'storage'], ['forward', 'round trip'], ['64', '128', '256']


def phantom(name, slices, coils, side, seed=1):
    """K-space of ellipses seen by coils around them, with noise."""
    random.seed(seed)
    ellipses = [(0, 0, 0.69, 0.92, 1.0), (0, -0.02, 0.66, 0.87, -0.6), (0.22, 0, 0.11, 0.31, -0.2), (-0.22, 0, 0.16, 0.41, -0.2), (0, 0.35, 0.21, 0.25, 0.3)]
    points = [2 * i / side - 1 for i in range(side)]
    images = []
    for _ in range(slices):
        for c in range(coils):
            cx, cy = math.cos(2 * math.pi * c / coils), math.sin(2 * math.pi * c / coils)
            for y, x in itertools.product(points, points):
                density = sum(value for ex, ey, rx, ry, value in ellipses if ((x - ex) / rx) ** 2 + ((y - ey) / ry) ** 2 <= 1)
                seen = 300 * density * math.exp(-((x - cx) ** 2 + (y - cy) ** 2) / 2)
                images.append(complex(seen * (cx + 0.2) + random.gauss(0, 2), seen * cy + random.gauss(0, 2)))
    write_npy('images.npy', (slices, coils, side, side), images, '<c8')
    status, _, errors = run('transform', 'images.npy', name, '--axes', '2,3', '--centered', '--scale', 'ortho', '--quiet')
    expect(status == 0, f'the phantom: status {status}, {errors}')


def sweep(name, *arguments):
    status, output, errors = run('mri', 'sweep', name, '-o', 'page.html', '--csv', 'rows.csv', '--json', *arguments)
    expect(status == 0, f'{arguments}: status {status}, {errors}')
    with open('page.html', encoding='utf-8') as page, open('rows.csv', encoding='utf-8', newline='') as rows:
        return json.loads(output), page.read(), list(csv.DictReader(rows))


class Page(html.parser.HTMLParser):
    """Tags that close in the order they open, and what they refer to."""
    EMPTY = {'meta', 'img', 'br', 'line', 'circle', 'polygon', 'polyline', 'link'}

    def __init__(self, text):
        super().__init__()
        self.open, self.references, self.images, self.words = [], [], 0, []
        self.feed(text)
        expect(self.open == [], f'left open: {self.open}')

    def handle_starttag(self, tag, attrs):
        self.references += [value for key, value in attrs if key in ('src', 'href', 'xlink:href', 'data', 'action')]
        self.images += tag == 'img'
        expect(tag not in ('script', 'link', 'iframe', 'object'), f'a <{tag}>')
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        if tag in self.EMPTY:
            return
        expect(self.open and self.open[-1] == tag, f'</{tag}> within {self.open[-3:]}')
        if self.open:
            self.open.pop()

    def handle_data(self, data):
        self.words.append(data)


def check_page(text):
    page = Page(text)
    expect(all(reference.startswith('data:image/png;base64,') for reference in page.references), f'{[r[:40] for r in page.references][:3]}')
    expect(not re.search(r'url\(|@import|http-equiv|//[a-z]+\.[a-z]', re.sub('base64,[^"]*', '', text)), 'a reference to the network')
    expect(not re.search(r'\b(nan|inf)\b', re.sub('base64,[^"]*', '', text)), 'nan or inf on the page')
    return page


# ---- Cases -------------------------------------------------------------------------------------------------------------------


def every_combination_is_in_page_csv_and_json():
    phantom('k.npy', 2, 2, 72)
    report, text, rows = sweep('k.npy')
    keys = [(row['format'], row['way'], row['direction'], row['size'], row['block'], row['rule']) for row in rows]
    expect(len(keys) == len(set(keys)), 'a combination comes twice')
    wanted = set(itertools.product(MX, WAYS, DIRECTIONS, SIZES, BLOCKS, RULES)) | set(itertools.product(CONTROLS, WAYS, DIRECTIONS, SIZES, [''], ['']))
    wanted |= set(itertools.product(['f32'], ['storage'], DIRECTIONS, SIZES, [''], ['']))
    expect(not wanted - set(keys), f'missing: {sorted(wanted - set(keys))[:5]}')
    status, output, _ = run('formats', '--json')
    signed = {f['name'] for f in json.loads(output) if f.get('rule') in POWER_RULES or (f['kind'] != 'block' and f['lowest'] < 0 and f['name'] != 'f64')} if status == 0 else set()
    expect(signed and {row['format'] for row in rows} == signed, f'{sorted(signed ^ {row["format"] for row in rows})}')
    for row, of_json in zip(rows, report['rows'], strict=True):
        if row['refused']:
            expect(of_json['refused'] == row['refused'], f'{row}')
            continue
        for name in ('nmse', 'ssim', 'psnr_mean_db', 'psnr_deviation_db', 'bytes_per_sample'):
            expect(float(row[name]) == of_json[name], f'{row["format"]}: {name} is {row[name]}, {of_json[name]}')
        expect(row['slices'] == '2' and float(row['psnr_deviation_db']) >= 0, f'{row}')
    page = check_page(text)
    words = ' '.join(page.words)
    for word in ['MXFP8 E4M3', 'MXINT8', 'Table 1: forward', 'Table 2: round trip', '64 × 64', '128 × 128', '256 × 256', 'block 32']:
        expect(word in words, f'"{word}" is not on the page')
    # f32, f16, bf16 and six MX formats twice, E4M3 by blocks and rules: an image and its difference each; and f64 twice.
    expect(page.images == 2 * (9 + 9 + 6) + 2, f'{page.images} images')


def a_row_is_what_recon_says_of_the_same_words():
    phantom('same.npy', 2, 2, 64)
    report, _, _ = sweep('same.npy', '--quick')
    expect({row['size'] for row in report['rows']} == {64}, 'quick is 64 x 64')
    for row in report['rows']:
        if row['format'] not in ('f32', 'f16', 'mxfp8_e4m3') or row['block'] == 2 or row['rule'] == 'floor':
            continue
        words = ['--storage', row['storage']] + (['--scheme', row['scheme']] if row['scheme'] else [])
        words += ['--round-trip'] if row['direction'] == 'round trip' else []
        status, output, errors = run('mri', 'recon', 'same.npy', '-o', 'out', '--json', *words)
        alone = json.loads(output) if status == 0 else {}
        same = all(alone.get(name) == row[name] for name in ('nmse', 'psnr_db', 'ssim', 'kspace_snr_db'))
        expect(same, f'{words}: {alone.get("nmse")}, {row["nmse"]}, {errors}')


def verdicts_follow_from_their_numbers(findings, text):
    """The verdict of each finding on the page, its number, its limit and its source are those of the report, and belong together."""
    on_page = re.findall(r'<span class="(holds|fails)">(.*?)</span><div>(.*?)<small>The (.*?) is ([0-9.]+) dB; the claim holds (from|up to) ([0-9.]+) dB.*?'
                         r'<small>Claim: (.*?)\.</small>', text)
    expect(len(on_page) == len(findings) == text.count('class="holds"') + text.count('class="fails"'), f'{len(on_page)} verdicts')
    for (kind, verdict, claim, quantity, value, direction, limit, source), finding in zip(on_page, findings):
        kept = float(value) >= float(limit) if direction == 'from' else float(value) <= float(limit)
        expect(verdict == ('holds' if kept else 'does not hold') and (kind == 'holds') == kept == finding['holds'], f'{verdict}: {value} dB, {direction} {limit} dB')
        expect((claim, quantity, float(value), float(limit)) == (finding['claim'], finding['quantity'], finding['value_db'], finding['threshold_db']), f'{finding}')
        expect(direction == ('from' if finding['limit'] == 'at least' else 'up to'), f'{finding}')
        expect(html.unescape(source) == finding['source'] and finding['source'].startswith(('arXiv:2512.04317', 'ulpfft')), f'{source}')


def the_findings_hold_on_a_phantom_and_their_rows_say_so():
    phantom('p.npy', 1, 8, 64)
    report, text, _ = sweep('p.npy', '--quick')
    names = ['With rceil, three mantissa bits', 'With floor, three mantissa bits', 'E5M2 equals E3M2', 'MXINT8 is above', 'f16 control', 'With floor, longer blocks',
             'With rceil, E4M3 and E5M2']
    expect(len(report['findings']) == len(names), f'{len(report["findings"])} findings')
    for name, finding in zip(names, report['findings']):
        expect(finding['claim'].startswith(name) or name in finding['claim'], f'{name}: {finding}')
        expect(finding['holds'] or name in ('f16 control', 'With floor, three mantissa bits'), f'{finding}')  # which depend on noise, size and clipping
    verdicts_follow_from_their_numbers(report['findings'], text)
    psnr = {(r['format'], r['direction'], r['block'], r['rule']): r['psnr_mean_db'] for r in report['rows'] if r['way'] == 'arithmetic' and 'refused' not in r}
    for finding, rule in zip(report['findings'], ('rceil', 'floor')):
        apart = [psnr[three, direction, block, rule] - psnr[two, direction, block, rule] for direction in DIRECTIONS for block in (2, 8, 32)
                 for three in ('mxfp8_e4m3', 'mxfp6_e2m3') for two in ('mxfp8_e5m2', 'mxfp6_e3m2')]
        expect(abs(min(apart) - finding['value_db']) <= 0.00501, f'{finding}: {min(apart)}')
    for direction in DIRECTIONS:
        for format_name in ('mxfp8_e4m3', 'mxfp8_e5m2', 'mxfp6_e2m3', 'mxfp6_e3m2'):
            falling = [psnr[format_name, direction, block, 'floor'] for block in (2, 8, 32)]
            expect(falling == sorted(falling), f'{format_name}, {direction}, floor: {falling}')
        for block in (2, 8, 32):
            at = {name: psnr[name, direction, block, 'rceil'] for name in MX}
            expect(min(at['mxfp8_e4m3'], at['mxfp6_e2m3']) > max(at['mxfp8_e5m2'], at['mxfp6_e3m2']) + 3, f'{direction}, {block}: {at}')
            expect(at['mxint8'] == max(at.values()) and abs(at['mxfp8_e5m2'] - at['mxfp6_e3m2']) < 0.1, f'{direction}, {block}: {at}')


def cropping_keeps_the_middle_and_zeros_go_around():
    # One sample of frequency 0 is a flat image, of every size; one that is cut away leaves nothing to see.
    side, middle = 80, 40 * 80 + 40
    flat = [0j] * (side * side)
    flat[middle] = 8 + 0j
    write_npy('flat.npy', (1, side, side), flat, '<c8')
    flat[0] = 1000 + 0j
    write_npy('edge.npy', (1, side, side), flat, '<c8')
    results = [[row for row in sweep(name, '--quick')[0]['rows']] for name in ('flat.npy', 'edge.npy')]
    expect(results[0] == results[1], 'what lies beyond the middle is seen')
    expect(all(row['nmse'] < 1e-6 for row in results[0] if row['format'] in ('f32', 'f16') and 'refused' not in row), 'a flat image is not exact')


def bad_input_leaves_nothing():
    write_npy('zero.npy', (1, 16, 16), [0j] * 256, '<c8')
    write_npy('nan.npy', (2, 1, 16, 16), [1 + 0j] * 511 + [complex(math.nan, 0)], '<c8')
    os.mkdir('there')
    for name, words in [('zero.npy', ['zero.npy: samples']), ('nan.npy', ['nan.npy: samples', 'slice 1'])]:
        status, output, errors = run('mri', 'sweep', name, '-o', 'there/page.html', '--csv', 'there/rows.csv')
        expect(status == 1 and output == '' and all(word in errors for word in words), f'{name}: {status}, {errors!r}')
    phantom('fine.npy', 1, 1, 16)
    status, _, errors = run('mri', 'sweep', 'fine.npy', '--quick', '-o', 'nowhere/page.html', '--csv', 'there/rows.csv')
    expect(status == 1 and 'nowhere/page.html' in errors, f'{status}, {errors!r}')
    expect(os.listdir('there') == [], f'{os.listdir("there")}')


run_cases('mri sweep', [
    every_combination_is_in_page_csv_and_json, a_row_is_what_recon_says_of_the_same_words, the_findings_hold_on_a_phantom_and_their_rows_say_so,
    cropping_keeps_the_middle_and_zeros_go_around, bad_input_leaves_nothing,
])
