"""How loops run: passes that classify loop nests and follow a recipe for each kind."""

from tschema.runtime import bind_types
from uir_nodes import schedule as _nodes
from uir_nodes.schedule import *

from .replay import recipes, replay, trace_of

__all__ = [*_nodes.__all__, "recipes", "replay", "trace_of"]

bind_types()  # Passes are nodes of another namespace, and make nodes of every one.
