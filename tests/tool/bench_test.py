#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""`ulpfft bench` as a user types it: bench_test.py ULPFFT PEER GOALS. PEER is a library with the FFTW3 interface, single precision alone.

Nothing here asserts on time: budgets are tiny, goals are far below or far above what can be.
"""
import csv
import html.parser
import json
import math
import os
import sys

sys.dont_write_bytecode = True
from harness import command, expect, run_cases  # noqa: E402

tool, peer_file, shipped_goals = (os.path.abspath(path) for path in sys.argv[1:4])
peer = 'naive=' + peer_file
quick = ['--seconds', '0.001', '--effort', 'estimate']  # of planning and timing
run = command(tool, 'bench')


def measured(*arguments, **environment):
    status, output, errors = run(*arguments, *quick, '--json', 'out.json', **environment)
    expect(status == 0, f'{arguments}: status {status}, {errors}')
    with open('out.json', encoding='utf-8') as file:
        return json.load(file), output


class Page(html.parser.HTMLParser):
    """Collects tags, and faults: a tag that is closed wrongly, a reference to anything outside the page."""
    VOID = {'meta', 'br', 'hr', 'img', 'input', 'link'}

    def __init__(self):
        super().__init__()
        self.open, self.faults, self.tags, self.texts = [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)
        self.faults += [f'{tag} {name}={value}' for name, value in attrs if name in ('src', 'href', 'xlink:href')]

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f'</{tag}> closes something else')

    def handle_data(self, data):
        self.texts.append(data)


def goal(peer_name, band='problems', storage='f32', **quantity):
    return {'band': band, 'storage': storage, 'peer': peer_name, **quantity}


def gate(list_of_goals, *named):
    with open('goals.json', 'w', encoding='utf-8') as file:
        json.dump({'goals': list_of_goals}, file)
    status, output, errors = run(*named, *quick, '--vs', peer, '--gate', 'goals.json', '--json', 'out.json')
    with open('out.json', encoding='utf-8') as file:
        return status, json.load(file)['gate'], output, errors


# ---- Cases -------------------------------------------------------------------------------------------------------------------


def writes_json_csv_and_a_page_that_agree():
    named = ['64 f32', '60 f64 inverse', '16x12*3 f32', '100*7 f32 inplace', '64 f32 split', 'r2c 64 f32']
    status, output, errors = run(*named, *quick, '--vs', peer, '--json', 'a.json', '--csv', 'a.csv', '--html', 'a.html')
    expect(status == 0, f'status {status}, {errors}')
    with open('a.json', encoding='utf-8') as file:
        report = json.load(file, parse_constant=lambda text: expect(False, f'{text} in the JSON'))
    with open('a.csv', encoding='utf-8', newline='') as file:
        lines = list(csv.DictReader(file))
    expect([row['problem'] for row in report['rows']] == named, f'{report["rows"]}')
    expect([line['problem'] for line in lines] == named, f'{lines}')
    expect(all(None not in line and None not in line.values() for line in lines), 'a line of the CSV has too many or too few cells')
    for row, line in zip(report['rows'], lines):
        expect(row['problem'] in output, f'{row["problem"]} is not printed')
        if row['problem'].startswith('r2c'):
            expect(row['reason'] and row['seconds'] is None and not line['seconds'], f'a row that cannot be planned: {row}')
            continue
        flops = 5 * row['points'] * math.log2(row['size'])
        expect(row['seconds'] > 0 and math.isclose(row['gflops'], 1e-9 * flops / row['seconds'], rel_tol=1e-9), f'{row}')
        expect(float(line['seconds']) == row['seconds'] and line['recipe'] == row['recipe'], f'{line}')
        expect(row['rounds'] >= 9 and row['fraction_of_peak'] > 0 and row['fraction_of_copy'] > 0, f'{row}')
        limit = {'f32': 1e-6, 'f64': 1e-15}[row['storage']]
        expect(row['error'] and 0 < row['error'] < limit, f'error {row["error"]} of {row["problem"]}')
    machine = report['machine']
    expect(machine['gflops_f32'] > 0 and machine['gflops_f64'] > 0 and machine['copies'][0]['gb_per_s'] > 0, f'{machine}')
    page = Page()
    with open('a.html', encoding='utf-8') as file:
        text = file.read()
    page.feed(text)
    expect(not page.faults and not page.open, f'{page.faults} {page.open}')
    shown = ' '.join(page.texts)
    for word in (*named[:5], 'GFLOP/s', 'ulpfft', 'naive', report['date'], report['machine_name'], machine['processor']):
        expect(word in shown, f'the page does not say {word}')
    # f32 and f64, speed and ratio; the peer does no f64.
    expect(page.tags.count('svg') == 3, f'{page.tags.count("svg")} plots')


def compares_only_equal_work():
    named = {'64 f32': '', '64 f32 inverse': '', '60*5 f32': '', '12*4 f32 in_strides=3 batch_strides=40,12': '',
             '64 f64': 'f64', '64 f32 centered': 'centered', '64 f32 scale=ortho': 'scale', '64 f32 split': 'split',
             '8x8 f32': 'no plan'}
    report, output = measured(*named, '--vs', peer)
    for row in report['rows']:
        result = row['peers'][0]
        reason = named[row['problem']]
        expect(result['peer'] == 'naive' and reason in result['reason'] and bool(reason) == bool(result['reason']),
               f'{row["problem"]}: "{result["reason"]}"')
        expect((result['ratio'] is None) == bool(reason), f'{row["problem"]}: ratio {result["ratio"]}')
        expect(result['reason'] in output, f'"{result["reason"]}" is not printed')
        if not reason:
            expect(0 < result['error'] < 1e-6, f'{row["problem"]}: error of the peer {result["error"]}')
    expect(report['peers'] == [{'name': 'naive', 'version': 'naive-1'}], f'{report["peers"]}')
    result = measured('64 f32', '--vs', peer, NAIVE_PEER_WRONG='1')[0]['rows'][0]['peers'][0]
    expect('differs' in result['reason'] and result['ratio'] is None, f'a peer that computes something else: {result}')
    result = measured('64 f32', '--vs', peer, NAIVE_PEER_REFUSES='1')[0]['rows'][0]['peers'][0]
    expect('no plan' in result['reason'] and result['ratio'] is None, f'a peer that makes no plan: {result}')


def means_are_those_of_the_rows():
    report, _ = measured('16 f32', '32 f32', '48 f32', '48 f64', '--vs', peer)
    ratios = [row['peers'][0]['ratio'] for row in report['rows'][:3]]
    means = {band['storage']: band for band in report['bands']}
    expect(set(means) == {'f32', 'f64', 'both'}, f'{means}')
    expect(math.isclose(means['f32']['ratio'], math.prod(ratios) ** (1 / 3), rel_tol=1e-9), f'{means["f32"]}, {ratios}')
    expect(means['f32']['slowest'] == min(ratios) and means['f32']['compared'] == 3, f'{means["f32"]}')
    expect(means['f64']['ratio'] is None and means['both']['compared'] == 3 and means['both']['problems'] == 4, f'{means}')


def gate_tells_pass_from_short():
    goals = [(goal('naive', ratio=1e-6), 'pass', ''), (goal('naive', ratio=1e9), 'short', 'mean'),
             (goal('naive', storage='both', ratio=1e-6), 'not run', 'f64'), (goal('other', ratio=1e-6), 'not run', 'other'),
             (goal('naive', band='c2c 2..16', ratio=1e-6), 'not run', 'not measured'),
             (goal('naive', at_most=1e9), 'pass', ''), (goal('naive', at_most=1e-6), 'short', 'mean'),
             (goal('naive', error=1e3), 'pass', ''), (goal('naive', error=1e-3, each=1e3), 'short', 'mean'),
             (goal('naive', band='every', at_most=1e9), 'pass', ''), (goal('other', band='every', at_most=1e9), 'not run', 'other'),
             (goal('naive', band='every', storage='both', error=1e3), 'not run', 'no band was measured in f32 and f64')]
    status, verdicts, output, errors = gate([one[0] for one in goals], '64 f32')
    expect(status == 1 and '3 short' in output and 'short: 3' in errors, f'status {status}: {output}\n{errors}')
    expect(len(verdicts) == len(goals), f'{verdicts}')
    for (wanted, outcome, word), verdict in zip(goals, verdicts):
        expect(verdict['verdict'] == outcome and word in verdict['reason'], f'{wanted}: {verdict}')
    expect(verdicts[9]['band'] == 'problems', f'a goal for every band stands for those that were measured: {verdicts[9]}')
    easy, absent = goals[0][0], [one[0] for one in goals[2:5]]
    status, verdicts, output, errors = gate([easy], '64 f32')
    expect(status == 0 and '1 pass, 0 short' in output and not errors, f'status {status}: {output}\n{errors}')
    status, verdicts, output, _ = gate([easy], '64 f32', 'r2c 64 f32')
    expect(status == 1 and '1 of 2' in verdicts[0]['reason'], f'a problem that was not compared: {verdicts}')
    status, verdicts, _, errors = gate(absent, '64 f32')
    expect(status == 1 and 'None of the goals' in errors, f'nothing to compare: status {status}, {errors}')
    # A mean that is reached by one problem alone: the others lie below the floor.
    # At 2048 points the naive peer is hundreds of times further behind than at 8, so a goal half-way between is far from both.
    report, _ = measured('8 f32', '2048 f32', '--vs', peer)
    half_way = math.sqrt(report['rows'][0]['peers'][0]['ratio'] * report['bands'][0]['ratio'])
    status, verdicts, _, _ = gate([goal('naive', ratio=half_way, floor=1.0)], '8 f32', '2048 f32')
    expect(status == 1 and 'floor' in verdicts[0]['reason'], f'{verdicts}')


def gate_judges_errors_of_single_problems():
    report, _ = measured('8 f32', '30 f32', '--vs', peer)
    ratios = sorted(row['error'] / row['peers'][0]['error'] for row in report['rows'])
    band = report['bands'][0]
    expect(math.isclose(band['error'], math.sqrt(ratios[0] * ratios[1]), rel_tol=1e-9), f'{band} {ratios}')
    expect(band['largest_error'] == ratios[1], f'{band} {ratios}')
    status, verdicts, _, _ = gate([goal('naive', error=ratios[1] * 0.999)], '8 f32', '30 f32')
    expect(status == 1 and verdicts[0]['worst_problem'] in verdicts[0]['reason'] and 'mean' not in verdicts[0]['reason'], f'{verdicts}')
    status, verdicts, _, _ = gate([goal('naive', error=ratios[1] * 0.999, each=ratios[1] * 1.001)], '8 f32', '30 f32')
    expect(status == 0 and verdicts[0]['verdict'] == 'pass', f'{verdicts}')


def compares_with_itself_on_another_instruction_set():
    named = ['64 f32', '60*3 f64 inverse', '16 f32 centered', '16x12 f32 split inplace', '512 f32 threads=2']
    report, output = measured(*named, '--vs', 'target:ref', '--vs', peer)
    expect([peer['name'] for peer in report['peers']] == ['target:ref', 'naive'] and report['peers'][0]['version'].startswith('ulpfft'),
           f'{report["peers"]}')
    for row in report['rows']:
        result = [one for one in row['peers'] if one['peer'] == 'target:ref'][0]
        expect(result['ratio'] and result['recipe'] and not result['reason'] and result['error'], f'{row["problem"]}: {result}')
        gain = row['copy_gain']
        expect((gain is not None and gain > 0) == ('threads=2' in row['problem']), f'{row["problem"]}: a copy gains {gain}')
    expect('target: is ulpfft' in report['conditions'], report['conditions'])
    status, _, errors = run('8 f32', '--vs', 'target:ref', '--gate', 'every.json', *quick)
    expect(status == 1 and 'every.json' in errors, f'{status} {errors}')  # not there yet
    with open('every.json', 'w', encoding='utf-8') as file:
        json.dump({'goals': [goal('target:ref', band='every', at_most=1e9)]}, file)
    status, output, errors = run('8 f32', '--vs', 'target:ref', '--gate', 'every.json', *quick)
    expect(status == 0 and '1 pass, 0 short' in output, f'{status} {output} {errors}')


def knows_errors_of_all_that_fits():
    named = ['2 f32', '1009 f32', '65537 f32', '1048576 f32', '10007 f64', '65537 f64', '262144 f64', '256x256 f64', '1024*64 f64',
             '15x14 f64', '16*5x3 f64 inverse scale=ortho', '30x7 f32 centered inverse']
    report, _ = measured(*named)
    for row in report['rows']:
        limit = {'f32': 6e-7, 'f64': 1.2e-15}[row['storage']]
        expect(row['error'] and 0 < row['error'] < limit, f'{row["problem"]}: error {row["error"]}')


def says_what_is_wrong_with_a_goal():
    good = '{"band": "c2c 2..16", "storage": "f32", "peer": "fftw", "ratio": 1}'
    bad = {
        'line 2': '{"goals": [\n' + good.replace('1}', '}') + ']}',
        "line 3: band is 'c3c'": '{"goals": [\n' + good + ',\n' + good.replace('c2c 2..16', 'c3c') + ']}',
        "line 4: storage is 'f17'": '{"about": "{[\\"",\n"goals": [\n' + good + ',\n' + good.replace('f32', 'f17') + ']}',
        'line 2: ratio is not above 0': '{"goals": [\n' + good.replace('1}', '-1}') + ']}',
        'line 2: ratio is not a number': '{"goals": [\n' + good.replace('1}', '"1"}') + ']}',
        'line 2: peer is missing': '{"goals": [\n' + good.replace('"peer": "fftw", ', '') + ']}',
        'line 2: ratio is missing': '{"goals": [\n' + good.replace(', "ratio": 1', '') + ']}',
        'line 2: error stands beside at_most': '{"goals": [\n' + good.replace('"ratio": 1', '"at_most": 1, "error": 1') + ']}',
        'line 2: floor belongs to ratio': '{"goals": [\n' + good.replace('"ratio": 1', '"at_most": 1, "floor": 0.5') + ']}',
        'line 2: each belongs to error': '{"goals": [\n' + good.replace('"ratio": 1', '"ratio": 1, "each": 1') + ']}',
        'line 2: each is below error': '{"goals": [\n' + good.replace('"ratio": 1', '"error": 1, "each": 0.5') + ']}',
        "line 2: 'rate' is unknown": '{"goals": [\n' + good.replace('ratio', 'rate') + ']}',
        'line 1: goals is missing': '{}',
    }
    for sentence, text in bad.items():
        with open('bad.json', 'w', encoding='utf-8') as file:
            file.write(text)
        status, output, errors = run('8 f32', '--gate', 'bad.json')
        expect(status == 1 and not output and errors.startswith('error: bad.json: ' + sentence), f'{sentence}: status {status}, {errors}')
    expect(run('8 f32', '--gate', 'nowhere.json')[0] == 1, 'no such file')
    # The goals that are shipped name bands that are there.
    status, output, errors = run('8 f32', *quick, '--gate', shipped_goals)
    expect(status == 1 and 'None of the goals' in errors and 'c2c 2^21..2^24' in output, f'{shipped_goals}: {errors}')


def says_what_is_wrong_with_the_command():
    cases = [
        ([], 2, 'bench'), (['--suite', 'c3c'], 2, 'c2c, batch, rank2, sizes, threads, storage, mx, all'), (['8 f32 invrse'], 2, 'invrse'),
        (['8 f32', '64 f3'], 2, 'f3'), (['8 f32', '--vs', './none.so'], 2, 'cannot open'), (['8 f32', '--vs', 'libm.so.6'], 2, 'FFTW3 interface'),
        (['8 f32', '--effort', 'hard'], 2, 'hard'), (['8 f32', '--seconds', '-1'], 2, '-1'), (['8 f32', '--storage', 'f16'], 2, 'f16'), (['8 f32', '64 f16->mxint8:b8'], 2, 'f16'),
        (['64 f32->mxint8:b8'], 2, 'mxint8:b8'),
        (['--suite', 'mx', '--format', 'f16'], 2, 'it has mxfp8_e4m3, mxint8, mxfp4_e2m1'), (['8 f32', '--format', 'f16'], 2, '--suite convert'),
        (['8 f32', '--target', 'avx9'], 2, 'avx9'), (['8 f32', '--json', 'nowhere/a.json'], 1, 'nowhere/a.json'),
        (['8 f32', '--vs', '=x'], 2, '='), (['8 f32', '--vs', 'target:avx9'], 2, 'avx9'),
        (['8 f32', '--vs', 'target:'], 2, 'target:'), (['--suite', 'convert', '--format', 'f16', '--csv', 'a.csv'], 2, '--csv has a line for each transform'),
        (['--suite', 'convert', '--format', 'f16', '--vs', peer], 2, '--vs compares transforms'),
    ]
    for arguments, wanted, word in cases:
        status, output, errors = run(*arguments)
        expect(status == wanted and word in errors and not output, f'{arguments}: status {status}, {output}{errors}')
    status, output, errors = run('--help')
    expect(status == 0 and 'Example' in output and not errors, f'{errors}')


def remembers_plans():
    rows = []
    for name in ('first.json', 'second.json'):
        status, _, errors = run('1000 f32', '--seconds', '0.001', '--wisdom', 'w.json', '--json', name)
        expect(status == 0, errors)
        with open(name, encoding='utf-8') as file:
            rows += json.load(file)['rows']
    expect([row['from_wisdom'] for row in rows] == [False, True] and rows[0]['recipe'] == rows[1]['recipe'], f'{rows}')


def suites_hold_what_they_say():
    report, output = measured('--suite', 'sizes', '--storage', 'f64')
    bands = {row['band'] for row in report['rows']}
    expect(bands == {'smooth', 'odd', 'primes'} and len(report['rows']) == 25, f'{bands}, {len(report["rows"])} rows')
    expect({row['storage'] for row in report['rows']} == {'f64'}, 'f64 alone was asked for')
    for row in report['rows']:
        expect(bool(row['reason']) != bool(row['seconds']), f'neither measured nor a reason: {row}')
    report, output = measured('--suite', 'mx', '--format', 'mxint8')
    named = [f'{n} f32 scheme=mx:mxint8{block}' for block in (':b8', '') for n in (256, 4096, 65536)]
    expect([row['problem'] for row in report['rows']] == named, f'{report["rows"]}')
    for row in report['rows']:
        expect(row['recipe'].startswith('mx:mxint8') and row['peers'][0]['recipe'].startswith('f32:') and row['peers'][0]['ratio'] > 0, f'{row}')
    status, output, errors = run('--machine')
    expect(status == 0 and 'GFLOP/s' in output and 'DRAM' in output, f'{output}{errors}')


def agrees_with_fftw():
    status, _, errors = run('8 f32', '--vs', 'fftw', *quick)
    if status == 2:
        return 'FFTW is not installed' if 'cannot be loaded' in errors else expect(False, errors)
    shapes = ['64', '60 inverse', '16x12*3', '100*7 inplace', '64 split', '64 split inverse', '9*4 split inplace inverse',
              '12*4 in_strides=3 out_strides=5 batch_strides=40,61', '6x10*2x3 inverse']
    named = [' '.join([shape.split()[0], storage, *shape.split()[1:]]) for shape in shapes for storage in ('f32', 'f64')]
    report, _ = measured(*named, '--vs', 'fftw', '--peer-effort', 'estimate')
    present = {peer['peer'] for row in report['rows'] for peer in row['peers']}
    expect(present == {'fftw'}, f'{present}')
    for row in report['rows']:
        result = row['peers'][0]
        if 'functions' in result['reason']:
            continue  # the library of this storage is not installed
        expect(not result['reason'] and result['ratio'] > 0, f'{row["problem"]}: {result["reason"]}')
        expect(0 < result['error'] < {'f32': 1e-6, 'f64': 1e-15}[row['storage']], f'{row["problem"]}: {result}')
    return ''


run_cases('bench', [
    writes_json_csv_and_a_page_that_agree, compares_only_equal_work, means_are_those_of_the_rows, gate_tells_pass_from_short,
    gate_judges_errors_of_single_problems, compares_with_itself_on_another_instruction_set, knows_errors_of_all_that_fits,
    says_what_is_wrong_with_a_goal, says_what_is_wrong_with_the_command, remembers_plans, suites_hold_what_they_say,
    agrees_with_fftw,
])
