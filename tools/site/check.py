# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Follows the links of a folder of HTML pages: broken(FOLDER)."""
import html.parser
import os
import urllib.parse


class Page(html.parser.HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = [], set()
        with open(path, encoding='utf-8') as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == 'id' or (name == 'name' and tag == 'a'):
                self.anchors.add(value)
            elif name in ('href', 'src', 'srcset') and value:
                self.links.append((tag, value))


def broken(folder):
    """Sentences on links that lead nowhere, and on scripts, styles and pictures that a browser would fetch from the network."""
    pages = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            if name.endswith('.html') and name not in ('404.html', 'search.html') and '/docs/demo' not in place:
                pages[path] = Page(path)
    faults = []
    for path, page in sorted(pages.items()):
        name = os.path.relpath(path, folder)
        for tag, link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                if tag != 'a' and parts.scheme != 'data':
                    faults.append(f'{name}: {link} is fetched from the network')
                continue
            target = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(parts.path))) if parts.path else path
            if not os.path.exists(target):
                faults.append(f'{name}: {link} is not there')
            elif parts.fragment and target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].anchors:
                faults.append(f'{name}: {link}: no such place')
    return faults
