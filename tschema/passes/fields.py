"""Fields: types, options and defaults of new and redeclared ones.

In: a field declaration and its node.  Out: a `FieldInfo` or a `RestatementInfo`, or None after an
error was reported.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct, convert
from msgspec.structs import replace

from tschema.diagnostics.errors import Reporter, suggest
from tschema.diagnostics.source import whole_characters
from tschema.ir.declarations import FieldDecl, Value
from tschema.ir.model import Default, Enum, Field, Restatement, TypeRef
from tschema.passes.defaults import BadDefault, make_default, make_factory
from tschema.passes.resolved import FieldInfo, Node, RestatementInfo
from tschema.passes.typing import TypeResolver, Use

_Structural = Literal["ignore", "def", "def_pattern"]
_VALUES: Mapping[str, tuple[object, str]] = {
    **dict.fromkeys(("kw_only", "init", "repr"), (bool, "True or False")),
    "structural": (_Structural | None, '"ignore", "def", "def_pattern" or None'),
    "doc": (str, "a text"),
    "cpp_init": (Annotated[str, Meta(min_length=1)], "the text of an initializer"),
}
"""For each option, the type of its literals, and how to say so."""
FIELD_OPTIONS = ("default", "default_factory", *_VALUES)
"""What `field(...)` takes."""


class _Known(Struct, frozen=True):
    """A field of an ancestor, as the ancestors' restatements leave it."""

    field: Field
    owner: Node
    decl: FieldDecl | None


class FieldResolver:
    """Resolves the fields of a package."""

    def __init__(self, types: TypeResolver, enums: Mapping[str, Enum], reporter: Reporter) -> None:
        self._types = types
        self._enums = enums
        self._reporter = reporter

    def resolve(
        self, decl: FieldDecl, node: Node, doc: str | None, order: int
    ) -> FieldInfo | RestatementInfo | None:
        """Resolve a field of a node.

        Parameters
        ----------
        decl, node
            The field and the type that it stands in.
        doc
            What the class's `Attributes` say.
        order
            Place of the class in its file; only earlier classes may be named.
        """
        valid = self._check_options(decl)
        if decl.annotation is None or node.file is None:
            return None
        use = Use(f"field `{decl.name}`", node.file, order)
        ref = self._types.resolve(decl.annotation, use)
        if ref is None or not valid:
            return None
        default = self._default(decl, ref, node)
        own_doc = _text(decl.options.get("doc")) or doc
        known = _inherited(node, decl.name)
        if known is not None:
            return self._restate(decl, known, ref, node, default, own_doc)
        return FieldInfo(_field(decl, ref, default, own_doc), decl)

    def _check_options(self, decl: FieldDecl) -> bool:
        """Report options that are unknown or have a wrong value."""
        before = len(self._reporter.diagnostics)
        for name, value in decl.options.items():
            if name not in FIELD_OPTIONS:
                self._reporter.error(
                    "TS026",
                    f"unknown option `{name}` of field `{decl.name}`",
                    value.place,
                    help=suggest(name, FIELD_OPTIONS) or f"there are {_quoted(FIELD_OPTIONS)}",
                )
            elif name in _VALUES and not value.is_literal_of(_VALUES[name][0]):
                message = f"option `{name}` of field `{decl.name}` cannot be {value}"
                help = f"expected {_VALUES[name][1]}"
                self._reporter.error("TS026", message, value.place, help=help)
        if "default" in decl.options and "default_factory" in decl.options:
            self._reporter.error(
                "TS026",
                f"field `{decl.name}` has both `default` and `default_factory`",
                decl.options["default_factory"].place,
                help="keep one of the two",
            )
        return len(self._reporter.diagnostics) == before

    def _default(self, decl: FieldDecl, ref: TypeRef, node: Node) -> Default | None:
        value = decl.options.get("default") or decl.options.get("default_factory")
        if value is None or node.file is None or decl.annotation is None:
            return None
        try:
            if "default" in decl.options:
                return make_default(value, ref, decl.annotation, node.file, self._enums)
            return make_factory(value, ref, decl.annotation)
        except BadDefault as error:
            message = f"bad default of field `{decl.name}`: {error.reason}"
            self._reporter.error("TS025", message, value.place, help=error.help)
            node.is_broken = True
            return None

    def _restate(
        self,
        decl: FieldDecl,
        known: _Known,
        ref: TypeRef,
        node: Node,
        default: Default | None,
        doc: str | None,
    ) -> RestatementInfo | None:
        difference = _difference(decl, known, ref)
        if difference is not None:
            declared = known.decl.place if known.decl else None
            self._reporter.error(
                "TS023",
                f"field `{decl.name}` of `{node.name}` {difference}",
                decl.place,
                notes=[(f"`{known.owner.name}` declares it", declared)],
                help="restate it unchanged but for its default, `kw_only`, `init` and doc, "
                "or rename it",
            )
            return None
        restated = Restatement(
            name=decl.name,
            doc=doc or known.field.doc,
            default=default,
            kw_only=_flag(decl, "kw_only", missing=False),
            init=_flag(decl, "init", missing=True),
        )
        return RestatementInfo(restated, decl)


def _field(decl: FieldDecl, ref: TypeRef, default: Default | None, doc: str | None) -> Field:
    return Field(
        name=decl.name,
        type=ref,
        doc=doc or "",
        default=default,
        kw_only=_flag(decl, "kw_only", missing=False),
        init=_flag(decl, "init", missing=True),
        structural=_structural(decl),
        repr=_flag(decl, "repr", missing=True),
        cpp_init=_text(decl.options.get("cpp_init")),
    )


def _inherited(node: Node, name: str) -> _Known | None:
    """Return the field of this name that a node inherits, or None."""
    doc = ""
    for ancestor in node.ancestors():
        doc = doc or next(
            (one.model.doc for one in ancestor.restated if one.model.name == name), ""
        )
        for info in ancestor.fields:
            if info.model.name == name:
                field = replace(info.model, doc=doc or info.model.doc)
                return _Known(field, ancestor, info.decl)
    return None


def _difference(decl: FieldDecl, known: _Known, ref: TypeRef) -> str | None:
    """Say what a restatement changes that it must not, or None."""
    field = known.field
    if ref != field.type:
        before = f" from `{known.decl.annotation}`" if known.decl else ""
        return f"changes its type{before} to `{decl.annotation}`"
    if "structural" in decl.options and _structural(decl) != field.structural:
        return f"changes `structural` to {decl.options['structural']}"
    if "cpp_init" in decl.options:
        return f"changes `cpp_init` to {decl.options['cpp_init']}"
    if "repr" in decl.options and _flag(decl, "repr", missing=True) != field.repr:
        return f"changes `repr` to {decl.options['repr']}"
    return None


def _flag(decl: FieldDecl, name: str, *, missing: bool) -> bool:
    value = decl.options.get(name)
    return missing if value is None else bool(value.value)


def _structural(decl: FieldDecl) -> _Structural | None:
    if "structural" not in decl.options:
        return None
    found: _Structural | None = convert(decl.options["structural"].value, _Structural | None)
    return found


def _text(value: Value | None) -> str | None:
    if value is None or not isinstance(value.value, str):
        return None
    return whole_characters(value.value)


def _quoted(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)
