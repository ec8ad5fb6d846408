# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Explains words of the field where a page first uses them: explained(TEXT, meanings(ROOT))"""
import html
import os
import re

# What a word must not be looked for in: code, links, marks of HTML.
KEPT = re.compile(r'(^```.*?^```|`[^`\n]*`|!?\[[^\]]*\]\([^)]*\)|<[^>]*>|^#+ .*?$|^\|.*?$)', re.DOTALL | re.MULTILINE)


def meanings(root):
    """Meanings by word, from the rows of docs/glossary.md. A row may have several words."""
    found = {}
    with open(os.path.join(root, 'docs/glossary.md'), encoding='utf-8') as file:
        for row in re.findall(r'^\| (.*?) \| (.*) \|$', file.read(), re.MULTILINE)[2:]:
            if ';' in row[0] or row[0] == 'split':  # names of rules, and a word of everyday
                continue
            meaning = re.sub(r'[`*]', '', re.sub(r'\[([^\]]*)\]\([^)]*\)', r'\1', row[1]))
            for word in re.split(r'[,;] ', row[0]):
                if re.fullmatch(r'[A-Za-z][a-zA-Z -]{3,}', word):
                    found[word] = meaning
    return found


def explained(text, known):
    """The page with each known word, where it first stands in running text, as an abbreviation that shows its meaning."""
    pieces = re.split(KEPT, text)
    for word, meaning in sorted(known.items(), key=lambda entry: -len(entry[0])):
        pattern = re.compile(rf'(?<![\w:/.-]){re.escape(word)}(?:s|es)?(?![\w:/=-])')
        for i in range(0, len(pieces), 2):
            place = pattern.search(pieces[i])
            if place:
                # What was put in is kept from further words.
                mark = f'<abbr title="{html.escape(meaning)}">{place[0]}</abbr>'
                pieces[i:i + 1] = [pieces[i][:place.start()], mark, pieces[i][place.end():]]
                break
    return ''.join(pieces)
