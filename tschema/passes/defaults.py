"""Default values, from expressions of schema files to `Default`s.

In: a `Value` and the `TypeRef` it must suit.  Out: a `Default`, or the reason that it is invalid.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterable, Iterator, Mapping, Set

from msgspec.structs import replace

from tschema.diagnostics.helps import suggest
from tschema.ir.declarations import FileDecl, Scalar, TypeExpr, Value, missing_import
from tschema.ir.kinds import INTEGER_RANGES, OBJECT_KINDS
from tschema.ir.model import Default, Enum, EnumMember, TypeRef

_DTYPE = re.compile(
    r"(bool|handle|void|u?int(1|2|4|8|16|32|64|128)|float(16|32|64)|bfloat16"
    r"|float8_(e3m4|e4m3(b11fnuz|fn|fnuz)?|e5m2(fnuz)?|e8m0fnu)|float6_e[23]m[23]fn|float4_e2m1fn)"
    r"(x[1-9]\d{0,4})?"
)
_FLOAT32_MAX = 3.4028234663852886e38


class BadDefault(Exception):
    """A default that does not suit its type: why, and what would."""

    def __init__(self, reason: str, help: str | None = None) -> None:
        self.reason = reason
        self.help = help
        super().__init__(reason)


def make_default(
    value: Value,
    ref: TypeRef,
    written: TypeExpr,
    file: FileDecl,
    enums: Mapping[str, Enum],
    nullable: Set[str] = frozenset(),
) -> Default:
    """Return the default that a value makes for a type.

    Parameters
    ----------
    ref, written
        The type of the field or parameter, and its annotation for messages.
    file
        Where the value is written; its scope gives enum members their names.
    enums
        By absolute name, such as `schema.tir.stmt.ForKind`.
    nullable
        Type keys of classes whose references may be null.

    Raises
    ------
    BadDefault
        The value has no such type, or cannot be a default at all.
    """
    if value.kind == "empty":
        return make_factory(Value("name", "list", value.place), ref, written)
    if value.kind in ("list", "dict"):
        raise BadDefault("it is mutable", f"use `default_factory={value.kind}`")
    if value.kind == "other":
        raise BadDefault("it is neither a literal nor an enum's member")
    if value.kind == "cast":
        return _cast(str(value.value), ref, written, file, enums)
    if value.kind == "name":
        return _member(str(value.value), _alternatives(ref), file, enums)
    if value.value is None and ref.key in nullable:
        return Default(value=None)
    return _first(value.value, ref, written)


def make_factory(value: Value, ref: TypeRef, written: TypeExpr) -> Default:
    """Return the default that a factory makes for a type.

    Raises
    ------
    BadDefault
        The factory is neither `list` nor `dict`, or makes another type.
    """
    if value.kind != "name" or value.value not in ("list", "dict"):
        raise BadDefault("a factory is either `list` or `dict`")
    kinds = {one.kind for one in _alternatives(ref)}
    if value.value == "list" and kinds & {"Array", "List"}:
        return Default(factory="list")
    if value.value == "dict" and kinds & {"Map", "Dict"}:
        return Default(factory="dict")
    raise BadDefault(f"`{value}` does not make `{written}`")


def is_dtype(text: str) -> bool:
    """Return whether a text is the name of a data type."""
    return _DTYPE.fullmatch(text) is not None


def _alternatives(ref: TypeRef) -> tuple[TypeRef, ...]:
    """Return the types that a value may have, taking optionals and unions apart."""
    if ref.kind not in ("Optional", "Union"):
        return (ref,)
    return tuple(one for arg in ref.args for one in _alternatives(arg))


def _first(value: Scalar, ref: TypeRef, written: TypeExpr) -> Default:
    """Make the default of the first alternative that takes the value."""
    if value is None:
        if ref.kind in ("Optional", "Any"):
            return Default(value=None)
        raise BadDefault(
            f"None is not a valid `{written}`", f"make the type `ty.Optional[{written}]`"
        )
    problems: list[BadDefault] = []
    for one in _alternatives(ref):
        try:
            return _literal(value, one, written)
        except BadDefault as problem:
            problems.append(problem)
    if len(problems) == 1:
        raise problems[0]
    raise BadDefault(f"{value!r} is not a valid `{written}`")


def _cast(
    name: str, ref: TypeRef, written: TypeExpr, file: FileDecl, enums: Mapping[str, Enum]
) -> Default:
    """Make the default of an integer that is the value of an enum's member."""
    enum, member = _find_member(name, file, enums)
    made = _first(member.value, ref, written)
    return replace(made, cast=f"{enum.key}.{member.name}")


def _member(
    name: str, refs: Iterable[TypeRef], file: FileDecl, enums: Mapping[str, Enum]
) -> Default:
    kinds = tuple(refs)
    enum, member = _find_member(name, file, enums)
    if enum.key not in {ref.key for ref in kinds}:
        is_integer = any(ref.kind in INTEGER_RANGES for ref in kinds)
        help = f"write `int({name})`" if is_integer else None
        raise BadDefault(f"`{name}` is a member of another type", help)
    return Default(value=member.name)


def _find_member(name: str, file: FileDecl, enums: Mapping[str, Enum]) -> tuple[Enum, EnumMember]:
    holder, _, member = file.qualify(name).rpartition(".")
    enum = enums.get(holder)
    if enum is None:
        raise BadDefault(
            f"`{name}` is neither a literal nor an enum's member",
            missing_import(name, file.scope) or suggest(name, _known_members(file, enums)),
        )
    for one in enum.members:
        if one.name == member:
            return enum, one
    known = ", ".join(f"`{one.name}`" for one in enum.members)
    raise BadDefault(f"enum `{enum.name}` has no member `{member}`", f"it has {known}")


def _known_members(file: FileDecl, enums: Mapping[str, Enum]) -> Iterator[str]:
    for local, target in file.scope.items():
        for member in enums[target].members if target in enums else ():
            yield f"{local}.{member.name}"


def _literal(value: Scalar, ref: TypeRef, written: TypeExpr) -> Default:
    kind = ref.kind
    if kind in INTEGER_RANGES:
        return _integer(value, ref, written)
    if kind in ("float32", "float64"):
        return _float(value, ref, written)
    if kind == "enum":
        raise BadDefault(f"{value!r} is not a member of `{written}`", "name the member")
    if kind in OBJECT_KINDS or kind == "Device":
        raise BadDefault(f"no literal makes `{written}`", "make it optional, with default None")
    return _text(value, ref, written)


def _integer(value: Scalar, ref: TypeRef, written: TypeExpr) -> Default:
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadDefault(f"{value!r} is not a valid `{written}`")
    low, high = INTEGER_RANGES[ref.kind]
    if not low <= value <= high:
        raise BadDefault(f"{value} does not fit in `{written}`", f"it holds {low} to {high}")
    return Default(value=value)


def _float(value: Scalar, ref: TypeRef, written: TypeExpr) -> Default:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadDefault(f"{value!r} is not a valid `{written}`")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number) or (ref.kind == "float32" and abs(number) > _FLOAT32_MAX):
        raise BadDefault(f"{value} does not fit in `{written}`")
    if isinstance(value, int) and _held(number, ref) != value:
        nearest = int(_held(number, ref))
        raise BadDefault(f"{value} is not exact in `{written}`", f"it holds {nearest}")
    return Default(value=number)


def _held(number: float, ref: TypeRef) -> float:
    """Return a number as a field holds it."""
    if ref.kind == "float64":
        return number
    held: float = struct.unpack("f", struct.pack("f", number))[0]
    return held


def _text(value: Scalar, ref: TypeRef, written: TypeExpr) -> Default:
    """Make the default of a bool, a text, a data type, or anything."""
    expected = {"bool": bool, "String": str, "Bytes": bytes, "DataType": str}.get(ref.kind)
    if expected is not None and not isinstance(value, expected):
        raise BadDefault(f"{value!r} is not a valid `{written}`")
    if ref.kind == "DataType" and not _DTYPE.fullmatch(str(value)):
        raise BadDefault(f"{value!r} is not the name of a data type", 'write one such as `"int32"`')
    if ref.kind == "Any":
        _check_any(value)
    if isinstance(value, str) and not _is_unicode(value):
        raise BadDefault("it has lone surrogates")
    return Default(value=value.decode("latin-1") if isinstance(value, bytes) else value)


def _check_any(value: Scalar) -> None:
    if isinstance(value, bytes):
        raise BadDefault("bytes cannot be the default of `ty.Any`")
    if isinstance(value, float) and not math.isfinite(value):
        raise BadDefault(f"{value} does not fit in `ty.float64`")
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise BadDefault(f"{value} does not fit in `ty.int64_t`")


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
