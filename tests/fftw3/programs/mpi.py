# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Engines that divide an array among processes, on 1, 2 and 4 of them, and one that no other library than FFTW serves."""
import glob
import os
import subprocess

from ways import PYTHON, Failure, Row, difference, json_lists

LAUNCH = ('mpirun', '--allow-run-as-root', '--oversubscribe', '--mca', 'btl', 'self,vader', '-n')


def on_processes(name, bound):
    """Results of one process, which those of two and four must equal, and which are NumPy's. With -m mpi4py an error in one ends all."""
    def results(way):
        one = None
        for count in (1, 2, 4):
            told = way.call(PYTHON, '-m', 'mpi4py', os.path.join(way.programs, name), launcher=(*LAUNCH, str(count)), OMP_NUM_THREADS='1')
            lists = json_lists(told)
            one = one or lists
            for key, numbers in lists.items():
                error = difference(numbers, one[key])
                if error > (1e-5 if key.endswith('f32') else bound):
                    raise Failure(f'{way.name}, {count} processes, {key}: a relative difference of {error:.2g} from one process')
                if len(numbers) == 1 and numbers != [1.0]:
                    raise Failure(f'{way.name}, {count} processes: not {key}')
        return one
    return results


PETSC = '/usr/lib/*/libpetsc_real.so.3.*'


def petsc_is_refused(compiler):
    """It needs libfftw3_mpi, which calls internals of FFTW: a sentence says so before the program starts."""
    def results(way):
        with open(way.path('solver.c'), 'w', encoding='utf-8') as file:
            file.write('int PetscInitialized(int*);\nint main(void) { int is = 0; return PetscInitialized(&is); }\n')
        words = ('solver.c', min(glob.glob(PETSC)), '-Wl,--allow-shlib-undefined', '-o', 'solver')
        subprocess.run([*compiler, *words], cwd=way.here, check=True)
        if way.name == 'fftw':
            way.call('./solver')
        if way.name == 'run':
            told = way.call('./solver', status=1)
            if not told.startswith('error: ') or 'libfftw3_mpi' not in told or told.count('\n') != 1:
                raise Failure(f'no sentence: {told!r}')
        return {}
    return results


def rows(compiler):
    return [
        Row('mpi4py-fft', 'python3-mpi4py-fft and openmpi-bin', ['mpirun', 'module:mpi4py_fft'], ('f32', 'f64'), 1e-13,
            on_processes('script_mpi4py_fft.py', 1e-13), full=True),
        Row('SpFFT', 'libspfft1, python3-mpi4py and openmpi-bin', ['mpirun', 'module:mpi4py', '/usr/lib/*/libspfft.so.1'], ('f64',), 1e-13,
            on_processes('script_spfft.py', 1e-13), full=True),
        Row('PETSc', 'libpetsc-real3.18', [PETSC], (), 0, petsc_is_refused(compiler), full=True, counts=''),
    ]
