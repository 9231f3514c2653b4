"""The options and types of the schema language, asked of the language itself.

Out: whether it has an option or a type, so that an importer has no list of its own.
"""

from __future__ import annotations

from msgspec import ValidationError, convert

from tschema.passes.fields import FIELD_OPTIONS
from tschema.passes.options import CLASS_OPTIONS
from tschema.passes.vocabulary import KNOWN_NAMES

__all__ = ["has_class_option", "has_field_option", "has_name", "takes_class_option"]


def has_class_option(name: str) -> bool:
    """Return whether a class can have an option."""
    return name in CLASS_OPTIONS


def takes_class_option(name: str, value: object) -> bool:
    """Return whether a class option can have a value."""
    if name not in CLASS_OPTIONS:
        return False
    try:
        convert(value, CLASS_OPTIONS[name][0])
    except ValidationError:
        return False
    return True


def has_field_option(name: str) -> bool:
    """Return whether `field(...)` has an option."""
    return name in FIELD_OPTIONS


def has_name(name: str) -> bool:
    """Return whether `tschema` exports a name, such as `ty.foreign` or `static`."""
    return f"tschema.{name}" in KNOWN_NAMES
