#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Draws the waterfall of the README: draw_waterfall.py ULPFFT [FOLDER]

Makes a capture of a receiver that there is not (a station in frequency modulation, a carrier, a satellite that passes, a hopping radio and
bursts, in noise), and has `ulpfft psd` draw it as waterfall.png in FOLDER, or beside this script. Python's own library alone.
"""
import cmath
import math
import os
import random
import subprocess
import sys
import tempfile

RATE, SECONDS, LENGTH = 480e3, 0.5, 640
WORDS = ['--rate', '480k', '--center', '145.8M', '--length', str(LENGTH), '--hop', str(LENGTH), '--window', 'blackman', '--quiet', '--drop-partial']


def capture():
    """Bytes as rtl_sdr writes them."""
    random.seed(7)
    noise = [random.gauss(0, 0.012) for _ in range(1 << 16)]
    out, phases, voice = bytearray(), [0.0] * 5, 0.0
    for n in range(int(RATE * SECONDS)):
        t = n / RATE
        voice += 0.002 * (random.uniform(-1, 1) - 0.08 * voice)
        speech = 9 * voice * (1 + math.sin(38 * t)) + 0.35 * math.sin(2 * math.pi * 700 * t)
        slot = int(t / 0.02)
        places = (-150e3 + 16e3 * speech,                           # station
                  60e3,                                             # carrier
                  -10e3 - 42e3 * math.atan(14 * (t - 0.25)),        # satellite
                  (slot * 7919 % 11 - 5) * 9e3 + 165e3,             # hops
                  110e3 + 2.5e3 * (1 if int(t * 1200) * 2654435761 >> 7 & 1 else -1))  # bursts of two tones
        levels = (0.14, 0.05, 0.035, 0.05, 0.09 if t % 0.11 < 0.03 else 0)
        sample = complex(random.choice(noise), random.choice(noise))
        for i, (place, level) in enumerate(zip(places, levels)):
            phases[i] = (phases[i] + place / RATE) % 1
            sample += level * cmath.exp(2j * math.pi * phases[i])
        out += bytes(max(0, min(255, round(127.5 + 127.5 * part))) for part in (sample.real, sample.imag))
    return bytes(out)


def main():
    folder = sys.argv[2] if len(sys.argv) > 2 else os.path.dirname(os.path.abspath(__file__))
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, 'capture.cu8')
        with open(path, 'wb') as file:
            file.write(capture())
        subprocess.run([sys.argv[1], 'psd', path, *WORDS, '--png', os.path.join(folder, 'waterfall.png')], check=True)


if __name__ == '__main__':
    main()
