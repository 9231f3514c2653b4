"""Registration of custom syntax: printers of types, and parsers of calls by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from . import _ffi_api

if TYPE_CHECKING:
    from typing import Any

__all__ = ["register_form"]


def register_form(
    type_key: str,
    *,
    print: Callable[[Any, Callable[[Any], str]], str] | None = None,
    name: str | None = None,
    parse: Callable[..., Any] | None = None,
) -> None:
    """Register custom syntax for a type.

    Parameters
    ----------
    type_key
        The type key, such as `toy.Clamp`.
    print
        Called with a node and a function that prints a child; returns the text.
    name
        The dotted name of the call that `parse` handles, such as `toy.clamp`.
    parse
        Called with the arguments of the call; numbers and strings stay Python values. Returns the
        value.

    Raises
    ------
    ValueError
        If the type or the name has custom syntax, or only one of `name` and `parse` is given.
    """
    if (name is None) != (parse is None):
        raise ValueError("register_form: `name` and `parse` must be given together")
    if print is not None:
        _ffi_api.register_printer(type_key, print)
    if name is not None and parse is not None:
        read = parse

        def call(arguments: Any, named: Any) -> Any:
            return read(*arguments, **dict(named.items()))

        _ffi_api.register_syntax(name, call)
