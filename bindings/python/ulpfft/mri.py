# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Number formats judged on MR images: what `ulpfft mri` of the command line measures, on arrays.

k-space is an array of shape (coils, ny, nx) or (slices, coils, ny, nx). Each coil is transformed by an inverse, centred, orthonormal
transform whose input and output are in the format, and the image is the root of the sum of their squares. It is compared with that in
double precision. NMSE, PSNR and SSIM are those of fastMRI's evaluation. Formats without scales of their own are prescaled by a power of
two for each slice, which brings the largest magnitude next to half of the largest value.
"""
import math

import numpy as np

from ._formats import facts_of, formats, row_bytes
from ._plan import Plan

__all__ = ['Sweep', 'choose', 'reconstruct', 'sweep']

_WINDOW = 7  # of SSIM, a side
_WIDE_ENOUGH = 2.0 ** 100  # numbers of MRI do not come close to an end of such a range


def _slices(kspace):
    kspace = np.asarray(kspace, np.complex128)
    if kspace.ndim not in (3, 4) or kspace.size == 0:
        raise ValueError(f'k-space has shape {list(kspace.shape)}; (coils, ny, nx) or (slices, coils, ny, nx) is possible.')
    return kspace if kspace.ndim == 4 else kspace[None]


def _exponent(coils, storage):
    facts = facts_of(storage)
    peak = np.abs(coils).max()
    if facts['kind'] in ('wide', 'block') or facts['largest'] > _WIDE_ENOUGH or peak == 0:
        return 0
    return round(math.log2(0.5 * min(facts['largest'], -facts['lowest']) / peak))


def reconstruct(kspace, storage='f64'):
    """Images by a transform in a format.

    Returns
    -------
    ndarray of float64, (slices, ny, nx)

    Raises
    ------
    ValueError
        For another shape or an unknown format.
    """
    return _reconstruct(_slices(kspace), storage)


def _reconstruct(slices, storage):
    facts_of(storage)
    plan = Plan(slices.shape[2:], storage=storage, batch=slices.shape[1], inverse=True, centered=True, scale='ortho', effort='estimate')
    images = []
    for coils in slices:
        exponent = _exponent(coils, storage)
        result = np.asarray(plan(np.ldexp(1.0, exponent) * coils)).astype(np.complex128) * np.ldexp(1.0, -exponent)
        images.append(np.sqrt(np.sum(np.abs(result) ** 2, axis=0)))
    return np.stack(images)


def _similarity(x, y, largest):
    """SSIM of two images: windows of equal weights that lie inside, K1 = 0.01, K2 = 0.03."""
    count = _WINDOW * _WINDOW

    def mean(values):
        return np.lib.stride_tricks.sliding_window_view(values, (_WINDOW, _WINDOW)).mean(axis=(-2, -1))

    c1, c2 = (0.01 * largest) ** 2, (0.03 * largest) ** 2
    ux, uy = mean(x), mean(y)
    unbiased = count / (count - 1)
    vx, vy, vxy = (unbiased * (mean(a * b) - ua * ub) for a, b, ua, ub in ((x, x, ux, ux), (y, y, uy, uy), (x, y, ux, uy)))
    return float(np.mean((2 * ux * uy + c1) * (2 * vxy + c2) / ((ux ** 2 + uy ** 2 + c1) * (vx + vy + c2))))


def _metrics(reference, images):
    error, largest = np.sum((images - reference) ** 2), reference.max()
    return {'nmse': float(error / np.sum(reference ** 2)),
            'psnr': 10 * math.log10(largest ** 2 * reference.size / error) if error > 0 else math.inf,
            'ssim': float(np.mean([_similarity(x, y, largest) for x, y in zip(reference, images)]))}


def _bytes_a_sample(storage, slices):
    facts = facts_of(storage)
    if facts['kind'] == 'wide':
        return facts['bits'] / 4
    return sum(row_bytes(storage, slices.shape, True)) / slices.shape[-1]


def _storages(slices):
    """Every format that holds negative numbers, blocks of 2, 8 and 32 numbers too; fewest bytes first."""
    names = []
    for facts in formats():
        if facts['kind'] == 'block' or facts['kind'] == 'wide' or facts['lowest'] < 0:
            names.append(facts['name'])
        if facts['kind'] == 'block':
            names += [f'{facts["name"]}:b{length}' for length in (2, 8, 32) if length != facts['block_length']]
    return sorted(names, key=lambda name: (_bytes_a_sample(name, slices), name))


class Sweep(dict):
    """Columns by name: storage, bytes_a_sample, nmse, psnr (dB), ssim. `pandas.DataFrame` takes it."""

    def plot(self, axes=None):
        """Draws PSNR over bytes by matplotlib, and returns its Axes."""
        if axes is None:
            from matplotlib import pyplot
            axes = pyplot.gca()
        axes.semilogx(self['bytes_a_sample'], self['psnr'], 'o', base=2)
        for x, y, name in zip(self['bytes_a_sample'], self['psnr'], self['storage']):
            axes.annotate(name, (x, y), fontsize=6)
        axes.set_xlabel('bytes a sample')
        axes.set_ylabel('PSNR, dB')
        return axes


def sweep(kspace, storages=None):
    """Judges formats on k-space, by default all that hold negative numbers.

    Returns
    -------
    Sweep
        A dict of columns, fewest bytes first.

    Examples
    --------
    >>> import numpy as np
    >>> import ulpfft
    >>> kspace = np.fft.fftshift(np.fft.fft2(np.eye(16)[None]), axes=(1, 2))
    >>> ulpfft.mri.sweep(kspace, ['f16', 'e4m3'])['storage']
    ['f16', 'e4m3']
    """
    slices = _slices(kspace)
    if min(slices.shape[2:]) < _WINDOW:
        raise ValueError(f'images of {slices.shape[2]}x{slices.shape[3]} points are smaller than the {_WINDOW}x{_WINDOW} windows of SSIM.')
    reference = _reconstruct(slices, 'f64')
    if not reference.max() > 0:
        raise ValueError('k-space holds zeros alone, or numbers that are not finite.')
    columns = Sweep(storage=[], bytes_a_sample=[], nmse=[], psnr=[], ssim=[])
    for storage in _storages(slices) if storages is None else storages:
        row = {'storage': storage, 'bytes_a_sample': _bytes_a_sample(storage, slices)} | _metrics(reference, _reconstruct(slices, storage))
        for name, value in row.items():
            columns[name].append(value)
    return columns


def choose(kspace, psnr=None, ssim=None):
    """The storage of the fewest bytes whose images keep both limits; of equal bytes the one with the higher PSNR.

    Parameters
    ----------
    psnr : float, optional
        The least PSNR, in dB.
    ssim : float, optional
        The least SSIM.

    Returns
    -------
    dict
        storage, bytes_a_sample, nmse, psnr, ssim, and the problem to plan.

    Raises
    ------
    ValueError
        Where no format keeps the limits, or none is given.
    """
    if psnr is None and ssim is None:
        raise ValueError('choose needs a limit: psnr=, ssim= or both.')
    slices = _slices(kspace)
    best, names = None, _storages(slices)
    for name in names:
        if best is not None and _bytes_a_sample(name, slices) > best['bytes_a_sample']:
            break
        row = {column: values[0] for column, values in sweep(slices, [name]).items()}
        good = (psnr is None or row['psnr'] >= psnr) and (ssim is None or row['ssim'] >= ssim)
        if good and (best is None or row['psnr'] > best['psnr']):
            best = row
    if best is None:
        raise ValueError('No format keeps these limits.')
    coils, ny, nx = slices.shape[1:]
    return best | {'problem': f'{ny}x{nx}*{coils} {best["storage"]} inverse centered scale=ortho'}
