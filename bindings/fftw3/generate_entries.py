#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Writes the entry points of a library in C++: generate_entries.py all|threads double|float COMPILER OUTPUT

all: every name, C and Fortran 77, and the thread functions once more as ulpfft_..., which those of the libraries of threads alone call, so
that a program has one planner whatever it links. COMPILER is what fftw_cc says.
"""
import re
import sys

import fortran
import table

library, precision, compiler, output = sys.argv[1:5]
of = table.PRECISIONS[precision]
prefix, real = of['prefix'], of['real']
functions, data = table.read()
lines = ['// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0',
         '// Written by bindings/fftw3/generate_entries.py from functions.json.',
         '#pragma GCC visibility push(default)', '#include "fftw3.h"', '#pragma GCC visibility pop']


def define(head, body):
    lines.append(f'__attribute__((visibility("default"))) {head} {{ {body} }}')


def c_body(function):
    call = re.sub(r'\bcomplex\b', f'{prefix}complex', re.sub(r'\breal\b', real, function.call))
    if function.returns == 'plan':
        return f'return static_cast<{prefix}plan>({call});'
    return f'{call};' if function.returns == 'void' else f'return {call};'


if library == 'all':
    lines += ['#include "bindings/fftw3/api.h"', '#include "bindings/fftw3/fortran.h"', '', 'namespace ulpfft::fftw3 {',
              f'const Precision kPrecision{{"{of["storage"]}", {of["bytes"]}}};', '}  // namespace ulpfft::fftw3', 'using namespace ulpfft::fftw3;']
lines += ['', 'extern "C" {']
for row in data if library == 'all' else []:
    lines.append(f'__attribute__((visibility("default"))) extern const char {prefix}{row["name"]}[] = '
                 f'"{row["value"].replace("@compiler@", compiler)}";')
for function in functions:
    if library == 'threads' and not function.threads:
        continue
    own = f'ulpfft_{prefix}{function.name}'
    if function.threads:
        head = table.declaration(function, prefix, real, own)
        if library == 'all':
            define(head, c_body(function))
        else:
            lines.append(head + ';')
        names = ', '.join(name for _, name in function.arguments)
        define(table.declaration(function, prefix, real), ('' if function.returns == 'void' else 'return ') + f'{own}({names});')
    else:
        define(table.declaration(function, prefix, real), c_body(function))
    if function.fortran:
        arguments, body = fortran.entry(function, of)
        for end in ('_', '__'):
            define(f'void {of["fortran"]}{function.name}{end}({arguments})', body)
lines += ['}  // extern "C"', '']
with open(output, 'w', encoding='utf-8') as file:
    file.write('\n'.join(lines))
