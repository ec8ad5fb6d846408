#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""The CUDA kernels compile, spill nothing, and need what the golden table says.

    ptxas_test.py [--write] NVCC ROOT GENERATED FACTS GROUPS OUT GOLDEN

NVCC may be '' where there is none: then facts are compared, and the rest is reported as left out. ULPFFT_TEST_FULL compiles all groups,
else group 0 alone. OUT gets the fatbins and what ptxas says. --write replaces registers and facts in GOLDEN (all groups).

The PTX for older drivers is assembled by ptxas of CUDA 11.8 where $ULPFFT_PTXAS_11_8 names it, or ptxas-11.8 is in the path. PyPI has it:
nvidia-cuda-nvcc-cu11.
"""
import os
import re
import shutil
import subprocess
import sys

import golden

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../support'))
from verdict import end, report  # noqa: E402

ARCHITECTURES = [column.removeprefix('sm_') for column in golden.REGISTERS]
OLD_ARCHITECTURES = ['80', '90']  # of CUDA 11.8
REGISTER_UNIT = 8  # of a thread, as registers are allocated
MOST_REGISTERS = 128

write = sys.argv[1] == '--write'
nvcc, root, generated, facts, groups, out, golden_path = sys.argv[2 if write else 1:]
lower_ptx = os.path.join(root, 'planner/backend/cuda/lower_ptx.py')
old_ptxas = os.environ.get('ULPFFT_PTXAS_11_8') or shutil.which('ptxas-11.8')
full = write or bool(os.environ.get('ULPFFT_TEST_FULL'))


def compiled(group, name, *options):
    """A run of nvcc on one group."""
    command = [nvcc, '-std=c++17', '--fmad=false', *options, f'-I{root}', f'-I{generated}', f'-DULPFFT_CUDA_WANTED={group}',
               os.path.join(root, 'codelets/cuda/kernels.cu'), '-o', os.path.join(out, name)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def lowered(name):
    """A run of lower_ptx.py on a file in OUT."""
    return subprocess.run([sys.executable, lower_ptx, os.path.join(out, name), os.path.join(out, name + '.lowered')],
                          capture_output=True, text=True, check=False)


def compile_for_older_drivers(group):
    """What ptxas 11.8 says of one group; '' where it is not here."""
    name = f'cuda_kernels_{group}.ptx'
    run = compiled(group, name, '-ptx', '-arch=compute_80')
    faults = (run.stdout + run.stderr).splitlines()[:20] if run.returncode else []
    said = ''
    if not faults:
        run = lowered(name)
        faults = run.stderr.splitlines() if run.returncode else []
    if not faults and old_ptxas:
        for a in OLD_ARCHITECTURES:
            run = subprocess.run([old_ptxas, f'-arch=sm_{a}', '-v', os.path.join(out, name + '.lowered'),
                                  '-o', os.path.join(out, 'old.cubin')], capture_output=True, text=True, check=False)
            faults += run.stderr.splitlines()[:20] if run.returncode else []
            said += run.stderr
    report(f'group {group} compiles to PTX for older drivers', faults)
    return said


def compile_group(group):
    """What ptxas says of one group, for all architectures."""
    codes = [part for a in ARCHITECTURES for part in ('-gencode', f'arch=compute_{a},code=sm_{a}')]
    run = compiled(group, f'cuda_kernels_{group}.fatbin', '-fatbin', *codes, '-Xptxas', '-v')
    with open(os.path.join(out, f'cuda_ptxas_{group}.txt'), 'w', encoding='utf-8') as file:
        file.write(run.stdout + run.stderr)
    report(f'group {group} compiles', [] if run.returncode == 0 else (run.stdout + run.stderr).splitlines()[:20])
    report(f'group {group} compiles without warnings', [line for line in (run.stdout + run.stderr).splitlines() if 'warning' in line])
    return run.stdout + run.stderr


def read(text):
    """{kernel: {architecture: (registers, stack bytes)}}"""
    found, kernel, architecture, stack = {}, '', '', 0
    for line in text.splitlines():
        if match := re.search(r"Compiling entry function '(\w+)' for 'sm_(\d+)'", line):
            kernel, architecture = match.groups()
        elif match := re.search(r'(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads', line):
            stack = sum(map(int, match.groups()))
        elif match := re.search(r'Used (\d+) registers', line):
            found.setdefault(kernel, {})[architecture] = (int(match[1]), stack)
    return found


kernels = golden.kernels_of(facts)
facts_of = {name: kernel.facts() for name, kernel in kernels.items()}
smoke = {name for name, kernel in kernels.items() if kernel.smoke}

# Text that PTX 7.8 may not have ends a build.
for text, word in {
    '.version 9.0\n.target sm_80\nadd.rn.f32 %f1, %f2, %f3;\n': '',
    '.version 9.0\n.target sm_80\n@%p1 add.rn.f32x2 %rd1, %rd2, %rd3;\n': 'the instruction add.rn.f32x2',
    '.version 9.0\n.target sm_80\n{ .reg .b32 %r2; tanh.approx.f32 %f1, %f2; }\n': 'the instruction tanh.approx.f32',
    '.version 9.0\n.target sm_80\n.visible .entry f()\n.blocksareclusters\n': 'the directive .blocksareclusters',
    '.version 9.0\n.target sm_90\n': 'not PTX for sm_80', '.target sm_80\n': '0 lines with a version'}.items():
    with open(os.path.join(out, 'cuda_case.ptx'), 'w', encoding='utf-8') as file:
        file.write(text)
    run = lowered('cuda_case.ptx')
    if word:
        report(f'PTX is refused for {word}', [] if run.returncode == 1 and word in run.stderr else [f'{run.returncode}: {run.stderr}'])
    else:
        with open(os.path.join(out, 'cuda_case.ptx.lowered'), encoding='utf-8') as file:
            report('PTX keeps its instructions under another header', [] if file.read() == text.replace('9.0', '7.8') else [run.stderr])

version, found, found_by_old = '', {}, {}
if nvcc:
    version = re.search(r'release ([\d.]+)', subprocess.run([nvcc, '--version'], capture_output=True, text=True, check=True).stdout)[1]
    for group in range(int(groups) if full else 1):
        found.update(read(compile_group(group)))
        found_by_old.update(read(compile_for_older_drivers(group)))
    wanted = set(facts_of) if full else smoke
    report('every kernel has code for every architecture',
           [name for name in sorted(wanted) if sorted(found.get(name, {})) != sorted(ARCHITECTURES)] + sorted(set(found) - wanted))
    for of, by_kernel in [('', found)] + [(' by CUDA 11.8', found_by_old)] * bool(old_ptxas):
        report(f'no kernel spills or has a stack{of}',
               [f'{name} sm_{a}: {stack} bytes' for name, by in by_kernel.items() for a, (_, stack) in by.items() if stack])
        report(f'no kernel has more than {MOST_REGISTERS} registers{of}', [
            f'{name} sm_{a}: {registers}' for name, by in by_kernel.items() for a, (registers, _) in by.items()
            if registers > MOST_REGISTERS])
    if old_ptxas:
        report('every kernel has code of CUDA 11.8',
               [name for name in sorted(wanted) if sorted(found_by_old.get(name, {})) != OLD_ARCHITECTURES])


def row_of(name):
    registers = {column: str(found[name][a][0]) for column, a in zip(golden.REGISTERS, ARCHITECTURES)}
    return {**registers, 'spilled': str(sum(stack for _, stack in found[name].values()))}


rows = {name: row_of(name) for name in facts_of if len(found.get(name, {})) == len(ARCHITECTURES)}
table = golden.Golden(golden_path)
if write:
    table.write(facts_of, version, {name: {**facts_of[name], **row} for name, row in rows.items()})
    end()

report('threads, shared memory and tables are those of the golden table',
       table.differences(facts_of) + [f'{name} is no kernel any more; {golden.HINT}' for name in table.rows if name not in facts_of])
if found_by_old:
    pairs = [(name, a, by[a][0], int(table.rows[name]['sm_' + a])) for name, by in found_by_old.items() if name in table.rows
             for a in OLD_ARCHITECTURES if a in by]
    different = [f'{name} sm_{a}: {old}, by nvcc {table.version} {new}' for name, a, old, new in pairs if old != new]
    print(f'registers by CUDA 11.8: {len(different)} of {len(pairs)} differ')
    print('\n'.join('  ' + line for line in different))
    report('CUDA 11.8 allocates at most one unit of registers more', [
        f'{name} sm_{a}: {old}, by nvcc {table.version} {new}' for name, a, old, new in pairs
        if -(-old // REGISTER_UNIT) > -(-new // REGISTER_UNIT) + 1])
else:
    print('SKIP assembling the PTX for older drivers: there is no ptxas of CUDA 11.8, or no nvcc; ULPFFT_PTXAS_11_8 may name it')
if nvcc:
    table.gate('registers', version, rows, report)
else:
    print('SKIP code for the processors: there is no nvcc, or -Dcuda=disabled')
end()
