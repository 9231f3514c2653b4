"""The fields of a data class: its members in order, with their registrations.

In: a class and its registered fields.  Out: `FoundField`s without offsets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from msgspec import Struct, field

from tschema.importer.headers.comments import doc_of
from tschema.importer.headers.declarations import RawClass
from tschema.importer.headers.fitted_defaults import fitted, unsaid_default
from tschema.importer.headers.members import ClassBody, Member
from tschema.importer.headers.symbols import Scope
from tschema.importer.headers.traits import FieldTraits
from tschema.importer.headers.type_refs import TypeTable
from tschema.importer.records import FoundField, Location


class RegisteredField(Struct):
    """A registered field."""

    name: str
    member: str
    is_writable: bool
    traits: FieldTraits


class FieldReader(Struct):
    """Reads the fields of one class."""

    types: TypeTable
    registered: Mapping[str, list[RegisteredField]]
    """By name of the member."""
    inherited: Set[str]
    """Names of the members of all bases."""
    unsaid: list[str]
    omitted: list[str] = field(default_factory=list)

    def read(self, parts: Sequence[tuple[RawClass, ClassBody]]) -> Iterator[FoundField]:
        """Yield the fields of a class, and of bases that belong to it, in the order of memory."""
        members = {member.name for _, body in parts for member in body.members}
        for name, named in self.registered.items():
            if name not in members and name in self.inherited:
                self.omitted.append(f"the registration of the inherited `{named[0].name}`")
            elif name not in members:
                self.unsaid.append(f"it registers `{named[0].name}`, which is not a member of it")
        for raw, body in parts:
            for member in body.members:
                named = self.registered.get(member.name, [])
                if len(named) > 1:
                    self.unsaid.append(f"it registers `{member.name}` more than once")
                yield self._field(raw, member, named[0] if named else None)

    def _field(
        self, raw: RawClass, member: Member, registered: RegisteredField | None
    ) -> FoundField:
        source = raw.source
        found = self.types.member(member.type, (*raw.scope, raw.name))
        self._check_shape(member)
        made = FoundField(
            name=member.name,
            type=found.ref,
            doc=doc_of(source, member.start, member.end).text,
            registered=registered is not None,
            size=None if member.suffix else found.size,
            align=None if member.suffix else _alignment(member, found.align),
            cpp_type=member.type if found.is_alias and not found.is_foreign else None,
            cpp_init=member.init,
            access=member.access,
            mutable=member.is_mutable,
            location=Location(source.path, source.line(member.start)),
        )
        if registered is not None and found.integer is not None:
            # A schema cannot declare the enum: its values are integers there.
            made.type, made.cpp_type = found.integer, member.type
        elif found.is_foreign:
            self._note_foreign(made, is_registered=registered is not None)
        if registered is not None:
            _apply(made, registered)
            self._fit_default(made, (*raw.scope, raw.name))
        return made

    def _fit_default(self, made: FoundField, scope: Scope) -> None:
        if made.default is None:
            return
        made.default = fitted(made.default, made.type, self.types, scope)
        if not made.default.is_said:
            self.omitted.append(unsaid_default(made.name))

    def _check_shape(self, member: Member) -> None:
        if member.suffix.startswith(":"):
            self.unsaid.append(f"`{member.name}` is a bit-field")
        elif member.suffix:
            self.unsaid.append(f"`{member.name}` is an array")
        elif "(*" in member.type:
            self.unsaid.append(f"`{member.name}` is a pointer to a function without an alias")
        if member.alignas not in (None, "8"):
            self.unsaid.append(f"`{member.name}` asks for an alignment of {member.alignas}")

    def _note_foreign(self, made: FoundField, *, is_registered: bool) -> None:
        """Note the name of a type that the language lacks, or that its size is unknown."""
        if is_registered:
            made.unknown_type = made.type.key if made.type else None
            made.type = None
        elif made.size is None:
            self.unsaid.append(unknown_size(made))


def unknown_size(field: FoundField) -> str:
    """Return the reason of a class with a member of a type whose size the text does not tell."""
    spelling = field.type.key if field.type else ""
    return f"only a compiler knows the size of `{field.name}`, a `{spelling}`"


def _alignment(member: Member, natural: int | None) -> int | None:
    """Return the alignment of a member in bytes; a declaration may ask for more than its type."""
    if member.alignas is None or natural is None:
        return natural
    return max(natural, int(member.alignas)) if member.alignas.isdigit() else None


def _apply(made: FoundField, registered: RegisteredField) -> None:
    traits = registered.traits
    if registered.name != made.name:
        made.cpp_name = made.name
        made.name = registered.name
    made.doc = traits.doc or made.doc
    made.default = traits.default
    made.init = traits.init
    made.kw_only = traits.kw_only
    made.repr = traits.repr
    made.structural = traits.structural
    made.writable = registered.is_writable
