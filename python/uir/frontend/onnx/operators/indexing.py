"""Operators that read and write at indices."""

from __future__ import annotations

from uir_nodes.ir import RelayExpr

from .... import relay
from ..node import Converter, Node

__all__ = ["CONVERTERS"]


def scatter(node: Node) -> RelayExpr:
    """Write elements, under the name that the operator had before version 11."""
    axis = node.attribute("axis", 0)
    return relay.scatter_elements(node.input(0), node.input(1), node.input(2), axis=axis)


CONVERTERS: dict[str, Converter] = {"Scatter": scatter}
