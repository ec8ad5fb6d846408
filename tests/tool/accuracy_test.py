#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""`ulpfft accuracy` as a user types it: accuracy_test.py ULPFFT GOLDEN. Needs nothing but Python's own library.

ULPFFT_TEST_FULL=1 measures the golden table up to 65536 points, else up to 4096."""
import collections
import csv
import html.parser
import json
import math
import os
import re
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from harness import command, expect, run_cases  # noqa: E402

tool, golden_file = (os.path.abspath(name) for name in sys.argv[1:3])
run = command(tool)
with open(golden_file, encoding='utf-8') as opened:
    golden = json.load(opened)
longest = 65536 if os.environ.get('ULPFFT_TEST_FULL') else 4096

STUDIES = ['lengths', 'reals', 'formats', 'golden', 'predictions', 'forms', 'overflow', 'bounds', 'sine', 'blocks', 'chain', 'split', 'chains']
REALS = ['r2c', 'c2r', 'r2hc', 'hc2r', 'dht', 'dct1', 'dct2', 'dct3', 'dct4', 'dst1', 'dst2', 'dst3', 'dst4']
quick = {}  # what `accuracy --quick` printed and wrote, once for all cases


class Page(html.parser.HTMLParser):
    """Counts the tags of a page and keeps its ids; whatever opens must close in order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.count, self.faults, self.ids, self.links = [], collections.Counter(), 0, [], []
        self.feed(text)

    def note(self, tag, attributes):
        self.count[tag] += 1
        self.ids += [value for name, value in attributes if name == 'id']
        self.links += [value for name, value in attributes if name in ('href', 'src', 'action', 'data', 'srcset', 'xlink:href')]

    def handle_starttag(self, tag, attributes):
        self.note(tag, attributes)
        if tag not in ('meta', 'br'):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.note(tag, attributes)

    def handle_endtag(self, tag):
        self.faults += not self.open or self.open.pop() != tag


def quick_report():
    if not quick:
        status, output, errors = run('accuracy', '--quick', '--json', '--html', 'quick.html', '--csv', 'quick')
        expect(status == 0 and not errors, f'{status} {errors}')
        quick['json'] = json.loads(output)
        with open('quick.html', encoding='utf-8') as file:
            quick['page'] = file.read()
    return quick['json']


def curve(figure, name):
    points = [c['points'] for c in figure['curves'] if c['name'] == name]
    expect(len(points) == 1, f'{figure["id"]} has {len(points)} curves {name}')
    return {point['x']: point['y'] for point in points[0]}


def figure_of(name):
    return next(figure for figure in quick_report()['figures'] if figure['id'] == name)


def scales_and_chains_stay_within_their_gates():
    problems = [f'{n}{batch} {storage} scale={scale}' for n, batch in ((2, '*4096'), (3, ''), (5, '*7')) for storage in ('f32', 'f64')
                for scale in ('ortho', '0.3', '1/n')]
    problems += [f'{ends} scale={scale} chain=mul' for ends in ('243 i8->e2m3', '1024 i16', '1024 f32->e2m3', '100 f16') for scale in ('1/n', 'ortho')]
    status, output, errors = run('accuracy', '--no-fftw', '--json', *problems)
    rows = json.loads(output)['rows']
    expect(status == 0 and not errors and len(rows) == len(problems), f'{[row for row in rows if not row["passes"]]} {errors}')
    for row in rows:
        if 'chain' in row['problem']:
            expect(0.8 < row['k'] < 1.25, f'{row}')


def measures_lengths_beside_gates_and_fftw():
    status, output, errors = run('accuracy', '--study', 'lengths', '--longest', '100', '--html', 'a.html', '--json')
    report = json.loads(output)
    rows = report['rows']
    expect(status == 0 and not errors and report['failures'] == 0, f'{status} {errors}')
    expect({row['format'] for row in rows} == {'f32', 'f64'} and {2, 64, 100, 67} <= {row['n'] for row in rows}, 'lengths and formats')
    for row in rows:
        u = 2.0 ** (-24 if row['format'] == 'f32' else -53)
        expect(abs(row['k'] - row['error'] / (u * math.sqrt(math.log2(row['n'])))) < 1e-6, f'k of {row}')
        expect(0.2 < row['k'] <= row['gate'] and row['gate'] == (1 if row['n'] not in (17, 19, 31, 34, 67) else 2), f'{row}')
        # The largest output is up to 4 times the mean of 2^14 random ones, and the largest error is beside it.
        expect(row['level'] == 'full' and row['outputs'] >= 2 ** 14 and row['error'] / 4 < row['largest'] < 20 * row['error'], f'{row}')
        expect('predicted' not in row, f'{row}')
        if report['fftw']:
            expect(0.2 < row['fftw_error'] / row['error'] * row['k'] < 2, f'{row}')
    with open('a.html', encoding='utf-8') as file:
        text = file.read()
    page = Page(text)
    shown = sum(len(c['points']) for figure in report['figures'] for c in figure['curves'])
    expect(not page.open and not page.faults and page.count['svg'] == 2, f'{page.open} {page.faults} {page.count}')
    expect(shown == len(rows) * (2 if report['fftw'] else 1), f'{shown} points of {len(rows)} rows')
    expect(report['date'] in text and report['machine'] in text and 'gate, smooth' in text, 'what a page tells')
    if not report['fftw']:
        print('  FFTW is not installed: not compared')

    status, output, errors = run('accuracy', '12x10*3 f32 inverse centered split scale=ortho', '1 f64', '1 f64->f32', '9 f32->f64', '--level', 'sampled')
    expect(status == 0 and 'f32:rank' in output and 'sampled' in output, f'{status} {output} {errors}')
    status, output, errors = run('accuracy', '60 f64', '--gate', '0.1', '--no-fftw', '--target', 'ref')
    expect(status == 1 and '60 f64' in output and 'above their gate' in errors, f'{status} {errors}')


def measures_reals_beside_gates_and_fftw():
    status, output, errors = run('accuracy', '--study', 'reals', '--longest', '60', '--json')
    report = json.loads(output)
    rows = report['rows']
    expect(status == 0 and not errors and report['failures'] == 0, f'{status} {errors}')
    expect({(row['kind'], row['format']) for row in rows} == {(k, f) for k in REALS for f in ('f32', 'f64')}, 'kinds and formats')
    for row in rows:
        most = (1 if row['n'] != 31 else 2) if row['kind'] not in REALS[5:] else 2 if row['kind'] in ('dct1', 'dst1') else 1.5
        expect(row['gate'] in (most, 2 * most), f'{row}')
        expect(row['k'] <= row['gate'] and row['level'] == 'full' and row['outputs'] >= 2 ** 14, f'{row}')
        if report['fftw'] and row['n'] > 8:
            expect((0.02 if row['kind'] in REALS[2:] else 0.3) < row['fftw_error'] / row['error'] < 3, f'{row}')
    expect({figure['id'] for figure in report['figures']} == {f'{kind}-{format}' for kind in REALS for format in ('f32', 'f64')}, 'a figure each')
    compared = {r['kind'] for r in report['powers_of_two']}
    expect(compared == (set(REALS) - {'dct1', 'dst1'} if report['fftw'] else set()), f'{report["powers_of_two"]}')
    status, output, errors = run('accuracy', 'r2c 60x45 f32', 'c2r 1000 f64 inverse scale=1/n', 'r2c 64x64 f32 chain=mul', '--level', 'sampled', '--no-fftw')
    expect(status == 0 and re.search(r'real\((15x3|45)', output) and 'chain(' in output, f'{status} {output} {errors}')


def holds_schemes_to_the_error_they_predict():
    problems = ['1024*4 f32 scheme=rounded:f16', '360 f32 scheme=rounded:bf16', '1024 f32 scheme=rounded:f16/f32 scale=ortho', '512*8 f16 scheme=rounded:f16', '256*4 mxint8:b8']
    status, output, errors = run('accuracy', *problems, '--json')
    expect(status == 0, f'{status} {errors}')
    for row in json.loads(output)['rows']:
        expect(row['gate'] == 1.5 and row['passes'] and abs(row['k'] - row['error'] / row['predicted']) < 1e-9 and 0.5 < row['k'] < 1.5, f'{row}')
        expect(row['format'] == (row['problem'].split('scheme=')[1].split(' ')[0] if 'scheme=' in row['problem'] else 'mxint8:b8'), f'{row}')
    # Formats whose range or whose steps do not suit a transform: some of these err more than predicted, and then that is a failure.
    doubtful = ['1024 f32 scheme=rounded:i16', '1024 int8q6 scheme=rounded:int8q6 scale=ortho', '4096 f32 scheme=rounded:e2m1', '65536 f32 scheme=rounded:e4m3']
    status, output, errors = run('accuracy', *doubtful, '--json')
    rows = json.loads(output)['rows']
    for row in rows:
        expect(row['error'] is None or row['passes'] == (row['error'] == 0 or 0.25 * row['predicted'] <= row['error'] <= 1.5 * row['predicted']), f'{row}')
    failures = sum(not row['passes'] for row in rows)
    expect(status == (1 if failures else 0) and ('above their gate' in errors) == (failures > 0), f'{status} {failures} {errors}')


def a_page_has_every_study_and_needs_no_network():
    report = quick_report()
    page = Page(quick['page'])
    expect(not page.open and not page.faults, f'{page.open} {page.faults}')
    expect(all(link.startswith('#') and link[1:] in page.ids for link in page.links), f'{page.links}')
    for word in ('http', '<script', '<link', '<img', '<iframe', 'url(', '@import'):
        expect(word not in quick['page'], f'{word} in the page')
    expect(list(dict.fromkeys(figure['study'] for figure in report['figures'])) == STUDIES, 'studies in order')
    drawn = [figure for figure in report['figures'] if figure['curves']]
    expect(page.count['svg'] == len(drawn) and page.count['figure'] == len(report['figures']), f'{page.count}')
    expect(len(drawn) >= 24, f'{len(drawn)} figures')
    for figure in report['figures']:
        expect(figure['id'] in page.ids, f'{figure["id"]} is not in the page')
        expect(figure['sentence'] if figure['curves'] else 'This build has no mx schemes' in figure['missing'], f'{figure["id"]} says nothing')
    for study in STUDIES:
        expect(study in page.ids and f'ulpfft accuracy --study {study}<' in quick['page'], f'{study}: heading and command')
    expect(report['failures'] == 0 and page.count['details'] == len([f for f in drawn if f['study'] != 'golden']), 'a table under every figure')


def every_figure_is_a_table_with_the_same_numbers():
    report = quick_report()
    names = {figure['id'] for figure in report['figures'] if figure['study'] != 'golden'} | {'golden'}
    expect({name for name in os.listdir('quick')} == {name + '.csv' for name in names}, f'{os.listdir("quick")}')
    for figure in report['figures']:
        if figure['study'] == 'golden':
            continue
        with open(f'quick/{figure["id"]}.csv', encoding='utf-8', newline='') as file:
            rows = list(csv.reader(file))
        expected = [(c['name'], float(p['x']), math.inf if p['y'] == 'overflow' else p['y']) for c in figure['curves'] for p in c['points']]
        expect(rows[0] == ['curve', figure['x'], figure['y'], 'note'], f'{rows[0]}')
        expect([(row[0], float(row[1]), float(row[2])) for row in rows[1:]] == expected, figure['id'])
    with open('quick/golden.csv', encoding='utf-8', newline='') as file:
        rows = list(csv.DictReader(file))
    cells = report['golden']['cells']
    expect([(row['row'], int(row['n']), row['measured'] and float(row['measured'])) for row in rows] == [(c['row'], c['n'], c.get('error', '')) for c in cells], 'golden.csv')


def reproduces_the_golden_table_within_its_margins():
    status, output, errors = run('accuracy', '--study', 'golden', '--longest', str(longest), '--json')
    expect(status == 0, f'{status} {errors}')
    report = json.loads(output)['golden']
    found = {(cell['row'], cell['n']): cell for cell in report['cells']}
    lengths = [n for n in golden['n'] if n <= longest]
    rows = list(golden['relative_l2'])
    expect(set(found) == {(row, n) for row in rows for n in lengths} and len(rows) == 59, f'{len(found)} cells of {len(rows)} rows')
    splits = {split['name']: (split['vectors'], split['values'], split['differ']) for split in report['splits']}
    expect(splits == {'fp16x2': (8, 8 * (2 * 24 + 2), 0), 'bf16': (8, 8 * 3 * 24, 0)}, f'parts of splits.json: {splits}')
    for (row, n), cell in found.items():
        expected = golden['relative_l2'][row][golden['n'].index(n)]
        margin = 0.5 if expected < 1e-6 else 0.15 if n >= 1024 else 0.3  # golden README, section 9
        expect(cell['expected'] == expected and cell['margin'] == margin, f'{cell}')
        if 'reason' in cell:
            expect('butterfly' in row and 'mx:' in cell['reason'], f'{cell}')
        else:
            expect(abs(cell['error'] / expected - 1) <= margin and cell['passes'], f'{cell}')
    missing = sum('reason' in cell for cell in found.values())
    expect(missing in (0, 18 * len(lengths)), f'{missing} cells not measured')


def changed_golden(name, change):
    table = json.loads(json.dumps(golden))
    change(table)
    with open(name, 'w', encoding='utf-8') as file:
        json.dump(table, file)
    return name


def the_gate_fails_when_a_row_is_off():
    expect(run('accuracy', '--study', 'golden', '--longest', '256', '--golden', golden_file)[0] == 0, 'the table itself')
    for row, factor in (('bfloat16 all-16bit dual fma', 1.6), ('ozaki gemm256', 0.6)):
        def change(table):
            table['relative_l2'][row][1] *= factor
        name = changed_golden('off.json', change)
        status, output, errors = run('accuracy', '--study', 'golden', '--longest', '256', '--golden', name, '--html', 'off.html', '--json')
        report = json.loads(output)
        bad = [(cell['row'], cell['n']) for cell in report['golden']['cells'] if not cell.get('passes', True)]
        expect(status == 1 and bad == [(row, 256)] and report['failures'] == 1, f'{status} {bad}')
        expect(f"'{row}', n = 256" in errors and 'off.json' in errors, errors)
        with open('off.html', encoding='utf-8') as file:
            expect('verdict bad' in file.read(), 'the page does not say so')
    # Beyond what is measured.
    def far(table):
        table['relative_l2']['fp32'][2] = 1.0
    expect(run('accuracy', '--study', 'golden', '--longest', '256', '--golden', changed_golden('far.json', far))[0] == 0, 'a value at a length not asked for')


def figures_show_what_their_sentences_say():
    forms = figure_of('forms-f16')
    at_1024 = {form: curve(forms, form + ', radix 2')[1024] for form in ('standard', 'Linzer-Feig', 'cosine', 'dual-select')}
    expect(at_1024['dual-select'] == min(at_1024.values()) and 1.01 < at_1024['Linzer-Feig'] / at_1024['dual-select'] < 1.2, f'{at_1024}')
    overflow = figure_of('overflow-f16')
    for radix in (2, 4, 8):
        expect(all(y == 0 for x, y in curve(overflow, f'dual-select, radix {radix}').items() if x <= 256), f'dual-select, radix {radix} overflows')
    expect(not any(curve(overflow, 'dual-select, radix 2, prescale=amax').values()), 'a prescaled transform overflows')
    for form in ('Linzer-Feig', 'cosine'):
        counts = curve(overflow, form + ', radix 2')
        expect(list(counts) == [2 ** i for i in range(10)] and counts[1] == 0 and counts[64] > 0 and counts[512] > counts[64], f'{form}: {counts}')
    for form in ('standard', 'Linzer-Feig', 'cosine', 'dual-select'):
        expect(not any(curve(figure_of('overflow-bf16'), form + ', radix 2').values()), f'{form} overflows in bf16')
    bounds = figure_of('bounds-f16-radix2')
    far, near = curve(bounds, 'bound, Linzer-Feig and cosine')[1024], curve(bounds, 'bound, dual-select, radix 2')[1024]
    t, u = 1 / math.tan(2 * math.pi / 1024), 2 ** -11
    expect(math.isclose(far, (1 + t * u) ** 10 - 1, rel_tol=1e-9) and math.isclose(near, (1 + u) ** 10 - 1, rel_tol=1e-9), f'{far} {near}')
    expect(round(t) == 163 and round(far / near) == 235 and '235 times apart' in bounds['sentence'], f'{far / near} {bounds["sentence"]}')
    for name in ('bounds-f16-radix2', 'bounds-bf16-radix2', 'bounds-f16-radix4-8', 'bounds-bf16-radix4-8'):
        figure = figure_of(name)
        for c in figure['curves']:
            if c['name'].startswith('dual-select'):
                above = [x for x, y in curve(figure, c['name']).items() if y > curve(figure, 'bound, ' + c['name'])[x]]
                expect(not above, f'{name}, {c["name"]}: errors above their bound at {above}')
    sine = figure_of('sine-path')
    for c in sine['curves']:
        right = c['name'] == 's2 = b_r + t b_i'
        expect(all((y < 1e-15) == right for x, y in curve(sine, c['name']).items() if x != 16), c['name'])
    for name in ('blocks-storage-mxfp8_e4m3', 'blocks-stages-mxfp8_e4m3'):
        floor, rceil = curve(figure_of(name), 'floor'), curve(figure_of(name), 'rceil')
        expect(list(floor) == [2, 4, 8, 16, 32, 64] and floor[2] > 1.3 * floor[64] and abs(rceil[64] / rceil[2] - 1) < 0.03, f'{name} {floor} {rceil}')
    for storage in ('f16', 'bf16', 'e4m3', 'mxfp8_e4m3', 'mxint8'):
        chain, plans = (curve(figure_of('chain'), f'{storage}, {way}') for way in ('one chain', 'two plans'))
        expect(chain and all(1.3 < plans[n] / chain[n] < 2.2 for n in chain), f'{storage} there and back: {chain} {plans}')


def predictions_hold_where_nothing_leaves_its_range():
    for name in ('predictions-storage', 'predictions-storage-blocks'):
        for c in figure_of(name)['curves']:
            ratios = curve(figure_of(name), c['name'])
            expect(all(0.5 < y < 1.5 for y in ratios.values()), f'{c["name"]}: {ratios}')
    for name, sums in (('predictions-rounded', ''), ('predictions-rounded-sums', '/f32')):
        for element in ('f16', 'bf16', 'e5m2'):
            ratios = curve(figure_of(name), f'rounded:{element}{sums}')
            expect(all(0.5 < y < 1.5 for y in ratios.values()), f'{element}{sums}: {ratios}')


def formats_and_schemes_come_from_the_library():
    formats = [f for f in json.loads(run('formats', '--json')[1]) if f['kind'] != 'wide']
    shown = {c['name'] for name in ('formats-storage', 'formats-storage-blocks') for c in figure_of(name)['curves']} - {'golden'}
    expect(shown == {f['name'] for f in formats} - {'e8m0'}, f'{shown}')
    rounded = {c['name'] for c in figure_of('formats-rounded')['curves']} - {'golden'}
    expect({'rounded:f16', 'rounded:bf16', 'rounded:e4m3', 'rounded:e2m1'} <= rounded and 'rounded:u8' not in rounded, f'{rounded}')


def refuses_with_a_reason():
    for arguments in (['12 f31'], ['--level', 'some'], ['--longest', '1'], ['64 f32', '--target', 'none'], ['0 f32'], ['--study', 'form'], ['--longest', '20'],
                      ['8 f32', '--golden', golden_file], ['--study', 'forms', '--golden', golden_file]):
        status, output, errors = run('accuracy', *arguments)
        expect(status == 2 and not output and errors, f'{arguments}: status {status}\n{errors}')
    expect('64' in run('accuracy', '--longest', '20')[2] and '--study golden' in run('accuracy', '8 f32', '--golden', 'x')[2], 'what is possible')
    expect(run('accuracy', '8 f32', '--html', 'nowhere/a.html')[0] == 1, 'a folder that is not there')
    with open('taken', 'w', encoding='utf-8') as file:
        file.write('')
    status, output, errors = run('accuracy', '8 f32', '--csv', 'taken')
    expect(status == 1 and "'taken'" in errors and not output, errors)

    def row(values, name='fp32'):
        return {'n': [64], 'relative_l2': {name: values}}
    tables = [('{', 'JSON'), ('[]', 'relative_l2'), ('{"n": [64]}', 'relative_l2'), (json.dumps({**row([1e-7]), 'n': [96]}), 'n[0]'), (json.dumps(row([1e-7, 2e-7])), '"fp32"'),
              (json.dumps(row([-1])), '-1'), (json.dumps(row(['x'])), '"x"'), (json.dumps(row([1e-7], 'binary17 store-io')), 'binary17'),
              (json.dumps(row([1e-7], 'mx-e4m3 store-io')), 'mx-e4m3'), (json.dumps(row([1e-7], 'mx-e9m9 store-io fit')), 'mx-e9m9')]
    for text, word in tables:
        with open('bad.json', 'w', encoding='utf-8') as file:
            file.write(text)
        status, output, errors = run('accuracy', '--study', 'golden', '--golden', 'bad.json')
        expect(status == 1 and errors.startswith('error: bad.json: ') and word in errors and not output, f'{text}: {status} {errors}')
    expect(run('accuracy', '--study', 'golden', '--golden', 'none.json')[0] == 1, 'a file that is not there')


def leaves_no_half_page():
    for delay in (0.05, 0.3):
        started = subprocess.Popen([tool, 'accuracy', '--html', 'half.html', '--csv', 'half'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(delay)
        started.send_signal(signal.SIGTERM)
        started.wait()
        if os.path.exists('half.html'):
            with open('half.html', encoding='utf-8') as file:
                expect(file.read().endswith('</html>\n'), 'half a page')
        else:
            expect(started.returncode == -signal.SIGTERM, f'no page, but status {started.returncode}')


run_cases('accuracy', [
    measures_lengths_beside_gates_and_fftw, measures_reals_beside_gates_and_fftw, scales_and_chains_stay_within_their_gates, holds_schemes_to_the_error_they_predict, a_page_has_every_study_and_needs_no_network,
    every_figure_is_a_table_with_the_same_numbers, reproduces_the_golden_table_within_its_margins, the_gate_fails_when_a_row_is_off,
    figures_show_what_their_sentences_say, predictions_hold_where_nothing_leaves_its_range, formats_and_schemes_come_from_the_library, refuses_with_a_reason, leaves_no_half_page,
])
