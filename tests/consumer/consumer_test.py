#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Uses the installed library as users do: consumer_test.py ROOT BUILD CC CXX WAY, WAY = pkg-config, cmake, readme, cuda, genfft or tree.

Installs the build into a temporary folder first, so that what is tested is what `meson install` puts there. CC and CXX are
command lines. Ends with 77 (skipped) when a tool is missing.
"""
import glob
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
examples = os.path.join(root, 'examples')
full = bool(os.environ.get('ULPFFT_TEST_FULL'))
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
    for name, compiler, flags in (('radar', cc, C), ('dct_image', cxx, CPP)):
        source = os.path.join(examples, name, name + ('.c' if compiler is cc else '.cc'))
        libs = [*install.flags('--libs'), '-lm']
        compile_and_run(install, f'example_{name}', compiler, compiler, install.flags('--cflags'), libs, source, folder, flags)
    if full:
        by_meson(install, folder)
    # No other .pc file on this machine.
    alone = install.flags('--cflags', '--libs', only_here=True)
    version = install.flags('--modversion', only_here=True)
    print(f'PASS pkg-config_alone (ulpfft {version[0]}: {shlex.join(alone)})'.replace(install.destdir, ''))


def by_meson(install, folder):
    """The example whose build file is Meson's."""
    binary = os.path.join(folder, 'meson_radar')
    environment = dict(os.environ, PKG_CONFIG_SYSROOT_DIR=install.destdir, PKG_CONFIG_PATH=install.pkgconfig, CC=shlex.join(cc))
    run(['meson', 'setup', binary, os.path.join(examples, 'radar')], environment)
    run(['meson', 'compile', '-C', binary], environment)
    run([os.path.join(binary, 'radar')], install.run_environment(), folder)
    print('PASS meson_radar')


def cmake_build(install, source, binary, *options):
    run(['cmake', '-S', source, '-B', binary, '-DCMAKE_BUILD_TYPE=Release', f'-DCMAKE_PREFIX_PATH={install.destdir}{install.prefix}',
         f'-DCMAKE_CXX_COMPILER={cxx[-1]}', *options])
    run(['cmake', '--build', binary])


def by_cmake(install, folder):
    if not shutil.which('cmake'):
        skip('cmake is not installed')
    for kind, target in (('shared', 'ulpfft::ulpfft'), ('static', 'ulpfft::ulpfft_static')):
        binary = os.path.join(folder, 'cmake_' + kind)
        cmake_build(install, here, binary, f'-DULPFFT_CONSUMER_TARGET={target}', f'-DCMAKE_C_COMPILER={cc[-1]}')
        for language in ('c', 'cpp'):
            program = os.path.join(binary, 'consumer_' + language)
            if loads_shared(program) == (kind == 'static'):
                raise Failure(f'{target} links the other library')
            run([program], install.run_environment(), folder)
            print(f'PASS cmake_{kind}_{language}')
    for name in ['image_filter'] + (['own_format'] if full else []):
        binary = os.path.join(folder, name)
        cmake_build(install, os.path.join(examples, name), binary)
        run([os.path.join(binary, name)], install.run_environment(), folder)
        print(f'PASS cmake_example_{name}')


def pages():
    """README.md and the pages of docs and notebook, from ROOT."""
    folders = ('docs', 'docs/*', 'notebook')
    return ['README.md'] + sorted(os.path.relpath(path, root) for folder in folders for path in glob.glob(os.path.join(root, folder, '*.md')))


def blocks(page):
    """(language, text) of its programs."""
    with open(os.path.join(root, page), encoding='utf-8') as file:
        return re.findall(r'^```(cpp|c|cuda)\n(.*?)^```', file.read(), re.DOTALL | re.MULTILINE)


def by_readme(install, folder):
    """Every C and C++ block of README.md and docs/*.md is a program that compiles without a warning, and runs."""
    if not shutil.which('pkg-config'):
        skip('pkg-config is not installed')
    cflags, libs = install.flags('--cflags'), install.flags('--libs')
    for page in pages():
        programs = [(language, text) for language, text in blocks(page) if language != 'cuda']
        if page == 'README.md' and {language for language, _ in programs} != {'c', 'cpp'}:
            raise Failure('README.md promises programs in C and C++')
        for number, (language, text) in enumerate(programs, 1):
            name = f'{re.sub("[/.]", "_", page.removesuffix(".md")).lower()}_{number}_{language}'
            if not re.search(r'\bmain\s*\(', text):
                raise Failure(f'{page}: block {number} in {language} is no program')
            source = os.path.join(folder, f'{name}.{"cc" if language == "cpp" else "c"}')
            with open(source, 'w', encoding='utf-8') as file:
                file.write(text)
            compiler, flags = (cxx, ['-std=c++20']) if language == 'cpp' else (cc, ['-std=c11'])
            # Programs read and write files by relative name; `folder` is theirs.
            mathematics = ['-lm'] if language == 'c' and '<math.h>' in text else []
            try:
                compile_and_run(install, name, compiler, compiler, cflags, libs + mathematics, source, folder, flags + ['-Wall', '-Wextra', '-Werror'])
            except Failure as failure:
                # Only the library of such a build says so.
                if '"cuda"' not in text or 'built with -Dcuda=disabled' not in str(failure):
                    raise
                print(f'PASS {name} (refused: this build has no CUDA)')


def by_cuda(install, folder):
    """Every CUDA block of README.md and docs/*.md is a program that nvcc compiles and links. It runs where there is a device, not here."""
    nvcc = shutil.which('nvcc') or shutil.which('/usr/local/cuda/bin/nvcc')
    if not shutil.which('pkg-config') or not nvcc:
        skip('pkg-config or nvcc is not installed')
    cflags, libs = install.flags('--cflags'), install.flags('--libs')
    programs = [(page, text) for page in pages() for language, text in blocks(page) if language == 'cuda']
    if not programs:
        raise Failure('no page has a program in CUDA')
    for number, (page, text) in enumerate(programs, 1):
        source = os.path.join(folder, f'cuda_{number}.cu')
        with open(source, 'w', encoding='utf-8') as file:
            file.write(text)
        said = run([nvcc, '-std=c++20', '-Werror', 'all-warnings', *cflags, source, '-o', source.removesuffix('.cu'), *libs])
        if said.strip():
            raise Failure(f'{page}: nvcc says {said}')
        print(f'PASS cuda_{number} of {page}: compiled and linked')


def by_genfft(install, folder):
    """A format of one's own: described, its tables emitted with the rest, compiled against the installed headers."""
    if not shutil.which('pkg-config'):
        skip('pkg-config is not installed')
    environment = dict(os.environ, PKG_CONFIG_LIBDIR=install.pkgconfig)

    def variable(name):
        prefix = f'--define-variable=prefix={install.destdir}{install.prefix}'
        return run(['pkg-config', prefix, f'--variable={name}', 'ulpfft'], environment).strip()

    genfft, formats, headers = variable('genfft'), variable('formatsdir'), variable('codelets_includedir')
    own, example = os.path.join(here, 'fp12.json'), os.path.join(examples, 'own_format', 'fp10.json')
    known = sorted(os.path.join(formats, name) for name in os.listdir(formats) if name.endswith('.json'))
    run([genfft, 'check', own, *known])
    for command, expected in ((['describe', own], '65024'), (['dump', 't8_ds'], 'load'), (['stats'], 't8_ds')):
        if expected not in run([genfft, *command]):
            raise Failure(f'{expected} is not in the output of {shlex.join([genfft, *command])}')
    emitted = os.path.join(folder, 'emitted')
    run([genfft, 'emit', '--outdir', emitted, '--groups', '64', own, example, *known])
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
    program = os.path.join(folder, 'own_format')
    run(cxx + flags + [os.path.join(examples, 'own_format', 'own_format.cc'), '-o', program])
    print('PASS genfft_example: ' + run([program]).strip())
    if variable('targets') != 'ref':
        run(cxx + flags + ['-Wno-unused-function', '-fsyntax-only', os.path.join(emitted, 'hwy_f64_20.cc')])
        print('PASS genfft_hwy: an emitted file compiles against the installed shapes')


def dead_links(path):
    """Relative links of an installed text that lead nowhere."""
    with open(path, encoding='utf-8') as file:
        text = re.sub(r'^```.*?^```', '', file.read(), flags=re.DOTALL | re.MULTILINE)
    targets = []
    for link in (r'\]\(([^()\s]+)', r'^\[[^\]]+\]:\s*(\S+)', r'(?:src|href)="([^"]+)"'):
        targets += re.findall(link, text, re.MULTILINE)
    if os.path.basename(path) == 'LICENSE':
        targets += re.findall(r'\b(LICENSES/\S+?)(?=[\s,;:)]|\.?$)', text, re.MULTILINE)
        if not targets:
            raise Failure('LICENSE names no file; this test expects it to')
    relative = [target.partition('#')[0] for target in targets if not re.match(r'[a-z][a-z0-9+.-]*:|#', target)]
    return [target for target in relative if not os.path.exists(os.path.join(os.path.dirname(path), target))]


def by_tree(install, folder):
    texts = [os.path.join(path, name) for path, _, files in os.walk(install.destdir) for name in files
             if name.endswith('.md') or name == 'LICENSE']
    if not {'README.md', 'LICENSE'} <= {os.path.basename(path) for path in texts}:
        raise Failure(f'README.md and LICENSE are not among {texts}')
    dead = [f'{os.path.relpath(path, install.destdir)}: {target}' for path in texts for target in dead_links(path)]
    if dead:
        raise Failure('links that lead nowhere:\n' + '\n'.join(dead))
    print(f'PASS no dead links in {len(texts)} installed texts')
    if not shutil.which('readelf'):
        skip('there is no readelf')
    libraries = [name for name in os.listdir(install.libdir) if name.startswith('libulpfft.so.')]
    full = max(libraries, key=len)
    soname = re.search(r'\(SONAME\).*\[(.*)\]', run(['readelf', '-d', os.path.join(install.libdir, full)])).group(1)
    major, minor = full[len('libulpfft.so.'):].split('.')[:2]
    expected = 'libulpfft.so.' + (f'0.{minor}' if major == '0' else major)  # until 1.0 a minor version may change the interface
    if soname != expected or soname not in libraries:
        raise Failure(f'the soname is {soname}, not {expected}, or that is not among {libraries}')
    print(f'PASS soname {soname}')
    by_tool(install, folder, soname)


def by_tool(install, folder, soname):
    tool = os.path.join(install.destdir + install.prefix, 'bin', 'ulpfft')
    if not os.path.exists(tool):
        print('SKIP the tool is not in this build')
        return
    said = run(['readelf', '-d', tool])
    if soname not in re.findall(r'\(NEEDED\).*\[(.*)\]', said):
        raise Failure(f'the tool does not link {soname}:\n{said}')
    paths = re.findall(r'\((?:RUNPATH|RPATH)\).*\[(.*)\]', said)
    # Nothing of the build tree, nor of folders of other libraries: the way to the library beside it, and below /usr not even that.
    beside = [] if install.prefix == '/usr' else ['$ORIGIN/' + os.path.relpath(install.libdir, os.path.dirname(tool))]
    if paths != beside:
        raise Failure(f'the run path of the tool is {paths}, not {beside}')
    if install.prefix != '/usr':
        moved = os.path.join(folder, 'moved')
        shutil.copytree(install.destdir + install.prefix, moved, symlinks=True)
        environment = {name: value for name, value in os.environ.items() if name != 'LD_LIBRARY_PATH'}
        run([os.path.join(moved, 'bin', 'ulpfft'), '--version'], environment)
    print(f'PASS the tool loads {soname}, run path {paths}')


with tempfile.TemporaryDirectory() as scratch:
    try:
        ways = {'pkg-config': by_pkg_config, 'cmake': by_cmake, 'readme': by_readme, 'cuda': by_cuda, 'genfft': by_genfft, 'tree': by_tree}
        ways[way](Install(scratch), scratch)
    except Failure as failure:
        print(f'FAIL {way}: {failure}')
        sys.exit(1)
