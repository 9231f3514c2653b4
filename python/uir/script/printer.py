"""The printer of script, with underlined nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tvm_ffi import Object

from . import _ffi_api

if TYPE_CHECKING:
    pass

__all__ = ["print", "underline"]


def print(value: object, *, meta: bool = True, declarations: bool = True) -> str:
    """Print a value as script.

    Parameters
    ----------
    value
        A module, a function, a statement, an expression, or any other value.
    meta
        Whether to define `metadata` at the end of a text that refers to it.
    declarations
        Whether to declare free variables first.

    Returns
    -------
    str
        The script, without a final newline.
    """
    return _ffi_api.print(value, meta, declarations)


def underline(root: Object, nodes: Sequence[Object], messages: Sequence[str]) -> str:
    """Print an object as script, with some of its nodes underlined.

    Parameters
    ----------
    root
        What to print.
    nodes
        The nodes to underline, each at its first occurrence; missing nodes are listed at the end.
    messages
        The message for each underlined node, as many as `nodes`.

    Returns
    -------
    str
        The script; only the lines around the nodes if it is long.

    Raises
    ------
    ValueError
        If the numbers of messages and nodes differ.
    """
    return _ffi_api.underline(root, nodes, messages)
