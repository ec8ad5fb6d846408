#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Writes the entry points of a library in C++: generate_entries.py all|threads double|float COMPILER OUTPUT

all: every name, C and Fortran 77, and the thread functions once more as ulpfft_..., for the libraries of threads alone; these have theirs call
them, so that a program has one planner whatever it links. COMPILER is what fftw_cc says.
"""
import re
import sys

import table

library, precision, compiler, output = sys.argv[1:5]
of = table.PRECISIONS[precision]
prefix, real = of['prefix'], of['real']
functions, data = table.read()
lines = ['// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0', '// Written by bindings/fftw3/generate_entries.py from functions.json.',
         '#pragma GCC visibility push(default)', '#include "fftw3.h"', '#pragma GCC visibility pop']


def define(head, body):
    lines.append(f'__attribute__((visibility("default"))) {head} {{ {body} }}')


def c_body(function):
    call = re.sub(r'\bcomplex\b', f'{prefix}complex', re.sub(r'\breal\b', real, function.call))
    if function.returns == 'plan':
        return f'return static_cast<{prefix}plan>({call});'
    return f'{call};' if function.returns == 'void' else f'return {call};'


def fortran_entry(function):
    """(arguments, body): by address, the result first."""
    if function.fortran_arguments is not None:
        return function.fortran_arguments, function.fortran_call + ';'
    arguments, values, setup = [], [], []
    if function.returns != 'void':
        arguments.append(f'{table.c_type(function.returns, prefix, real)}* result')
    for kind, name in function.arguments:
        c_kind = table.c_type(kind, prefix, real)
        if kind in ('lengths', 'kinds'):
            # Guru kinds follow their dimensions, which are in the caller's order.
            item = c_kind.replace('const ', '').rstrip('*')
            arguments.append(f'{c_kind} {name}')
            if 'guru' in function.name:
                values.append(name)
                continue
            setup.append(f'const ulpfft::fftw3::Reversed<{item}> {name}_reversed({name}, *rank);')
            values.append(f'{name}_reversed.get()')
        elif kind == 'dims':
            rank = 'rank' if name == 'dims' else name.replace('dims', 'rank')
            n = '' if name == 'dims' else 'h_'
            arguments += [f'const int* {n}n', f'const int* {n}is', f'const int* {n}os']
            setup.append(f'const ulpfft::fftw3::GuruDims<{prefix}iodim> {name}(*{rank}, {n}n, {n}is, {n}os);')
            values.append(f'{name}.get()')
        elif kind in ('int', 'flags', 'double', 'kind'):
            arguments.append(f'const {"int" if kind in ("int", "flags") else c_kind}* {name}')
            values.append(f'static_cast<unsigned>(*{name})' if kind == 'flags' else f'*{name}')
            if name in ('rank', 'howmany_rank'):
                values[-1] = f'ulpfft::fftw3::fortran_rank(*{name})'
        elif kind.endswith('plan'):
            arguments.append(f'const {prefix}plan* {name}')
            values.append(f'*{name}')
        else:
            arguments.append(f'{c_kind} {name}')
            values.append(name)
    if re.search(r'_[23]d$', function.name):
        # The first length of Fortran varies fastest.
        for stem in ('n', 'kind'):
            at = [i for i, value in enumerate(values) if re.fullmatch(rf'\*{stem}\d', value)]
            for i, value in zip(at, [values[i] for i in reversed(at)]):
                values[i] = value
    call = f'{prefix}{function.name}({", ".join(values)})'
    setup.append(f'{call};' if function.returns == 'void' else f'*result = {call};')
    return ', '.join(arguments), ' '.join(setup)


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
        arguments, body = fortran_entry(function)
        for end in ('_', '__'):
            define(f'void {of["fortran"]}{function.name}{end}({arguments})', body)
lines += ['}  // extern "C"', '']
with open(output, 'w', encoding='utf-8') as file:
    file.write('\n'.join(lines))
