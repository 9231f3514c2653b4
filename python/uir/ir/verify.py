"""Finding out what is wrong with a module."""

from __future__ import annotations

from collections.abc import Sequence

from uir_nodes.ir import Diagnostic, IRModule

from . import _ffi_api

__all__ = ["verify"]


def verify(module: IRModule) -> Sequence[Diagnostic]:
    """Find all that is wrong with a module.

    These are variables that are not bound, bound twice or used outside of their scopes, operands
    whose data types clash, buffers that are accessed by another number of indices or where they
    are not declared, calls of functions that are not there or take other arguments, loops of kinds
    that they cannot have, and functions that export the same symbol.

    Parameters
    ----------
    module
        The module.

    Returns
    -------
    Sequence[Diagnostic]
        What is wrong and where, in the order of the functions' names: the node, what it stands in,
        the way to it from the module and, where the node has one, its span. Empty for a module
        that is well-formed.

    Examples
    --------
    >>> from uir.tir import Evaluate, PrimFunc, Var
    >>> module = IRModule({GlobalVar("main"): PrimFunc([], Evaluate(Var("x")))})
    >>> [problem.message for problem in verify(module)]
    ['variable `x` is not bound']
    """
    return _ffi_api.verify(module)
