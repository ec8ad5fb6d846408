# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Problems as text, and the arrays that they are of."""
import dataclasses
import functools
import numbers

from ._errors import Error


@dataclasses.dataclass
class Side:
    """One array of a problem."""
    storage: str
    shape: tuple  # batch first
    is_complex: bool
    strides: tuple  # numbers; () where it is dense


@dataclasses.dataclass
class Sides:
    """Both arrays of a problem, and what else a call needs of it."""
    kind: str
    into: Side
    out: Side
    batch: tuple
    in_place: bool
    split: bool
    chain: str
    inverse: bool


def _numbers(text, separator):
    return tuple(int(number) for number in text.split(separator))


def read_sides(text):
    """Of a text that the library printed, so that it parses."""
    words = text.split()
    kind = words.pop(0) if not words[0][0].isdigit() else 'c2c'
    lengths, _, batch = words[0].partition('*')
    lengths, _, points = lengths.partition('->')  # points of czt: how many outputs there are
    lengths, batch = _numbers(lengths, 'x'), _numbers(batch, 'x') if batch else ()
    results = (int(points),) if points else lengths
    storage_in, _, storage_out = words[1].partition('->')
    values = dict(word.split('=', 1) for word in words[2:] if '=' in word)
    chain = values.get('chain', '')
    half = lengths[:-1] + (lengths[-1] // 2 + 1,)

    def side(storage, is_real, has_half, name, place):
        shape = batch + (half if has_half else results if name == 'out' else lengths)
        strides = ()
        if f'{name}_strides' in values or 'batch_strides' in values:
            dense = [1] * len(shape)
            for axis in range(len(shape) - 1, 0, -1):
                dense[axis - 1] = dense[axis] * shape[axis]
            if f'{name}_strides' in values:
                dense[len(batch):] = _numbers(values[f'{name}_strides'], ',')
            if 'batch_strides' in values:
                dense[:len(batch)] = _numbers(values['batch_strides'], ',')[place * len(batch):][:len(batch)]
            strides = tuple(dense)
        return Side(storage, shape, not is_real, strides)

    real_in = kind in ('r2c', 'r2r')
    real_out = kind in ('c2r', 'r2r') or (kind == 'r2c' and chain != '') or values.get('output') == 'power'
    return Sides(kind, side(storage_in, real_in, kind == 'c2r', 'in', 0),
                 side(storage_out or storage_in, real_out, kind == 'r2c' and not chain, 'out', 1), batch, 'inplace' in words,
                 'split' in words, chain, 'inverse' in words)


def _joined(values, separator):
    return separator.join(str(value) for value in ([values] if isinstance(values, (numbers.Number, str)) else values))


def problem_text(lengths, storage='f32', storage_out=None, *, kind='c2c', points=None, batch=(), in_place=False, **options):
    """A problem text out of keywords, each named as its word: True for a word without a value; None and False leave a word out."""
    words = [] if kind == 'c2c' else [kind]
    batch = _joined(batch, 'x')
    words.append(_joined(lengths, 'x') + (f'->{points}' if points else '') + (f'*{batch}' if batch else ''))
    words.append(storage if storage_out is None else f'{storage}->{storage_out}')
    for word, value in {'inplace': in_place, **options}.items():
        if value is True:
            words.append(word)
        elif value is not None and value is not False:
            words.append(f'{word}={_joined(value, ",")}')
    return ' '.join(words)


def with_words(make):
    """Of a constructor that takes words of a problem as keywords: an unknown one is a TypeError, as of every function."""
    @functools.wraps(make)
    def checked(self, problem, /, **keywords):
        try:
            make(self, problem, **keywords)
        except Error as error:
            if error.field != 'problem' or isinstance(problem, str):
                raise
            raise TypeError(str(error)) from None
    return checked
