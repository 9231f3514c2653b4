"""A schema whose names are resolved, between `resolve` and the JSON IR.

It holds the partial models with their declarations, so that later passes can locate errors.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from tschema.diagnostics.source import Place
from tschema.ir.declarations import ClassDecl, FieldDecl, FileDecl, FunctionDecl
from tschema.ir.model import (
    ROOT_KEY,
    Dialect,
    Enum,
    Field,
    Function,
    Method,
    Operator,
    Options,
    Restatement,
    Type,
)


class FieldInfo(Struct, eq=False):
    """A field with its declaration; an imported one has none."""

    model: Field
    decl: FieldDecl | None = None
    registered: bool = True
    """Whether reflection lists it."""


class RestatementInfo(Struct, eq=False):
    """A restatement with its declaration; an imported one has none."""

    model: Restatement
    decl: FieldDecl | None = None


class MethodInfo(Struct, eq=False):
    """A method with its declaration; an imported one has none."""

    model: Method
    decl: FunctionDecl | None = None


class Node(Struct, eq=False):
    """A type, on its way to `model.Type`."""

    name: str
    key: str
    ref: str
    parent: Node | None
    """None below the root, and where the parent is unknown."""
    options: Options
    given: frozenset[str] = frozenset()
    """The options that the class states."""
    fields: list[FieldInfo] = field(default_factory=list)
    restated: list[RestatementInfo] = field(default_factory=list)
    methods: list[MethodInfo] = field(default_factory=list)
    former_keys: tuple[str, ...] = ()
    removed_fields: tuple[str, ...] = ()
    decl: ClassDecl | None = None
    """None if imported."""
    file: FileDecl | None = None
    imported: Type | None = None
    is_broken: bool = False
    """Whether a part of the class or of an ancestor was refused."""
    extern_size: int | None = None
    """Bytes, of a class of another library."""

    @property
    def is_opaque(self) -> bool:
        """Whether it is a class of other code whose layout is not known."""
        if self.imported is not None:
            return self.imported.is_opaque
        return self.options.extern is not None and self.extern_size is None

    @property
    def parent_key(self) -> str:
        """Type key of the parent."""
        return self.parent.key if self.parent else ROOT_KEY

    @property
    def place(self) -> Place | None:
        """Where the class is declared; None if imported."""
        return self.decl.place if self.decl else None

    def option_place(self, name: str) -> Place | None:
        """Return where the class gives an option; where it is declared if it does not."""
        for assignment in self.decl.assignments if self.decl else ():
            if assignment.name == name:
                return assignment.value.place
        return self.place

    def ancestors(self) -> Iterator[Node]:
        """Yield the parent, its parent, and so on."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def lineage(self) -> list[Node]:
        """Return the ancestors from the root down, then the type itself."""
        return [*reversed(list(self.ancestors())), self]


class ResolvedFile(Struct, eq=False):
    """The declarations of a schema file."""

    decl: FileDecl
    nodes: list[Node] = field(default_factory=list)
    enums: list[tuple[ClassDecl, Enum]] = field(default_factory=list)
    functions: list[tuple[FunctionDecl, Function]] = field(default_factory=list)
    """The functions of operators too."""
    cpp_namespace: str | None = None
    """As C++ spells the namespace, where that is not its name."""
    dialect: Dialect | None = None
    operators: list[Operator] = field(default_factory=list)


class ResolvedPackage(Struct, eq=False):
    """The resolved files of a package, each one after those that it imports."""

    package: str
    files: list[ResolvedFile]

    def nodes(self) -> Iterator[Node]:
        """Yield the package's own types; a parent comes before its children."""
        for file in self.files:
            yield from file.nodes


def has_operators(decl: FileDecl) -> bool:
    """Return whether a file declares operators, a dialect, or functions with options."""
    return bool(decl.dialects) or any(one.is_operator or one.options for one in decl.functions)
