# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""The code of kernels as cuobjdump prints it: which instructions a thread executes, and what the kernel takes of a multiprocessor.

A thread does not execute every instruction: the scale 1 jumps over multiplications, and numbers that all fit into 16 bits over clamps and
counts. Code.path holds the common path: of all paths from the entry to the end those that access the most bytes, which are the threads
of whole blocks, and of those the one with the fewest instructions. Code.counts holds every instruction.
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
        self.instructions, self.registers = [], 0
        self.counts, self.path, self.bytes = collections.Counter(), collections.Counter(), collections.Counter()
        self.flushes, self.loops = 0, 0

    def finish(self):
        code = [one for one in self.instructions if one.kind != 'NOP' and one.target != one.address]  # what follows the end
        self.instructions = code
        index = {one.address: i for i, one in enumerate(code)}
        # Backwards: the most bytes from here to the end, then the fewest instructions, and the next instruction of that path. A branch
        # backwards closes a loop, whose instructions are counted once.
        best = [None] * (len(code) + 1)
        best[len(code)] = (0, 0, len(code))
        for i in range(len(code) - 1, -1, -1):
            one = code[i]
            after = [] if one.kind == 'EXIT' and one.always or one.kind == 'BRA' and one.always else [i + 1]
            if one.kind == 'EXIT':
                after.append(len(code))
            elif one.kind == 'BRA' and one.target in index:
                to = index[one.target]
                self.loops += to <= i
                after.append(to if to > i else i + 1)
            most = max((best[to][0], best[to][1], -to) for to in after)
            best[i] = (most[0] + one.bytes(), most[1] - 1, -most[2])
        i = 0
        while i < len(code):
            self.path[code[i].kind] += 1
            self.bytes[code[i].kind] += code[i].bytes()
            i = best[i][2]
        for one in code:
            self.counts[one.kind] += 1
            self.flushes += 'FTZ' in one.parts


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
