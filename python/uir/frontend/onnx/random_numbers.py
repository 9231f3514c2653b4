"""Random numbers: functions of a state, an input of `main`, and of the node and the element.

The key of Philox is the state. Its counter has four words: two for the place of an element, then
the number of a stream and the kind of this number. So numbers depend neither on the order in which
they are computed nor on sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np

from uir_nodes.ir import RelayExpr
from uir_nodes.relay import Builder, Var

from ... import relay
from ..philox import Bind, normal, philox, uniform
from ..tensors import Dim, number, product

__all__ = ["RandomState", "Stream"]

# The kinds of streams: of nodes by their order, of seeds, and of steps of loops, for their states.
OF_NODES, OF_SEEDS, OF_STEPS = range(3)


class Stream(NamedTuple):
    """The random numbers of a node.

    Attributes
    ----------
    key
        The key of Philox, two tensors of `uint32` and rank 0.
    place
        The number of the stream, and its kind.
    bind
        Binds expressions that have several uses.
    """

    key: Sequence[RelayExpr]
    place: tuple[int, int]
    bind: Bind

    def uniform(self, shape: Sequence[Dim], dtype: str) -> RelayExpr:
        """Return numbers in [0, 1), of `float32` or `float64`."""
        return self._numbers(uniform, shape, dtype)

    def normal(self, shape: Sequence[Dim], dtype: str) -> RelayExpr:
        """Return numbers of the normal distribution, of `float32` or `float64`."""
        return self._numbers(normal, shape, dtype)

    def _numbers(
        self,
        convert: Callable[[Sequence[RelayExpr], str], RelayExpr],
        shape: Sequence[Dim],
        dtype: str,
    ) -> RelayExpr:
        """Return numbers made of four words for each element."""
        places = self.bind(relay.arange(0, product(shape), dtype="int64"))
        counter = [*halves(places), *(number(one, "uint32") for one in self.place)]
        return relay.reshape(convert(philox(counter, self.key, self.bind), dtype), shape)


class RandomState:
    """The state of random numbers, which becomes the last parameter when a node needs it.

    Parameters
    ----------
    builder
        The builder of the function.
    names
        The names of the inputs of the model.
    """

    def __init__(self, builder: Builder, names: Collection[str]) -> None:
        candidates = ("random_state", *(f"random_state_{at}" for at in range(1, len(names) + 1)))
        self.name = next(one for one in candidates if one not in names)
        self._builder = builder
        self._param: Var | None = None
        self._nodes: dict[tuple[str, str], int] = {}
        self._steps: list[RelayExpr] = []

    @property
    def names(self) -> list[str]:
        """The name of the parameter, if there is one."""
        return [] if self._param is None else [self.name]

    @contextmanager
    def step(self, place: RelayExpr) -> Iterator[None]:
        """Give the nodes of a loop's body a state of each step, by its number in `int64`."""
        self._steps.append(place)
        try:
            yield
        finally:
            self._steps.pop()

    def stream(self, node: tuple[str, str], seed: float | None, bind: Bind) -> Stream:
        """Return the random numbers of a node.

        Parameters
        ----------
        node
            The prefix of the names of its graph, and the name of its output.
        seed
            Its attribute `seed`; nodes with the same seed have the same numbers. None gives it
            numbers of its own.
        bind
            Binds expressions that have several uses.
        """
        if seed is None:
            place = (self._nodes.setdefault(node, len(self._nodes)), OF_NODES)
        else:
            place = (int(np.float32(seed).view(np.uint32)), OF_SEEDS)
        return Stream(self._key(bind), place, bind)

    def _key(self, bind: Bind) -> list[RelayExpr]:
        if self._param is None:
            self._param = self._builder.param(self.name, relay.Tensor((2,), "uint32"))
        state = self._param
        key = [bind(relay.squeeze(state[at : at + 1], [0])) for at in range(2)]
        for place in self._steps:
            counter = [*halves(place), number(0, "uint32"), number(OF_STEPS, "uint32")]
            key = philox(counter, key, bind)[:2]
        return key


def halves(places: RelayExpr) -> list[RelayExpr]:
    """Return the lower and the upper word of integers of `int64`."""
    whole = relay.cast(places, "uint64")
    upper = relay.right_shift(whole, number(32, "uint64"))
    return [relay.cast(places, "uint32"), relay.cast(upper, "uint32")]
