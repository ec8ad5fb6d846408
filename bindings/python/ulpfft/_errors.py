# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""The exception of the library."""


class Error(ValueError):
    """A request that the library refuses, or could not serve.

    Attributes
    ----------
    status : str
        The kind of failure, e.g. "invalid argument" or "unsupported".
    field : str
        The part of the request at fault, e.g. "lengths[1]"; "" if none.
    span : tuple of int
        Of a text: the bytes at fault, from the first to behind the last.
    """

    def __init__(self, message, status='', field='', span=(0, 0)):
        super().__init__(message)
        self.status = status
        self.field = field
        self.span = span


def make_error(status, message, field, begin, end):
    """The exception for a status of the library: MemoryError where memory is short, OSError for files, else `Error`."""
    if status == 'no memory':
        return MemoryError(message)
    if status == 'input or output':
        return OSError(message)
    return Error(message, status, field, (begin, end))
