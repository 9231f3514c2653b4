"""The parser of script, and its errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from tvm_ffi import register_error

from . import _ffi_api

if TYPE_CHECKING:
    from typing import Any

__all__ = ["ScriptError", "parse"]

_PLACE = re.compile(r"^(?P<file>.*?):(?P<line>\d+):(?P<column>\d+): error: ", re.MULTILINE)


class ScriptError(SyntaxError):
    """Malformed script; the message lists each error with its location and the underlined line."""

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
    resolve: Callable[[str], object] | None = None,
    aliases: Mapping[str, str] | None = None,
) -> Any:
    """Parse a script.

    Parameters
    ----------
    text
        The script.
    file
        The name of the text in errors and spans.
    line
        The first line of the text in `file`, 1-based.
    resolve
        Called with a free dotted name; returns its value, or None.
    aliases
        The full names of names in the text, besides those that it imports: `{"T": "uir.tir"}`.

    Returns
    -------
    value
        The module, function, statement, expression or other value.

    Raises
    ------
    ScriptError
        If the text is malformed; the message lists all errors.
    """
    return _ffi_api.parse(text, file, line, resolve, aliases)
