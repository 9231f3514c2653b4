"""The candidates for a kernel: traces, which a space enumerates, draws and changes."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import log2, prod
from random import Random
from typing import NamedTuple, TypeAlias

from uir_nodes import tuning as nodes
from uir_nodes.tir import PrimFunc

from ..ir.node_error import carried
from .choices import PARAMETERS, Way, alternatives_of
from .loop_features import loop_features
from .trace_line import Choice, Line, parse_line

__all__ = ["DRAWS", "ParameterSpace", "Space", "Trace"]

Trace: TypeAlias = tuple[str, ...]

_MOST = 1 << 62
"""The largest size of a space that its node has."""

_REGISTERS = {"x86-64-v4": 32, "aarch64": 32}
_FEWEST_REGISTERS = 16
DRAWS = 50
"""The draws after which a space gives up to find a candidate that it does not refuse."""


class Space(ABC):
    """The candidates for one kernel.

    Attributes
    ----------
    func
        The kernel before the recipes: the node describes the loops of each candidate too. None for
        the features of the space alone.
    sizes
        The values of its symbolic dimensions by name.
    """

    func: PrimFunc | None = None
    sizes: Mapping[str, int] | None = None

    @property
    @abstractmethod
    def default(self) -> Trace:
        """The choices of the recipes."""

    @abstractmethod
    def size(self) -> int:
        """Count the candidates.

        Returns
        -------
        size
            Their number, which may include refused ones.
        """

    @abstractmethod
    def traces(self) -> Iterator[Trace]:
        """Yield all candidates that are not refused, in a fixed order.

        Yields
        ------
        trace
            A candidate; the default is one of them.
        """

    @abstractmethod
    def draw(self, random: Random) -> Trace:
        """Draw a candidate.

        Parameters
        ----------
        random
            Decides which one.

        Returns
        -------
        trace
            A candidate that is not refused.
        """

    @abstractmethod
    def change(self, trace: Trace, random: Random) -> Trace:
        """Change a few choices of a candidate.

        Parameters
        ----------
        trace
            The candidate.
        random
            Decides which choices.

        Returns
        -------
        changed
            A candidate that is not refused; the same one if no other is found.
        """

    @abstractmethod
    def refusal(self, trace: Trace) -> str:
        """Check a candidate before it is compiled.

        Parameters
        ----------
        trace
            The candidate.

        Returns
        -------
        reason
            Why it is refused, such as a tile that exceeds the registers; empty if it is not.
        """

    @abstractmethod
    def features(self, trace: Trace) -> tuple[float, ...]:
        """Describe a candidate to a model of times.

        Parameters
        ----------
        trace
            The candidate.

        Returns
        -------
        features
            Numbers, equally many for all candidates of the space.
        """

    def first(self) -> list[Trace]:
        """Return the candidates to try before those of a strategy.

        Returns
        -------
        traces
            Candidates that are not refused; none by default.
        """
        return []

    def adapted(self, trace: Trace) -> Trace | None:
        """Return the candidate whose choices are most like those of another kernel.

        Parameters
        ----------
        trace
            A candidate for the other kernel.

        Returns
        -------
        adapted
            A candidate that is not refused; None if the kernels have nothing in common, or the
            result would be the default. None by default.
        """
        return None

    def notes(self) -> list[str]:
        """Return advice for the user about refused candidates.

        Returns
        -------
        notes
            A message for each cause of refused candidates that a user can change; none by default.
        """
        return []

    def __tvm_ffi_object__(self) -> nodes.SpaceFunctions:
        """Return the node whose functions call this object."""

        def traces() -> Callable[[], Trace | None]:
            left = self.traces()
            return carried(lambda: next(left, None))

        def draw(seed: int) -> Trace:
            return self.draw(Random(seed))

        def change(trace: Trace, seed: int) -> Trace:
            return self.change(tuple(trace), Random(seed))

        return nodes.SpaceFunctions(
            type(self).__name__,
            self.default,
            min(self.size(), _MOST),
            carried(traces),
            carried(draw),
            carried(change),
            carried(self._all_features),
        )

    def _all_features(self, candidates: Sequence[Trace]) -> list[tuple[float, ...]]:
        """Return the features of candidates and of their loops; none for one that does not fit."""
        own = [self.features(tuple(trace)) for trace in candidates]
        if self.func is None:
            return own
        loops = loop_features(self.func, candidates, self.sizes)
        return [(*first, *last) if last else () for first, last in zip(own, loops, strict=True)]


class _Slot(NamedTuple):
    """A choice that is searched: its place in the trace, and the ways to make it."""

    line: int
    choice: int
    ways: Mapping[str, Way]
    values: Mapping[str, Mapping[str, tuple[int, ...]]]


class ParameterSpace(Space):
    """The parameters of the recipes for the nests of a kernel.

    Parameters
    ----------
    trace
        The choices of the recipes, as `uir.schedule.trace_of` returns them.
    isa
        The instruction set, whose registers limit the sizes of tiles.
    """

    def __init__(self, trace: Trace, isa: str) -> None:
        self._default = trace
        self._lines = [*map(parse_line, trace)]
        self._registers = _REGISTERS.get(isa, _FEWEST_REGISTERS)
        self._slots = [
            _slot(at, place, line, choice)
            for at, line in enumerate(self._lines)
            for place, choice in enumerate(line.choices)
            if alternatives_of(line.recipe, choice)
        ]

    @property
    def default(self) -> Trace:  # noqa: D102 - as the base
        return self._default

    def size(self) -> int:  # noqa: D102 - as the base
        return prod(
            sum(prod(len(one) for one in values.values()) for values in slot.values.values())
            for slot in self._slots
        )

    def traces(self) -> Iterator[Trace]:  # noqa: D102 - as the base
        per_slot = [list(self._choices(slot)) for slot in self._slots]
        for made in itertools.product(*per_slot):
            trace = self._trace(made)
            if trace == self._default or not self._misfit(made):
                yield trace

    def draw(self, random: Random) -> Trace:  # noqa: D102 - as the base
        for _ in range(DRAWS):
            made = [self._drawn(slot, random) for slot in self._slots]
            if not self._misfit(made):
                return self._trace(made)
        return self._default

    def change(self, trace: Trace, random: Random) -> Trace:  # noqa: D102 - as the base
        for _ in range(DRAWS if self._slots else 0):
            made = [self._own(slot, trace) for slot in self._slots]
            for _ in range(random.choice((1, 1, 2))):
                at = random.randrange(len(made))
                made[at] = self._near(self._slots[at], made[at], random)
            changed = self._trace(made)
            if changed != trace and (changed == self._default or not self._misfit(made)):
                return changed
        return trace

    def refusal(self, trace: Trace) -> str:  # noqa: D102 - as the base
        if trace == self._default:
            return ""
        if not self._has_form(trace):
            return "it does not have the choices of the recipes for this kernel"
        return self._misfit([self._own(slot, trace) for slot in self._slots])

    def adapted(self, trace: Trace) -> Trace | None:  # noqa: D102 - as the base
        others = [*map(parse_line, trace)]
        made = [self._adapted(slot, others) for slot in self._slots]
        adapted = self._trace(made)
        return None if adapted == self._default or self._misfit(made) else adapted

    def features(self, trace: Trace) -> tuple[float, ...]:  # noqa: D102 - as the base
        made: list[float] = []
        for slot in self._slots:
            choice = self._own(slot, trace)
            numbers = dict(choice.numbers)
            tile = slot.ways[choice.way].tile(numbers) if choice.way in slot.ways else 0
            made += [log2(1 + numbers.get(name, 0)) for name in PARAMETERS]
            made += [log2(1 + tile), *(float(choice.way == way) for way in slot.ways)]
        return tuple(made)

    def _trace(self, made: tuple[Choice, ...] | list[Choice]) -> Trace:
        lines = [*self._lines]
        for slot, choice in zip(self._slots, made, strict=True):
            line = lines[slot.line]
            choices = list(line.choices)
            choices[slot.choice] = choice
            lines[slot.line] = Line(line.recipe, line.nest, tuple(choices))
        return tuple(map(str, lines))

    def _misfit(self, made: Sequence[Choice]) -> str:
        """Return why registers or a recipe refuse choices; empty if they do not."""
        for slot, choice in zip(self._slots, made, strict=True):
            way = slot.ways.get(choice.way)
            if way is None:
                return f"`{choice.way}` is not a way of this nest"
            tile = way.tile(dict(choice.numbers))
            if tile > self._registers:
                return f"`{choice}` has {tile} vectors in {self._registers} registers"
        return ""

    def _has_form(self, trace: Trace) -> bool:
        """Return whether a trace differs from the default in nothing but searched choices."""
        counts = [
            [len(line.choices) for line in lines] for lines in (map(parse_line, trace), self._lines)
        ]
        if counts[0] != counts[1]:
            return False
        return self._trace([self._own(slot, trace) for slot in self._slots]) == trace

    @staticmethod
    def _own(slot: _Slot, trace: Trace) -> Choice:
        return parse_line(trace[slot.line]).choices[slot.choice]

    def _adapted(self, slot: _Slot, others: Sequence[Line]) -> Choice:
        """Return the choice of the same recipe in other lines, as far as its values are tried."""
        own, recipe = self._own(slot, self._default), self._lines[slot.line].recipe
        found = (one.choices for one in others if one.recipe == recipe)
        for choice in itertools.chain.from_iterable(found):
            values = slot.values.get(choice.way)
            if values is not None:
                numbers = dict(choice.numbers)
                known = {
                    name: numbers[name] for name in values if numbers.get(name) in values[name]
                }
                return own.changed(choice.way, known)
        return own

    def _choices(self, slot: _Slot) -> Iterator[Choice]:
        base = self._own(slot, self._default)
        for way, values in slot.values.items():
            for numbers in itertools.product(*values.values()):
                yield base.changed(way, dict(zip(values, numbers, strict=True)))

    def _drawn(self, slot: _Slot, random: Random) -> Choice:
        way = random.choice(list(slot.ways))
        numbers = {name: random.choice(values) for name, values in slot.values[way].items()}
        return self._own(slot, self._default).changed(way, numbers)

    def _near(self, slot: _Slot, choice: Choice, random: Random) -> Choice:
        others = [way for way in slot.ways if way != choice.way]
        if others and random.random() < 0.1:
            return choice.changed(random.choice(others), {})
        values = slot.values.get(choice.way, {})
        if not values:
            return choice
        name = random.choice(list(values))
        return choice.changed(choice.way, {name: random.choice(values[name])})


def _slot(at: int, place: int, line: Line, choice: Choice) -> _Slot:
    ways = alternatives_of(line.recipe, choice)
    values = {name: _values(way, choice) for name, way in ways.items()}
    return _Slot(at, place, ways, values)


def _values(way: Way, choice: Choice) -> dict[str, tuple[int, ...]]:
    """Return the values to try for the parameters that a choice has, its own among them."""
    own = dict(choice.numbers)
    return {
        name: tuple(sorted({*values, own[name]}))
        for name, values in way.values.items()
        if name in own
    }
