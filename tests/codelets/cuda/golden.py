# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""The CUDA kernels as their tests know them: their facts, and the golden table of what nvcc makes of them, one row a kernel.

A column belongs to the test that fills it. A value that differs fails that test, where nvcc is the version that the table names; another
version has its differences reported. --write of a test replaces its columns.
"""
import re
import subprocess

FACTS = ('threads', 'per_block', 'shared', 'tables')  # whatever compiles the kernel
REGISTERS = ('sm_80', 'sm_90', 'sm_100')
COLUMNS = (*REGISTERS, 'spilled', *FACTS, 'store', 'issue', 'l1')
HEAD = '''\
# nvcc {version}. What the tests cuda_ptxas and cuda_static find in each CUDA kernel.
#
# sm_80, sm_90, sm_100  registers of a thread             threads    of a block
# spilled               bytes, on all three of them       per_block  transforms of a block; conversions: reals
# store                 bytes of a store to an array      shared     bytes of a block
# issue, l1             memory cycles of a point over     tables     bytes
#                       those of its instructions and of the bytes of the first cache, on sm_90: above 1 memory is the limit. They follow
#                       from the code and published figures of an H200 (static_test.py); no GPU measured them.
'''
HINT = '--write replaces the table if the change is meant'


class Kernel:
    """Facts of a kernel, from cuda_print_facts. Its storage is that of the narrower end."""

    def __init__(self, line):
        self.name, smoke, self.kind, *rest = line.split('\t')
        self.smoke = smoke == '1'
        self.threads, self.per_block, self.shared, self.tables, in_bits, out_bits, self.n = map(int, rest)
        self.storage = f'f{min(in_bits, out_bits)}'
        self.stored = out_bits // 8 * (1 if self.kind == 'convert' else 2)  # bytes of what a store holds

    def facts(self):
        return {column: str(getattr(self, column)) for column in FACTS}


def kernels_of(print_facts):
    lines = subprocess.run([print_facts], capture_output=True, text=True, check=True).stdout.splitlines()
    return {kernel.name: kernel for kernel in map(Kernel, lines)}


class Golden:
    """rows: {kernel: {column: text}}."""

    def __init__(self, path):
        self.path, self.version, self.rows = path, '', {}
        with open(path, encoding='utf-8') as file:
            for line in file:
                if match := re.match(r'# nvcc ([\d.]+\d)', line):
                    self.version = match[1]
                name, *values = line.split() or ['']
                if name and name not in ('#', 'kernel'):
                    self.rows[name] = dict(zip(COLUMNS, values))

    def differences(self, values):
        """Of {kernel: {column: text}}, which need not hold all kernels nor all columns."""
        return [f'{name}: {column} {value}, was {self.rows.get(name, {}).get(column, "unknown")}; {HINT}'
                for name, row in values.items() for column, value in row.items() if self.rows.get(name, {}).get(column) != value]

    def gate(self, what, version, values, report):
        """A check of what nvcc of the version made. Reports by report(name of the check, faults)."""
        differences = self.differences(values)
        if version == self.version:
            report(f'{what} are those of the golden table', differences)
        else:
            print(f'{what} of nvcc {version}, the golden table is of {self.version}: {len(differences)} differ')
            print(''.join(f'  {line}\n' for line in differences), end='')

    def write(self, names, version, values):
        for name, row in values.items():
            self.rows.setdefault(name, {}).update(row)
        with open(self.path, 'w', encoding='utf-8') as file:
            file.write(HEAD.format(version=version))
            for name, row in [('kernel', dict(zip(COLUMNS, COLUMNS)))] + [(name, self.rows.get(name, {})) for name in names]:
                file.write(f'{name:25}' + ''.join(f' {row.get(column, "-"):>9}' for column in COLUMNS) + '\n')
