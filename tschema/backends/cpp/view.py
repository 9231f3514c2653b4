"""The views of the C++ templates: ready-made strings, one view for each declaration."""

from __future__ import annotations

from msgspec import Struct

__all__ = [
    "EnumView",
    "FileView",
    "FunctionView",
    "MemberView",
    "NodeView",
    "ReferenceView",
    "RowView",
    "StructuralView",
    "TypeView",
    "UnitView",
]


class MemberView(Struct, frozen=True):
    """A data member."""

    doc: str
    declaration: str


class RowView(Struct, frozen=True):
    """A row of a table: a field, a parameter."""

    cells: str


class FunctionView(Struct, frozen=True):
    """A method or a function: its declaration and its row."""

    doc: str
    declaration: str
    variable: str
    name: str
    call: str
    parameters: tuple[RowView, ...]
    result: str
    brief: str

    @property
    def cells(self) -> str:
        """The row of the function in its table."""
        parameters = self.variable if self.parameters else "{}"
        cells = [self.name, self.call, parameters, self.result, self.brief]
        return ", ".join(filter(None, cells))


class EnumView(Struct, frozen=True):
    """An enum."""

    name: str
    qualified: str
    doc: str
    members: tuple[MemberView, ...]
    contains: str


class StructuralView(Struct, frozen=True):
    """A method that is written out in the class."""

    signature: str
    statements: tuple[str, ...]


class NodeView(Struct, frozen=True):
    """A data class."""

    name: str
    parent: str
    key: str
    doc: str
    members: tuple[MemberView, ...]
    constructor: str
    unsafe_constructor: str
    abstract: bool
    released: str
    """Arguments of `tschema::Release`, if there are any."""
    """The fields that the destructor hands over."""
    structural: tuple[StructuralView, ...]
    declares_post_init: bool
    methods: tuple[FunctionView, ...]
    constants: tuple[str, ...]
    info_macro: str


class ReferenceView(Struct, frozen=True):
    """A reference class."""

    name: str
    parent: str
    node: str
    doc: str
    constructor: str
    """Signature with defaults; empty for an abstract type."""
    arguments: str


class TypeView(Struct, frozen=True):
    """A declared type: both of its classes, and its rows in the tables."""

    forward: tuple[str, ...]
    node: NodeView
    ref: ReferenceView
    fields: tuple[RowView, ...]
    constructor: FunctionView | None
    assertions: tuple[str, ...]
    row: str


class FileView(Struct, frozen=True):
    """A header and its source."""

    source: str
    header: str
    guard: str
    namespace: str
    unit: str
    includes: tuple[str, ...]
    enums: tuple[EnumView, ...]
    types: tuple[str, ...]
    """The names of the reference classes."""
    functions: tuple[FunctionView, ...]


class UnitView(Struct, frozen=True):
    """What the registry names of a source."""

    source: str
    namespace: str
    unit: str
