#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""The PTX that the library ships gives the bits of the twins when it is executed, races nowhere and stays in its arrays. No GPU is needed.

    ptx_test.py NVCC CC ROOT GENERATED GROUPS OUT CASES EXECUTIONS

NVCC may be '' where there is none: then the test is left out. Each group of kernels is compiled to PTX as in a build, put under the header
for older drivers, translated to C (ptx_to_c.py), compiled by CC, and run by CASES beside the twins. ULPFFT_TEST_FULL takes all groups, else
group 0 alone. Changes of the text, each of a kind that a compiler or a port could make, have to be noticed. EXECUTIONS tests plans over the
driver without a device, which runs the translated PTX.
"""
import os
import re
import subprocess
import sys

import ptx_to_c

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../support'))
from verdict import end, report  # noqa: E402

nvcc, cc, root, generated, groups, out, cases, executions = sys.argv[1:]
support = os.path.join(root, 'tests/support')
sys.path.insert(0, os.path.join(root, 'planner/backend/cuda'))
import lower_ptx  # noqa: E402

CC_OPTIONS = ['-std=gnu11', '-O1', '-ffp-contract=off', '-fPIC', '-shared', '-w', f'-I{support}']
full = bool(os.environ.get('ULPFFT_TEST_FULL'))


def shipped_ptx(group):
    path = os.path.join(out, f'cuda_executed_{group}.ptx')
    subprocess.run([nvcc, '-std=c++17', '--fmad=false', '-ptx', '-arch=compute_80', f'-I{root}', f'-I{generated}',
                    f'-DULPFFT_CUDA_WANTED={group}', os.path.join(root, 'codelets/cuda/kernels.cu'), '-o', path], check=True)
    with open(path, encoding='utf-8') as file:
        return lower_ptx.lower(file.read(), path)


def executed(name, text, kernels=()):
    """What CASES says of some kernels of a text, and whether it is content."""
    source, library = os.path.join(out, name + '.c'), os.path.join(out, name + '.so')
    with open(source, 'w', encoding='utf-8') as file:
        file.write(ptx_to_c.translate(text, kernels))
    subprocess.run([*cc.split(), *CC_OPTIONS, source, '-o', library, '-lm'], check=True)
    done = subprocess.run([cases, library], stdout=subprocess.PIPE, text=True, check=False)
    return done.returncode == 0, done.stdout.splitlines()


# What is changed, kernel, pattern, what stands in its place, which of the matches, and what has to be said of it.
MUTANTS = [
    ('a barrier is left out', 'f32_rows_64', r'bar\.sync\s+0;', '', 0, r'[1-9]\d* races'),
    ('an argument is read beside its place', 'f32_rows_64', r'(\[f32_rows_64_param_0\+)16\]', r'\g<1>24]', 0,
     r'[1-9]\d* (of|access)'),
    ('the first transform of a block is another', 'f32_columns_32', r'(shl\.b32\s+%r\d+, %r\d+, )5;', r'\g<1>4;', 0, r'[1-9]\d* of'),
    ('a store lies elsewhere', 'f32_rows_64', r'(st\.global\.u64\s+\[%rd\d+)(\+\d+)?\]', r'\1+1048576]', 1, r'[1-9]\d* accesses out'),
    ('a store is not aligned', 'f32_rows_64', r'(st\.global\.u64\s+\[%rd\d+)(\+\d+)?\]', r'\1+4]', 1, r'[1-9]\d* misaligned'),
    ('a thread stores beyond shared memory', 'f32_columns_32', r'(st\.shared\.v2\.f32\s+\[%r\d+)(\+\d+)?\]', r'\1+65536]', 1,
     r'[1-9]\d* accesses out'),
    ('two threads store to one word', 'f32_columns_32', r'(st\.shared\.v2\.f32\s+\[)%r\d+(\+\d+)?\]', r'\1_Zshared]', 1, r'[1-9]\d* races'),
    ('operands are exchanged', 'f32_rows_64', r'(sub\.rn\.f32\s+%f\d+), (%f\d+), (%f\d+);', r'\1, \3, \2;', 3, r'[1-9]\d* of'),
    ('a fused multiply-add loses its addend', 'f32_rows_64', r'fma\.rn\.f32(\s+%f\d+, %f\d+, %f\d+), %f\d+;', r'mul.rn.f32\1;', 2,
     r'[1-9]\d* of'),
    ('a product is rounded before it is added', 'f64_rows_4096', r'fma\.rn\.f64\s+(%fd\d+), (%fd\d+), (%fd\d+), (%fd\d+);',
     r'mul.rn.f64 %fd0, \2, \3; add.rn.f64 \1, %fd0, \4;', 0, r'[1-9]\d* of'),
    ('parts are stored in turn', 'f32_twisted_256', r'(mov\.b64\s+%rd\d+), \{(%f\d+), (%f\d+)\};', r'\1, {\3, \2};', 0,
     r'[1-9]\d* of'),
    ('halves of 16 bits are exchanged', 'f16_rows_4096', r'(cvt\.rn\.f16x2\.f32\s+%r\d+), (%f\d+), (%f\d+);(\s*st\.global)',
     r'\1, \3, \2;\4', 0, r'[1-9]\d* of'),
    ('what saturates is not counted', 'f16_rows_4096', r'atom\.global\.add\.u64[^;]*;', '', 0, r' 0 saturated and [1-9]'),
    ('a branch goes the other way', 'f32_turned_256', r'@(%p\d+)(\s+bra)', r'@!\1\2', 0, r'[1-9]\d* (of|accesses)'),
]


def mutated(text, kernel, pattern, replacement, which):
    """The text with one place of a kernel changed; None where the pattern has too few matches."""
    entry = next(match for match in ptx_to_c.ENTRY.finditer(text) if match[1] == kernel)
    matches = list(re.finditer(pattern, entry[0]))
    if len(matches) <= which:
        return None
    at = matches[which]
    return entry[0][:at.start()] + at.expand(replacement) + entry[0][at.end():]


if not nvcc:
    print('SKIP execution of PTX: there is no nvcc, or -Dcuda=disabled')
    sys.exit(77)

smoke = ''
for number in range(int(groups) if full else 1):
    ptx = shipped_ptx(number)
    smoke = smoke or ptx
    content, said = executed(f'cuda_executed_{number}', ptx)
    report(f'group {number}: {said[-1] if said else "nothing ran"}', [] if content else said[:20] or ['it died'])

libraries = ':'.join(os.path.join(out, f'cuda_executed_{number}.so') for number in range(int(groups) if full else 1))
done = subprocess.run([executions, '--gtest_brief=1', '--gtest_filter=CudaExecutions.*'], stdout=subprocess.PIPE, text=True, check=False,
                      env={**os.environ, 'ULPFFT_PTX_KERNELS': libraries})
report('executions of plans pass on the PTX', [] if done.returncode == 0 else done.stdout.splitlines()[:20])

for what, kernel, pattern, replacement, which, expected in MUTANTS:
    mutant = mutated(smoke, kernel, pattern, replacement, which)
    if mutant is None:
        report(f'{what}: noticed', [f'{kernel} has no such place: {pattern}'])
        continue
    content, said = executed('cuda_executed_mutant', mutant)
    report(f'{what}: noticed', [] if not content and any(re.search(expected, line) for line in said) else said or ['it died'])

# Nothing is passed over.
for text in ('ex2.approx.f32 %f1, %f2;', 'add.ftz.f32 %f1, %f2, %f3;', '@%p1 bar.sync 0;'):
    entry = ('.visible .entry k(\n.param .align 8 .b8 k_param_0[168]\n)\n.maxntid 32, 1, 1\n{\n.reg .f32 %f<4>;\n.reg .b64 %rd<4>;\n'
             f'.reg .pred %p<4>;\n{text}\nret;\n}}\n')
    try:
        ptx_to_c.translate(entry)
        report(f'{text} is refused', ['it is translated'])
    except SystemExit as refusal:
        report(f'{text} is refused', [] if 'does not know' in str(refusal) else [str(refusal)])
end()
