#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""The site of documents: build.py ROOT FOLDER

Copies README.md, every page that docs/README.md and notebook/README.md list, and what they link to, into FOLDER/pages, in the layout
of the tree, so that links work in both. Adds the reference of C and C++ (reference.py) and has MkDocs write FOLDER/html by
ROOT/mkdocs.yml. Then every link of the pages written is followed (check.py). Needs Debian's mkdocs and doxygen, and no network.
"""
import os
import re
import shutil
import subprocess
import sys

import check
import glossary
import reference

LINK = re.compile(r'(\]\()([^)\s]+)(\))')


def prose(text):
    """The text without blocks of code and inline code, which hold no links."""
    return re.sub(r'`[^`\n]*`', '', re.sub(r'^```.*?^```', '', text, flags=re.DOTALL | re.MULTILINE))


def targets(text):
    """Relative paths that a page links to or shows, without their anchors."""
    found = [match[1] for match in LINK.findall(prose(text))] + re.findall(r'(?:src|srcset|href)="([^"]+)"', prose(text))
    return [link.partition('#')[0] for link in found if not re.match(r'[a-z]+:', link) and not link.startswith('#')]


def bars_in_code(row):
    """The row of a table, as Python's Markdown reads it: bars within code are no ends of cells there, and need no backslash."""
    return re.sub(r'`[^`]*`', lambda code: code[0].replace('\\|', '|'), row[0])


def copy(root, pages, name, done, words):
    """One file with all that it leads to. A folder stands for the README in it."""
    if name in done:
        return
    done.add(name)
    source = os.path.join(root, name)
    if os.path.isdir(source):
        return
    target = os.path.join(pages, name)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if not name.endswith('.md'):
        shutil.copyfile(source, target)
        return
    with open(source, encoding='utf-8') as file:
        text = file.read()
    folder = os.path.dirname(name)
    for path in targets(text):
        copy(root, pages, os.path.normpath(os.path.join(folder, path)), done, words)

    def link(match):
        path, _, anchor = match[2].partition('#')
        place = os.path.join(root, folder, path)
        if re.match(r'[a-z]+:', path) or not path or not os.path.isdir(place):
            return match[0]
        readme = os.path.join(path, 'README.md')
        found = readme if os.path.exists(os.path.join(root, folder, readme)) else os.path.basename(name)
        return match[1] + found + (f'#{anchor}' if anchor else '') + match[3]

    text = re.sub(r'^\|.*$', bars_in_code, text, flags=re.MULTILINE)
    with open(target, 'w', encoding='utf-8') as file:
        file.write(LINK.sub(link, text if name == 'docs/glossary.md' else glossary.explained(text, words)))


def contents(root, name):
    """(heading, [(title, page)]) of a page of contents, as navigation. A title is the first heading of its page."""
    with open(os.path.join(root, name), encoding='utf-8') as file:
        text = file.read()
    found, folder = [], os.path.dirname(name)
    for section in re.split(r'^## ', text, flags=re.MULTILINE)[1:]:
        heading, entries = section.split('\n', 1)[0], []
        for path in targets(section):
            page = os.path.normpath(os.path.join(folder, path))
            if page.endswith('.md') and page.startswith(folder + '/') and page not in [known for _, known in entries]:
                with open(os.path.join(root, page), encoding='utf-8') as file:
                    entries.append((re.search(r'^# (.*)$', file.read(), re.MULTILINE)[1].replace('`', ''), page))
        if entries:
            found.append((heading, entries))
    return found


def navigation(root, reference_pages):
    """The part `nav` of MkDocs' settings."""
    lines = ['nav:', '  - "ulpfft": README.md', '  - "Contents": docs/README.md']
    for heading, entries in contents(root, 'docs/README.md') + ([('Reference', reference_pages)] if reference_pages else []):
        lines += [f'  - "{heading}":'] + [f'    - "{title}": {page}' for title, page in entries]
    if os.path.exists(os.path.join(root, 'notebook')):
        lines += ['  - "Notebook":', '    - "What was measured": notebook/README.md']
        for heading, entries in contents(root, 'notebook/README.md'):
            lines += [f'    - "{heading}":'] + [f'      - "{title}": {page}' for title, page in entries]
    return lines


def mend(html):
    """Debian's package names jQuery after another version than its own pages do, and has no theme_extra.js. A group of the navigation
    leads to its first page: one that leads to '#' would be unfolded on every page."""
    wanted, other = os.path.join(html, 'js', 'jquery-3.6.0.min.js'), os.path.join(html, 'js', 'jquery-2.1.1.min.js')
    if not os.path.exists(wanted) and os.path.exists(other):
        shutil.copyfile(other, wanted)
    lost = [name for name in ('jquery-3.6.0.min.js', 'theme_extra.js') if not os.path.exists(os.path.join(html, 'js', name))]
    group = re.compile(r'(<a class="reference internal[^"]*" href=")#(">[^<]*</a>\s*<ul[^>]*>\s*<li[^>]*><a [^>]*href="([^"]*)")')
    for place, _, files in os.walk(html):
        for path in (os.path.join(place, name) for name in files if name.endswith('.html')):
            with open(path, encoding='utf-8') as file:
                text = file.read()
            for name in lost:
                text = re.sub(rf'<script src="[^"]*{re.escape(name)}"[^>]*></script>', '', text)
            with open(path, 'w', encoding='utf-8') as file:
                file.write(group.sub(lambda match: match[1] + match[3] + match[2], text))


def main():
    root, folder = (os.path.abspath(path) for path in sys.argv[1:3])
    pages, html = os.path.join(folder, 'pages'), os.path.join(folder, 'html')
    for path in (pages, html):
        shutil.rmtree(path, ignore_errors=True)
    done, words = set(), glossary.meanings(root)
    for name in ('README.md', 'CHANGELOG.md', 'docs/README.md'):
        copy(root, pages, name, done, words)
    shutil.copyfile(os.path.join(root, 'tools/site/extra.css'), os.path.join(pages, 'extra.css'))
    reference_pages = reference.write(root, folder, pages)
    with open(os.path.join(root, 'mkdocs.yml'), encoding='utf-8') as file:
        settings = file.read()
    with open(os.path.join(folder, 'mkdocs.yml'), 'w', encoding='utf-8') as file:
        file.write(settings + '\n'.join(['docs_dir: pages', 'site_dir: html', *navigation(root, reference_pages), '']))
    done = subprocess.run(['mkdocs', 'build', '--strict', '--quiet', '-f', os.path.join(folder, 'mkdocs.yml')], check=False)
    if done.returncode:
        return done.returncode
    mend(html)
    faults = check.broken(html)
    if faults:
        print('\n'.join(faults[:50]))
    print(f'{len(faults)} broken links; the site is {os.path.join(html, "index.html")}')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
