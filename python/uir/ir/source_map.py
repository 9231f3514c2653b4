"""Texts that programs were written in, for messages that show them."""

from __future__ import annotations

from uir_nodes.ir import SourceMap

from . import _ffi_api

__all__ = ["source_map"]


def source_map() -> SourceMap:
    """Return the sources of the process, which diagnostics look into.

    Returns
    -------
    SourceMap
        The one map; whoever reads programs from text adds it there.

    Examples
    --------
    >>> source_map().add("<stdin>", "x + 1")
    """
    return _ffi_api.source_map()
