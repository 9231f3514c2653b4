"""Putting statements together."""

from __future__ import annotations

from collections.abc import Sequence

from uir_nodes.tir import Stmt

from . import _ffi_api

__all__ = ["flatten_seq"]


def flatten_seq(stmts: Sequence[Stmt]) -> Stmt:
    """Put statements one after the other.

    Parameters
    ----------
    stmts
        The statements; the parts of sequences among them are taken for themselves.

    Returns
    -------
    Stmt
        The sequence, or the statement if there is only one.
    """
    return _ffi_api.flatten_seq(stmts)
