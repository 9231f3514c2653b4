"""Printing: the text of a node, and the same with nodes underlined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tvm_ffi import Object

from . import _ffi_api

if TYPE_CHECKING:
    from typing import Any

__all__ = ["print", "underline"]


def print(value: Any, *, meta: bool = True, declarations: bool = True) -> str:
    """Return a value as script.

    Parameters
    ----------
    value
        A module, a function, a statement, an expression, or any other value.
    meta
        Whether to define `metadata` at the end, where the text mentions it.
    declarations
        Whether to declare in front what the value uses and does not bind.

    Returns
    -------
    str
        The script; it ends without a line break.
    """
    return _ffi_api.print(value, meta, declarations)


def underline(root: Object, nodes: Sequence[Object], messages: Sequence[str]) -> str:
    """Return the script of an object with some of its nodes underlined.

    Parameters
    ----------
    root
        What to print.
    nodes
        The nodes to underline, each where it stands first; one that does not occur is told at the
        end.
    messages
        What to write beside each underline, as many as `nodes`.

    Returns
    -------
    str
        The script; of a long one the lines around the nodes.

    Raises
    ------
    ValueError
        If there are not as many messages as nodes.
    """
    return _ffi_api.underline(root, nodes, messages)
