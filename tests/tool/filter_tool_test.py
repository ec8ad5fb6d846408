#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Filters and short-time spectra of signals of any length: filter_tool_test.py ULPFFT. Needs nothing but Python's own library."""
import cmath
import json
import math
import os
import random
import struct
import subprocess
import sys
import threading

sys.dont_write_bytecode = True
from harness import HANG, command, expect, marked_word, read_npy, run_cases, succeeding, write_npy  # noqa: E402
from signal_files import decode, encode, feed_slowly, full, spectrum, window_of, write, write_wav  # noqa: E402

tool = os.path.abspath(sys.argv[1])
run = command(tool)
good = succeeding(run)
random.seed(42)


def signal_of(count, is_complex, scale=0.2):
    return [scale * (complex(random.gauss(0, 1), random.gauss(0, 1)) if is_complex else random.gauss(0, 1)) for _ in range(count)]


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def convolve(x, taps, mode):
    y = [sum(taps[k] * x[n - k] for k in range(max(0, n - len(x) + 1), min(len(taps), n + 1))) for n in range(len(x) + len(taps) - 1)]
    begin = (len(taps) - 1) // 2
    return y if mode == 'full' else y[begin:begin + len(x)]


def farthest(found, expected):
    return max((abs(a - b) for a, b in zip(found, expected)), default=0) if len(found) == len(expected) else math.inf


# ---- Filters -------------------------------------------------------------------------------------------------------------------------


def write_taps(taps, is_complex):
    """In one of the ways that taps are read."""
    way = random.choice(('txt', 'npy', 'raw'))
    if way == 'txt':
        with open('taps.txt', 'w', encoding='ascii') as file:
            file.write('# taps\n' + ''.join(f'{t.real!r}, {t.imag!r}\n' if is_complex else f'{t!r}\n' for t in taps))
        return 'taps.txt'
    if way == 'npy':
        write_npy('taps.npy', (len(taps),), taps, '<c16' if is_complex else '<f8')
        return 'taps.npy'
    path = 'taps.' + ('cf64' if is_complex else 'f64')
    write(path, encode(taps, 'f64'))
    return path


def results_are_those_of_the_sum():
    for _ in range(40 if full() else 15):
        is_complex, complex_taps, name = random.random() < 0.5, random.random() < 0.3, random.choice(('f32', 'f64', 's16', 's8', 'u8', 's32'))
        x_path, mode = 'x.' + ('c' if is_complex else '') + name, random.choice(('same', 'full'))
        data = encode(signal_of(random.randrange(1, 400), is_complex), name)
        taps = signal_of(random.randrange(1, 60), complex_taps, 0.1)
        write(x_path, data)
        y_path = 'y.' + ('c' if is_complex or complex_taps else '') + ('f64' if name in ('f64', 's32') else 'f32')
        latency = random.choice(([], ['--latency', 'none'], ['--latency', '64']))
        report = json.loads(good('filter', x_path, y_path, '--taps', write_taps(taps, complex_taps), '--mode', mode, '--json', *latency))
        expected = convolve(decode(data, name, is_complex), taps, mode)
        found = decode(read(y_path), y_path.split('.')[1].lstrip('c'), is_complex or complex_taps)
        expect(farthest(found, expected) < (1e-12 if name in ('f64', 's32') else 1e-6), f'{x_path} {len(taps)} taps {mode}: {farthest(found, expected)}')
        expect(report['written'] == len(expected) and report['saturated'] == 0 and report['taps'] == len(taps), f'{report}')


def output_in_narrow_types_is_rounded_and_saturation_counted():
    for name in ('s16', 's8', 'u8', 'u16', 's32'):
        data = encode(signal_of(500, False), name)
        write('x.' + name, data)
        report = json.loads(good('filter', 'x.' + name, 'y.' + name, '--taps', write_taps([0.0, 3.0], False), '--mode', 'full', '--json'))
        x = decode(data, name, False)
        full_scale = {'s8': 128, 'u8': 127.5, 's16': 32768, 'u16': 32767.5, 's32': 2 ** 31}[name]
        beyond = sum(abs(3 * value) > 1.001 for value in x)
        inside = [(a, 3 * b) for a, b in zip(decode(read('y.' + name), name, False)[1:], x) if abs(3 * b) < 0.98]
        expect(all(abs(a - b) <= 0.51 / full_scale for a, b in inside) and len(inside) > 300, f'{name}: {max(abs(a - b) for a, b in inside) * full_scale} steps')
        expect(beyond <= report['saturated'] <= beyond + 25 and beyond > 10, f'{name}: {report["saturated"]} saturated of {beyond}')
    write('x.cs16', encode(signal_of(500, True), 's16'))
    good('filter', 'x.cs16', 'same.out', '--taps', write_taps([1.0], False))
    expect(read('same.out') == read('x.cs16'), 'a tap of 1 changes no bit')
    _, output, _ = run('filter', 'x.cs16', 'y.cs8', '--taps', write_taps([9.0], False))
    expect('lay beyond the largest value' in output, output)


def gain_at(taps, frequency):
    return abs(sum(tap * cmath.exp(-2j * math.pi * frequency * k) for k, tap in enumerate(taps)))


def designs_keep_their_promise():
    """An impulse comes out as the taps."""
    rate = 48000
    for is_complex in (False, True):
        impulse = [0.0] * 4001
        impulse[2000] = 1.0
        write('i.f64', encode(impulse, 'f64'))
        write('i.cf64', encode([complex(value) for value in impulse], 'f64'))
        path = 'i.cf64' if is_complex else 'i.f64'
        designs = [(['--lowpass', '3k', '--transition', '1k'], 0, 2500, (3500, 10000, 24000)),
                   (['--highpass', '3k', '--transition', '1k'], 3500, 24000, (0, 1000, 2500)),
                   (['--bandpass', '5k:9k', '--transition', '1k'], 5500, 8500, (0, 4500, 9500, 20000) + ((-7000,) if is_complex else ()))]
        for words, low, high, stopped in designs:
            for attenuation in (40, 80):
                good('filter', path, 'o.' + path[2:], '--rate', '48k', *words, '--attenuation', str(attenuation), '--quiet')
                taps = decode(read('o.' + path[2:]), 'f64', is_complex)
                least = 10 ** (-(attenuation - 2) / 20)
                passed = [gain_at(taps, (low + (high - low) * part) / rate) for part in (0, 0.3, 0.5, 1)]
                expect(all(abs(gain - 1) < 1.3 * least + 1e-9 for gain in passed), f'{words} {attenuation}: passes {passed}')
                rest = [gain_at(taps, frequency / rate) for frequency in stopped]
                expect(all(gain < 1.3 * least for gain in rest), f'{words} {attenuation}: {rest}')
                expect(farthest(taps, [tap.conjugate() if is_complex else tap for tap in taps[::-1]]) < 1e-12, 'the phase is linear')


def wav_comes_out_as_wav():
    samples = [round(3e4 * math.sin(0.1 * n)) / 32768 for n in range(999)]
    pcm24 = b''.join(struct.pack('<i', round(x * 2 ** 23))[:3] for x in samples)
    for tag, bits, data in ((1, 8, bytes(round(x * 127) + 128 for x in samples)), (1, 16, encode(samples, 's16')), (1, 24, pcm24), (1, 32, encode(samples, 's32')),
                            (3, 32, encode(samples, 'f32')), (3, 64, encode(samples, 'f64'))):
        write_wav('in.wav', data, tag, bits, 1, 44100)
        good('filter', 'in.wav', 'out.wav', '--taps', write_taps([1.0], False), '--quiet')
        out = read('out.wav')
        at = out.index(b'data')
        expect(out[at + 8:at + 8 + len(data)] == data and struct.unpack('<I', out[at + 4:at + 8])[0] == len(data), f'{bits}: the samples')
        expect(struct.unpack('<I', out[4:8])[0] == len(out) - 8 and len(out) % 2 == 0, f'{bits}: {len(out)} bytes')
        fmt = out.index(b'fmt ')
        expect(struct.unpack('<HHIIHH', out[fmt + 8:fmt + 24]) == (tag, 1, 44100, 44100 * bits // 8, bits // 8, bits), f'{bits}: fmt')
        expect(good('psd', 'out.wav', '--length', '128', '--csv', '-', '--quiet') == good('psd', 'in.wav', '--length', '128', '--csv', '-', '--quiet'), f'{bits}')


def pipes_give_the_same():
    data = encode(signal_of(50000, True), 's16')
    write('p.cs16', data)
    words = ['--rate', '1M', '--lowpass', '100k']
    good('filter', 'p.cs16', 'file.cs16', *words, '--threads', '1')
    done = subprocess.run([tool, 'filter', '-', '-', '--raw', 'cs16', *words], input=data, capture_output=True, check=False, timeout=HANG)
    expect(done.returncode == 0 and done.stdout == read('file.cs16') and b'50,000 samples' in done.stderr, f'{done.stderr}')
    os.mkfifo('p.fifo')
    feeder = threading.Thread(target=feed_slowly, args=('p.fifo', data, (1, 4095, 70000)))
    feeder.start()
    good('filter', 'p.fifo', 'fifo.cs16', '--raw', 'cs16', *words, '--quiet')
    feeder.join()
    expect(read('fifo.cs16') == read('file.cs16'), 'a FIFO')


def filters_say_what_is_wrong():
    write('x.cs16', encode(signal_of(100, True), 's16'))
    write('taps.txt', b'1\n2 3\n')
    write('none.txt', b'# nothing\n')
    write('word.txt', b'1\ntwo\n')
    write('nan.txt', b'1\nnan\n')
    for words, status, marked, parts in (
            ([], 2, 'filter', ['--taps FILE', '--lowpass']),
            (['--lowpass', '3k'], 2, '--lowpass', ['--rate']),
            (['--rate', '1M', '--lowpass', '600k'], 2, '--lowpass', ['half of the rate', '500 kHz']),
            (['--rate', '1M', '--bandpass', '3k'], 2, '3k', ['two frequencies']),
            (['--rate', '1M', '--bandpass', '30k:3k'], 2, '30k:3k', ['lower one first']),
            (['--rate', '1M', '--lowpass', '3k', '--transition', '500k'], 2, '--transition', ['have room']),
            (['--rate', '1M', '--lowpass', '3k', '--transition', '1m'], 2, '--transition', ['4,194,304 taps', 'wider']),
            (['--rate', '1M', '--lowpass', '3k', '--attenuation', '7000'], 2, '--attenuation', ['at most 400 dB']),
            (['--rate', '1M', '--lowpass', '0'], 2, '0', ['--lowpass takes']),
            (['--taps', 'nan.txt'], 1, '', ['line 2', "'nan'"]),
            (['--taps', 'taps.txt'], 1, '', ['taps.txt: line 2', '2 numbers']),
            (['--taps', 'none.txt'], 1, '', ['there are no taps']),
            (['--taps', 'word.txt'], 1, '', ['line 2', "'two'"]),
            (['--taps', 'gone.txt'], 1, '', ['gone.txt', 'cannot be opened']),
            (['--rate', '1M', '--lowpass', '3k', '--latency', 'soon'], 2, 'soon', ['--latency takes']),
            (['--rate', '1M', '--lowpass', '3k', '--raw-out', 's16'], 2, 's16', ['complex']),
            (['--rate', '1M', '--lowpass', '3k', '--raw-out', 'cs17'], 2, 'cs17', ['--raw-out takes'])):
        got, output, errors = run('filter', 'x.cs16', 'never.out', *words)
        expect(got == status and not output and all(part in errors for part in parts), f'{words}: {got} {errors}')
        expect(not marked or marked_word(errors) in (marked, 'filter'), f'{words} marks {marked_word(errors)!r}: {errors}')
        expect(not os.path.exists('never.out'), f'{words}: a file is left')
    status, _, errors = run('filter', 'x.cs16', 'x.cs16', '--taps', write_taps([1.0], False))
    expect(status == 2 and 'replace the input' in errors, errors)
    for name, rate, part in (('y.npy', '1M', 'give OUT another name'), ('y.wav', '0.1', 'a rate of 1'), ('y.wav', '1e12', 'a rate of 1')):
        status, _, errors = run('filter', 'x.cs16', name, '--rate', rate, '--taps', write_taps([1.0], False))
        expect(status == 2 and part in errors and not os.path.exists(name), f'{name} {rate}: {errors}')


# ---- Short-time spectra --------------------------------------------------------------------------------------------------------------


def rows_of(x, length, hop, window, centered, padding):
    half, n = length // 2 if centered else 0, len(x)

    def at(i):
        if 0 <= i < n:
            return x[i]
        if padding != 'reflect':
            return 0
        while not 0 <= i < n:
            i = -i if i < 0 else 2 * (n - 1) - i
        return x[i]
    w = window_of(window, length)
    count = (n - length) // hop + 1 if padding == 'none' else -(-n // hop)
    bins = length if isinstance(x[0], complex) else length // 2 + 1
    return [spectrum([w[j] * at(p * hop - half + j) for j in range(length)], bins) for p in range(count)]


def spectra_are_those_of_the_sum():
    for _ in range(40 if full() else 15):
        is_complex, name, centered = random.random() < 0.5, random.choice(('f32', 'f64', 's16', 'u8')), random.random() < 0.5
        length = random.choice((8, 15, 32))
        hop, window = random.choice((1, 5, length, length + 3)), random.choice(('hann', 'boxcar', 'blackman'))
        padding = random.choice(('zero', 'reflect') if centered else ('none', 'zero'))
        numbers = random.choice(('complex', 'power', 'magnitude'))
        data = encode(signal_of(length + random.randrange(100), is_complex), name)
        path = 'x.' + ('c' if is_complex else '') + name
        write(path, data)
        words = ['--length', str(length), '--hop', str(hop), '--window', window, '--padding', padding, '--output', numbers] + ['--centered'] * centered
        report = json.loads(good('stft', path, 'rows.npy', *words, '--json'))
        expected = rows_of(decode(data, name, is_complex), length, hop, window, centered, padding)
        header, found = read_npy('rows.npy')
        made = {'complex': lambda s: s, 'power': lambda s: abs(s) ** 2, 'magnitude': abs}[numbers]
        flat = [made(s) for row in expected for s in row]
        expect(header['shape'] == (len(expected), len(expected[0])) == tuple(report['shape']), f'{path} {words}: {header["shape"]}')
        expect(header['descr'] == ('<c' if numbers == 'complex' else '<f') + str((4 + 4 * (name == 'f64')) * (1 + (numbers == 'complex'))), header['descr'])
        expect(farthest(found, flat) < (1e-11 if name == 'f64' else 3e-6) * max(1, max(map(abs, flat))), f'{path} {words}: {farthest(found, flat)}')


def spectra_of_pipes_are_the_same_and_memory_is_flat():
    block = random.randbytes(1 << 20)
    write('big.cs16', block * 4)
    words = ['--length', '1024', '--hop', '1024', '--output', 'power', '--quiet']
    good('stft', 'big.cs16', 'file.npy', *words)
    done = subprocess.run([tool, 'stft', '-', 'pipe.npy', '--raw', 'cs16', *words], input=block * 4, capture_output=True, check=False, timeout=HANG)
    expect(done.returncode == 0 and read('pipe.npy') == read('file.npy'), f'{done.stderr}')
    peaks = []
    for count in (4, 64):
        with subprocess.Popen([tool, 'stft', '-', 'flat.npy', '--raw', 'cs16', *words], stdin=subprocess.PIPE, env={**os.environ, 'MALLOC_ARENA_MAX': '1'}) as process:
            for _ in range(count):
                process.stdin.write(block)
            process.stdin.flush()
            with open(f'/proc/{process.pid}/status', encoding='ascii') as file:
                peaks.append(next(int(line.split()[1]) for line in file if line.startswith('VmHWM')))
            process.stdin.close()
        expect(process.returncode == 0, f'{process.returncode}')
    expect(peaks[1] < peaks[0] + 4096, f'{peaks} KiB')
    os.remove('flat.npy')


def spectra_say_what_is_wrong():
    write('x.cs16', encode(signal_of(100, True), 's16'))
    for words, status, marked, parts in (
            (['o.txt'], 2, 'o.txt', ['.npy']),
            (['o.npy'], 1, '', ['100 samples', '4,096']),
            (['o.npy', '--hop', '0'], 2, '0', ['--hop takes']),
            (['o.npy', '--centered', '--padding', 'none'], 2, 'none', ['zero or reflect']),
            (['o.npy', '--padding', 'reflect'], 2, 'reflect', ['--centered']),
            (['o.npy', '--output', 'powr'], 2, 'powr', ["Did you mean 'power'?"])):
        got, output, errors = run('stft', 'x.cs16', *words)
        expect(got == status and not output and all(part in errors for part in parts), f'{words}: {got} {errors}')
        expect(not marked or marked_word(errors) == marked, f'{words} marks {marked_word(errors)!r}: {errors}')
    expect(not os.path.exists('o.npy') and not [name for name in os.listdir('.') if '.part' in name], 'files are left')


if __name__ == '__main__':
    run_cases('filter', [
        results_are_those_of_the_sum, output_in_narrow_types_is_rounded_and_saturation_counted, designs_keep_their_promise, wav_comes_out_as_wav,
        pipes_give_the_same, filters_say_what_is_wrong, spectra_are_those_of_the_sum, spectra_of_pipes_are_the_same_and_memory_is_flat,
        spectra_say_what_is_wrong])
