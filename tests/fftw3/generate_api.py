#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Writes fftw3_api.h for tests: generate_api.py FOLDER_OF_TABLE OUTPUT

Fftw<double>::plan_dft is fftw_plan_dft, Fftw<float>::plan_dft is fftwf_plan_dft, and so for every name of the table; Fortran<double, 1>::plan_dft is
dfftw_plan_dft_, with 2 underscores dfftw_plan_dft__. kNames and kFortranNames list them.
"""
import sys

folder, output = sys.argv[1:3]
sys.path.insert(0, folder)
import fortran  # noqa: E402
import table  # noqa: E402

functions, data = table.read()
text = '// Written by tests/fftw3/generate_api.py.\n#pragma once\n#include <fftw3.h>\n\nextern "C" {\n'
for of in table.PRECISIONS.values():
    for function in functions:
        if function.fortran:
            arguments = fortran.entry(function, of)[0]
            text += ''.join(f'void {of["fortran"]}{function.name}{end}({arguments});\n' for end in ('_', '__'))
text += '}\n\ntemplate <typename Real> struct Fftw;\ntemplate <typename Real, int kUnderscores> struct Fortran;\n'
for of in table.PRECISIONS.values():
    text += f'template <> struct Fftw<{of["real"]}> {{\n'
    text += ''.join(f'  using {name} = {of["prefix"]}{c_name};\n' for name, c_name in
                    (('Complex', 'complex'), ('Plan', 'plan'), ('Iodim', 'iodim'), ('Iodim64', 'iodim64'), ('Kind', 'r2r_kind')))
    text += ''.join(f'  static constexpr auto {function.name} = &{of["prefix"]}{function.name};\n' for function in functions)
    text += ''.join(f'  static constexpr const char* {row["name"]} = {of["prefix"]}{row["name"]};\n' for row in data) + '};\n'
    for count in (1, 2):
        text += f'template <> struct Fortran<{of["real"]}, {count}> {{\n'
        text += ''.join(f'  static constexpr auto {function.name} = &{of["fortran"]}{function.name}{"_" * count};\n'
                        for function in functions if function.fortran) + '};\n'
for name, names in (('kNames', [function.name for function in functions] + [row['name'] for row in data]),
                    ('kFortranNames', [function.name for function in functions if function.fortran])):
    text += f'inline constexpr const char* {name}[] = {{{", ".join(chr(34) + one + chr(34) for one in names)}}};\n'
with open(output, 'w', encoding='utf-8') as file:
    file.write(text)
