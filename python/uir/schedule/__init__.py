"""How loops run: recipes for kinds of loop nests, traces that replay, and primitives for users."""

from tschema.runtime import bind_types
from uir_nodes import schedule as _nodes
from uir_nodes.schedule import *

from .explanation import NestSchedule, explain_function
from .lists import lists, with_lists
from .primitive import split
from .rows import read_rows
from .trace import recipes, trace_of

__all__ = [
    *_nodes.__all__,
    "NestSchedule",
    "explain_function",
    "lists",
    "read_rows",
    "recipes",
    "split",
    "trace_of",
    "with_lists",
]

bind_types()  # Passes are nodes of another namespace, and make nodes of every one.
