#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Draws the picture of the README: draw.py [FOLDER]

Speed comes from notebook/data/peers_zen5.json. The images are the panels (reference, result, difference) that
`ulpfft mri recon kspace.cfl --storage FORMAT -o out` wrote for the k-space of docs/mri.md, and their figures stand in its table.
Writes light.svg and dark.svg to FOLDER, and where chromium is installed light.png and dark.png; without FOLDER, the PNGs beside
this script are replaced. Python's own library alone.
"""
import base64
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(os.path.dirname(here))
RESULTS = os.path.join(root, 'notebook/data/peers_zen5.json')
IMAGES = (('f32', 'complex64'), ('f16', 'f16'), ('mxfp6_e2m3', 'MXFP6'), ('mxfp4_e2m1', 'MXFP4'))
WIDTH, HEIGHT, SCALE = 800, 816, 1.25
THEMES = {
    'light': {'paper': '#ffffff', 'ink': '#1f2328', 'soft': '#59636e', 'grid': '#d8dee4', 'f32': '#0969da', 'f64': '#bc4c00'},
    'dark': {'paper': '#0d1117', 'ink': '#f0f6fc', 'soft': '#a3acb8', 'grid': '#30363d', 'f32': '#58a6ff', 'f64': '#ffa657'},
}
LEFT, RIGHT, TOP, BOTTOM = 92, 780, 96, 430  # of the plot
LONGEST, LEAST, MOST = 20, 0.72, 3.1          # log2 of a length; ratios


def points(text):
    """(length, type, ratio) of every row that is one transform of one dimension."""
    rows = json.loads(text)['rows']
    return [(int(row['problem']), row['type'], row['ratio']) for row in rows if row['problem'].isdigit()]


def mri_rows(text):
    """Bytes a sample and PSNR by storage, from the table of docs/mri.md."""
    rows = (re.match(r'\| (\w+) \| ([\d.]+) \| \S+ \| ([\d.]+) \|', line) for line in text.split('\n'))
    return {row[1]: (float(row[2]), float(row[3])) for row in rows if row}


def x_of(n):
    return LEFT + (RIGHT - LEFT) * (math.log2(n) - 0.6) / (LONGEST - 0.2)


def y_of(ratio):
    return BOTTOM - (BOTTOM - TOP) * math.log(ratio / LEAST) / math.log(MOST / LEAST)


def text(x, y, words, colour, size=23, anchor='start', weight='normal'):
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}">{words}</text>'


def plot(theme, rows):
    ink, soft, grid = theme['ink'], theme['soft'], theme['grid']
    out = [text(24, 38, 'Speed relative to the fastest of four other FFT libraries', ink, 27, weight='bold'),
           text(24, 72, 'One core, AMD Zen 5, by points of a transform. Above 1 &#215; ulpfft is faster.', soft, 21)]
    for ratio in (0.8, 1, 1.25, 1.5, 2, 2.5, 3):
        out.append(f'<line x1="{LEFT}" x2="{RIGHT}" y1="{y_of(ratio):.1f}" y2="{y_of(ratio):.1f}" '
                   f'stroke="{ink if ratio == 1 else grid}" stroke-width="{2.5 if ratio == 1 else 1.2}"/>')
        out.append(text(LEFT - 12, y_of(ratio) + 8, f'{ratio:g} &#215;', ink if ratio == 1 else soft, 23, 'end'))
    for n, label in ((2, '2'), (16, '16'), (128, '128'), (1024, '1024'), (2 ** 13, '8192'), (2 ** 16, '2<tspan dy="-9" font-size="17">16</tspan>'),
                     (2 ** 20, '2<tspan dy="-9" font-size="17">20</tspan>')):
        out.append(text(x_of(n), BOTTOM + 30, label, soft, 23, 'middle'))
    for kind in ('f64', 'f32'):
        powers = sorted((n, ratio) for n, k, ratio in rows if k == kind and n & (n - 1) == 0)
        line = ' '.join(f'{x_of(n):.1f},{y_of(ratio):.1f}' for n, ratio in powers)
        out.append(f'<polyline points="{line}" fill="none" stroke="{theme[kind]}" stroke-width="4" stroke-linejoin="round"/>')
        for n, _, ratio in (row for row in rows if row[1] == kind and row[0] & (row[0] - 1)):
            out.append(f'<circle cx="{x_of(n):.1f}" cy="{y_of(ratio):.1f}" r="5.5" fill="{theme["paper"]}" stroke="{theme[kind]}" stroke-width="3"/>')
    for x, kind, words in ((LEFT + 10, 'f32', 'single'), (LEFT + 128, 'f64', 'double')):
        out.append(f'<line x1="{x}" x2="{x + 30}" y1="{BOTTOM + 61}" y2="{BOTTOM + 61}" stroke="{theme[kind]}" stroke-width="5"/>')
        out.append(text(x + 36, BOTTOM + 68, words, ink, 22))
    out.append(text(LEFT + 252, BOTTOM + 68, 'lines: powers of two; rings: other lengths', soft, 21))
    return out


def strip(theme, figures):
    out = [text(24, 548, 'An MR image from 8 coils, k-space stored in fewer bytes', theme['ink'], 27, weight='bold')]
    side, gap, top = 178, 13, 566
    for i, (name, label) in enumerate(IMAGES):
        with open(os.path.join(here, name + '.png'), 'rb') as file:
            data = base64.b64encode(file.read()).decode()
        x = 24 + i * (side + gap)
        # The second of three panels, 4 pixels apart; a quarter turn, because BART's first axis runs from ear to ear.
        out.append(f'<svg x="{x}" y="{top}" width="{side}" height="{side}" viewBox="0 0 128 128">'
                   f'<image transform="rotate(90 64 64)" x="-132" y="0" width="392" height="128" href="data:image/png;base64,{data}"/></svg>')
        size, psnr = figures[name]
        out.append(text(x, top + side + 28, label, theme['ink'], 23, weight='bold'))
        out.append(text(x, top + side + 56, f'{size:.2g} bytes, {psnr:.0f} dB' if size != 8 else '8 bytes a sample', theme['soft'], 21))
    return out


def draw(name):
    theme = THEMES[name]
    with open(RESULTS, encoding='utf-8') as file:
        rows = points(file.read())
    with open(os.path.join(root, 'docs/mri.md'), encoding='utf-8') as file:
        figures = mri_rows(file.read())
    body = '\n'.join(plot(theme, rows) + strip(theme, figures))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'font-family="Liberation Sans, Helvetica, Arial, sans-serif">\n<rect width="100%" height="100%" fill="{theme["paper"]}"/>\n{body}\n</svg>\n')


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else None
    chromium = shutil.which('chromium') or shutil.which('google-chrome')
    with tempfile.TemporaryDirectory() as scratch:
        for name in THEMES:
            svg = os.path.join(folder or scratch, name + '.svg')
            with open(svg, 'w', encoding='utf-8') as file:
                file.write(draw(name))
            if chromium:
                subprocess.run([chromium, '--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', f'--user-data-dir={scratch}/profile',
                                f'--force-device-scale-factor={SCALE}', f'--window-size={WIDTH},{HEIGHT}',
                                f'--screenshot={os.path.join(folder or here, name + ".png")}', 'file://' + os.path.abspath(svg)],
                               check=True, stderr=subprocess.DEVNULL)
            elif not folder:
                sys.exit('draw.py needs chromium to make PNG files')


if __name__ == '__main__':
    main()
