"""Warnings about nodes that run eagerly, each one once in a process."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from ...errors import Unsupported, grouped
from ..source import source_of

__all__ = ["warn_of_eager_nodes", "warn_of_gradients"]

LOGGER = logging.getLogger("uir.frontend.torch")

# The operators, reasons and lines that the logger has had.
WARNED: set[tuple[str, str, str]] = set()

GRADIENTS = "gradients are needed; call it under torch.no_grad() or torch.inference_mode()"


def warn_of_eager_nodes(nodes: Sequence[Unsupported]) -> None:
    """Warn of nodes that run eagerly, unless all of their operators, reasons and lines are known.

    Parameters
    ----------
    nodes
        The nodes.
    """
    new = [node for node in nodes if (node.operator, node.reason, node.source) not in WARNED]
    WARNED.update((node.operator, node.reason, node.source) for node in new)
    if new:
        LOGGER.warning("\n".join(["torch.compile: these run eagerly:", *grouped(new)]))


def warn_of_gradients(graph: Any) -> None:
    """Warn of a graph that needs gradients and runs eagerly.

    Parameters
    ----------
    graph
        A `torch.fx.Graph`.
    """
    first = next((source for node in graph.nodes if (source := source_of(node))), "")
    warn_of_eager_nodes([Unsupported("graph", "graph", GRADIENTS, first)])
