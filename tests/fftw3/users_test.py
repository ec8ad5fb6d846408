#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Programs for FFTW, built and run on the installed folder: users_test.py ROOT BUILD CC

PKG_CONFIG_PATH, or CMAKE_PREFIX_PATH, alone points a build there, and LD_LIBRARY_PATH or the installed tool a run: of a program that was
linked with FFTW itself, too, where FFTW is installed. Tools that are missing are named. Ends with 77 (skipped) without pkg-config.
"""
import glob
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

root, build = sys.argv[1:3]
cc = shlex.split(sys.argv[3])
here = os.path.join(root, 'tests', 'fftw3')
STRICT = ['-std=c11', '-Wall', '-Wextra', '-Wpedantic', '-Werror', '-O1']


def run(command, **environment):
    done = subprocess.run(command, env=dict(os.environ, **environment), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        sys.exit(f'FAIL {shlex.join(command)}\nstatus {done.returncode}\n{done.stdout}')
    return done.stdout


def numbers(text):
    return [float(word) for line in text.splitlines()[1:] for word in line.split()]


def check(name, text, version, spectrum=None):
    if text.splitlines()[0] != version:
        sys.exit(f'FAIL {name}: runs on {text.splitlines()[0]}, not on {version}')
    got = numbers(text)
    if spectrum is not None and (len(got) != len(spectrum) or max(abs(a - b) for a, b in zip(got, spectrum)) > 2e-9):
        sys.exit(f'FAIL {name}: the spectrum is another one')
    print(f'PASS {name}')
    return got


def main(scratch):
    run([*([shutil.which('meson')] if shutil.which('meson') else [sys.executable, '-m', 'mesonbuild.mesonmain']),
         'install', '-C', build, '--no-rebuild', '--quiet', '--destdir', os.path.join(scratch, 'dest')])
    folder, = (path for path, _, files in os.walk(os.path.join(scratch, 'dest')) if 'fftw3.pc' in files)
    run(['cp', '-a', os.path.join(scratch, 'dest'), os.path.join(scratch, 'moved')])
    shutil.rmtree(os.path.join(scratch, 'dest'))
    folder = folder.replace(os.path.join(scratch, 'dest'), os.path.join(scratch, 'moved'))
    ours = 'fftw-3.3.10-ulpfft'
    program = os.path.join(scratch, 'program')

    flags = shlex.split(run(['pkg-config', '--cflags', '--libs', 'fftw3'], PKG_CONFIG_PATH=folder))
    if run(['pkg-config', '--modversion', 'fftw3f'], PKG_CONFIG_PATH=folder).strip() != '3.3.10':
        sys.exit('FAIL fftw3f.pc: another version')
    run([*cc, *STRICT, os.path.join(here, 'user.c'), '-o', program, '-lfftw3_threads', *flags, '-lm'])
    spectrum = check('pkg-config', run([program], LD_LIBRARY_PATH=folder), ours)
    needed = run(['readelf', '-d', program]) if shutil.which('readelf') else '[libfftw3.so.3]'
    if '[libfftw3.so.3]' not in needed or 'ulpfft' in needed:
        sys.exit(f'FAIL pkg-config: the program does not ask for FFTW by its name\n{needed}')
    libdir = os.path.dirname(os.path.dirname(folder))
    moved = os.walk(os.path.join(scratch, 'moved'))
    tools = [os.path.join(path, 'ulpfft') for path, _, files in moved if path.endswith('/bin') and 'ulpfft' in files]
    if tools:
        words = ('sh', '-c', f'echo "$ULPFFT_FFTW3_FOLDER"; {program}')
        where, told = run([tools[0], 'run', '--', *words], LD_LIBRARY_PATH=libdir).split('\n', 1)
        if where != folder:
            sys.exit(f'FAIL ulpfft run: it takes the libraries of {where}, not of {folder}')
        check('ulpfft run of the installation', told, ours, spectrum)
    else:
        print('SKIP ulpfft run: the tool is not part of this build')
    own = shlex.split(run(['pkg-config', '--libs', 'ulpfft-fftw3'], PKG_CONFIG_SYSROOT_DIR=os.path.join(scratch, 'moved'),
                          PKG_CONFIG_PATH=os.path.join(libdir, 'pkgconfig')))
    run([*cc, *STRICT, '-I' + folder, os.path.join(here, 'user.c'), '-o', program, *own, '-lm'])
    check('library of its own name', run([program], LD_LIBRARY_PATH=libdir), ours, spectrum)

    if shutil.which('cmake'):
        binary = os.path.join(scratch, 'cmake')
        run(['cmake', '-S', os.path.join(here, 'user'), '-B', binary, f'-DCMAKE_PREFIX_PATH={folder}', f'-DCMAKE_C_COMPILER={cc[-1]}'])
        run(['cmake', '--build', binary])
        for name in ('by_package', 'by_names'):
            check('cmake ' + name, run([os.path.join(binary, name)]), ours, spectrum)
    else:
        print('SKIP cmake: not installed')

    if shutil.which('gfortran'):
        for source, library in (('user.f03', 'fftw3f'), ('user77.f', 'fftw3')):
            run(['gfortran', '-ffree-form' if source == 'user.f03' else '-ffixed-form', '-I' + folder, os.path.join(here, source), '-o', program, '-L' + folder, '-l' + library])
            run([program], LD_LIBRARY_PATH=folder)
            print(f'PASS {source}')
    else:
        print('SKIP Fortran: no gfortran')

    installed = glob.glob('/usr/lib/*/libfftw3.so.3') + glob.glob('/usr/lib*/libfftw3.so.3')
    if installed and os.path.exists(installed[0].replace('fftw3', 'fftw3_threads')):
        run([*cc, *STRICT, '-I' + folder, os.path.join(here, 'user.c'), '-o', program, installed[0].replace('fftw3', 'fftw3_threads'), installed[0], '-lm'])
        theirs = run([program])
        check('linked with FFTW, run on FFTW', theirs, theirs.splitlines()[0], spectrum)
        check('linked with FFTW, run on ulpfft', run([program], LD_LIBRARY_PATH=folder), ours, spectrum)
    else:
        print('SKIP a program linked with FFTW: FFTW is not installed')


if not shutil.which('pkg-config'):
    print('SKIP users: pkg-config is not installed')
    sys.exit(77)
with tempfile.TemporaryDirectory() as temporary:
    main(temporary)
