# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""The table of FFTW's names, functions.json, read: what the generator of headers, that of entry points, and tests know of each name."""
import json
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))

# Precision: prefix in C and in Fortran 77, C's real type, Fortran's kinds.
PRECISIONS = {
    'double': {'prefix': 'fftw_', 'fortran': 'dfftw_', 'real': 'double', 'kind': 'C_DOUBLE', 'complex_kind': 'C_DOUBLE_COMPLEX',
               'storage': 'f64', 'bytes': 8},
    'float': {'prefix': 'fftwf_', 'fortran': 'sfftw_', 'real': 'float', 'kind': 'C_FLOAT', 'complex_kind': 'C_FLOAT_COMPLEX',
              'storage': 'f32', 'bytes': 4},
}

# Values of FFTW's interface: what programs were compiled with.
FLAGS = {'MEASURE': 0, 'DESTROY_INPUT': 1 << 0, 'UNALIGNED': 1 << 1, 'CONSERVE_MEMORY': 1 << 2, 'EXHAUSTIVE': 1 << 3, 'PRESERVE_INPUT': 1 << 4,
         'PATIENT': 1 << 5, 'ESTIMATE': 1 << 6, 'WISDOM_ONLY': 1 << 21}
# Not in FFTW's manual, accepted without effect.
HIDDEN_FLAGS = {'ESTIMATE_PATIENT': 1 << 7, 'BELIEVE_PCOST': 1 << 8, 'NO_DFT_R2HC': 1 << 9, 'NO_NONTHREADED': 1 << 10, 'NO_BUFFERING': 1 << 11,
                'NO_INDIRECT_OP': 1 << 12, 'ALLOW_LARGE_GENERIC': 1 << 13, 'NO_RANK_SPLITS': 1 << 14, 'NO_VRANK_SPLITS': 1 << 15,
                'NO_VRECURSE': 1 << 16, 'NO_SIMD': 1 << 17, 'NO_SLOW': 1 << 18, 'NO_FIXED_RADIX_LARGE_N': 1 << 19, 'ALLOW_PRUNING': 1 << 20}
KINDS = ['R2HC', 'HC2R', 'DHT', 'REDFT00', 'REDFT01', 'REDFT10', 'REDFT11', 'RODFT00', 'RODFT01', 'RODFT10', 'RODFT11']


class Function:
    def __init__(self, row):
        self.name, self.returns, self.call, self.does = row['name'], row['returns'], row['call'], row['does']
        self.arguments = [tuple(part.rsplit(' ', 1)) for part in row['args'].split(', ')] if row['args'] else []
        self.without_effect = row.get('without_effect')
        self.threads = row.get('library') == 'threads'
        self.fortran = row.get('fortran', False)
        self.fortran_arguments, self.fortran_call = row.get('fortran_args'), row.get('fortran_call')


def read():
    """(functions, data rows)."""
    with open(os.path.join(HERE, 'functions.json'), encoding='utf-8') as file:
        table = json.load(file)
    return [Function(row) for row in table['functions']], table['data']


def c_type(kind, prefix, real):
    """A type of the table in C."""
    names = {'plan': f'{prefix}plan', 'kind': f'{prefix}r2r_kind', 'kinds': f'const {prefix}r2r_kind*', 'lengths': 'const int*',
             'dims': f'const {prefix}iodim*', 'dims64': f'const {prefix}iodim64*', 'flags': 'unsigned', 'write_char': f'{prefix}write_char_func',
             'read_char': f'{prefix}read_char_func', 'loop': 'ulpfft_fftw_loop'}
    if kind in names:
        return names[kind]
    kind = re.sub(r'\bcomplex\b', f'{prefix}complex', kind)
    return re.sub(r'\bplan\b', f'{prefix}plan', re.sub(r'\breal\b', real, kind))


def c_arguments(function, prefix, real):
    return ', '.join(f'{c_type(kind, prefix, real)} {name}' for kind, name in function.arguments) or 'void'


def declaration(function, prefix, real, name=None):
    return f'{c_type(function.returns, prefix, real)} {name or prefix + function.name}({c_arguments(function, prefix, real)})'


def symbols(functions, data, precision, library):
    """What a library exports: library is 'all' (with threads) or 'threads'."""
    of = PRECISIONS[precision]
    wanted = [function for function in functions if library == 'all' or function.threads]
    names = {of['prefix'] + function.name for function in wanted}
    names |= {of['fortran'] + function.name + end for function in wanted if function.fortran for end in ('_', '__')}
    if library == 'all':
        names |= {of['prefix'] + row['name'] for row in data}
        names |= {f'ulpfft_{of["prefix"]}{function.name}' for function in wanted if function.threads}
    return names
