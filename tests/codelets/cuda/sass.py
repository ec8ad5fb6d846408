# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""The code of kernels as cuobjdump prints it: which instructions a thread executes, and what the kernel takes of a multiprocessor.

A thread does not execute every instruction. Code.path holds the common path: of all paths from the entry to the end those that access the
most bytes, which are the threads of whole blocks, and of those the one with the fewest instructions. It is that of a forward transform
without a scale, of dense rows, whose numbers all fit into 16 bits. Code.counts holds every instruction. Of kernels whose threads take
different ways through their butterflies, every instruction is taken for common (take_all): a warp executes what any of its threads does.
"""
import collections
import math
import re
import subprocess

KINDS = {'f32': ('FADD', 'FMUL', 'FFMA'), 'f64': ('DADD', 'DMUL', 'DFMA')}
HALF = ('HADD2', 'HMUL2', 'HFMA2')
ACCESSES = ('LDS', 'STS', 'LDG', 'STG')
ACCESS_BYTES = {'128': 16, '64': 8, 'U16': 2, 'S16': 2, 'U8': 1, 'S8': 1}
INSTRUCTION = re.compile(r'\s+/\*([0-9a-f]{4,})\*/\s+(?:@(!?U?P\w+)\s+)?([A-Z0-9_.]+)(.*)')

# An H100 or H200: what limits resident blocks.
REGISTERS, SHARED_BYTES, THREADS, BLOCKS = 65536, 233472, 2048, 32


class Instruction:
    def __init__(self, address, condition, name, rest):
        self.address, self.condition = address, condition
        self.parts = name.split('.')
        self.kind = self.parts[0]
        target = re.search(r'0x([0-9a-f]+)', rest) if self.kind == 'BRA' else None
        self.target = int(target[1], 16) if target else None
        # BRA P1, 0x40 has its condition among the operands.
        self.always = condition in (None, 'PT') and not re.match(r'\s*!?U?P\d', rest)

    def bytes(self):
        if self.kind not in ACCESSES:
            return 0
        return next((ACCESS_BYTES[part] for part in self.parts if part in ACCESS_BYTES), 4)


class Code:
    """Of one kernel. Counters by kind: all instructions, those of the common path, and the bytes that the latter access."""

    def __init__(self):
        self.instructions, self.registers, self.flushes = [], 0, 0
        self.counts, self.path, self.bytes = collections.Counter(), collections.Counter(), collections.Counter()
        self.loops = []  # first and last instruction of each
        self.steps = []  # the common path, by number

    def finish(self):
        code = [one for one in self.instructions if one.kind != 'NOP' and one.target != one.address]  # what follows the end
        self.instructions = code
        index = {one.address: i for i, one in enumerate(code)}
        for one in code:
            self.counts[one.kind] += 1
            self.flushes += 'FTZ' in one.parts
        order, after = self.order_of(index)
        # Backwards: the most bytes from here to the end, then the fewest instructions, and the next instruction of that path.
        best = {len(code): (0, 0, None)}
        for i in order:
            bytes_after, less, to = max((best[to][0], best[to][1], to) for to in after[i])
            best[i] = (bytes_after + code[i].bytes(), less - 1, to)
        i = 0
        while i < len(code):
            self.steps.append(i)
            i = best[i][2]
        self.follow(1)

    def order_of(self, index):
        """Each instruction after those that may follow it, and which these are. Branches that close a loop are left out."""
        code, end = self.instructions, len(self.instructions)
        after, order, on_path, waiting = {}, [], set(), [(0, False)]
        while waiting:
            i, done = waiting.pop()
            if done:
                on_path.remove(i)
                order.append(i)
                continue
            if i in after or i == end:
                continue
            one = code[i]
            nexts = [] if one.always and one.kind in ('EXIT', 'BRA') else [i + 1]
            nexts += [end] if one.kind == 'EXIT' else [index[one.target]] if one.kind == 'BRA' else []
            closed = [to for to in nexts if to in on_path]
            self.loops += [(first, i) for first in closed]
            after[i] = [to for to in nexts if to not in on_path]
            if not after[i]:  # the loop is left in its middle
                after[i] = [end if other.kind == 'EXIT' else index[other.target] for other in code[closed[0]:i]
                            if other.kind == 'EXIT' or other.kind == 'BRA' and index[other.target] > i]
            on_path.add(i)
            waiting.append((i, True))
            waiting += [(to, False) for to in after[i]]
        return order, after

    def take_all(self):
        self.steps = list(range(len(self.instructions)))

    def follow(self, trips):
        """Counts the common path, the instructions of a loop `trips` times."""
        self.path.clear()
        self.bytes.clear()
        for i in self.steps:
            times = trips if any(first <= i <= last for first, last in self.loops) else 1
            self.path[self.instructions[i].kind] += times
            self.bytes[self.instructions[i].kind] += times * self.instructions[i].bytes()


def codes_of(cuobjdump, binary):
    """{kernel: Code} of a fatbin or cubin."""
    def run(option):
        return subprocess.run([cuobjdump, option, binary], capture_output=True, text=True, check=True).stdout
    codes, kernel = {}, None
    for line in run('-sass').splitlines():
        if match := re.search(r'Function : (\w+)', line):
            kernel = codes.setdefault(match[1], Code())
        elif (match := INSTRUCTION.match(line)) and kernel is not None:
            kernel.instructions.append(Instruction(int(match[1], 16), match[2], match[3], match[4]))
    for name, registers in re.findall(r'Function (\w+):\s+REG:(\d+)', run('-res-usage')):
        codes[name].registers = int(registers)
    for code in codes.values():
        code.finish()
    return codes


def resident_blocks(registers, threads, shared):
    """Blocks that a multiprocessor holds at once."""
    warps = math.ceil(threads / 32)
    by_registers = REGISTERS // (math.ceil(registers * 32 / 256) * 256 * warps)
    return min(by_registers, SHARED_BYTES // (shared + 1024), THREADS // (32 * warps), BLOCKS)


def arithmetic_of(counts):
    """Instructions (f32 and 16 bits, f64)."""
    return sum(counts[kind] for kind in KINDS['f32'] + HALF), sum(counts[kind] for kind in KINDS['f64'])


def other_of(counts):
    """Instructions that neither compute nor access memory."""
    return counts.total() - sum(arithmetic_of(counts)) - sum(counts[kind] for kind in ACCESSES) - counts['BAR'] - counts['EXIT']
