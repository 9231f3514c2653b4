"""The parser of script, and its errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from tvm_ffi import Object, register_error

from uir_nodes.ir import BaseExpr, BaseFunc, Diagnostic, IRModule

from . import _ffi_api

if TYPE_CHECKING:
    from typing import Any

__all__ = ["ScriptError", "diagnose", "parse", "parse_expr", "parse_function", "parse_value"]

Node = TypeVar("Node", bound=Object)

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
) -> IRModule:
    """Parse a module.

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
    IRModule
        The module.

    Raises
    ------
    ScriptError
        If the text is malformed; the message lists all errors.
    TypeError
        If the text is something else, such as a function: `parse_function`, `parse_expr` and
        `parse_value` parse these.
    """
    return _expect(IRModule, parse_value(text, file, line, resolve=resolve, aliases=aliases), file)


def diagnose(text: str, file: str = "<text>", line: int = 1) -> Sequence[Diagnostic]:
    """Return the errors for which `parse_value` refuses a script.

    Parameters
    ----------
    text
        The script.
    file
        The name of the text in spans.
    line
        The first line of the text in `file`, 1-based.

    Returns
    -------
    Sequence[Diagnostic]
        The errors in the order of the text, with the spans that messages underline; empty if
        `parse_value` returns a value. If parsing stopped early, a note without a span follows.

    Examples
    --------
    >>> [problem.message for problem in diagnose("tir.evaluate(y)")]
    ['unknown name `y`']
    """
    return _ffi_api.diagnose(text, file, line)


def parse_function(text: str, file: str = "<text>", line: int = 1) -> BaseFunc:
    """Parse a function, of tensors or of loops.

    Parameters
    ----------
    text
        The script.
    file
        The name of the text in errors and spans.
    line
        The first line of the text in `file`, 1-based.

    Returns
    -------
    BaseFunc
        A `relay.Function` or a `tir.PrimFunc`.

    Raises
    ------
    ScriptError
        If the text is malformed; the message lists all errors.
    TypeError
        If the text is something else.
    """
    return _expect(BaseFunc, parse_value(text, file, line), file)


def parse_expr(
    text: str,
    file: str = "<text>",
    line: int = 1,
    *,
    resolve: Callable[[str], object] | None = None,
) -> BaseExpr:
    """Parse an expression.

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

    Returns
    -------
    BaseExpr
        The expression.

    Raises
    ------
    ScriptError
        If the text is malformed; the message lists all errors.
    TypeError
        If the text is something else.
    """
    return _expect(BaseExpr, parse_value(text, file, line, resolve=resolve), file)


def parse_value(
    text: str,
    file: str = "<text>",
    line: int = 1,
    *,
    resolve: Callable[[str], object] | None = None,
    aliases: Mapping[str, str] | None = None,
) -> Any:
    """Parse a script of any kind.

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


def _expect(kind: type[Node], value: object, file: str) -> Node:
    """Return a value of a kind."""
    if isinstance(value, kind):
        return value
    parse = next((name for other, name in _PARSERS if isinstance(value, other)), "parse_value")
    found = f"got `{type(value).__name__}`, which `script.{parse}` returns"
    raise TypeError(f"`{file}`: expected `{kind.__name__}`, {found}")


_PARSERS: Sequence[tuple[type[Object], str]] = (
    (IRModule, "parse"),
    (BaseFunc, "parse_function"),
    (BaseExpr, "parse_expr"),
)
"""The functions that parse each kind."""
