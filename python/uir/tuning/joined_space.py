"""The candidates of several spaces: those of the recipes, and those of functions of users."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from .chains import Chain, LayoutSpace
from .kernels import Kernel
from .list_space import ListSpace, known_nests, nests_with_lists
from .space import ParameterSpace, Space, Trace
from .user_lists import ListFunction, list_functions

__all__ = ["JoinedSpace", "space_of", "unused_functions"]

_MOVES = 0.1
"""The part of changes that lead to another space."""


class JoinedSpace(Space):
    """The candidates of several spaces for one kernel.

    Parameters
    ----------
    spaces
        The spaces, at least one, with the same default.
    """

    def __init__(self, spaces: Sequence[Space]) -> None:
        self._spaces = spaces
        self._widths = [len(space.features(space.default)) for space in spaces]

    @property
    def default(self) -> Trace:  # noqa: D102 - as the base
        return self._spaces[0].default

    def size(self) -> int:  # noqa: D102 - as the base
        return sum(space.size() for space in self._spaces)

    def traces(self) -> Iterator[Trace]:  # noqa: D102 - as the base
        made: set[Trace] = set()
        for space in self._spaces:
            for trace in space.traces():
                if trace not in made:
                    made.add(trace)
                    yield trace

    def draw(self, random: Random) -> Trace:  # noqa: D102 - as the base
        return random.choice(self._spaces).draw(random)

    def change(self, trace: Trace, random: Random) -> Trace:  # noqa: D102 - as the base
        if random.random() < _MOVES:
            return self.draw(random)
        return self._spaces[self._place(trace)].change(trace, random)

    def refusal(self, trace: Trace) -> str:  # noqa: D102 - as the base
        reasons = [space.refusal(trace) for space in self._spaces]
        return reasons[0] if all(reasons) else ""

    def first(self) -> list[Trace]:
        """Return the lists to measure before the search draws any.

        Returns
        -------
        list of Trace
            One candidate of each space but the first: a list of each function of users.
        """
        others = (
            (trace for trace in space.traces() if trace != self.default)
            for space in self._spaces[1:]
        )
        return [trace for traces in others for trace in itertools.islice(traces, 1)]

    def adapted(self, trace: Trace) -> Trace | None:  # noqa: D102 - as the base
        found = (space.adapted(trace) for space in self._spaces)
        return next((one for one in found if one is not None), None)

    def features(self, trace: Trace) -> tuple[float, ...]:  # noqa: D102 - as the base
        own = self._place(trace)
        made: list[float] = []
        for place, (space, width) in enumerate(zip(self._spaces, self._widths, strict=True)):
            made.append(float(place == own))
            made += space.features(trace) if place == own else (0.0,) * width
        return tuple(made)

    def notes(self) -> list[str]:  # noqa: D102 - as the base
        return [note for space in self._spaces for note in space.notes()]

    def _place(self, trace: Trace) -> int:
        """Return the place of the first space that has a trace; that of the first if none has."""
        return next((at for at, one in enumerate(self._spaces) if not one.refusal(trace)), 0)


def space_of(
    kernel: Kernel,
    functions: Sequence[ListFunction] | None = None,
    sizes: Mapping[str, int] | None = None,
) -> Space:
    """Return the candidates for a kernel.

    Parameters
    ----------
    kernel
        The kernel, or a chain.
    functions
        Functions of users; None for those with the decorator `list_function`.
    sizes
        The values of symbolic dimensions by name, for which the features describe the loops.

    Returns
    -------
    space
        Other values of the parameters of the recipes for its nests, and the lists of the functions;
        the layouts of a chain.
    """
    if isinstance(kernel, Chain):
        return LayoutSpace(kernel)
    used = list_functions() if functions is None else functions
    spaces: list[Space] = [ParameterSpace(kernel.trace, kernel.isa)]
    for function in used:
        spaces += [ListSpace(kernel, nest, function) for nest in nests_with_lists(kernel, function)]
    space = spaces[0] if len(spaces) == 1 else JoinedSpace(spaces)
    space.func, space.sizes = kernel.func, sizes
    return space


def unused_functions(kernels: Mapping[str, Sequence[Kernel]]) -> list[str]:
    """Return a message for each function of a user that makes lists for none of the kernels."""
    first = [equal[0] for equal in kernels.values()]
    names = ", ".join(sorted({f"`{kernel.name}`" for kernel in first})) or "none"
    notes: list[str] = []
    for function in list_functions():
        taken = [kernel for kernel in first if function.takes(kernel.name, kernel.hash)]
        if not taken:
            notes.append(
                f"`{function.name}`: no kernel has the name `{function.kernel}`; there are {names}"
            )
        elif not any(nests_with_lists(kernel, function) for kernel in taken):
            notes.append(
                f"`{function.name}`: no kernel has a nest `{function.nest}` whose recipe is a "
                f"list; there are {_nests_text(taken)}"
            )
    return notes


def _nests_text(kernels: Sequence[Kernel]) -> str:
    found = [nest for kernel in kernels for nest in known_nests(kernel)]
    return ", ".join(f"`{nest}`" for nest in found) or "none"
