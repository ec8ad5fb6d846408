# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""What tests of psd, stft and filter share: samples in every type and container, and sums to compare with. Python's own library alone."""
import cmath
import json
import math
import os
import struct

# name: (code of struct, code of 0, full scale, limits of codes or None)
TYPES = {'s8': ('b', 0, 128, (-128, 127)), 'u8': ('B', 127.5, 127.5, (0, 255)), 's16': ('h', 0, 32768, (-32768, 32767)),
         'u16': ('H', 32767.5, 32767.5, (0, 65535)), 's32': ('i', 0, 2.0 ** 31, (-2 ** 31, 2 ** 31 - 1)), 'f32': ('f', 0, 1, None), 'f64': ('d', 0, 1, None)}


def reals_of(samples):
    return [part for sample in samples for part in ((sample.real, sample.imag) if isinstance(sample, complex) else (sample,))]


def encode(samples, name, big=False):
    """Bytes of samples within full scale; `name` is of TYPES, whatever the samples are."""
    code, middle, full, limits = TYPES[name]
    numbers = [number * full + middle for number in reals_of(samples)]
    if limits:
        numbers = [max(limits[0], min(limits[1], round(number))) for number in numbers]
    return struct.pack(f'{">" if big else "<"}{len(numbers)}{code}', *numbers)


def decode(data, name, is_complex, big=False):
    code, middle, full, _ = TYPES[name]
    numbers = [(number[0] - middle) / full for number in struct.iter_unpack(('>' if big else '<') + code, data)]
    return [complex(*pair) for pair in zip(numbers[::2], numbers[1::2])] if is_complex else numbers


def write(path, data):
    with open(path, 'wb') as file:
        file.write(data)


def write_wav(path, data, tag, bits, channels, rate, kind=b'RIFF', promised=None, extra=b''):
    """A .wav file of these bytes; RF64 says the size in ds64."""
    size = len(data) if promised is None else promised
    head = struct.pack('<HHIIHH', tag, channels, rate, rate * channels * bits // 8, channels * bits // 8, bits)
    body = b'WAVE'
    if kind != b'RIFF':
        body += b'ds64' + struct.pack('<IQQQI', 28, size + 100, size, 0, 0)
    body += extra + b'fmt ' + struct.pack('<I', len(head)) + head
    body += b'data' + struct.pack('<I', size if kind == b'RIFF' else 0xFFFFFFFF) + data
    write(path, kind + struct.pack('<I', len(body) & 0xFFFFFFFF if kind == b'RIFF' else 0xFFFFFFFF) + body)


def write_sigmf(stem, data, datatype, rate=None, captures=(), **more):
    with open(stem + '.sigmf-meta', 'w', encoding='utf-8') as file:
        meta = {'core:datatype': datatype, 'core:version': '1.0.0', **({'core:sample_rate': rate} if rate else {}), **more}
        json.dump({'global': meta, 'captures': list(captures), 'annotations': []}, file)
    write(stem + '.sigmf-data', data)


def window_of(name, n):
    terms = {'hann': (0.5, 0.5), 'boxcar': (1,), 'blackman': (0.42, 0.5, 0.08), 'hamming': (0.54, 0.46),
             'flattop': (0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368)}[name]
    return [sum((-1) ** i * a * math.cos(2 * math.pi * i * j / n) for i, a in enumerate(terms)) for j in range(n)]


def spectrum(row, bins):
    n = len(row)
    turns = [cmath.exp(-2j * math.pi * t / n) for t in range(n)]
    return [sum(x * turns[j * k % n] for j, x in enumerate(row)) for k in range(bins)]


def psd_of(samples, length, hop, window, average, scaling, rate):
    """[(frequency, power)] as scipy.signal.welch defines them without detrending, by ascending frequency."""
    w = window_of(window, length)
    is_complex = isinstance(samples[0], complex)
    bins = length if is_complex else length // 2 + 1
    powers = [[abs(s) ** 2 for s in spectrum([x * f for x, f in zip(samples[at:at + length], w)], bins)]
              for at in range(0, len(samples) - length + 1, hop)]
    columns = list(zip(*powers))
    if average.startswith('ewma:'):
        weight, levels = float(average[5:]), []
        for column in columns:
            level = column[0]
            for power in column[1:]:
                level += (power - level) * weight
            levels.append(level)
    else:
        levels = [{'mean': lambda c: sum(c) / len(c), 'max': max, 'min': min}[average](column) for column in columns]
    scale = 1 / (rate * sum(f * f for f in w)) if scaling == 'density' else 1 / sum(w) ** 2
    doubled = [not is_complex and 0 < k and 2 * k != length for k in range(bins)]
    levels = [level * scale * (2 if twice else 1) for level, twice in zip(levels, doubled)]
    places = [(k if 2 * k < length or not is_complex else k - length, level) for k, level in enumerate(levels)]
    return [(k * rate / length, level) for k, level in sorted(places)]


def feed_slowly(path, data, sizes):
    """Writes to a FIFO in pieces of these sizes, over and over."""
    with open(path, 'wb', buffering=0) as file:
        at, turn = 0, 0
        while at < len(data):
            size = sizes[turn % len(sizes)]
            file.write(data[at:at + size])
            at, turn = at + size, turn + 1


def full():
    return os.environ.get('ULPFFT_TEST_FULL', '') not in ('', '0')
