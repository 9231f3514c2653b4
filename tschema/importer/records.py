"""What existing code declares, as a registry or C++ headers tell it.

A registry and a parser of headers fill in the same records, so that both can be held against each
other and written as one schema.  The records know neither how they were found nor how a schema is
written.
"""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from tschema.ir.model import TypeRef


class Location(Struct, frozen=True):
    """The place of a declaration."""

    path: str
    """Relative to the folder that is imported, with forward slashes."""
    line: int
    """1-based."""


class FoundDefault(Struct, frozen=True, kw_only=True):
    """A default of a field."""

    value: bool | int | float | str | UnsetType | None = UNSET
    """The literal, where it is one; a data type as text."""
    factory: Literal["list", "dict"] | None = None
    member: tuple[str, str] | None = None
    """The enum's member that it is the value of: the key of the enum, and the name in C++."""
    cpp: str | None = None
    """The C++ expression, as written."""

    @property
    def is_said(self) -> bool:
        """Whether a schema can say it."""
        return self.value is not UNSET or self.factory is not None or self.member is not None


class FoundField(Struct, kw_only=True):
    """A member of a data class, or a registered field of a type."""

    name: str
    """As registered; the member's own name where it is not registered."""
    type: TypeRef | None = None
    """None where nothing tells it; kind `foreign`, with the C++ spelling as key, for others."""
    unknown_type: str | None = None
    """The source's name of a type that no `TypeRef` can express."""
    doc: str = ""
    default: FoundDefault | None = None
    init: bool = True
    kw_only: bool = False
    repr: bool = True
    structural: Literal["ignore", "def", "def_pattern"] | None = None
    writable: bool | None = None
    registered: bool = True
    offset: int | None = None
    """Bytes from the start of the object, header included; None where only a compiler knows."""
    size: int | None = None
    """Bytes."""
    align: int | None = None
    """Bytes."""
    cpp_name: str | None = None
    """The member, where its name differs from the registered one."""
    cpp_type: str | None = None
    """The spelling in the header, where it is an alias of the type, or nothing tells the type."""
    cpp_init: str | None = None
    """Initializer of the member, as written."""
    access: Literal["public", "protected", "private"] = "public"
    mutable: bool = False
    location: Location | None = None


class FoundParameter(Struct, kw_only=True):
    """A parameter of a method or a constructor."""

    name: str | None = None
    type: TypeRef | None = None
    doc: str = ""
    default: FoundDefault | None = None
    cpp_type: str | None = None
    """As written."""


class FoundMethod(Struct, kw_only=True):
    """A registered method of a type."""

    name: str
    params: tuple[FoundParameter, ...] = ()
    """Without the receiver."""
    returns: TypeRef | None = None
    """None where nothing tells it."""
    doc: str = ""
    returns_doc: str = ""
    static: bool = False
    cpp: str | None = None
    """The registered function, as written: `&FooNode::Size`, or a lambda."""
    location: Location | None = None


class FoundReference(Struct, kw_only=True):
    """The reference class of a data class."""

    name: str
    cpp_namespace: str | None = None
    nullable: bool = True
    cow: bool = False
    by_hand: bool = False
    """Whether no macro of tvm-ffi defines its methods."""
    constructors: tuple[tuple[FoundParameter, ...], ...] = ()
    location: Location | None = None


class FoundClass(Struct, kw_only=True):
    """A data class, or a registered type."""

    key: str | None
    """Type key; None for a class that has none."""
    parent: str | None = None
    """Type key of the parent; `ffi.Object` for a root."""
    name: str | None = None
    """The data class: `IntImmNode`."""
    cpp_namespace: str | None = None
    """`tvm::tirx`."""
    header: str | None = None
    """The header that defines the class, as others include it."""
    outer: str | None = None
    """The class that it is a public member of; its name ends the namespace in C++."""
    cpp_base: str | None = None
    """The C++ base class, where it is not the parent's."""
    reference: FoundReference | None = None
    doc: str = ""
    fields: tuple[FoundField, ...] = ()
    """Its own, in order of memory."""
    methods: tuple[FoundMethod, ...] = ()
    registered: bool = True
    """Whether it has an `ObjectDef`."""
    abstract: bool | None = None
    """Whether the registry has no way to create it."""
    final: bool = False
    mutable: bool = False
    structural: Literal["tree", "dag", "var", "const_tree", "unique"] | None = None
    polymorphic: bool = False
    default_constructible: bool = False
    child_slots: int | None = None
    size: int | None = None
    """Bytes of an object, header included."""
    location: Location | None = None
    omitted: tuple[str, ...] = ()
    """The parts of the class that a schema cannot express; the class is written without them."""
    by_hand: tuple[str, ...] = ()
    """Why no code can be generated for it, though its layout can be said."""
    unsaid: tuple[str, ...] = ()
    """Why a schema cannot express the class, which is then listed and not written."""


class FoundEnumMember(Struct, frozen=True, kw_only=True):
    """A named value of an enum."""

    name: str
    value: int
    doc: str = ""


class FoundEnum(Struct, kw_only=True):
    """An enum that is the type of some field, parameter or result."""

    key: str
    """The dotted name by which a `TypeRef` of kind `enum` refers to it: `tirx.ForKind`."""
    name: str
    cpp_namespace: str
    header: str | None = None
    members: tuple[FoundEnumMember, ...] = ()
    doc: str = ""
    location: Location | None = None
    unsaid: tuple[str, ...] = ()
    """Why a schema cannot declare it: values that are not literals, an enum in a class."""


class Found(Struct, kw_only=True):
    """All that one source tells."""

    source: str
    """The origin of the classes, for messages: `registry of tvm`, `include/tvm`."""
    classes: tuple[FoundClass, ...] = ()
    enums: tuple[FoundEnum, ...] = ()
    unsaid: tuple[str, ...] = ()
    """Findings that belong to no class: a registration of a type that the source does not
    define."""
