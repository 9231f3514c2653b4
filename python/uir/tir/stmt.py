"""Construction of sequences."""

from __future__ import annotations

from collections.abc import Sequence

from uir_nodes.tir import Stmt

from . import _ffi_api

__all__ = ["flatten_seq"]


def flatten_seq(stmts: Sequence[Stmt]) -> Stmt:
    """Make a sequence of statements, with nested sequences flattened.

    Parameters
    ----------
    stmts
        The statements.

    Returns
    -------
    Stmt
        The sequence, or the single statement.
    """
    return _ffi_api.flatten_seq(stmts)
