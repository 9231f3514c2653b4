"""What schema files say, before any name is resolved.

The front end fills these in from syntax trees; the passes read them. A `Place` represents a
position, so that nothing here depends on the parser.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct, ValidationError, convert, field, msgpack

from tschema.diagnostics.errors import Diagnostic
from tschema.diagnostics.helps import Help, import_name
from tschema.diagnostics.source import Extent, Place, SourceFile

Scalar = bool | int | float | str | bytes | None
if TYPE_CHECKING:
    _Encoded = Scalar
else:
    _Encoded = Any  # msgspec refuses unions of `str` and `bytes`, which msgpack tells apart.


class TypeExpr(Struct, eq=False, array_like=True):
    """A type as written."""

    name: str
    """Dotted, as written; `|` for alternatives, `None`, `...`, or `()` for an empty tuple."""
    args: tuple[TypeExpr, ...]
    place: Place
    given: dict[str, Value] | None = None
    """The arguments of a call, as of `ty.foreign(...)`."""

    def __str__(self) -> str:
        """Return the type as Python text."""
        if self.given is not None:
            return f"{self.name}({self.given.get('cpp', '...')})"
        args = [str(arg) for arg in self.args]
        if self.name == "|":
            return " | ".join(args)
        return f"{self.name}[{', '.join(args)}]" if args else self.name


class Value(Struct, eq=False, array_like=True):
    """A value as written: a literal, a dotted name, or something that is neither."""

    kind: Literal["literal", "name", "cast", "list", "dict", "empty", "other"]
    """A cast is `int(Kind.ROUND)`; lists and dicts are displays, such as `[]`; `()` is empty."""
    value: _Encoded
    """The literal or the dotted name, also that of the operand of a cast; None for the other
    kinds."""
    place: Place
    elements: tuple[str, ...] = ()
    """Those of a list or a tuple that holds texts alone."""

    def is_literal_of(self, type_: object) -> bool:
        """Return whether it is a literal of a type, which `msgspec` may constrain."""
        try:
            convert(self.value, type_)
        except ValidationError:
            return False
        return self.kind == "literal"

    def texts(self) -> tuple[str, ...]:
        """Return the texts of a text or of a list of texts; none of any other value."""
        is_text = self.kind == "literal" and isinstance(self.value, str)
        return (str(self.value),) if is_text else self.elements

    def __str__(self) -> str:
        """Return the value for a message."""
        if self.kind == "literal":
            return repr(self.value)
        shown = {
            "name": str(self.value),
            "cast": f"int({self.value!s})",
            "list": "[...]",
            "dict": "{...}",
            "empty": "()",
        }
        return shown.get(self.kind, "...")


class DocItem(Struct, eq=False, array_like=True):
    """An entry of a section of a docstring, such as one of `Attributes`."""

    name: str
    text: str
    place: Place


class Docstring(Struct, eq=False, array_like=True):
    """A numpy docstring, taken apart."""

    text: str = ""
    """Summary and extended text, with the sections that have no meaning here."""
    see_also: tuple[str, ...] = ()
    attributes: tuple[DocItem, ...] = ()
    params: tuple[DocItem, ...] = ()
    returns: str = ""
    raises: tuple[DocItem, ...] = ()


class Assignment(Struct, eq=False, array_like=True):
    """`name = value` in a class: an option of a node, or a member of an enum."""

    name: str
    value: Value
    place: Place


class FieldDecl(Struct, eq=False, array_like=True):
    """`name: annotation = default` in a class."""

    name: str
    annotation: TypeExpr | None
    """None where the annotation was refused."""
    options: dict[str, Value]
    """The arguments of `field(...)`; a plain default is `default`."""
    place: Place


class ParamDecl(Struct, eq=False, array_like=True):
    """A parameter of a method or a function; `self` is not one."""

    name: str
    annotation: TypeExpr | None
    default: Value | None
    place: Place
    kw_only: bool = False
    operand: dict[str, Value] | None = None
    """The arguments of `operand(...)`; None for any other parameter."""


class FunctionDecl(Struct, eq=False, array_like=True):
    """A `@method`, a `@function` or an `@operator`."""

    name: str
    params: tuple[ParamDecl, ...]
    returns: TypeExpr | None
    doc: Docstring
    place: Place
    options: dict[str, Value] = field(default_factory=dict)
    """The arguments of the decorator."""
    is_operator: bool = False
    is_static: bool = False


class ClassDecl(Struct, eq=False, array_like=True):
    """A `@declare` class, whose base tells whether it is a node or an enum; or a `@dialect`."""

    name: str
    bases: tuple[TypeExpr, ...]
    doc: Docstring
    assignments: tuple[Assignment, ...]
    fields: tuple[FieldDecl, ...]
    methods: tuple[FunctionDecl, ...]
    place: Place
    broken: bool = False
    """Whether part of the body was refused, so that what misses may have been there."""


class ImportDecl(Struct, eq=False, array_like=True):
    """One imported name."""

    local: str
    """The name that the file uses."""
    module: str
    """Dotted module, absolute."""
    name: str | None
    """The name imported from the module; None for the module itself."""
    place: Place


class Contents(Struct, eq=False, array_like=True):
    """The declarations in the text of a schema file."""

    doc: str = ""
    imports: tuple[ImportDecl, ...] = ()
    classes: tuple[ClassDecl, ...] = ()
    functions: tuple[FunctionDecl, ...] = ()
    broken: bool = False
    """Whether the file or a part of it was refused, so that a name that misses may be there."""
    dialects: tuple[ClassDecl, ...] = ()


class FileDecl(Contents, eq=False, kw_only=True):
    """A schema file: its path and its contents."""

    source: SourceFile
    module: str
    """Dotted, as schema files import it: `schema.ir.expr`."""
    namespace: str
    """Dotted, package first: `uir.ir`."""
    stem: str
    """Name of the emitted files: `expr`."""
    scope: dict[str, str] = field(default_factory=dict)
    """Absolute dotted name of each imported or declared name."""

    @property
    def place(self) -> Place:
        """The file itself."""
        return Place(self.source, (1, 0, 1, 0))

    def qualify(self, dotted: str) -> str:
        """Return the absolute form of a name as the file writes it; itself if unbound."""
        return qualify(dotted, self.scope)


class Declarations(Struct, eq=False):
    """All schema files of a package, with the errors found while reading them."""

    files: tuple[FileDecl, ...]
    diagnostics: tuple[Diagnostic, ...] = ()


FOREIGN_ENUMS = frozenset({"enum.Enum", "enum.Flag", "enum.IntFlag", "enum.StrEnum"})
"""Bases of enums of Python that a schema does not have: only `ty.IntEnum` is one."""


def qualify(dotted: str, scope: Mapping[str, str]) -> str:
    """Return the absolute form of a name, given those of a file; itself if unbound."""
    head, _, rest = dotted.partition(".")
    target = scope.get(head)
    if target is None:
        return dotted
    return f"{target}.{rest}" if rest else target


LANGUAGE_NAMES = (
    "Object", "declare", "dialect", "field", "function", "method", "operand", "operator", "static",
    "ty",
)  # fmt: skip
"""The names that a schema file imports from `tschema`."""


def missing_import(dotted: str, scope: Mapping[str, str]) -> Help | None:
    """Return the help that names the import which a word of the schema language lacks, or None."""
    head = dotted.partition(".")[0]
    is_missing = head in LANGUAGE_NAMES and head not in scope
    return import_name("tschema", head) if is_missing else None


def encode_contents(contents: Contents) -> bytes | None:
    """Encode the contents of a file, given its text, as bytes; None if they have no encoding."""
    try:
        return msgpack.encode(contents, enc_hook=_extent)
    except (OverflowError, ValueError):
        return None  # An integer beyond 64 bits, or half a surrogate pair.


def decode_contents(data: bytes, source: SourceFile) -> Contents:
    """Return the contents of a file that `encode_contents` made bytes of."""

    def place(_type: type, extent: Extent) -> Place:
        return Place(source, extent)  # A list, which is unpacked alike.

    return msgpack.decode(data, type=Contents, dec_hook=place)


def _extent(place: Place) -> Extent:
    return place.at
