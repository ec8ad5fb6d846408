#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""The code of CUDA kernels for sm_90 has the arithmetic that the generator counts, and nothing that it did not ask for.

    static_test.py [--write] NVCC CUOBJDUMP ROOT GENERATED OPERATIONS GROUPS OUT GOLDEN

NVCC or CUOBJDUMP may be '' where there is none: then the test is left out. cuobjdump is a package of its own on PyPI,
nvidia-cuda-cuobjdump. ULPFFT_TEST_FULL compiles all groups, else group 0 alone. Another version of nvcc than the one that GOLDEN names has
its instructions reported, not compared. OUT gets cuda_static.txt: occupancy, and a bound on speed. --write replaces GOLDEN (all groups).
"""
import collections
import math
import os
import re
import subprocess
import sys

MORE = 2  # operations of a kind that a compiler may add
FORBIDDEN = ('MUFU', 'LDL', 'STL')
KINDS = {'f32': ('FADD', 'FMUL', 'FFMA'), 'f64': ('DADD', 'DMUL', 'DFMA')}
INSTRUCTION = re.compile(r'\s+/\*([0-9a-f]{4,})\*/\s+(?:@!?U?P\w+\s+)?([A-Z0-9_.]+)(.*)')
ACCESS_BYTES = {'128': 16, '64': 8, 'U16': 2, 'S16': 2, 'U8': 1, 'S8': 1}

# H200 as published: multiprocessors, clock, and the share of its bandwidth that copies of earlier devices reached. Not measured here.
CARD = {'name': 'H200', 'multiprocessors': 132, 'clock': 1.755e9, 'copy': 4.8e12 * 0.90, 'l2': 34.0}

write = sys.argv[1] == '--write'
nvcc, cuobjdump, root, generated, operations, groups, out, golden_path = sys.argv[2 if write else 1:]
full = write or bool(os.environ.get('ULPFFT_TEST_FULL'))
failures = 0


def report(name, faults):
    global failures
    print(f'{"FAIL" if faults else "PASS"} {name}')
    for fault in faults:
        print(f'  {fault}')
    failures += bool(faults)


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


class Code:
    """The code of a kernel: instructions by name, bytes of memory accesses of a thread, what must not be there."""

    def __init__(self):
        self.counts, self.bytes, self.flushes, self.loops, self.registers = collections.Counter(), collections.Counter(), 0, 0, 0

    def add(self, address, name, rest):
        parts = name.split('.')
        target = re.search(r'0x([0-9a-f]+)', rest) if parts[0] == 'BRA' else None
        if parts[0] == 'NOP' or target and int(target[1], 16) == address:
            return  # what follows the end
        self.loops += bool(target and int(target[1], 16) < address)
        self.counts[parts[0]] += 1
        self.flushes += 'FTZ' in parts
        if parts[0] in ('LDS', 'STS', 'LDG', 'STG'):
            self.bytes[parts[0]] += next((ACCESS_BYTES[part] for part in parts if part in ACCESS_BYTES), 4)


def codes_of(fatbin):
    codes, kernel = {}, None
    for line in run(cuobjdump, '-sass', fatbin).splitlines():
        if match := re.search(r'Function : (\w+)', line):
            kernel = codes.setdefault(match[1], Code())
        elif (match := INSTRUCTION.match(line)) and kernel is not None:
            kernel.add(int(match[1], 16), match[2], match[3])
    for name, registers in re.findall(r'Function (\w+):\s+REG:(\d+)', run(cuobjdump, '-res-usage', fatbin)):
        codes[name].registers = int(registers)
    return codes


def compile_group(group):
    fatbin = os.path.join(out, f'cuda_static_{group}.fatbin')
    subprocess.run([nvcc, '-std=c++17', '--fmad=false', '-fatbin', '-gencode', 'arch=compute_90,code=sm_90', f'-I{root}', f'-I{generated}',
                    f'-DULPFFT_CUDA_WANTED={group}', os.path.join(root, 'codelets/cuda/kernels.cu'), '-o', fatbin], check=True)
    return codes_of(fatbin)


def bound_of(facts, code):
    """Occupancy, and cycles per point of a multiprocessor for each resource: the largest is the least that a kernel takes."""
    points, threads, shared, end_bytes = facts['points'], facts['threads'], facts['shared'], facts['bytes']
    warps = math.ceil(threads / 32)
    blocks = min(65536 // (math.ceil(code.registers * 32 / 256) * 256 * warps), 233472 // (shared + 1024), 2048 // (32 * warps), 32)
    counts, per_point = code.counts, threads / points
    f32, f64 = (sum(counts[kind] for kind in KINDS[name]) for name in ('f32', 'f64'))
    half = sum(counts[kind] for kind in ('HADD2', 'HMUL2', 'HFMA2'))
    accesses = sum(counts[kind] for kind in ('LDS', 'STS', 'LDG', 'STG'))
    total = counts.total()
    other = total - f32 - f64 - half - accesses - counts['BAR'] - counts['EXIT']
    cycles = {'issue': total * per_point / 128, 'arithmetic': ((f32 + half) / 128 + f64 / 64) * per_point, 'other': other * per_point / 64,
              'l1': code.bytes.total() * per_point / 128, 'l2': end_bytes / CARD['l2'],
              'memory': end_bytes / (CARD['copy'] / CARD['multiprocessors'] / CARD['clock'])}
    own = points * (max(cycles[name] for name in ('issue', 'arithmetic', 'other', 'l1')) + end_bytes / 128)
    cycles['latency'] = (own + 1200 + 150 * (counts['BAR'] + 1)) / max(blocks, 1) / points
    return blocks, blocks * warps, total * per_point, other * per_point, cycles


def write_bounds(facts_of, found):
    lines = [f'Code for sm_90, and a static model of {CARD["name"]} after published figures: a BOUND on speed that shows bad kernels.',
             'Nothing here was measured on a device, and kernels that no GPU has run are not known to reach it.',
             'Per point: instructions, those that are neither arithmetic nor accesses, cycles of a multiprocessor by resource; limit:',
             'which one it is, and of copy: the most of the speed of a copy that it allows.',
             '*: a loop, whose instructions are counted once.',
             '+: no bound but an estimate on the slow side, because instructions of a rare branch are counted: stores that saturate.', '',
             f'{"kernel":28} regs blocks warps  instr  other  issue  arith    alu     l1     l2 memory latency  limit       of copy']
    for name, code in sorted(found.items()):
        blocks, warps, total, other, cycles = bound_of(facts_of[name], code)
        limit = max(cycles, key=cycles.get)
        share = min(1.0, cycles['memory'] / cycles[limit])
        marks = (' *' if code.loops else '') + (' +' if facts_of[name]['narrow'] else '')
        lines.append(f'{name:28}{code.registers:5}{blocks:7}{warps:6}{total:7.1f}{other:7.1f}' +
                     ''.join(f'{cycle:7.2f}' for cycle in cycles.values()) + f'  {limit:11} {share:7.2f}{marks}')
    path = os.path.join(out, 'cuda_static.txt')
    with open(path, 'w', encoding='utf-8') as file:
        file.write('\n'.join(lines) + '\n')
    print(f'bounds, not measurements: {path}')


if not nvcc or not cuobjdump:
    print('SKIP code of kernels: there is no ' + ('cuobjdump' if nvcc else 'nvcc, or -Dcuda=disabled'))
    sys.exit(77)

facts_of = {}
for line in run(operations).splitlines():
    name, is_smoke, is_narrow, points, threads, shared, end_bytes, real, *counts = line.split('\t')
    facts_of[name] = {'smoke': is_smoke == '1', 'narrow': is_narrow == '1', 'points': int(points), 'threads': int(threads),
                      'shared': int(shared), 'bytes': int(end_bytes), 'type': real, 'operations': [int(count) for count in counts]}
found = {}
for number in range(int(groups) if full else 1):
    found.update(compile_group(number))
wanted = {name for name, facts in facts_of.items() if full or facts['smoke']}
report('every kernel has code', sorted(wanted ^ set(found)))


def arithmetic_faults(name, facts):
    """Operations that the generator did not count, or counted in vain."""
    counts = found[name].counts
    faults = []
    for real, kinds in KINDS.items():
        if facts['type'] == 'none':
            continue  # a conversion scales by powers of two
        expected = facts['operations'] if real == facts['type'] else [0, 0, 0]
        faults += [f'{name}: {counts[kind]} {kind}, the generator counts {count}' for kind, count in zip(kinds, expected)
                   if not count <= counts[kind] <= count + MORE]
    return faults


report(f'arithmetic is what the generator counts, and at most {MORE} more of a kind',
       [fault for name in sorted(wanted & set(found)) for fault in arithmetic_faults(name, facts_of[name])])
def counted_otherwise(facts, kind, change):
    return {**facts, 'operations': [count + change * (i == kind) for i, count in enumerate(facts['operations'])]}


report('operations that are missing or too many are noticed',
       [f'{name}: {kind} changed by {change}' for name in sorted(wanted & set(found)) for kind in range(3)
        for change in (MORE + 1, -MORE - 1)
        if facts_of[name]['type'] != 'none' and not arithmetic_faults(name, counted_otherwise(facts_of[name], kind, change))])
report('no kernel flushes subnormal numbers, has local memory or approximate functions',
       [f'{name}: {code.counts[kind]} {kind}' for name, code in found.items() for kind in FORBIDDEN if code.counts[kind]] +
       [f'{name}: {code.flushes} .FTZ' for name, code in found.items() if code.flushes])
write_bounds(facts_of, {name: found[name] for name in sorted(wanted & set(found))})

version = re.search(r'release ([\d.]+)', run(nvcc, '--version'))[1]
if write:
    with open(golden_path, 'w', encoding='utf-8') as file:
        file.write(f'# nvcc {version}: instructions of a thread for sm_90, all of a kernel\n')
        file.writelines(f'{name} {found[name].counts.total()}\n' for name in facts_of if name in found)
    sys.exit(1 if failures else 0)
with open(golden_path, encoding='utf-8') as file:
    golden_version = re.search(r'nvcc ([\d.]+)', file.readline())[1]
    golden = dict(line.split() for line in file)
changed = [f'{name}: {code.counts.total()} instructions, was {golden.get(name, "unknown")}' for name, code in sorted(found.items())
           if golden.get(name) != str(code.counts.total())]
if version == golden_version:
    report('instructions are those of the golden table', [f'{line}; --write replaces the table if the change is meant' for line in changed])
else:
    print(f'instructions of nvcc {version}, the golden table is of {golden_version}: {len(changed)} differ')
    print('\n'.join('  ' + line for line in changed))
sys.exit(1 if failures else 0)
