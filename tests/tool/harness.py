# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""What tests of the command-line tool share: to run it, to say what was wrong, and files of numbers. Python's own library alone."""
import itertools
import os
import re
import struct
import subprocess
import sys
import tempfile

HANG = 3000  # seconds after which nothing more is expected of a process, short of the 3600 after which meson ends a test; no load takes one so long
problems = []  # of the case that runs


def command(program, *first):
    """A function that runs the program and returns its status, output and errors; named arguments are environment variables."""
    program = os.path.abspath(program)

    def run(*arguments, **environment):
        done = subprocess.run([program, *first, *arguments], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                              env={**os.environ, **environment})
        return done.returncode, done.stdout, done.stderr
    return run


def succeeding(run):
    """A function that runs the program, expects it to succeed, and returns its output."""
    def good(*arguments):
        status, output, errors = run(*arguments)
        expect(status == 0, f'{arguments}: status {status}, {errors}')
        return output
    return good


def commands(run):
    """Every command of the tool, as the words that call it: ('plan',), ('mri',), ('mri', 'recon'), ..."""
    def below(words):
        listed = succeeding(run)(*words, '--help').split('Subcommands:\n')
        for line in listed[1].split('\n\n')[0].split('\n') if len(listed) > 1 else ():
            if re.match(r'  \w', line):  # others are the rest of a description
                yield (*words, line.split()[0])
                yield from below((*words, line.split()[0]))
    return list(below(()))


def expect(condition, text):
    if not condition:
        problems.append(text)


def run_cases(prefix, cases):
    """Runs each case in one scratch folder, and ends the program. A case that returns a text was skipped, for that reason."""
    failures = 0
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        for case in cases:
            skipped = ''
            try:
                skipped = case() or ''
            except Exception as error:  # what the tool printed was not what the case reads
                problems.append(f'{type(error).__name__}: {error}')
            name = f'{prefix} {case.__name__.replace("_", " ")}'
            print(f'{"FAIL" if problems else "SKIP" if skipped else "PASS"} {name}' + (f': {skipped}' if skipped and not problems else ''))
            for problem in problems:
                print('  ' + problem.replace('\n', '\n  '))
            failures += bool(problems)
            problems.clear()
        os.chdir('/')
    sys.exit(1 if failures else 0)


def marked_word(errors):
    """The word that an error message underlines: ^~~~ below it."""
    lines = errors.split('\n')
    for above, below in zip(lines, lines[1:]):
        mark = below.strip()
        if mark and set(mark) <= {'^', '~'} and mark[0] == '^':
            begin = below.index('^')
            return above[begin:begin + len(mark)]
    return ''


# ---- .npy: numbers in the order of the file --------------------------------------------------------------------------------------

NPY_CODES = {'<c8': 'ff', '<c16': 'dd', '<f4': 'f', '<f8': 'd', '|u1': 'B', '|i1': 'b', '<u2': 'H', '<i2': 'h', '<i4': 'i', '<f2': 'e'}


def indices(shape, fortran=False):
    """The indices of an array in the order of a file."""
    if fortran:
        return [index[::-1] for index in itertools.product(*(range(n) for n in reversed(shape)))]
    return list(itertools.product(*(range(n) for n in shape)))


def write_npy(path, shape, numbers, descr, fortran=False, version=1):
    header = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n" % (descr, fortran, tuple(shape))
    flat = [part for number in numbers for part in ((number.real, number.imag) if descr[1] == 'c' else (number.real,))]
    with open(path, 'wb') as file:
        file.write(b'\x93NUMPY' + bytes([version, 0]) + struct.pack('<H' if version == 1 else '<I', len(header)) + header.encode())
        file.write(struct.pack(f'<{len(flat)}{NPY_CODES[descr][0]}', *flat))


def read_npy(path):
    with open(path, 'rb') as file:
        data = file.read()
    expect(data[:8] == b'\x93NUMPY\x01\x00', f'{path} is no .npy of version 1')
    length = struct.unpack('<H', data[8:10])[0]
    expect((10 + length) % 64 == 0, f'the numbers of {path} begin at {10 + length}')
    header = eval(data[10:10 + length], {})  # written by the tool under test
    codes = NPY_CODES[header['descr']]
    return header, [complex(*number) if len(codes) == 2 else number[0] for number in struct.iter_unpack('<' + codes, data[10 + length:])]
