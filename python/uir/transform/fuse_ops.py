"""Grouping of operators into kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .registry import make_pass

if TYPE_CHECKING:
    from uir_nodes.transform import Pass

__all__ = ["FuseOps"]


def FuseOps() -> Pass:
    """Return a pass that makes private functions of operators that share a loop.

    A value joins the group of its users if all of them are in one group, and the kinds of the
    operators permit it:

    - operators of the kinds `elementwise`, `broadcast`, `injective` and `view` join each other, in
      any number;
    - a `contraction`, `reduction`, `row` or `window`, at most one in a group, takes elementwise and
      broadcast operators after it whose results have its shape;
    - a `reduction` or `row` takes operators of the first four kinds before it;
    - an elementwise or broadcast operator does not join a broadcast that needs its elements several
      times;
    - `opaque` operators, operators with effects, and calls of functions join none.

    A group of two operators or more, not all of them views, becomes a private function with the
    attribute `primitive`. Its parameters are the values from outside, larger constants among them;
    constants of one element stay inside. A function of the module with that attribute is not
    changed, and neither is a group whose parameters do not bind all dimensions that it uses.
    The option `FuseOps.max_ops` of the context limits the operators in a group (256).
    `Inline` with the option `Inline.primitive` puts the functions back.

    Returns
    -------
    Pass
        The pass, of level 1, for functions in A-normal form with types. It raises ValueError if
        `FuseOps.max_ops` is not positive.
    """
    return make_pass("FuseOps")
