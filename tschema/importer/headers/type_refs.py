"""C++ types as types of a schema.

In: the text of a type and the scope in which it is written.  Out: a `TypeRef`, with size and
alignment where they are known.  A type that the schema language lacks is kind `foreign`, with the
spelling as key; nothing is guessed of a name that no file declares.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Set
from typing import cast

from msgspec import Struct, field
from msgspec.structs import replace

from tschema.importer.headers.cpp_types import CppType, parse_type
from tschema.importer.headers.library_types import (
    ARGUMENTS,
    EMPTY_CLASSES,
    FFI,
    FOREIGN_OBJECTS,
    FOREIGN_SIZES,
    KINDS_OF_KEYS,
    LIBRARY_ALIASES,
    LIBRARY_KINDS,
    LIBRARY_NAMES,
    OWN_ARGUMENTS,
    ROOT_CLASSES,
    SCALARS,
    VALUES,
    WRAPPERS,
)
from tschema.importer.headers.symbols import Scope, Symbols
from tschema.ir.model import Field, TypeKind, TypeRef
from tschema.passes.layout import size_and_align

FOREIGN: TypeKind = "foreign"
_MOST_ALIASES = 16


class MemberType(Struct, frozen=True):
    """The type of a data member."""

    ref: TypeRef
    size: int | None
    """Bytes; None where only a compiler knows."""
    align: int | None
    is_alias: bool = False
    """Whether the spelling is another name of the type."""
    is_object: bool = False
    """Whether a foreign type is a reference to an object, which is as large if optional."""
    integer: TypeRef | None = None
    """What reflection reads a foreign type as, which is an enum."""

    @property
    def is_foreign(self) -> bool:
        """Whether the schema language lacks the type."""
        return any(ref.kind == FOREIGN for ref in self.ref.walk())


class EnumType(Struct, frozen=True):
    """The type of a member that has an enum's type."""

    key: str
    size: int
    is_declarable: bool
    """Whether a schema can declare the enum: 32 bits, signed, at namespace level."""
    has_values: bool = True
    """Whether the values of all members are literals."""
    integer: TypeRef | None = None
    """The integers that it has as values."""


class TypeTable(Struct):
    """The meanings of the names of classes and enums."""

    symbols: Symbols
    nodes: Mapping[str, str | None] = field(default_factory=dict)
    """Full name of a reference class to the type key whose reference class it is; None for one that
    is not that of any key."""
    values: Mapping[str, str] = field(default_factory=dict)
    """Full name of a reference class to the type key of the class that it refers to."""
    data_classes: Mapping[str, str] = field(default_factory=dict)
    """Full name of a data class to its type key."""
    enums: Mapping[str, EnumType] = field(default_factory=dict)
    plain_members: Callable[[str], tuple[Scope, tuple[str, ...]] | None] = lambda _: None
    """Returns the types of the members of a class that is nothing but these, by full name."""
    nullable: Set[str] = frozenset()
    """Full names of the reference classes that may refer to nothing."""
    used_enums: set[str] = field(default_factory=set)
    """Full names of those that a type was made of."""
    members: dict[tuple[str, Scope], MemberType] = field(default_factory=dict)
    """Answers of earlier calls."""

    def member(self, text: str, scope: Scope) -> MemberType:
        """Return the type of a data member."""
        request = (text, scope)
        if request not in self.members:
            self.members[request] = self._member(text, parse_type(text), scope, 0)
        return self.members[request]

    def _member(self, text: str, cpp: CppType, scope: Scope, steps: int) -> MemberType:
        spelling = " ".join(text.split())
        if cpp.is_opaque:
            is_pointer = re.search(r"\(\s*\*", text) is not None
            return _foreign(spelling, (8, 8) if is_pointer else None)
        if cpp.indirection:
            return _foreign(spelling, (8, 8))
        if cpp.name in SCALARS:
            scalar = SCALARS[cpp.name]
            return _placed(TypeRef(kind=scalar.kind), is_alias=scalar.is_alias)
        full = self.full_name(cpp.name, scope)
        alias = self.symbols.aliases.get(full)
        if alias is not None and full not in LIBRARY_KINDS:
            if steps > _MOST_ALIASES:
                return _foreign(spelling, None)
            found = self._member(alias.target, parse_type(alias.target), alias.scope, steps + 1)
            # A foreign type keeps the name that compiles here.
            ref = TypeRef(kind=FOREIGN, key=spelling) if found.ref.kind == FOREIGN else found.ref
            return MemberType(ref, found.size, found.align, True, found.is_object)
        if full in LIBRARY_KINDS:
            found = self._library(spelling, LIBRARY_KINDS[full], cpp, scope, steps)
            # `Device` of TVM is `DLDevice`; names of tvm-ffi's own are told apart by adoption.
            is_other = full.startswith("DL") and cpp.name.rpartition("::")[2] != full
            return replace(found, is_alias=True) if is_other else found
        if full in self.enums:
            return self._enum(spelling, full)
        if full in self.nodes:
            key = self.nodes[full]
            if key is not None:
                return _placed(TypeRef(kind="node", key=key))
            # A second reference class is spelled as it is, and refers to the same data class.
            other = self.values.get(full)
            if other is not None:
                return _placed(_reference_to(other), is_alias=True)
            return _foreign_object(spelling)
        if full in FOREIGN_OBJECTS:
            return _foreign_object(spelling)
        return _foreign(spelling, self._size(full, cpp, scope, steps))

    def full_name(self, name: str, scope: Scope) -> str:
        """Return the full name that a name refers to; the name itself if nothing declares it."""
        found = self.symbols.lookup(name, scope)
        if found is not None and found not in LIBRARY_ALIASES:
            return found
        if found is not None:
            return LIBRARY_ALIASES[found]
        # The names of tvm-ffi are known without its headers.
        bare = name.removeprefix("::")
        if "::" not in bare and bare not in _UNMISTAKABLE and not bare.startswith("DL"):
            return bare
        for full in (bare, f"tvm::{bare}", f"{FFI}::{bare}"):
            if full in LIBRARY_ALIASES or full in LIBRARY_NAMES:
                return LIBRARY_ALIASES.get(full, full)
        return bare

    def _library(
        self, spelling: str, kind: TypeKind, cpp: CppType, scope: Scope, steps: int
    ) -> MemberType:
        if steps > _MOST_ALIASES:
            return _foreign(spelling, None)
        spelled = [_spell(arg) for arg in cpp.args]
        args = [
            self._member(text, arg, scope, steps + 1)
            for text, arg in zip(spelled, cpp.args, strict=True)
        ]
        missing = max(0, ARGUMENTS.get(kind, 0) - len(args))
        refs = (*(arg.ref for arg in args), *(TypeRef(kind="Any") for _ in range(missing)))
        ref = TypeRef(kind=kind, args=refs)
        if any(arg.is_foreign for arg in args):
            if kind == "Optional" and self._is_callable(cpp.args[0], scope):
                return _foreign(spelling, (16, 8))
            return _foreign_container(spelling, kind, args)
        return _placed(ref, is_alias=any(arg.is_alias for arg in args))

    def _is_callable(self, cpp: CppType, scope: Scope) -> bool:
        return self.full_name(cpp.name, scope) == f"{FFI}::TypedFunction"

    def _enum(self, spelling: str, full: str) -> MemberType:
        enum = self.enums[full]
        if not enum.is_declarable:
            return replace(_foreign(spelling, (enum.size, enum.size)), integer=enum.integer)
        self.used_enums.add(full)
        return _placed(TypeRef(kind="enum", key=enum.key))

    def _size(self, full: str, cpp: CppType, scope: Scope, steps: int) -> tuple[int, int] | None:
        """Return size and alignment of a type that the schema language lacks, where known."""
        exact = FOREIGN_SIZES.get(_spell(cpp)) or FOREIGN_SIZES.get(full)
        if exact is not None:
            further = cpp.args[OWN_ARGUMENTS.get(full, len(cpp.args)) :]
            return exact if all(self._is_empty(arg, scope) for arg in further) else None
        if full in ("std::optional", "std::atomic", "std::pair", "std::array"):
            return self._composed_size(full, cpp, scope, steps)
        return self._struct_size(full, steps)

    def _is_empty(self, cpp: CppType, scope: Scope) -> bool:
        """Return whether a class has no members, so that it takes no place in a container."""
        full = self.full_name(cpp.name, scope)
        plain = self.plain_members(full)
        return full in EMPTY_CLASSES or (plain is not None and plain[1] == ())

    def _struct_size(self, full: str, steps: int) -> tuple[int, int] | None:
        """Return size and alignment of a class that has nothing but members of known sizes."""
        plain = self.plain_members(full) if steps <= _MOST_ALIASES else None
        if plain is None:
            return None
        scope, texts = plain
        parts = [self._member(text, parse_type(text), scope, steps + 1) for text in texts]
        sizes = [(part.size, part.align) for part in parts if part.size and part.align]
        if not sizes or len(sizes) != len(parts):
            return None
        return (_laid_out(sizes), max(align for _, align in sizes))

    def _composed_size(
        self, full: str, cpp: CppType, scope: Scope, steps: int
    ) -> tuple[int, int] | None:
        """Return size and alignment of a template whose layout follows from its arguments."""
        if steps > _MOST_ALIASES:
            return None
        types = cpp.args[:1] if full == "std::array" else cpp.args
        parts = [self._member(_spell(arg), arg, scope, steps + 1) for arg in types]
        sizes = [(part.size, part.align) for part in parts if part.size and part.align]
        if not sizes or len(sizes) != len(types):
            return None
        align = max(one for _, one in sizes)
        if full == "std::array":
            count = cpp.args[1].name if len(cpp.args) == 2 else ""
            return (sizes[0][0] * int(count), align) if count.isdigit() else None
        if full == "std::atomic":
            return (sizes[0][0], sizes[0][0])
        return (_laid_out([*sizes, *([(1, 1)] if full == "std::optional" else [])]), align)

    def value(self, text: str, scope: Scope) -> TypeRef | None:
        """Return the type of a parameter or a result; None for one that no caller can use."""
        return self._value(parse_type(text), scope, 0)

    def _value(self, cpp: CppType, scope: Scope, steps: int) -> TypeRef | None:
        if cpp.is_opaque or steps > _MOST_ALIASES:
            return None
        full = self.full_name(cpp.name, scope)
        if cpp.is_pointer:
            if cpp.name == "char":
                return TypeRef(kind="String")
            return self._object(full) if cpp.indirection.count("*") == 1 else None
        alias = self.symbols.aliases.get(full)
        if alias is not None and full not in LIBRARY_KINDS:
            return self._value(parse_type(alias.target), alias.scope, steps + 1)
        if full in VALUES:
            return TypeRef(kind=VALUES[full])
        if full in self.values:
            return _reference_to(self.values[full])
        if full in WRAPPERS and cpp.args:
            return self._value(cpp.args[0], scope, steps + 1) or self._object(
                self.full_name(cpp.args[0].name, scope)
            )
        kind: TypeKind | None = LIBRARY_KINDS.get(full)
        if full == "std::optional":
            kind = "Optional"
        if kind is not None:
            args = [self._value(arg, scope, steps + 1) for arg in cpp.args]
            missing = max(0, ARGUMENTS.get(kind, 0) - len(args))
            refs = (*args, *(TypeRef(kind="Any") for _ in range(missing)))
            if any(ref is None for ref in refs):
                return None
            return TypeRef(kind=kind, args=cast("tuple[TypeRef, ...]", refs))
        found = self._member(_spell(cpp.bare()), cpp.bare(), scope, steps + 1)
        return None if found.is_foreign else found.ref

    def _object(self, full: str) -> TypeRef | None:
        """Return the type of a pointer to an object."""
        key = self.data_classes.get(full) or ROOT_CLASSES.get(full)
        if key == "ffi.Object":
            return TypeRef(kind="Object")
        return TypeRef(kind="node", key=key) if key and not key.startswith("ffi.") else None


_UNMISTAKABLE = {
    "Any", "AnyView", "Array", "DataType", "Device", "Map", "Object", "ObjectPtr", "ObjectRef",
    "Optional", "String", "Variant",
}  # fmt: skip
"""Names that are taken for those of tvm-ffi where no file declares them otherwise."""


def _reference_to(key: str) -> TypeRef:
    """Return the type of a reference to a class, which may be one that the language has itself."""
    kind = KINDS_OF_KEYS.get(key)
    return TypeRef(kind="node", key=key) if kind is None else TypeRef(kind=kind)


def _foreign(spelling: str, size: tuple[int, int] | None) -> MemberType:
    ref = TypeRef(kind=FOREIGN, key=spelling)
    return MemberType(ref, *size) if size else MemberType(ref, None, None)


def _placed(ref: TypeRef, *, is_alias: bool = False) -> MemberType:
    return MemberType(ref, *place_of(ref), is_alias)


def place_of(ref: TypeRef) -> tuple[int, int]:
    """Return size and alignment of a type that the schema language has, in bytes."""
    return size_and_align(Field(name="", type=ref))


def _foreign_object(spelling: str) -> MemberType:
    return MemberType(TypeRef(kind=FOREIGN, key=spelling), 8, 8, is_object=True)


def _foreign_container(spelling: str, kind: TypeKind, args: list[MemberType]) -> MemberType:
    """Return the type of a container of tvm-ffi whose elements are of foreign types."""
    if kind == "Union":
        return _foreign(spelling, (16, 8))
    if kind == "Optional" and not args[0].is_object:
        return _foreign(spelling, None)
    return _foreign_object(spelling)


def _laid_out(sizes: list[tuple[int, int]]) -> int:
    """Return the size of members in a row."""
    end = 0
    for size, align in sizes:
        end = -(-end // align) * align + size
    most = max(align for _, align in sizes)
    return -(-end // most) * most


def _spell(cpp: CppType) -> str:
    """Return the usual text of a type."""
    args = f"<{', '.join(map(_spell, cpp.args))}>" if cpp.args else ""
    return f"{cpp.name}{args}{cpp.indirection}"
