"""What is wrong with a model, for users and for the parts of importers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["Refused", "Unsupported", "UnsupportedModelError"]


class Refused(Exception):
    """What an operator cannot be converted for; the text names it."""


class Unsupported(NamedTuple):
    """A node that is not supported, and why."""

    node: str
    operator: str
    reason: str

    def __str__(self) -> str:
        return f"{self.operator} `{self.node}`: {self.reason}"


class UnsupportedModelError(NotImplementedError):
    """Nodes of a model are not supported: all of them, in the order of the graph.

    Parameters
    ----------
    importer
        The function that refuses the model.
    nodes
        The nodes.
    """

    def __init__(self, importer: str, nodes: Sequence[Unsupported]) -> None:
        lines = "".join(f"\n  {node}" for node in nodes)
        count = "a node is" if len(nodes) == 1 else f"{len(nodes)} nodes are"
        super().__init__(f"{importer}: {count} not supported:{lines}")
        self.nodes = list(nodes)
