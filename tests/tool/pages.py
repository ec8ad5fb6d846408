# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""What tests of pages and pictures share: grey PNG files as numbers, and whether a page can be read in the dark and on a phone. Python's own library alone."""
import base64
import html.parser
import re
import struct
import zlib

from harness import expect


def read_png(data):
    """Rows of numbers from 0 to 255, of a grey picture."""
    expect(data[:8] == b'\x89PNG\r\n\x1a\n', 'no PNG')
    at, packed, width, height = 8, b'', 0, 0
    while at < len(data):
        length, kind = struct.unpack('>I4s', data[at:at + 8])
        chunk, at = data[at + 8:at + 8 + length], at + 12 + length
        if kind == b'IHDR':
            width, height, bits, colour = struct.unpack('>IIBB', chunk[:10])
            expect((bits, colour) == (8, 0), f'{bits} bits, colours {colour}: not grey')
        packed += chunk if kind == b'IDAT' else b''
    raw, rows, before = zlib.decompress(packed), [], [0] * width
    for y in range(height):
        how, *row = raw[y * (width + 1):(y + 1) * (width + 1)]
        for x in range(width):
            left, corner = (row[x - 1], before[x - 1]) if x else (0, 0)
            guess = left + before[x] - corner
            nearest = min((left, before[x], corner), key=lambda value, guess=guess: abs(guess - value))
            row[x] = (row[x] + (0, left, before[x], (left + before[x]) // 2, nearest)[how]) & 255
        rows.append(row)
        before = row
    return rows


def images_of_page(text):
    """(text of alt, rows) of each picture of a page."""
    return [(alt, read_png(base64.b64decode(data))) for alt, data in re.findall(r'<img alt="([^"]*)" src="data:image/png;base64,([^"]*)"', text)]


def contrast(one, other):
    """Of two colours, as WCAG has it: from 1 to 21."""
    def luminance(color):
        digits = color[1:] if len(color) == 7 else ''.join(c + c for c in color[1:])
        parts = [int(digits[i:i + 2], 16) / 255 for i in (0, 2, 4)]
        return sum(weight * (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4) for weight, part in zip((0.2126, 0.7152, 0.0722), parts))
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def check_colors(name, text):
    """That each mode has every colour, that words and marks stand out, and that nothing but :root names a colour: that one would not change."""
    style = re.search(r'<style>(.*?)</style>', text, re.S).group(1)
    modes = [dict(re.findall(r'--([a-z0-9-]+): (#[0-9a-f]+)', root)) for root in re.findall(r':root \{(.*?)\}', style, re.S)]
    expect('@media (prefers-color-scheme: dark)' in style and 'color-scheme: light dark' in style and len(modes) == 2, f'{name}: no dark mode')
    expect(set(modes[0]) == set(modes[1]), f'{name}: only one mode has {set(modes[0]) ^ set(modes[1])}')
    for mode in modes:
        for back in ('page', 'card'):
            for word in ('ink', 'soft', 'good', 'bad', 'link'):
                expect(contrast(mode[word], mode[back]) >= 4.5, f'{name}: {word} {mode[word]} on {back} {mode[back]}')
            for mark in range(8):
                expect(contrast(mode[f'c{mark}'], mode[back]) >= 2, f'{name}: c{mark} {mode[f"c{mark}"]} on {back} {mode[back]}')
        for word in ('good', 'bad'):
            expect(contrast(mode[word], mode[word + '-back']) >= 4.5, f'{name}: {word} on its own back')
    rest = re.sub(r':root \{.*?\}', '', style, flags=re.S)
    expect(set(re.findall(r'#[0-9a-f]{3,6}\b', rest)) <= {'#000'}, f'{name}: colours of one mode alone: {rest}')  # behind grey pictures
    expect(not re.search(r'(fill|stroke|color|style)="[^"]*#', text), f'{name}: a colour of its own in an element')
    names = set(re.findall(r'var\(--([a-z0-9-]+)\)', text))
    expect(names <= set(modes[0]), f'{name}: unknown colours {names - set(modes[0])}')


class Figures(html.parser.HTMLParser):
    """(least width in pixels, units across, sizes of letters) of each figure; and which stand in no box that scrolls."""

    def __init__(self, text):
        super().__init__()
        self.figures, self.unboxed, self.boxes = [], 0, []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        if tag == 'div':
            self.boxes.append(named.get('class', ''))
        if tag == 'svg':
            least = re.search(r'min-width:(\d+)px', named.get('style', ''))
            self.figures.append((float(least.group(1)) if least else 0, float(named['viewbox'].split()[2]), [float(named['font-size'])]))
            self.unboxed += not self.boxes or self.boxes[-1] != 'picture'
        if tag in ('text', 'tspan') and 'font-size' in named:
            self.figures[-1][2].append(float(named['font-size']))

    def handle_endtag(self, tag):
        if tag == 'div':
            self.boxes.pop()


def check_letters(name, text, least=9.0):
    """That no letter of a figure is smaller than `least` pixels, however narrow the window is. Returns how many figures there are."""
    page = Figures(text)
    for minimum, units, sizes in page.figures:
        expect(min(sizes) * minimum / units >= least, f'{name}: letters of {min(sizes) * minimum / units:.1f} px, {minimum} px across')
    expect(page.unboxed == 0 and '.picture { overflow-x: auto' in text, f'{name}: {page.unboxed} figures that do not scroll')
    return len(page.figures)
