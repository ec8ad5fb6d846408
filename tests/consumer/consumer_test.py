#!/usr/bin/env python3
"""Uses the installed library as users do: consumer_test.py ROOT BUILD CC CXX WAY, WAY = pkg-config, cmake, readme or genfft.

Installs the build into a temporary folder first, so that what is tested is what `meson install` puts there. CC and CXX are
command lines. Ends with 77 (skipped) when a tool is missing.
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

STRICT = ['-Wall', '-Wextra', '-Wpedantic', '-Wshadow', '-Wconversion', '-Werror']
C = ['-std=c11'] + STRICT
CPP = ['-std=c++20'] + STRICT

root, build, cc, cxx, way = sys.argv[1:6]
here = os.path.join(root, 'tests', 'consumer')
cc, cxx = shlex.split(cc), shlex.split(cxx)


class Failure(Exception):
    pass


def skip(reason):
    print(f'SKIP {way}: {reason}')
    sys.exit(77)


def run(command, environment=None, folder=None):
    done = subprocess.run(command, env=environment, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        raise Failure(f'{shlex.join(command)}\nstatus {done.returncode}\n{done.stdout}')
    return done.stdout


class Install:
    """The build, installed under a folder that is its DESTDIR."""

    def __init__(self, folder):
        self.destdir = os.path.join(folder, 'dest')
        meson = [shutil.which('meson')] if shutil.which('meson') else [sys.executable, '-m', 'mesonbuild.mesonmain']
        run(meson + ['install', '-C', build, '--no-rebuild', '--quiet', '--destdir', self.destdir])
        found = [os.path.join(path, 'ulpfft.pc') for path, _, files in os.walk(self.destdir) if 'ulpfft.pc' in files]
        if len(found) != 1:
            raise Failure(f'meson install gave {len(found)} files ulpfft.pc, not one')
        self.pkgconfig = os.path.dirname(found[0])
        self.libdir = os.path.dirname(self.pkgconfig)
        with open(found[0], encoding='utf-8') as file:
            self.prefix = re.search(r'^prefix=(.*)$', file.read(), re.MULTILINE).group(1).strip()

    def variant(self, folder, static):
        """A copy with the static or the shared library only, so that -lulpfft can mean nothing else."""
        copy = Install.__new__(Install)
        copy.destdir, copy.prefix = folder, self.prefix
        shutil.copytree(self.destdir, folder, symlinks=True)
        copy.libdir = os.path.join(folder, os.path.relpath(self.libdir, self.destdir))
        copy.pkgconfig = os.path.join(copy.libdir, 'pkgconfig')
        for name in os.listdir(copy.libdir):
            if name.startswith('libulpfft.') and (name == 'libulpfft.a') != static:
                os.remove(os.path.join(copy.libdir, name))
        return copy

    def run_environment(self):
        return dict(os.environ, LD_LIBRARY_PATH=self.libdir)

    def flags(self, *arguments, only_here=False):
        """What pkg-config answers, with DESTDIR as its sysroot."""
        environment = dict(os.environ, PKG_CONFIG_SYSROOT_DIR=self.destdir)
        environment.pop('PKG_CONFIG_PATH', None)
        if only_here:
            environment['PKG_CONFIG_LIBDIR'] = self.pkgconfig
        else:
            environment['PKG_CONFIG_PATH'] = self.pkgconfig
        return shlex.split(run(['pkg-config', *arguments, 'ulpfft'], environment))


def compile_and_run(install, name, compiler, linker, cflags, libs, source, folder, language_flags):
    objects = os.path.join(folder, name + '.o')
    program = os.path.join(folder, name)
    run(compiler + language_flags + cflags + ['-c', source, '-o', objects])
    run(linker + [objects, '-o', program] + libs)
    run([program], install.run_environment(), folder)
    print(f'PASS {name}')


def loads_shared(program):
    return 'libulpfft' in run(['readelf', '-d', program]) if shutil.which('readelf') else None


def by_pkg_config(install, folder):
    if not shutil.which('pkg-config'):
        skip('pkg-config is not installed')
    for static in (False, True):
        kind = 'static' if static else 'shared'
        one = install.variant(os.path.join(folder, kind), static)
        arguments = ['--static'] if static else []
        cflags = one.flags('--cflags', *arguments)
        libs = one.flags('--libs', *arguments)
        for flag in cflags:
            if not flag.startswith('-I'):
                raise Failure(f'pkg-config --cflags gives {flag}: users need include folders only')
        linker = cxx if static else cc  # the archive holds C++
        compile_and_run(one, f'pkg-config_{kind}_c', cc, linker, cflags, libs, os.path.join(here, 'consumer.c'), folder, C)
        compile_and_run(one, f'pkg-config_{kind}_cpp', cxx, cxx, cflags, libs, os.path.join(here, 'consumer.cc'), folder, CPP)
        for name in ('c', 'cpp'):
            if loads_shared(os.path.join(folder, f'pkg-config_{kind}_{name}')) == static:
                raise Failure(f'the {kind} consumer links the other library')
    # No other .pc file on this machine, Highway's least of all.
    alone = install.flags('--cflags', '--libs', only_here=True)
    version = install.flags('--modversion', only_here=True)
    print(f'PASS pkg-config_alone (ulpfft {version[0]}: {shlex.join(alone)})'.replace(install.destdir, ''))


def by_cmake(install, folder):
    if not shutil.which('cmake'):
        skip('cmake is not installed')
    for kind, target in (('shared', 'ulpfft::ulpfft'), ('static', 'ulpfft::ulpfft_static')):
        binary = os.path.join(folder, 'cmake_' + kind)
        run(['cmake', '-S', here, '-B', binary, '-DCMAKE_BUILD_TYPE=Release', f'-DULPFFT_CONSUMER_TARGET={target}',
             f'-DCMAKE_PREFIX_PATH={install.destdir}{install.prefix}', f'-DCMAKE_C_COMPILER={cc[-1]}', f'-DCMAKE_CXX_COMPILER={cxx[-1]}'])
        run(['cmake', '--build', binary])
        for language in ('c', 'cpp'):
            program = os.path.join(binary, 'consumer_' + language)
            if loads_shared(program) == (kind == 'static'):
                raise Failure(f'{target} links the other library')
            run([program], install.run_environment(), folder)
            print(f'PASS cmake_{kind}_{language}')


def by_readme(install, folder):
    path = os.path.join(root, 'README.md')
    if not os.path.isfile(path):
        skip('there is no README.md')
    if not shutil.which('pkg-config'):
        skip('pkg-config is not installed')
    with open(path, encoding='utf-8') as file:
        blocks = re.findall(r'^```(cpp|c)\n(.*?)^```', file.read(), re.DOTALL | re.MULTILINE)
    programs = [(language, text) for language, text in blocks if re.search(r'\bmain\s*\(', text)]
    languages = {language for language, _ in programs}
    if languages != {'c', 'cpp'}:
        raise Failure(f'the README has programs in {sorted(languages) or "no language"}; it promises C and C++')
    cflags, libs = install.flags('--cflags'), install.flags('--libs')
    for number, (language, text) in enumerate(programs, 1):
        name = f'readme_{number}_{language}'
        source = os.path.join(folder, f'{name}.{"cc" if language == "cpp" else "c"}')
        with open(source, 'w', encoding='utf-8') as file:
            file.write(text)
        compiler, flags = (cxx, ['-std=c++20']) if language == 'cpp' else (cc, ['-std=c11'])
        # Programs read and write files by relative name; `folder` is theirs.
        compile_and_run(install, name, compiler, compiler, cflags, libs, source, folder, flags + ['-Wall', '-Wextra', '-Werror'])


def by_genfft(install, folder):
    """A format of one's own: described, its tables emitted with the rest, compiled against the installed headers."""
    if not shutil.which('pkg-config'):
        skip('pkg-config is not installed')
    environment = dict(os.environ, PKG_CONFIG_LIBDIR=install.pkgconfig)

    def variable(name):
        prefix = f'--define-variable=prefix={install.destdir}{install.prefix}'
        return run(['pkg-config', prefix, f'--variable={name}', 'ulpfft'], environment).strip()

    genfft, formats, headers = variable('genfft'), variable('formatsdir'), variable('codelets_includedir')
    own = os.path.join(here, 'fp12.json')
    known = sorted(os.path.join(formats, name) for name in os.listdir(formats) if name.endswith('.json'))
    run([genfft, 'check', own, *known])
    for command, expected in ((['describe', own], '65024'), (['dump', 't8_ds'], 'load'), (['stats'], 't8_ds')):
        if expected not in run([genfft, *command]):
            raise Failure(f'{expected} is not in the output of {shlex.join([genfft, *command])}')
    emitted = os.path.join(folder, 'emitted')
    run([genfft, 'emit', '--outdir', emitted, '--groups', '64', own, *known])
    print(f'PASS genfft_commands ({len(os.listdir(emitted))} files emitted)')

    # Warnings are those of the hand-written shapes as well: a user's build should not fill with them.
    flags = ['-std=c++20', '-Wall', '-Wextra', '-Werror', '-ffp-contract=off', f'-I{headers}', f'-I{emitted}']
    objects = []
    for source in [os.path.join(emitted, name) for name in ('formats.cc', 'body_facts.cc', 'ref_codelets.cc')] + [os.path.join(here, 'contract.cc')]:
        objects.append(os.path.join(folder, os.path.basename(source) + '.o'))
        run(cxx + flags + ['-c', source, '-o', objects[-1]])
    program = os.path.join(folder, 'contract')
    run(cxx + objects + ['-o', program])
    print('PASS genfft_contract: ' + run([program]).strip())
    if 'hwy' in run(['pkg-config', '--static', '--libs', 'ulpfft'], environment):
        run(cxx + flags + ['-Wno-unused-function', '-fsyntax-only', os.path.join(emitted, 'hwy_f64_20.cc')])
        print('PASS genfft_hwy: an emitted file compiles against the installed shapes')


with tempfile.TemporaryDirectory() as scratch:
    try:
        {'pkg-config': by_pkg_config, 'cmake': by_cmake, 'readme': by_readme, 'genfft': by_genfft}[way](Install(scratch), scratch)
    except Failure as failure:
        print(f'FAIL {way}: {failure}')
        sys.exit(1)
