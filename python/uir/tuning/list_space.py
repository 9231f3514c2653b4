"""The candidates of a function of a user: a list of primitives for one nest of a kernel."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import islice
from math import log2
from random import Random

from uir_nodes.ir import GlobalVar, IRModule
from uir_nodes.target import Target

from ..schedule import lists, trace_of, with_lists
from ..transform import Sequential
from .kernels import Kernel, recipe_passes
from .space import DRAWS, Space, Trace
from .user_lists import ListFunction, Value

__all__ = ["ListSpace", "known_nests", "nests_with_lists"]

_MOST_SOUGHT = 1024
"""The combinations among which that of a trace is sought, which takes a millisecond for each."""


class ListSpace(Space):
    """The lists of a function for a nest, with the choices of the recipes for the other nests.

    Parameters
    ----------
    kernel
        The kernel.
    nest
        The name of the nest, whose recipe is a list.
    function
        Returns the lists.
    """

    def __init__(self, kernel: Kernel, nest: str, function: ListFunction) -> None:
        self._kernel, self._nest, self._function = kernel, nest, function
        _, recipes, _ = recipe_passes(Target("c", kernel.isa))
        self._recipes = Sequential(recipes, name="recipes")
        self._names = tuple(function.choices)
        self._traces: dict[tuple[Value, ...], Trace | str] = {}
        self._values: dict[Trace, tuple[Value, ...]] = {}
        self._unknown = (tuple(one.values()) for one in function.combinations())

    @property
    def default(self) -> Trace:  # noqa: D102 - as the base
        return self._kernel.trace

    def size(self) -> int:  # noqa: D102 - as the base
        return self._function.size

    def traces(self) -> Iterator[Trace]:  # noqa: D102 - as the base
        made = {self.default}
        yield self.default
        for combination in self._function.combinations():
            trace = self._trace(tuple(combination.values()))
            if not isinstance(trace, str) and trace not in made:
                made.add(trace)
                yield trace

    def draw(self, random: Random) -> Trace:  # noqa: D102 - as the base
        for _ in range(DRAWS):
            values = tuple(random.choice(one) for one in self._function.choices.values())
            trace = self._trace(values)
            if not isinstance(trace, str):
                return trace
        return self.default

    def change(self, trace: Trace, random: Random) -> Trace:  # noqa: D102 - as the base
        own = self._known(trace)
        for _ in range(DRAWS if own else 0):
            values = [*(own or ())]
            for _ in range(random.choice((1, 1, 2))):
                at = random.randrange(len(values))
                values[at] = random.choice(self._function.choices[self._names[at]])
            changed = self._trace(tuple(values))
            if not isinstance(changed, str) and changed != trace:
                return changed
        return trace

    def refusal(self, trace: Trace) -> str:  # noqa: D102 - as the base
        if trace == self.default or self._known(trace) is not None:
            return ""
        return f"it is not a list of `{self._function.name}`"

    def features(self, trace: Trace) -> tuple[float, ...]:  # noqa: D102 - as the base
        values = self._known(trace)
        if values is None:
            return (0.0,) * len(self._names)
        return tuple(map(self._feature, self._names, values))

    def notes(self) -> list[str]:  # noqa: D102 - as the base
        if not self._traces or not all(isinstance(one, str) for one in self._traces.values()):
            return []
        values, reason = next(iter(self._traces.items()))
        given = ", ".join(
            f"{name}={value!r}" for name, value in zip(self._names, values, strict=True)
        )
        return [
            f"`{self._function.name}`: each list for the nest `{self._nest}` of "
            f"`{self._kernel.name}` is refused, such as that of `{given}`: {reason}"
        ]

    def _feature(self, name: str, value: Value) -> float:
        if isinstance(value, int) and value >= 0:
            return log2(1 + value)
        return float(self._function.choices[name].index(value))

    def _known(self, trace: Trace) -> tuple[Value, ...] | None:
        """Return the values that make a trace; None if none does, or too many would be tried."""
        if trace == self.default:
            return None
        if trace not in self._values and any(self._lines_of_lists(trace)):
            for values in islice(self._unknown, _MOST_SOUGHT):
                if self._trace(values) == trace:
                    break
        return self._values.get(trace)

    def _lines_of_lists(self, trace: Trace) -> Iterator[str]:
        start = f"ScheduleByLists: {self._nest}: "
        return (line for line in trace if line.startswith(start))

    def _trace(self, values: tuple[Value, ...]) -> Trace | str:
        """Return the trace of a list; the reason if it is refused."""
        known = self._traces.get(values)
        if known is None:
            known = self._traces[values] = self._new_trace(values)
            if not isinstance(known, str):
                self._values.setdefault(known, values)
        return known

    def _new_trace(self, values: tuple[Value, ...]) -> Trace | str:
        combination = dict(zip(self._names, values, strict=True))
        reason = self._function.refusal(combination)
        if reason:
            return reason
        try:
            steps = self._function.steps(combination)
            func = with_lists(self._kernel.func, {self._nest: steps}, self._kernel.isa)
        except ValueError as error:
            return str(error)
        module = self._recipes(IRModule({GlobalVar("main"): func}))
        return tuple(trace_of(module)["main"])


def known_nests(kernel: Kernel) -> list[str]:
    """Return the nests of a kernel whose recipe is a list."""
    try:
        return [*lists(kernel.func, kernel.isa)]
    except ValueError:  # Its buffers may overlap.
        return []


def nests_with_lists(kernel: Kernel, function: ListFunction) -> list[str]:
    """Return the nests of a kernel for which a function makes lists."""
    if not function.takes(kernel.name, kernel.hash):
        return []
    return [nest for nest in known_nests(kernel) if fnmatchcase(nest, function.nest)]
