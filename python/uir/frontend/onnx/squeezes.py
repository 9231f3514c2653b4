"""`If` that drops an axis of size 1, as PyTorch exports `x.squeeze(axis)` where the size varies.

The branches have different ranks. If the rest of the model fits both and its outputs have different
types, the branch that drops the axis is taken, and a call checks the size. Sizes that are given to
the importer choose either branch.
"""

from __future__ import annotations

from uir_nodes.ir import PrimExpr
from uir_nodes.relay import Block, Call

from ... import tir
from .symbolic import equal
from .value import Value

__all__ = ["assumes"]


def assumes(block: Block, condition: Value) -> bool:
    """Return whether the result of a block has its type only if a condition on sizes holds.

    Parameters
    ----------
    block
        The branch of an `If` for which the condition holds.
    condition
        The condition.
    """
    elements = condition.elements
    test = None if elements is None or elements.size != 1 else elements.reshape(-1)[0]
    values = [one.value for one in block.bindings if one.var == block.result]
    found = [one for value in values if isinstance(value, Call) for one in value.assumptions or []]
    return any(are_same(test, one) for one in found)


def are_same(a: object, b: PrimExpr) -> bool:
    """Return whether two conditions are the same equation of sizes."""
    if not isinstance(a, tir.EQ) or not isinstance(b, tir.EQ):
        return False
    x, y = a.a - a.b, b.a - b.b
    return equal(x, y) is True or equal(x, -y) is True
