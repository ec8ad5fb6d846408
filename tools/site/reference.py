# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""The reference of C and C++, drawn from the public headers: write(ROOT, FOLDER, PAGES)

Doxygen's XML says what is declared, where, and with which parameters; the comment above a declaration is taken from the header as it
stands. A page for each header: its sections, declarations in their order, and structs and enumerations as they are written.
"""
import os
import re
import subprocess
import xml.etree.ElementTree

import comments

SETTINGS = '''RECURSIVE=YES
FILE_PATTERNS=*.h *.hpp
GENERATE_HTML=NO
GENERATE_LATEX=NO
GENERATE_XML=YES
XML_PROGRAMLISTING=NO
EXTRACT_ALL=YES
QUIET=YES
WARNINGS=NO
MACRO_EXPANSION=YES
EXPAND_ONLY_PREDEF=YES
PREDEFINED="ULPFFT_API=" "ULPFFT_RESULT="
'''
# In the order of the navigation. Headers that only hold what others are made of are left out.
HEADERS = ['ulpfft/ulpfft.h', 'ulpfft/c/problem.h', 'ulpfft/c/short_forms.h', 'ulpfft/c/base.h', 'ulpfft/c/sides.h', 'ulpfft/c/storage.h',
           'ulpfft/c/array_files.h', 'ulpfft/c/wisdom.h', 'ulpfft/c/pareto.h', 'ulpfft/c/capabilities.h', 'ulpfft/stream.h',
           'ulpfft/cpp/one_call.hpp', 'ulpfft/cpp/real_call.hpp', 'ulpfft/cpp/cosine_call.hpp', 'ulpfft/cpp/context.hpp',
           'ulpfft/cpp/problem.hpp', 'ulpfft/cpp/plan.hpp', 'ulpfft/cpp/error.hpp', 'ulpfft/cpp/storage.hpp', 'ulpfft/cpp/array_files.hpp',
           'ulpfft/cpp/pareto.hpp', 'ulpfft/cpp/capabilities.hpp', 'ulpfft/stream.hpp']
WITHIN = {'ulpfft/ulpfft.hpp', 'ulpfft/cpp/array_check.hpp'}
WIDEST = 100  # columns of a declaration


def run_doxygen(root, folder):
    settings = os.path.join(folder, 'Doxyfile')
    headers = os.path.join(root, 'include')
    with open(settings, 'w', encoding='utf-8') as file:
        file.write(f'{SETTINGS}INPUT="{headers}/ulpfft"\nSTRIP_FROM_PATH="{headers}"\nOUTPUT_DIRECTORY="{folder}"\n')
    subprocess.run(['doxygen', settings], check=True, stdout=subprocess.DEVNULL)
    return os.path.join(folder, 'xml')


def words(element):
    return ' '.join(''.join(element.itertext()).split()) if element is not None else ''


def wrapped(text):
    """A declaration whose parameters go on in further lines where they do not fit."""
    if len(text) <= WIDEST or '(' not in text:
        return text
    head, rest = text.split('(', 1)
    lines, line, indent = [], head + '(', ' ' * 4
    for piece in re.split(r'(?<=,) ', rest):
        if len(line) + len(piece) + 1 > WIDEST and line.strip():
            lines.append(line)
            line = indent + piece
        else:
            line += ('' if line.endswith('(') else ' ') + piece
    return '\n'.join(lines + [line])


def declaration(member, scope):
    """As it is called, without namespaces, and without the body."""
    kind, name = member.get('kind'), member.findtext('name')
    if kind == 'define':
        given = ', '.join(words(p) for p in member.findall('param'))
        return f'#define {name}' + (f'({given})' if given else '')
    kind_of_type = words(member.find('type'))
    text = f'{kind_of_type} {name}{member.findtext("argsstring") or ""}'.strip()
    if kind == 'typedef':
        text = words(member.find('definition'))
    if kind == 'variable':
        text += ' ' + words(member.find('initializer')) if member.find('initializer') is not None else ''
    templates = member.find('templateparamlist')
    parameters = templates.findall('param') if templates is not None else []
    given = ', '.join(' '.join(filter(None, (words(p.find('type')), words(p.find('declname'))))) for p in parameters)
    needed = words(member.find('requiresclause'))
    text = wrapped(re.sub(r'\b(ulpfft::v0::|ulpfft::)', '', text))
    if scope:
        text = text.replace(f'{scope}::', '')
    text = re.sub(r' ([*&]+)(?=\w)', r'\1 ', re.sub(r'<\s+', '<', re.sub(r'\s+>', '>', text)))
    return (f'template <{given}>\n' if given else '') + (f'  requires {needed}\n' if needed else '') + text + ';'


class Item:
    """What one place of a header declares: a name, its code, and where that begins and ends."""

    def __init__(self, name, code, line, end, level=3):
        self.name, self.code, self.line, self.end, self.level = name, code, line, end, level


class Header:
    def __init__(self, root, name):
        self.name = name
        with open(os.path.join(root, 'include', name), encoding='utf-8') as file:
            self.lines = file.read().split('\n')
        self.items = []

    def source(self, first, last):
        text = self.lines[first - 1:last]
        indent = min((len(line) - len(line.lstrip()) for line in text if line.strip()), default=0)
        return '\n'.join(line[indent:] for line in text)

    def end_of(self, line):
        while line < len(self.lines) and not re.search(r'[;{]\s*(/[/*].*)?$', self.lines[line - 1]):
            line += 1
        return line

    def first_of(self, line):
        """The line on which a declaration begins whose name is on `line`: templates and constraints stand before it."""
        while line > 1:
            before = self.lines[line - 2].strip()
            if not before or before.startswith(('//', '/*', '*', '#')) or before.endswith((';', '}', '{', ':', '*/')):
                break
            line -= 1
        return line

    def add_member(self, member, scope):
        place, name, kind = member.find('location'), member.findtext('name'), member.get('kind')
        line, last = int(place.get('line')), int(place.get('bodyend') or -1)
        unwanted = (kind in ('friend',) or member.get('prot') != 'public' or name.startswith(('~', '@', 'operator')) and kind != 'enum'
                    or re.search(r'_H(PP)?_$|_INIT$|_API$|_RESULT$', name) or '=delete' in (member.findtext('argsstring') or ''))
        if unwanted or (scope and kind == 'enum' and not name):
            return
        if kind == 'enum':
            first = int(place.get('bodystart') or line)
            values = [value.text for value in member.findall('enumvalue/name')]
            named = ', '.join(values[:2]) + (', ...' if values[2:] else '') if not name or name.startswith('@') else name
            self.items.append(Item(named, self.source(first, last), first, last))
            return
        if kind == 'typedef' and any(item.line <= line <= item.end + 1 for item in self.items):
            return
        self.items.append(Item(f'{scope}::{name}' if scope else name, declaration(member, scope), self.first_of(line),
                               last if last > 0 else self.end_of(line), 4 if scope else 3))

    def add_compound(self, compound):
        place, kind = compound.find('location'), compound.get('kind')
        name = compound.findtext('compoundname').split('::')[-1]
        first, last = int(place.get('bodystart') or place.get('line')), int(place.get('bodyend') or place.get('line'))
        if kind == 'class':
            self.items.append(Item(name, f'class {name};', self.first_of(first), first))
        else:
            self.items.append(Item(name, self.source(self.first_of(first), last), self.first_of(first), last))


def read_headers(root, folder):
    directory = run_doxygen(root, folder)
    headers = {name: Header(root, name) for name in HEADERS}
    files = [os.path.join(directory, name) for name in sorted(os.listdir(directory)) if name.endswith('.xml')]
    found = [xml.etree.ElementTree.parse(name).getroot() for name in files]
    compounds = [compound for file in found for compound in file.findall('compounddef')]
    known = {compound.find('location').get('file') for compound in compounds if compound.find('location') is not None}
    unknown = {name for name in known if name.endswith(('.h', '.hpp'))} - set(HEADERS) - WITHIN
    if unknown:
        raise SystemExit(f'tools/site/reference.py has no place for {", ".join(sorted(unknown))}')
    classes = [c for c in compounds if c.get('kind') in ('struct', 'class') and '::detail' not in c.findtext('compoundname')
               and c.get('prot', 'public') == 'public' and not re.search(r'::\w+::v0::\w+::\w+$|v0::\w+::\w+$', c.findtext('compoundname'))]
    for compound in classes:
        file = compound.find('location').get('file')
        if file in headers:
            headers[file].add_compound(compound)
    for compound in compounds:
        name = compound.findtext('compoundname')
        kind = compound.get('kind')
        if '::detail' in name or kind not in ('file', 'namespace', 'class') or kind == 'class' and compound not in classes:
            continue
        scope = name.split('::')[-1] if kind == 'class' else ''
        for member in compound.findall('sectiondef/memberdef'):
            file = member.find('location').get('file')
            if file in headers:
                headers[file].add_member(member, scope)
    return headers


def page(header, links):
    """Markdown of one header."""
    stem, ending = os.path.splitext(header.name)
    whole = header.name if stem == 'ulpfft/stream' else f'ulpfft/ulpfft{ending}'
    out = [f'# {header.name}', '', f'`#include <{whole}>`', '']
    items = sorted({(item.line, item.name): item for item in header.items}.values(), key=lambda item: item.line)
    covered = [(item.line, item.end) for item in items]
    notes = comments.notes_of(header.lines)
    owned, previous = {}, None
    for item in items:
        owned[item] = next((note for note in notes if note.last == item.line - 1), None)
    inside = header.name.endswith('.hpp')  # where comments between declarations are on what is left out here
    loose = [note for note in notes if note not in owned.values() and not any(a <= note.first <= b for a, b in covered)
             and (not inside or note.first < 6)]
    parts = sorted([(item.line, item) for item in items] + [(note.first, note) for note in loose], key=lambda part: part[0])
    named = ''
    for _, part in parts:
        if not isinstance(part, Item):
            out += ([f'## {part.title}', ''] if part.title else [comments.markdown(part.text, links), ''])
            previous = None
            continue
        joined = previous is not None and owned[part] is None and part.line == previous.end + 1 and part.level == previous.level
        if joined:
            out[-2] = out[-2].removesuffix('\n```') + '\n' + part.code + '\n```'
        else:
            out += [f'{"#" * part.level} {part.name}', ''] if part.name != named else []
            named = part.name
            if owned[part] is not None:
                out += [comments.markdown(owned[part].text, links), '']
            out += [f'```{"c" if header.name.endswith(".h") else "cpp"}\n{part.code}\n```', '']
        previous = part
    return '\n'.join(out)


def write(root, folder, pages):
    """Writes a page for each header into `pages`, and returns (title, page) of each."""
    headers = read_headers(root, folder)
    os.makedirs(os.path.join(pages, 'reference'), exist_ok=True)
    names = {name: name.removeprefix('ulpfft/').replace('/', '_').replace('.', '_') + '.md' for name in HEADERS}
    links = {}
    for name, header in headers.items():
        links.update({item.name: names[name] for item in header.items if item.name.startswith('ulpfft_')})
    found = []
    for name, header in headers.items():
        text = page(header, links)
        headings = set(re.findall(r'^#+ (\w+)$', text, re.MULTILINE))
        with open(os.path.join(pages, 'reference', names[name]), 'w', encoding='utf-8') as file:
            file.write(text)
        links.update({key: value + '#' + key for key, value in links.items() if value == names[name] and key in headings})
        found.append((('C: ' if name.endswith('.h') else 'C++: ') + os.path.basename(name), f'reference/{names[name]}'))
    for name, header in headers.items():  # once more, now that it is known which names have a heading
        with open(os.path.join(pages, 'reference', names[name]), 'w', encoding='utf-8') as file:
            file.write(page(header, links))
    return found
