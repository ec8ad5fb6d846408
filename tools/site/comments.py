# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Comments of a header: where they are, and as Markdown."""
import re


class Note:
    """A comment from line `first` to line `last`. `title`: of a section, whose comment is nothing else."""

    def __init__(self, first, last, lines):
        self.first, self.last = first, last
        self.text = '\n'.join(lines).strip('\n')
        title = re.fullmatch(r'-+ (.*?) -+', self.text.strip())
        self.title = title[1] if title else ''


def notes_of(lines):
    """All comments that have lines of their own."""
    found, number = [], 0
    while number < len(lines):
        text = lines[number].strip()
        first = number
        if 'SPDX-License-Identifier' in text:
            number += 1
            continue
        if text.startswith('/*'):
            body = []
            while True:
                line = lines[number].strip()
                ended = line.endswith('*/')
                line = line.removesuffix('*/').rstrip()
                body.append(re.sub(r'^(/\*|\*) ?', '', line))
                if ended or number + 1 >= len(lines):
                    break
                number += 1
            found.append(Note(first + 1, number + 1, body))
        elif text.startswith('//'):
            body = []
            while number < len(lines) and lines[number].strip().startswith('//'):
                body.append(re.sub(r'^// ?', '', lines[number].strip()))
                number += 1
            number -= 1
            found.append(Note(first + 1, number + 1, body))
        number += 1
    return found


def linked(name, links):
    place = links.get(name[1], '')
    return f'[{name[0]}]({place})' if '#' in place else name[0]


def prose(text, links):
    """One paragraph: what Markdown would take for marks is escaped, and names of functions lead to them."""
    pieces = re.split(r'(`[^`]*`)', text)
    for i in range(0, len(pieces), 2):
        piece = pieces[i].replace('<', '&lt;').replace('*', '\\*').replace('[', '\\[').replace('|', '&#124;')
        pieces[i] = re.sub(r'\b(ulpfft_\w+)(\(\))?', lambda name: linked(name, links), piece)
    return ''.join(pieces)


def is_column(line):
    """Whether the blanks of a line mean something: it is indented, or words stand in columns."""
    return line.startswith('  ') or re.search(r'\S {2,}\S', re.sub(r'\. {2}', '. ', line)) is not None


def table(lines, links):
    """Lines of words and what they mean, in two columns, as a table; '' where they are something else."""
    least = min(len(line) - len(line.lstrip()) for line in lines)
    rows = []
    for line in (line[least:] for line in lines):
        entry = re.match(r' {0,3}(\S.{0,26}?) {2,}(\S.*)$', line)
        if entry:
            rows.append([entry[1], entry[2]])
        elif rows and line.startswith(' ' * 6):
            rows[-1][1] += ' ' + line.strip()
        else:
            return ''
    body = [f'| {prose(name, links)} | {prose(" ".join(words.split()), links)} |' for name, words in rows]
    return '\n'.join(['| | |', '| --- | --- |'] + body)


def markdown(text, links):
    out, paragraph, block = [], [], []

    def end():
        if paragraph:
            out.append(prose(' '.join(paragraph), links))
        if block:
            out.append(table(block, links) or '```text\n' + '\n'.join(block) + '\n```')
        paragraph.clear()
        block.clear()

    for line in text.split('\n'):
        if not line.strip():
            end()
        elif is_column(line):
            if paragraph:
                end()
            block.append(line)
        else:
            if block:
                end()
            paragraph.append(line.strip())
    end()
    return '\n\n'.join(out)
