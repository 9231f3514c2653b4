"""Fields that read back as members of an enum.

In: a class that is bound to a compiled type.  Out: the same class, with the descriptors of some
fields wrapped.  Writing needs nothing here: the owner of the type checks the range.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any, TypeVar

__all__ = ["enum_fields"]

_Class = TypeVar("_Class", bound=type)


def enum_fields(**enums: type[IntEnum]) -> Callable[[_Class], _Class]:
    """Make integer fields of a class read as members of their enums.

    Parameters
    ----------
    enums
        The enum of each field, by the field's name.

    Returns
    -------
    decorator
        Stands above `c_class`, which installs the fields.
    """

    def decorate(cls: _Class) -> _Class:
        for name, enum in enums.items():
            setattr(cls, name, _wrapped(cls.__dict__[name], enum))
        return cls

    return decorate


def _wrapped(field: Any, enum: type[IntEnum]) -> property:
    read = field.fget

    def get(self: object) -> IntEnum | None:
        value = read(self)
        return None if value is None else enum(value)

    wrapped: property = type(field)(fget=get, fset=field._fset, frozen=field.fset is None)
    wrapped.__doc__ = field.__doc__
    return wrapped
