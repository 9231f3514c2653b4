"""Rendering of diagnostics, and descriptions of objects in messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tvm_ffi import Object

from . import _ffi_api

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uir_nodes.ir import Diagnostic, SourceMap

__all__ = ["describe", "object_address", "render_diagnostics"]


def object_address(obj: Object) -> int:
    """Return the address at which C++ sees an object.

    Parameters
    ----------
    obj
        The object.

    Returns
    -------
    int
        Address of the object's header, in bytes.
    """
    return _ffi_api.object_address(obj)


def describe(value: object) -> str:
    """Return a short description of a value for messages, with deep or long parts elided.

    Parameters
    ----------
    value
        A node or any other value.

    Returns
    -------
    str
        At most a few hundred characters, on one line.
    """
    return _ffi_api.describe(value)


def render_diagnostics(
    diagnostics: Sequence[Diagnostic], source_map: SourceMap | None = None
) -> str:
    """Render diagnostics as text, with the location of each underlined.

    Where there is a span and its source is known, that is a line of the source; else it is the
    script at the node.

    Parameters
    ----------
    diagnostics
        The diagnostics; consecutive ones with the same root share one script.
    source_map
        The sources; None for `uir.ir.source_map()`.

    Returns
    -------
    str
        The text, without a final newline; empty if there are no diagnostics.
    """
    return _ffi_api.render_diagnostics(diagnostics, source_map)
