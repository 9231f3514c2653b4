"""The schema language, for editors and type checkers.

tschema parses schema files and never executes them; importing this module has no effect. `ty` has
the field types, `declare`, `method` and `function` mark declarations, and `field` sets options.
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
    """Declare a method, which is implemented in C++ and callable from every language."""
    return function


def function(function: _Callable) -> _Callable:
    """Declare a free function with a global name, which is implemented in C++."""
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
        The default of the argument: a literal, an enum's member, or None.
    default_factory
        `list` or `dict`: a fresh empty container for each object.
    kw_only
        Whether Python takes the argument by name only.
    init
        Whether the constructor takes the field; if not, it has a default or `PostInit` sets it.
    structural
        The role in structural equality and hashing: `"ignore"` skips the field, `"def"` binds the
        variable in it, `"def_pattern"` binds it and the variables that it refers to.
    repr
        Whether the field is printed.
    doc
        The field's documentation, if it is not in the class's `Attributes` section.
    """
