"""Registrations of an older build of a library that a newer build lacks or has changed.

In: two registries.  Out: lines that name a type, a member and the change.  New things and
documentation do not count: code that used the older library does not see them.  The behavior of
functions and hooks cannot be compared: their presence and their types can.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from msgspec import UNSET, Struct
from msgspec.structs import replace

from tschema.importer.registry.ask import (
    ProbedDefault,
    ProbedField,
    ProbedMethod,
    ProbedType,
    Registry,
)

_CONSTRUCTOR = "__ffi_init__"
_Member = TypeVar("_Member", ProbedField, ProbedMethod)


class Change(Struct, frozen=True, kw_only=True):
    """Something that a library registers otherwise than an older build of it."""

    text: str
    """The line for people."""
    key: str | None = None
    """The type that it is of."""
    member: str | None = None
    """The field, method or hook of it."""
    fact: str = ""
    """The changed property: `type`, `default`, `set of flags`, `creator`, `hook`."""
    before: object = None
    after: object = None

    def __str__(self) -> str:
        """Return the line for people."""
        return self.text


def registry_changes(old: Registry, new: Registry) -> Iterator[Change]:
    """
    Yield the changes.

    Parameters
    ----------
    old
        The registrations of the older library.
    new
        The registrations of the newer library.
    """
    types = {one.key: one for one in new.types}
    for one in old.types:
        if not one.own:
            continue
        found = types.get(one.key)
        if found is None:
            yield Change(text=f"`{one.key}` is not registered any more", key=one.key)
        else:
            for change in _type_changes(one, found):
                yield replace(change, key=one.key, text=f"`{one.key}`: {change.text}")
    for name in sorted({*old.functions} - {*new.functions}):
        yield Change(text=f"function `{name}` is not registered any more")
    for name, before in old.signatures.items():
        before, after = map(_plain_schema, (before, new.signatures.get(name, "")))
        if name in new.functions and before != after:
            yield Change(text=f"the type of function `{name}` was {before}, and is {after}")


def _type_changes(old: ProbedType, new: ProbedType) -> Iterator[Change]:
    for word, before, after in (
        ("parent", old.parent, new.parent),
        ("size in bytes", old.size, new.size),
        ("structural kind", old.structural, new.structural),
        ("number of child slots", old.child_slots, new.child_slots),
        ("creator", old.creator, new.creator),
        ("metadata", old.registered, new.registered),
    ):
        if before != after:
            text = f"its {word} was {before}, and is {after}"
            yield Change(text=text, fact=word, before=before, after=after)
    ours, theirs = _numbered(old.fields), _numbered(new.fields)
    if [name for name in theirs if name in ours] != [name for name in ours if name in theirs]:
        yield Change(text="its fields are registered in another order")
    for name, field in ours.items():
        yield from _member_changes("field", field.name, _facts(field), theirs.get(name))
    methods = _numbered(new.methods)
    for name, method in _numbered(old.methods).items():
        if method.name == _CONSTRUCTOR and method.name in new.hooks:
            continue  # Releases of tvm-ffi look for it in either place.
        yield from _member_changes("method", method.name, _facts(method), methods.get(name))
    for hook, value in old.hooks.items():
        if hook not in new.hooks:
            text = f"hook `{hook}` is not registered any more"
            yield Change(text=text, member=hook, fact="hook", before=value)
        elif value != new.hooks[hook]:
            yield Change(text=f"hook `{hook}` was {value}, and is {new.hooks[hook]}", member=hook)


def _numbered(members: Iterable[_Member]) -> dict[tuple[str, int], _Member]:
    """Return members by name, and by how many before have that name: overloads share one."""
    found: dict[tuple[str, int], _Member] = {}
    counts: Counter[str] = Counter()
    for one in members:
        found[one.name, counts[one.name]] = one
        counts[one.name] += 1
    return found


def _member_changes(
    kind: str, name: str, before: Mapping[str, object], new: ProbedField | ProbedMethod | None
) -> Iterator[Change]:
    if new is None:
        yield Change(text=f"{kind} `{name}` is not registered any more", member=name)
        return
    for word, fact in _facts(new).items():
        if before[word] != fact:
            was, now = map(_shown, (before[word], fact))
            text = f"the {word} of {kind} `{name}` was {was}, and is {now}"
            yield Change(text=text, member=name, fact=word, before=before[word], after=fact)


def _shown(fact: object) -> str:
    """Return a fact for people: a default as its value, or by its factory."""
    if isinstance(fact, ProbedDefault):
        return repr(fact.literal) if fact.literal is not UNSET else f"made by {fact.factory}"
    return "absent" if fact is None else str(fact)


def _facts(member: ProbedField | ProbedMethod) -> dict[str, object]:
    """Return the facts of a member, by words for messages."""
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
