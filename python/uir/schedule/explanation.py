"""The recipe of each loop nest of a function, or why it has none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from tschema.runtime import walk
from uir_nodes.schedule import BlockKind
from uir_nodes.tir import BufferStore, For, PrimFunc

__all__ = ["NestSchedule", "explain_function"]

Node = TypeVar("Node", For, BufferStore)
Noted: TypeAlias = tuple[str, BlockKind, For]
Choices: TypeAlias = tuple[str, ...]

KINDS = {
    BlockKind.OTHER: "its iterations may depend on each other, or no recipe knows it",
    BlockKind.ELEMENTWISE: "each iteration stores an element of its own",
    BlockKind.ROW: "each element is a reduction",
    BlockKind.CONTRACTION: "each element is a sum of products",
    BlockKind.WINDOW: "a reduction over a window that moves with the element",
}
MERGES = "FuseElementwise"
NESTS = re.compile(r"\bnests=(\d+)")


@dataclass(frozen=True)
class NestSchedule:
    """A loop nest, and the recipe that took it.

    Attributes
    ----------
    nest
        The name of the buffer that it stores to.
    kind
        Its kind in lower case, such as `contraction`; empty if it was merged into another one.
    recipe
        The pass that took it; empty if none did.
    choices
        The choices of the pass with their parameters, of which the function takes one when it runs;
        none for a nest that the recipe takes together with one before it.
    reason
        Why the nest has this kind, or why no recipe took it.
    """

    nest: str
    kind: str
    recipe: str
    choices: tuple[str, ...]
    reason: str


def explain_function(before: PrimFunc, after: PrimFunc) -> list[NestSchedule]:
    """Return the loop nests of a function with the recipes that took them.

    Parameters
    ----------
    before
        The function after `FuseElementwise`, whose loops have notes of their kinds.
    after
        The function after `ScheduleFallback`, whose attribute `schedule_trace` has the choices.

    Returns
    -------
    nests
        The nests that were merged into others, then those of the function in order.
    """
    lines = [parsed(str(line)) for line in after.get_attr("schedule_trace") or ()]
    merged = [
        NestSchedule(nest, "", recipe, choices, "another nest computes its elements")
        for recipe, nest, choices in lines
        if recipe == MERGES
    ]
    nests = list(noted(before))
    taken: dict[int, tuple[str, Choices]] = {}
    for recipe, nest, choices in lines:
        if recipe != MERGES:
            taken[place_of(recipe, nest, nests, taken)] = (recipe, choices)
    first = {place + more: place for place in taken for more in range(1, joined(taken[place][1]))}
    found = [
        together(nest, nests[first[place]][0], taken[first[place]][0])
        if place in first and place not in taken
        else explained(*nest, before, taken.get(place))
        for place, nest in enumerate(nests)
    ]
    return [*merged, *found]


def joined(choices: Choices) -> int:
    """Return how many consecutive nests a recipe takes together: the `nests` of its choices."""
    found = (NESTS.search(choice) for choice in choices)
    return max((int(one[1]) for one in found if one), default=1)


def together(nest: Noted, first: str, recipe: str) -> NestSchedule:
    """Return the schedule of a nest that a recipe takes with the one before it."""
    reason = f"the recipe of `{first}` takes both together"
    return NestSchedule(nest[0], nest[1].name.lower(), recipe, (), reason)


def parsed(line: str) -> tuple[str, str, Choices]:
    """Return the recipe, the nest and the choices of a line of a trace."""
    recipe, nest, choices = line.split(": ", 2)
    return recipe, nest, tuple(choices.split("; "))


def noted(func: PrimFunc) -> Iterator[Noted]:
    """Yield the outermost loops with notes: the buffer that each stores to, and its kind.

    Loops inside of a nest that recipes can take have no notes.
    """
    for loop in below(func.body, For):
        kind = loop.annotations.get("block_kind")
        stores = below(loop, BufferStore)
        if kind is not None and stores:
            yield str(stores[0].buffer.name), BlockKind(int(kind)), loop


def below(root: object, type: type[Node]) -> list[Node]:
    """Return the nodes of a class, outer ones first."""
    found: list[Node] = []
    walk(root, lambda node: found.append(node) if isinstance(node, type) else None)
    return found


def place_of(
    recipe: str, nest: str, nests: Sequence[Noted], taken: Mapping[int, tuple[str, Choices]]
) -> int:
    """Return the place of the nest that a recipe calls `name`, or `name#2` if it is the second.

    A recipe does not see nests that other recipes have taken before.
    """
    name, _, number = nest.partition("#")
    seen = [
        place
        for place, (found, kind, _) in enumerate(nests)
        if found == name
        and kind != BlockKind.OTHER
        and (place not in taken or taken[place][0] == recipe)
    ]
    return seen[int(number or 1) - 1]


def explained(
    name: str,
    kind: BlockKind,
    loop: For,
    func: PrimFunc,
    taken: tuple[str, Choices] | None,
) -> NestSchedule:
    """Return the schedule of a nest."""
    recipe, choices = taken or ("", ())
    reason = KINDS[kind] if taken else why_left(kind, loop, func)
    return NestSchedule(name, kind.name.lower(), recipe, choices, reason)


def why_left(kind: BlockKind, loop: For, func: PrimFunc) -> str:
    """Return why no recipe took a nest."""
    if "scheduled_by_hand" in loop.annotations:
        return "it is scheduled by hand"
    if not func.get_attr("tir.noalias"):
        return "the buffers of the function may overlap: it has no attribute `tir.noalias`"
    if kind == BlockKind.OTHER:
        return KINDS[kind]
    return "the recipes of its kind do not fit, and it has too little work for several threads"
