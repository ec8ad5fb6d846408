#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""`ulpfft bench` as a user types it: bench_test.py ULPFFT PEER SLOW_PEER DOUBLE_PEER LIBRARY OTHER_BUILD GOALS. The peers are libraries with
the FFTW3 interface, single precision alone, the third double; SLOW_PEER takes eight times as long. LIBRARY is that of the tool. OTHER_BUILD
has ulpfft's interface.

Nothing here asserts on time: budgets are tiny, goals are far below or far above what can be.
"""
import csv
import html.parser
import json
import math
import os
import re
import shutil
import sys

sys.dont_write_bytecode = True
from harness import command, expect, run_cases  # noqa: E402

tool, peer_file, slow_file, double_file, library, build_file, shipped_goals = (os.path.abspath(path) for path in sys.argv[1:8])
peer, slow, build = 'naive=' + peer_file, 'slow=' + slow_file, 'other=' + build_file
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


def gate(list_of_goals, *named, peers=peer):
    with open('goals.json', 'w', encoding='utf-8') as file:
        json.dump({'goals': list_of_goals}, file)
    status, output, errors = run(*named, *quick, '--vs', peers, '--gate', 'goals.json', '--json', 'out.json')
    with open('out.json', encoding='utf-8') as file:
        return status, json.load(file)['gate'], output, errors


# ---- Cases -------------------------------------------------------------------------------------------------------------------


def writes_json_csv_and_a_page_that_agree():
    named = ['64 f32', '60 f64 inverse', '16x12*3 f32', '100*7 f32 inplace', '64 f32 split', 'r2r 64 f32 kinds=dct2 intermediate=f16']
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
        if row['problem'].startswith('r2r'):
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
             '8x8 f32': 'no plan', 'r2c 64 f32': '', 'c2r 60*5 f32': '', 'r2c 15*4 f32 in_strides=3 batch_strides=50,12': '', 'c2r 9*2 f32': '',
             'r2c 64 f32 inverse': 'one sign', 'c2r 64 f32 split': 'interleaved', 'r2c 8x8 f32': 'no plan'}
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
    expect(report['peers'] == [{'name': 'naive', 'version': 'naive-1', 'is_ulpfft': False}], f'{report["peers"]}')
    result = measured('64 f32', '--vs', peer, NAIVE_PEER_WRONG='naive-1')[0]['rows'][0]['peers'][0]
    expect('differs' in result['reason'] and result['ratio'] is None, f'a peer that computes something else: {result}')
    result = measured('64 f32', '--vs', peer, NAIVE_PEER_REFUSES='naive-1')[0]['rows'][0]['peers'][0]
    expect('no plan' in result['reason'] and result['ratio'] is None, f'a peer that makes no plan: {result}')
    for kind in ('r2c', 'c2r'):
        result = measured(f'{kind} 64 f64', '--vs', 'double=' + double_file)[0]['rows'][0]['peers'][0]
        expect(result['reason'] == f'it has no guru64_dft_{kind}', f'a peer without transforms of real numbers: {result}')


def tells_the_best_of_several_peers():
    # The slow peer sums eight times as often: no load makes it the faster one of medians by turns.
    named = ['64 f32', '96 f32', '64 f64']
    for order in ([peer, slow], [slow, peer]):
        report, output = measured(*named, '--vs', ','.join(order), '--csv', 'out.csv', '--html', 'out.html')
        expect([one['name'] for one in report['peers']] == [word.split('=')[0] for word in order], f'{report["peers"]}')
        for row in report['rows'][:2]:
            ratios = {one['peer']: one['ratio'] for one in row['peers']}
            expect(row['best'] and row['best']['peer'] == 'naive' and row['best']['ratio'] == ratios['naive'] < ratios['slow'], f'{row}')
        expect(report['rows'][2]['best'] is None, f'nobody does f64: {report["rows"][2]}')
        means = {(band['peer'], band['storage']): band for band in report['bands']}
        best = means['best', 'f32']
        expect(math.isclose(best['ratio'], math.prod(row['best']['ratio'] for row in report['rows'][:2]) ** 0.5, rel_tol=1e-9), f'{best}')
        expect(best['slowest_peer'] == 'naive' and best['compared'] == 2 and means['best', 'both']['problems'] == 3, f'{best}')
        lines = output.split('\n')
        expect(any(re.match(r'problems +time.* \| best +ratio +\+- \| ', line) for line in lines), output)
        expect(any(re.search(r'64 f32 .* \| naive +\d', line) for line in lines), output)
        expect(any(re.search(r'64 f64 .* \| - ', line) for line in lines), output)
        expect(any(line.startswith('problems  f32      best') and ', naive' in line for line in lines), output)
        expect('best: the fastest of the other libraries' in report['conditions'], report['conditions'])
        with open('out.csv', encoding='utf-8', newline='') as file:
            expect([line['best'] for line in csv.DictReader(file)] == ['naive'] * 4 + [''] * 2, 'the best in the CSV')
        with open('out.html', encoding='utf-8') as file:
            text = file.read()
        page = Page()
        page.feed(text)
        expect(not page.faults and not page.open, f'{page.faults} {page.open}')
        expect('<th class="text">best peer</th>' in text and '<th>best: f32</th>' in text, 'the page does not tell the best')
    # Where one does not do a problem, the best is of the others.
    report, output = measured('64 f32', '--vs', peer, '--vs', slow, '--vs', 'target:ref', NAIVE_PEER_REFUSES='naive-1')
    row = report['rows'][0]
    expect(row['best']['peer'] == 'slow' and 'no plan' in row['peers'][0]['reason'], f'{row}')
    # One other library is its own best and is not told twice; ulpfft itself is no opponent.
    report, output = measured('64 f32', '--vs', slow + ',target:ref')
    expect(report['rows'][0]['best']['peer'] == 'slow' and 'best' not in output.replace('best:', ''), f'{output}')
    report, output = measured('64 f32', '--vs', 'target:ref')
    expect(report['rows'][0]['best'] is None and {band['peer'] for band in report['bands']} == {'target:ref'}, f'{report["bands"]}')


def takes_both_precisions_from_one_folder():
    os.makedirs('two', exist_ok=True)
    shutil.copyfile(peer_file, 'two/libfftw3f.so.3')
    shutil.copyfile(double_file, 'two/libfftw3.so.3')
    for named in ('two/libfftw3f.so.3', 'two/libfftw3.so.3'):
        report, _ = measured('64 f32', '48 f64', '--vs', 'two=' + named)
        for row in report['rows']:
            expect(row['peers'][0]['ratio'] and row['best']['peer'] == 'two', f'{named}: {row}')
    report, _ = measured('64 f32', '48 f64', '--vs', 'one=' + double_file)
    expect('f32' in report['rows'][0]['peers'][0]['reason'] and report['rows'][1]['peers'][0]['ratio'], 'a library of another name stands alone')


def goals_may_name_the_best():
    both = peer + ',' + slow
    goals = [(goal('best', ratio=1e-6), 'pass', ''), (goal('best', ratio=1e9), 'short', 'mean'),
             (goal('best', band='every', at_most=1e9), 'pass', ''), (goal('best', error=1e3), 'pass', ''), (goal('slwo', ratio=1), 'not run', "Did you mean 'slow'?")]
    status, verdicts, output, errors = gate([one[0] for one in goals], '64 f32', peers=both)
    expect(status == 1 and '1 short' in output, f'{status} {output} {errors}')
    for (wanted, outcome, word), verdict in zip(goals, verdicts):
        expect(verdict['verdict'] == outcome and word in verdict['reason'], f'{wanted}: {verdict}')
    expect(verdicts[1]['worst_problem'] == '64 f32, naive', f'{verdicts[1]}')
    # Twice what the best reaches: the slow one, eight times behind it, would pass.
    report, _ = measured('64 f32', '--vs', both)
    status, verdicts, _, _ = gate([goal('best', ratio=2 * report['rows'][0]['best']['ratio'], floor=0)], '64 f32', peers=both)
    expect(status == 1 and verdicts[0]['verdict'] == 'short', f'{verdicts}')
    status, verdicts, _, _ = gate([goal('best', ratio=1e-6)], '64 f32', '64 f64', peers=both)
    expect(status == 0 and verdicts[0]['verdict'] == 'pass', f'{verdicts}')
    status, verdicts, _, _ = gate([goal('best', storage='both', ratio=1e-6)], '64 f32', '64 f64', peers=both)
    expect(status == 1 and '1 of 2 not compared, first 64 f64: it has no f64' in verdicts[0]['reason'], f'{verdicts}')


def compares_with_other_builds():
    copied = 'libulpfft_copy.so'
    shutil.copyfile(library, copied)
    named = ['64 f32', '60*3 f64 inverse', '16x12 f32 split inplace', '32 f32']
    report, output = measured(*named, '--vs', f'copy=./{copied},{build}', '--wisdom', 'builds.json')
    versions = {one['name']: one['version'] for one in report['peers']}
    major, minor = re.match(r'ulpfft (\d+)\.(\d+)\.', versions['copy']).groups()
    # The other build asks for its own version as everybody does: where names of two builds mix, the answer is that of the tool.
    expect(versions['other'] == f'ulpfft {major}.{minor}.99, machine other of {major}.{minor}.99' and versions['copy'].startswith(f'ulpfft {major}.{minor}.'), f'{versions}')
    for row in report['rows']:
        copy, other = row['peers']
        expect(copy['ratio'] and copy['recipe'] and copy['is_ulpfft'] and not copy['reason'] and copy['error'], f'{row["problem"]}: {copy}')
        refused = row['problem'] != '32 f32'
        expect(bool(other['ratio']) != refused and ('32 f32 alone' in other['reason']) == refused, f'{row["problem"]}: {other}')
    expect(report['rows'][3]['peers'][1]['recipe'] == 'f32:sum', f'{report["rows"][3]}')
    expect('copy, other: ulpfft, another build' in report['conditions'], report['conditions'])
    result = measured('32 f32', '--vs', build, OTHER_BUILD_WRONG='1')[0]['rows'][0]['peers'][0]
    expect('differs' in result['reason'] and result['ratio'] is None, f'a build that computes something else: {result}')
    for version, word in ((f'{major}.{int(minor) + 1}.0', f'ulpfft {major}.{int(minor) + 1}.0, whose interface may differ'), ('1.1.0', '1.1.0')):
        status, output, errors = run('32 f32', '--vs', build, OTHER_BUILD_VERSION=version)
        expect(status == 2 and word in errors and not output, f'{version}: {status} {errors}')
    status, output, errors = run('32 f32', '--vs', f'copy=./{copied}', '--target', 'ref', *quick)
    expect(status == 0 and 'machine' not in errors, errors)


def narrow_storage_is_compared_with_other_builds():
    shutil.copyfile(library, 'copy.so')
    report, output = measured('--suite', 'mx', '--format', 'mxint8', '--vs', 'copy=./copy.so,target:ref', '--vs', build, '--vs', peer)
    for row in report['rows']:
        results = {one['peer']: one for one in row['peers']}
        expect(list(results) == ['f32', 'copy', 'target:ref', 'other'], f'{list(results)}')
        for name in ('f32', 'copy', 'target:ref'):
            expect(results[name]['ratio'] > 0 and not results[name]['reason'], f'{row["problem"]}: {results[name]}')
        expect('32 f32 alone' in results['other']['reason'] and row['best'] is None, f'{row}')
    expect({band['peer'] for band in report['bands']} == {'f32', 'copy', 'target:ref', 'other'}, f'{report["bands"]}')


def says_what_is_wrong_with_a_peer():
    os.makedirs('folder', exist_ok=True)
    shutil.copyfile(peer_file, 'folder/naive.so')
    shutil.copyfile(peer_file, 'here.so')
    cases = [('fftww', "Did you mean 'fftw'?"), ('targt:ref', "Did you mean 'target:ref'?"), ('target:', 'target:avx2'), ('a,,b', 'missing'),
             (',', 'missing'), ('', 'missing'), ('folder/nave.so', "Did you mean 'folder/naive.so'?"),
             ('x=folder/nave.so', "Did you mean 'folder/naive.so'?"), ('here.so', "Did you mean './here.so'?"),
             (f'{peer},{peer}', "Two peers are named 'naive'"), (f'best={peer_file}', 'another name'), (f'ulpfft={build_file}', 'another name'), (f'f32={peer_file}', 'another name'), (f'1 thread={peer_file}', 'another name')]
    for word, sentence in cases:
        status, output, errors = run('8 f32', '--vs', word)
        expect(status == 2 and sentence in errors and not output, f'--vs {word}: {status} {errors}')
    status, _, errors = run('8 f32', '--vs', peer, '--vs', peer)
    expect(status == 2 and 'Two peers' in errors, errors)


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
    status, verdicts, output, _ = gate([easy], '64 f32', 'r2r 64 f32 kinds=dct2 intermediate=f16')
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
             '15x14 f64', '16*5x3 f64 inverse scale=ortho', '30x7 f32 centered inverse', 'r2c 1000*3 f64', 'r2c 65537 f32 inverse', 'r2c 9x8x6 f64',
             'c2r 15x14*2 f64 scale=1/n', 'c2r 1001 f32 inverse', 'r2c 12x9*2 f64 inplace', 'c2r 12x10*2 f32 inplace', 'c2r 7x8 f64 split']
    kinds = ['r2hc', 'hc2r', 'hartley', 'dct1', 'redft10', 'dct3', 'redft11', 'dst1', 'rodft10', 'dst3', 'dst4']
    named += [f'r2r 15*3 f64 kinds={kind} scale={scale}' for kind in kinds for scale in ('ortho', '1/n', 'none')]
    named.append('r2r 6x9 f32 kinds=dct1,dst2 scale=ortho')
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
        ([], 2, 'bench'), (['--suite', 'c3c'], 2, 'c2c, batch, rank2, sizes, r2c, r2r, threads, storage, mx, split, all'), (['8 f32 invrse'], 2, 'invrse'),
        (['8 f32', '64 f3'], 2, 'f3'), (['8 f32', '--vs', './none.so'], 2, 'cannot open'), (['8 f32', '--vs', 'libm.so.6'], 2, 'FFTW3 interface'),
        (['8 f32', '--effort', 'hard'], 2, 'hard'), (['8 f32', '--seconds', '-1'], 2, '-1'), (['8 f32', '--storage', 'f16'], 2, 'f16'), (['8 f32', '64 f16->mxint8:b8'], 2, 'f16'),
        (['64 f32->mxint8:b8'], 2, 'mxint8:b8'), (['16x16 f32 chain=mul'], 2, 'chain=mul'), (['r2c 16 f32 chain=user scale=1/n'], 2, 'not timed'),
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
    report, output = measured('--suite', 'r2c', '--storage', 'f32')
    problems = [row['problem'] for row in report['rows']]
    expect(len(problems) == 68 and all(problem.replace('r2c', 'c2r') in problems for problem in problems), f'{problems}')
    for row in report['rows']:
        flops = 2.5 * row['points'] * math.log2(row['size'])
        expect(not row['reason'] and math.isclose(row['gflops'], 1e-9 * flops / row['seconds'], rel_tol=1e-9), f'{row}')
    report, output = measured('--suite', 'mx', '--format', 'mxint8')
    named = [f'{n} f32 scheme=mx:mxint8{block}' for block in (':b8', '') for n in (256, 4096, 65536)]
    expect([row['problem'] for row in report['rows']] == named, f'{report["rows"]}')
    for row in report['rows']:
        expect(row['recipe'].startswith('mx:mxint8') and row['peers'][0]['recipe'].startswith('f32:') and row['peers'][0]['ratio'] > 0, f'{row}')
    for element, wide, bands in (('i8', 'f64', ['split:i8x4']), ('f16', 'f32', ['split:f16x2', 'split:f16x2:tile16'])):
        report, output = measured('--suite', 'split', '--format', element)
        expect(list(dict.fromkeys(row['band'] for row in report['rows'])) == bands, f'{report["rows"]}')
        for row in report['rows']:
            peer = row['peers'][0]
            expect(row['recipe'].startswith(row['band'] + ':') and peer['peer'] == wide and peer['recipe'].startswith(wide + ':'), f'{row}')
            expect(0 < peer['ratio'] < 1, f'{row}: an emulation is slower')
    status, output, errors = run('--machine')
    expect(status == 0 and 'GFLOP/s' in output and 'DRAM' in output, f'{output}{errors}')


def agrees_with_fftw():
    status, _, errors = run('8 f32', '--vs', 'fftw', *quick)
    if status == 2:
        return 'FFTW is not installed' if 'cannot be loaded' in errors else expect(False, errors)
    shapes = ['64', '60 inverse', '16x12*3', '100*7 inplace', '64 split', '64 split inverse', '9*4 split inplace inverse',
              '12*4 in_strides=3 out_strides=5 batch_strides=40,61', '6x10*2x3 inverse']
    real_shapes = ['64', '15*3', '12x10*2', '5x4x6 inplace', '9*4 inplace', '12*4 in_strides=3 out_strides=5 batch_strides=40,61']
    named = [' '.join([kind, shape.split()[0], storage, *shape.split()[1:]]).lstrip()
             for kind, of_kind in (('', shapes), ('r2c', real_shapes), ('c2r', real_shapes)) for shape in of_kind for storage in ('f32', 'f64')]
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
    writes_json_csv_and_a_page_that_agree, compares_only_equal_work, tells_the_best_of_several_peers, takes_both_precisions_from_one_folder,
    goals_may_name_the_best, compares_with_other_builds, narrow_storage_is_compared_with_other_builds, says_what_is_wrong_with_a_peer, means_are_those_of_the_rows, gate_tells_pass_from_short,
    gate_judges_errors_of_single_problems, compares_with_itself_on_another_instruction_set, knows_errors_of_all_that_fits,
    says_what_is_wrong_with_a_goal, says_what_is_wrong_with_the_command, remembers_plans, suites_hold_what_they_say,
    agrees_with_fftw,
])
