#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""What compilers say about programs that use the headers: compile_test.py ROOT C_COMPILER [-- CXX_COMPILER]

The headers and every ULPFFT_..._INIT compile without a warning as C99, C11, C++98, C++17 and C++20. A result that is not used is warned
about. Real input of a one-call form is refused by one sentence.
"""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../support'))
from verdict import end, report  # noqa: E402

root = sys.argv[1]
split = sys.argv.index('--')
cc, cxx = sys.argv[2:split], sys.argv[split + 1:]
STRICT = ['-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wshadow', '-Wmissing-field-initializers', '-O1',
          '-I' + os.path.join(root, 'include')]
LANGUAGES = [(cc, 'c', 'c99'), (cc, 'c', 'c11'), (cxx, 'c++', 'c++98'), (cxx, 'c++', 'c++17'), (cxx, 'c++', 'c++20')]
SENTENCE = 'real input: rfft() and its kin take it'
LONGEST = 45  # lines of a message; the constraints of a form that is not met are 50 and more


def compiled(compiler, language, standard, text):
    """Status and messages."""
    with tempfile.TemporaryDirectory() as folder:
        command = compiler + ['-std=' + standard, *STRICT, '-x', language, '-c', '-', '-o', os.path.join(folder, 'out.o')]
        done = subprocess.run(command, input=text, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.returncode, done.stdout


def public_structs():
    """Names of structs that begin with their size, but for the tile, which the library fills."""
    names = []
    for folder, _, files in os.walk(os.path.join(root, 'include', 'ulpfft')):
        for file in files:
            if file.endswith('.h'):
                with open(os.path.join(folder, file), encoding='utf-8') as text:
                    names += re.findall(r'struct (ulpfft_\w+) \{\n\s*size_t size;', text.read())
    return sorted(set(names) - {'ulpfft_tile'})


def check_initialisers():
    structs = public_structs()
    lines = ['#include "ulpfft/ulpfft.h"', '#include "ulpfft/stream.h"', 'size_t sum(void);', 'size_t sum(void) {']
    lines += [f'  {name} s_{name} = {name.upper()}_INIT;' for name in structs]
    lines += ['  return 0' + ''.join(f' + s_{name}.size' for name in structs) + ';', '}', '']
    for compiler, language, standard in LANGUAGES:
        _, said = compiled(compiler, language, standard, '\n'.join(lines))
        report(f'{len(structs)} initialisers in {standard}', said.splitlines()[:5])


def check_unused():
    text = ('#include "ulpfft/ulpfft.h"\nvoid call(void);\nvoid call(void) {\n'
            '  ulpfft_execute(NULL, NULL, NULL);\n  ulpfft_plan_1d(8, "f32", 0, 0);\n}\n')
    for compiler, language, standard in LANGUAGES:
        status, said = compiled(compiler, language, standard, text)
        warned = [line for line in said.splitlines() if 'unused-result' in line]
        report(f'results not used are warned about in {standard}', [] if status == 0 and len(warned) == 2 else [said])


def check_real_input():
    head = '#include <ulpfft/ulpfft.hpp>\nvoid call(std::vector<float>& x, std::vector<std::complex<float>>& y) {\n  '
    calls = ['ulpfft::fft(x);', 'ulpfft::fft(x, y);',
             'ulpfft::ifft(x, x);', 'ulpfft::fft2(x, y, {2, 4});', 'ulpfft::fftn(x, y, {2, 4}, {0});']
    for call in calls:
        status, said = compiled(cxx, 'c++', 'c++20', head + call + '\n}\n')
        errors = [line for line in said.splitlines() if re.search(r'\berror:', line)]
        good = status != 0 and len(errors) == 1 and SENTENCE in errors[0] and len(said.splitlines()) <= LONGEST
        report(f'{call} is refused by a sentence', [] if good else [said])
    status, said = compiled(cxx, 'c++', 'c++20', head + 'ulpfft::fft(y, y); ulpfft::fft2(y, y, {2, 4}); (void)x;\n}\n')
    report('complex input compiles', said.splitlines()[:5])


check_initialisers()
check_unused()
check_real_input()
end()
