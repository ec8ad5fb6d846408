#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""The code of CUDA kernels for sm_90 has the arithmetic that the generator counts, stores whole numbers, and has the margins of the golden
table.

    static_test.py [--write] NVCC CUOBJDUMP ROOT GENERATED FACTS OPERATIONS GROUPS OUT GOLDEN VKFFT

NVCC or CUOBJDUMP may be '' where there is none: then the test is left out. cuobjdump is a package of its own on PyPI,
nvidia-cuda-cuobjdump; it calls nvdisasm, nvidia-cuda-nvdisasm, which is found by PATH or beside it. ULPFFT_TEST_FULL compiles all groups,
else group 0 alone. OUT gets cuda_static.txt: occupancy, and a bound on speed. --write replaces the columns in GOLDEN of what is counted
here (all groups).
VKFFT is the table of vkfft_counts.py.
"""
import os
import re
import subprocess
import sys

import golden
import sass

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../support'))
from verdict import end, report  # noqa: E402

MORE = 2  # operations of a kind that a compiler may add
FORBIDDEN = ('MUFU', 'LDL', 'STL', 'LD', 'ST')
UNROLLED = 4  # loops over points: ULPFFT_UNROLL_FEW
OVER_VKFFT, OVER_VKFFT_64 = 0.80, 0.85  # the most instructions per point over those of VkFFT's kernels, and of 64 points

# H200 as published: multiprocessors, clock, and the share of its bandwidth that copies of earlier devices reached. Not measured here.
CARD = {'name': 'H200', 'multiprocessors': 132, 'clock': 1.755e9, 'copy': 4.8e12 * 0.90, 'l2': 34.0}

write = sys.argv[1] == '--write'
nvcc, cuobjdump, root, generated, print_facts, operations, groups, out, golden_path, vkfft_path = sys.argv[2 if write else 1:]
full = write or bool(os.environ.get('ULPFFT_TEST_FULL'))


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def compile_group(group):
    fatbin = os.path.join(out, f'cuda_static_{group}.fatbin')
    subprocess.run([nvcc, '-std=c++17', '--fmad=false', '-fatbin', '-gencode', 'arch=compute_90,code=sm_90', f'-I{root}', f'-I{generated}',
                    f'-DULPFFT_CUDA_WANTED={group}', os.path.join(root, 'codelets/cuda/kernels.cu'), '-o', fatbin], check=True)
    return sass.codes_of(cuobjdump, fatbin)


def bound_of(facts, code):
    """Resident blocks, and cycles per point of a multiprocessor for each resource: the largest is the least that a kernel takes."""
    points, threads, end_bytes = facts['points'], facts['threads'], facts['bytes']
    per_point = threads / points
    blocks = sass.resident_blocks(code.registers, threads, facts['shared'])
    single, double = sass.arithmetic_of(code.path)
    cycles = {'issue': code.path.total() * per_point / 128, 'arithmetic': (single / 128 + double / 64) * per_point,
              'other': sass.other_of(code.path) * per_point / 64, 'l1': code.bytes.total() * per_point / 128, 'l2': end_bytes / CARD['l2'],
              'memory': end_bytes / (CARD['copy'] / CARD['multiprocessors'] / CARD['clock'])}
    own = points * (max(cycles[name] for name in ('issue', 'arithmetic', 'other', 'l1')) + end_bytes / 128)
    cycles['latency'] = (own + 1200 + 150 * (code.path['BAR'] + 1)) / max(blocks, 1) / points
    return blocks, cycles


def row_of(facts, code):
    """The columns of golden.py."""
    _, cycles = bound_of(facts, code)
    widths = sorted({one.bytes() for one in code.instructions if one.kind == 'STG'})
    return {'store': '/'.join(map(str, widths)), 'issue': f'{cycles["memory"] / cycles["issue"]:.2f}',
            'l1': f'{cycles["memory"] / cycles["l1"]:.2f}'}


def peers_of(path):
    """{(storage, length): instructions per point}, of transforms in one sweep."""
    with open(path, encoding='utf-8') as file:
        rows = [line.split() for line in file if not line.startswith('#')]
    return {(row[0], int(row[1])): float(row[7]) for row in rows if row[2] == '1/1'}


def write_bounds(facts_of, found):
    lines = [f'Code for sm_90, and a static model of {CARD["name"]} after published figures: it shows bad kernels and bounds no speed.',
             'Nothing here was measured on a device, and kernels that no GPU has run are not known to reach it.',
             'Per point, on the common path (forward, scale 1, whole blocks, nothing saturates): instructions, those that are neither',
             'arithmetic nor accesses, cycles of a multiprocessor by resource; limit: which one it is, and of copy: the most of the speed of',
             'a copy that the model allows. all: every instruction of the kernel.', '',
             f'{"kernel":28} regs blocks warps    all  instr  other  issue  arith    alu     l1     l2 memory latency  limit       of copy']
    for name, code in sorted(found.items()):
        facts = facts_of[name]
        blocks, cycles = bound_of(facts, code)
        limit = max(cycles, key=cycles.get)
        share = min(1.0, cycles['memory'] / cycles[limit])
        per_point = facts['threads'] / facts['points']
        counts = (code.counts.total(), code.path.total(), sass.other_of(code.path))
        lines.append(f'{name:28}{code.registers:5}{blocks:7}{blocks * -(-facts["threads"] // 32):6}' +
                     ''.join(f'{count * per_point:7.1f}' for count in counts) +
                     ''.join(f'{cycle:7.2f}' for cycle in cycles.values()) + f'  {limit:11} {share:7.2f}')
    path = os.path.join(out, 'cuda_static.txt')
    with open(path, 'w', encoding='utf-8') as file:
        file.write('\n'.join(lines) + '\n')
    print(f'bounds, not measurements: {path}')


if not nvcc or not cuobjdump:
    print('SKIP code of kernels: there is no ' + ('cuobjdump' if nvcc else 'nvcc, or -Dcuda=disabled'))
    sys.exit(77)

facts_of = {}
for line in run(operations).splitlines():
    name, is_smoke, points, threads, shared, end_bytes, real, parts, *counts = line.split('\t')
    facts_of[name] = {'smoke': is_smoke == '1', 'points': int(points), 'threads': int(threads), 'shared': int(shared),
                      'bytes': int(end_bytes), 'type': real, 'parts': parts == '1', 'operations': [int(count) for count in counts[:3]],
                      'left_out': [0, *(int(count) for count in counts[3:])]}
kernels = golden.kernels_of(print_facts)
found = {}
for number in range(int(groups) if full else 1):
    found.update(compile_group(number))
for name, code in found.items():
    if name in facts_of and facts_of[name]['parts']:
        code.take_all()
    code.follow(max(1, facts_of[name]['points'] // facts_of[name]['threads'] // UNROLLED) if name in facts_of else 1)
wanted = {name for name, facts in facts_of.items() if full or facts['smoke']}
report('every kernel has code', sorted(wanted ^ set(found)))


def arithmetic_faults(name, facts):
    """Operations that the generator did not count, or counted in vain."""
    counts, path = found[name].counts, found[name].path
    faults = []
    for real, kinds in sass.KINDS.items():
        if facts['type'] == 'none':
            continue  # a conversion scales by powers of two
        expected = facts['operations'] if real == facts['type'] else [0, 0, 0]
        # The compiler may have the scale in a text of its own for either direction.
        scale = facts['left_out'][1] - facts['left_out'][2] if real == facts['type'] else 0
        faults += [f'{name}: {counts[kind]} {kind}, the generator counts {count}'
                   for kind, count, again in zip(kinds, expected, (0, scale, 0))
                   if not any(least <= counts[kind] <= least + MORE for least in (count, count + again))]
        # The common path leaves out the scale and the text of the other direction, and no butterfly.
        least = [max(0, count - left_out) for count, left_out in zip(expected, facts['left_out'])]
        faults += [f'{name}: {path[kind]} {kind} on the common path, the generator counts {count}' for kind, count in zip(kinds, least)
                   if path[kind] < count]
    return faults


report(f'arithmetic is what the generator counts, and at most {MORE} more of a kind',
       [fault for name in sorted(wanted & set(found)) for fault in arithmetic_faults(name, facts_of[name])])


def counted_otherwise(facts, kind, change):
    return {**facts, 'operations': [count + change * (i == kind) for i, count in enumerate(facts['operations'])]}


report('operations that are missing or too many are noticed',
       [f'{name}: {kind} changed by {change}' for name in sorted(wanted & set(found)) for kind in range(3)
        for change in (MORE + 1, -MORE - 1)
        if facts_of[name]['type'] != 'none' and not arithmetic_faults(name, counted_otherwise(facts_of[name], kind, change))])
report('no kernel flushes subnormal numbers, has local memory, generic accesses or approximate functions',
       [f'{name}: {code.counts[kind]} {kind}' for name, code in found.items() for kind in FORBIDDEN if code.counts[kind]] +
       [f'{name}: {code.flushes} .FTZ' for name, code in found.items() if code.flushes])


def store_faults(kernel, facts, code, stored):
    """Stores to arrays of another width, and, where all threads go one way, stores that are missing or too many."""
    widths = {one.bytes() for one in code.instructions if one.kind == 'STG'}
    faults = [f'a store of {width} bytes, a number has {stored}' for width in sorted(widths) if width != stored]
    bytes_stored = code.bytes['STG'] * facts['threads']
    decides_each = kernel.stored == 4 and kernel.n < 64  # whether a number fits: either way is in the text
    if not facts['parts'] and not decides_each and bytes_stored != facts['points'] * stored:
        faults.append(f'a block stores {bytes_stored} bytes, its numbers have {facts["points"] * stored}')
    return faults


transforms = [kernels[name] for name in sorted(wanted & set(found)) if kernels[name].kind != 'convert']
report('a complex number is stored by one instruction',
       [f'{kernel.name}: {fault}' for kernel in transforms
        for fault in store_faults(kernel, facts_of[kernel.name], found[kernel.name], kernel.stored)])
report('stores of half a number are noticed',
       [kernel.name for kernel in transforms if not store_faults(kernel, facts_of[kernel.name], found[kernel.name], 2 * kernel.stored)])
peers = peers_of(vkfft_path)
ratios = {kernel.name: found[kernel.name].path.total() * kernel.threads / facts_of[kernel.name]['points'] / peers[kernel.storage, kernel.n]
          for kernel in transforms if kernel.kind == 'rows' and (kernel.storage, kernel.n) in peers}
report('rows take fewer instructions than VkFFT',
       [f'{name}: {ratio:.2f} of its instructions' for name, ratio in ratios.items()
        if ratio > (OVER_VKFFT_64 if kernels[name].n == 64 else OVER_VKFFT)])
write_bounds(facts_of, {name: found[name] for name in sorted(wanted & set(found))})

rows = {name: row_of(facts_of[name], found[name]) for name in kernels if name in wanted & set(found)}
version = re.search(r'release ([\d.]+)', run(nvcc, '--version'))[1]
table = golden.Golden(golden_path)
if write:
    table.write(kernels, version, rows)
else:
    table.gate('stores and margins', version, rows, report)
end()
