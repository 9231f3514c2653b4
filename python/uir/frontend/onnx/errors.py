"""What is wrong with a model, for users and for the parts of the importer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

__all__ = ["Refused", "UnknownElements", "UnknownElementsError", "Unsupported"]
__all__ += ["UnsupportedModelError"]


class Refused(Exception):
    """What an operator cannot be converted for; the text names it."""


class UnknownElements(Exception):
    """The conversion of a node needs the elements of values that depend on inputs."""

    def __init__(self, inputs: Iterable[str]) -> None:
        super().__init__()
        self.inputs = frozenset(inputs)


class Unsupported(NamedTuple):
    """A node that is not supported, and why."""

    node: str
    operator: str
    reason: str

    def __str__(self) -> str:
        return f"{self.operator} `{self.node}`: {self.reason}"


class UnsupportedModelError(NotImplementedError):
    """Nodes of a model are not supported: all of them, in the order of the graph."""

    def __init__(self, nodes: Sequence[Unsupported]) -> None:
        lines = "".join(f"\n  {node}" for node in nodes)
        count = "a node is" if len(nodes) == 1 else f"{len(nodes)} nodes are"
        super().__init__(f"from_onnx: {count} not supported:{lines}")
        self.nodes = list(nodes)


class UnknownElementsError(ValueError):
    """Shapes depend on the elements of inputs: they must be given as constants."""

    def __init__(self, inputs: Iterable[str]) -> None:
        self.inputs = sorted(inputs)
        names = ", ".join(f"`{name}`" for name in self.inputs)
        super().__init__(
            f"from_onnx: shapes or axes depend on the elements of {names}: give them by `constants`"
        )
