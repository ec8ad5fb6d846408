#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""plan --pareto and --judge as a user types them: pareto_test.py ULPFFT. Needs nothing but Python's own library."""
import html.parser
import json
import os
import re
import sys

sys.dont_write_bytecode = True
import harness  # noqa: E402
from harness import command, expect, marked_word, run_cases  # noqa: E402

tool = os.path.abspath(sys.argv[1])
run = command(tool)


def formats():
    return json.loads(run('formats', '--json')[1])


def storages():
    return [f['name'] for f in formats() if f['kind'] != 'element' or f['signed']]


def schemes():
    found = {'f32', 'f64', 'split:bf16', 'split:bf16x2', 'split:bf16x3', 'split:f16x2', 'split:f16x2:tile16', 'split:i8x4'}
    for one in formats():
        if one['kind'] in ('element', 'integer') and one['signed']:
            found.add('rounded:' + one['name'])
            found |= {'rounded:' + one['name'] + '/f32'} if one['compute'] == 'f32' else set()
        if one['kind'] == 'block' and one['rule'] in ('floor', 'ceil', 'rceil', 'even', 'fit'):
            found |= {'mx:' + one['name'], 'mx:' + one['name'] + ':fresh'}
    return found


def compare(*arguments):
    status, output, errors = run('plan', *arguments, '--pareto', '--json', '--time-limit', '86400')
    expect(status == 0, f'{arguments}: status {status}, {errors}')
    return json.loads(output)


def has_every_scheme_with_every_storage():
    table = compare('64*4 f64')
    rows = {(row['scheme'], row['storage_in']): row for row in table['rows'] if not row['between']}
    for storage in storages():
        for scheme in schemes():
            row = rows.get((scheme, storage))
            if row is None:
                expect(False, f'{scheme} with {storage} is missing')
                continue
            expect('reason' not in row, f'{scheme} with {storage}: {row}')
            expect(row['storage_out'] == storage and row['own'] == (storage == 'f64') and row['emulated'] == (scheme not in ('f32', 'f64')), f'{row}')
            expect(row.get('seconds', 0) > 0 and 0 < row.get('transforms_timed', 0) <= 4 and row['recipe'].startswith(scheme + ':'), f'{row}')
    errors = {key: row['error'] for key, row in rows.items()}
    expect(errors['f64', 'f64'] < 1e-15 < 1e-8 < errors['f32', 'f64'] < 2e-7 < 1e-4 < errors['f32', 'f16'] < 4e-4, 'errors of wide schemes')
    expect(4e-4 < errors['rounded:f16', 'f64'] < 2e-3 < errors['rounded:bf16', 'f64'] < 2e-2, 'errors of rounded schemes')
    expect(rows['f32', 'f64']['bytes_per_point'] == 32 and rows['f32', 'mxfp8_e4m3']['bytes_per_point'] == 4.125, 'bytes')
    measured = [row['error'] for row in table['rows'] if row.get('error') is not None]
    expect(measured == sorted(measured), 'rows are sorted by error')


def marks_the_front():
    table = compare('1024*4 f32', '--storages', 'f16,mxint8')
    expect({row['storage_in'] for row in table['rows']} == {'f32', 'f16', 'mxint8'}, 'only the storages asked for')
    expect({row['between'] for row in table['rows']} == {''} | set(storages()) - {'f32', 'f64'}, 'every format between passes')
    rows = [row for row in table['rows'] if row.get('error') is not None]
    for mark, of in (('front', rows), ('own_front', [row for row in rows if row['own']])):
        for row in of:
            beaten = any(o['error'] <= row['error'] and o['seconds'] <= row['seconds'] and (o['error'], o['seconds']) != (row['error'], row['seconds']) for o in of)
            expect(row[mark] == (not beaten), f'{mark}: {row}')
    expect(not any(row.get('own_front') for row in rows if not row['own']), 'own rows alone are on their front')


def tells_what_limits_choose():
    table = compare('16*2 f64', '--storages', 'f64', '--choices')
    choices = table['choices']
    expect([choice['max_error'] for choice in choices] == [float(f'1e-{i}') for i in range(1, 15)], f'{choices}')
    for choice in choices:
        expect(choice.get('error', 1) <= choice['max_error'] and choice.get('over_fastest', 0) > 0, f'{choice}')
    status, output, errors = run('plan', '16*2 f16', '--pareto', '--storages', 'f16', '--choices')
    expect(status == 0 and 'refused' in output and 'Storing the output in f16 alone' in output, f'{output[-2000:]} {errors}')


def compares_split_schemes_among_each_other():
    names = {name for name in schemes() if name.startswith('split:')}
    for limit in ('', ' max_error=1e-5'):
        table = compare('1024*2 f32 scheme=split' + limit)
        rows = table['rows']
        found = {row['scheme'] for row in rows}
        expect(table['problem'].endswith('scheme=split') and found == names, f'{table["problem"]}: {sorted(found)}')
        expect(all(row['own'] and row['error'] <= 1.5 * row['predicted_error'] for row in rows), f'{rows}')
        for name in names:
            recipes = [row['recipe'] for row in rows if row['scheme'] == name]
            expect(len(recipes) > 1 and len(recipes) == len(set(recipes)), f'{name} by other radices: {recipes}')
    status, output, errors = run('plan', '64 f32 scheme=split max_error=1e-5', '--pareto', '--time-limit', '86400')
    expect(status == 0 and re.search(r'keep max_error=1\.00e-05, split:\S+\(?.*is the fastest', output), f'{output} {errors}')
    status, output, errors = run('plan', '64 f32 scheme=split max_error=1e-12', '--pareto', '--time-limit', '86400')
    expect(status == 0 and 'No row keeps max_error=1.00e-12' in output, f'{output} {errors}')
    status, output, errors = run('plan', '64 f32 scheme=split', '--pareto', '--storages', 'f16')
    expect(status == 2 and marked_word(errors) == '--storages', errors)


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.count, self.links = [], {}, []

    def handle_starttag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1
        self.links += [value for name, value in attrs if name in ('src', 'href')]
        if tag not in ('meta', 'br'):
            self.open.append(tag)

    def handle_endtag(self, tag):
        expect(self.open and self.open[-1] == tag, f'</{tag}> closes {self.open[-1:]}')
        self.open = self.open[:-1]

    def handle_startendtag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1


def writes_a_page():
    status, output, errors = run('plan', '1024*4 f32 max_error=1e-3', '--pareto', '--storages', 'f16', '--html', 'p.html', '--time-limit', '86400')
    expect(status == 0 and 'p.html' in output and 'front' in output, f'{status} {output} {errors}')
    with open('p.html', encoding='utf-8') as file:
        text = file.read()
    page = Page()
    page.feed(text)
    expect(not page.open and not page.links and 'url(' not in text, f'{page.open} {page.links}')
    expect(page.count.get('svg') == 2 and page.count.get('polyline', 0) == 4, f'{page.count}')
    rows = len(schemes()) * 2 + 2 * (len(storages()) - 2)
    folded = sum(int(count) for count in re.findall(r'<summary>(\d+) rows? not measured', text))
    expect(page.count.get('tr') + folded == rows + 1 and page.count.get('details', 0) == text.count('<summary>'), f'{page.count} and {folded} for {rows} rows')
    expect('max_error</text>' in text and not re.search(r'="[^"]*(nan|inf)[^"]*"', text), 'the limit is drawn, and no number is none')


def keeps_its_limit_and_measures_what_matters_first():
    # Lengths whose rows take from a millisecond to half a second.
    for problem, limit in (('1024*16 f32', 1.0), ('2^17 f64', 2.0), ('1024*16 i16->f32', 0.2), ('r2c 4096*4 f32', 0.5)):
        status, output, errors = run('plan', problem, '--pareto', '--json', '--time-limit', str(limit))
        expect(status == 0, errors)
        table = json.loads(output)
        first = max(1.3 * limit, limit + 0.5)  # a row that begins in time may take longer than any before, and the machine may be busy
        expect(table['seconds'] < first, f'{problem}: {table["seconds"]} of {limit} s')
        rows = table['rows']

        def rank(row):
            wide = row['scheme'] in ('f32', 'f64') and not row['between']
            return 0 if wide and row['own'] else 1 if wide and row['scheme'] == 'f32' else 2 if wide else 3
        measured = [sum('reason' not in row for row in rows if rank(row) == r) for r in range(4)]
        whole = [sum(rank(row) == r for row in rows) for r in range(4)]
        refused = [sum('no time' not in row.get('reason', 'no time') for row in rows if rank(row) == r) for r in range(4)]
        expect(measured[0] > 0, f'{problem}: {measured}')
        for r in range(3):  # nothing of a later rank before the earlier one is done
            expect(measured[r] + refused[r] == whole[r] or not any(measured[r + 1:]), f'{problem}: {measured} of {whole}, {refused} refused')
    status, output, errors = run('plan', '1024*16 f32', '--pareto', '--time-limit', '0.3', '--html', 'short.html')
    expect(status == 0 and len(re.findall('rows? left out: no time was left', output)) == 1, f'one line for all: {output} {errors}')
    with open('short.html', encoding='utf-8') as file:
        text = file.read()
    page = Page()
    page.feed(text)
    expect(not page.open and len(re.findall(r'<summary>\d+ rows not measured: no time', text)) == 1, f'{page.count}')
    expect(page.count['tr'] - 1 == len(re.findall(r' all ', output)), f'{page.count} rows of the table, {output}')


def judges_on_the_callers_numbers():
    numbers = [0j] * 64
    numbers[16] = 1 + 0j  # its transform is made of 1, i, -1, -i: f16 holds it
    harness.write_npy('impulse.npy', [64], numbers, '<c8')
    expect(run('plan', '64 f32->f16 max_error=1e-6')[0] != 0, 'random numbers are rounded')
    status, output, errors = run('plan', '64 f32->f16 max_error=1e-6', '--judge', 'impulse.npy', '--json')
    expect(status == 0, errors)
    plan = json.loads(output)
    expect(plan['error'] <= 1e-6 and plan['error_level'] == 'sampled', f'{plan["error"]}')
    harness.write_npy('long.npy', [65], numbers + [0j], '<c16')
    status, _, errors = run('plan', '64 f64', '--judge', 'long.npy')
    expect(status == 1 and '65 numbers' in errors and '64 numbers' in errors, errors)
    harness.write_npy('double.npy', [4, 16], numbers, '<c16')
    for problem in ('16*4 f32 max_error=1e-3', '16*4 f64', '16*4 f16 max_error=1e-2', '16*4 mxfp8_e4m3 max_error=0.1'):
        status, output, errors = run('plan', problem, '--judge', 'double.npy', '--effort', 'estimate', '--json')
        expect(status == 0 and json.loads(output)['error_level'] == 'sampled', f'{problem}: {errors}')
    harness.write_npy('loud.npy', [64], [1e6 + 0j] * 64, '<c8')
    status, _, errors = run('plan', '64 f16 max_error=1e-2', '--judge', 'loud.npy')
    expect(status == 1 and 'range of f16' in errors, errors)
    # Among split schemes: an impulse has an exact transform in every one of them.
    for limit in ('', ' max_error=1e-6'):
        status, output, errors = run('plan', '64 f32 scheme=split' + limit, '--judge', 'impulse.npy', '--json')
        expect(status == 0 and json.loads(output)['recipe'].startswith('split:'), f'{output}{errors}')
    status, output, errors = run('plan', '64 f32', '--pareto', '--judge', 'impulse.npy', '--json', '--time-limit', '86400')
    expect(status == 0, errors)
    rows = {row['scheme']: row for row in json.loads(output)['rows'] if not row.get('between')}
    expect(set(rows) == set(schemes()), f'{sorted(rows)}: own rows alone')
    expect(rows['split:bf16']['error'] < 1e-7, f'{rows["split:bf16"]}: random data err by 3e-3')
    status, _, errors = run('plan', '64 f32 split', '--judge', 'impulse.npy')
    expect(status == 2 and marked_word(errors) == 'split', errors)


def refuses_what_does_not_belong_together():
    for arguments, word in ((['8 f32', '--html', 'x.html'], '--html'), (['8 f32', '--choices'], '--choices'), (['8 f32', '--storages', 'f16'], '--storages'),
                            (['8 f32', '--pareto', '--recipe', 'f32:n8'], '--recipe'),
                            (['8 f32', '--pareto', '--wisdom', 'w'], '--wisdom'), (['8 f32', '--pareto', '--deterministic'], '--deterministic'),
                            (['8 f32', '--pareto', '--explain'], '--explain'), (['8 f32', '--pareto', '--effort', 'measure'], '--effort'), (['8 f32', '--pareto', '--top', '3'], '--top'),
                            (['8 f32', '--all', '--pareto'], '--all'), (['8 f32', '--recipe', 'f32:n8', '--effort', 'patient'], '--effort'),
                            (['8 f32', '--recipe', 'f32:n8', '--wisdom', 'w'], '--wisdom'),
                            (['8 f32', '--recipe', 'f32:n8', '--judge', 'x.npy'], '--judge'), (['8 f32', '--pareto', '--storages', 'f16,f17'], 'f17'),
                            (['8 f32 scheme=f64', '--pareto'], 'scheme=f64'), (['8 f32 scheme=f32', '--pareto'], 'scheme=f32'), (['8 f32 in_strides=2', '--pareto'], 'in_strides=2'),
                            (['8 f3', '--pareto'], 'f3')):
        status, output, errors = run('plan', *arguments)
        expect(status == 2 and not output and marked_word(errors) == word, f'{arguments}: {status}, marked {marked_word(errors)!r}, {errors}')
    expect(not os.path.exists('x.html'), 'a page was begun')
    status, _, errors = run('plan', '8 f32', '--pareto', '--html', 'no/such/folder.html')
    expect(status == 1 and 'no/such/folder.html' in errors, errors)
    status, _, errors = run('plan', '8 f32 max_error=x', '--pareto')
    expect(status == 2 and 'max_error' in errors, errors)


run_cases('pareto', [
    has_every_scheme_with_every_storage, marks_the_front, tells_what_limits_choose, compares_split_schemes_among_each_other, writes_a_page,
    keeps_its_limit_and_measures_what_matters_first, judges_on_the_callers_numbers,
    refuses_what_does_not_belong_together,
])
