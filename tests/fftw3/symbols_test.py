#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""What the libraries export, what fftw3.h declares and what the table has are the same names: symbols_test.py ROOT BUILD CC -- CXX

The names are those of FFTW itself, where it is installed. The header is C99 and C++98. docs/fftw3.md prints the table.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../support'))
from verdict import end, report  # noqa: E402

root, build = sys.argv[1:3]
split = sys.argv.index('--')
cc, cxx = sys.argv[3:split], sys.argv[split + 1:]
sys.path.insert(0, os.path.join(root, 'bindings', 'fftw3'))
import table  # noqa: E402

functions, data = table.read()
folder = os.path.join(build, 'bindings', 'fftw3')


def exported(path):
    lines = subprocess.run(['nm', '-D', '--defined-only', path], capture_output=True, text=True, check=True).stdout.splitlines()
    return {line.split()[-1].split('@')[0] for line in lines}


def differences(got, want):
    return [f'{name}: missing' for name in sorted(want - got)] + [f'{name}: not in the table' for name in sorted(got - want)]


if not shutil.which('nm'):
    print('SKIP symbols: no nm')
    sys.exit(77)

with open(os.path.join(folder, 'fftw3.h'), encoding='utf-8') as file:
    header = re.sub(r'/\*.*?\*/', '', file.read(), flags=re.DOTALL)
for precision, stem in (('double', 'fftw3'), ('float', 'fftw3f')):
    of = table.PRECISIONS[precision]
    for library, which in ((f'lib{stem}.so.3', 'all'), (f'libulpfft_{stem}.so', 'all'), (f'lib{stem}_threads.so.3', 'threads'), (f'lib{stem}_omp.so.3', 'threads')):
        report(f'{library} exports the names of the table', differences(exported(os.path.join(folder, library)), table.symbols(functions, data, precision, which)))
    declared = set(re.findall(rf'\b({of["prefix"]}\w+)\(', header)) | set(re.findall(rf'extern const char ({of["prefix"]}\w+)\[', header))
    report(f'fftw3.h declares the names {of["prefix"]}...', differences(declared, {of['prefix'] + one for one in
                                                                                 [function.name for function in functions] + [row['name'] for row in data]}))
    installed = [path for name in (stem, stem + '_threads') for path in glob.glob(f'/usr/lib/*/lib{name}.so.3') + glob.glob(f'/usr/lib*/lib{name}.so.3')]
    if len(installed) < 2:
        print(f'SKIP names of FFTW: {stem} is not installed')
        continue
    theirs = set().union(*(exported(path) for path in installed))
    fortran = {name for name in theirs if re.fullmatch(rf'{of["fortran"]}\w+_', name)}
    ours = table.symbols(functions, data, precision, 'all')
    report(f'Fortran names of {stem} are those of FFTW', differences({name for name in ours if name.startswith(of['fortran'])}, fortran))
    # What else begins so is FFTW's own planner.
    public = {name for name in theirs if re.match(rf'{of["prefix"]}(plan_(dft|many|guru|guru64|r2r|with)|execute|export|import|init_|cleanup)', name)
              and not re.search(r'_(register|standard)$', name)}
    report(f'{stem} has what FFTW 3.3.10 has', [f'{name}: not in the table' for name in sorted(public - ours)] +
           [f'{name}: not in FFTW' for name in sorted({name for name in ours if name.startswith(of['prefix'])} - theirs - {of['prefix'] + 'copy_plan'})])
report('libulpfft exports no name of FFTW', [name for name in sorted(exported(os.path.join(build, 'planner', 'libulpfft.so'))) if re.match(r'[a-z]*fftwf?_', name)])

PROGRAM = '#include <fftw3.h>\nint main(void) {{ return {0}; }}\n'
with tempfile.TemporaryDirectory() as scratch:
    def compiled(compiler, language, standard, text, *options):
        path = os.path.join(scratch, 'program.' + language)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        done = subprocess.run([*compiler, '-std=' + standard, '-Wall', '-Wextra', '-Werror', '-pedantic-errors', '-O1', '-I' + folder, '-c', path, '-o',
                               os.path.join(scratch, 'program.o'), *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return [] if done.returncode == 0 else [done.stdout]
    complex_use = '#include <complex.h>\n#include <fftw3.h>\nint main(void) { fftw_complex z = 1.0 + 2.0 * I; fftwf_complex w = 3.0f; return (int)(creal(z) + crealf(w)); }\n'
    report('fftw3.h is C99', compiled(cc, 'c', 'c99', PROGRAM.format('(int)sizeof(fftw_complex) - 16')))
    report('fftw3.h has the complex numbers of C', compiled(cc, 'c', 'c11', complex_use))
    report('fftw3.h is C++98', compiled(cxx, 'cc', 'c++98', PROGRAM.format('(int)sizeof(fftw_iodim) - 12')))
    report('fftw3.h is C++20', compiled(cxx, 'cc', 'c++20', PROGRAM.format('(int)sizeof(fftwf_iodim64) - 24')))
    for compiler, language, standard in ((cc, 'c', 'c99'), (cxx, 'cc', 'c++98')):
        for call, real in (('fftwl_plan_dft_1d(4, 0, 0, -1, FFTW_ESTIMATE) != 0', 'long double'), ('fftwq_alignment_of(0)', 'quad')):
            refusal = ''.join(compiled(compiler, language, standard, PROGRAM.format(call)))
            # Nothing else of the program is refused, and nothing of the header itself.
            faults = [] if 'need FFTW' in refusal and refusal.count(': error: ') == 1 else [refusal or 'it compiles']
            report(f'{real} is refused by a sentence in {standard}', faults)

with open(os.path.join(folder, 'fftw3.md'), encoding='utf-8') as file:
    rows = file.read()
with open(os.path.join(root, 'docs', 'fftw3.md'), encoding='utf-8') as file:
    report('docs/fftw3.md prints the table', [] if rows in file.read() else [f'it has not the rows of {folder}/fftw3.md'])

lines = 0
for path in glob.glob(os.path.join(root, 'bindings', 'fftw3', '*')):
    with open(path, encoding='utf-8') as file:
        lines += sum(1 for _ in file)
report(f'the translation has {lines} lines of at most 3000', [] if lines <= 3000 else ['it is too long'])
end()
