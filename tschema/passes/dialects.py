"""Dialects: the properties that the operators of a namespace share.

In: `@dialect` classes and the symbol table.  Out: a `Dialect` for each namespace that has one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Annotated

from msgspec import Meta, Struct

from tschema.diagnostics.errors import Reporter
from tschema.diagnostics.helps import suggest, suggest_one_of
from tschema.ir.declarations import Assignment, ClassDecl, FieldDecl, FileDecl, Scalar
from tschema.ir.model import Dialect, Enum, Trait
from tschema.passes.defaults import BadDefault, make_default
from tschema.passes.resolved import ResolvedPackage
from tschema.passes.symbols import Symbols
from tschema.passes.typing import TypeResolver, Use

_CLASSES = ("operand", "attributes", "span")
_FUNCTIONS = ("make", "number")
DOTTED_NAME = Annotated[str, Meta(pattern=r"^[^\W\d]\w*(\.[^\W\d]\w*)*\Z")]
_LITERALS: Mapping[str, tuple[object, str]] = {
    "prefix": (DOTTED_NAME, "write a dotted name"),
    "shapes": (bool, "expected True or False"),
    "tests": (
        Annotated[str, Meta(pattern=r"\S")],
        'write a pattern of files: `"tests/test_operator_*.py"`',
    ),
}
"""For each other option, the type of its literals, and how to say so."""
DIALECT_OPTIONS = (*_CLASSES, *_FUNCTIONS, *_LITERALS)
_TRAIT_KINDS = frozenset(
    {"bool", "String", "enum", *(f"{sign}int{n}" for sign in ("", "u") for n in (8, 16, 32, 64))}
)


class Home(Struct, frozen=True):
    """A dialect with its declaration."""

    dialect: Dialect
    decl: ClassDecl
    file: FileDecl


class DialectResolver:
    """Resolves the dialects of a package."""

    def __init__(
        self,
        symbols: Symbols,
        functions: Collection[str],
        enums: Mapping[str, Enum],
        reporter: Reporter,
    ) -> None:
        self._symbols = symbols
        self._functions = functions
        self._enums = enums
        self._reporter = reporter
        self._types = TypeResolver(symbols, reporter)

    def resolve(self, resolved: ResolvedPackage) -> dict[str, Home]:
        """Return the dialect of each namespace, and set it in the file that declares it."""
        homes: dict[str, Home] = {}
        seen: dict[str, ClassDecl] = {}
        for file in resolved.files:
            for decl in file.decl.dialects:
                first = seen.setdefault(file.decl.namespace, decl)
                if first is not decl:
                    self._reporter.error(
                        "TS086",
                        f"namespace `{file.decl.namespace}` has a dialect already",
                        decl.place,
                        notes=[(f"`{first.name}` is declared here", first.place)],
                        help="remove one of them",
                    )
                    continue
                dialect = self._dialect(decl, file.decl)
                if dialect is not None:
                    file.dialect = dialect
                    homes[file.decl.namespace] = Home(dialect, decl, file.decl)
        return homes

    def _dialect(self, decl: ClassDecl, file: FileDecl) -> Dialect | None:
        before = len(self._reporter.diagnostics)
        given = {one.name: one for one in decl.assignments}
        for name in given.keys() - DIALECT_OPTIONS:
            message = f"unknown option `{name}` of dialect `{decl.name}`"
            self._refuse(given[name], message, suggest_one_of(name, DIALECT_OPTIONS))
        classes = {name: self._class(given.get(name), file) for name in _CLASSES}
        functions = {name: self._function(given.get(name)) for name in _FUNCTIONS}
        for name in ("operand", "make"):
            if name not in given:
                message = f"dialect `{decl.name}` has no `{name}`"
                help = f"write `{name} = ...` in it"
                self._reporter.error("TS086", message, decl.place, help=help)
        prefix, shapes, tests = (self._literal(given.get(name)) for name in _LITERALS)
        traits = tuple(self._traits(decl, file))
        operand, make = classes["operand"], functions["make"]
        if len(self._reporter.diagnostics) > before or operand is None or make is None:
            return None
        return Dialect(
            name=decl.name,
            doc=decl.doc.text,
            operand=operand,
            make=make,
            number=functions["number"],
            attributes=classes["attributes"],
            span=classes["span"],
            prefix=str(prefix or file.namespace.removeprefix("uir.")),
            shapes=shapes is True,
            tests=None if tests is None else str(tests),
            traits=traits,
        )

    def _refuse(self, given: Assignment, message: str, help: str | None = None) -> None:
        self._reporter.error("TS086", message, given.value.place, help=help)

    def _class(self, given: Assignment | None, file: FileDecl) -> str | None:
        if given is None:
            return None
        name = str(given.value.value)
        symbol = self._symbols.find(file, name) if given.value.kind == "name" else None
        if symbol is not None and not symbol.is_enum:
            return symbol.key
        if given.value.kind != "name" or not self._symbols.is_reported(file, name):
            message = f"option `{given.name}` cannot be {given.value}, which is not a node"
            self._refuse(given, message, suggest(name, file.scope))
        return None

    def _function(self, given: Assignment | None) -> str | None:
        if given is None:
            return None
        key = given.value.value
        if isinstance(key, str) and given.value.kind == "literal" and key in self._functions:
            return key
        self._refuse(
            given,
            f"option `{given.name}` cannot be {given.value}, which is not a declared function",
            suggest(str(key), self._functions) or 'write its global name: `"uir.tir.make_call"`',
        )
        return None

    def _literal(self, given: Assignment | None) -> Scalar:
        """Return the literal of an option; None without it, or after an error."""
        if given is None:
            return None
        expected, help = _LITERALS[given.name]
        if given.value.is_literal_of(expected):
            return given.value.value
        self._refuse(given, f"option `{given.name}` cannot be {given.value}", help)
        return None

    def _traits(self, decl: ClassDecl, file: FileDecl) -> list[Trait]:
        docs = {item.name: item.text for item in decl.doc.attributes}
        traits = [self._trait(field, docs.get(field.name, ""), file) for field in decl.fields]
        return [trait for trait in traits if trait is not None]

    def _trait(self, decl: FieldDecl, doc: str, file: FileDecl) -> Trait | None:
        if decl.annotation is None:
            return None
        ref = self._types.resolve(decl.annotation, Use(f"trait `{decl.name}`", file))
        if ref is None:
            return None
        if ref.kind not in _TRAIT_KINDS:
            message = f"trait `{decl.name}` cannot have the type `{decl.annotation}`"
            help = "a trait is a bool, an integer, a text or an enum"
            self._reporter.error("TS086", message, decl.annotation.place, help=help)
            return None
        default = decl.options.get("default")
        if default is None:
            return Trait(name=decl.name, type=ref, doc=doc)
        try:
            made = make_default(default, ref, decl.annotation, file, self._enums)
        except BadDefault as error:
            message = f"bad default of trait `{decl.name}`: {error.reason}"
            self._reporter.error("TS086", message, default.place, help=error.help)
            return None
        value = trait_value(made.literal, ref.key, self._enums)
        return Trait(name=decl.name, type=ref, doc=doc, default=value)


def trait_value(
    literal: bool | int | float | str | None, enum: str | None, enums: Mapping[str, Enum]
) -> bool | int | str:
    """Return the value of a trait: that of the member of an enum, or the literal itself."""
    if enum is not None:
        found = next(one for one in enums.values() if one.key == enum)
        return next(member.value for member in found.members if member.name == literal)
    assert isinstance(literal, bool | int | str)
    return literal
