"""Reading: what a text says, and what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from tvm_ffi import register_error

from . import _ffi_api

if TYPE_CHECKING:
    from typing import Any

__all__ = ["ScriptError", "parse"]

_PLACE = re.compile(r"^(?P<file>.*?):(?P<line>\d+):(?P<column>\d+): error: ", re.MULTILINE)


class ScriptError(SyntaxError):
    """A text is no script; the message has each mistake with its place and the line underlined."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        place = _PLACE.search(message)
        if place is not None:
            self.filename = place["file"]
            self.lineno = int(place["line"])
            self.offset = int(place["column"])

    def __str__(self) -> str:
        return str(self.args[0])


register_error("ScriptError", ScriptError)


def parse(
    text: str,
    file: str = "<text>",
    line: int = 1,
    *,
    resolve: Callable[[str], Any] | None = None,
) -> Any:
    """Read a script.

    Parameters
    ----------
    text
        The script.
    file
        What errors and spans call the text.
    line
        The line of `file` that the text starts at, 1-based.
    resolve
        Called with a dotted name that the text does not bind; returns a value, or None.

    Returns
    -------
    value
        What the text says: a module, a function, a statement, an expression, or any other value.

    Raises
    ------
    ScriptError
        If something is wrong with the text; all of it is in the message.
    """
    return _ffi_api.parse(text, file, line, resolve)
