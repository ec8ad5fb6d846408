# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""A problem in every storage and every arithmetic: time against error."""
from . import _core
from ._progress import reporter


class Pareto:
    """Rows of `ulpfft.pareto`, sorted by error, then by time; those without numbers come last.

    Attributes
    ----------
    problem, machine : str
    rows : list of dict
        Each with problem, recipe, scheme, storage_in, storage_out, between, reason ('' where there are numbers), own (the storages of the
        problem), emulated, front, seconds, spread, bytes_per_point, predicted_error, error.
    """

    def __init__(self, problem, machine, rows):
        self.problem = problem
        self.machine = machine
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    @property
    def front(self):
        """The rows that no other one beats in both time and error."""
        return [row for row in self.rows if row['front']]

    def to_dict(self):
        """Columns by name; `pandas.DataFrame` takes it."""
        return {name: [row[name] for row in self.rows] for name in self.rows[0]} if self.rows else {}

    def __str__(self):
        lines = [f'{self.problem} on {self.machine}']
        for row in self.rows:
            name = f'{row["storage_in"]}->{row["storage_out"]} {row["scheme"]}' + (f' between {row["between"]}' if row['between'] else '')
            numbers = row['reason'] or f'{1e6 * row["seconds"]:10.2f} us  error {row["error"]:.1e}  {row["bytes_per_point"]:5.1f} bytes'
            lines.append(f'{"*" if row["front"] else " "} {name:40}{numbers}')
        return '\n'.join(lines)

    __repr__ = __str__

    def plot(self, axes=None):
        """Draws time over error by matplotlib, the front as a line, and returns its Axes."""
        if axes is None:
            from matplotlib import pyplot
            axes = pyplot.gca()
        known = [row for row in self.rows if not row['reason']]
        for emulated, marker in ((False, 'o'), (True, 'x')):
            chosen = [row for row in known if row['emulated'] == emulated]
            axes.loglog([row['error'] for row in chosen], [row['seconds'] for row in chosen], marker, linestyle='none',
                        label='emulated' if emulated else 'f32, f64')
        front = self.front
        axes.loglog([row['error'] for row in front], [row['seconds'] for row in front], color='black', linewidth=0.8, label='front')
        for row in front:
            axes.annotate(row['storage_out'], (row['error'], row['seconds']))
        axes.set_xlabel('relative L2 error')
        axes.set_ylabel('seconds')
        axes.set_title(self.problem)
        axes.legend()
        return axes


def pareto(problem, *, time_limit=0.0, storages=(), progress=False):
    """Plans, times and measures a problem in every storage and every arithmetic of this build.

    Parameters
    ----------
    problem : str
        A problem text without strides, chain, scheme= and intermediate=.
    time_limit : float
        Seconds; 0 for 55. Rows for which no time is left say so.
    storages : sequence of str
        Other storages to compare; all where it is empty.
    progress : bool or callable
        As `ulpfft.Plan` has it.

    Returns
    -------
    Pareto
        With `rows`, `front`, `plot()`, and a table as its text.

    Raises
    ------
    ulpfft.Error
        For a problem that does not parse, or that rows cannot stand for.

    Examples
    --------
    >>> import ulpfft
    >>> result = ulpfft.pareto('64 f32', time_limit=1.0, storages=['f16'])
    >>> {row['storage_out'] for row in result.rows} >= {'f32', 'f16'}
    True
    """
    with reporter(progress, problem) as report:
        return Pareto(*_core.pareto(problem, time_limit, list(storages), report))
