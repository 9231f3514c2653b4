"""Sharing of memory between allocations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .registry import make_pass

if TYPE_CHECKING:
    from uir_nodes.transform import Pass

__all__ = ["StorageRewrite"]


def StorageRewrite() -> Pass:
    """Return a pass that lets allocations with disjoint live ranges share memory.

    Allocations of constant size in the same storage scope share memory if their live ranges are
    disjoint, or if a statement computes each element of one from the same element of the other.
    They move to the beginning of the enclosing function or parallel loop. Allocations of at most 4
    bytes, and those whose address escapes, are not shared.

    Returns
    -------
    Pass
        The pass, of level 0.
    """
    return make_pass("StorageRewrite")
