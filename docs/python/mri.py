# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Which number format is enough for these MR images? Run it: python mri.py"""
import numpy as np

import ulpfft

# k-space of four coils that see a disc and two smaller ones, with noise. Yours is an array (coils, ny, nx) or (slices, coils, ny, nx).
n, coils = 96, 4
y, x = np.mgrid[-1:1:n * 1j, -1:1:n * 1j]
image = (x**2 + (y / 0.9) ** 2 < 0.7) * 1.0 - 0.5 * ((x - 0.2) ** 2 + y**2 < 0.1) + 0.3 * (x**2 + (y + 0.4) ** 2 < 0.05)
sensed = np.stack([image * np.exp(-((x - np.cos(c)) ** 2 + (y - np.sin(c)) ** 2)) for c in range(coils)])
kspace = 1000 * np.fft.fftshift(np.fft.fft2(np.fft.ifftshift(sensed, axes=(1, 2)), norm='ortho'), axes=(1, 2))
rng = np.random.default_rng(4)
kspace += 5 * (rng.standard_normal(kspace.shape) + 1j * rng.standard_normal(kspace.shape))

# 1. Every format, judged on the images that it gives.
table = ulpfft.mri.sweep(kspace, ['f16', 'bf16', 'mxint8', 'mxfp8_e4m3', 'mxfp6_e2m3', 'mxfp4_e2m1'])
for storage, size, psnr, ssim in zip(table['storage'], table['bytes_a_sample'], table['psnr'], table['ssim']):
    print(f'{storage:12}{size:7.3f} bytes a sample  PSNR {psnr:5.1f} dB  SSIM {ssim:.4f}')

# 2. The fewest bytes that keep a limit, and the problem to plan.
best = ulpfft.mri.choose(kspace, psnr=45)
print('chosen for 45 dB:', best['storage'], 'by', best['problem'])

# 3. Keep the k-space in it. The files are those that the program `ulpfft` reads.
narrow = ulpfft.encode(kspace, best['storage'])
narrow.save('kspace.json')
plan = ulpfft.Plan(best['problem'], effort='estimate')
images = np.asarray(plan(ulpfft.NarrowArray.load('kspace.json')))
print('images', images.shape, 'from', narrow.nbytes, 'bytes instead of', kspace.astype('complex64').nbytes)

# 4. Time and error of a problem over formats: what no other row beats in both. `plot()` draws all rows.
for row in ulpfft.pareto(f'{n}x{n} f32', time_limit=1.5, storages=['f16', 'mxfp8_e4m3']).front:
    print(f'{row["storage_out"]:12}{row["scheme"]:8}{1e6 * row["seconds"]:8.1f} us  error {row["error"]:.1e}')
