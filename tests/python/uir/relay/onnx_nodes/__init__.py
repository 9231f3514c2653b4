"""ONNX's nodes in terms of relay's references: what an importer would build of them."""

from __future__ import annotations

from . import elementwise, heads, images, indexing, layers, reductions, shapes
from .graph import run_model
from .node import Outputs, Refused, Run

__all__ = ["NODES", "Outputs", "Refused", "Run", "run_model"]

NODES: dict[str, Run] = {
    **elementwise.NODES,
    **heads.NODES,
    **images.NODES,
    **indexing.NODES,
    **layers.NODES,
    **reductions.NODES,
    **shapes.NODES,
}
