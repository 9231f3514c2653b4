"""The pass, and the function in it, that breaks a module.

In: a module, passes, and a function that says whether a module shows a fault.  Out: the first pass
behind which the fault is seen, found by binary search, and the first of its functions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from uir_nodes.ir import IRModule
from uir_nodes.transform import Pass

from ..ir import structural_equal, verify, with_functions
from ..transform import Sequential

__all__ = ["Bisection", "bisect"]

Predicate = Callable[[IRModule], bool]


class Bisection(NamedTuple):
    """A pass that breaks a module.

    Attributes
    ----------
    place
        The place of the pass in the sequence, from 0.
    pass_
        The pass.
    function
        The first changed function that breaks the module, with those before it by name; None if
        the pass adds or removes functions, or no changed functions show the fault.
    before, after
        The module before the pass, and after it.
    """

    place: int
    pass_: Pass
    function: str | None
    before: IRModule
    after: IRModule


def bisect(module: IRModule, passes: Sequence[Pass], predicate: Predicate) -> Bisection:
    """Find the pass that breaks a module.

    All passes run once, in the current context. The search assumes that the fault stays once it
    is there; otherwise it finds one of the passes that bring it.

    Parameters
    ----------
    module
        A module that does not show the fault.
    passes
        The passes.
    predicate
        Whether a module shows the fault; called on the results of about `log2(len(passes))`
        passes.

    Returns
    -------
    Bisection
        The pass, and the function.

    Raises
    ------
    ValueError
        If the module shows the fault before all passes, or does not show it after them. If a pass
        fails, the fault must show before it; otherwise the error of the pass is raised.

    Examples
    --------
    >>> bisect(module, transform.default_pipeline(), gives_wrong_results).pass_
    """
    if predicate(module):
        raise ValueError("bisect: the module shows the fault before any pass")
    results, error = _results(module, passes)
    changes = [at for at in range(len(results) - 1) if not _same(results[at], results[at + 1])]
    if not changes or not predicate(results[-1]):
        raise error or ValueError("bisect: the module does not show the fault after all passes")
    place = changes[_first(len(changes), lambda at: predicate(results[changes[at] + 1]))]
    before, after = results[place], results[place + 1]
    return Bisection(place, passes[place], _function(before, after, predicate), before, after)


def _results(module: IRModule, passes: Sequence[Pass]) -> tuple[list[IRModule], Exception | None]:
    """Return the module and the results of the passes, up to one that fails, with its error."""
    results = [module]
    for one in passes:
        try:
            results.append(Sequential([one])(results[-1]))
        except Exception as error:  # An earlier pass may be at fault.
            return results, error
    return results, None


def _same(before: IRModule, after: IRModule) -> bool:
    return before.same_as(after) or structural_equal(before, after)


def _first(count: int, holds: Callable[[int], bool]) -> int:
    """Return the first number below `count` that holds, by binary search; the last one holds."""
    low, high = 0, count - 1
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low


def _function(before: IRModule, after: IRModule, predicate: Predicate) -> str | None:
    """Return the first function whose change alone, after those before it, shows the fault."""
    old = {str(var.name_hint): func for var, func in before.functions.items()}
    new = {str(var.name_hint): func for var, func in after.functions.items()}
    if old.keys() != new.keys():
        return None
    changed = sorted(name for name in old if not structural_equal(old[name], new[name]))

    def shows(count: int) -> bool:
        replaced = {
            var: new[str(var.name_hint)]
            for var in before.functions
            if str(var.name_hint) in changed[: count + 1]
        }
        mixed = with_functions(before, replaced)
        return not verify(mixed) and predicate(mixed)

    if not changed or (len(changed) > 1 and not shows(len(changed) - 1)):
        return None
    return changed[_first(len(changed), shows)]
