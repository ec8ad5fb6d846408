#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""`ulpfft run --what-if` and --compare-fftw: run_what_if_test.py ROOT BUILD CC

The program run_what_if computes by ulpfft's own narrow plans what it gets through FFTW's functions, and the errors."""
import json
import math
import os
import re
import shlex
import subprocess
import sys

root, build = (os.path.abspath(path) for path in sys.argv[1:3])
cc = shlex.split(sys.argv[3])
sys.path.insert(0, os.path.join(root, 'tests', 'tool'))
from harness import command, expect, marked_word, run_cases  # noqa: E402

here = os.path.join(root, 'tests', 'fftw3')
folder = os.path.join(build, 'bindings', 'fftw3')
planner = os.path.join(build, 'planner')
tool = os.path.join(build, 'tools', 'ulpfft', 'ulpfft')
run = command(tool, 'run')

# Names that run_what_if prints, and the words of the problem.
CASES = {'c2c': '600', 'c2c_single': '96 inverse', 'r2c': 'r2c 250', 'c2r': 'c2r 120', 'dct2': 'r2r 90 kinds=dct2', 'prime': '17',
         'c2c_2d': '12x20 inverse', 'r2c_2d': 'r2c 12x20', 'c2r_2d': 'c2r 12x20', 'r2r_2d': 'r2r 12x20 kinds=dht,dst1', 'in_place': '256',
         'r2c_in_place': 'r2c 8x30', 'transposed': '6*6', 'many': '40*5', 'many_r2c_single': 'r2c 40*3', 'split': '48*4 split',
         'split_back': '48*4 split', 'split_interleaved': '48*4', 'split_r2c': 'r2c 48*4 split'}
ONCE = ('in_place', 'r2c_in_place', 'transposed')  # whatever the number of calls


def program(source, name=None):
    path = os.path.abspath(name or os.path.basename(source)[:-2])
    if not os.path.exists(path):
        subprocess.run([*cc, '-std=c11', '-D_GNU_SOURCE', '-O1', '-I' + folder, '-I' + os.path.join(root, 'include'), source, '-o', path,
                        os.path.join(folder, 'libfftw3.so.3'), os.path.join(folder, 'libfftw3f.so.3'), os.path.join(planner, 'libulpfft.so'),
                        f'-Wl,-rpath,{folder}:{planner}', '-pthread', '-lm'], check=True)
    return path


def own(name):
    return program(os.path.join(here, name + '.c'))


def written(name, text):
    with open(name + '.c', 'w', encoding='utf-8') as file:
        file.write(text)
    return program(name + '.c', name)


def lines_of(output):
    """What run_what_if prints, by name: same or other, asked or refused, error, saturated, hash."""
    rows = {}
    for line in output.splitlines():
        name, same, asked, error, saturated, digest = line.split()
        rows[name] = (same == 'same', asked == 'asked', float(error), int(saturated), digest)
    return rows


def asked(specs, *words, options=()):
    """A run by these SPECs, whose words follow each other as on a command line: its report and output."""
    arguments = [word for spec in specs for word in ('--what-if', *spec.split())]
    status, output, errors = run(*arguments, *options, '--report', 'report.json', '--', *words)
    expect(status == 0 and not errors, f'{specs} {words}: status {status}, {errors}')
    with open('report.json', encoding='utf-8') as file:
        return json.load(file), output


def transforms(report):
    return [row for process in report['processes'] for row in process['transforms']]


def shape_of(problem):
    """A problem text without its storage, arithmetic and threads."""
    words = problem.split()
    has_kind = words[0] in ('r2c', 'c2r', 'r2r')
    return ' '.join([*words[:1 + has_kind], *(word for word in words[2 + has_kind:] if word in ('inverse', 'split') or word.startswith('kinds='))])


def plain_hashes():
    output = subprocess.run([own('run_what_if')], stdout=subprocess.PIPE, text=True, check=True).stdout
    rows = lines_of(output)
    expect(set(rows) == set(CASES) and all(row[2] < 1e-6 for row in rows.values()), output)
    return {name: row[4] for name, row in rows.items()}


def results_are_those_of_narrow_plans():
    """For every kind, layout and placement: bits, errors and saturations are those of ulpfft's own plan on a dense copy."""
    path, plain = own('run_what_if'), plain_hashes()
    for spec, calls in (('f16', 3), ('storage=f16:f32', 1), ('scheme=rounded:bf16', 1), ('mxfp8_e4m3:b8:floor intermediate=f16', 2), ('storage=f32', 1),
                        ('max_error=1e-3', 1), ('e3m2', 3), ('scheme=mx:mxfp8_e4m3', 1), ('storage=i16 prescale=amax', 1), ('f32 scheme=split:bf16x2', 1)):
        report, output = asked([spec], path, spec.replace('storage=', ''), str(calls))
        rows = lines_of(output)
        told = {}
        for row in transforms(report):
            made, = row['what_if']
            told.setdefault(shape_of(made['problem']), []).append((row, made))
        for shape in set(CASES.values()):
            names = [name for name in CASES if CASES[name] == shape]
            found = told.get(shape, [])
            expect(len(found) == 1, f'{spec} {shape}: {len(found)} rows of {list(told)}')
            for row, made in found:
                where = f'{spec} {names}: {[rows[name] for name in names]} {made}'
                count = sum(1 if name in ONCE else calls for name in names)
                possible = rows[names[0]][1]
                expect(row['calls'] == count and made['calls'] == made['compared'] == (count if possible else 0), where)
                if not possible:
                    expect(made['refusal'].endswith('.') and made['error'] is None and all(rows[name][4] == plain[name] for name in names), where)
                    continue
                expect(all(rows[name][0] for name in names) and not made['refusal'] and made['recipe'], f'other bits: {where}')
                squares = [rows[name][2] ** 2 for name in names]
                noise = 4e-7 if row['storage'] == 'f32' else 1e-15  # of the plain transform, which has another recipe where it has strides
                for number, right in ((made['error'], math.sqrt(sum(squares) / len(squares))), (made['largest_error'], math.sqrt(max(squares)))):
                    expect(abs(number - right) <= 1e-3 * right + noise, where)
                expect(made['saturated'] == sum(rows[name][3] * (1 if name in ONCE else calls) for name in names), where)
                expect(0 < made['bytes'] <= made['plain_bytes'], where)
        expect((not all(row[1] for row in rows.values())) == any('plain ones' in note for note in report['notes']), f'{spec}: {report["notes"]}')
        if spec == 'e3m2':
            expect(sum(row[3] for row in rows.values()) > 10, 'nothing saturates in e3m2')


def problems_at_random():
    """Of any kind, strides, loops and placement, in float as if in f64: the sums of their own test are within its bounds, and the second SPEC changes nothing."""
    status, output, errors = run('--what-if', 'f64', '--what-if', 'mxfp8_e4m3', '--report', 'report.json', '--',
                                 os.path.join(build, 'tests', 'fftw3', 'fftw3_problems_test'), '--gtest_brief=1', '--gtest_filter=*Float')
    expect(status == 0, output + errors)
    with open('report.json', encoding='utf-8') as file:
        rows = transforms(json.load(file))
    expect(len(rows) > 500, f'{len(rows)} problems')
    for row in rows:
        wide, blocks = row['what_if']
        expect(wide['compared'] == row['calls'] and not wide['refusal'] and wide['error'] < 3e-7, f'{row}')
        expect(blocks['compared'] == row['calls'] and not blocks['refusal'] and (blocks['error'] or 0) < 0.3, f'{row}')


def some_problems_only():
    path, plain = own('run_what_if'), plain_hashes()
    for glob, matched in (('600 *', {'c2c'}), ('*r2c*', {name for name in CASES if 'r2c' in name}), ('c2r 12?20 f64*', {'c2r_2d'}), ('601 *', set())):
        report, output = asked(['f16'], path, 'f16', options=('--only', glob))
        changed = {name for name, row in lines_of(output).items() if row[4] != plain[name]}
        rows = [row for row in transforms(report) if 'what_if' in row]
        expect(changed == matched and len(rows) == len({CASES[name] for name in matched}), f'{glob}: {changed}')
        expect(any('No problem matches' in note for note in report['notes']) == (not matched), f'{glob}: {report["notes"]}')


def several_specs():
    """The first one's numbers are the program's, and what it cannot answer stays plain though others can."""
    path, plain = own('run_what_if'), plain_hashes()
    single = lines_of(asked(['mxfp8_e4m3'], path)[1])
    report, output = asked(['mxfp8_e4m3', 'f16 scheme=f64', 'scheme=rounded:f16'], path)
    expect({name: row[4] for name, row in lines_of(output).items()} == {name: row[4] for name, row in single.items()}, 'more SPECs, other numbers')
    for row in transforms(report):
        expect([made['spec'] for made in row['what_if']] == ['storage=mxfp8_e4m3', 'storage=f16 scheme=f64', 'scheme=rounded:f16'], f'{row}')
    of_600, = (row['what_if'] for row in transforms(report) if shape_of(row['problem']) == '600')
    expect(of_600[0]['error'] > 20 * of_600[1]['error'] > 0 and of_600[1]['problem'] == '600 f16 scheme=f64', f'{of_600}')
    hashes = {name: row[4] for name, row in lines_of(asked(['scheme=rounded:bf16', 'f16'], path)[1]).items()}
    expect(hashes['prime'] == plain['prime'] and hashes['c2c'] != plain['c2c'], 'a SPEC that is refused')


def calls_beyond_the_budget():
    report, output = asked(['f16', 'bf16'], own('run_what_if'), 'f16', '100')
    expect(lines_of(output)['c2c'][0], 'call 100, which is not compared')
    row, = (row for row in transforms(report) if shape_of(row['problem']) == '600')
    counts = [(made['calls'], made['compared']) for made in row['what_if']]
    expect(row['calls'] == 100 and counts == [(100, 35), (35, 35)], f'{counts}')  # the first 32, and 33, 65 and 97


def threads_and_processes():
    path = own('run_program')
    report, _ = asked(['f16', 'bf16'], path, 'threads')
    row, = transforms(report)
    expect(row['calls'] == 9 and [made['calls'] for made in row['what_if']] == [9, 9], f'{row}')
    report, _ = asked(['f16'], path, 'fork')
    expect(sorted(made['calls'] for row in transforms(report) for made in row['what_if']) == [3, 3], f'{report}')
    report, _ = asked(['f16'], path, options=('--threads', '2', '--same-bits'))
    row, = transforms(report)
    expect('threads=2' in row['what_if'][0]['problem'] and re.fullmatch('[0-9a-f]{16}', row['digest']), f'{row}')
    digests = {asked(['f16'], path, options=('--threads', threads, '--same-bits'))[0]['digest'] for threads in '123'}
    expect(len(digests) == 1 and asked(['bf16'], path, options=('--same-bits',))[0]['digest'] not in digests, f'the digest is that of the results: {digests}')


ODD = r'''
#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
static double a[2048], b[2048];
int main(int count, char** words) {
  const int nine[] = {2, 2, 2, 2, 2, 2, 2, 2, 2}, n = 30;
  for (int i = 0; i < 1024; ++i) a[i] = i % 37 - 18;
  fftw_plan plan = fftw_plan_dft(9, nine, (fftw_complex*)a, (fftw_complex*)b, FFTW_FORWARD, FFTW_ESTIMATE);
  if (count > 1) plan = fftw_plan_many_dft(1, &n, strcmp(words[1], "none") != 0, (fftw_complex*)a, 0, 1, 30, (fftw_complex*)b, 0, 1, 30, FFTW_FORWARD, FFTW_ESTIMATE);
  if (count > 1 && strcmp(words[1], "nan") == 0) a[7] = NAN;
  if (count > 1 && strcmp(words[1], "zero") == 0) memset(a, 0, sizeof a);
  fftw_execute(plan);
  for (int i = 0; i < 1024; ++i) printf("%a ", b[i]);
  return 0;
}
'''


def what_has_no_answer():
    """More dimensions than ulpfft takes, no transforms, NaN, zeros: results stay, or errors that are no numbers are counted."""
    path = written('odd', ODD)
    alone = subprocess.run([path], stdout=subprocess.PIPE, text=True, check=True).stdout
    report, output = asked(['f16'], path)
    row, = transforms(report)
    expect(output == alone and row['what_if'][0]['refusal'].startswith('9 dimensions'), f'{row}')
    report, _ = asked(['f16'], path, 'none')
    expect('what_if' not in transforms(report)[0], f'{report}')
    report, _ = asked(['f16'], path, 'nan')
    made, = transforms(report)[0]['what_if']
    expect(made['error'] is None and made['calls_without_error'] == made['compared'] == 1 and 'NaN' in report['notes'][0], f'{made}')
    report, _ = asked(['f16'], path, 'zero')
    expect(transforms(report)[0]['what_if'][0]['error'] == 0, f'{report}')


LARGE = r'''
#include <fftw3.h>
#include <stdio.h>
int main(void) {
  enum { n = 1 << 20 };
  fftw_complex* a = fftw_alloc_complex(n);
  if (a == NULL) return 3;
  for (int i = 0; i < n; ++i) a[i][0] = i % 17 - 8, a[i][1] = i % 5 - 2;
  fftw_plan plan = fftw_plan_dft_1d(n, a, a, FFTW_FORWARD, FFTW_ESTIMATE);
  if (plan == NULL) return 3;
  fftw_execute(plan);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i][0] * (i % 7) + a[i][1] * (i % 3);
  printf("%a\\n", sum);
  return 0;
}
'''


def little_memory():
    """Where there is too little for copies, the result is the plain one, and the report says so."""
    path = written('large', LARGE)
    plain = subprocess.run([path], stdout=subprocess.PIPE, text=True, check=True).stdout
    narrow = asked(['f16'], path)[1]
    short = 0
    for limit in range(60000, 240000, 20000):  # KiB of addresses, from too few for the program on
        status, output, errors = run('--what-if', 'f16', '--report', 'report.json', '--', 'sh', '-c', f'ulimit -v {limit}; exec {path}')
        if status != 0:
            expect(status in (3, 127) and not output, f'{limit}: {status} {errors}')  # no memory for its own array, or for its libraries
            continue
        with open('report.json', encoding='utf-8') as file:
            made, = transforms(json.load(file))[0]['what_if']
        told = made['calls_without_memory'] == 1 or 'memory' in made['refusal']
        expect(output == (plain if told else narrow) and plain != narrow, f'{limit}: {output} {made}')
        short += told
    expect(short > 0, 'memory was never too little')


def other_reports():
    path = own('run_program')
    status, output, errors = run('--what-if', 'half', '--what-if', 'scheme=rounded:bf16', '--', path)
    lines = errors.split('\n')
    expect(status == 0 and output and lines[3].split() == ['process', 'problem', 'what', 'if', 'calls', 'compared', 'error', 'largest', 'saturated', 'bytes', 'of'], errors)
    expect('48 f64 inplace  storage=f16' in lines[4] and 'scheme=rounded:bf16' in lines[5] and 'every 32nd' in lines[7], errors)
    expect(run('--what-if', 'f16', '--report', 'page.html', '--', path)[0] == 0, 'a page')
    with open('page.html', encoding='utf-8') as file:
        page = file.read()
    expect('<h2>What if</h2>' in page and page.count('<tr>') == 4 and 'storage=f16' in page, page)


def the_example_of_the_page():
    """docs/fftw3.md: its program prints what it says, and its table has these errors."""
    with open(os.path.join(root, 'docs', 'fftw3.md'), encoding='utf-8') as file:
        page = file.read()
    text, = re.findall(r'^```C\n(.*?)^```', page, re.DOTALL | re.MULTILINE)
    words, shown = re.search(r'^```text\n\$ ulpfft run (.*?) -- ./tones\n(.*?)^```', page, re.DOTALL | re.MULTILINE).groups()
    path = written('tones', text)

    def tones(line):
        return [float(number) for number in re.findall(r'-[0-9.]+(?= dB)', line)]
    status, output, errors = run(*words.split(), '--report', 'report.json', '--', path)
    expect(status == 0 and len(tones(output)) == 2 and all(abs(a - b) < 0.3 for a, b in zip(tones(output), tones(shown))), f'{output} {errors}')
    with open('report.json', encoding='utf-8') as file:
        row, = transforms(json.load(file))
    rows = [line.split() for line in shown.split('\n') if 'storage=' in line]
    expect(len(rows) == len(row['what_if']) == 4, shown)
    for made, cells in zip(row['what_if'], rows):
        error = float(cells[7])
        expect(made['spec'] == cells[4] and abs(made['error'] - error) < 0.03 * error, f'{made} {cells}')
    lost, found = tones(run('--what-if', 'mxfp8_e4m3', '--', path)[1]), re.search(r'alone it prints -([0-9.]+) and -([0-9.]+) dB', page).groups()
    expect(all(abs(a + float(b)) < 1 for a, b in zip(lost, found)), f'{lost} {found}')


def words_that_are_refused():
    """Before the program starts, with the word and what is possible."""
    for spec, word, says in (('fp99', 'fp99', 'f16'), ('storage=fp99', 'fp99', 'mxfp8_e4m3'), ('storge=f16', 'storge=f16', "Did you mean 'storage'"),
                             ('storage=', 'storage=', 'needs a value'), ('max_error', 'max_error', 'needs a value'), ('inverse', 'inverse', 'for the program'),
                             ('f16 threads=2', 'threads=2', 'for the program'), ('f16 storage=bf16', 'storage=bf16', 'says again'),
                             ('scheme=f32 scheme=f64', 'scheme=f64', 'says again'), ('f16 scheme=nonsense', 'nonsense', 'rounded:<element>'),
                             ('f16 max_error=few', 'few', '1e-6'), ('mxfp8_e4m3:b7', 'b7', '16, 32'), ('f16 scale=2', 'scale=2', 'Possible are storage=')):
        status, output, errors = run('--what-if', *spec.split(), '--', 'sh', '-c', 'echo started')
        expect(status == 2 and not output and says in errors and marked_word(errors) == word, f'{spec}: {status} {errors}')
    for spec, says in (('max_error=1e-30', 'No recipe keeps'), ('storage=e8m0', 'e8m0'), ('scheme=rounded:u8', 'no negative numbers')):
        status, output, errors = run('--what-if', spec, '--', 'sh', '-c', 'echo started')
        expect(status == 1 and not output and says in errors, f'{spec}: {status} {errors}')
    for words, says in ((('--what-if',), 'SPEC missing'), (('--what-if', ' '), 'needs a format'), (('--only', 'x'), 'no --what-if'),
                        (('--compare-fftw', 'fast'), 'estimate, measure, patient')):
        status, output, errors = run(*words, '--', 'sh', '-c', 'echo started')
        expect(status == 2 and not output and says in errors, f'{words}: {status} {errors}')


def seconds_of_fftw():
    """Of a stand-in for FFTW in float, which is found first; in double those of FFTW, where it is installed."""
    path = own('run_sizes')
    subprocess.run([*cc, '-O1', '-shared', '-fPIC', os.path.join(root, 'tests', 'tool', 'naive_peer.c'), '-o', 'libfftw3f.so.3', '-lm'], check=True)
    alone = subprocess.run([path, 'estimate'], stdout=subprocess.PIPE, text=True, check=True).stdout
    status, output, errors = run('--compare-fftw', 'estimate', '--report', 'report.json', '--', path, 'estimate', LD_LIBRARY_PATH=os.getcwd())
    with open('report.json', encoding='utf-8') as file:
        report = json.load(file)
    expect(status == 0 and output == alone and not errors and report['fftw'].endswith(', estimate'), f'{status} {errors} {report}')
    rows = transforms(report)
    of_float, = (row for row in rows if row['storage'] == 'f32')
    of_double = [row for row in rows if row['storage'] == 'f64']
    expect(of_float['calls'] == 5 and of_float['fftw_seconds'] > 0, f'{of_float}')
    installed = any(row['fftw_seconds'] for row in of_double)
    expect(all(row['fftw_seconds'] for row in of_double) if installed else len(report['notes']) == len(of_double), f'{report["notes"]} {rows}')
    status, _, errors = run('--compare-fftw', 'estimate', '--', path, 'estimate', LD_LIBRARY_PATH=os.getcwd())
    expect(status == 0 and errors.split('\n')[0].split() == ['process', 'problem', 'calls', 'seconds', 'FFTW', 'plans', 'recipe'], errors)
    return '' if installed else 'FFTW is not installed'


def fftw_that_is_not_there():
    """Nor one that is ulpfft's, and one that ends its process."""
    path = own('run_program')
    for name, text, says in (('none', 'int nothing;\n', 'lacks the FFTW3 interface'),
                             ('crash', '#include <stdlib.h>\nvoid* F(plan_guru64_dft)(void) { abort(); }\nvoid F(execute)(void) {}\nvoid F(destroy_plan)(void) {}\n',
                              'its process was ended')):
        os.mkdir(name)
        with open('fftw.c', 'w', encoding='utf-8') as file:
            file.write(text)
        for library, prefix in (('libfftw3', 'fftw_'), ('libfftw3f', 'fftwf_')):
            subprocess.run([*cc, '-shared', '-fPIC', f'-DF(name)={prefix}##name', 'fftw.c', '-o', f'{name}/{library}.so.3'], check=True)
        status, _, errors = run('--compare-fftw', '--', path, LD_LIBRARY_PATH=os.path.abspath(name))
        expect(status == 0 and says in errors, f'{name}: {status} {errors}')
    status, _, errors = run('--compare-fftw', '--', path, LD_LIBRARY_PATH=folder)
    expect(status == 0 and "ulpfft's own here" in errors, f'{status} {errors}')


run_cases('run', [results_are_those_of_narrow_plans, problems_at_random, some_problems_only, several_specs, calls_beyond_the_budget, threads_and_processes, what_has_no_answer,
                  little_memory, other_reports, the_example_of_the_page, words_that_are_refused, seconds_of_fftw, fftw_that_is_not_there])
