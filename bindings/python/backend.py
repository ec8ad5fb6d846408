# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""meson-python, told which Pythons have no stable ABI that nanobind could use: those before 3.12, and free-threaded ones."""
import sys
import sysconfig

import mesonpy
from mesonpy import build_sdist, get_requires_for_build_sdist, get_requires_for_build_wheel


def _wishes(config_settings):
    wishes = dict(config_settings or {})
    if sys.version_info < (3, 12) or sysconfig.get_config_var('Py_GIL_DISABLED'):
        given = wishes.get('setup-args', [])
        wishes['setup-args'] = ([given] if isinstance(given, str) else list(given)) + ['-Dpython.allow_limited_api=false']
    return wishes


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """As PEP 517 has it."""
    return mesonpy.build_wheel(wheel_directory, _wishes(config_settings), metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """As PEP 660 has it."""
    return mesonpy.build_editable(wheel_directory, _wishes(config_settings), metadata_directory)
