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

__all__ = ["ScriptError", "diagnose", "parse", "parse_expr", "parse_function", "parse_module"]

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


def diagnose(text: str, file: str = "<text>", line: int = 1) -> Sequence[Diagnostic]:
    """Return the errors for which `parse` refuses a script.

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
        `parse` returns a value. If parsing stopped early, a note without a span follows.

    Examples
    --------
    >>> [problem.message for problem in diagnose("tir.evaluate(y)")]
    ['unknown name `y`']
    """
    return _ffi_api.diagnose(text, file, line)


def parse_module(text: str, file: str = "<text>", line: int = 1) -> IRModule:
    """Parse a module; `parse` with a result of known type.

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
    IRModule
        The module.

    Raises
    ------
    ScriptError
        If the text is malformed; the message lists all errors.
    TypeError
        If the text is something else.
    """
    return _parsed(IRModule, text, file, line)


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
    return _parsed(BaseFunc, text, file, line)


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
    return _parsed(BaseExpr, text, file, line, resolve)


def _parsed(
    kind: type[Node],
    text: str,
    file: str,
    line: int,
    resolve: Callable[[str], object] | None = None,
) -> Node:
    found = parse(text, file, line, resolve=resolve)
    if isinstance(found, kind):
        return found
    raise TypeError(f"`{file}`: expected a `{kind.__name__}`, got `{type(found).__name__}`")
