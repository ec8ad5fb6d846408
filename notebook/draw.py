#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Draws the tables of this notebook whose numbers are data: draw.py [--check]

A page holds a table between `<!-- table: NAME -->` and `<!-- end -->`; NAME.json lies in `data`. With --check nothing is written, and pages
whose tables differ are named.
"""
import json
import math
import os
import re
import sys

here = os.path.dirname(os.path.abspath(__file__))
MARK = re.compile(r'(<!-- table: (\w+) -->\n).*?(<!-- end -->)', re.DOTALL)


def load(name):
    with open(os.path.join(here, 'data', f'{name}.json'), encoding='utf-8') as file:
        return json.load(file)


def cells(row, peers):
    """One type of a row. Speed is left out where the run did not print it."""
    if row is None:
        return [''] * (len(peers) + 1 if peers else 3)
    speed = [f'{row["gflops"]:.1f}'] if 'gflops' in row else []
    if peers:
        return speed + [f'{row["peers"][peer]:.2f}' for peer in peers]
    return speed + [f'{row["ratio"]:.2f}', row['best']]


def points(problem):
    """The numbers of a shape, by which rows of kinds are ordered: one dimension first, then batches and images."""
    lengths, _, batch = problem.partition('*')
    size = math.prod(int(length) for length in (lengths + 'x' + (batch or '1')).split('x'))
    return 'x' in lengths, bool(batch), size


def table_of_kinds(data):
    """A column for each kind and type: of two kinds with speed and error, of more the ratio alone."""
    kinds = list(dict.fromkeys(row['kind'] for row in data['rows']))
    shown = ('gflops', 'ratio', 'error') if len(kinds) <= 2 else ('ratio',)
    names = {'gflops': 'GFLOP/s', 'ratio': 'x FFTW', 'error': 'error'}
    columns = [(kind, type_) for kind in kinds for type_ in ('f32', 'f64')]
    titles = ['reals'] + [f'{kind} {type_} {names[shown[0]]}' if shown[0] == column else names[column]
                          for kind, type_ in columns for column in shown]
    if len(shown) == 1:
        titles = ['reals, x FFTW'] + [f'{kind} {type_}' for kind, type_ in columns]
    rows = {}
    for row in data['rows']:
        rows.setdefault(row['problem'], {})[row['kind'], row['type']] = row
    lines = ['| ' + ' | '.join(line) + ' |' for line in [titles, ['---'] * len(titles)]]
    for problem in sorted(rows, key=points):
        values = [f'{rows[problem][column][name]:.{0 if name == "gflops" else 2}f}' if column in rows[problem] else ''
                  for column in columns for name in shown]
        lines.append('| ' + ' | '.join([problem] + values) + ' |')
    return '\n'.join(lines) + '\n'


def table_of_titles(data):
    """Rows as they are, under `titles`: texts, and numbers with two digits."""
    lines = [data['titles'], ['---'] * len(data['titles'])]
    lines += [[cell if isinstance(cell, str) else f'{cell:.2f}' for cell in row] for row in data['rows']]
    return '\n'.join('| ' + ' | '.join(line) + ' |' for line in lines) + '\n'


def table(name):
    data = load(name)
    if 'titles' in data:
        return table_of_titles(data)
    if 'kind' in data['rows'][0]:
        return table_of_kinds(data)
    rows = {}
    for row in data['rows']:
        rows.setdefault(row['problem'] + (' (*)' if row.get('extra') else ''), {})[row['type']] = row
    first = data['rows'][0]
    few = sorted(first['peers'], reverse=True) if len(first.get('peers', {})) == 2 else []
    heading = (['GFLOP/s'] if 'gflops' in first else []) + ([f'x {peer}' for peer in few] or ['x fastest other', 'which'])
    titles = ['points'] + [title for kind in ('f32', 'f64') for title in [f'{kind} {heading[0]}'] + heading[1:]]
    lines = ['| ' + ' | '.join(line) + ' |' for line in [titles, ['---'] * len(titles)]]
    for problem, types in rows.items():
        lines.append('| ' + ' | '.join([problem] + cells(types.get('f32'), few) + cells(types.get('f64'), few)) + ' |')
    if any(row.get('extra') for row in data['rows']):
        lines += ['', '(*) was added because it was slow, and is not counted in the means.']
    return '\n'.join(lines) + '\n'


def drawn(text):
    return MARK.sub(lambda match: match[1] + table(match[2]) + match[3], text)


def stale(write):
    """Pages whose tables are not those of the data; they are mended where `write` says so."""
    found = []
    for name in sorted(os.listdir(here)):
        if not name.endswith('.md'):
            continue
        path = os.path.join(here, name)
        with open(path, encoding='utf-8') as file:
            text = file.read()
        if drawn(text) != text:
            found.append(name)
            if write:
                with open(path, 'w', encoding='utf-8') as file:
                    file.write(drawn(text))
    return found


if __name__ == '__main__':
    pages = stale('--check' not in sys.argv)
    print('\n'.join(pages) if pages else 'all tables are those of the data')
    sys.exit(1 if pages and '--check' in sys.argv else 0)
