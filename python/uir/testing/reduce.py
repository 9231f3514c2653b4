"""Programs that show a fault, made as small as they can be.

In: a module, and a function that says whether a module shows the fault.  Out: a smaller module
that shows it.  The order of attempts is that of delta debugging (Zeller and Hildebrandt, 2002):
many parts at once, then half as many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from uir_nodes.ir import IRModule
from uir_nodes.relay import Function
from uir_nodes.tir import PrimFunc

from ..ir import verify
from .candidates import smaller_functions, without_calls
from .tir_candidates import smaller_prim_funcs

__all__ = ["reduce"]

Predicate = Callable[[IRModule], bool]


def reduce(module: IRModule, predicate: Predicate, *, attempts: int = 2000) -> IRModule:
    """Return a small module that shows the same fault.

    Functions are left out. Of high-level functions, results are left out, values become parameters
    of their types, or operands, dimensions become shorter, symbolic ones constant, data types
    become common ones, and constants become zeros or ones, until no such change shows the fault. A
    value that becomes a parameter gives it its name, so that a predicate can keep the values of all
    variables of the first module by name. Of tensor-level functions, statements and parameters are
    left out, loops become shorter or their first iteration, and stored values become 0 or operands,
    as long as the module stays well-formed.

    Parameters
    ----------
    module
        A module that shows the fault.
    predicate
        Whether a module shows the fault. It gets modules whose functions have other parameters,
        types and results; some may not compile.
    attempts
        How many modules are tried, at most.

    Returns
    -------
    IRModule
        The smallest module that was found.

    Raises
    ------
    ValueError
        If `module` does not show the fault.

    Examples
    --------
    >>> def does_not_build(module):
    ...     try:
    ...         uir.build(module)
    ...     except ValueError:
    ...         return True
    ...     return False
    >>> print(reduce(module, does_not_build))
    """
    if not predicate(module):
        raise ValueError("reduce: the predicate does not hold for the module")
    tried = _Attempts(predicate, attempts)
    module = tried.first([without_calls(module)]) or module
    while True:
        smaller = tried.first(_smaller(module))
        if smaller is None:
            return module
        module = smaller


class _Attempts:
    """Tries modules until there were too many."""

    def __init__(self, predicate: Predicate, count: int) -> None:
        self.predicate, self.left = predicate, count

    def first(self, candidates: Iterator[IRModule] | list[IRModule]) -> IRModule | None:
        """Return the first module that shows the fault; None if there is none."""
        for candidate in candidates:
            if self.left == 0:
                return None
            self.left -= 1
            if self.predicate(candidate):
                return candidate
        return None


def _smaller(module: IRModule) -> Iterator[IRModule]:
    """Yield modules that are smaller by one change, those with much less first."""
    functions = dict(module.functions.items())
    for var in functions if len(functions) > 1 else ():
        yield IRModule({key: one for key, one in functions.items() if not key.same_as(var)})
    for var, function in functions.items():
        if isinstance(function, Function):
            for smaller in smaller_functions(function):
                yield IRModule({**functions, var: smaller})
        elif isinstance(function, PrimFunc):
            for changed in smaller_prim_funcs(function):
                candidate = IRModule({**functions, var: changed})
                if not verify(candidate):
                    yield candidate
