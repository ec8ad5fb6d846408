# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""How a program of the table runs, and how its numbers are compared."""
import array
import glob
import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from typing import Callable

from harness import HANG

PYTHON = '/usr/bin/python3'  # the one that Debian's packages are for


@dataclass
class Row:
    """A program. `results` runs it and returns texts, which must be equal, and lists of numbers, which may differ by `bound`."""
    name: str
    package: str
    needs: list  # programs, patterns of files, or modules of Debian's Python: 'module:NAME'
    storages: tuple  # in which transforms must have been made
    bound: float  # of the largest difference, relative to the largest number
    results: Callable
    full: bool = False
    counts: str = 'calls'  # or 'plans', of a program that only plans; '' where it must not run on this library


def absent(needs):
    """Those that are not here."""
    def here(need):
        if need.startswith('module:'):
            words = [PYTHON, '-c', 'import ' + need[7:]]
            return os.path.exists(PYTHON) and subprocess.run(words, stderr=subprocess.DEVNULL, check=False).returncode == 0
        return glob.glob(need) if need.startswith('/') else shutil.which(need)
    return [need for need in needs if not here(need)]


class Failure(Exception):
    pass


class Way:
    """Runs programs as they are ('fftw'), by the tool ('run') or on the folder's libraries ('folder'), in a folder of its own."""

    def __init__(self, name, row, root, build):
        self.name = name
        self.programs = os.path.join(root, 'tests', 'fftw3', 'programs')
        self.here = os.path.abspath(os.path.join(row.replace(' ', '_'), name))
        self.records = os.path.join(self.here, 'records')
        self.tool = os.path.join(build, 'tools', 'ulpfft', 'ulpfft')
        self.library_path = os.path.join(build, 'bindings', 'fftw3')
        self.transforms = []
        os.makedirs(self.records)

    def path(self, name):
        return os.path.join(self.here, name)

    def call(self, *words, text='', launcher=(), status=0, **environment):
        """What the program printed, errors included. A launcher, such as mpirun, starts the tool, so that the tool starts the program."""
        around = [self.tool, 'run', '--report', self.path('report-%p.json'), '--'] if self.name == 'run' else []
        variables = {**os.environ, **environment}
        if self.name != 'run':
            variables['ULPFFT_FFTW_REPORT'] = self.records
        if self.name == 'folder':
            variables['LD_LIBRARY_PATH'] = self.library_path
        given = text.encode() if isinstance(text, str) else text
        done = subprocess.run([*launcher, *around, *words], cwd=self.here, env=variables, input=given, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False, timeout=HANG)
        shown = done.stdout.decode(errors='replace')
        if done.returncode != status:
            raise Failure(f'{self.name}: {" ".join(map(str, words))}: status {done.returncode}\n{shown[-2000:]}')
        self.count()
        return shown

    def count(self):
        for path in glob.glob(self.path('report-*.json')):
            with open(path, encoding='utf-8') as file:
                self.transforms += [transform for process in json.load(file)['processes'] for transform in process['transforms']]
            os.remove(path)
        for path in glob.glob(os.path.join(self.records, '*')):
            with open(path, encoding='utf-8') as file:
                for line in file:
                    what, _, _, storage, problem, plans, calls, *_ = line.split('\t')
                    if what == 'transform':
                        self.transforms.append({'storage': storage, 'problem': problem, 'plans': int(plans), 'calls': int(calls)})
            os.remove(path)


def difference(ours, theirs):
    """The largest one, relative to the largest number."""
    largest = max(abs(x) for x in theirs)
    if ours == theirs:
        return 0.0
    if largest == 0 or any(x != x for x in (*ours, *theirs)):
        return float('inf')
    return max(abs(x - y) for x, y in zip(ours, theirs)) / largest


def floats(data, code='f'):
    """The numbers of a file or of bytes."""
    if isinstance(data, str):
        with open(data, 'rb') as file:
            data = file.read()
    return array.array(code, data[:len(data) // array.array(code).itemsize * array.array(code).itemsize])


def json_lists(text):
    """Named lists of numbers, which a script printed as its last line."""
    return json.loads(text.strip().split('\n')[-1])
