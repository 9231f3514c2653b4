"""The object runtime's Python face: what generated packages import, and what their users call."""

from tschema.runtime.classes import c_class
from tschema.runtime.declared import load_types
from tschema.runtime.errors import KeptException, call_reraising
from tschema.runtime.functor import Functor
from tschema.runtime.loader import load_library
from tschema.runtime.serialize import load_binary, load_json, save_binary, save_json
from tschema.runtime.structural import (
    Mismatch,
    first_mismatch,
    structural_equal,
    structural_hash,
)
from tschema.runtime.traverse import WalkAction, deep_copy, map, post_order, walk
from tschema.runtime.type_layout import layout
from tschema.runtime.visitor import Mutator, Visitor

__all__ = [
    "Functor",
    "KeptException",
    "Mismatch",
    "Mutator",
    "Visitor",
    "WalkAction",
    "c_class",
    "call_reraising",
    "deep_copy",
    "first_mismatch",
    "layout",
    "load_binary",
    "load_json",
    "load_library",
    "load_types",
    "map",
    "post_order",
    "save_binary",
    "save_json",
    "structural_equal",
    "structural_hash",
    "walk",
]
