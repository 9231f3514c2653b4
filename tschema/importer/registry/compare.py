"""What a library no longer registers as an older build of it did.

In: two registries.  Out: lines that name a type, a member and what has changed.  New things and
documentation do not count: code that used the older library does not see them.  What functions and
hooks do cannot be compared: that they are there, and their types, can.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from tschema.importer.registry.ask import ProbedField, ProbedMethod, ProbedType, Registry

_CONSTRUCTOR = "__ffi_init__"


def registry_changes(old: Registry, new: Registry) -> Iterator[str]:
    """
    Yield what has changed.

    Parameters
    ----------
    old
        What the older library registers.
    new
        What the newer one does.
    """
    types = {one.key: one for one in new.types}
    for one in old.types:
        if not one.own:
            continue
        found = types.get(one.key)
        if found is None:
            yield f"`{one.key}` is not registered any more"
        else:
            yield from (f"`{one.key}`: {change}" for change in _type_changes(one, found))
    for name in sorted({*old.functions} - {*new.functions}):
        yield f"function `{name}` is not registered any more"
    for name, before in old.signatures.items():
        before, after = map(_plain_schema, (before, new.signatures.get(name, "")))
        if name in new.functions and before != after:
            yield f"the type of function `{name}` was {before}, and is {after}"


def _type_changes(old: ProbedType, new: ProbedType) -> Iterator[str]:
    for word, before, after in (
        ("parent", old.parent, new.parent),
        ("size in bytes", old.size, new.size),
        ("structural kind", old.structural, new.structural),
        ("number of child slots", old.child_slots, new.child_slots),
        ("creator", old.creator, new.creator),
        ("metadata", old.registered, new.registered),
    ):
        if before != after:
            yield f"its {word} was {before}, and is {after}"
    names = [one.name for one in old.fields]
    fields = {one.name: one for one in new.fields}
    if [name for name in fields if name in names] != [name for name in names if name in fields]:
        yield "its fields are registered in another order"
    for field in old.fields:
        yield from _member_changes("field", field.name, _facts(field), fields.get(field.name))
    methods = {one.name: one for one in new.methods}
    for method in old.methods:
        if method.name == _CONSTRUCTOR and method.name in new.hooks:
            continue  # Releases of tvm-ffi look for it in either place.
        yield from _member_changes("method", method.name, _facts(method), methods.get(method.name))
    for name, hook in old.hooks.items():
        if name not in new.hooks:
            yield f"hook `{name}` is not registered any more"
        elif hook != new.hooks[name]:
            yield f"hook `{name}` was {hook}, and is {new.hooks[name]}"


def _member_changes(
    kind: str, name: str, before: Mapping[str, object], new: ProbedField | ProbedMethod | None
) -> Iterator[str]:
    if new is None:
        yield f"{kind} `{name}` is not registered any more"
        return
    for word, fact in _facts(new).items():
        if before[word] != fact:
            yield f"the {word} of {kind} `{name}` was {before[word]}, and is {fact}"


def _facts(member: ProbedField | ProbedMethod) -> dict[str, object]:
    """Return what a member is, by words for messages."""
    found: dict[str, object] = {
        "type": _type_of(member.metadata),
        "set of flags": ", ".join(sorted(member.flags)) or "empty",
    }
    if isinstance(member, ProbedField):
        found |= {"offset": member.offset, "size": member.size, "default": member.default}
    return found


def _type_of(metadata: str) -> str:
    """Return the type that the metadata of a member tells."""
    try:
        return _plain_schema(str(json.loads(metadata).get("type_schema", "")))
    except (ValueError, AttributeError):
        return metadata


def _plain_schema(text: str) -> str:
    """Return the type of a function without the names of its arguments, where it tells them."""
    try:
        named = json.loads(text).get("named_args")
        arguments = [*named["return"], *named["params"]]
    except (ValueError, AttributeError, TypeError, KeyError):
        return text
    return json.dumps({"type": "ffi.Function", "args": arguments}, separators=(",", ":"))
