"""A hint where a condition is a Python bool, as `x == y` of two expressions is."""

from __future__ import annotations

from uir_nodes.arith import Analyzer

from ..ir import PrimExpr

__all__: list[str] = []

_can_prove = Analyzer.can_prove


def can_prove(self: Analyzer, condition: PrimExpr) -> bool:
    """Return whether a condition is proved to hold.

    Parameters
    ----------
    condition
        A boolean.

    Returns
    -------
    result
        True only if it holds for all values of the variables.

    Raises
    ------
    TypeError
        If `condition` is not an expression.
    """
    if isinstance(condition, bool):
        raise TypeError(
            "can_prove: argument `condition` must be `uir.ir.PrimExpr`, not `bool`: `x == y` of "
            "expressions compares the objects; write `x.equal(y)`, or `can_prove_equal(x, y)`"
        )
    return _can_prove(self, condition)


setattr(Analyzer, "can_prove", can_prove)  # noqa: B010
