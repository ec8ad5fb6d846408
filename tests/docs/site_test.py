#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""The site of documents is made without a warning, and its links lead somewhere: site_test.py ROOT

Skipped where Debian's mkdocs and doxygen are missing. Nothing is fetched.
"""
import os
import shutil
import subprocess
import sys
import tempfile

root = os.path.abspath(sys.argv[1])
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(root, 'tools/site'))
import check

# What follows the links notices each of these.
with tempfile.TemporaryDirectory() as folder:
    with open(os.path.join(folder, 'a.html'), 'w', encoding='utf-8') as file:
        file.write('<h1 id="here">a</h1><a href="#here"></a><a href="#nowhere"></a><a href="b.html"></a><a href="https://example.org"></a>'
                   '<script src="https://example.org/a.js"></script>')
    faults = check.broken(folder)
    if len(faults) != 3 or not all(word in ''.join(faults) for word in ('#nowhere', 'b.html', 'a.js')):
        print(f'FAIL broken links are noticed: {faults}')
        sys.exit(1)
    print('PASS broken links are noticed')

missing = [program for program in ('mkdocs', 'doxygen') if not shutil.which(program)]
if missing:
    print(f'SKIP site: {" and ".join(missing)} not installed')
    sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    done = subprocess.run([sys.executable, '-B', os.path.join(root, 'tools/site/build.py'), root, folder], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    pages = sum(name.endswith('.html') for _, _, names in os.walk(os.path.join(folder, 'html')) for name in names)
    if not done.returncode and pages < 20:
        done.returncode, done.stdout = 1, f'{pages} pages'
print(f'{"FAIL" if done.returncode else "PASS"} the site of documents: {pages} pages\n{done.stdout}')
sys.exit(1 if done.returncode else 0)
