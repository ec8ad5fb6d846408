#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Every type of NumPy, and files that must not be lost: npy_types_test.py ULPFFT. Needs nothing but Python's own library."""
import cmath
import json
import math
import os
import struct
import subprocess
import sys

sys.dont_write_bytecode = True
from harness import command, expect, run_cases, succeeding  # noqa: E402

tool = os.path.abspath(sys.argv[1])
run = command(tool)
good = succeeding(run)

# Type, code of struct, the storage it is or NumPy's name, and numbers that it holds.
REALS = [('f2', 'e', 'f16', [1.5, -0.25, 2 ** -24, 65504, 0, 0.333251953125]), ('f4', 'f', 'f32', [1.5, -1e-30, 3e30, 7]),
         ('f8', 'd', 'f64', [1.5, -1e-300, 0.1, 7]),
         ('b1', '?', 'bool', [True, False, True, True]), ('i1', 'b', 'i8', [1, -128, 127, 0]), ('u1', 'B', 'uint8', [1, 255, 128, 0]),
         ('i2', 'h', 'i16', [1, -32768, 32767, 258]), ('u2', 'H', 'uint16', [1, 65535, 32768, 258]),
         ('i4', 'i', 'int32', [1, -2 ** 31, 2 ** 31 - 1, 2 ** 24 + 1]),
         ('u4', 'I', 'uint32', [1, 2 ** 32 - 1, 2 ** 24 + 1, 258]), ('i8', 'q', 'int64', [1, -2 ** 63, 2 ** 53, 2 ** 53 - 1]),
         ('u8', 'Q', 'uint64', [1, 2 ** 63, 2 ** 53 - 1, 2 ** 64 - 2 ** 12])]
COMPLEXES = [('c8', 'f', 'f32', [1.5 - 2j, 3j, -0.25, 7]), ('c16', 'd', 'f64', [0.1 - 2j, 1e-300j, 0.3, 7])]


def write(path, descr, code, numbers, shape, fortran=False):
    header = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (descr, fortran, tuple(shape))
    header += ' ' * (63 - (10 + len(header)) % 64) + '\n'
    flat = [part for number in numbers for part in ((number.real, number.imag) if descr[1] == 'c' else (number,))]
    with open(path, 'wb') as file:
        file.write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(header)) + header.encode())
        file.write(struct.pack(('>' if descr[0] == '>' else '<') + str(len(flat)) + code, *flat))


def read(path):
    """The header, and the numbers in the order of the file."""
    with open(path, 'rb') as file:
        data = file.read()
    length = struct.unpack('<H', data[8:10])[0]
    header = eval(data[10:10 + length], {})  # written by the tool under test
    kind, bytes_of_one = header['descr'][1], int(header['descr'][2:])
    code = {'c8': 'f', 'c16': 'd', 'f2': 'e', 'f4': 'f', 'f8': 'd', 'i1': 'b', 'i2': 'h'}[header['descr'][1:]]
    flat = [number[0] for number in struct.iter_unpack('<' + code, data[10 + length:])]
    expect(len(flat) * struct.calcsize(code) == len(data) - 10 - length and bytes_of_one, f'{path}: {header}')
    return header, [complex(a, b) for a, b in zip(flat[::2], flat[1::2])] if kind == 'c' else flat


def orders(descr):
    return ('|',) if descr[1:] == '1' else ('<', '>')


def cycled(numbers, count):
    return [numbers[i % len(numbers)] for i in range(count)]


def dft(values):
    n = len(values)
    return [sum(values[j] * cmath.exp(-2j * math.pi * j * k / n) for j in range(n)) for k in range(n)]


def near(got, wanted, tolerance):
    norm = math.sqrt(sum(abs(value) ** 2 for value in wanted))
    return math.sqrt(sum(abs(a - b) ** 2 for a, b in zip(got, wanted))) <= tolerance * norm


# ---- Cases -------------------------------------------------------------------------------------------------------------------


def every_type_is_read_in_both_byte_orders():
    for descr, code, storage, numbers in REALS + COMPLEXES:
        wide = 'f64' if storage in ('f64', 'int32', 'uint32', 'int64', 'uint64') else 'f32'
        for order in orders(descr):
            for fortran in (False, True):
                what = f'{order}{descr} fortran={fortran}'
                values = cycled(numbers, 12)
                stored = [values[3 * (i % 4) + i // 4] for i in range(12)] if fortran else values  # of (4, 3), in the order of the file
                write('x.npy', order + descr, code, stored, (4, 3), fortran)
                if storage != wide:
                    good('convert', 'x.npy', 'y.npy', '--to', wide)
                    header, got = read('y.npy')
                    expect(got == stored and header['descr'] == '<f' + str(int(wide[1:]) // 8) and header['fortran_order'] == fortran,
                           f'{what}: {header} {got}')
                done = json.loads(good('convert', 'x.npy', 'y.json', '--to', 'mxint8', '--json'))
                expect(done['from'] == storage and done['numbers'] == ('complex' if descr[0] == 'c' else 'real'), f'{what}: {done}')
                done = json.loads(good('transform', 'x.npy', 'y.npy', '--axes', '0', '--json'))
                expect(done['input_format'] == storage and done['storage_out'] == wide, f'{what}: {done}')
                columns = [dft(values[i::3]) for i in range(3)]
                header, got = read('y.npy')
                got = [got[4 * (i % 3) + i // 3] for i in range(12)] if header['fortran_order'] else got
                expect(near(got, [columns[i % 3][i // 3] for i in range(12)], 1e-14 if wide == 'f64' else 1e-6), f'{what}: {got}')
                if descr[0] == 'c':
                    continue
                # Real transforms keep a storage that the file has, where its rows run along the last axis.
                done = json.loads(good('transform', 'x.npy', 'y.npy', '--axes', '1', '--real', '--json'))
                narrow = storage if storage in ('f16', 'i8', 'i16') and not fortran else wide
                expect(done['storage_in'] == narrow and done['storage_out'] == wide and done['kind'] == 'r2c', f'{what}: {done}')
                header, got = read('y.npy')
                got = [got[4 * (i % 2) + i // 2] for i in range(8)] if header['fortran_order'] else got
                rows = [dft(values[3 * r:3 * r + 3])[:2] for r in range(4)]
                expect(near(got, [value for row in rows for value in row], 1e-14 if wide == 'f64' else 1e-6), f'{what} real: {got}')


def formats_are_told_from_each_other():
    for descr, code, storage, numbers in REALS:
        write('x.npy', orders(descr)[-1] + descr, code, cycled(numbers, 8), (8,))
        for one in ('f16', 'i8', 'i16'):
            status, _, errors = run('convert', 'x.npy', 'y.json', '--to', 'f16', '--from', one)
            expect((status == 0) == (storage == one) and (status == 0 or f'the file holds {storage}, not {one}' in errors),
                   f'{descr} --from {one}: {errors}')


def numbers_that_no_double_holds_are_refused():
    for descr, code, number in (('<i8', 'q', 2 ** 53 + 1), ('>i8', 'q', -2 ** 53 - 1), ('<i8', 'q', 2 ** 63 - 1),
                                ('<u8', 'Q', 2 ** 64 - 1), ('>u8', 'Q', 2 ** 63 + 1)):
        write('x.npy', descr, code, [0] * 70000 + [number], (70001,))
        for arguments in (['transform', 'x.npy', 'y.npy'], ['transform', 'x.npy', 'y.npy', '--dct', '2'],
                          ['convert', 'x.npy', 'y.json', '--to', 'f16']):
            status, _, errors = run(*arguments)
            expect(status == 1 and f'data: number 70000 is {number}, which f64 does not hold' in errors, f'{arguments} {descr}: {errors}')
    for descr, words in (('<f16', 'longdouble'), ('<c32', 'clongdouble'), ('|O', 'Python objects'), ('<U4', 'text'), ('|S4', 'text'),
                         ('<M8[s]', 'dates'), ('|V8', 'raw bytes'),
                         ('|f4', "'|f4'"), ('<f3', "'<f3'"), ('', "''")):
        write('x.npy', descr or '<f4', 'f', [1.0] * 8, (8,))
        if not descr:
            with open('x.npy', 'r+b') as file:
                text = file.read().replace(b"'<f4'", b"''   ")
                file.seek(0)
                file.write(text)
        status, _, errors = run('transform', 'x.npy', 'y.npy')
        expect(status == 1 and errors.startswith('error: x.npy: descr: ') and words in errors and 'float16, float32' in errors,
               f'{descr}: {errors}')
    open('empty.npy', 'w', encoding='ascii').close()
    for arguments in (['transform', 'empty.npy', 'y.npy'], ['convert', 'empty.npy', 'y.json', '--to', 'f16'],
                      ['transform', 'empty.npy', 'y.npy', '--real']):
        status, _, errors = run(*arguments)
        expect(status == 1 and errors == 'error: empty.npy: is empty.\n', f'{arguments}: {errors}')


def narrow_real_numbers_are_written_as_numpy_types():
    numbers = [3.0, -1.0, 0.5, 100.0, 7.0, -8.0]
    write('x.npy', '<f8', 'd', numbers, (2, 3))
    for storage, descr in (('f16', '<f2'), ('i8', '|i1'), ('i16', '<i2')):
        whole = [float(round(value)) if storage[0] == 'i' else value for value in numbers]
        done = json.loads(good('convert', 'x.npy', 'y.npy', '--to', storage, '--json'))
        expect(done['files'] == ['y.npy'] and done['to'] == storage, f'{done}')
        header, got = read('y.npy')
        expect(header['descr'] == descr and header['shape'] == (2, 3) and got == whole, f'{storage}: {header} {got}')
        good('convert', 'x.npy', 'y.json', '--to', storage, '--axis', '0')
        good('convert', 'y.json', 'z.npy', '--to', storage)
        expect(read('z.npy') == (header, got), f'{storage}: rows along another axis')
        good('convert', 'y.npy', 'y.json', '--to', 'f16')  # and read again
        # A cosine transform whose result is in that storage.
        good('transform', 'x.npy', 'y.npy', '--axes', '1', '--dct', '2', '--storage', f'f64:{storage}')
        good('transform', 'x.npy', 'y.json', '--axes', '1', '--dct', '2', '--storage', f'f64:{storage}')
        good('convert', 'y.json', 'z.npy', '--to', 'f32')
        expect(read('y.npy')[0]['descr'] == descr and read('y.npy')[1] == read('z.npy')[1], f'{storage}: {read("y.npy")}')
        status, _, errors = run('transform', 'x.npy', 'y.npy', '--axes', '1', '--dct', '2', '--storage', f'f64:{storage}', '--exponents')
        expect(status == 0 and read('y.npy')[0]['descr'] == '<f4', f'{storage} with exponents is multiplied by them: {errors}')
    write('c.npy', '<c8', 'f', [1 + 2j] * 4, (4,))
    status, _, errors = run('convert', 'c.npy', 'y.npy', '--to', 'f16')
    expect(status == 2 and 'NumPy has no complex numbers in f16' in errors, errors)
    for storage in ('e4m3', 'bf16', 'u8', 'mxint8'):
        status, _, errors = run('convert', 'x.npy', 'y.npy', '--to', storage)
        expect(status == 2 and '.json file' in errors, f'{storage}: {errors}')


def kspace_and_images_are_read_in_both_byte_orders():
    numbers = [complex(i % 7 - 3, i % 5 - 2) for i in range(512)]
    for descr, code in (('c8', 'f'), ('c16', 'd')):
        for order in ('<', '>'):
            write('k.npy', order + descr, code, numbers, (1, 2, 16, 16))
            good('mri', 'recon', 'k.npy', '-o', 'out' + order)
        expect(read('out</result.npy') == read('out>/result.npy'), descr)
    images = [round(abs(value) * 10) for value in read('out</reference.npy')[1]]
    for descr, code in (('f2', 'e'), ('u2', 'H'), ('i4', 'i'), ('f8', 'd'), ('c8', 'f')):
        for order in ('<', '>'):
            write('r.npy', order + descr, code, images, (1, 16, 16))
            good('mri', 'recon', 'k.npy', '-o', f'ref{order}{descr}', '--reference', 'r.npy')
            with open(f'ref{order}{descr}/metrics.json', encoding='utf-8') as file:
                metrics = json.load(file)
            first = metrics['nmse'] if (descr, order) == ('f2', '<') else first
            expect(metrics['nmse'] == first, f'{order}{descr}: {metrics["nmse"]} {first}')


def samples_are_told_from_numpy_files():
    write('x.npy', '<f4', 'f', [1.0] * 64, (64,))
    for source in ('x.npy', 'copy.cs16', '-'):
        with open('x.npy', 'rb') as file:
            data = file.read()
        with open('copy.cs16', 'wb') as file:
            file.write(data)
        done = subprocess.run([tool, 'transform', source, 'never.npy', '--raw', 'cs16', '--length', '8'], input=data, capture_output=True,
                              check=False)
        expect(done.returncode == 1 and b'begins as a NumPy file' in done.stderr and not os.path.exists('never.npy'), f'{source}: {done}')
    with open('s.cs16', 'wb') as file:
        file.write(bytes(range(256)))
    for name in ('cs16', 'ci16', 'sc16', 'cu8', 'cs8', 'cf32', 'cf64', 'cfile'):
        os.replace('s.cs16', 's.' + name)
        good('transform', 's.' + name, 'named.npy', '--length', '4')
        good('transform', 's.' + name, 'asked.npy', '--length', '4', '--raw', 'cf32' if name == 'cfile' else name)
        expect(open('named.npy', 'rb').read() == open('asked.npy', 'rb').read(), name)
        status, _, errors = run('transform', 's.' + name, 'never.npy')
        expect(status == 2 and 'need --length' in errors and f'  s.{name}\n  ^' in errors, f'{name}: {errors}')
        os.replace('s.' + name, 's.cs16')
    for word in ('cs16', 'sc16', 'i16'):
        status, _, errors = run('transform', 's.cs16', 'never.npy', '--raw', word)
        expect(status == 2 and f'  {word}\n  ^' in errors, f'what was typed is underlined: {errors}')


def no_file_beside_an_output_replaces_an_input():
    write('x.npy', '<f4', 'f', [float(i) for i in range(16)], (16,))
    good('convert', 'x.npy', 'x8.json', '--to', 'mxfp8_e4m3')
    os.link('x8.codes.npy', 'linked.npy')
    good('transform', 'x.npy', 'e.json', '--storage', 'f32:e4m3', '--exponents')

    def contents():
        return {name: open(name, 'rb').read() for name in sorted(os.listdir('.')) if name.endswith(('.npy', '.json'))}
    before = contents()
    for arguments, named in ((['convert', 'x8.codes.npy', 'x8.json', '--to', 'f16'], 'x8.codes.npy'),
                             (['convert', './x8.scales.npy', 'x8.json', '--to', 'f16'], 'x8.scales.npy'),
                             (['convert', 'linked.npy', 'x8.json', '--to', 'f16'], 'linked.npy'),
                             (['transform', 'x8.codes.npy', 'x8.json', '--storage', 'f16'], 'x8.codes.npy'),
                             (['transform', 'e.exponents.npy', 'e.json', '--storage', 'f16'], 'e.exponents.npy'),
                             (['transform', 'x.npy', 'x8.json', '--storage', 'f16', '--multiply', 'x8.codes.npy'], 'x8.codes.npy')):
        status, output, errors = run(*arguments)
        expect(status == 1 and not output and named in errors and 'another name' in errors, f'{arguments}: {status} {errors}')
    # A description of its own that names the codes of another.
    with open('x8.json', encoding='utf-8') as file:
        other = json.load(file)
    with open('other.json', 'w', encoding='utf-8') as file:
        json.dump(other, file)
    for arguments in (['convert', 'other.json', 'x8.json', '--to', 'f16'], ['transform', 'other.json', 'x8.json', '--storage', 'f16'],
                      ['transform', 'other.json', 'x8.json', '--real']):
        status, _, errors = run(*arguments)
        expect(status == 1 and 'another name' in errors, f'{arguments}: {errors}')
    os.remove('other.json')
    expect(contents() == before, 'a file was changed')
    good('convert', 'x8.json', 'x8.json', '--to', 'f16')  # IN and OUT may be the same


run_cases('npy types', [
    every_type_is_read_in_both_byte_orders, formats_are_told_from_each_other, numbers_that_no_double_holds_are_refused,
    narrow_real_numbers_are_written_as_numpy_types,
    kspace_and_images_are_read_in_both_byte_orders, samples_are_told_from_numpy_files, no_file_beside_an_output_replaces_an_input,
])
