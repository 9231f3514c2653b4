"""The object runtime's Python face: what generated packages import."""

from tschema.runtime.classes import c_class
from tschema.runtime.loader import load_library

__all__ = ["c_class", "load_library"]
