# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Budgets of CUDA kernels, and the kernels that miss one, with a bound in its place.

A quantity of a kernel passes within its budget. Beyond it, budgets.txt must hold a bound, which the kernel may not pass, and a reason:

    reason QUANTITY,... KERNELS: TEXT     KERNELS is a regular expression for whole names; TEXT is for the reader and may have lines
    bound KERNEL QUANTITY VALUE ...

A kernel that is better than its bound passes and is named; --write of the tests notes the present values. A miss without a reason fails.
"""
import re
import subprocess

PER_LENGTH = {64: 38, 256: 42, 1024: 50, 4096: 50, 8192: 58, 16384: 62}  # instructions per point in f32
L1_BYTES, CACHE = {'f32': 64, 'f64': 128, 'f16': 44}, 256 * 1024


class Kernel:
    """Facts of a kernel, from cuda_print_facts. Its storage is that of the narrower end, its budgets those of this storage."""

    def __init__(self, line):
        self.name, smoke, self.recipe, *rest = line.split('\t')
        self.kind = rest.pop(4)
        self.threads, self.per_block, self.shared, self.tables, *rest = map(int, rest)
        in_bits, out_bits, self.bits, self.n, self.passes, self.radix = rest
        self.smoke = smoke == '1'
        self.storage = f'f{min(in_bits, out_bits)}'
        self.points = self.n * self.per_block

    def is_power_of_two(self):
        return self.n & (self.n - 1) == 0


def kernels_of(print_facts):
    lines = subprocess.run([print_facts], capture_output=True, text=True, check=True).stdout.splitlines()
    return {kernel.name: kernel for kernel in map(Kernel, lines)}


def instructions(kernel):
    """Of a power of two, by the next length of the table. The factors of a twisted sweep have no budget."""
    if not kernel.is_power_of_two() or not 64 <= kernel.n <= 16384 or kernel.kind == 'twisted':
        return None
    return PER_LENGTH[min(n for n in PER_LENGTH if n >= kernel.n)] + {'f32': 0, 'f64': 5, 'f16': 4}[kernel.storage]


def registers(kernel):
    if kernel.bits == 64:
        return 128 if kernel.radix > 8 else 64
    return 64 if kernel.radix > 8 or kernel.storage == 'f16' else 40


def warps(kernel):
    return 16 if kernel.bits == 64 or kernel.n == 16384 else 24


def margin(f32, f64, f16):
    return lambda kernel: {'f32': f32, 'f64': f64, 'f16': f16}[kernel.storage]


# Name: sign, digits, budget of a kernel. A sign of -1: not more than; 1: not less than.
QUANTITIES = {
    'registers': (-1, 0, registers),
    'blocks': (1, 0, lambda kernel: 1 if kernel.n == 16384 else 2),
    'warps': (1, 0, warps),
    'tables': (-1, 0, None),  # takes the resident blocks: tables_budget
    'barriers': (-1, 0, lambda kernel: max(0, 2 * (kernel.passes - 1) - 1)),
    'instructions': (-1, 1, instructions),
    'other': (-1, 1, lambda kernel: 6 if kernel.storage == 'f32' else 8),
    'l1_bytes': (-1, 1, lambda kernel: L1_BYTES[kernel.storage]),
    'issue': (1, 2, margin(2.0, 3.0, 1.1)),
    'l1': (1, 2, margin(1.5, 2.0, 1.2)),
    'latency': (-1, 2, margin(0.6, 0.8, 0.8)),
    'vkfft': (-1, 2, lambda kernel: 0.85 if kernel.n == 64 else 0.80),
}


def budget_of(quantity, kernel, blocks):
    if quantity == 'tables':  # what shared memory leaves of the first cache
        return CACHE - blocks * (kernel.shared + 1024)
    return QUANTITIES[quantity][2](kernel)


class Bounds:
    def __init__(self, path):
        self.path, self.reasons, self.bounds, self.head = path, [], {}, []
        with open(path, encoding='utf-8') as file:
            for line in file:
                if match := re.match(r'reason (\S+) (\S+):', line):
                    self.reasons.append((match[1].split(','), re.compile(match[2])))
                if line.startswith('bound '):
                    _, name, *pairs = line.split()
                    self.bounds[name] = dict(zip(pairs[::2], map(float, pairs[1::2])))
                else:
                    self.head.append(line)

    def has_reason(self, quantity, name):
        return any(quantity in quantities and pattern.fullmatch(name) for quantities, pattern in self.reasons)

    def judge(self, kernel, blocks, quantity, value):
        """(fault, note) of a value, either may be None."""
        sign, digits, _ = QUANTITIES[quantity]
        value, budget = round(value, digits), budget_of(quantity, kernel, blocks)
        bound = self.bounds.get(kernel.name, {}).get(quantity)
        if budget is None or sign * value >= sign * budget:
            return None, None if bound is None else f'{kernel.name}: {quantity} {value:g} is within its budget {budget:g}'
        if bound is None:
            return f'{kernel.name}: {quantity} {value:g}, the budget is {budget:g}', None
        if sign * value < sign * bound:
            return f'{kernel.name}: {quantity} {value:g} is worse than its bound {bound:g}; the budget is {budget:g}', None
        if not self.has_reason(quantity, kernel.name):
            return f'{kernel.name}: no reason in {self.path} covers {quantity} {value:g}; the budget is {budget:g}', None
        return None, None if value == bound else f'{kernel.name}: {quantity} {value:g} is better than its bound {bound:g}'

    def gate(self, kernels, values, report):
        """values: {name: (resident blocks, {quantity: value})}. Reports by report(name of the check, faults)."""
        verdicts = [self.judge(kernels[name], blocks, quantity, value) for name, (blocks, found) in values.items()
                    for quantity, value in found.items()]
        report('kernels keep their budgets, or their bounds in budgets.txt', [fault for fault, _ in verdicts if fault])
        notes = [note for _, note in verdicts if note]
        print(f'{len(notes)} quantities are better than budgets.txt says{"; --write notes it" if notes else ""}')
        print(''.join(f'  {note}\n' for note in notes), end='')
        report('a bound belongs to a kernel', [name for name in self.bounds if name not in kernels])
        unnoticed = []
        for name, (blocks, found) in values.items():
            for quantity in found:
                sign, digits, _ = QUANTITIES[quantity]
                budget = budget_of(quantity, kernels[name], blocks)
                allowed = self.bounds.get(name, {}).get(quantity, budget)
                worse = budget if allowed is None else (min if sign > 0 else max)(allowed, budget)
                if budget is not None and not self.judge(kernels[name], blocks, quantity, worse - sign * 10 ** -digits)[0]:
                    unnoticed.append(f'{name}: {quantity} {worse:g}')
        report('a number that is worse by one digit is noticed', unnoticed)

    def write(self, kernels, values):
        """Notes what misses its budget, of the quantities in `values`; those of other tests stay."""
        for name, (blocks, found) in values.items():
            row = self.bounds.setdefault(name, {})
            for quantity, value in found.items():
                sign, digits, _ = QUANTITIES[quantity]
                value, budget = round(value, digits), budget_of(quantity, kernels[name], blocks)
                row.pop(quantity, None)
                if budget is not None and sign * value < sign * budget:
                    row[quantity] = value
        with open(self.path, 'w', encoding='utf-8') as file:
            file.writelines(self.head)
            for name in kernels:
                if row := self.bounds.get(name):
                    pairs = [f'{quantity} {row[quantity]:g}' for quantity in QUANTITIES if quantity in row]
                    file.write(f'bound {name} {" ".join(pairs)}\n')
