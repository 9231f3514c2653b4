"""The Python API of the object runtime, for generated packages and their users."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tschema.runtime.classes import MISSING, c_class, extern_class
from tschema.runtime.enums import IntEnum
from tschema.runtime.errors import KeptException, call_reraising
from tschema.runtime.functor import Functor
from tschema.runtime.loader import load_library
from tschema.runtime.namespaces import bind_types, bind_types_later
from tschema.runtime.serialize import load_binary, load_json, save_binary, save_json
from tschema.runtime.structural import (
    Mismatch,
    first_mismatch,
    structural_equal,
    structural_hash,
)
from tschema.runtime.traverse import WalkAction, deep_copy, map, post_order, walk
from tschema.runtime.visitor import Mutator, Visitor

if TYPE_CHECKING:
    from tschema.runtime.loading import load_types
    from tschema.runtime.type_layout import layout

__all__ = [
    "MISSING",
    "Functor",
    "IntEnum",
    "KeptException",
    "Mismatch",
    "Mutator",
    "Visitor",
    "WalkAction",
    "bind_types",
    "bind_types_later",
    "c_class",
    "call_reraising",
    "deep_copy",
    "extern_class",
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

# Imported on use, to keep the import of generated packages fast.
_IMPORTED_LATER = {"layout": "type_layout", "load_types": "loading"}


def __getattr__(name: str) -> Any:
    """Import a submodule on first use."""
    if name not in _IMPORTED_LATER:
        raise AttributeError(f"module `{__name__}` has no attribute `{name}`")
    globals()[name] = getattr(import_module(f"{__name__}.{_IMPORTED_LATER[name]}"), name)
    return globals()[name]
