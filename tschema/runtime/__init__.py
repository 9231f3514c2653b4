"""The object runtime's Python face: what generated packages import."""

from tschema.runtime.classes import c_class
from tschema.runtime.declared import load_types
from tschema.runtime.functor import Functor
from tschema.runtime.loader import load_library
from tschema.runtime.type_layout import layout
from tschema.runtime.visitor import Mutator, Visitor

__all__ = ["Functor", "Mutator", "Visitor", "c_class", "layout", "load_library", "load_types"]
