#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Manual pages and completions say what the programs do: manual_test.py ULPFFT GENFFT FOLDER. FOLDER is what the build wrote."""
import functools
import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
from harness import command, commands, expect, run_cases, succeeding  # noqa: E402

tool, genfft, folder = (os.path.abspath(path) for path in sys.argv[1:4])
good = succeeding(command(tool))
all_commands = [(), *commands(command(tool))]
SPECIAL = {r'\-': '-', r'\e': '\\', r'\(aq': "'", r'\(ga': '`', r'\(ha': '^', r'\(ti': '~', r'\(dq': '"', r'\fB': '', r'\fI': '',
           r'\fR': '',
           r'\&': '', r'\:': ''}


def read(name):
    with open(os.path.join(folder, name), encoding='utf-8') as file:
        return file.read()


def page(words):
    """The text of a page as a reader sees its letters."""
    text = read(os.path.join('man1', '-'.join(words) + '.1'))
    return re.sub(r'\\(?:[-e&:]|\(..|f.)', lambda found: SPECIAL[found[0]], text)


@functools.cache
def help_of(words):
    return good(*words, '--help')


def options_of(text):
    return sorted(set(re.findall(r'(?m)^  (-.*?)(?:   |$)', text)))


def names_in(option):
    """Of an option as help shows it: "-o,--output TEXT REQUIRED"."""
    return re.findall(r'(?<![\w-])-{1,2}[a-zA-Z][\w-]*', option.split(' ')[0])


def run_shell(*words):
    done = subprocess.run(words, text=True, capture_output=True, check=False)
    expect(done.returncode == 0 and not done.stderr, f'{words[:2]}: status {done.returncode}, {done.stderr}')
    return done.stdout


# ---- Cases -------------------------------------------------------------------------------------------------------------------------


def every_command_has_a_page():
    expected = sorted(['ulpfft-genfft.1', *('-'.join(('ulpfft', *words)) + '.1' for words in all_commands)])
    expect(sorted(os.listdir(os.path.join(folder, 'man1'))) == expected, f'{os.listdir(os.path.join(folder, "man1"))} are not {expected}')


def every_option_is_in_its_page():
    found = 0
    for words in all_commands:
        text = page(('ulpfft', *words))
        for option in options_of(help_of(words).split('Examples:')[0]):
            for name in names_in(option):
                found += 1
                expect(re.search(rf'(?m)^(?:[^ ]+, )*{name}\b', text), f'{words}: {name} is not in the page')
    expect(found > 150, f'{found} options in all')


def every_choice_and_command_is_in_its_page():
    for words in all_commands:
        text, usage = page(('ulpfft', *words)), help_of(words)
        for choices in re.findall(r'\{([\w,]+)\}', usage):
            expect(choices.replace(',', '|') in text, f'{words}: {choices} are not in the page')
        for inner in all_commands:
            if inner[:-1] == words and inner:
                expect(f'\n.TP\n{inner[-1]}\n' in text, f'{words}: {inner[-1]} is not in the page')


def pages_have_descriptions_whole():
    for words in all_commands:
        text = page(('ulpfft', *words))
        lines = help_of(words).split('\n')
        expect(lines[0] in text, f'{words}: {lines[0]} is not in the page')
        for section in ('NAME', 'SYNOPSIS', 'DESCRIPTION', 'OPTIONS', 'SEE ALSO'):
            expect(f'\n.SH {section}\n' in text, f'{words}: no {section}')
        expect(('Example' in help_of(words)) == ('.SH EXAMPLES' in text), f'{words}: examples')
    expect('.SH EXIT STATUS' in page(('ulpfft',)), 'the exit status of ulpfft')


def the_generator_has_a_page():
    text = page(('ulpfft-genfft',))
    usage = subprocess.run([genfft, '--help'], text=True, capture_output=True, check=True).stdout
    for line in usage.split('\n')[1:]:
        for word in re.findall(r'[\w.-]+', line.split('   ')[0]):
            expect(word in text, f'{word} of "{line}" is not in the page')
    expect(len(re.findall(r'\n\.TP\n', text)) == usage.count('\n'), 'a command a line, and the help')


def pages_name_the_version():
    version = good('--version').split()[1]
    for words in [('ulpfft-genfft',), *(('ulpfft', *words) for words in all_commands)]:
        expect(f'"ulpfft {version}"' in page(words).split('\n')[0], f'{words}: {page(words).split(chr(10))[0]}')


def groff_reads_them_without_a_warning():
    if not shutil.which('groff'):
        return 'groff is not here'
    pages = sorted(os.listdir(os.path.join(folder, 'man1')))
    run_shell('groff', '-man', '-ww', '-z', '-Tutf8', *(os.path.join(folder, 'man1', name) for name in pages))


def completed(*words):
    """What bash offers for the last word."""
    script = f'''source {folder}/{words[0]}
COMP_WORDS=({' '.join(f"'{word}'" for word in words)}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); COMPREPLY=()
compopt() {{ :; }}
$(complete -p {words[0]} | sed -E 's/.*-F ([^ ]+).*/\\1/')
printf '%s\\n' "${{COMPREPLY[@]}}"'''
    return sorted(run_shell('bash', '--norc', '-c', script).split())


WANTED = (  # the words before the one that is completed, what it begins with, and what is offered
    (('ulpfft',), 'w', ['wisdom']),
    (('ulpfft', 'mri'), '', ['choose', 'recon', 'sweep']),
    (('ulpfft', 'plan', '--effort'), '', ['estimate', 'exhaustive', 'measure', 'patient', 'wisdom_only']),
    (('ulpfft', 'plan', '1000', 'f32', '--effort'), 'pat', ['patient']),
    (('ulpfft', 'plan'), '--ex', ['--explain']),
    (('ulpfft', 'mri', 'recon', 'kspace.cfl'), '--ro', ['--round-trip']),
    (('ulpfft', 'mri', 'recon', '--storage'), 'mxfp8_e4', ['mxfp8_e4m3']),
    (('ulpfft', 'convert', 'in.npy', 'out.json', '--to'), 'bf', ['bf16']),
    (('ulpfft-genfft',), 'd', ['describe', 'dump']),
    (('ulpfft-genfft', 'emit'), '--', ['--groups', '--outdir']),
)


def bash_completes():
    for name in ('ulpfft', 'ulpfft-genfft'):
        run_shell('bash', '-n', os.path.join(folder, name))
    for before, begun, offered in WANTED:
        expect(completed(*before, begun) == offered, f'{before} {begun}: {completed(*before, begun)} instead of {offered}')
    expect(completed('ulpfft', 'plan', '--effort', '=', 'est') == ['estimate'], 'behind an equals sign')
    expect(completed('ulpfft', 'plan', '--effort', '=') == list(WANTED[2][2]), 'behind an equals sign alone')
    expect('ref' in completed('ulpfft', 'bench', '--target', ''), f'targets: {completed("ulpfft", "bench", "--target", "")}')
    with open('plans.json', 'w', encoding='utf-8'):
        pass
    os.mkdir('plansets')
    shown = completed('ulpfft', 'wisdom', 'show', 'pl')
    expect(shown == ['plans.json', 'plansets'], f'files: {shown}')
    expect(completed('ulpfft', 'run', '--folder', 'pl') == ['plansets'], 'folders')


def every_option_is_completed_by_bash():
    for words in all_commands:
        names = sorted({name for option in options_of(help_of(words).split('Examples:')[0]) for name in names_in(option)})
        expect(completed('ulpfft', *words, '-') == names, f'{words}: {completed("ulpfft", *words, "-")} instead of {names}')


def zsh_reads_them():
    if not shutil.which('zsh'):
        return 'zsh is not here'
    for name in ('_ulpfft', '_ulpfft-genfft'):
        run_shell('zsh', '-n', os.path.join(folder, name))
        with_stand_ins = f'''_arguments() {{ print -r -- "$*"; state=command line=() }}
_describe() {{ print -r -- "${{commands[*]}}" }}; compdef() {{ :; }}; source {folder}/{name}; _{name[1:].replace("-", "_")}'''
        said = run_shell('zsh', '-f', '-c', with_stand_ins)
        expect('emit:' in said if 'genfft' in name else '--version' in said and 'transform:' in said, f'{name}: {said}')


def fish_completes():
    if not shutil.which('fish'):
        return 'fish is not here'
    asked = '; '.join(f"echo '= {i}'; complete -C '{' '.join((*before, begun))}'" for i, (before, begun, _) in enumerate(WANTED))
    script = f'source {folder}/ulpfft.fish; source {folder}/ulpfft-genfft.fish; {asked}'
    said = run_shell('env', 'HOME=' + os.getcwd(), 'fish', '--no-config', '-c', script)
    for text, (before, begun, offered) in zip(re.split(r'= \d+\n', said)[1:], WANTED, strict=True):
        words = sorted(line.split('\t')[0] for line in text.split('\n') if line)
        expect(words == offered, f'{before} {begun}: {words} instead of {offered}')


run_cases('Manual', [every_command_has_a_page, every_option_is_in_its_page, every_choice_and_command_is_in_its_page,
                     pages_have_descriptions_whole, the_generator_has_a_page, pages_name_the_version, groff_reads_them_without_a_warning, bash_completes,
                     every_option_is_completed_by_bash, zsh_reads_them, fish_completes])
