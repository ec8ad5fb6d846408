#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""The same calls on FFTW and on this library, each in a process of its own: compare_test.py BUILD

Which problems have a plan, where results lie, and the order of Fortran's arguments are those of FFTW. Ends with 77 (skipped) where FFTW is not
installed. ULPFFT_TEST_SEED=N is the seed of the random problems, otherwise the day.
"""
import ctypes
import glob
import json
import os
import random
import subprocess
import sys
import time

SIZE = 4096
ESTIMATE, PRESERVE, DESTROY, UNALIGNED = 64, 16, 1, 2
# FFTW has no such plan, and this library computes it: docs/fftw3.md names it.
ONLY_HERE = {'c2r_2d_preserve', 'c2r_3d_preserve'}


class Library:
    def __init__(self, path, precision):
        self.double = precision == 'double'
        self.library = ctypes.CDLL(path)
        self.prefix, self.fortran = ('fftw_', 'dfftw_') if self.double else ('fftwf_', 'sfftw_')
        self.real = ctypes.c_double if self.double else ctypes.c_float
        generator = random.Random(1)
        self.filled = [(self.real * SIZE)(*(generator.uniform(-1, 1) for _ in range(SIZE))) for _ in range(4)]
        self.arrays = [(self.real * SIZE)() for _ in range(4)]

    def fill(self):
        for array, filled in zip(self.arrays, self.filled):
            ctypes.memmove(array, filled, ctypes.sizeof(array))

    def array(self, number, offset=0):
        return None if number is None else ctypes.byref(self.arrays[number], offset * ctypes.sizeof(self.real))

    def outcome(self, plan, out=1):
        """None, or what an execution wrote, by position."""
        if not plan:
            return None
        getattr(self.library, self.prefix + 'execute')(ctypes.c_void_p(plan))
        getattr(self.library, self.prefix + 'destroy_plan')(ctypes.c_void_p(plan))
        return {i: x for i, (x, before) in enumerate(zip(self.arrays[out], self.filled[out])) if x != before}

    def c(self, name, *arguments, out=1):
        self.fill()
        function = getattr(self.library, self.prefix + name)
        function.restype = ctypes.c_void_p
        return self.outcome(function(*(ctypes.c_int(a) if isinstance(a, int) else a for a in arguments)), out)

    def f(self, name, *arguments, out=1):
        self.fill()
        plan = ctypes.c_void_p()
        getattr(self.library, self.fortran + name + '_')(ctypes.byref(plan), *(ctypes.byref(ctypes.c_int(a)) if isinstance(a, int) else a for a in arguments))
        return self.outcome(plan.value, out)


def ints(*values):
    return (ctypes.c_int * max(len(values), 1))(*values)


def longs(*values):
    return (ctypes.c_ssize_t * max(len(values), 1))(*values)


def fixed_cases(lib):
    a, b, e = lib.array(0), lib.array(1), ESTIMATE
    yield 'n_0', lib.c('plan_dft_1d', 0, a, b, -1, e)
    yield 'n_negative', lib.c('plan_dft_1d', -4, a, b, -1, e)
    yield 'rank_negative', lib.c('plan_dft', -1, None, a, b, -1, e)
    yield 'rank_0', lib.c('plan_dft', 0, None, a, b, -1, e)
    for kind in ('r2c', 'c2r'):
        yield 'rank_0_' + kind, lib.c('plan_dft_' + kind, 0, None, a, b, e)
    yield 'rank_0_r2r', lib.c('plan_r2r', 0, None, a, b, None, e)
    yield 'batch_0', lib.c('plan_many_dft', 1, ints(4), 0, a, None, 1, 4, b, None, 1, 4, -1, e)
    yield 'batch_negative', lib.c('plan_many_dft', 1, ints(4), -1, a, None, 1, 4, b, None, 1, 4, -1, e)
    yield 'loops_negative', lib.c('plan_guru_dft', 1, ints(4, 1, 1), -1, None, a, b, -1, e)
    yield 'loop_of_0', lib.c('plan_guru_dft', 1, ints(4, 1, 1), 1, ints(0, 4, 4), a, b, -1, e)
    yield 'guru_n_0', lib.c('plan_guru_dft', 1, ints(0, 1, 1), 0, None, a, b, -1, e)
    for kind in range(11):
        yield f'r2r_1_kind_{kind}', lib.c('plan_r2r_1d', 1, a, b, kind, e)
        yield f'r2r_6_kind_{kind}', lib.c('plan_r2r_1d', 6, a, b, kind, e)
        yield f'r2r_in_place_{kind}', lib.c('plan_r2r_2d', 5, 4, a, a, kind, (kind + 3) % 11, e, out=0)
    for sign in (-2, -1, 0, 1, 2):
        yield f'sign_{sign}', lib.c('plan_dft_1d', 6, a, b, sign, e)
    for name, flags in (('preserve', PRESERVE), ('destroy', DESTROY), ('unaligned', UNALIGNED), ('hidden', 0x3fff80 & ~(1 << 21))):
        for rank in (1, 2, 3):
            yield f'c2c_{rank}d_{name}', lib.c('plan_dft', rank, ints(4, 3, 5), a, b, 1, e | flags)
            yield f'c2r_{rank}d_{name}', lib.c('plan_dft_c2r', rank, ints(4, 3, 5), a, b, e | flags)
            yield f'r2c_{rank}d_{name}', lib.c('plan_dft_r2c', rank, ints(4, 3, 5), a, b, e | flags)
    for rank in (1, 2, 3):
        # Padded rows in place; the padding after c2r is anybody's.
        yield f'r2c_in_place_{rank}', lib.c('plan_dft_r2c', rank, ints(4, 3, 5), a, a, e, out=0)
        yield f'many_r2c_in_place_{rank}', lib.c('plan_many_dft_r2c', rank, ints(4, 3, 6), 2, a, None, 1, 100, a, None, 1, 50, e, out=0)
    yield 'many_strided', lib.c('plan_many_dft', 2, ints(3, 4), 2, a, ints(5, 6), 2, 70, b, ints(7, 5), 3, 1, -1, e)
    yield 'many_first_embed', lib.c('plan_many_dft_r2c', 2, ints(3, 4), 2, a, ints(0, 6), 2, 1, b, ints(99, 5), 1, 30, e)
    yield 'many_c2r_strided', lib.c('plan_many_dft_c2r', 2, ints(3, 4), 3, a, None, 2, 40, b, ints(3, 7), 1, 30, e)
    yield 'transposed_in_place', lib.c('plan_guru_dft', 0, None, 2, ints(5, 7, 1, 7, 1, 5), a, a, -1, e, out=0)
    yield 'square_in_place', lib.c('plan_guru_r2r', 0, None, 2, ints(6, 6, 1, 6, 1, 6), a, a, None, e, out=0)
    yield 'dft_transposed_in_place', lib.c('plan_many_dft', 1, ints(6), 6, a, None, 1, 6, a, None, 6, 1, -1, e, out=0)
    yield 'strides_negative', lib.c('plan_guru_dft', 1, ints(8, -2, 3), 1, ints(3, 20, -30), lib.array(0, 200), lib.array(1, 300), -1, e)
    yield 'broadcast_input', lib.c('plan_guru_dft', 1, ints(8, 1, 1), 1, ints(3, 0, 8), a, b, -1, e)
    yield 'guru64', lib.c('plan_guru64_dft', 2, longs(3, 20, 12, 4, 4, 2), 1, longs(2, 100, 40), a, b, 1, e)
    re, im, ro, io = (lib.array(i) for i in range(4))
    for out in (2, 3):
        yield f'split_{out}', lib.c('plan_guru_split_dft', 1, ints(8, 1, 1), 1, ints(3, 8, 8), re, im, ro, io, e, out=out)
        yield f'split_backward_{out}', lib.c('plan_guru_split_dft', 1, ints(8, 1, 1), 1, ints(3, 8, 8), im, re, io, ro, e, out=out)
        yield f'split_r2c_{out}', lib.c('plan_guru_split_dft_r2c', 2, ints(3, 8, 8, 8, 1, 1), 0, None, re, ro, io, e, out=out)
    yield 'split_c2r', lib.c('plan_guru_split_dft_c2r', 2, ints(3, 8, 8, 8, 1, 1), 0, None, re, im, ro, e, out=2)
    yield 'split_in_place', lib.c('plan_guru_split_dft', 1, ints(8, 1, 1), 1, ints(3, 8, 8), re, im, re, im, e, out=1)
    yield 'split_of_pairs', lib.c('plan_guru_split_dft', 1, ints(8, 2, 2), 0, None, re, lib.array(0, 1), ro, lib.array(2, 1), e, out=2)


def fortran_cases(lib):
    a, b, e = lib.array(0), lib.array(1), ESTIMATE
    yield 'f_2d', lib.f('plan_dft_2d', 3, 4, a, b, -1, e)
    yield 'f_3d', lib.f('plan_dft_3d', 3, 4, 5, a, b, 1, e)
    yield 'f_dft', lib.f('plan_dft', 3, ints(3, 4, 5), a, b, 1, e)
    yield 'f_r2c_3d', lib.f('plan_dft_r2c_3d', 3, 4, 5, a, b, e)
    yield 'f_c2r_2d', lib.f('plan_dft_c2r_2d', 3, 4, a, b, e)
    yield 'f_r2r_2d', lib.f('plan_r2r_2d', 3, 4, a, b, 5, 8, e)
    yield 'f_r2r_3d', lib.f('plan_r2r_3d', 3, 4, 5, a, b, 5, 8, 2, e)
    yield 'f_r2r', lib.f('plan_r2r', 3, ints(3, 4, 5), a, b, ints(5, 8, 2), e)
    yield 'f_many', lib.f('plan_many_dft', 2, ints(3, 4), 2, a, ints(4, 6), 2, 60, b, ints(5, 5), 1, 30, -1, e)
    yield 'f_many_r2c', lib.f('plan_many_dft_r2c', 2, ints(6, 4), 2, a, ints(7, 5), 1, 50, b, ints(5, 5), 1, 30, e)
    yield 'f_many_r2r', lib.f('plan_many_r2r', 2, ints(3, 4), 2, a, ints(4, 6), 2, 60, b, ints(5, 5), 1, 30, ints(5, 8), e)
    yield 'f_guru', lib.f('plan_guru_dft', 2, ints(3, 4), ints(20, 2), ints(1, 3), 1, ints(2), ints(100), ints(40), a, b, -1, e)
    yield 'f_guru_r2c', lib.f('plan_guru_dft_r2c', 2, ints(3, 4), ints(20, 2), ints(1, 3), 1, ints(2), ints(100), ints(40), a, b, e)
    yield 'f_guru_c2r', lib.f('plan_guru_dft_c2r', 2, ints(3, 4), ints(20, 2), ints(1, 3), 1, ints(2), ints(100), ints(40), a, b, e)
    yield 'f_guru_r2r', lib.f('plan_guru_r2r', 2, ints(3, 4), ints(20, 2), ints(1, 3), 1, ints(2), ints(100), ints(40), a, b, ints(5, 8), e)


def random_cases(lib, seed, count):
    """Guru problems with nested strides, both sides in orders of their own."""
    generator = random.Random(seed)
    for i in range(count):
        kind = generator.choice(['dft', 'dft_r2c', 'dft_c2r', 'r2r'])
        rank, loops = generator.randint(1, 3), generator.randint(0, 2)
        n = [generator.choice([1, 2, 3, 4, 5, 6, 8, 9]) for _ in range(rank + loops)]
        while not all(n) or eval('*'.join(map(str, n))) > 400:
            n[n.index(max(n))] //= 2
        strides = []
        for out in (False, True):
            lengths = list(n)
            if kind == ('dft_r2c' if out else 'dft_c2r'):
                lengths[rank - 1] = n[rank - 1] // 2 + 1
            order, stride, side = generator.sample(range(len(n)), len(n)), 1, [0] * len(n)
            for d in order:
                side[d] = stride
                stride *= lengths[d] + generator.choice([0, 0, 0, 1])
            strides.append(side)
        flat = [x for d in range(len(n)) for x in (n[d], strides[0][d], strides[1][d])]
        arguments = [rank, ints(*flat[:3 * rank]), loops, ints(*flat[3 * rank:]), lib.array(0, generator.randint(0, 3)), lib.array(1, generator.randint(0, 3))]
        arguments += {'dft': [generator.choice([-1, 1])], 'r2r': [ints(*(generator.choice([0, 1, 2, 4, 5, 6, 7, 8, 9, 10]) for _ in range(rank)))]}.get(kind, [])
        yield f'random_{i}', lib.c('plan_guru_' + kind, *arguments, ESTIMATE | generator.choice([0, UNALIGNED]))


def child(path, precision, seed):
    lib = Library(path, precision)
    for cases in (fixed_cases(lib), fortran_cases(lib), random_cases(lib, seed, 120)):
        for name, outcome in cases:
            print(json.dumps([name, outcome]))


def outcomes(path, precision, seed):
    done = subprocess.run([sys.executable, os.path.abspath(__file__), '--child', path, precision, str(seed)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f'FAIL {path}: status {done.returncode}\n{done.stderr}')
    return [json.loads(line) for line in done.stdout.splitlines()]


def main(build):
    seed = int(os.environ.get('ULPFFT_TEST_SEED') or time.time() // 86400)
    print(f'ULPFFT_TEST_SEED={seed}')
    failures = compared = 0
    for precision, name in (('double', 'libfftw3.so.3'), ('float', 'libfftw3f.so.3')):
        installed = glob.glob('/usr/lib/*/' + name) + glob.glob('/usr/lib*/' + name)
        if not installed:
            print(f'SKIP {precision}: FFTW is not installed')
            continue
        bound = 1e-12 if precision == 'double' else 1e-4
        pairs = list(zip(outcomes(installed[0], precision, seed), outcomes(os.path.join(build, 'bindings', 'fftw3', name), precision, seed), strict=True))
        for (case, theirs), (_, ours) in pairs:
            compared += 1
            if theirs is None and ours is not None and case in ONLY_HERE:
                continue
            if (theirs is None) != (ours is None):
                failures += 1
                print(f'FAIL {precision} {case}: {"FFTW" if ours is None else "ulpfft"} alone has a plan')
            elif theirs is not None:
                # A number that one of them leaves as it was may be what the other computed, as it is for copies in place.
                at = [i for i in {**theirs, **ours} if i in theirs and i in ours and abs(theirs[i] - ours[i]) > bound]
                if 'in_place' not in case:
                    at += [i for i in set(theirs) ^ set(ours)]
                failures += bool(at)
                for i in at[:1]:
                    print(f'FAIL {precision} {case}: {len(at)} numbers differ, the first at {i}: {theirs.get(i)} by FFTW, {ours.get(i)} here')
    if compared == 0:
        sys.exit(77)
    print(f'{"FAIL" if failures else "PASS"} {compared} calls compared')
    sys.exit(1 if failures else 0)


if sys.argv[1] == '--child':
    child(sys.argv[2], sys.argv[3], int(sys.argv[4]))
else:
    main(sys.argv[1])
