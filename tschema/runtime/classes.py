"""The decorator of generated classes, an extension of tvm-ffi's `c_class`.

In: a class with annotated fields and a generated `__init__`.  Out: the same class, bound to the
compiled type of its key.  The owner of the type checks values.
"""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Callable, Mapping
from enum import IntEnum
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import tvm_ffi
from tvm_ffi import core, dataclasses

from tschema.ffi_groups import ffi_group
from tschema.runtime.protocols import install_protocols
from tschema.runtime.reserved_names import attribute_name

__all__ = ["MISSING", "c_class", "extern_class"]

_Class = TypeVar("_Class", bound=type)

MISSING: Any = core.MISSING
"""Marks an omitted argument whose default C++ alone knows."""


def c_class(
    type_key: str, *, enums: Mapping[str, type[IntEnum]] | None = None
) -> Callable[[_Class], _Class]:
    """Bind a class to a compiled type.

    Parameters
    ----------
    type_key
        The key under which the type is registered.
    enums
        The fields whose values are enum members, by name.

    Returns
    -------
    decorator
        Installs the fields and the dunder methods of tvm-ffi's `c_class`, but the object runtime's
        where it has them: for `repr`, `pickle`, `copy.deepcopy`, and for `copy.replace`, which
        constructs, so that a copy with changes is checked like any other object.
    """

    def decorate(cls: _Class) -> _Class:
        if type(cls) is _ObjectMeta:
            setattr(cls, "__class__", NodeMeta)  # noqa: B010 - subclasses take it over
        install_protocols(cls)
        _annotate_reserved(cls, type_key)
        # tvm-ffi evaluates the annotations, which name what type checkers alone import.
        setattr(cls, "__no_type_check__", True)  # noqa: B010
        bound = dataclasses.c_class(type_key, init=False)(cls)
        delattr(cls, "__no_type_check__")
        info: Any = core._lookup_or_register_type_info_from_type_key(type_key)
        for reserved in [one for one in info.fields if attribute_name(one.name) != one.name]:
            setattr(bound, attribute_name(reserved.name), reserved.as_property(bound))
        for name, enum in (enums or {}).items():
            setattr(bound, name, _reading(bound.__dict__[name], enum))
        for name, field in vars(bound).items():
            set_name = getattr(field, "__set_name__", None)
            if isinstance(field, property) and set_name is not None:
                set_name(bound, name)  # So that errors name the field.
        return bound

    return decorate


def _annotate_reserved(cls: Any, type_key: str) -> None:
    """Annotate fields under their registered names, for which tvm-ffi looks, as under aliases."""
    if core._object_type_key_to_index(type_key) is None:
        return  # tvm-ffi says so.
    for field in core._lookup_or_register_type_info_from_type_key(type_key).fields:
        alias = attribute_name(field.name)
        if alias != field.name and alias in cls.__annotations__:
            cls.__annotations__[field.name] = cls.__annotations__[alias]


def extern_class(
    type_key: str, *, enums: Mapping[str, type[IntEnum]] | None = None
) -> Callable[[_Class], _Class]:
    """Bind a class to a type of another library, unless that library has a class for it.

    Parameters
    ----------
    type_key
        The key under which the other library has registered the type.
    enums
        The fields whose values are enum members, by name.

    Returns
    -------
    decorator
        Returns the other library's class where there is one, so that its objects are instances of
        it and classes below derive from it.

    Raises
    ------
    ImportError
        By the decorator, if the type is not registered.
    """

    def decorate(cls: _Class) -> _Class:
        if core._object_type_key_to_index(type_key) is None:
            raise ImportError(
                f"`{cls.__module__}` builds on the type `{type_key}` of another library, which is "
                "not registered: import that library first"
            )
        bound: Any = core._lookup_or_register_type_info_from_type_key(type_key).type_cls
        return c_class(type_key, enums=enums)(cls) if bound is None else bound

    return decorate


if TYPE_CHECKING:
    _ObjectMeta = ABCMeta
else:
    _ObjectMeta = type(tvm_ffi.Object)


class NodeMeta(_ObjectMeta):
    """The metaclass of bound classes, whose `__new__` raises an error.

    An object that no constructor has filled in has a null handle, and tvm-ffi reads through it.
    tvm-ffi itself makes wrappers by the slot `tp_new`, which stays as it is and costs nothing;
    an attribute of the metaclass is found by `Class.__new__` alone.
    """

    def __setattr__(cls, name: str, value: object) -> None:
        """Set an attribute, unless it is that of a field called `__dict__` or `__class__`.

        tvm-ffi sets one for each field, and every class has these.
        """
        if not (isinstance(value, property) and hasattr(type, name)):
            super().__setattr__(name, value)


class _GuardedNew:
    """The attribute `__new__` of classes; a data descriptor, so that it precedes theirs."""

    def __get__(self, cls: type | None, meta: type) -> Callable[..., Any]:
        if cls is None:
            return _ObjectMeta.__new__
        own = next(vars(base)["__new__"] for base in cls.__mro__ if "__new__" in vars(base))
        if isinstance(own, staticmethod):  # Written in Python, in a subclass.
            return own.__func__
        # As a method of C, which `inspect.signature` does not take for the class's own.
        return partial(_refuse_new, cls).__call__

    def __set__(self, cls: type, value: object) -> None:
        raise AttributeError(f"`{cls.__name__}.__new__` cannot be set")


def _refuse_new(cls: type, *_args: object, **_kwargs: object) -> NoReturn:
    raise TypeError(
        f"`{cls.__name__}.__new__` would make an object without content: "
        f"call `{cls.__name__}(...)`, or `tschema.runtime.deep_copy` for a copy"
    )


# tvm-ffi 0.1.12 makes its wrappers by `cls.__new__`. The guard is not in the body of the class,
# where type checkers take it for the metaclass's own.
if ffi_group(tvm_ffi.__version__) != "ffi-0.1.12":
    setattr(NodeMeta, "__new__", _GuardedNew())  # noqa: B010


def _reading(field: Any, enum: type[IntEnum]) -> property:
    """Wrap the descriptor of an integer field."""
    read = field.fget

    def get(self: object) -> IntEnum | None:
        value = read(self)
        return None if value is None else enum(value)

    wrapped: property = type(field)(fget=get, fset=field._fset, frozen=field.fset is None)
    wrapped.__doc__ = field.__doc__
    return wrapped
