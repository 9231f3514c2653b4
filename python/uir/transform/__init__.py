"""Passes: transformations of modules, as objects."""

from uir_nodes import transform as _nodes
from uir_nodes.transform import *

__all__: list[str] = []
__all__ += _nodes.__all__
