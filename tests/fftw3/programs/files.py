# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Files that programs of the table read: made from formulas, so that each way reads the same."""
import array
import math
import struct
import wave
import zlib


def wobble(i, j=0, k=0):
    """A smooth number with some that is not."""
    return math.sin(0.3 * i + 0.1 * j) * (1 + k) + (7 * i + 13 * j + 5 * k) % 11


def write_sound(path, seconds=1.0, rate=8000):
    """Two tones, one of which rises."""
    times = [2 * math.pi * t / rate for t in range(int(seconds * rate))]
    samples = [6000 * math.sin((500 + 140 * t) * t) + 6000 * math.sin(2500 * t) for t in times]
    with wave.open(path, 'wb') as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(struct.pack(f'<{len(samples)}h', *map(round, samples)))


def bright_image(width=64, height=48):
    """An image of high dynamic range as pfstools hand it from program to program: channels X, Y, Z."""
    numbers = [math.exp(wobble(x, y) / 4) for y in range(height) for x in range(width)]
    head = b'PFS1\n%d %d\n3\n1\nLUMINANCE=RELATIVE\n' % (width, height) + b''.join(b'%c\n0\n' % name for name in b'XYZ') + b'ENDH'
    return head + b''.join(array.array('f', [weight * x for x in numbers]).tobytes() for weight in (0.95, 1.0, 1.08))


def numbers_of_bright_image(data):
    return array.array('f', data[data.index(b'ENDH') + 4:])


def write_volume(path, shape=(24, 20, 6)):
    """An image of MRtrix."""
    numbers = array.array('f', [wobble(x, y, z) for z in range(shape[2]) for y in range(shape[1]) for x in range(shape[0])])
    head = 'mrtrix image\ndim: {},{},{}\nvox: 1,1,1\nlayout: +0,+1,+2\ndatatype: Float32LE\nfile: . 128\nEND\n'.format(*shape)
    with open(path, 'wb') as file:
        file.write(head.encode().ljust(128, b'\0') + numbers.tobytes())


def numbers_of_volume(path, count=24 * 20 * 6):
    with open(path, 'rb') as file:
        return array.array('f', file.read()[-4 * count:])


def write_picture(path, width=128, height=128):
    """A grey PNG with some noise."""
    rows = b''.join(b'\0' + bytes(int(40 + 15 * wobble(x, y)) % 256 for x in range(width)) for y in range(height))

    def chunk(name, data):
        return struct.pack('>I', len(data)) + name + data + struct.pack('>I', zlib.crc32(name + data))
    with open(path, 'wb') as file:
        file.write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 8, 0, 0, 0, 0)) +
                   chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))


def numbers_of_picture(path):
    """The samples of a PNG of 8 or 16 bits a sample that is not interlaced."""
    with open(path, 'rb') as file:
        data = file.read()
    at, packed, head = 8, b'', None
    while at < len(data):
        length, name = struct.unpack('>I4s', data[at:at + 8])
        if name == b'IHDR':
            head = struct.unpack('>IIBBBBB', data[at + 8:at + 21])
        packed += data[at + 8:at + 8 + length] if name == b'IDAT' else b''
        at += 12 + length
    width, height, bits, colours = head[:4]
    step = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colours] * bits // 8
    rows, above, numbers = zlib.decompress(packed), bytes(width * step), []
    for y in range(height):
        kind, row = rows[y * (width * step + 1)], bytearray(rows[y * (width * step + 1) + 1:(y + 1) * (width * step + 1)])
        for x in range(len(row)):
            left, corner = (row[x - step], above[x - step]) if x >= step else (0, 0)
            nearest = min((left, above[x], corner), key=lambda value: abs(left + above[x] - corner - value))
            row[x] = (row[x] + (0, left, above[x], (left + above[x]) // 2, nearest)[kind]) % 256
        above = bytes(row)
        numbers += row if bits == 8 else struct.unpack(f'>{len(row) // 2}H', row)
    return numbers
