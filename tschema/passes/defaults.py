"""Default values, from what schema files write to `Default`s.

In: a `Value` and the `TypeRef` it must suit.  Out: a `Default`, or the reason why it suits not.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from tschema.declarations import FileDecl, Scalar, Value
from tschema.model import Default, Enum, TypeRef
from tschema.passes.vocabulary import INTEGER_RANGES, is_object_type

__all__ = ["BadDefault", "make_default", "make_factory", "show_type"]

_DTYPE = re.compile(
    r"(bool|handle|void|(int|uint|float|bfloat)[1-9]\d*|float(8|6|4)_\w+)(x[1-9]\d*)?"
)
_FLOAT32_MAX = 3.4028234663852886e38


class BadDefault(Exception):
    """A default that does not suit its type: why, and what would."""

    def __init__(self, reason: str, help: str | None = None) -> None:
        self.reason = reason
        self.help = help
        super().__init__(reason)


def make_default(
    value: Value, ref: TypeRef, file: FileDecl, enums: Mapping[str, Enum]
) -> Default:
    """Return the default that a value makes for a type.

    Parameters
    ----------
    value
        As written.
    ref
        The type of the field or parameter.
    file
        Where the value is written; its scope gives enum members their names.
    enums
        By absolute name, such as `schema.tir.stmt.ForKind`.

    Raises
    ------
    BadDefault
        The value has no such type, or cannot be a default at all.
    """
    if ref.kind == "Optional":
        if value.kind == "literal" and value.value is None:
            return Default(value=None)
        return make_default(value, ref.args[0], file, enums)
    if ref.kind == "Union":
        return _alternative(value, ref, file, enums)
    if value.kind in ("list", "dict"):
        raise BadDefault("a mutable default", f"use `default_factory={value.kind}`")
    if value.kind == "name":
        return _member(str(value.value), ref, file, enums)
    if value.kind == "other":
        raise BadDefault("a default must be a literal or an enum's member")
    return _literal(value.value, ref)


def make_factory(value: Value, ref: TypeRef) -> Default:
    """Return the default that a factory makes for a type.

    Raises
    ------
    BadDefault
        The factory is neither `list` nor `dict`, or makes another type.
    """
    if ref.kind == "Optional":
        return make_factory(value, ref.args[0])
    if value.kind != "name" or value.value not in ("list", "dict"):
        raise BadDefault("a factory must be `list` or `dict`")
    if value.value == "list" and ref.kind in ("Array", "List"):
        return Default(factory="list")
    if value.value == "dict" and ref.kind in ("Map", "Dict"):
        return Default(factory="dict")
    raise BadDefault(f"`{value}` does not make a `{show_type(ref)}`")


def show_type(ref: TypeRef) -> str:
    """Return a type for a message."""
    name = ref.key.rpartition(".")[2] if ref.key else ref.kind
    args = ", ".join(map(show_type, ref.args))
    return f"{name}[{args}]" if args else name


def _alternative(
    value: Value, ref: TypeRef, file: FileDecl, enums: Mapping[str, Enum]
) -> Default:
    for arg in ref.args:
        try:
            return make_default(value, arg, file, enums)
        except BadDefault:
            continue
    raise BadDefault(f"{value} is no `{show_type(ref)}`")


def _member(name: str, ref: TypeRef, file: FileDecl, enums: Mapping[str, Enum]) -> Default:
    holder, _, member = file.qualify(name).rpartition(".")
    enum = enums.get(holder)
    if enum is None:
        raise BadDefault(f"`{name}` is not a literal", "write a literal or an enum's member")
    if ref.kind != "enum" or ref.key != enum.key:
        raise BadDefault(f"`{name}` is no `{show_type(ref)}`")
    names = [one.name for one in enum.members]
    if member not in names:
        known = ", ".join(f"`{one}`" for one in names)
        raise BadDefault(f"enum `{enum.name}` has no member `{member}`", f"it has {known}")
    return Default(value=member)


def _literal(value: Scalar, ref: TypeRef) -> Default:
    kind = ref.kind
    if value is None and kind != "Any":
        shown = show_type(ref)
        raise BadDefault(f"None is no `{shown}`", f"make the type `ty.Optional[{shown}]`")
    if kind in INTEGER_RANGES:
        return _integer(value, ref)
    if kind in ("float32", "float64"):
        return _float(value, ref)
    if kind == "enum":
        raise BadDefault(f"{value!r} is no member of `{show_type(ref)}`", "name the member")
    if is_object_type(kind) or kind == "Device":
        raise BadDefault(f"a `{show_type(ref)}` has no literal", "make it optional, default None")
    return _text(value, ref)


def _integer(value: Scalar, ref: TypeRef) -> Default:
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadDefault(f"{value!r} is no `{ref.kind}`")
    low, high = INTEGER_RANGES[ref.kind]
    if not low <= value <= high:
        raise BadDefault(f"{value} does not fit in `{ref.kind}`", f"it holds {low} to {high}")
    return Default(value=value)


def _float(value: Scalar, ref: TypeRef) -> Default:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadDefault(f"{value!r} is no `{ref.kind}`")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number) or (ref.kind == "float32" and abs(number) > _FLOAT32_MAX):
        raise BadDefault(f"{value} does not fit in `{ref.kind}`")
    return Default(value=number)


def _text(value: Scalar, ref: TypeRef) -> Default:
    """Make the default of a bool, a text, a data type, or anything."""
    expected = {"bool": bool, "String": str, "Bytes": bytes, "DataType": str}.get(ref.kind)
    if expected is not None and not isinstance(value, expected):
        raise BadDefault(f"{value!r} is no `{ref.kind}`")
    if ref.kind == "DataType" and not _DTYPE.fullmatch(str(value)):
        raise BadDefault(f"{value!r} names no data type", 'write one such as `"int32"`')
    if isinstance(value, str) and not value.isascii() and not _is_unicode(value):
        raise BadDefault("a text with lone surrogates")
    if isinstance(value, float) and not math.isfinite(value):
        raise BadDefault(f"{value} does not fit in `float64`")
    if isinstance(value, bytes):
        if ref.kind == "Any":
            raise BadDefault("bytes cannot be the default of `Any`")
        return Default(value=value.decode("latin-1"))
    if isinstance(value, int) and ref.kind == "Any" and not -(2**63) <= value < 2**63:
        raise BadDefault(f"{value} does not fit in `int64`")
    return Default(value=value)


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
