"""Letting allocations share memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .registry import make_pass

if TYPE_CHECKING:
    from uir_nodes.transform import Pass

__all__ = ["StorageRewrite"]


def StorageRewrite() -> Pass:
    """Return a pass that lets allocations share memory that are not used at the same time.

    Allocations of constant size and of one storage scope share memory if their uses follow each
    other, or if a statement makes each element of one of the same element of the other. They move
    to the beginning of the function, or of the parallel loop, that they stand in. What takes at
    most 4 bytes, and what has an address that is kept in a variable, is not shared.

    Returns
    -------
    Pass
        The pass, of level 0.
    """
    return make_pass("StorageRewrite")
