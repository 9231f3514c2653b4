"""Data classes: each class that declares object information, with all that belongs to it.

In: a `Program`, its reference classes and types.  Out: `FoundClass`es without layout.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from msgspec import Struct, field

from tschema.importer.headers.chains import ChainReader, RegisteredMembers
from tschema.importer.headers.comments import doc_of
from tschema.importer.headers.declarations import RawClass
from tschema.importer.headers.fields import FieldReader, RegisteredField
from tschema.importer.headers.library_types import (
    POLYMORPHIC_KEYS,
    ROOT_CLASSES,
    ROOT_STRUCTURAL,
)
from tschema.importer.headers.object_declarations import Declaration
from tschema.importer.headers.program import Program
from tschema.importer.headers.references import RawReference, found_reference
from tschema.importer.headers.registrations import Registration, visited_attributes
from tschema.importer.headers.signatures import SignatureReader
from tschema.importer.headers.traits import FieldTraits
from tschema.importer.headers.type_refs import TypeTable
from tschema.importer.records import FoundClass, FoundReference, Location

Structural = Literal["tree", "dag", "var", "const_tree", "unique"]
_STRUCTURAL: dict[str, Structural] = {
    "kTVMFFISEqHashKindTreeNode": "tree",
    "kTVMFFISEqHashKindDAGNode": "dag",
    "kTVMFFISEqHashKindFreeVar": "var",
    "kTVMFFISEqHashKindConstTreeNode": "const_tree",
    "kTVMFFISEqHashKindUniqueInstance": "unique",
}


class ClassReader(Struct):
    """Reads the data classes of a program."""

    program: Program
    types: TypeTable
    declared: Mapping[str, Declaration]
    references: Mapping[str, RawReference]
    """By full name of the data class."""
    registrations: Mapping[str, list[Registration]]
    """By full name of the data class."""
    with_init: set[str] = field(default_factory=set)
    """Full names of the classes that were read and register a constructor."""

    def read(self, declared: Declaration) -> FoundClass:
        """Return the record of one class."""
        raw, full = declared.raw, declared.full
        registered = self._registered(declared)
        if registered.has_init:
            self.with_init.add(full)
        reasons = [*self._shape(declared), *registered.unsaid]
        fields = FieldReader(self.types, registered.fields, self._inherited(full), reasons)
        parts = ((self.program.classes[at], self.program.body(at)) for at in self._parts(declared))
        found = FoundClass(
            key=declared.key,
            parent=self._key(declared.parent),
            name=raw.name,
            cpp_namespace="::".join(raw.scope),
            header=raw.source.header,
            outer=raw.outer,
            cpp_base=self._untyped_base(declared),
            reference=self._reference(declared),
            doc=registered.doc or self._class_doc(declared),
            fields=tuple(fields.read([*parts])),
            methods=tuple(registered.methods),
            registered=full in self.registrations or self._is_registered_by_macro(raw),
            final=declared.is_final,
            mutable=self.program.constant(full, "_type_mutable") == "true",
            structural=self._structural(full),
            polymorphic=self._is_polymorphic(full),
            child_slots=self._child_slots(declared),
            location=Location(raw.source.path, raw.source.line(raw.node.start_byte)),
        )
        found.by_hand = tuple(self._untyped_members(declared))
        found.unsaid = tuple(dict.fromkeys(reasons))
        found.omitted = tuple(dict.fromkeys((*registered.omitted, *fields.omitted)))
        return found

    def _class_doc(self, declared: Declaration) -> str:
        """Return the documentation of a class, which need not point to its reference class."""
        raw, reference = declared.raw, self.references.get(declared.full)
        # A comment behind the class names what ends there.
        doc = doc_of(raw.source, raw.node.start_byte, raw.node.start_byte)
        own = f"See also: {reference.raw.name}" if reference is not None else None
        return "\n\n".join(part for part in doc.text.split("\n\n") if part != own)

    def _parts(self, declared: Declaration) -> list[str]:
        """Return the untyped bases with members, outermost first, then the class itself."""
        return [*reversed([*self._untyped_bases(declared)]), declared.full]

    def _inherited(self, full: str) -> set[str]:
        """Return the names of all members of a class's bases."""
        bases = [base for base in self.program.bases(full) if base in self.program.classes][1:]
        return {member.name for base in bases for member in self.program.body(base).members}

    def _key(self, full: str) -> str | None:
        """Return the type key of a class; None where nothing tells it."""
        if full in self.declared:
            return self.declared[full].key
        return ROOT_CLASSES.get(self.types.full_name(full, ()))

    def _shape(self, declared: Declaration) -> Iterator[str]:
        """Yield why no schema can say the class, from where and how it is defined."""
        raw = declared.raw
        if raw.is_template:
            yield "it is a template"
        if raw.outer is not None and not raw.is_public_member:
            yield f"it is nested in `{raw.outer}`"
        if raw.is_unnamed:
            yield "it stands in an unnamed namespace"
        if len(raw.bases) > 1:
            yield f"it has several bases: {', '.join(f'`{base.name}`' for base in raw.bases)}"
        if any(base.is_virtual for base in raw.bases):
            yield f"its base `{raw.bases[0].name}` is virtual"
        if declared.key is None:
            yield f"its type key `{declared.written_key}` is not a literal"
        if self._key(declared.parent) is None:
            yield unknown_parent(declared.parent)
        other = self._other_parent(declared)
        if other is not None:
            yield f"it derives from `{other}`, and declares `{declared.parent}` as its parent"
        for base in self._untyped_bases(declared):
            name = base.rpartition("::")[2]
            if len(self.program.classes[base].bases) > 1:
                yield f"its base `{name}` has several bases"
            body = self.program.body(base)
            if body.members and any(one.is_virtual for one in body.functions):
                yield f"its base `{name}` is untyped and has members and virtual functions"
        yield from self._conditions(declared)
        for macro in self.program.other_macros.get(declared.full, ()):
            yield f"macro `{macro}` in it may declare members"
        for text in self.program.body(declared.full).unread:
            yield f"`{text}` in it cannot be read"

    def _untyped_members(self, declared: Declaration) -> Iterator[str]:
        """Yield the bases without a type key that have members: the class has these fields."""
        for base in self._untyped_bases(declared):
            if self.program.body(base).members:
                yield f"its base `{base.rpartition('::')[2]}` is untyped and has members"

    def _conditions(self, declared: Declaration) -> Iterator[str]:
        raw = declared.raw
        for condition in raw.source.conditions:
            if condition.start <= raw.node.start_byte and raw.node.end_byte <= condition.end:
                yield f"it stands under `{condition.text}`"
        for at in self._parts(declared):
            part = self.program.classes[at]
            for member in self.program.body(at).members:
                for condition in part.source.conditions:
                    is_inside = part.node.start_byte <= condition.start <= member.start
                    if is_inside and member.start < condition.end:
                        yield f"member `{member.name}` stands under `{condition.text}`"

    def _other_parent(self, declared: Declaration) -> str | None:
        """Return the nearest base with a type key, where it is not the declared parent."""
        parent = self.types.full_name(declared.parent, ())
        for base in [*self.program.bases(declared.full)][1:]:
            full = self.types.full_name(base, ())
            if full == parent:
                return None
            if base in self.declared or full in ROOT_CLASSES:
                return full
        return None

    def _untyped_bases(self, declared: Declaration) -> Iterator[str]:
        """Yield the classes between a class and its parent, from the class up."""
        for full in [*self.program.bases(declared.full)][1:]:
            is_root = self.types.full_name(full, ()) in ROOT_CLASSES
            if full in self.declared or is_root or full not in self.program.classes:
                return
            yield full

    def _untyped_base(self, declared: Declaration) -> str | None:
        """Return the base as written, where it is another class than the parent."""
        if not declared.raw.bases:
            return None
        written = declared.raw.bases[0].name
        base = self.program.find_class(written, declared.raw.scope) or written
        same = {declared.parent, self.types.full_name(declared.parent, ())}
        is_parent = base in same or self.types.full_name(base, ()) in same
        return None if is_parent else written

    def _reference(self, declared: Declaration) -> FoundReference | None:
        chosen = self.references.get(declared.full)
        if chosen is None:
            return None
        source = chosen.raw.source
        location = Location(source.path, source.line(chosen.raw.node.start_byte))
        return found_reference(chosen, SignatureReader(self.program, self.types), location)

    def _registered(self, declared: Declaration) -> RegisteredMembers:
        reader = ChainReader(SignatureReader(self.program, self.types))
        for registration in self.registrations.get(declared.full, ()):
            reader.read(registration)
        if declared.full not in self.registrations:
            self._read_visitor(declared, reader.found)
        return reader.found

    def _read_visitor(self, declared: Declaration, found: RegisteredMembers) -> None:
        """Read what older code shows to its `AttrVisitor`."""
        body = self.program.body(declared.full)
        source = declared.raw.source
        for function in body.functions:
            if function.name == "VisitAttrs":
                text = source.slice(function.start, function.end)
                for name, member in visited_attributes(text):
                    registered = RegisteredField(name, member, False, FieldTraits())
                    found.fields.setdefault(member, []).append(registered)

    def _is_registered_by_macro(self, raw: RawClass) -> bool:
        return any(one.name == "VisitAttrs" for one in self.program.body(raw.full_name).functions)

    def _structural(self, full: str) -> Structural | None:
        written = self.program.constant(full, "_type_s_eq_hash_kind")
        if written is None:
            roots = (ROOT_CLASSES.get(base, "") for base in self.program.bases(full))
            return next((ROOT_STRUCTURAL[key] for key in roots if key in ROOT_STRUCTURAL), None)
        return _STRUCTURAL.get(written.rpartition("::")[2])

    def _is_polymorphic(self, full: str) -> bool:
        for base in self.program.bases(full):
            if ROOT_CLASSES.get(base) in POLYMORPHIC_KEYS:
                return True
            if base in self.program.classes and any(
                function.is_virtual for function in self.program.body(base).functions
            ):
                return True
        return False

    def _child_slots(self, declared: Declaration) -> int | None:
        if declared.is_final:
            return 0
        written = self.program.constant(declared.full, "_type_child_slots")
        return int(written) if written is not None and written.isdigit() else None


def has_plain_layout(found: FoundClass) -> bool:
    """Return whether the text tells which members there are, one after the other."""
    return not any(
        "has several bases" in reason or reason.startswith("member `") for reason in found.unsaid
    )


def unknown_parent(name: str) -> str:
    """Return the reason for a class whose parent has no type key in these files."""
    return f"its parent `{name}` declares no type key in these files"


def unknown_bases(reasons: Iterable[str]) -> Iterator[str]:
    """Yield the parents that reasons of classes name as unknown."""
    pattern = re.escape(unknown_parent("NAME")).replace("NAME", "(.+)")
    for reason in reasons:
        match = re.fullmatch(pattern, reason)
        if match is not None:
            yield match[1]
