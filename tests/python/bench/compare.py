# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Times ulpfft.fft against other engines of Python in one process, on one thread: compare.py [SECONDS] [--csv FILE] [--picture FILE]

Engines take turns on the same array, call by call, and each has the median of its turns in processor time of the thread. What is printed is
the ratio of an engine's median to ulpfft's, with the relative spread of ulpfft's turns, and geometric means.
"""
import argparse
import csv
import importlib.metadata
import pathlib
import statistics
import time

import numpy as np
import scipy.fft

import ulpfft


def engines():
    """Functions of each engine by the name that scipy.fft has; those that are installed."""
    found = {'scipy': {name: getattr(scipy.fft, name) for name in ('fft', 'rfft', 'dct', 'fft2')}}
    try:
        import ducc0
        found['ducc0'] = {
            'fft': lambda x: ducc0.fft.c2c(x, axes=(x.ndim - 1,)), 'fft2': lambda x: ducc0.fft.c2c(x, axes=(0, 1)),
            'rfft': lambda x: ducc0.fft.r2c(x, axes=(x.ndim - 1,)), 'dct': lambda x: ducc0.fft.dct(x, type=2, axes=(x.ndim - 1,))}
    except ImportError:
        pass
    try:
        import pyfftw
        pyfftw.interfaces.cache.enable()
        pyfftw.interfaces.cache.set_keepalive_time(600)
        found['pyfftw'] = {name: getattr(pyfftw.interfaces.scipy_fft, name) for name in ('fft', 'rfft', 'dct', 'fft2')}
    except ImportError:
        pass
    try:
        import mkl_fft
        found['mkl_fft'] = {name: getattr(mkl_fft, name) for name in ('fft', 'rfft', 'fft2')}
    except ImportError:
        pass
    return found


def problems():
    """(function, shape, type)."""
    lengths = [1 << k for k in range(4, 21)]
    for dtype in ('float32', 'float64'):
        wide = 'complex64' if dtype == 'float32' else 'complex128'
        for n in lengths:
            yield 'fft', (n,), wide
        for n in lengths[::2]:
            yield 'rfft', (n,), dtype
            yield 'dct', (n,), dtype
        for n in (100, 360, 1000, 1009, 10000, 44100):
            yield 'fft', (n,), wide
        for shape in ((1000, 64), (256, 1024), (64, 4096)):
            yield 'fft', shape, wide
        yield 'rfft', (256, 1000), dtype
        yield 'fft2', (1024, 1024), wide


def compare(functions, x, seconds):
    """Medians of seconds by engine, and the relative spread of ulpfft's."""
    once = {}
    for name, function in functions.items():
        function(x)
        costs = []
        for _ in range(7):  # the least: a turn of one call because an interrupt fell into a single one measures cold caches
            start = time.thread_time()
            function(x)
            costs.append(time.thread_time() - start)
        once[name] = max(min(costs), 1e-7)
    # A turn lasts 50 us or one call, so that the clock's own cost is small in it.
    repeats = {name: max(1, int(5e-5 / cost)) for name, cost in once.items()}
    turns = {name: [] for name in functions}
    end = time.monotonic() + seconds
    while time.monotonic() < end or len(turns['ulpfft']) < 5:
        for name, function in functions.items():
            start = time.thread_time()
            for _ in range(repeats[name]):
                function(x)
            turns[name].append((time.thread_time() - start) / repeats[name])
    medians = {name: statistics.median(times) for name, times in turns.items()}
    spread = statistics.median(abs(t - medians['ulpfft']) for t in turns['ulpfft']) / medians['ulpfft']
    return medians, spread


THEMES = {'': ('#ffffff', '#1f2328', '#d8dee4'), '_dark': ('#0d1117', '#f0f6fc', '#30363d')}  # paper, ink, grid


def draw(rows, names, path, theme):
    """Ratios of one-dimensional fft over the length. Half the width can still be read."""
    from matplotlib import pyplot
    from matplotlib.ticker import FuncFormatter
    paper, ink, grid = THEMES[theme]
    style = {'font.size': 15, 'figure.facecolor': paper, 'axes.facecolor': paper, 'axes.edgecolor': ink, 'axes.labelcolor': ink,
             'xtick.color': ink, 'ytick.color': ink, 'text.color': ink, 'grid.color': grid, 'savefig.facecolor': paper}
    with pyplot.rc_context(style):
        figure, panels = pyplot.subplots(1, 2, figsize=(10, 5), sharey=True)
        for panel, dtype in zip(panels, ('complex64', 'complex128')):
            chosen = sorted((row for row in rows if row['function'] == 'fft' and row['dtype'] == dtype and 'x' not in row['shape']
                             and int(row['shape']) & (int(row['shape']) - 1) == 0), key=lambda row: int(row['shape']))
            for name, marker in zip(names, 'os^D'):
                panel.semilogx([int(row['shape']) for row in chosen], [row[name] for row in chosen], base=2, marker=marker, label=name)
            panel.axhline(1, color=ink, linewidth=1.5)
            panel.grid(True)
            panel.set(title=f'fft, {dtype}', xlabel='n', xticks=[2 ** k for k in (4, 8, 12, 16, 20)], yscale='log')
        panels[0].set(ylabel='time over that of ulpfft', yticks=[1, 2, 4, 8, 16])
        panels[0].yaxis.set_major_formatter(FuncFormatter(lambda ratio, _: f'{ratio:g}'))
        panels[0].minorticks_off()
        figure.legend(*panels[0].get_legend_handles_labels(), loc='lower center', ncols=len(names), frameon=False)
        figure.tight_layout(rect=(0, 0.08, 1, 1))
        figure.savefig(path.with_name(path.stem + theme + path.suffix), dpi=80)


def main():
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('seconds', nargs='?', type=float, default=0.5, help='for each problem')
    parser.add_argument('--csv')
    parser.add_argument('--picture', type=pathlib.Path, help='and the same for dark pages beside it, with _dark in its name')
    parser.add_argument('--effort', default='estimate')
    wishes = parser.parse_args()
    ulpfft.set_effort(wishes.effort)
    others = engines()
    packages = {'scipy': 'scipy', 'ducc0': 'ducc0', 'pyfftw': 'pyFFTW', 'mkl_fft': 'mkl_fft'}
    print('engines:', ', '.join(f'{name} {importlib.metadata.version(packages[name])}' for name in others), '; numpy', np.__version__,
          '; effort', wishes.effort, '; machine', ulpfft.wisdom.machine())
    rng, rows = np.random.default_rng(1), []
    for function, shape, dtype in problems():
        x = rng.standard_normal(shape)
        x = (x + 1j * rng.standard_normal(shape) if dtype.startswith('complex') else x).astype(dtype)
        functions = {'ulpfft': getattr(ulpfft.fft, function)}
        functions |= {name: known[function] for name, known in others.items() if function in known}
        medians, spread = compare(functions, x, wishes.seconds)
        row = {'function': function, 'shape': 'x'.join(map(str, shape)), 'dtype': dtype, 'microseconds': medians['ulpfft'] * 1e6,
               'spread': spread}
        row |= {name: medians[name] / medians['ulpfft'] for name in functions if name != 'ulpfft'}
        rows.append(row)
        ratios = '  '.join(f'{name} {row[name]:5.2f}' for name in others if name in row)
        print(f'{function:5} {row["shape"]:>10} {dtype:10} {row["microseconds"]:12.2f} us +-{100 * spread:4.1f} %  {ratios}', flush=True)
    for name in others:
        print(f'geometric mean over {name}: {statistics.geometric_mean([row[name] for row in rows if name in row]):.2f}')
    best = [min(row[name] for name in others if name in row and name not in ('scipy', 'ducc0')) for row in rows if any(
        name in row for name in others if name not in ('scipy', 'ducc0'))]
    if best:
        print(f'geometric mean over the best of the others, problem by problem: {statistics.geometric_mean(best):.2f}')
    if wishes.csv:
        with open(wishes.csv, 'w', newline='') as file:
            writer = csv.DictWriter(file, list(dict.fromkeys(key for row in rows for key in row)))
            writer.writeheader()
            writer.writerows(rows)
    if wishes.picture:
        for theme in THEMES:
            draw(rows, list(others), wishes.picture, theme)


if __name__ == '__main__':
    main()
