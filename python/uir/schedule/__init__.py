"""How loops run: recipes for kinds of loop nests, traces that replay, and primitives for users."""

from tschema.runtime import bind_types
from uir_nodes import schedule as _nodes
from uir_nodes.schedule import *

from .primitive import annotate, cache, reorder, split
from .replay import recipes, replay, trace_of
from .rows import read_rows

__all__ = [
    *_nodes.__all__,
    "annotate",
    "cache",
    "read_rows",
    "recipes",
    "reorder",
    "replay",
    "split",
    "trace_of",
]

bind_types()  # Passes are nodes of another namespace, and make nodes of every one.
