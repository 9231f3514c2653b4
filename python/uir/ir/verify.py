"""The verifier of modules."""

from __future__ import annotations

from collections.abc import Sequence

from uir_nodes.ir import Diagnostic, IRModule

from . import _ffi_api

__all__ = ["verify"]


def verify(module: IRModule) -> Sequence[Diagnostic]:
    """Check that a module is well-formed.

    It reports variables that are free, bound twice or used out of scope, operands with mismatched
    data types, buffer accesses with a wrong number of indices or out of scope, calls of missing
    functions or with wrong arguments, invalid kinds of loops, and functions that export the same
    symbol.

    Parameters
    ----------
    module
        The module.

    Returns
    -------
    Sequence[Diagnostic]
        The violations, sorted by function name, with the node, its root, its access path from the
        module and its span, if any. Empty if the module is well-formed.

    Examples
    --------
    >>> from uir.tir import Evaluate, PrimFunc, Var
    >>> module = IRModule({GlobalVar("main"): PrimFunc([], Evaluate(Var("x")))})
    >>> [problem.message for problem in verify(module)]
    ['variable `x` is not bound']
    """
    return _ffi_api.verify(module)
