# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Fast Fourier transforms whose plan includes the number format.

`ulpfft.fft` has the functions of `scipy.fft`. `ulpfft.scipy_backend` puts them behind `scipy.fft` itself, `ulpfft.patch_numpy`
behind `numpy.fft`, and `python -m ulpfft run script.py` behind both for a whole program.

Examples
--------
>>> import ulpfft
>>> ulpfft.fft.fft([1.0, 2.0, 3.0, 4.0])
array([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j])
"""
from . import _core, fft, mri, scipy_backend, wisdom
from ._errors import Error
from ._formats import NarrowArray, decode, encode, formats
from ._pareto import pareto
from ._plan import Plan
from ._settings import PlanCache, get_effort, plan_cache, set_effort
from ._what_if import what_if
from .numpy_patch import patch_numpy
from .scipy_backend import install, uninstall, used

__version__ = _core.version
__all__ = ['Error', 'NarrowArray', 'Plan', 'PlanCache', 'decode', 'encode', 'fft', 'formats', 'get_effort', 'install', 'mri', 'pareto',
           'patch_numpy', 'plan_cache', 'scipy_backend', 'set_effort', 'uninstall', 'used', 'what_if', 'wisdom']
