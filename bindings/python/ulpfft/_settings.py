# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""How hard calls without a plan of their own look for one, and the plans they keep."""
import contextlib

from . import _core


class _Restored(contextlib.AbstractContextManager):
    """What a setter returns: as a context it brings back what was there before."""

    def __init__(self, restore):
        self._restore = restore

    def __exit__(self, *failure):
        self._restore()


def set_effort(effort):
    """Sets how hard the functions of `ulpfft.fft` look for a plan, in this process, from now on.

    Parameters
    ----------
    effort : {'estimate', 'measure', 'patient', 'exhaustive', 'wisdom_only'}
        'estimate', which is set at first, chooses by a cost model. 'measure' times recipes for up to a second per new problem,
        'patient' for 10 seconds, 'exhaustive' for a minute. 'wisdom_only' refuses problems that wisdom does not hold. Planning
        happens in the call that needs the plan, never in the background.

    Returns
    -------
    context manager
        Where it is used with `with`, the effort that was there before comes back at its end.

    Raises
    ------
    ValueError
        For another name.

    Examples
    --------
    >>> import ulpfft
    >>> with ulpfft.set_effort('measure'):
    ...     ulpfft.get_effort()
    'measure'
    >>> ulpfft.get_effort()
    'estimate'
    """
    before = _core.get_effort()
    _core.set_effort(effort)
    return _Restored(lambda: _core.set_effort(before))


def get_effort():
    """The effort that `set_effort` set."""
    return _core.get_effort()


class PlanCache:
    """The plans that functions of `ulpfft.fft` made: `ulpfft.plan_cache`.

    A plan is found again by its problem (kind, type, lengths, strides, scale), its number of workers and its effort. The plan that was
    not used for longest leaves first.

    Examples
    --------
    >>> import numpy as np
    >>> import ulpfft
    >>> ulpfft.plan_cache.clear()
    >>> y = ulpfft.fft.fft(np.ones(100))
    >>> len(ulpfft.plan_cache)
    1
    """

    def __len__(self):
        return _core.cache_info()['plans']

    @property
    def bytes(self):
        """Bytes of the tables and workspaces of the plans kept."""
        return _core.cache_info()['bytes']

    def info(self):
        """A dict of `plans`, `bytes`, `hits`, `misses`, and the limits `most_plans` and `most_bytes`."""
        return _core.cache_info()

    def limit(self, plans=512, nbytes=1 << 29):
        """Sets how many plans, and how many bytes of them, are kept. The plan used last stays whatever its size."""
        _core.limit_cache(plans, nbytes)

    def clear(self):
        """Forgets all plans and counts. Calls that run in other threads keep theirs until they end."""
        _core.clear_cache()

    def __repr__(self):
        known = _core.cache_info()
        return f'<ulpfft plan cache: {known["plans"]} plans, {known["bytes"]} bytes, {known["hits"]} hits, {known["misses"]} misses>'


plan_cache = PlanCache()
