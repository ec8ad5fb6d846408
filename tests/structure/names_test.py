#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Names of formats mean nothing else: names_test.py ROOT GENFFT C_COMPILER [-- CXX_COMPILER]. Needs Python's own library alone.

Words that the parsers of problems and recipes know, names of the build's targets, and the compilers' own macros are refused by
`ulpfft-genfft check`. What it accepts compiles as an identifier of C and of C++, whatever standard header came before.
"""
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile

root, genfft = sys.argv[1:3]
split = sys.argv.index('--')
cc, cxx = sys.argv[3:split], sys.argv[split + 1:]
own = {name[:-5] for name in os.listdir(os.path.join(root, 'genfft/formats')) if name.endswith('.json')}
with open(os.path.join(root, 'genfft/formats/e4m3.json'), encoding='utf-8') as file:
    template = json.load(file)
failures = []
random.seed(15)

NAME = re.compile(r'[a-z][a-z0-9_]*')
C_HEADERS = ['assert', 'complex', 'ctype', 'errno', 'fenv', 'float', 'inttypes', 'iso646', 'limits', 'locale', 'math', 'setjmp', 'signal', 'stdalign',
             'stdarg', 'stdatomic', 'stdbool', 'stddef', 'stdint', 'stdio', 'stdlib', 'stdnoreturn', 'string', 'tgmath', 'threads', 'time', 'uchar',
             'wchar', 'wctype']


def read(path):
    with open(os.path.join(root, path), encoding='utf-8') as file:
        return file.read()


def language_words():
    """Every string literal of the parsers and of the tables they use that is one word, but for the punctuation around it."""
    words = {}
    for path in ('wisdom/problem_text.cc', 'wisdom/recipe.cc', 'wisdom/storage_names.cc', 'codelets/contract/twiddle_form.h',
                 'planner/scheme/wide.cc', 'planner/scheme/rounded.cc', 'planner/scheme/mx.cc'):
        for word in re.findall(r'"[ :|]*([a-z][a-z0-9_]*)[:=(]?"', read(path)):
            words[word] = path
    rules = re.search(r'kScaleRuleNames\[[^=]*= *\{([^}]*)\}', read('codelets/contract/format_info.h')).group(1)
    words.update((word, 'codelets/contract/format_info.h') for word in re.findall(r'"([a-z]+)"', rules))
    targets = re.search(r"option\('targets'.*?choices: \[([^]]*)\]", read('meson_options.txt'), re.S).group(1)
    words.update((word, 'meson_options.txt') for word in re.findall(r"'([a-z0-9_]+)'", targets))
    words.update((folder, 'codelets/') for folder in ('ref', 'hwy', 'cuda'))
    return {word: path for word, path in words.items() if word not in own and not word.endswith('_')}


def macros(compiler, language, headers, *options):
    """Lower-case macros that are there after these headers; an empty set where the compiler has not got them all."""
    text = ''.join(f'#include <{header}.h>\n' for header in headers)
    done = subprocess.run([*compiler, *options, '-x', language, '-dM', '-E', '-'], input=text, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return set(re.findall(r'^#define ([a-z][a-z0-9_]*)\b', done.stdout, re.M)) if done.returncode == 0 else set()


def check(name):
    """None where it is accepted, else what is said."""
    path = os.path.join(folder, 'one.json')
    with open(path, 'w', encoding='utf-8') as file:
        json.dump({**template, 'name': name}, file)
    done = subprocess.run([genfft, 'check', path], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return None if done.returncode == 0 else done.stderr


def expect_refused(name, why):
    said = check(name)
    if said is None:
        failures.append(f'{name} is accepted, but is {why}: genfft/format/reserved_names.cc')
        return
    suggested = re.search(r'a possible name is ([a-z0-9_]+)$', said.strip())
    if '/name' not in said or f"'{name}'" not in said or suggested is None:
        failures.append(f'{name}: {said!r}')
    elif check(suggested.group(1)) is not None:
        failures.append(f'{name}: the name proposed is refused: {check(suggested.group(1))!r}')


def expect_identifiers(names):
    headers = ''.join(f'#include <{header}.h>\n' for header in C_HEADERS if header not in ('tgmath', 'threads', 'stdatomic'))
    c = headers + ''.join(f'struct s{i} {{ int {name}; }};\n' for i, name in enumerate(names))
    cpp = headers + '#include <algorithm>\n#include <cmath>\n#include <string>\n#include <thread>\nnamespace formats {\n' + ''.join(
        f'struct {name} {{ static constexpr int value = {i}; }};\nconstexpr int of_{i} = {name}::value;\n' for i, name in enumerate(names)) + '}\n'
    for compiler, language, text in ((cc, 'c', c), (cxx, 'c++', cpp)):
        done = subprocess.run([*compiler, '-x', language, *(['-std=c++20'] if language == 'c++' else ['-std=gnu11']), '-fsyntax-only', '-'], input=text, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode != 0:
            failures.append(f'accepted names do not compile as {language}:\n{done.stdout[:2000]}')


with tempfile.TemporaryDirectory() as folder:
    words = language_words()
    if len(words) < 60:
        failures.append(f'only {len(words)} words were found in the parsers')
    for word, path in sorted(words.items()):
        expect_refused(word, f'a word of {path}')
    of_compilers = macros(cc, 'c', []) | macros(cxx, 'c++', []) | macros(cc, 'c', C_HEADERS, '-std=c11')
    if not {'errno', 'assert'} <= of_compilers:
        failures.append(f'only these macros were found: {sorted(of_compilers)}')
    for word in sorted(word for word in of_compilers if len(word) <= 32):  # longer ones are no names
        expect_refused(word, 'a macro')
    for word in ('main', 'std', 'inf', 'nan', 'dd', 'errno', 'linux', 'unix', 'a__b', 'a__', 'n1', 'n4096', 'p64', 'b32', 'int', 'template', 'restrict'):
        expect_refused(word, 'reserved')
    letters = 'abcdefghijklmnopqrstuvwxyz'
    names = {''.join(part) for part in itertools.chain(letters, random.sample(list(itertools.product(letters, letters + '0123456789_')), 100))}
    names |= {random.choice(letters) + ''.join(random.choices(letters + '0123456789_', k=random.randint(2, 31))) for _ in range(100)}
    accepted = sorted(name for name in names if check(name) is None)
    if len(accepted) < len(names) // 2:
        failures.append(f'only {len(accepted)} of {len(names)} random names are accepted')
    expect_identifiers(sorted(own | set(accepted)))
    for mark, name in ((b'\xef\xbb\xbf', 'UTF-8'), (b'\xff\xfe', 'UTF-16'), (b'\xfe\xff', 'UTF-16')):
        path = os.path.join(folder, 'marked.json')
        with open(path, 'wb') as file:
            file.write(mark + json.dumps(template).encode())
        done = subprocess.run([genfft, 'check', path], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if done.returncode == 0 or 'byte order mark' not in done.stderr:
            failures.append(f'a byte order mark of {name}: {done.returncode}, {done.stderr!r}')

print(f'{"FAIL" if failures else "PASS"} names of formats: {len(words)} words of problems and recipes and {len(of_compilers)} macros are refused, '
      f'{len(accepted)} of {len(names)} random names compile')
for failure in failures:
    print('  ' + failure)
sys.exit(1 if failures else 0)
