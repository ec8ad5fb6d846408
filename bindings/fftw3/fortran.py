# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Names of Fortran 77: what their arguments are, and how they call those of C."""
import re

import table


def entry(function, of):
    """(arguments, body) in C++: arguments by address, the result first."""
    prefix, real = of['prefix'], of['real']
    if function.fortran_arguments is not None:
        return function.fortran_arguments, function.fortran_call + ';'
    arguments, values, setup = [], [], []
    if function.returns != 'void':
        arguments.append(f'{table.c_type(function.returns, prefix, real)}* result')
    for kind, name in function.arguments:
        c_kind = table.c_type(kind, prefix, real)
        if kind in ('lengths', 'kinds'):
            item = c_kind.replace('const ', '').rstrip('*')
            # FFTW takes guru dimensions in their order, and reverses their kinds.
            arguments.append(f'{c_kind} {name}')
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
