"""The vocabulary of schema files, so that editors and type checkers resolve it.

Schema files are parsed and never run; importing this module is harmless and does nothing.
`ty` names the field types, `declare`, `method`, `function` mark declarations, `field` carries
what a plain annotation cannot.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar

from tschema import ty
from tschema.ty import Object

__all__ = ["Object", "declare", "field", "function", "method", "ty"]

_Class = TypeVar("_Class", bound=type)
_Callable = TypeVar("_Callable", bound=Callable[..., Any])


def declare(cls: _Class) -> _Class:
    """Mark a class as a node (or, below `ty.IntEnum`, as an enum) of the schema."""
    return cls


def method(function: _Callable) -> _Callable:
    """Declare a method: its body is written in C++, in every language it can be called."""
    return function


def function(function: _Callable) -> _Callable:
    """Declare a free function with a global name: its body is written in C++."""
    return function


def field(
    *,
    default: Any = ...,
    default_factory: Callable[[], Any] | None = None,
    kw_only: bool = False,
    init: bool = True,
    structural: Literal["ignore", "def", "def_pattern"] | None = None,
    repr: bool = True,
    doc: str | None = None,
) -> Any:
    """Describe a field.

    Parameters
    ----------
    default
        The value of an argument that is left out: a literal, an enum's member, or None.
    default_factory
        `list` or `dict`: a fresh empty container for each object.
    kw_only
        Whether Python takes the argument by name only.
    init
        Whether the constructor takes the field; if not, it has a default or `PostInit` sets it.
    structural
        How structural equality and hashing see the field: `"ignore"` skips it, `"def"` binds the
        variable it holds, `"def_pattern"` binds it and the variables of its type.
    repr
        Whether the field is printed.
    doc
        The field's documentation, where the class's `Attributes` section does not have it.
    """
