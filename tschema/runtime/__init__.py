"""The object runtime's Python face: what generated packages import."""

from tschema.runtime.enums import enum_fields
from tschema.runtime.loader import load_library

__all__ = ["enum_fields", "load_library"]
