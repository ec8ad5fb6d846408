#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Writes the headers of the interface from functions.json: generate_headers.py fftw3.h|fftw3.f|fftw3.f03|fftw3.md OUTPUT

fftw3.md is the table as docs/fftw3.md prints it.
"""
import re
import sys

import table

what, output = sys.argv[1:3]
functions, data = table.read()

C_TOP = '''/* SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0 */
/* FFTW's interface, as its manual documents it, by ulpfft: see docs/fftw3.md for what differs.
 *
 * fftw_... computes in double, fftwf_... in float. Long double and quad are not here: programs that call fftwl_... or fftwq_... need FFTW itself.
 */
#ifndef FFTW3_H
#define FFTW3_H

#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What NULL means is said by ulpfft_last_error() of <ulpfft/ulpfft.h>. */

/* A program that includes <complex.h> first has C's own complex numbers; others have pairs. */
#if !defined(FFTW_NO_Complex) && defined(_Complex_I) && defined(complex) && defined(I)
typedef double _Complex fftw_complex;
typedef float _Complex fftwf_complex;
#else
typedef double fftw_complex[2];
typedef float fftwf_complex[2];
#endif

typedef struct fftw_plan_s* fftw_plan;
typedef struct fftwf_plan_s* fftwf_plan;

/* A length with the strides of input and output. */
struct fftw_iodim_do_not_use_me {
  int n, is, os;
};
struct fftw_iodim64_do_not_use_me {
  ptrdiff_t n, is, os;
};
typedef struct fftw_iodim_do_not_use_me fftw_iodim, fftwf_iodim;
typedef struct fftw_iodim64_do_not_use_me fftw_iodim64, fftwf_iodim64;

enum fftw_r2r_kind_do_not_use_me {
@kinds@
};
typedef enum fftw_r2r_kind_do_not_use_me fftw_r2r_kind, fftwf_r2r_kind;

typedef void (*fftw_write_char_func)(char c, void* data);
typedef int (*fftw_read_char_func)(void* data);
typedef fftw_write_char_func fftwf_write_char_func;
typedef fftw_read_char_func fftwf_read_char_func;
/* Calls work(jobs + i * job_bytes) for i = 0 .. count-1, on any threads, and returns when all have returned. */
typedef void (*ulpfft_fftw_loop)(void* (*work)(char*), char* jobs, size_t job_bytes, int count, void* data);

#define FFTW_FORWARD (-1)
#define FFTW_BACKWARD (+1)
#define FFTW_NO_TIMELIMIT (-1.0)

@flags@

'''

C_LONG = '''
/* Calling these is an error that says so. */
#if defined(__has_attribute)
#if __has_attribute(__error__)
#define ULPFFT_FFTW_ABSENT \\
  __attribute__((__error__("ulpfft has FFTW's interface for double and float alone: long double and quad need FFTW's own library")))
@absent@
#undef ULPFFT_FFTW_ABSENT
#endif
#endif
'''

C_ABSENT_TYPES = '''typedef @real@ @prefix@complex[2];
typedef struct @prefix@plan_s* @prefix@plan;
typedef fftw_iodim @prefix@iodim;
typedef fftw_iodim64 @prefix@iodim64;
typedef fftw_r2r_kind @prefix@r2r_kind;
typedef fftw_write_char_func @prefix@write_char_func;
typedef fftw_read_char_func @prefix@read_char_func;
'''


def wrapped(text, width=138, indent='    '):
    """A declaration over lines of at most `width`."""
    lines = []
    while len(text) > width:
        at = text.rfind(', ', 0, width) + 1
        lines.append(text[:at])
        text = indent + text[at:].lstrip()
    return '\n'.join(lines + [text])


def absent_functions(prefix, real):
    declarations = (wrapped('ULPFFT_FFTW_ABSENT ' + table.declaration(function, prefix, real) + ';') for function in functions)
    return C_ABSENT_TYPES.replace('@real@', real).replace('@prefix@', prefix) + '\n'.join(declarations) + '\n'


def c_header():
    kinds = ',\n'.join(f'  FFTW_{name} = {value}' for value, name in enumerate(table.KINDS))
    flags = '\n'.join(f'#define FFTW_{name} ({"0U" if value == 0 else f"1U << {value.bit_length() - 1}"})' for name, value in table.FLAGS.items())
    flags += '\n/* Accepted without effect. */\n' + '\n'.join(f'#define FFTW_{name} (1U << {value.bit_length() - 1})'
                                                             for name, value in table.HIDDEN_FLAGS.items())
    text = C_TOP.replace('@kinds@', kinds).replace('@flags@', flags)
    for of in table.PRECISIONS.values():
        text += '\n'.join(wrapped(table.declaration(function, of['prefix'], of['real']) + ';') for function in functions) + '\n'
        text += ''.join(f'extern const char {of["prefix"]}{row["name"]}[];\n' for row in data) + '\n'
    absent = absent_functions('fftwl_', 'long double')
    absent += '#ifdef __SIZEOF_FLOAT128__\n' + absent_functions('fftwq_', '__float128') + '#endif\n'
    return text + C_LONG.lstrip().replace('@absent@\n', absent) + '\n#ifdef __cplusplus\n}\n#endif\n\n#endif /* FFTW3_H */\n'


def constants():
    yield 'FORWARD', -1
    yield 'BACKWARD', 1
    yield from table.FLAGS.items()
    yield from table.HIDDEN_FLAGS.items()


def fortran_77():
    text = '! SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0\n! Constants of FFTW\'s interface for Fortran 77, by ulpfft.\n'
    for name, value in [(name, value) for value, name in enumerate(table.KINDS)] + list(constants()):
        text += f'      INTEGER FFTW_{name}\n      PARAMETER (FFTW_{name}={value})\n'
    return text


def fortran_type(kind, of):
    """(declaration of an argument before ::, types it imports)."""
    arrays = {'real*': (f'real({of["kind"]}), dimension(*), intent(inout)', of['kind']),
              'complex*': (f'complex({of["complex_kind"]}), dimension(*), intent(inout)', of['complex_kind'])}
    if kind in arrays:
        return arrays[kind]
    return {
        'int': ('integer(C_INT), value', 'C_INT'), 'flags': ('integer(C_INT), value', 'C_INT'),
        'lengths': ('integer(C_INT), dimension(*), intent(in)', 'C_INT'),
        'kind': ('integer(C_FFTW_R2R_KIND), value', 'C_FFTW_R2R_KIND'),
        'kinds': ('integer(C_FFTW_R2R_KIND), dimension(*), intent(in)', 'C_FFTW_R2R_KIND'),
        'dims': (f'type({of["prefix"]}iodim), dimension(*), intent(in)', f'{of["prefix"]}iodim'),
        'dims64': (f'type({of["prefix"]}iodim64), dimension(*), intent(in)', f'{of["prefix"]}iodim64'),
        'double': ('real(C_DOUBLE), value', 'C_DOUBLE'), 'double*': ('real(C_DOUBLE), intent(out)', 'C_DOUBLE'),
        'size_t': ('integer(C_SIZE_T), value', 'C_SIZE_T'),
        'const char*': ('character(C_CHAR), dimension(*), intent(in)', 'C_CHAR'),
        'write_char': ('type(C_FUNPTR), value', 'C_FUNPTR'), 'read_char': ('type(C_FUNPTR), value', 'C_FUNPTR'),
        'loop': ('type(C_FUNPTR), value', 'C_FUNPTR'),
    }.get(kind, ('type(C_PTR), value', 'C_PTR'))


def fortran_interface(function, of):
    name = of['prefix'] + function.name
    results = {'void': None, 'int': 'integer(C_INT)', 'double': 'real(C_DOUBLE)'}
    result = results.get(function.returns, 'type(C_PTR)')
    # Names of arguments that would be the function's own, but for the case.
    arguments = [(kind, argument) for kind, argument in function.arguments]
    head = f'{result + " function" if result else "subroutine"} {name}({", ".join(argument for _, argument in arguments)}) bind(C, name=\'{name}\')'
    lines = ['  ' + head]
    imports = sorted({fortran_type(kind, of)[1] for kind, _ in arguments} | ({re.search(r'\((\w+)\)', result).group(1)} if result else set()))
    if imports:
        lines.append('    import ' + ', '.join(imports))
    lines += [f'    {fortran_type(kind, of)[0]} :: {argument}' for kind, argument in arguments]
    lines.append('  end function' if result else '  end subroutine')
    return [wrapped_fortran(line) for line in lines]


def wrapped_fortran(line, width=120):
    lines = []
    while len(line) > width:
        at = line.rfind(',', 0, width) + 1
        lines.append(line[:at] + ' &')
        line = '      ' + line[at:].lstrip()
    return '\n'.join(lines + [line])


def fortran_2003():
    text = '! SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0\n! FFTW\'s interface for Fortran 2003, by ulpfft. Include it after use, intrinsic :: iso_c_binding\n'
    text += '  integer, parameter :: C_FFTW_R2R_KIND = C_INT\n'
    for value, name in enumerate(table.KINDS):
        text += f'  integer(C_INT), parameter :: FFTW_{name} = {value}\n'
    for name, value in constants():
        text += f'  integer(C_INT), parameter :: FFTW_{name} = {value}\n'
    text += '  real(C_DOUBLE), parameter :: FFTW_NO_TIMELIMIT = -1.0_C_DOUBLE\n'
    for of in table.PRECISIONS.values():
        for name, kind in ((of['prefix'] + 'iodim', 'C_INT'), (of['prefix'] + 'iodim64', 'C_INTPTR_T')):
            text += f'  type, bind(C) :: {name}\n    integer({kind}) :: n, is, os\n  end type\n'
    text += '  interface\n'
    for of in table.PRECISIONS.values():
        for function in functions:
            text += '\n'.join(fortran_interface(function, of)) + '\n'
    return text + '  end interface\n'


def page():
    text = '| name | Fortran 77 | what it does |\n| --- | --- | --- |\n'
    for function in functions:
        effect = f'without effect, {function.does}: {function.without_effect}' if function.without_effect else function.does
        text += f'| `{function.name}` | {"yes" if function.fortran else "no"} | {effect} |\n'
    for row in data:
        effect = f'without effect, {row["does"]}: {row["without_effect"]}' if 'without_effect' in row else row['does']
        text += f'| `{row["name"]}` (data) | no | {effect} |\n'
    return text


with open(output, 'w', encoding='utf-8') as file:
    file.write({'fftw3.h': c_header, 'fftw3.f': fortran_77, 'fftw3.f03': fortran_2003, 'fftw3.md': page}[what]())
