"""Pictures of functions on tensors."""

from .drawing import Drawing
from .graph import graph
from .steps import Step

__all__ = ["Drawing", "Step", "graph"]
