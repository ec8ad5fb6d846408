#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Power spectra of signals of any length: psd_test.py ULPFFT. Needs nothing but Python's own library."""
import cmath
import json
import math
import os
import pty
import random
import re
import select
import signal
import struct
import subprocess
import sys
import threading
import time
import zlib

sys.dont_write_bytecode = True
from harness import HANG, command, expect, marked_word, run_cases, succeeding, write_npy  # noqa: E402
from pages import check_colors, check_letters  # noqa: E402
from signal_files import decode, encode, feed_slowly, full, psd_of, write, write_sigmf, write_wav  # noqa: E402

tool = os.path.abspath(sys.argv[1])
run = command(tool)
good = succeeding(run)
random.seed(41)
MIB = 1 << 20


def noise(count, is_complex, scale=0.2):
    return [scale * (complex(random.gauss(0, 1), random.gauss(0, 1)) if is_complex else random.gauss(0, 1)) for _ in range(count)]


def read_csv(text):
    return [tuple(map(float, line.split(','))) for line in text.split('\n')[1:] if line]


def near(found, expected, bound, what):
    largest = max(power for _, power in expected)
    faults = [(a, b) for a, b in zip(found, expected) if abs(a[0] - b[0]) > 1e-6 * max(1, abs(b[0])) or abs(a[1] - b[1]) > bound * largest]
    expect(len(found) == len(expected) and not faults, f'{what}: {len(found)} bins of {len(expected)}, {len(faults)} differ, e.g. {faults[:1]}')


# ---- Numbers -----------------------------------------------------------------------------------------------------------------------


def a_tone_is_read_off_within_a_tenth_of_a_decibel():
    for name in ('cu8', 'cs8', 'cs16', 'cf32', 's16', 'f32', 'f64', 'u16'):
        is_complex = name[0] == 'c'
        rate, length = random.choice((48e3, 2.4e6)), random.choice((512, 1000, 1024))
        window = random.choice(('hann', 'blackman', 'blackmanharris', 'flattop', 'kaiser:9'))
        place, level = random.uniform(0.1, 0.4) * rate * random.choice((1, -1 if is_complex else 1)), random.uniform(0.2, 0.95)
        phase = random.uniform(0, 6)
        angles = [2 * math.pi * place / rate * n + phase for n in range(8 * length)]
        samples = [level * (cmath.exp(1j * a) if is_complex else math.cos(a)) + 1e-3 * random.gauss(0, 1) for a in angles]
        write(f'tone.{name}', encode(samples, name.lstrip('c') if name != 'cs8' and name != 'cs16' else name[1:]))
        found = json.loads(good('psd', f'tone.{name}', '--rate', str(rate), '--length', str(length), '--window', window, '--json'))
        expected = 20 * math.log10(level) - (0 if is_complex else 10 * math.log10(2))
        what = f'{name}, {window}, {length}: {found["peak_1_frequency"]} Hz {found["peak_1_db"]} dB for {place} Hz {expected} dB'
        expect(abs(found['peak_1_db'] - expected) < 0.1 and abs(found['peak_1_frequency'] - place) < 0.15 * rate / length, what)


def powers_are_those_of_the_sum():
    for _ in range(40 if full() else 14):
        is_complex, name = random.random() < 0.5, random.choice(('f32', 'f64', 's16', 's8', 'u8'))
        length, rate = random.choice((8, 15, 32, 50)), random.choice((1, 48e3, 2.4e6))
        hop = random.choice((1, length // 2, length, length + 7))
        window, average = random.choice(('hann', 'boxcar', 'blackman', 'hamming', 'flattop')), random.choice(('mean', 'max', 'min', 'ewma:0.3'))
        scaling, crop = random.choice(('density', 'spectrum')), random.choice((0, 0.2, 0.5))
        path = 'x.' + ('c' if is_complex else '') + name
        data = encode(noise(length + random.randrange(200), is_complex), name)
        write(path, data)
        samples = decode(data, name, is_complex)
        expected = psd_of(samples, length, hop, window, average, scaling, rate)
        left_out = int(crop * len(expected) / (2 if is_complex else 1))
        expected = expected[left_out if is_complex else 0:len(expected) - left_out]
        words = ['--length', str(length), '--hop', str(hop), '--window', window, '--average', average, '--scaling', scaling, '--crop', f'{100 * crop:g}%']
        status, output, errors = run('psd', path, *words, '--csv', '-', '--quiet', *(['--rate', str(rate)] if rate != 1 else []))
        expect(status == 0, errors)
        near(read_csv(output), expected, 1e-5, f'{path} {words} rate {rate}')
        loud = good('psd', path, *words, '--csv', 'db.csv', '--db', *(['--rate', str(rate)] if rate != 1 else []))
        with open('db.csv', encoding='ascii') as file:
            near([(f, 10 ** (level / 10)) for f, level in read_csv(file.read())], expected, 1e-4, f'{path} {words} in dB')
        rows = (len(samples) - length) // hop + 1
        over = len(samples) - (rows - 1) * hop - length
        told = re.search(r'left out +(none|([\d,]+) at the end)', loud)
        expect(told and int((told[2] or '0').replace(',', '')) == (0 if told[1] == 'none' else over) and (over == 0 or told[1] != 'none'), f'{over} are left: {loud}')


def windows_are_rounded_once():
    """Bin 0 of a row with a single 1 at sample j is factor j, by no arithmetic at all. Both halves of a window are the same numbers."""
    n = 58
    write('impulses.f64', encode([float(i == j) for i in range(n) for j in range(n)], 'f64'))
    for name in ('hann', 'flattop', 'nuttall', 'blackmanharris', 'kaiser:8.6', 'gauss:11', 'kaiser:8.6:symmetric'):
        good('stft', 'impulses.f64', 'factors.npy', '--length', str(n), '--hop', str(n), '--window', name, '--quiet')
        with open('factors.npy', 'rb') as file:
            data = file.read()
        rows = struct.unpack(f'<{n * (n // 2 + 1) * 2}d', data[-n * (n // 2 + 1) * 16:])
        factors = rows[::(n // 2 + 1) * 2]
        for j in range(1, n):
            other = factors[n - 1 - j if name.endswith('symmetric') else n - j]
            expect(abs(factors[j] - other) <= math.ulp(factors[j]), f'{name}: factor {j} is {factors[j]!r}, and its mirror image {other!r}')
    beta, total, term, k = 8.6, 1.0, 1.0, 0
    while term > 1e-18 * total:
        k += 1
        term *= (beta / (2 * k)) ** 2
        total += term
    good('stft', 'impulses.f64', 'factors.npy', '--length', str(n), '--hop', str(n), '--window', 'kaiser:8.6', '--quiet')
    with open('factors.npy', 'rb') as file:
        first = struct.unpack('<d', file.read()[-n * (n // 2 + 1) * 16:][:8])[0]
    expect(abs(first * total - 1) <= 1e-15, f'the first factor of kaiser:8.6 is {first!r}, not {1 / total!r}')


def files_pipes_and_threads_give_the_same():
    data = encode(noise(300000, True), 's16')
    write('same.cs16', data)
    words = ['--rate', '1M', '--length', '256', '--hop', '100', '--csv', '-', '--quiet']
    expected = good('psd', 'same.cs16', *words)
    for threads in ('1', '3'):
        expect(good('psd', 'same.cs16', *words, '--threads', threads) == expected, f'{threads} threads')
    done = subprocess.run([tool, 'psd', '-', '--raw', 'cs16', *words], input=data, capture_output=True, check=False, timeout=HANG)
    expect(done.stdout.decode() == expected, f'standard input: {done.stderr}')
    os.mkfifo('fifo.cs16')
    for sizes in ((1, 3, 5), (65536, 7), (100001,)):
        feeder = threading.Thread(target=feed_slowly, args=('fifo.cs16', data[:40001], sizes))
        feeder.start()
        status, output, errors = run('psd', 'fifo.cs16', *words)
        feeder.join()
        write('part.cs16', data[:40000])
        expect(status == 0 and '1 byte at the end is no whole sample' in errors, f'{sizes}: {status} {errors}')
        expect(output == good('psd', 'part.cs16', *words), f'FIFO by {sizes}')


def every_type_and_container_is_the_same_signal():
    samples = [complex(round(100 * x.real), round(100 * x.imag)) / 128 for x in noise(700, True, 0.25)]  # exact in 8 bits
    parts = [part for x in samples for part in (x.real, x.imag)]
    words = ['--length', '64', '--csv', '-', '--quiet', '--rate', '1k']
    for is_complex, signal_ in ((True, samples), (False, parts)):
        write('one.' + ('cf64' if is_complex else 'f64'), encode(signal_, 'f64'))
        expected = read_csv(good('psd', 'one.' + ('cf64' if is_complex else 'f64'), *words))
        for name in ('s8', 's16', 's32', 'f32'):
            for big in (False, True):
                raw = ('c' if is_complex else 'r') + name.replace('s', 'i') + ('_be' if big else '_le')
                write('one.bin', encode(signal_, name, big))
                near(read_csv(good('psd', 'one.bin', '--raw', raw, *words)), expected, 1e-6, raw)
                write_sigmf('one', b'abc' + encode(signal_, name, big), raw, 1000, [{'core:header_bytes': 3, 'core:sample_start': 0}])
                near(read_csv(good('psd', random.choice(('one.sigmf-meta', 'one.sigmf-data')), *words[:-2])), expected, 1e-6, 'SigMF ' + raw)
        for descr in ('<c8', '<c16') if is_complex else ('<f4', '<f8'):
            write_npy('one.npy', (len(signal_),), signal_, descr)
            near(read_csv(good('psd', 'one.npy', *words)), expected, 1e-6, descr)
    write_npy('one.npy', (len(parts),), [round(128 * x) for x in parts], '|i1')
    near(read_csv(good('psd', 'one.npy', *words)), expected, 1e-6, 'int8')
    pcm24 = b''.join(struct.pack('<i', round(x * 2 ** 23))[:3] for x in parts)
    pcm8 = bytes(round(x * 128) + 128 for x in parts)
    wavs = [(1, 8, pcm8), (1, 16, encode(parts, 's16')), (1, 24, pcm24), (1, 32, encode(parts, 's32')), (3, 32, encode(parts, 'f32')), (3, 64, encode(parts, 'f64'))]
    complex_expected = read_csv(good('psd', 'one.cf64', *words))
    for tag, bits, data in wavs:
        for kind in (b'RIFF', b'RF64', b'BW64'):
            write_wav('one.wav', data, tag, bits, 1, 1000, kind, extra=b'LIST\3\0\0\0abc\0')
            near(read_csv(good('psd', 'one.wav', *words[:-2])), expected, 1e-6, f'WAV {tag} {bits} {kind}')
        write_wav('iq.wav', data, tag, bits, 2, 1000)
        near(read_csv(good('psd', 'iq.wav', '--channel', 'iq', *words[:-2])), complex_expected, 1e-6, f'WAV iq {bits}')
        left = b''.join(data[at:at + bits // 8] * 2 for at in range(0, len(data), bits // 8))
        write_wav('two.wav', left, tag, bits, 2, 1000)
        near(read_csv(good('psd', 'two.wav', '--channel', '2', *words[:-2])), expected, 1e-6, f'WAV channel {bits}')
    done = subprocess.run([tool, 'psd', '-', *words[:-2]], input=open('one.wav', 'rb').read(), capture_output=True, check=False, timeout=HANG)
    near(read_csv(done.stdout.decode()), expected, 1e-6, f'WAV from a pipe {done.stderr}')


def lines_of_rtl_power_are_as_documented():
    write_sigmf('r', encode(noise(10000, True), 'f32'), 'cf32_le', 1000, [{'core:frequency': 5000, 'core:datetime': '2026-11-21T12:00:00Z'}])
    lines = good('psd', 'r.sigmf-meta', '--length', '50', '--hop', '50', '--format', 'rtl_power', '--interval', '2').split('\n')[:-1]
    expect(len(lines) == 5, f'{len(lines)} lines')
    rows = [[cell.strip() for cell in line.split(',')] for line in lines]
    expect([row[:2] for row in rows] == [['2026-11-21', f'12:00:{2 * i:02}'] for i in range(len(rows))], f'{[row[:2] for row in rows]}')
    expect(all(row[2:6] == ['4500', '5500', '20.00', '2000'] and len(row) == 56 for row in rows), f'{rows[0][:6]} {len(rows[0])}')
    whole = read_csv(good('psd', 'r.sigmf-meta', '--length', '50', '--hop', '50', '--csv', '-', '--quiet'))
    means = [sum(10 ** (float(row[6 + k]) / 10) for row in rows) / len(rows) for k in range(50)]
    expect(all(abs(mean / power - 1) < 5e-3 for mean, (_, power) in zip(means, whole)), 'the mean of the lines is that of all')
    expect(whole[0][0] == 4500 and whole[-1][0] == 5480, 'frequencies around the centre')


def a_baseline_is_divided_by():
    write('b.cs16', encode(noise(4000, True), 's16'))
    words = ['psd', 'b.cs16', '--rate', '1M', '--length', '64']
    for form in ([], ['--db']):
        good(*words, '--csv', 'base.csv', '--quiet', *form)
        ratio = read_csv(good(*words, '--baseline', 'base.csv', '--csv', '-', '--quiet'))
        expect(all(abs(power - 1) < 1e-4 for _, power in ratio), f'by itself: {ratio[:2]}')
    expect('dB over the baseline' in good(*words, '--baseline', 'base.csv'), 'the unit')
    status, _, errors = run(*words[:4], '--length', '32', '--baseline', 'base.csv')
    expect(status == 1 and 'base.csv: line' in errors and 'same --rate' in errors, errors)


# ---- Endless input -------------------------------------------------------------------------------------------------------------------


def endless(megabytes, *words):
    """Peak of resident bytes while so much comes through a pipe, and the report."""
    block = random.randbytes(MIB)
    with subprocess.Popen([tool, 'psd', '-', '--raw', 'cs16', '--rate', '1M', '--json', *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          env={**os.environ, 'MALLOC_ARENA_MAX': '1'}) as process:
        for _ in range(megabytes):
            process.stdin.write(block)
        process.stdin.flush()
        with open(f'/proc/{process.pid}/status', encoding='ascii') as file:
            peak = int(re.search(r'VmHWM:\s+(\d+) kB', file.read())[1]) * 1024
        process.stdin.close()
        output = process.stdout.read()
    expect(process.returncode == 0, f'{process.returncode}')
    return peak, json.loads(output)


def endless_input_takes_flat_memory():
    words = ['--html', 'endless.html', '--png', 'endless.png']
    little, _ = endless(4, *words)
    much, report = endless(10240 if full() else 64, *words)
    expect(report['samples'] * 4 == (10240 if full() else 64) * MIB, f'{report["samples"]} samples')
    expect(much < 64 * MIB and much < little + 6 * MIB, f'{much / MIB:.1f} MiB, of 4 MiB {little / MIB:.1f}')


def an_interruption_keeps_what_came():
    data = encode(noise(200000, True), 's16')
    with subprocess.Popen([tool, 'psd', '-', '--raw', 'cs16', '--rate', '1M', '--json', '--csv', 'kept.csv'], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        process.stdin.write(data)
        process.stdin.flush()
        for _ in range(600):  # until all of it was taken from the pipe
            with open(f'/proc/{process.pid}/io', encoding='ascii') as file:
                if int(re.search(r'rchar: (\d+)', file.read())[1]) >= len(data):
                    break
            time.sleep(0.05)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        output, errors = process.stdout.read(), process.stderr.read().decode()
        process.wait()
    expect(process.returncode == -signal.SIGINT and 'Interrupted' in errors, f'{process.returncode} {errors}')
    expect(json.loads(output)['samples'] == 200000 and os.path.getsize('kept.csv') > 1000, f'{output[:200]}')


def a_terminal_shows_bars():
    write('t.cs16', encode([0.5 * cmath.exp(2j * math.pi * 0.25 * n) for n in range(1 << 16)], 's16'))
    here, there = pty.openpty()
    with subprocess.Popen([tool, 'psd', 't.cs16', '--rate', '1M', '--watch', '--length', '256'], stdout=there, stderr=subprocess.PIPE) as process:
        text = b''
        while process.poll() is None or select.select([here], [], [], 0.2)[0]:
            if select.select([here], [], [], 0.2)[0]:
                text += os.read(here, 65536)
        errors = process.stderr.read()
    os.close(there)
    os.close(here)
    shown = text.decode()
    expect(process.returncode == 0 and '\u2588' in shown and 'dBFS' in shown and '-500' in shown and '250.0' in shown, f'{errors} {shown[-600:]}')
    status, _, errors = run('psd', 't.cs16', '--rate', '1M', '--watch')
    expect(status == 2 and 'terminal' in errors and marked_word(errors) == '--watch', errors)


# ---- Pictures ------------------------------------------------------------------------------------------------------------------------


def size_and_colors(data):
    """Of a .png with a palette: width, height, rows of places of the palette, the palette."""
    at, packed, colors, head = 8, b'', b'', None
    while at < len(data):
        length, kind = struct.unpack('>I4s', data[at:at + 8])
        chunk, at = data[at + 8:at + 8 + length], at + 12 + length
        head = struct.unpack('>IIBB', chunk[:10]) if kind == b'IHDR' else head
        colors = chunk if kind == b'PLTE' else colors
        packed += chunk if kind == b'IDAT' else b''
    return head, len(zlib.decompress(packed)), colors


def pages_and_pictures_have_axes_with_units():
    rate = 2e6
    samples = [0.4 * cmath.exp(2j * math.pi * 0.2 * n) + x for n, x in enumerate(noise(60000, True, 0.02))]
    write('p.cs16', encode(samples, 's16'))
    good('psd', 'p.cs16', '--rate', '2M', '--center', '100M', '--length', '512', '--html', 'p.html', '--png', 'p.png')
    with open('p.html', encoding='utf-8') as file:
        text = file.read()
    check_colors('p.html', text)
    expect(check_letters('p.html', text) == 4, 'two figures, wide and narrow')
    for words in ('frequency, MHz', 'time, ms', 'dBFS', '100.4', 'Spectrum of p.cs16', 'around 100 MHz'):
        expect(words in text, f'no {words}')
    expect(f'{100e6 + 0.2 * rate:.0f}'[:4] in text.replace('.', ''), 'the peak')
    with open('p.png', 'rb') as file:
        data = file.read()
    head, _, colors = size_and_colors(data)
    expect(head[0] >= 600 and head[1] >= 300 and head[3] == 3 and len(colors) >= 300, f'{head} {len(colors)}')
    light = [sum(w * c for w, c in zip((0.3, 0.6, 0.1), colors[3 * i:3 * i + 3])) for i in range(128)]
    expect(all(a <= b + 1e-9 for a, b in zip(light, light[1:])), 'colours become lighter')
    expect(len(text) < 700000, f'{len(text)} bytes')


# ---- What is refused -----------------------------------------------------------------------------------------------------------------


def what_is_wrong_is_said_in_a_sentence():
    write('x.cs16', encode(noise(1000, True), 's16'))
    write('odd.cs16', b'abcde')
    write('few.cs16', encode(noise(10, True), 's16'))
    write('noname', b'abcd')
    write('w.txt', b'1\n' * 20)
    os.mkfifo('pipe')
    write_sigmf('own', encode(noise(100, True), 's16'), 'ci16_le', 1e6, [])
    for words, status, marked, parts in (
            (['odd.cs16'], 1, '', ['odd.cs16', '5 bytes', '1 byte is left', '--drop-partial']),
            (['x.cs16', '--hop', '0'], 2, '0', ['--hop takes', 'from 1']),
            (['x.cs16', '--rate', '0'], 2, '0', ['--rate takes', 'above 0']),
            (['x.cs16', '--rate', '-5M'], 2, '-5M', ['--rate takes']),
            (['x.cs16', '--rate', 'fast'], 2, 'fast', ['--rate takes', '2.4M']),
            (['x.cs16', '--length', '0'], 2, '0', ['--length takes']),
            (['x.cs16', '--length', '16', '--window', 'w.txt'], 2, 'w.txt', ['20 factors', '--length is 16']),
            (['x.cs16', '--window', 'han'], 2, 'han', ["Did you mean 'hann'?"]),
            (['x.cs16', '--window', 'kaiser:x'], 2, 'kaiser:x', ['number behind the name']),
            (['x.cs16', '--average', 'men'], 2, 'men', ['ewma:X']),
            (['x.cs16', '--average', 'ewma:2'], 2, 'ewma:2', ['above 0 and at most 1']),
            (['x.cs16', '--crop', '120%'], 2, '120%', ['--crop takes']),
            (['x.cs16', '--raw', 'cs17'], 2, 'cs17', ['--raw takes', "Did you mean 'cs16'?"]),
            (['few.cs16'], 1, '', ['10 samples', '4,096', '--length']),
            (['noname'], 2, 'noname', ['--raw']),
            (['-'], 2, '-', ['standard input', '--raw']),
            (['x.cs16', '--center', '100M'], 2, '--center', ['--rate']),
            (['x.cs16', '--db'], 2, '--db', ['--csv']),
            (['x.cs16', '--interval', '1'], 2, '--interval', ['rtl_power']),
            (['x.cs16', '--png', 'nonexist/w.png'], 1, '', ['The folder nonexist does not exist']),
            (['x.cs16', '--csv', 'x.cs16'], 2, 'x.cs16', ['replace the input']),
            (['x.cs16', '--length', '16', '--csv', 'pipe'], 1, '', ['no regular file']),
            (['own.sigmf-meta', '--csv', 'own.sigmf-data'], 2, 'own.sigmf-data', ['replace the input']),
            (['x.cs16', '--csv', 'two', '--png', 'two'], 2, 'two', ['a name of its own']),
            (['x.cs16', '--rate', '1e308G'], 2, '1e308G', ['--rate takes']),
            (['none.cs16'], 1, '', ['none.cs16', 'cannot be opened'])):
        got, output, errors = run('psd', *words)
        expect(got == status and not output and all(part in errors for part in parts), f'{words}: {got} {errors}')
        expect(not marked or marked_word(errors) == marked, f'{words} marks {marked_word(errors)!r}: {errors}')
    good('psd', 'odd.cs16', '--drop-partial', '--length', '1', '--quiet')


def damaged_descriptions_name_what_is_wrong():
    data = encode(noise(100, False), 's16')
    write_wav('short.wav', data, 1, 16, 1, 48000, promised=5000)
    write_wav('stereo.wav', data, 1, 16, 2, 48000)
    write_wav('adpcm.wav', data, 2, 4, 1, 48000)
    write_wav('slow.wav', data, 1, 16, 1, 0)
    with open('short.wav', 'rb') as file:
        write('cut.wav', file.read()[:30])
    write_sigmf('type', data, 'cf16_le')
    write_sigmf('gone', data, 'ri16_le', 1e6)
    os.remove('gone.sigmf-data')
    write_sigmf('moved', data, 'ri16_le', 1e6, [{'core:frequency': 1}, {'core:frequency': 2}])
    write('text.sigmf-meta', b'{')
    for path, parts in (('short.wav', ['data', '5000 bytes', '200 bytes', '--drop-partial']), ('stereo.wav', ['2 channels', '--channel iq']),
                        ('adpcm.wav', ['fmt', 'format 2']), ('slow.wav', ['fmt', 'rate is 0']), ('cut.wav', ['the file ends']),
                        ('type.sigmf-meta', ['core:datatype', 'cf16_le']), ('gone.sigmf-meta', ['gone.sigmf-data', 'cannot be opened']),
                        ('moved.sigmf-meta', ['core:frequency', 'different']), ('text.sigmf-meta', ['global', 'JSON'])):
        status, output, errors = run('psd', path, '--length', '16')
        expect(status == 1 and not output and path.split('.')[0] in errors and all(part in errors for part in parts), f'{path}: {status} {errors}')
    good('psd', 'short.wav', '--length', '16', '--drop-partial', '--quiet')
    done = subprocess.run([tool, 'psd', '-', '--length', '16', '--quiet'], stdin=open('short.wav', 'rb'), capture_output=True, check=False, timeout=HANG)
    expect(done.returncode == 0 and b'promised more' in done.stderr, f'{done}')


def headers_with_wrong_bytes_are_read_or_refused():
    data = encode(noise(64, False), 's16')
    write_wav('f.wav', data, 1, 16, 2, 48000, b'RF64', extra=b'LIST\3\0\0\0abc\0')
    write_sigmf('f', data, 'ci16_le', 1e6, [{'core:frequency': 1e8, 'core:datetime': '2026-11-21T12:00:00Z', 'core:header_bytes': 4}], **{'core:num_channels': 2})
    for path, head in (('f.wav', 112), ('f.sigmf-meta', 400)):
        with open(path, 'rb') as file:
            whole = file.read()
        for _ in range(400 if full() else 40):
            changed = bytearray(whole)
            for _ in range(random.randrange(1, 4)):
                changed[random.randrange(min(head, len(changed)))] = random.choice((0, 1, 255, 128, random.randrange(256)))
            write(path, bytes(changed[:random.choice((len(changed), random.randrange(len(changed))))]))
            status, _, errors = run('psd', path, '--length', '8', '--channel', '1', '--quiet', '--html', 'f.html')
            expect(status in (0, 1, 2) and (status == 0 or errors.startswith('error: ')), f'{path}: {status} {errors} {bytes(changed)}')


def odd_signals_are_drawn():
    silence = [0j] * 50
    for name, samples in (('silent', silence), ('step', [0.5 + 0j] * 50), ('one', [1 + 0j]), ('infinite', [math.inf + 0j] * 50)):
        write(f'{name}.cf32', encode(samples, 'f32'))
        for length in ('1', '2', '50'):
            if int(length) > len(samples):
                continue
            good('psd', f'{name}.cf32', '--length', length, '--window', 'boxcar', '--html', 'odd.html', '--png', 'odd.png', '--json')
            with open('odd.html', encoding='utf-8') as file:
                expect(not re.search(r'"[^"]*\b-?nan\b[^"]*"', re.sub('base64,[^"]*', '', file.read())), f'{name} {length}: a place that is no number')
    # Bins that are few steps of f64 apart, where an axis has no places between.
    for rate in ('1', '300', '3000'):
        good('psd', 'step.cf32', '--length', '16', '--rate', rate, '--center', '1e18', '--html', 'odd.html', '--png', 'odd.png', '--quiet')


if __name__ == '__main__':
    run_cases('psd', [
        a_tone_is_read_off_within_a_tenth_of_a_decibel, powers_are_those_of_the_sum, windows_are_rounded_once,
        files_pipes_and_threads_give_the_same, every_type_and_container_is_the_same_signal, lines_of_rtl_power_are_as_documented,
        a_baseline_is_divided_by, endless_input_takes_flat_memory, an_interruption_keeps_what_came, a_terminal_shows_bars,
        pages_and_pictures_have_axes_with_units, what_is_wrong_is_said_in_a_sentence, damaged_descriptions_name_what_is_wrong,
        headers_with_wrong_bytes_are_read_or_refused, odd_signals_are_drawn])
