"""The differences between a registry and C++ headers about the same class.

In: two records of one class, a field or a method.  Out: the differences.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET, Struct

from tschema.importer.headers.type_refs import FOREIGN, place_of
from tschema.importer.records import (
    FoundClass,
    FoundDefault,
    FoundField,
    FoundMethod,
    Location,
)
from tschema.ir.kinds import INTEGER_RANGES
from tschema.ir.model import TypeRef

_FLOATS = {"float32", "float64"}


class Difference(Struct, frozen=True):
    """One fact of which a registry and headers say different things."""

    key: str
    """Type key."""
    member: str | None
    """A field or a method; None for the class."""
    fact: str
    """`type`, `offset`, `parent` ..."""
    registry: str
    headers: str
    location: Location | None
    """In the headers; None where they do not have it."""

    @property
    def message(self) -> str:
        """The difference as a sentence."""
        return self._of(f"{self.key}.{self.member}" if self.member else self.key)

    @property
    def message_in_class(self) -> str:
        """The difference as a sentence that follows the key of its class."""
        return self._of(self.member or self.key)

    def _of(self, name: str) -> str:
        if "missing" in (self.registry, self.headers):
            if self.headers == "missing":
                return f"the registry has the {self.fact} `{name}`, and the headers do not"
            return f"the headers have the {self.fact} `{name}`, and the registry does not"
        return (
            f"the {self.fact} of `{name}` is {self.registry} in the registry, "
            f"and {self.headers} in the headers"
        )


def types_agree(registry: TypeRef | None, headers: TypeRef | None) -> bool:
    """Return whether two types may be one; a registry knows neither sign nor width of numbers.

    A type that one of them does not tell agrees with any.
    """
    if registry is None or headers is None or FOREIGN in (registry.kind, headers.kind):
        return True
    if _is_number(registry) or _is_number(headers):
        return _number_class(registry) == _number_class(headers)
    if (registry.kind, registry.key) != (headers.kind, headers.key):
        return False
    pairs = list(zip(registry.args, headers.args, strict=False))
    same_length = len(registry.args) == len(headers.args)
    return same_length and all(types_agree(one, other) for one, other in pairs)


def _is_number(ref: TypeRef) -> bool:
    return _number_class(ref) is not None


def _number_class(ref: TypeRef) -> str | None:
    if ref.kind in INTEGER_RANGES or ref.kind == "enum":
        return "integer"
    return "float" if ref.kind in _FLOATS else None


def class_differences(registry: FoundClass, headers: FoundClass) -> Iterator[Difference]:
    """Yield the differences of the classes themselves, without fields and methods."""
    facts = {
        "parent": (registry.parent, headers.parent),
        "size": (registry.size, headers.size),
        "number of child slots": (registry.child_slots, headers.child_slots),
    }
    for fact, (ours, theirs) in facts.items():
        if ours is not None and theirs is not None and ours != theirs:
            yield _of_class(registry, headers, fact, ours, theirs)
    if registry.registered and registry.structural != headers.structural:
        yield _of_class(
            registry, headers, "structural kind", registry.structural, headers.structural
        )


def _of_class(
    registry: FoundClass, headers: FoundClass, fact: str, ours: object, theirs: object
) -> Difference:
    return Difference(str(registry.key), None, fact, _shown(ours), _shown(theirs), headers.location)


def field_differences(key: str, registry: FoundField, headers: FoundField) -> Iterator[Difference]:
    """Yield what two records of one field differ in."""
    if not types_agree(registry.type, headers.type):
        yield _of_field(key, headers, "type", registry.type, headers.type)
    facts = {
        "offset": (registry.offset, headers.offset),
        "size": (registry.size, _size(headers)),
        "structural role": (registry.structural or "compared", headers.structural or "compared"),
        "place in the constructor": (_place(registry), _place(headers)),
        "writability": (registry.writable, headers.writable),
        "place in the text form": (registry.repr, headers.repr),
    }
    for fact, (ours, theirs) in facts.items():
        if ours is not None and theirs is not None and ours != theirs:
            yield _of_field(key, headers, fact, ours, theirs)
    if not _defaults_agree(registry.default, headers.default):
        ours, theirs = _default(registry.default), _default(headers.default)
        yield Difference(key, headers.name, "default", ours, theirs, headers.location)


def _size(field: FoundField) -> int | None:
    if field.size is None and field.type is not None and field.type.kind != FOREIGN:
        return place_of(field.type)[0]
    return field.size


def _place(field: FoundField) -> str:
    if not field.init:
        return "none"
    return "keyword" if field.kw_only else "positional"


def _of_field(key: str, headers: FoundField, fact: str, ours: object, theirs: object) -> Difference:
    return Difference(key, headers.name, fact, _shown(ours), _shown(theirs), headers.location)


def _defaults_agree(registry: FoundDefault | None, headers: FoundDefault | None) -> bool:
    """Return whether two defaults may be equal; an expression may have any value."""
    if headers is None or registry is None:
        # A registry's default that no literal makes is not recorded.
        return registry is None
    if headers.value is UNSET or registry.value is UNSET:
        return headers.value is UNSET or registry.value is not UNSET or headers.factory is not None
    return registry.value == headers.value


def _default(default: FoundDefault | None) -> str:
    if default is None:
        return "none"
    if default.cpp is not None:
        return f"`{default.cpp}`"
    return f"an empty {default.factory}" if default.factory else f"`{default.value!r}`"


def method_differences(
    key: str, registry: FoundMethod, headers: FoundMethod
) -> Iterator[Difference]:
    """Yield what two records of one method differ in."""
    if registry.static != headers.static:
        kinds = {True: "static", False: "of an object"}
        ours, theirs = kinds[registry.static], kinds[headers.static]
        yield Difference(key, headers.name, "receiver", ours, theirs, headers.location)
    if headers.returns is None:
        return
    ours_types = [param.type for param in registry.params]
    theirs_types = [param.type for param in headers.params]
    pairs = zip(ours_types, theirs_types, strict=False)
    agree = len(ours_types) == len(theirs_types) and all(types_agree(*pair) for pair in pairs)
    if not agree or not types_agree(registry.returns, headers.returns):
        yield Difference(
            key,
            headers.name,
            "signature",
            _signature(registry),
            _signature(headers),
            headers.location,
        )


def _signature(method: FoundMethod) -> str:
    params = ", ".join(str(param.type or "?") for param in method.params)
    return f"`({params}) -> {method.returns or '?'}`"


def _shown(value: object) -> str:
    if value is None:
        return "none"
    return f"`{value}`" if isinstance(value, (TypeRef, str)) else str(value)
