# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""How far planning is, for people."""
import contextlib
import sys


@contextlib.contextmanager
def reporter(progress, text):
    """What planning calls with (fraction, text): the caller's own function, a bar, lines, or None."""
    if callable(progress) or not progress:
        yield progress or None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        shown = -1

        def line(fraction, what):
            nonlocal shown
            if int(10 * fraction) > shown:
                shown = int(10 * fraction)
                print(f'planning {text}: {10 * shown} %, {what}', file=sys.stderr)
            return False

        yield line
        return
    with tqdm(total=100, desc=f'planning {text}', unit='%', leave=False) as bar:
        def move(fraction, what):
            bar.update(max(0.0, 100 * fraction - bar.n))
            bar.set_postfix_str(what)
            return False

        yield move
