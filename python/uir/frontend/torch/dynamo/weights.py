"""Weights as compiled functions take them, which are made again when they have changed."""

from __future__ import annotations

import importlib
import weakref
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from .digests import Digests
from .layout import Layout

__all__ = ["PreparedWeights"]

# A tensor of PyTorch.
Tensor: TypeAlias = Any


class Prepared(NamedTuple):
    """Prepared tensors, and the state of the weights that they were made of."""

    places: list[tuple[int, int]]
    digests: Digests | None
    digest: Tensor
    tensors: tuple[Tensor, ...]

    def is_current(self, weights: Sequence[Tensor]) -> bool:
        """Return whether weights are in the same memory, and have not changed since."""
        if list(map(place_of, weights)) != self.places:
            return False
        return self.digests is None or bool((self.digests() == self.digest).all())


class PreparedWeights:
    """Returns the results of a function of weights, and calls it only when they have changed.

    Parameters
    ----------
    function
        Takes the weights, and returns a tuple of tensors.
    layouts
        The layouts of these tensors, or None for those without gaps.
    are_frozen
        Whether the elements of weights change only by operators of PyTorch that count the versions
        of tensors, so that elements are not compared.
    """

    def __init__(
        self,
        function: Callable[..., Sequence[Tensor]],
        layouts: Sequence[Layout | None],
        are_frozen: bool,
    ) -> None:
        self._function = function
        self._layouts = layouts
        self._are_frozen = are_frozen
        self._no_grad = importlib.import_module("torch").no_grad
        # By the first weight: modules of one class may share a graph.
        self._known: dict[int, Prepared] = {}

    def __call__(self, *weights: Tensor) -> tuple[Tensor, ...]:
        """Return the tensors for the current elements of weights."""
        known = self._known.get(id(weights[0]))
        if known is None or not known.is_current(weights):
            if known is None:
                weakref.finalize(weights[0], self._known.pop, id(weights[0]), None)
            known = self._prepared(weights)
            self._known[id(weights[0])] = known
        return known.tensors

    def _prepared(self, weights: Sequence[Tensor]) -> Prepared:
        places = list(map(place_of, weights))
        digests = None if self._are_frozen else Digests(weights)
        digest = None if digests is None else digests()
        with self._no_grad():
            made = self._function(*weights)
            pairs = zip(made, self._layouts, strict=True)
            tensors = tuple(in_layout(tensor.detach(), layout) for tensor, layout in pairs)
        return Prepared(places, digests, digest, tensors)


def place_of(tensor: Tensor) -> tuple[int, int]:
    """Return where a tensor is and how often PyTorch has changed it."""
    version = 0 if tensor.is_inference() else tensor._version
    return tensor.data_ptr(), version


def in_layout(tensor: Tensor, layout: Layout | None) -> Tensor:
    """Return a copy of a tensor without gaps, in a layout."""
    plain = tensor.resolve_conj().resolve_neg()
    return plain.contiguous() if layout is None else layout.packed(plain)
