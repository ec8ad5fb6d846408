# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Wisdom: plans that are remembered, in files, for later processes.

Calls of `ulpfft.fft` and plans of `ulpfft.Plan` use what was loaded, and remember what they measured.

Examples
--------
>>> import os, tempfile
>>> import ulpfft
>>> path = os.path.join(tempfile.mkdtemp(), 'wisdom.json')
>>> plan = ulpfft.Plan('64 f32', effort='measure', time_limit=0.05)
>>> ulpfft.wisdom.save(path)
>>> ulpfft.wisdom.forget()
>>> ulpfft.wisdom.load(path)['accepted'] >= 1
True
"""
import os

from . import _core

__all__ = ['entries', 'export_default', 'forget', 'import_default', 'load', 'machine', 'save', 'user_path']


def load(path):
    """Adds the wisdom of a file. All or nothing: a file that is no wisdom changes nothing.

    Returns
    -------
    dict
        How many entries were accepted, stale (of codelets that this build no longer has), foreign (of another machine) and malformed, and
        details, a line for each that was not accepted.

    Raises
    ------
    OSError
        For a file that cannot be read.
    ulpfft.Error
        For a file that is no wisdom.
    """
    return _core.wisdom_load(os.fspath(path))


def save(path):
    """Writes all wisdom of this process, merged with what the file holds, which is replaced at once."""
    _core.wisdom_save(os.fspath(path))


def import_default():
    """Loads the system's file, then the user's, if they are there; the report is that of `load`."""
    return _core.wisdom_import_default()


def export_default():
    """Merges into the user's file, whose folder is made if missing."""
    _core.wisdom_export_default()


def forget():
    """Forgets all wisdom of this process."""
    _core.wisdom_forget()


def entries():
    """A list of dicts: problem, machine, recipe, seconds, error, effort, threads, usable."""
    return _core.wisdom_entries()


def user_path():
    """The user's file: $ULPFFT_WISDOM, or wisdom.json in the cache folder."""
    return _core.wisdom_user_path()


def machine():
    """This machine's name in wisdom."""
    return _core.machine()
