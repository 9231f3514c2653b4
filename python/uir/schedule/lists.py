"""Lists of primitives, as plain lists and dictionaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from uir_nodes.tir import PrimFunc

from . import _ffi_api

__all__ = ["lists", "with_lists"]


def lists(func: PrimFunc, isa: str = "native") -> dict[str, list[str]]:
    """Return the lists of primitives that recipes choose for the nests of a function.

    Parameters
    ----------
    func
        A function from `te.create_prim_func`, or another one with the attribute `tir.noalias`,
        before recipes run.
    isa
        The instruction set, which chooses the steps: `native` for that of the machine at hand,
        `x86-64-v3`, `x86-64-v4`, `aarch64` or `generic`.

    Returns
    -------
    lists
        The primitives by the name of the nest: that of the buffer that it stores to, and `c#2`
        for the second nest of the name `c`. Nests whose recipe is not a list are not there:
        reductions of rows, sliding windows, and windows whose pixels are packed. Where a recipe
        has a list for many rows and another for few, it is the one for many.

    Raises
    ------
    ValueError
        If there is no such instruction set, or the function's buffers may overlap.
    """
    found = _ffi_api.lists(func, isa)
    return {str(name): [str(step) for step in steps] for name, steps in found.items()}


def with_lists(func: PrimFunc, lists: Mapping[str, Sequence[str]], isa: str = "native") -> PrimFunc:
    """Return a function whose nests run by lists, in place of those of the recipes.

    Axes that a list does not split to single elements get the loops of the recipe, inside of
    those of the list. A list without `registers` gets it, and the copies of the recipe if it
    has none.

    Parameters
    ----------
    func
        The function, before recipes run.
    lists
        Primitives by the names of nests, as `lists` returns them. Nests without a list keep their
        recipe.
    isa
        The instruction set for which the lists are checked.

    Returns
    -------
    scheduled
        The function with the lists, as an attribute that the pass `ScheduleByLists` applies.

    Raises
    ------
    ValueError
        If the function has no such nest, its recipe is not a list, a primitive is malformed, or
        the list would compute something else; the message has the number of the step.
    """
    return _ffi_api.with_lists(func, lists, isa)
