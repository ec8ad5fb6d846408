#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""A format is one file: one_file_test.py ROOT BUILD

Random descriptors go into a folder, and a copy of the tree and of its build is configured with -Dextra_formats and built again. Nothing
is edited, nothing but conversions is compiled, and what the new library computes with these formats is what their definition says.
ULPFFT_TEST_FULL=1: dozens of formats. ULPFFT_TEST_SEED: another draw.
"""
import glob
import json
import math
import os
import random as random_module
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tool'))
from exact_formats import (RULES, SPECIALS, Format, encode_block, random_block, random_float, random_integer, random_lopsided_integer, refused_descriptors)  # noqa: E402
from harness import write_npy  # noqa: E402
from library import Library, pack, unpack  # noqa: E402

root, build = (os.path.realpath(path) for path in sys.argv[1:3])
full = os.environ.get('ULPFFT_TEST_FULL', '') not in ('', '0')
seed = int(os.environ.get('ULPFFT_TEST_SEED', '1'))
COUNT = 37 if full else 4        # element formats and integers; one in blocks beside each that can be
KINDS = 6                        # of random ones: a default run takes half of them, by the seed
STORAGE_TESTS = ('api_storage_test', 'api_storage_limits_test')  # which take their formats from the library
TEXT_PER_FORMAT = 60 << 10       # bytes that one more format may add to the library, over all targets
# What a format is compiled into: conversions, and the passes that convert themselves. Everything else that the library consists of must
# stay as it is.
CONVERSIONS = re.compile(r'/(hwy_convert|ref_convert|meson-generated_[\w.]*_(formats|hwy_f32_fused)|storage_names)\.cc\.o$')
failures = 0


def report(name, faults):
    global failures
    print(f'{"FAIL" if faults else "PASS"} {name}', flush=True)
    for fault in faults[:10]:
        print('  ' + str(fault)[:2000].replace('\n', '\n  '))
    failures += bool(faults)


def output(*command, **settings):
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **settings)
    if done.returncode != 0:
        raise RuntimeError(f'{" ".join(command)}: status {done.returncode}\n{done.stdout[-4000:]}')
    return done.stdout


def page_blocks(language):
    """The blocks of docs/formats.md in a language."""
    return re.findall(rf'^```{language}\n(.*?)^```', read(os.path.join(root, 'docs', 'formats.md')), re.DOTALL | re.MULTILINE)


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def write_text(path, text):
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)


def write(folder, descriptor):
    path = os.path.join(folder, descriptor['name'] + '.json')
    with open(path, 'w', encoding='utf-8') as file:
        json.dump(descriptor, file)
    return path


def draw_formats(random):
    """The format of docs/formats.md, one of each special-value policy, integers, and the like with any bias."""
    elements = [json.loads(next(block for block in page_blocks('json') if '"fp7"' in block))]
    for j in range(COUNT - 1):
        i = j if full else ((COUNT - 1) * seed + j) % KINDS
        name = f'random{i}'
        if i % KINDS == 5:
            elements.append(random_lopsided_integer(random, name) if i == 5 else random_integer(random, name))
        else:
            elements.append(random_float(random, name, SPECIALS[i] if i < len(SPECIALS) else random.choice(SPECIALS), wild=i >= 4 and i % 2 == 0))
    blocks = [random_block(random, Format(one), 'blocks_of_' + one['name']) for one in elements]
    return elements, [one for one in blocks if one]


# ---- A copy of the tree and of its build -----------------------------------------------------------------------------------------


def copy_with_times(source, to, wanted):
    for entry in os.scandir(source):
        if wanted(os.path.relpath(entry.path, source)):
            subprocess.run(['cp', '-a', entry.path, to], check=True)


def copy_tree(scratch):
    """Both, as far from each other as they are: paths in a build folder are relative."""
    common = os.path.commonpath([root, build])
    new_root, new_build = (os.path.join(scratch, 'copy', os.path.relpath(path, common)) for path in (root, build))
    os.makedirs(new_root, exist_ok=True)
    tracked = output('git', '-c', 'safe.directory=*', '-C', root, 'ls-files', '-z').split('\0')
    tops = {name.split('/')[0] for name in tracked if name}
    copy_with_times(root, new_root, lambda name: name in tops)
    os.makedirs(new_build, exist_ok=True)
    copy_with_times(build, new_build, lambda name: name not in ('tests', 'meson-logs'))
    for path in glob.glob(os.path.join(new_build, '**/*-unity*.cpp'), recursive=True):  # joined files name the others by absolute paths
        times, text = os.stat(path), read(path)
        write_text(path, text.replace(build + os.sep, new_build + os.sep))
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    os.makedirs(os.path.join(new_build, 'tests/api'))
    for program in STORAGE_TESTS:
        shutil.copy2(os.path.join(build, 'tests/api', program), os.path.join(new_build, 'tests/api'))
    return new_root, new_build


def text_bytes(library):
    sections = {fields[0]: int(fields[1]) for fields in (line.split() for line in output('size', '-A', '-d', library).splitlines())
                if len(fields) == 3 and fields[1].isdigit()}
    return sections['.text']


def shared_library(folder):
    files = [os.path.join(folder, 'planner', name) for name in sorted(os.listdir(os.path.join(folder, 'planner'))) if re.fullmatch(r'libulpfft\.so(\.\d+)*', name)]
    return next(name for name in files if not os.path.islink(name))


# ---- Conversions against the definition -----------------------------------------------------------------------------------------


def same(a, b):
    return math.isnan(a) and math.isnan(b) or a == b and math.copysign(1, a) == math.copysign(1, b)


def is_f32(x):
    """Whether x is an f32."""
    try:
        return struct.unpack('<f', struct.pack('<f', x))[0] == x
    except OverflowError:
        return False


def faults_of_decoding(library, target, exact):
    codes = list(range(1 << exact.bits))
    expected = [exact.value(code) for code in codes]
    for real_type in ('f32', 'f64') if exact.descriptor['compute'] == 'f32' else ('f64',):
        got = library.decode(target, exact.name, real_type, pack(codes, exact.bits), b'', len(codes))
        for code in codes:
            if not same(got[code], expected[code]):
                return [f'{target}, {real_type}: code {code} of {exact.descriptor} is {got[code]!r}, not {expected[code]!r}']
    return []


def faults_of_encoding(library, target, exact):
    numbers = []  # with code to nearest, whether beyond, code without saturation
    for value, index, beyond in exact.probes():
        for negative in (False, True) if not exact.is_integer else (False,):
            if negative and not exact.signed:
                numbers.append((-value, 0, value != 0, 0))
                continue
            code = exact.code_at(index, negative)
            numbers.append((-value if negative else value, code, beyond, exact.overflow_code(negative) if beyond and not exact.is_integer else code))
    zero, beyond = exact.encode(0.0)
    numbers += [(0.0, zero, beyond, zero), (math.nan, exact.nan_code(), False, exact.nan_code())]
    last = len(exact.values) - 1
    infinity_counts = exact.is_integer or exact.special not in ('ieee', 'p3109')
    numbers.append((math.inf, exact.code_at(last), True, exact.overflow_code(False)))
    for real_type in ('f64', 'f32') if exact.descriptor['compute'] == 'f32' else ('f64',):
        chosen = [one for one in numbers if real_type == 'f64' or math.isnan(one[0]) or math.isinf(one[0]) or is_f32(one[0])]
        for rounding in (0, 1):
            data, _, saturated = library.encode(target, exact.name, real_type, [one[0] for one in chosen], rounding=rounding)
            got = unpack(data, exact.bits, len(chosen))
            for one, code in zip(chosen, got):
                if code != one[3 if rounding else 1]:
                    return [f'{target}, {real_type}, rounding {rounding}: {one[0].hex()} becomes code {code} of {exact.descriptor}, '
                            f'not {one[3 if rounding else 1]}']
            expected = sum(one[2] for one in chosen) - (rounding == 1 and not infinity_counts)
            if saturated != expected:
                return [f'{target}, {real_type}, rounding {rounding}: {saturated} saturated of {exact.descriptor}, not {expected}']
    return []


def faults_of_blocks(library, target, random, block, element):
    """Rows of several lengths, with blocks of very different size, zeros, and a last one that is partial."""
    centre = math.frexp(element.largest)[1]
    low, high = (-100, 100) if element.descriptor['compute'] == 'f32' and abs(centre) < 24 else (max(-1000, centre - 80), min(990, centre + 80))
    for length in (block['length'], 4, 0):
        for rule in RULES:
            name = f'{block["name"]}:b{length}:{rule}'
            for reals in (7, 77):
                size = length or reals
                rows = []
                for _ in range(3):
                    powers = [random.randint(low, high - 8) for _ in range(0, reals, size)]
                    rows.append([0.0 if random.random() < 0.1 else
                                 math.ldexp(random.choice([-1, 1]) * random.randint(1 << 20, 1 << 21), powers[i // size] - 20 - random.randint(0, 8))
                                 for i in range(reals)])
                numbers = [x for row in rows for x in row]
                codes = scales = b''
                values = []
                for row in rows:
                    encoded = [encode_block(element, rule, row[i:i + size]) for i in range(0, reals, size)]
                    row_codes = [code for _, block_codes in encoded for code in block_codes]
                    codes += pack(row_codes, element.bits)
                    scales += bytes(scale for scale, _ in encoded)
                    values += [math.ldexp(element.value(code), encoded[i // size][0] - 127) for i, code in enumerate(row_codes)]
                for real_type in ('f32', 'f64') if all(is_f32(x) for x in numbers) else ('f64',):
                    got_codes, got_scales, _ = library.encode(target, name, real_type, numbers, rows=3)
                    if (got_codes, got_scales) != (codes, scales):
                        return [f'{target}: {name} {real_type}, rows of {reals}, element {element.descriptor}: {got_scales.hex()} for {scales.hex()}, '
                                f'{got_codes.hex()} for {codes.hex()}, of {numbers}']
                got = library.decode(target, name, 'f64', codes, scales, 3 * reals, rows=3)
                if not all(same(a, b) for a, b in zip(got, values)):
                    return [f'{target}: {name}, element {element.descriptor}: decoded {got}, not {values}']
    return []


def f32_of(x):
    return struct.unpack('<f', struct.pack('<f', x))[0]


def faults_of_rounded(library, targets, random, element):
    """Sums of two numbers, each rounded once, and a longer transform with the same bits everywhere."""
    scheme = 'rounded:' + element.name
    if not element.signed:
        refused = library.transform(targets[0], f'2 f64 scheme={scheme}', f'{scheme}:n2', 'f64', [0.0] * 4)
        return [] if isinstance(refused, str) and element.name in refused else [f'{element.name} has no sign and is not refused: {refused}']
    def rounded(x):
        return element.value(element.encode(x)[0])
    quarter = [x for x in element.values if abs(x) <= element.largest / 4]
    for target in targets:
        for _ in range(20):
            numbers = [random.choice(quarter) * random.choice([-1, 1]) * random.uniform(0.9, 1.0) for _ in range(4)]
            a, b, c, d = (rounded(x) for x in numbers)
            wanted = [rounded(a + c), rounded(b + d), rounded(a - c), rounded(b - d)]
            got = library.transform(target, f'2 f64 scheme={scheme}', f'{scheme}:n2', 'f64', numbers)
            if got != wanted:
                return [f'{target}, {scheme}: {numbers} becomes {got}, not {wanted}; element {element.descriptor}']
    numbers = [random.uniform(-1, 1) * element.largest / 256 for _ in range(48)]
    results = {target: library.transform(target, f'24 f64 scheme={scheme}', f'{scheme}:dit(3 2 4)', 'f64', numbers) for target in targets}
    wanted = results[targets[-1]]
    return [f'{target}, {scheme}: {got}, on {targets[-1]} {wanted}' for target, got in results.items() if isinstance(got, str) or repr(got) != repr(wanted)]


def faults_of_mx(library, targets, random, block, element):
    """Length 2: what is multiplied by 1 is rounded as a block, and sums are f32. A longer one has the same bits everywhere. None: refused, with a reason."""
    faults = []
    for rule in RULES:
        for product in ('', ':fresh'):
            scheme = f'mx:{block["name"]}:b4:{rule}{product}'
            for target in targets:
                for _ in range(10):
                    numbers = [f32_of(random.uniform(-1, 1) * 2.0 ** random.randint(-6, 6)) for _ in range(4)]
                    got = library.transform(target, f'2 f32 scheme={scheme}', f'{scheme}:n2', 'f32', numbers)
                    if isinstance(got, str):
                        known = re.search('negative elements|elements with an offset|all below 1|significant bits|leave the range', got)
                        return None if known else [f'{scheme}: {got}']
                    if product:
                        continue  # rounds twice
                    scale, codes = encode_block(element, rule, numbers[2:])
                    elements = [element.value(code) for code in codes]
                    if min(elements) < -element.largest:
                        # A carried exponent grows beyond the largest element: golden section 5.
                        scale = min(scale + 1, 254)
                        elements = [element.value(element.encode(value / 2)[0]) for value in elements]
                    x, y = (math.ldexp(value, scale - 127) for value in elements)
                    wanted = [f32_of(sum) for sum in (numbers[0] + x, numbers[1] + y, numbers[0] - x, numbers[1] - y)]
                    if got != wanted:
                        return [f'{target}, {scheme}: {numbers} becomes {got}, not {wanted}; element {element.descriptor}']
            numbers = [f32_of(random.uniform(-1, 1)) for _ in range(96)]
            results = {target: library.transform(target, f'48 f32 scheme={scheme}', f'{scheme}:dit(2 2 3 4)', 'f32', numbers) for target in targets}
            results = {target: repr(got) for target, got in results.items()}
            faults += [f'{target}, {scheme}: {got}, not {results[targets[-1]]}' for target, got in results.items() if got != results[targets[-1]]]
    return faults


def faults_of_page(new_build, scratch):
    """Its commands about fp7 that need a library with it, as they are printed."""
    output('ninja', '-C', new_build, 'tools/ulpfft/ulpfft')
    write_npy(os.path.join(scratch, 'in.npy'), (4, 8), [complex(i % 7, -(i % 5)) for i in range(32)], '<c8')
    faults, ran = [], 0
    for line in (line for block in page_blocks('sh') for line in block.split('\n')):
        words = shlex.split(line, comments=True)
        if words[:1] != ['ulpfft'] or 'fp7' not in words:
            continue
        ran += 1
        printed = output(os.path.join(new_build, 'tools/ulpfft/ulpfft'), *words[1:], cwd=scratch,
                         env=os.environ | {'LD_LIBRARY_PATH': os.path.join(new_build, 'planner')})  # not the library that this test was started with
        table = [row.split()[1:] for row in printed.split('\n') if re.match(r' *\d+ ', row)]
        if words[1] == 'formats' and len({value for row in table for value in row}) != 128:
            faults.append(f'{line}: not 128 codes in\n{printed}')
    with open(os.path.join(scratch, 'in7.codes.npy'), 'rb') as file:
        if b"'shape': (4, 14)" not in file.read(128):
            faults.append('16 numbers of 7 bits are no 14 bytes')
    return faults if ran >= 2 else [f'{ran} commands ran']


def main(scratch):
    random = random_module.Random(seed)
    print(f'{COUNT} formats of seed {seed}')
    folder = os.path.join(scratch, 'formats')
    refused_folder = os.path.join(scratch, 'refused')
    os.mkdir(folder)
    os.mkdir(refused_folder)
    elements, blocks = draw_formats(random)
    paths = [write(folder, descriptor) for descriptor in elements + blocks]
    genfft = os.path.join(build, 'genfft/ulpfft-genfft')
    scale = os.path.join(root, 'genfft/formats/e8m0.json')
    done = subprocess.run([genfft, 'check', scale, *paths], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    report('every random descriptor is accepted', [done.stdout] if done.returncode else [])
    faults = []
    for descriptor in refused_descriptors(random, 20):
        done = subprocess.run([genfft, 'check', write(refused_folder, descriptor)], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode == 0 or f'{descriptor["name"]}.json' not in done.stdout or '/bias' not in done.stdout:
            faults.append(f'{descriptor}: {done.stdout}')
    report('descriptors with values that f64 does not hold are refused, naming the bias', faults)

    new_root, new_build = copy_tree(scratch)
    before = text_bytes(shared_library(new_build))
    output('meson', 'setup', '--reconfigure', new_build, new_root, '-Dextra_formats=' + folder)
    library_file = shared_library(new_build)
    built = output('ninja', '-v', '-C', new_build, os.path.relpath(library_file, new_build))
    objects = re.findall(r' -o (\S+\.(?:o|gch)) ', built)
    report('nothing but conversions is compiled for new formats',
           [name for name in objects if not CONVERSIONS.search(name)] if objects else ['nothing was compiled'])
    added = (text_bytes(library_file) - before) / len(elements + blocks)
    report(f'a format adds {added / 1024:.1f} KiB of text, at most {TEXT_PER_FORMAT >> 10}', [f'{added:.0f} bytes'] if added > TEXT_PER_FORMAT else [])

    library = Library(library_file)
    exact = {descriptor['name']: Format(descriptor) for descriptor in elements}
    targets = list(library.contexts)
    report(f'every code decodes to its value on {", ".join(targets)}',
           [fault for t in targets for one in exact.values() for fault in faults_of_decoding(library, t, one)])
    report('every value and every middle between two encodes to its code',
           [fault for t in targets for one in exact.values() for fault in faults_of_encoding(library, t, one)])
    report('blocks have the scales and codes of their rule',
           [fault for t in targets for one in blocks for fault in faults_of_blocks(library, t, random, one, exact[one['element']])])

    report('rounded schemes round sums to the element', [fault for one in exact.values() for fault in faults_of_rounded(library, targets, random, one)])
    found = [faults_of_mx(library, targets, random, one, exact[one['element']]) for one in blocks]
    report(f'mx schemes of {sum(faults is not None for faults in found)} of {len(blocks)} block formats round as their blocks, others say why not',
           [fault for faults in found for fault in faults or []] if any(faults is not None for faults in found) else ['all are refused'])

    if os.path.exists(os.path.join(new_build, 'tools/ulpfft/ulpfft')):
        report('docs/formats.md is true of its format', faults_of_page(new_build, scratch))

    names = [descriptor['name'] for descriptor in elements + blocks]
    environment = {**os.environ, 'LD_LIBRARY_PATH': os.path.dirname(library_file)}
    chosen = '--gtest_filter=' + ':'.join(f'*EveryFormat*.*/{name}' for name in names) + '-Reals*'  # those would take four times as long
    for program in STORAGE_TESTS:
        done = subprocess.run([os.path.join(new_build, 'tests/api', program), '--gtest_brief=1', chosen], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, env=environment)
        ran = re.search(r'(\d+) tests? from', done.stdout)
        report(f'storage plans: {ran[1] if ran else 0} tests of {program}', [done.stdout[-6000:]] if done.returncode else [] if ran else ['none ran'])


with tempfile.TemporaryDirectory() as scratch_folder:
    for program in ('meson', 'ninja', 'git', 'size', 'cp'):
        if not shutil.which(program):
            print(f'SKIP one file: no {program}')
            sys.exit(77)
    main(scratch_folder)
sys.exit(1 if failures else 0)
