#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""What is tested with which compiler, standard, targets and sanitizers, from builds.json, for tools/dev and docs/tested.md:

  builds.py run FULL SEED                 builds that a run of tools/dev test makes, in their order; FULL: yes or no
  builds.py fields NAME FULL              what tools/dev knows of one, as variables of the shell
  builds.py setup FOLDER NAME [SOURCE]    configures it in FOLDER, from this tree or another one
  builds.py draw [--check]                draws the table of docs/tested.md; with --check it ends with 1 where that differs

Keys of a build. runs: always; day, of which each day has one in turn; default and full, which a run without or with --full has; anything
else is no part of runs, and said in docs/tested.md. part_of: the build that has it. what: said behind "build". host: the architecture of
Debian that it takes. tests: names, `short` for those at the top. suites: parts of tests/sanitized. seconds: of the processors of an idle
Zen 4, to build and to test. budget: what it costs in CI, for tests/structure/test_cost.py.
"""
import json
import os
import platform
import re
import shlex
import sys

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(os.path.dirname(here))
with open(os.path.join(here, 'builds.json'), encoding='utf-8') as opened:
    TABLE = json.load(opened)
BUILDS = {build['name']: build for build in TABLE['builds']}
TITLES = ('build', 'what is tested', 'when', 'compiler', 'standard', 'targets', 'sanitizers')
WHEN = {'always': 'every run', 'day': 'one day in {}', 'default': 'runs without `--full`', 'full': '`--full`'}
# Cheap ones: tests and library are compiled with few optimisations, several files at a time.
SANITIZED = ('-Db_lundef=false', '-Doptimization=1', '-Dunity=on', '-Dunity_size=6')


def chosen(full, seed):
    """Names of the builds of a run."""
    days = [name for name, build in BUILDS.items() if build['runs'] == 'day']
    kinds = ('always', 'day', 'full') if full else ('always', 'default')
    return [name for name, build in BUILDS.items() if 'part_of' not in build and (
        build['runs'] in kinds or name == days[seed % len(days)])]


def parts(name, full):
    """A build, and those that a full run builds with it."""
    return [BUILDS[name]] + [build for build in BUILDS.values() if full and build['runs'] == 'full' and build.get('part_of') == name]


def fields(name, full):
    build, both = BUILDS[name], parts(name, full)
    tests = [test for word in build.get('tests', []) for test in (TABLE['short'] if word == 'short' else [word])]
    suites = [suite for part in both for suite in part.get('suites', [])]
    values = {'what': build.get('what', ''), 'host': build.get('host', ''), 'sanitizers': build.get('sanitizers', ''),
              'build_seconds': max(part['seconds'][0] for part in both), 'test_seconds': max(part['seconds'][1] for part in both)}
    return '\n'.join([f'{key}={shlex.quote(str(value))}' for key, value in values.items()] +
                     [f'tests=({shlex.join(tests)}) suites=({shlex.join(suites)})'])


def arguments(build, machine):
    """What meson setup takes, and the environment that it needs. Elsewhere than on x86-64 its targets are those of the machine."""
    compiler, targets, sanitizers = build['compiler'], build['targets'], build.get('sanitizers', '')
    words, environment = [f'-Dcpp_std={build["standard"]}', *build['options']], {}
    if compiler.startswith('clang-'):
        environment = {'CC': compiler, 'CXX': compiler.replace('clang', 'clang++')}
    elif compiler.endswith('-g++'):
        words += ['--cross-file', os.path.join(root, f'tools/cross/{compiler[:-4]}.ini')]
    if targets == 'scalar' or (targets != 'all' and machine == 'x86_64'):
        words.append(f'-Dtargets={targets}')
    if 'fuzzer' in sanitizers:
        words.append('-Dfuzz=true')
    elif sanitizers:
        words += [f'-Db_sanitize={sanitizers}', *SANITIZED]
    return words, environment


def setup(folder, name, source=root):
    words, environment = arguments(BUILDS[name], platform.machine())
    os.environ.update(environment)
    os.execvp('meson', ['meson', 'setup', folder, source, *words])


def table():
    days = sum(build['runs'] == 'day' for build in BUILDS.values())
    ordered = sorted(BUILDS.values(), key=lambda build: [*WHEN, build['runs']].index(build['runs']))
    rows = [[build['name'], build['tested'], WHEN.get(build['runs'], build['runs']).format(days), build['compiler'], build['standard'],
             build.get('targets', ''), build.get('sanitizers', '').replace(',', ', ')] for build in ordered]
    return ''.join(f'| {" | ".join(cells)} |\n' for cells in [TITLES, ['---'] * len(TITLES), *rows])


def draw(only_check=''):
    path = os.path.join(root, 'docs/tested.md')
    with open(path, encoding='utf-8') as file:
        text = file.read()
    drawn = re.sub(r'(<!-- table -->\n).*?(<!-- end -->)', lambda found: found[1] + table() + found[2], text, flags=re.DOTALL)
    if only_check:
        sys.exit(drawn != text or table() not in drawn)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(drawn)


if __name__ == '__main__':
    command, *given = sys.argv[1:]
    if command == 'run':
        print('\n'.join(chosen(given[0] == 'yes', int(given[1]))))
    elif command == 'fields':
        print(fields(given[0], given[1] == 'yes'))
    else:
        {'setup': setup, 'draw': draw}[command](*given)
