#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Writes a copy of a header with one fault in it: mutate.py IN OUT OLD NEW. OLD must stand there exactly once."""
import sys

source, target, old, new = sys.argv[1:5]
with open(source, encoding='utf-8') as file:
    text = file.read()
if text.count(old) != 1:
    sys.exit(f'{source} has {text.count(old)} times: {old}')
with open(target, 'w', encoding='utf-8') as file:
    file.write(text.replace(old, new))
