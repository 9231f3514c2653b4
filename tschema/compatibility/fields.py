"""Changes of fields, and of the constructor's arguments.

In: two versions of a class.  Out: changes.  A field counts where it is declared; the constructor's
arguments count where their order is stated.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from tschema.compatibility.rules import Change
from tschema.compatibility.stored import former_fields, is_filled_in, removed_fields
from tschema.compatibility.types import is_wider
from tschema.ir.model import Default, Field, Schema, Type
from tschema.project.config import Level

_DATA: frozenset[Level] = frozenset({"data"})
_NONE: frozenset[Level] = frozenset()


def compare_fields(old: Schema, before: Type, new: Schema, after: Type) -> Iterator[Change]:
    """Yield the changes of a class's own fields, and of its arguments, that break something."""
    fields = {field.name: field for field in new.fields(after)}
    former, removed = former_fields(new, after), removed_fields(new, after)
    known = {field.name for field in old.fields(before)}
    known |= {former[name] for name in known if name in former}
    for field in before.fields:
        name = field.name if field.name in fields else former.get(field.name)
        if name is None:
            message = f"field `{field.name}` of `{after.key}` is gone"
            spared = _DATA if field.name in removed else _NONE
            yield Change("TS110", message, after.key, spared=spared)
            continue
        if name != field.name:
            message = f"field `{field.name}` of `{after.key}` is called `{name}`"
            yield Change("TS118", message, after.key, name)
        yield from _compare(after.key, field, fields[name], new)
    for field in after.fields:
        if field.name not in known and field.init and field.default is None:
            message = f"new field `{field.name}` of `{after.key}` has no default"
            spared = _DATA if is_filled_in(field) else _NONE
            yield Change("TS111", message, after.key, field.name, spared=spared)
    yield from _arguments(old, before, new, after)


def _compare(key: str, before: Field, after: Field, new: Schema) -> Iterator[Change]:
    what = f"field `{after.name}` of `{key}`"
    if before.type != after.type:
        message = f"{what} is `{after.type}`, and was `{before.type}`"
        code = "TS113" if is_wider(before.type, after.type, new) else "TS112"
        yield Change(code, message, key, after.name)
    if before.structural != after.structural:
        message = f"{what} has `structural={_text(after.structural)}`, and had "
        yield Change("TS105", f"{message}`{_text(before.structural)}`", key, after.name)
    yield from _default(what, key, before, after)


def _default(what: str, key: str, before: Field, after: Field) -> Iterator[Change]:
    if before.default is None:
        return
    if _is_same(before.default, after.default):
        if before.default.initializer and before.cpp_init != after.cpp_init:
            message = f"{what} is initialized by `{after.cpp_init or '{}'}`, and was by "
            yield Change("TS116", f"{message}`{before.cpp_init or '{}'}`", key, after.name)
        return
    if after.default is None:
        if after.init:
            spared = _DATA if is_filled_in(after) else _NONE
            message = f"{what} has no default any more"
            yield Change("TS115", message, key, after.name, spared=spared)
    else:
        message = f"{what} is {_value(after.default)} by default, and was {_value(before.default)}"
        yield Change("TS116", message, key, after.name)


def _arguments(old: Schema, before: Type, new: Schema, after: Type) -> Iterator[Change]:
    """Yield how positional calls of the constructor fail, except for fields reported elsewhere."""
    called = former_fields(new, after)
    was = [called.get(name, name) for name in _positions(old, before)]
    now = _positions(new, after)
    names = {field.name for field in new.fields(after)}
    kept = [name for name in was if name in names]
    arguments = set(after.init)
    others = [called.get(name, name) for name in before.init]
    for name in (*kept, *(name for name in others if name not in was and name in names)):
        if name not in arguments:
            message = f"`{name}` is no longer an argument of `{after.key}`"
            yield Change("TS114", message, after.key, name)
    kept = [name for name in kept if name in arguments]
    if now[: len(kept)] != kept:
        message = (
            f"the arguments of `{after.key}` are ({', '.join(now)}), and were ({', '.join(was)})"
        )
        yield Change("TS114", message, after.key)


def _positions(schema: Schema, type_: Type) -> list[str]:
    return [field.name for field in schema.arguments(type_) if not field.kw_only]


def _is_same(before: Default, after: Default | None) -> bool:
    """Return whether two defaults are one value; how C++ spells it does not count."""
    return after is not None and replace(before, cast=None) == replace(after, cast=None)


def _value(default: Default) -> str:
    if default.initializer:
        return "the value of its initializer"
    return f"an empty {default.factory}" if default.factory else f"`{default.literal!r}`"


def _text(flag: str | None) -> str:
    return repr(flag) if flag else "None"
