"""What code is generated for, and the code generators."""

from uir_nodes import target as _nodes
from uir_nodes.target import *

__all__: list[str] = []
__all__ += _nodes.__all__
