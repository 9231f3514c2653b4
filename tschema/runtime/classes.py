"""The decorator of generated classes: tvm-ffi's `c_class`, and what a declaration adds to it.

In: a class with annotated fields and a generated `__init__`.  Out: the same class, bound to the
compiled type of its key.  Values are checked by the owner of the type; nothing is checked here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Any, TypeVar

from tvm_ffi import dataclasses

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
        Installs the fields and the dunder methods of tvm-ffi's `c_class`, but a `__replace__` that
        constructs, so that a copy with changes is checked like any other object.
    """

    def decorate(cls: _Class) -> _Class:
        if "__init__" in cls.__dict__ and "__replace__" not in cls.__dict__:
            cls.__replace__ = _replace  # type: ignore[attr-defined]
        bound = dataclasses.c_class(type_key, init=False)(cls)
        for name, enum in (enums or {}).items():
            setattr(bound, name, _reading(bound.__dict__[name], enum))
        return bound

    return decorate


def _replace(self: Any, /, **changes: Any) -> Any:
    """Return a copy with changed fields, as its constructor makes it.

    Raises
    ------
    TypeError
        If a change names no argument of the constructor and no field that is set afterwards.
    """
    cls = type(self)
    code = cls.__init__.__code__
    arguments = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    kept = {
        field.name for field in dataclasses.fields(cls) if not field.init and _has_default(field)
    }
    if unknown := changes.keys() - kept - {*arguments}:
        raise TypeError(f"{cls.__name__} has no field `{min(unknown)}` that can be replaced")
    copy = cls(**{name: changes.get(name, getattr(self, name)) for name in arguments})
    for name in kept:
        getattr(cls, name).set(copy, changes.get(name, getattr(self, name)))
    return copy


def _has_default(field: Any) -> bool:
    """Tell a field that is set afterwards from one that `PostInit` derives."""
    missing = dataclasses.MISSING
    return field.default is not missing or field.default_factory is not missing


def _reading(field: Any, enum: type[IntEnum]) -> property:
    """Wrap the descriptor of an integer field."""
    read = field.fget

    def get(self: object) -> IntEnum | None:
        value = read(self)
        return None if value is None else enum(value)

    wrapped: property = type(field)(fget=get, fset=field._fset, frozen=field.fset is None)
    wrapped.__doc__ = field.__doc__
    return wrapped
