"""The decorator of generated classes: tvm-ffi's `c_class`, and what a declaration adds to it.

In: a class with annotated fields and a generated `__init__`.  Out: the same class, bound to the
compiled type of its key.  Values are checked by the owner of the type; nothing is checked here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Any, TypeVar

from tvm_ffi import dataclasses

from tschema.runtime.protocols import install_protocols

__all__ = ["c_class"]

_Class = TypeVar("_Class", bound=type)


def c_class(
    type_key: str, *, enums: Mapping[str, type[IntEnum]] | None = None
) -> Callable[[_Class], _Class]:
    """Bind a class to a compiled type.

    Parameters
    ----------
    type_key
        The key under which the type is registered.
    enums
        The fields that read back as members of an enum, by name.

    Returns
    -------
    decorator
        Installs the fields and the dunder methods of tvm-ffi's `c_class`, but the object runtime's
        where it has them: for `repr`, `pickle`, `copy.deepcopy`, and for `copy.replace`, which
        constructs, so that a copy with changes is checked like any other object.
    """

    def decorate(cls: _Class) -> _Class:
        install_protocols(cls)
        # tvm-ffi evaluates the annotations, which name what type checkers alone import.
        setattr(cls, "__no_type_check__", True)  # noqa: B010
        bound = dataclasses.c_class(type_key, init=False)(cls)
        delattr(cls, "__no_type_check__")
        for name, enum in (enums or {}).items():
            setattr(bound, name, _reading(bound.__dict__[name], enum))
        return bound

    return decorate


def _reading(field: Any, enum: type[IntEnum]) -> property:
    """Wrap the descriptor of an integer field."""
    read = field.fget

    def get(self: object) -> IntEnum | None:
        value = read(self)
        return None if value is None else enum(value)

    wrapped: property = type(field)(fget=get, fset=field._fset, frozen=field.fset is None)
    wrapped.__doc__ = field.__doc__
    return wrapped
