"""Source texts of programs, for diagnostics."""

from __future__ import annotations

from uir_nodes.ir import SourceMap

from . import _ffi_api

__all__ = ["source_map"]


def source_map() -> SourceMap:
    """Return the source map of the process, which diagnostics use by default.

    Returns
    -------
    SourceMap
        The source map; a parser adds the texts that it reads.

    Examples
    --------
    >>> source_map().add("<stdin>", "x + 1")
    """
    return _ffi_api.source_map()
