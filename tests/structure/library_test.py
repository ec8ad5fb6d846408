#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""The shared library exports what ulpfft.h declares, and its codelets keep their budget: library_test.py ROOT LIBRARY"""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../support'))
from verdict import end, report  # noqa: E402

TEXT_BUDGET = 5050 << 10    # bytes of codelets over all targets, 32 KiB of them products with windows
FUNCTION_BUDGET = 2200
FORMAT_BUDGET = 60 << 10    # bytes that one number format adds, over all targets
FUSED_BUDGET = 96 << 10     # with passes and transforms in registers of ports of its own, which no format has by being added: i16, which leaves f32 as well, 91 by g++
FUSED = {'f16': 'HalfPort', 'bf16': 'BrainPort', 'i16': 'ShortPort', 'mxfp8_e4m3': 'E4m3Element', 'mxint8': 'Int8Element'}

root, library = sys.argv[1:3]


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


if not shutil.which('nm') or not shutil.which('readelf'):
    print('SKIP library: no nm or readelf')
    sys.exit(77)

HEADERS = ['include/ulpfft/ulpfft.h', 'include/ulpfft/stream.h'] + sorted('include/ulpfft/c/' + name for name in os.listdir(os.path.join(root, 'include/ulpfft/c')))
header = ''
for name in HEADERS:
    with open(os.path.join(root, name), encoding='utf-8') as file:
        header += re.sub(r'/\*.*?\*/|^#(?:[^\n]*\\\n)*[^\n]*$', '', file.read(), flags=re.DOTALL | re.MULTILINE)
declared = set(re.findall(r'ULPFFT_(?:API|RESULT)\b[^;(]*?\b(\w+)\s*\(', header))
inline = set(re.findall(r'\bstatic inline \w+ (ulpfft_\w+)\s*\(', header))
marked = set(re.findall(r'\b(ulpfft_\w+)\s*\(', header)) - inline
report('every function of ulpfft.h is inline or marked ULPFFT_API or ULPFFT_RESULT', sorted(marked - declared))

exported = {fields[-1].split('@')[0] for fields in
            (line.split() for line in output('nm', '-D', '--defined-only', library).splitlines()) if fields[-2] != 'A'}
report(f'exported symbols are the {len(declared)} functions of ulpfft.h',
       [f'{name}: declared, not exported' for name in sorted(declared - exported)] +
       [f'{name}: exported, not declared' for name in sorted(exported - declared)])

needed = re.findall(r'\(NEEDED\).*\[(.*)\]', output('readelf', '-d', library))
allowed = re.compile(r'^(lib(stdc\+\+|m|gcc_s|c|pthread|c\+\+|c\+\+abi)\.so|ld-linux)')
# Other libraries have initialisers that run in every process: Debian's libhwy measures the timer's resolution, 3 ms.
report('needs the C and C++ runtime, nothing else', [name for name in needed if not allowed.match(name)])

# Codelets are what lies in the namespaces of targets and of ref. The functions that the budget counts are instantiated with a
# generated body (N8, T8Ds, R2c8), which is a template argument of theirs; the others serve all bodies of a radix, or are passes without one.
# Not counted: entries of a few instructions that hand the address of a body's loop to what serves all of them, and hold no body themselves.
HANDS_ON = re.compile(r'::(?:twiddled|twiddled_dual_select|twiddled_encode|whole|packed|packed_fused|real_pass)<')
HANDS_ON_BYTES = 128
codelets = {}
formats = {}  # what has a format as a template argument; blocks have that of their elements
fused = {}  # what converts a format while it transforms
functions = 0
for line in output('nm', '-CS', '--defined-only', library).splitlines():
    found = re.match(r'[0-9a-f]+ ([0-9a-f]+) [tTwW] .*?\bulpfft::(?:N_(\w+)|(ref))::', line)
    if found:
        target = (found[2] or found[3]).lower()
        codelets[target] = codelets.get(target, 0) + int(found[1], 16)
        for name in set(re.findall(r'\bulpfft::format_(\w+)', line)):
            formats[name] = formats.get(name, 0) + int(found[1], 16)
        for name, port in FUSED.items():
            fused[name] = fused.get(name, 0) + int(found[1], 16) * (re.search(rf'\b{port}\b', line) is not None)
        hands_on = int(found[1], 16) <= HANDS_ON_BYTES and HANDS_ON.search(line) is not None
        functions += not hands_on and re.search(r'::(?:[NT]|R2c|C2r|D[cs]t|Dht)\d+[A-Za-z]*\b', line) is not None
codelet_text = sum(codelets.values())
report(f'text of codelets {codelet_text / (1 << 20):.2f} MiB of {TEXT_BUDGET / (1 << 20):.1f} MiB',
       [f'{codelet_text} bytes exceed {TEXT_BUDGET}'] if codelet_text > TEXT_BUDGET else
       [] if codelet_text > 0 else ['the library has no symbols of codelets'])
print('  ' + ', '.join(f'{target} {size / 1024:.0f} KiB' for target, size in
                       sorted(codelets.items(), key=lambda item: -item[1])))
report(f'{functions} functions with a generated body of {FUNCTION_BUDGET}',
       [f'{functions} exceed {FUNCTION_BUDGET}'] if functions > FUNCTION_BUDGET else [] if functions > 0 else ['none is found'])

largest = max(formats, key=formats.get) if formats else 'none'
report(f'text of one format: {formats.get(largest, 0) / 1024:.1f} KiB ({largest}) of {FORMAT_BUDGET >> 10} KiB',
       [f'{name}: {size} bytes' for name, size in formats.items() if size > FORMAT_BUDGET])
largest = max(fused, key=fused.get)
report(f'with what converts it while it transforms: {(fused[largest] + formats.get(largest, 0)) / 1024:.1f} KiB ({largest}) of {FUSED_BUDGET >> 10} KiB',
       [f'{name}: {size + formats.get(name, 0)} bytes' for name, size in fused.items() if size + formats.get(name, 0) > FUSED_BUDGET])
print('  ' + ', '.join(f'{name} {size / 1024:.1f} KiB' for name, size in sorted(fused.items(), key=lambda item: -item[1])))

# g++ 12 makes these of separate products and sums although -ffp-contract=off forbids it. No body asks for them.
contracted = re.findall(r'\bvfm(?:addsub|subadd)\w+', output('objdump', '-d', '--no-show-raw-insn', library))
report('no instruction rounds a product and alternating sums once', sorted(set(contracted)))

sections = {fields[0]: int(fields[1]) for fields in
            (line.split() for line in output('size', '-A', '-d', library).splitlines()) if len(fields) == 3 and fields[1].isdigit()}
print('  the whole library: ' + ', '.join(f'{name} {size / 1024:.0f} KiB' for name, size in
                                          sorted(sections.items(), key=lambda item: -item[1])[:6]))

end()
