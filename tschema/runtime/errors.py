"""Propagation of Python exceptions through C++.

tvm-ffi converts an error to a new exception of a type that it knows. If the error carries its
original exception, a `KeptException` in `extra_context.exception`, `call_reraising` raises that
one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar

from tvm_ffi.error import register_error

__all__ = ["KeptException", "call_reraising"]

Result = TypeVar("Result")

# Those of Python that are made of a message. tvm-ffi would make each a `RuntimeError`, which
# programs catch where they mean to end: by Ctrl-C, for example.
_OF_PYTHON = (
    ArithmeticError,
    BufferError,
    EOFError,
    FileExistsError,
    FileNotFoundError,
    FloatingPointError,
    ImportError,
    IsADirectoryError,
    KeyboardInterrupt,
    LookupError,
    ModuleNotFoundError,
    NotADirectoryError,
    NotImplementedError,
    OSError,
    OverflowError,
    PermissionError,
    RecursionError,
    StopIteration,
    TimeoutError,
    ZeroDivisionError,
)


class _Exit(SystemExit):
    """Makes `sys.exit` of its message, which is a status or a text."""

    def __init__(self, message: str) -> None:
        is_status = message.removeprefix("-").isdecimal()
        text = None if message in ("", "None") else message
        super().__init__(int(message) if is_status else text)


for _class in _OF_PYTHON:
    register_error(_class.__name__, _class)
register_error("SystemExit", SystemExit)  # This class is sent as `SystemExit`;
register_error("SystemExit", _Exit)  # this one is raised on receipt.


class KeptException:
    """Wraps an exception for C++, because tvm-ffi converts a bare one to an error."""

    __slots__ = ("exception",)

    def __init__(self, exception: BaseException) -> None:
        self.exception = exception

    def came_back(self, context: object) -> None:
        """Receive the context that C++ added; a subclass may keep it."""


def call_reraising(function: Callable[..., Result], *arguments: object) -> Result:
    """Call into C++, and re-raise an exception that a Python callback raised.

    The exception keeps its type, attributes and traceback. Text that C++ added is in its message,
    or in a note if the message is not its only argument.

    Parameters
    ----------
    function
        A function of the FFI.
    arguments
        Its arguments.

    Returns
    -------
    Result
        The result of the function.
    """
    try:
        return function(*arguments)
    except BaseException as error:
        original = _original(error)
        if original is None:
            raise
    # Outside the handler: the other exception must not become the context of this one, which it
    # holds by an object of C++ that the garbage collector does not see.
    try:
        raise original
    finally:
        # The traceback has this frame, and with it the variables of all callers.
        del original


def _original(error: BaseException) -> BaseException | None:
    """Return the original exception of an error, with the current message."""
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
    """Replace the message of an exception, or add a note if the message is computed."""
    if len(error.args) == 1 and error.args[0] == str(error):
        error.args = (message,)
    elif sys.version_info >= (3, 11):
        error.add_note(message)
    else:
        vars(error).setdefault("__notes__", []).append(message)
