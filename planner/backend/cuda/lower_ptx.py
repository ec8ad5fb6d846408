#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""PTX of nvcc for older drivers: the same instructions under the header of PTX 7.8, which drivers from CUDA 11.8 on compile.

    lower_ptx.py INPUT OUTPUT

nvcc writes its own version into the header, and drivers refuse versions that are newer than they are. Text that may need more than PTX 7.8
for sm_80 ends the build with a sentence. Comments and indentation are left out, because the text lies in the library.
"""
import re
import sys

VERSION = '7.8'
# What PTX 7.8 has, by the PTX ISA's sections "PTX ISA Notes". Instructions are compared part by part.
DIRECTIVES = set('''
    address_size align entry extern func global maxnreg maxntid minnctapersm param pragma reg shared target version visible'''.split())
INSTRUCTIONS = set('''
    abs add and atom bar bfe bfi bra call clz cnot copysign cvt cvta div dp2a ex2 exit fma isspacep ld ldu lg2 lop3 mad max membar min mov
    mul neg not or popc prefetch prmt rcp red rem ret rsqrt selp set setp shf shfl shl shr slct sqrt st sub trap vote xor'''.split())
MODIFIERS = set('''
    b8 b16 b32 b64 f16 f16x2 bf16 bf16x2 f32 f64 s8 s16 s32 s64 u8 u16 u32 u64 pred v2 v4
    rn rz rm rp rni rzi rmi rpi sat ftz NaN lo hi wide to uni sync all any bfly idx up down l r clamp wrap
    eq ne lt le gt ge lo ls hs equ neu ltu leu gtu geu num nan
    global local shared param const ca cg cs cv wb wt nc relaxed volatile gpu cta sys add and or xor exch cas inc dec min max
    L1 L2'''.split())
HINT = 'Keep it out of the kernels, or add it to planner/backend/cuda/lower_ptx.py if PTX 7.8 has it for sm_80.'


def fault_of(statement):
    """Why PTX 7.8 may not have the statement, as a clause; None where it has it."""
    line = re.sub(r'^@!?%\w+\s+', '', statement.lstrip('{} \t'))
    if line.startswith('.'):
        unknown = [word for word in re.findall(r'\.([a-z_]\w*)', line) if word not in DIRECTIVES | MODIFIERS]
        return f'the directive .{unknown[0]}' if unknown else None
    match = re.match(r'([a-z]\w*)((?:[.:]+\w+)*)\s*(?:[%;\[{$_0-9]|$)', line)
    if not match:
        return None
    unknown = [part for part in re.split(r'[.:]+', match[2])[1:] if part not in MODIFIERS]
    if match[1] not in INSTRUCTIONS or unknown:
        return f'the instruction {match[1]}{match[2]}'
    return None


def lower(text, name):
    if not re.search(r'^\.target sm_80$', text, flags=re.MULTILINE):
        sys.exit(f'{name} is not PTX for sm_80.')
    text, versions = re.subn(r'^\.version [\d.]+$', f'.version {VERSION}', text, flags=re.MULTILINE)
    if versions != 1:
        sys.exit(f'{name} has {versions} lines with a version of PTX, not one.')
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith('//')]
    for statement in (part for line in lines for part in line.split(';')):
        if fault := fault_of(statement):
            sys.exit(f'{name} has {fault}, which PTX {VERSION} is not known to have: drivers before CUDA 12 would refuse the kernels. '
                     f'{HINT}')
    return '\n'.join(lines) + '\n'


if __name__ == '__main__':
    with open(sys.argv[1], encoding='utf-8') as source:
        lowered = lower(source.read(), sys.argv[1])
    with open(sys.argv[2], 'w', encoding='utf-8') as target:
        target.write(lowered)
