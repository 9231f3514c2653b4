"""The options of classes and fields that express the found facts.

In: a found class or field, and its inherited options.  Out: the options with their values as text,
those at their defaults left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from msgspec import UNSET, Struct

from tschema.importer.records import FoundClass, FoundDefault, FoundField, FoundParameter
from tschema.ir.model import ROOT_KEY


class Relatives(Struct, frozen=True, dict=True):
    """The inputs of a class's options besides the class."""

    classes: Mapping[str, FoundClass]
    """All that are declared, by key."""
    extern: frozenset[str]
    """The keys of those of other libraries."""
    cpp_namespace: Callable[[str], str]
    """Returns the namespace of C++ that a type key has unless its class says otherwise."""
    is_in_place: bool = False
    """Whether the author's headers keep the classes, and with them their registrations."""

    @cached_property
    def _children(self) -> dict[str, list[FoundClass]]:
        children: dict[str, list[FoundClass]] = {}
        for one in self.classes.values():
            children.setdefault(one.parent or ROOT_KEY, []).append(one)
        return children

    def children(self, key: str) -> list[FoundClass]:
        """Return the classes right below one."""
        return self._children.get(key, [])

    def parent(self, found: FoundClass) -> FoundClass | None:
        """Return the parent of a class, if it is declared."""
        return self.classes.get(found.parent or ROOT_KEY)

    def fields(self, found: FoundClass) -> tuple[FoundField, ...]:
        """Return the fields of a class, inherited ones first."""
        parent = self.parent(found)
        return (*(self.fields(parent) if parent else ()), *found.fields)

    def structural(self, found: FoundClass | None) -> str | None:
        """Return the structural kind that the children of a class inherit."""
        if found is None:
            return "tree"
        if not found.registered and found.key not in self.extern:
            return self.structural(self.parent(found))
        return found.structural

    def is_unregistered(self, found: FoundClass) -> bool:
        """Return whether only C++ knows a class, and all below it."""
        below = self.children(found.key or "")
        return not found.registered and all(self.is_unregistered(child) for child in below)

    def slots(self, found: FoundClass) -> int:
        """Return the child slots that the children of a class need."""
        children = self.children(found.key or "")
        return sum(1 + (child.child_slots or 0) for child in children)


def class_options(found: FoundClass, relatives: Relatives) -> Iterator[tuple[str, str]]:
    """Yield the options of a class: names, and values as text."""
    yield "type_key", quoted(found.key or "")
    is_extern = found.key in relatives.extern
    yield from (_extern_options if is_extern else _own_options)(found, relatives)


def _extern_options(found: FoundClass, relatives: Relatives) -> Iterator[tuple[str, str]]:
    if found.cpp_namespace not in (None, relatives.cpp_namespace(found.key or "")):
        yield "cpp_namespace", quoted(found.cpp_namespace or "")
    yield "extern", "True" if found.header is None else quoted(found.header)
    if found.size is not None:
        yield "size", str(found.size)
    if found.name is not None:
        yield from _reference_kind(found)
    if found.polymorphic:
        yield "polymorphic", "True"


def _own_options(found: FoundClass, relatives: Relatives) -> Iterator[tuple[str, str]]:
    key, parent = found.key or "", relatives.parent(found)
    children = relatives.children(key)
    if found.cpp_namespace not in (None, relatives.cpp_namespace(key)):
        yield "cpp_namespace", quoted(found.cpp_namespace or "")
    if found.cpp_base is not None:
        yield "cpp_base", quoted(found.cpp_base)
    is_unregistered = relatives.is_unregistered(found)
    if (found.abstract or not found.registered) and not is_unregistered:
        yield "abstract", "True"
    if found.name is not None and not children and not found.final and not found.abstract:
        yield "final", "False"
    if found.mutable:
        yield "mutable", "True"
    # Only an `ObjectDef` tells the kind; without one it is the parent's.
    if found.registered and found.structural != relatives.structural(parent):
        yield "structural", repr(found.structural).replace("'", '"')
    reserve = (found.child_slots or 0) - relatives.slots(found)
    if reserve > 0:
        yield "reserve", str(reserve)
    if found.default_constructible:
        yield "default_constructible", "True"
    if found.name is not None:
        yield from _reference_options(found, relatives)
    if found.polymorphic:
        yield "polymorphic", "True"
    if is_unregistered:
        yield "register", "False"
    elif relatives.is_in_place:
        yield "register", quoted("hand")


def _reference_kind(found: FoundClass) -> Iterator[tuple[str, str]]:
    """Yield which reference class there is."""
    reference = found.reference
    last = (found.key or "").rpartition(".")[2]
    if reference is None:
        yield "ref", "None"
        if found.name == last:
            # C++ has no second class of the name; Python and Rust have one.
            yield "ref_name", quoted(f"{last}Ref")
        return
    if reference.name != last:
        yield "ref_name", quoted(reference.name)
    if reference.by_hand:
        yield "ref", '"hand"'
    elif reference.nullable:
        yield "ref", '"nullable"'


def _reference_options(found: FoundClass, relatives: Relatives) -> Iterator[tuple[str, str]]:
    yield from _reference_kind(found)
    reference = found.reference
    if reference is None or reference.by_hand:
        return
    if not found.abstract:
        yield from _constructor_options(reference.constructors, relatives.fields(found))
    if reference.cow:
        yield "cow", "True"


def _constructor_options(
    constructors: tuple[tuple[FoundParameter, ...], ...], fields: tuple[FoundField, ...]
) -> Iterator[tuple[str, str]]:
    if not constructors:
        yield "ref_init", "None"
        return
    taken = [field.type for field in fields if field.init and field.registered]
    if [[param.type for param in one] for one in constructors] != [taken]:
        yield "ref_init", '"hand"'


def field_options(field: FoundField) -> Iterator[tuple[str, str]]:
    """Yield the options of a field, its default first: names, and values as text."""
    yield from default_option(field.default)
    if not field.init:
        yield "init", "False"
    if field.kw_only:
        yield "kw_only", "True"
    if field.structural is not None:
        yield "structural", quoted(field.structural)
    if not field.repr:
        yield "repr", "False"
    if not field.registered:
        yield "register", "False"
    if field.access != "public":
        yield "access", quoted(field.access)
    if field.cpp_name is not None:
        yield "cpp_name", quoted(field.cpp_name)
    if field.cpp_type is not None:
        yield "cpp_type", quoted(field.cpp_type)
    if field.mutable:
        yield "mutable", "True"
    if field.cpp_init is not None:
        yield "cpp_init", quoted(field.cpp_init)


def default_option(default: FoundDefault | None) -> Iterator[tuple[str, str]]:
    """Yield the option that gives a default, unless only C++ can say it."""
    if default is None:
        return
    if default.factory is not None:
        yield "default_factory", default.factory
    elif default.value is not UNSET:
        value = default.value
        yield "default", quoted(value) if isinstance(value, str) else repr(value)


def quoted(text: str) -> str:
    """Return a text as Python writes it, in double quotes."""
    inner = repr(f"'{text}")[2:-1]
    return f'"{inner}"' if '"' not in text else repr(text)
