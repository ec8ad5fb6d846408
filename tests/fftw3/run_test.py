#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Programs made for FFTW, started by `ulpfft run`: run_test.py ROOT BUILD CC

Each is linked with a stand-in for FFTW that names itself, under FFTW's name or that of a Python wheel, so that FFTW need not be installed.
Where it is, a program linked with it runs as well.
"""
import glob
import os
import shlex
import shutil
import stat
import subprocess
import sys

root, build = (os.path.abspath(path) for path in sys.argv[1:3])
cc = shlex.split(sys.argv[3])
sys.path.insert(0, os.path.join(root, 'tests', 'tool'))
from harness import command, expect, run_cases  # noqa: E402

here = os.path.join(root, 'tests', 'fftw3')
folder = os.path.join(build, 'bindings', 'fftw3')
tool = os.path.join(build, 'tools', 'ulpfft', 'ulpfft')
run = command(tool, 'run')
os.environ.pop('LD_LIBRARY_PATH', None)  # that of a test names the folder, which would switch programs without the tool
OURS = 'fftw-3.3.10-ulpfft'
OTHERS = 'fftw-3.3.10-others'  # the stand-in, with a name as long as ours because programs hold a copy
WISDOM = 'const char text[] = "(fftw-3.3.10 {}_wisdom #x%M #x%M #x%M #x%M\\n";\n'  # which FFTW's code has


def compiled(output, *words):
    subprocess.run([*cc, '-O1', '-I' + folder, *words, '-o', output], check=True)
    return os.path.abspath(output)


def library(name, *words):
    """A shared library with a name of its own, from the stand-in unless words name other sources."""
    return compiled(name, '-shared', '-fPIC', '-Wl,-soname,' + os.path.basename(name), *(words or [os.path.join(here, 'run_stand_in.c')]))


def program(name, *words):
    return compiled(name, os.path.join(here, 'run_program.c'), *words, '-pthread', '-lm')


def source(name, text):
    with open(name, 'w', encoding='utf-8') as file:
        file.write(text)
    return name


def runs_on(version, *words, **environment):
    status, output, errors = run('--', *words, **environment)
    expect(status == 0 and output.split('\n')[0] == version and not errors, f'{words}: status {status}, {output!r}, {errors!r}')
    return output


def refused(*words, says, **environment):
    status, output, errors = run('--', *words, **environment)
    expect(status == 1 and output == '', f'{words}: status {status}, {output!r}')
    expect(errors.startswith('error: ') and errors.count('\n') == 1 and all(text in errors for text in says), f'{words}: {errors!r} without {says}')


def a_program_of_fftws_name():
    lib = library('libfftw3.so.3')
    for name, tags in (('by_rpath', '--disable-new-dtags'), ('by_runpath', '--enable-new-dtags')):
        path = program(name, lib, '-Wl,' + tags + ',-rpath,' + os.getcwd())
        plain = subprocess.run([path], stdout=subprocess.PIPE, text=True, check=True).stdout
        expect(plain.startswith(OTHERS + '\n'), f'alone it runs on {plain!r}')
        runs_on(OURS, path)
        runs_on(OURS, './' + name)
        runs_on(OURS, name, PATH=os.getcwd() + ':' + os.environ['PATH'])
        runs_on(OURS, path, 'threads')
        runs_on(OURS, path, 'fork')


def a_program_linked_with_fftw():
    installed = glob.glob('/usr/lib/*/libfftw3.so.3') + glob.glob('/usr/lib*/libfftw3.so.3')
    if not installed:
        return 'FFTW is not installed'
    path = program('linked', installed[0])
    theirs = subprocess.run([path], stdout=subprocess.PIPE, text=True, check=True).stdout.split('\n')
    ours = runs_on(OURS, path).split('\n')
    expect(theirs[0] != OURS and abs(float(theirs[1]) - float(ours[1])) < 1e-6, f'{theirs} and {ours}')
    return ''


def names_of_wheels():
    """Their libraries are copies whose name has a hash, found by a run path, or opened by their path."""
    os.mkdir('wheel.libs')
    for name in ('libfftw3-1a2b3c4d.so.3', 'libfftw3-1a2b3c4d.so.3.6.10'):
        lib = library('wheel.libs/' + name)
        path = program('wheel', lib, '-Wl,-rpath,$ORIGIN/wheel.libs')
        expect(subprocess.run([path], stdout=subprocess.PIPE, text=True, check=True).stdout.startswith(OTHERS + '\n'), 'alone')
        runs_on(OURS, path)
    opener = compiled('opener', os.path.join(here, 'run_open.c'), '-ldl')
    threads = library('wheel.libs/libfftw3f_threads-0badcafe.so.3', source('threads.c', 'const char fftwf_version[] = "stand-in";\n'))
    plain = os.path.abspath('wheel.libs/libfftw3-1a2b3c4d.so.3')
    other = library('wheel.libs/libfftw3w-1a2b3c4d.so.3')
    runs_on(OURS, opener, plain, 'fftw_version')
    runs_on(OURS, opener, threads, 'fftwf_version')
    runs_on(OTHERS, opener, other, 'fftw_version')


def what_a_program_starts():
    """A script follows its interpreter, and programs that a program starts are switched as well."""
    path = program('below', library('libfftw3.so.3'), '-Wl,-rpath,' + os.getcwd())
    for name, first in (('script', '#!/bin/sh'), ('by_env', '#!/usr/bin/env sh'), ('of_script', '#!' + os.path.abspath('script'))):
        source(name, f'{first}\nexec {path}\n')
        os.chmod(name, 0o755)
        runs_on(OURS, './' + name)
    source('lost', '#!/nonexist/interpreter\n')
    os.chmod('lost', 0o755)
    refused('./lost', says=['/nonexist/interpreter'])


def status_and_signals():
    path = program('ends', library('libfftw3.so.3'), '-Wl,-rpath,' + os.getcwd())
    for status in (0, 1, 2, 77, 255):
        expect(run('--', path, 'status', str(status))[0] == status, f'status {status}')
    for signal in (6, 9, 15):
        shell = subprocess.run(['sh', '-c', '"$@"; exit $?', 'sh', tool, 'run', '--', path, 'signal', str(signal)], check=False,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        expect(shell.returncode == 128 + signal, f'signal {signal}: {shell.returncode}')
    limit = subprocess.run([tool, 'run', '--', 'python3', '-c', 'import signal; print(int(signal.getsignal(signal.SIGTERM) == signal.SIG_DFL))'],
                           stdout=subprocess.PIPE, text=True, check=True)
    expect(limit.stdout == '1\n', limit.stdout)
    words = ['a b', '', '--', '--help', '*', '-x']
    status, output, _ = run('--', sys.executable, '-c', 'import sys; print(sys.argv[1:])', *words)
    expect(status == 0 and output == f'{words}\n', output)


def why_not():
    lib = library('libfftw3.so.3')
    here_path = '-Wl,-rpath,' + os.getcwd()
    refused('nonexist-program', says=["no program 'nonexist-program'"])
    refused('./nonexist', says=['no program ./nonexist'])
    refused(os.getcwd(), says=['no program'])
    source('text', 'text')
    refused('./text', says=['may not be executed'])
    os.chmod('text', 0o755)
    refused('./text', says=['no program of this system'])
    source('empty', '')
    os.chmod('empty', 0o755)
    refused('./empty', says=['no program of this system'])

    inside = source('inside.c', WISDOM.format('fftw') + 'int inside(void) { return text[0]; }\n')
    caller = source('caller.c', 'int inside(void);\nint main(void) { return inside() == 0; }\n')
    refused(compiled('one_file', inside, caller), says=["FFTW's code inside", 'one_file'])
    other = library('libengine.so', inside)
    refused(compiled('of_engine', caller, other, here_path), says=["FFTW's code inside", other])
    long_inside = source('long_inside.c', WISDOM.format('fftwl') + 'int inside(void) { return text[0]; }\n')
    expect(run('--', compiled('long_inside', long_inside, caller))[0] == 0, 'FFTW of long double inside is nothing to refuse')
    both = compiled('both', os.path.join(here, 'run_program.c'), inside, lib, here_path, '-pthread', '-lm')
    status, output, errors = run('--', both)
    expect(status == 0 and output.startswith(OURS) and errors.startswith('note: ') and "stay FFTW's" in errors, f'{status} {output} {errors}')

    mpi = library('libfftw3_mpi.so.3', source('mpi.c', 'int inside(void) { return 1; }\n'))
    refused(compiled('of_mpi', caller, mpi, here_path), says=['libfftw3_mpi.so.3', 'MPI'])
    through = library('libthrough.so', source('through.c', 'int inside(void);\nint below(void) { return inside(); }\n'), mpi, here_path)
    refused(compiled('of_mpi_below', source('calls.c', 'int below(void);\nint main(void) { return below(); }\n'), through, here_path, '-Wl,--allow-shlib-undefined'),
            says=['libfftw3_mpi.so.3'])
    for name, real in (('fftwl_execute', 'libfftw3l.so.3'), ('fftwq_execute', 'libfftw3q.so.3')):
        far = library(real, source('far.c', f'int {name}(void) {{ return 0; }}\n'))
        refused(compiled('far', source('far_main.c', f'int {name}(void);\nint main(void) {{ return {name}(); }}\n'), far, here_path), says=['long double or quad'])

    other_machine = bytearray(open(compiled('machine', source('main.c', 'int main(void) { return 0; }\n')), 'rb').read())
    other_machine[18:20] = b'\x15\x00'  # PowerPC
    with open('machine', 'wb') as file:
        file.write(other_machine)
    refused('./machine', says=['another kind of processor'])


def static_programs():
    source('main.c', 'int main(void) { return 0; }\n')
    if subprocess.run([*cc, '-static', 'main.c', '-o', 'static'], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        return 'the compiler makes no static programs'
    refused('./static', says=['static program'])
    return ''


def programs_with_rights():
    path = compiled('rights', source('main.c', 'int main(void) { return 0; }\n'))
    if os.geteuid() != 0:
        return 'only root makes programs with the rights of others'
    os.chown(path, 65534, 65534)
    for bit in (stat.S_ISUID, stat.S_ISGID):
        os.chmod(path, 0o755 | bit)
        refused(path, says=['rights of another'])
    os.chmod(path, 0o755)
    expect(run('--', path)[0] == 0, 'without these rights it runs')
    return ''


def damaged_programs():
    """A cut or changed file is refused or started, and the tool never crashes."""
    whole = open(program('whole', library('libfftw3.so.3'), '-Wl,-rpath,' + os.getcwd()), 'rb').read()
    for i in range(60):
        damaged = bytearray(whole[:64 + i * 40] if i % 2 else whole)
        if i % 2 == 0:
            for at in range(32 + i, 64 * 12, 61):
                damaged[at] = (damaged[at] * 7 + 201 + i) % 256
            damaged[0] = 0x7e if i % 4 else damaged[0]
        damaged[16] = 1  # a relocatable file, which the system does not start
        with open('damaged', 'wb') as file:
            file.write(damaged)
        os.chmod('damaged', 0o755)
        status, _, errors = run('--', './damaged')
        expect(status == 1 and errors.startswith('error: '), f'{i}: status {status}, {errors}')


def the_folder():
    path = program('of_folder', library('libfftw3.so.3'), '-Wl,-rpath,' + os.getcwd())
    os.mkdir('elsewhere')
    expect(run('--folder', 'elsewhere', '--', path)[0] == 1 and 'has no libfftw3.so.3' in run('--folder', 'elsewhere', '--', path)[2], 'an empty folder')
    expect('elsewhere' in run('--', path, ULPFFT_FFTW3_FOLDER='elsewhere')[2], 'the variable')
    os.symlink(folder, 'link')
    for words, variables in ((('--folder', 'link'), {'ULPFFT_FFTW3_FOLDER': 'elsewhere'}), ((), {'ULPFFT_FFTW3_FOLDER': 'link'})):
        status, output, errors = run(*words, '--', path, **variables)
        expect(status == 0 and output.startswith(OURS), f'{words} {variables}: {errors}')
    os.mkdir('with blank')
    for name in glob.glob(folder + '/*.so*'):
        if os.path.isfile(name):
            shutil.copy(name, 'with blank')
    expect('has a blank' in run('--folder', 'with blank', '--', path)[2], 'a blank')


def the_folder_of_an_installation():
    """The one beside the library that the tool runs on."""
    installed = os.path.abspath('installed/lib/ulpfft/fftw3')
    os.makedirs(installed)
    for name in glob.glob(folder + '/lib*.so*'):
        if os.path.isfile(name):
            shutil.copy(name, installed)
    library_file, = (name for name in glob.glob(os.path.join(build, 'planner', 'libulpfft.so.*')) if not os.path.islink(name) and os.path.isfile(name))
    for name in glob.glob(os.path.join(build, 'planner', 'libulpfft.so*')):
        if os.path.islink(name):
            shutil.copy(library_file, os.path.join('installed', 'lib', os.path.basename(name)))
    status, output, errors = run('--', 'sh', '-c', 'echo "$ULPFFT_FFTW3_FOLDER"', LD_LIBRARY_PATH=os.path.abspath('installed/lib'))
    expect(status == 0 and output == installed + '\n', f'{status} {output} {errors}')


def words_of_the_command_line():
    for words, says in (((), 'two dashes'), (('--',), 'two dashes'), (('true',), '-- true'), (('--foldr', 'x', '--', 'true'), '--folder'),
                        (('--nonsense', '--', 'true'), 'no option --nonsense of run')):
        status, output, errors = run(*words)
        expect(status == 2 and output == '' and says in errors, f'{words}: {status}, {errors}')
    status, output, _ = run('--help')
    expect(status == 0 and '-- PROGRAM' in output, output)


if not os.path.exists(os.path.join(folder, 'libulpfft_fftw3_audit.so')):
    sys.exit(f'FAIL {folder} has no libulpfft_fftw3_audit.so')
run_cases('run', [a_program_of_fftws_name, a_program_linked_with_fftw, names_of_wheels, what_a_program_starts, status_and_signals, why_not,
                  static_programs, programs_with_rights, damaged_programs, the_folder, the_folder_of_an_installation,
                  words_of_the_command_line])
