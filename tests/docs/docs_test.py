#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""README.md, docs/*.md and notebook/*.md are true: docs_test.py ROOT BUILD [TOOL GENFFT LIBRARIES]

Their links resolve, in the tree and installed; README.md is short; every sh block runs as printed, line by line, in a scratch folder of its
file with the tool in PATH; options in running text exist. LIBRARIES names what the tool was built with, e.g. hdf5,ismrmrd. C and C++ blocks
are compiled by tests/consumer. Without TOOL only the texts are looked at.
"""
import ctypes.util
import glob
import importlib.util
import json
import math
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

MOST_LINES = 150  # of README.md
HANG = 3000       # seconds, short of what meson allows the test

# What is not run, by its first word, and why.
NOT_RUN = {
    'apt-get': 'installs packages',
    'sudo': 'installs as root',
    'tools/dev': 'installs packages and builds everything; .ci/run is this command',
    'meson': 'builds or installs; tests/consumer installs',
    'ninja': 'builds',
    'tools/gpu_check': 'builds; tests/gpu runs what it builds',
    'DIR/gpu_check': 'checks a GPU; tests/gpu rehearses it',
    'cc': 'compiles what tests/consumer compiles, against an installation',
    'c++': 'compiles what tests/consumer compiles, against an installation',
    'mpirun': "starts a program of the reader's on several machines",
}
READERS_PROGRAMS = ('./simulation', 'script.py')  # that `ulpfft run` starts; tests/fftw3 runs others
OWN_FORMAT = 'fp7'  # known only to a build with -Dextra_formats; tests/one_file runs those lines in one
# What a line needs beside the tool: a pattern in its text, how to find it, and the files it would have made.
NEEDS = (
    (r'^bart ', 'bart', lambda libraries: shutil.which('bart'), {'clean', 'kspace.cfl', 'out/reference.npy'}),
    (r'^ismrmrd_generate', 'ismrmrd-tools', lambda libraries: shutil.which('ismrmrd_generate_cartesian_shepp_logan'), {'scan.h5'}),
    (r'import h5py', "Python's h5py and numpy", lambda libraries: all(map(importlib.util.find_spec, ('h5py', 'numpy'))), {'multicoil.h5'}),
    (r' scan\.h5', 'a tool with libismrmrd', lambda libraries: 'ismrmrd' in libraries, set()),
    (r' multicoil\.h5', 'a tool with libhdf5', lambda libraries: 'hdf5' in libraries, set()),
    (r'--vs fftw|--study fftw', "Debian's libfftw3-single3 and libfftw3-double3",
     lambda libraries: all(map(ctypes.util.find_library, ('fftw3f', 'fftw3'))), set()),
)

root, build = (os.path.abspath(path) for path in sys.argv[1:3])
tool, genfft = (os.path.abspath(path) for path in sys.argv[3:5]) if len(sys.argv) > 3 else (None, None)
libraries = sys.argv[5].split(',') if len(sys.argv) > 5 else []
folders = [os.path.join(root, folder) for folder in ('docs', 'docs/*', 'notebook')]
pages = ['README.md'] + sorted(os.path.relpath(path, root) for folder in folders for path in glob.glob(os.path.join(folder, '*.md')))
failures = 0


def report(name, faults, note=''):
    global failures
    print(f'{"FAIL" if faults else "PASS"} {name}{note}', flush=True)
    for fault in faults:
        print('  ' + fault.replace('\n', '\n  '))
    failures += bool(faults)


def read(name):
    with open(os.path.join(root, name), encoding='utf-8') as file:
        return file.read()


def blocks(text, language):
    return re.findall(rf'^```{language}\n(.*?)^```', text, re.DOTALL | re.MULTILINE)


def prose(text):
    return re.sub(r'^```.*?^```', '', text, flags=re.DOTALL | re.MULTILINE)


# ---- Links -----------------------------------------------------------------------------------------------------------------------


def anchors(text):
    """As GitHub makes them from headings."""
    titles = re.findall(r'^#+ (.*)$', prose(text), re.MULTILINE)
    return {re.sub(r'[^\w\- ]', '', title.lower()).replace(' ', '-') for title in titles}


def links(text):
    """Relative ones, with their anchors."""
    text = prose(text)
    found = re.findall(r'\]\(([^)\s]+)\)', re.sub(r'`[^`\n]*`', '', text)) + re.findall(r'(?:src|srcset|href)="([^"]+)"', text)
    return [link for link in found if not re.match(r'[a-z]+:', link)]


def broken(page, where):
    """Links of a page, itself called `page` below the folder of README, whose file `where` cannot find."""
    faults = []
    for link in links(where(page)):
        path, _, anchor = link.partition('#')
        target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        found = where(target)
        if found is None:
            faults.append(f'{page}: {link} is not there')
        elif anchor and anchor not in anchors(found):
            faults.append(f'{page}: {link}: no such heading')
    return faults


def text_or_none(path):
    if not os.path.exists(path):
        return None
    if os.path.isdir(path):
        return ''
    with open(path, encoding='utf-8', errors='replace') as file:
        return file.read()


def markdown_of_tree():
    if not shutil.which('git'):
        return pages
    done = subprocess.run(['git', '-c', 'safe.directory=*', '-C', root, 'ls-files', '-z', '*.md'], capture_output=True, check=False)
    tracked = [name for name in done.stdout.decode().split('\0') if name and os.path.exists(os.path.join(root, name))]
    return sorted(set(tracked) | set(pages))


def installed_text():
    """A function from a path below the installed README to its text, by what meson would install."""
    with open(os.path.join(build, 'meson-info', 'intro-installed.json'), encoding='utf-8') as file:
        plan = {os.path.normpath(to): os.path.normpath(source) for source, to in json.load(file).items()}
    readme = next((to for to, source in plan.items() if source == os.path.join(root, 'README.md')), None)
    if readme is None:
        return None
    base = os.path.dirname(readme)

    def text(name):
        path = os.path.normpath(os.path.join(base, name))
        rest = ''
        while path not in plan and path.startswith(base) and path != base:  # a folder installed as a whole
            path, last = os.path.split(path)
            rest = os.path.join(last, rest) if rest else last
        return text_or_none(os.path.join(plan[path], rest) if rest else plan[path]) if path in plan else None

    return text


report(f'README.md has at most {MOST_LINES} lines', [f'{lines} lines'] if (lines := read('README.md').count('\n')) > MOST_LINES else [], f': {lines}')
report('relative links of every *.md resolve', [fault for page in markdown_of_tree()
                                                 for fault in broken(page, lambda name: text_or_none(os.path.join(root, name)))])
installed = installed_text()
if installed is None:
    report('README.md is installed', ['it is not'])
else:
    report('relative links resolve where README.md and docs are installed', [fault for page in pages for fault in (
        broken(page, installed) if installed(page) is not None else [f'{page} is not installed'])])
own = [block for block in blocks(read('docs/formats.md'), 'json') if f'"{OWN_FORMAT}"' in block]
report(f'{OWN_FORMAT} of docs/formats.md is the one of genfft/formats/README.md',
       [] if own and own[0] in blocks(read('genfft/formats/README.md'), 'json') else ['it differs'])
for contents in ('docs/README.md', 'notebook/README.md'):
    shelf = os.path.dirname(contents) + '/'
    listed = [os.path.normpath(shelf + link) for link in links(read(contents))]
    report(f'every page of {shelf} is in its contents', [f'{page} is not linked from {contents}' for page in pages
                                                        if page.startswith(shelf) and page != contents and page not in listed])
report('README.md leads to the contents', [] if 'docs/README.md' in links(read('README.md')) else ['no link to docs/README.md'])


# Who runs the blocks of each language: programs are compiled and run by tests/consumer, those for FFTW (C) by tests/fftw3, python by
# tests/python, sh below.
PROGRAMS = {'c', 'cpp', 'cuda', 'C', 'sh', 'python'}
TEXTS = {'text', 'json', ''}  # '': as genfft/formats/README.md lists commands


def faults_of_blocks(page):
    """Blocks of code that no test runs, and json that is none."""
    faults, text = [], read(page)
    for language, block in re.findall(r'^```(\w*)\n(.*?)^```', text, re.DOTALL | re.MULTILINE):
        alone = {'python': 'README.md', 'C': 'docs/fftw3.md'}.get(language, page)  # the page whose blocks in a language a test runs
        if language not in PROGRAMS | TEXTS or (language in PROGRAMS and page not in pages) or page != alone:
            faults.append(f'{page}: no test runs a block in {language}: {block[:60]}')
        if language == 'json' and '...' not in block:
            try:
                json.loads(block)
            except ValueError as error:
                faults.append(f'{page}: {error}: {block[:60]}')
    return faults


def faults_of_choice():
    """That the table of docs/choose_format.md has the numbers of the library."""
    done = subprocess.run([tool, 'formats', '--json'], text=True, capture_output=True, check=True)
    known = {known['name']: known for known in json.loads(done.stdout)}
    rows = re.findall(r'^\| `(\w+)` \| \S+ \| (\S+) \|', read('docs/choose_format.md'), re.MULTILINE)
    return [f'{name}: {shown} is {known[name]["rms_error"]:.2e}' for name, shown in rows if shown != f'{known[name]["rms_error"]:.2e}'] + (
        [] if len(rows) >= 10 else [f'{len(rows)} rows'])


report('every block of code is run by a test', [fault for page in markdown_of_tree() for fault in faults_of_blocks(page)])


def faults_of_picture():
    """That the picture follows from committed results: its script draws both themes from them."""
    path = os.path.join(root, 'docs/picture/draw.py')
    spec = importlib.util.spec_from_file_location('draw', path)
    draw = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(draw)
    faults = []
    with open(draw.RESULTS, encoding='utf-8') as file:
        rows = draw.points(file.read())
    if len(rows) != 94 or {kind for _, kind, _ in rows} != {'f32', 'f64'}:
        faults.append(f'{len(rows)} points of one dimension, not 47 in each precision')
    for theme in draw.THEMES:
        drawn = xml.etree.ElementTree.fromstring(draw.draw(theme))
        if len(drawn.findall('.//{*}image')) != len(draw.IMAGES):
            faults.append(f'{theme}: not {len(draw.IMAGES)} images')
    return faults


def faults_of_claims():
    """That what README.md says of speed follows from the data of the notebook, on each of three machines."""
    text, faults = ' '.join(read('README.md').split()), []
    for name in ('peers_zen5', 'peers_zen4', 'peers_emerald_rapids'):
        ratios = [row['ratio'] for row in json.loads(read(f'notebook/data/{name}.json'))['rows'] if not row.get('extra')]
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        claim = f'{sum(ratio > 1 for ratio in ratios)} of {len(ratios)} | {mean:.2f} | {min(ratios)} to {max(ratios)} |'
        faults += [] if claim in text else [f'README.md does not say of {name}: {claim}']
    return faults


def faults_of_waterfall():
    """That its script draws a picture as large as the committed one, with the tool under test."""
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run([sys.executable, os.path.join(root, 'docs/picture/draw_waterfall.py'), tool, scratch], capture_output=True, text=True,
                              check=False, timeout=HANG)
        if done.returncode != 0:
            return [done.stderr]
        heads = []
        for folder in (scratch, os.path.join(root, 'docs/picture')):
            with open(os.path.join(folder, 'waterfall.png'), 'rb') as file:
                heads.append(file.read(33))
    return [] if heads[0] == heads[1] else [f'it begins with {heads[0]}, not {heads[1]}']


sys.dont_write_bytecode = True
report('speed in README.md follows from committed results', faults_of_claims())
report('the picture is drawn from committed results', faults_of_picture())
stale = subprocess.run([sys.executable, '-B', os.path.join(root, 'notebook/draw.py'), '--check'], text=True, stdout=subprocess.PIPE, check=False)
tested = subprocess.run([sys.executable, '-B', os.path.join(root, 'tools/ci/builds.py'), 'draw', '--check'], check=False).returncode
report('the table of docs/tested.md is drawn from tools/ci/builds.json', ['tools/ci/builds.py draw'] if tested else [])
report('tables of the notebook are drawn from its data', stale.stdout.split() if stale.returncode else [])
if tool:
    report('the waterfall is drawn by its script', faults_of_waterfall())


# ---- Commands --------------------------------------------------------------------------------------------------------------------


def lines_of(text):
    """Commands of all sh blocks in order; a line that ends with \\ goes on in the next."""
    return [line for block in blocks(text, 'sh') for line in block.replace('\\\n', ' ').split('\n') if line.strip() and not line.startswith('#')]


def reason_not_to_run(line):
    """Why no test of documents runs this line anywhere, or ''."""
    first = line.split()[0]
    if first in NOT_RUN:
        return NOT_RUN[first]
    if line.startswith('ulpfft run') and any(name in line for name in READERS_PROGRAMS):
        return "starts a program of the reader's; tests/fftw3 runs others"
    if OWN_FORMAT in re.findall(r'\w+', line) and first == 'ulpfft':
        return f'tests/one_file runs it in a build that has {OWN_FORMAT}'
    return ''


def reason_to_skip(line, missing_files):
    """Why this line cannot run on this machine, or ''. A missing program takes along the lines that read what it would have made."""
    for name in missing_files:
        if re.search(rf'(?<![\w/.]){re.escape(name)}(?![\w.])', line):
            missing_files.update(word for word in shlex.split(line, comments=True)[1:] if re.search(r'\.\w+$', word))
            return f'{name} could not be made here'
    for pattern, name, found, files in NEEDS:
        if re.search(pattern, line) and not found(libraries):
            missing_files.update(files)
            return f'needs {name}'
    return ''


def run_page(page, scratch):
    folder = os.path.join(scratch, page.replace('/', '_'))
    os.mkdir(folder)
    for name, text in json_files(read(page)):
        with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
            file.write(text)
    environment = dict(os.environ, PATH=os.path.join(scratch, 'bin') + os.pathsep + os.environ['PATH'], HOME=folder)
    for name in ('ULPFFT_WISDOM', 'XDG_CACHE_HOME'):
        environment.pop(name, None)
    faults, ran, missing_files = [], 0, set()
    for line in lines_of(read(page)):
        short = line.split('  #')[0].strip()[:100]
        if reason := reason_not_to_run(line):
            print(f'     not run: {short} ({reason})')
            continue
        if reason := reason_to_skip(line, missing_files):
            print(f'SKIP {page}: {short} ({reason})')
            continue
        done = subprocess.run(['sh', '-c', line], cwd=folder, env=environment, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=HANG, check=False)
        ran += 1
        if done.returncode:
            faults.append(f'{line}: status {done.returncode}\n{done.stdout[-2000:]}')
    return faults, ran


def json_files(text):
    """Descriptors that a page shows whole, as the files they are: NAME.json."""
    return [(f'{json.loads(block)["name"]}.json', block) for block in blocks(text, 'json') if '"kind"' in block]


def help_of(*words):
    return subprocess.run([tool, *words, '--help'], text=True, capture_output=True, check=False).stdout


def wrong_words(page):
    """Inline `ulpfft COMMAND --option` whose command or option does not exist."""
    faults = []
    for line in re.findall(r'`(ulpfft [^`]+)`', prose(read(page))):
        words = line.split()
        commands = [words[1]] + ([words[2]] if words[1] in ('mri', 'wisdom') and len(words) > 2 and not words[2].startswith('-') else [])
        if commands[0].startswith('-'):
            continue
        known = help_of(*commands)
        if f'ulpfft {" ".join(commands)}' not in known:
            faults.append(f'{page}: `{line}`: there is no such command')
        faults += [f'{page}: `{line}`: there is no {word}' for word in words if word.startswith('--') and not re.search(rf'{word}\b', known)]
    return faults


# ---- Errors ----------------------------------------------------------------------------------------------------------------------

NUMBER = r'\d+(?:\.\d+)?(?:e[-+]?\d+)?'
NEAR = 0.08  # of a printed number: the second digit, and what other instruction sets and libraries for mathematics change


def studies_of_split_schemes():
    """The figures of both studies, by their id: sentences, and values by curve and place."""
    done = subprocess.run([tool, 'accuracy', '--study', 'split,chains', '--json'], text=True, capture_output=True, timeout=HANG, check=True)
    return {figure['id']: figure for figure in json.loads(done.stdout)['figures']}


def curve_of(figures, figure, name):
    curve = next(c for c in figures[figure]['curves'] if c['name'] == name)
    return {point['x']: point['y'] for point in curve['points']}


def same(shown, measured):
    if 'overflow' in (shown, measured):
        return shown == measured
    return abs(float(shown) - float(measured)) <= NEAR * abs(float(measured))


def faults_of_sentences(figures):
    """Claims of docs/accuracy.md: a row says what the figure does, in numbers near to it."""
    command = re.compile(r'\| `ulpfft accuracy --study (split|chains)` \|$')
    rows = [line.split(' | ')[1] for line in read('docs/accuracy.md').split('\n') if command.search(line)]
    faults = [] if len(rows) == len(figures) else [f'{len(rows)} rows of {len(figures)} figures']
    for figure in figures.values():
        words = re.split(NUMBER, figure['sentence'])
        row = next((row for row in rows if re.split(NUMBER, row) == words), None)
        if row is None:
            faults.append(f'no row says: {figure["sentence"]}')
            continue
        faults += [f'{row}\n{shown} is not {measured} of {figure["id"]}'
                   for shown, measured in zip(re.findall(NUMBER, row), re.findall(NUMBER, figure['sentence'])) if not same(shown, measured)]
    return faults


def faults_of_tables(figures):
    """Tables of docs/split.md, by the first cells of their headings: values of a figure, or of two side by side."""
    tables = {'| scheme | n = 64 |': (['split-lengths'], (64, 1024, 4096, 65536)),
              '| scheme | a = 1e-15 |': (['split-range'], (1e-15, 1e-10, 1e-5, 1, 1e5, 1e10, 1e15)),
              '| scheme | 1 | 10 |': (['chains-plain', 'chains-products'], (1, 10, 100))}
    elsewhere = {'split:f16x2:arbitrary': ('split-f16x2', 'largest magnitude as norm, radix 4')}
    faults, compared, table = [], 0, None
    for line in read('docs/split.md').split('\n'):
        table = next((value for heading, value in tables.items() if line.startswith(heading)), table if line.startswith('|') else None)
        cells = re.match(r'\| `(.*?)` \| (.*) \|$', line)
        if table is None or not cells:
            continue
        curves = [curve_of(figures, *elsewhere.get(cells[1], (figure, cells[1]))) for figure in table[0]]
        for shown, measured in zip(cells[2].split(' | '), [curve[x] for curve in curves for x in table[1]], strict=True):
            compared += 1
            if not same(shown, measured):
                faults.append(f'docs/split.md: {cells[1]}: {shown} is measured as {measured}')
    return faults if compared > 100 else faults + [f'{compared} values compared']


if tool is None:
    print('SKIP commands of README.md and docs: this build has no tool')
else:
    report('errors of docs/choose_format.md are those of the formats', faults_of_choice())
    report('commands and options in running text exist', [fault for page in pages for fault in wrong_words(page)])
    split_figures = studies_of_split_schemes()
    report('claims of docs/accuracy.md on split schemes are measured', faults_of_sentences(split_figures))
    report('errors of docs/split.md are measured', faults_of_tables(split_figures))
    with tempfile.TemporaryDirectory() as scratch_folder:
        os.mkdir(os.path.join(scratch_folder, 'bin'))
        for program in (tool, genfft):
            os.symlink(program, os.path.join(scratch_folder, 'bin', os.path.basename(program)))
        for one in pages:
            if blocks(read(one), 'sh'):
                shown, count = run_page(one, scratch_folder)
                report(f'commands of {one}', shown, f': {count} ran')
sys.exit(1 if failures else 0)
