"""Exceptions of Python that cross C++ and come back as they were.

tvm-ffi makes a new exception of an error that comes back, of a type that it knows. Where the
error carries the exception that it was made from, a `KeptException` in `extra_context.exception`,
`call_reraising` raises that one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar

__all__ = ["KeptException", "call_reraising"]

Result = TypeVar("Result")


class KeptException:
    """An exception that C++ holds as it is: tvm-ffi makes an error of a bare one."""

    __slots__ = ("exception",)

    def __init__(self, exception: BaseException) -> None:
        self.exception = exception

    def came_back(self, context: object) -> None:
        """Take note of what C++ has added to the context; a subclass may want to keep it."""


def call_reraising(function: Callable[..., Result], *arguments: object) -> Result:
    """Call into C++; an exception that was raised in Python behind it is raised again.

    The exception keeps its type, its attributes and its traceback. What C++ has added to the
    message stands in its message, or in a note where the message is not its only argument.

    Parameters
    ----------
    function
        A function of the FFI.
    arguments
        What it takes.

    Returns
    -------
    Result
        What it returns.
    """
    try:
        return function(*arguments)
    except BaseException as error:
        original = _original(error)
        if original is None:
            raise
    # Outside the handler: the other exception must not become the context of this one, which it
    # holds by an object of C++ that the garbage collector does not see.
    raise original


def _original(error: BaseException) -> BaseException | None:
    """Return the exception that an error was made from, with the message that it has by now."""
    ffi_error = getattr(error, "__tvm_ffi_error__", None)
    context = getattr(ffi_error, "extra_context", None)
    kept = getattr(context, "exception", None)
    if ffi_error is None or not isinstance(kept, KeptException):
        return None
    original = kept.exception
    kept.came_back(context)
    if ffi_error.message != str(original):
        _set_message(original, ffi_error.message)
    return original


def _set_message(error: BaseException, message: str) -> None:
    """Put a message in the place of an exception's own, or beside it where it is made up."""
    if len(error.args) == 1 and error.args[0] == str(error):
        error.args = (message,)
    elif sys.version_info >= (3, 11):
        error.add_note(message)
    else:
        vars(error).setdefault("__notes__", []).append(message)
