"""Operators that ONNX defines by others: they are replaced by their definitions."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import onnx
import onnx.inliner

from .operators import is_own

__all__ = ["expand_functions"]

# Definitions use operators that have definitions themselves.
MOST_ROUNDS = 8


def expand_functions(model: onnx.ModelProto, known: Collection[str]) -> onnx.ModelProto:
    """Return a model without operators that are not known and have definitions."""
    for _ in range(MOST_ROUNDS):
        names = {name for name in operators(model.graph) if name not in known and is_defined(name)}
        if not names:
            break
        chosen = [("", name) for name in sorted(names)]
        try:
            model = onnx.inliner.inline_selected_functions(
                model, chosen, inline_schema_functions=True
            )
        except RuntimeError:
            break  # ONNX cannot: the nodes stay, and are refused by name.
    return model


def operators(graph: onnx.GraphProto) -> Iterator[str]:
    """Yield the operators of ONNX's own domain in a graph and its subgraphs."""
    for node in graph.node:
        if is_own(node.domain):
            yield node.op_type
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from operators(attribute.g)


def is_defined(name: str) -> bool:
    """Return whether ONNX defines an operator by others."""
    if not onnx.defs.has(name):
        return False
    # The stubs of `onnx` lack both properties.
    schema: Any = onnx.defs.get_schema(name)
    return bool(schema.has_function or schema.has_context_dependent_function)
