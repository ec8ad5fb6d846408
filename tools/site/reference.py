# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""The reference of C and C++."""


def write(root, folder, pages):
    """Writes its pages into `pages`, and returns (title, page) of each."""
    return []
