"""Fields: types, options and defaults of new and redeclared ones.

In: a field declaration and its node.  Out: a `FieldInfo` or a `RestatementInfo`, or None after an
error was reported.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from tschema.diagnostics.errors import Reporter
from tschema.diagnostics.helps import suggest_one_of
from tschema.diagnostics.source import whole_characters
from tschema.ir.declarations import FieldDecl, TypeExpr, Value
from tschema.ir.keywords import MEMBERS, attribute_name
from tschema.ir.model import Default, Enum, Field, Restatement, TypeRef
from tschema.passes.defaults import BadDefault, make_default, make_factory
from tschema.passes.foreign import BadForeign, read_foreign
from tschema.passes.resolved import FieldInfo, Node, RestatementInfo
from tschema.passes.typing import TypeResolver, Use
from tschema.passes.vocabulary import FOREIGN

_Structural = Literal["ignore", "def", "def_pattern"]
_Access = Literal["public", "protected", "private"]
_NAME = r"^[A-Za-z_][A-Za-z0-9_]*\Z"
FIELD_VALUES: Mapping[str, tuple[object, str]] = {
    **dict.fromkeys(("kw_only", "init", "repr", "register", "mutable"), (bool, "True or False")),
    "structural": (_Structural | None, '"ignore", "def", "def_pattern" or None'),
    "doc": (str, "a text"),
    "cpp_init": (Annotated[str, Meta(min_length=1)], "the text of an initializer"),
    "access": (_Access, '"public", "protected" or "private"'),
    "key": (Annotated[str, Meta(pattern=_NAME)], "the name under which the field is registered"),
    "cpp_name": (Annotated[str, Meta(pattern=_NAME)], "the name of a member"),
    "cpp_type": (Annotated[str, Meta(min_length=1)], "the text of a type of C++"),
}
"""For each option, the type of its literals, and how to say so."""
_STATED = (
    "kw_only", "init", "structural", "repr", "cpp_init", "access", "cpp_type", "mutable",
)  # fmt: skip
"""Options whose literals are attributes of a `Field`."""
_OF_MEMBERS = ("register", "access", "cpp_name", "cpp_type", "mutable")
"""Options of the member in C++, which its first class alone states."""
_OF_REGISTERED = (
    ("init", False), ("kw_only", False), ("structural", None), ("renamed_from", None),
    ("stored_default", None),
)  # fmt: skip
"""Options that a member which reflection does not list cannot have, with the value that says so."""
FIELD_OPTIONS = ("default", "default_factory", *FIELD_VALUES, "renamed_from", "stored_default")
"""What `field(...)` takes."""


class _Known(Struct, frozen=True):
    """A field of an ancestor, as the ancestors' restatements leave it."""

    field: Field
    owner: Node
    decl: FieldDecl | None
    registered: bool


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
            The field and the type that declares it.
        doc
            The field's entry in the `Attributes` of the class.
        order
            Place of the class in its file; only earlier classes may be named.
        """
        valid = self._check_options(decl)
        if decl.annotation is None or node.file is None:
            return None
        if node.file.qualify(decl.annotation.name) == FOREIGN and decl.annotation.given is not None:
            return self._foreign(decl, decl.annotation, node, doc) if valid else None
        use = Use(f"field `{decl.name}`", node.file, order)
        ref = self._types.resolve(decl.annotation, use)
        if ref is None or not valid:
            return None
        default = self._default(decl, ref, node)
        own_doc = _text(decl.options.get("doc")) or doc
        if not self._check_key(decl, node):
            return None
        known = _inherited(node, _registered_name(decl))
        if known is not None:
            return self._restate(decl, known, ref, node, default, own_doc)
        if not self._is_registered(decl):
            member = _unregistered(decl, ref, node, default, own_doc)
            return FieldInfo(member, decl, registered=False)
        field = _field(decl, ref, node, default, own_doc)
        if "stored_default" in decl.options:
            stored = self._literal("stored_default", decl, ref, node)
            field = replace(field, stored_default=stored)
        return FieldInfo(field, decl)

    def _foreign(
        self, decl: FieldDecl, written: TypeExpr, node: Node, doc: str | None
    ) -> FieldInfo | None:
        """Resolve a member of a type that only C++ has."""
        try:
            foreign = read_foreign(written)
        except BadForeign as error:
            message = f"the type of field `{decl.name}` {error.reason}"
            self._reporter.error("TS037", message, written.place, help=error.help)
            return None
        known = _inherited(node, decl.name)
        if known is not None:
            self._refuse_restatement(decl, known, node, "is a member of C++ alone")
            return None
        for name in ("default", "default_factory", "cpp_type"):
            if name in decl.options:
                message = f"field `{decl.name}` of a foreign type cannot have `{name}`"
                self._reporter.error("TS037", message, decl.options[name].place, help="remove it")
                return None
        self._is_registered(decl)
        own_doc = _text(decl.options.get("doc")) or doc
        field = _unregistered(decl, foreign.ref, node, None, own_doc)
        placed = field.placed(0, foreign.size, foreign.align)
        return FieldInfo(placed, decl, registered=False)

    def _is_registered(self, decl: FieldDecl) -> bool:
        """Return whether reflection lists a field; report what only a registered one can have."""
        is_foreign = decl.annotation is not None and decl.annotation.given is not None
        register = decl.options.get("register")
        if is_foreign and register is not None and register.value:
            message = f"field `{decl.name}` of a foreign type cannot be registered"
            help = "remove `register`, or keep the value in a type of `tschema.ty`"
            self._reporter.error("TS037", message, register.place, help=help)
        if _flag(decl, "register", missing=True) and not is_foreign:
            return True
        for name, plain in _OF_REGISTERED:
            value = decl.options.get(name)
            if value is not None and value.value != plain:
                self._reporter.error(
                    "TS037",
                    f"field `{decl.name}` is not registered, and has `{name}`",
                    value.place,
                    help=f"remove `{name}`: neither constructors nor comparison see the field",
                )
        return False

    def _check_key(self, decl: FieldDecl, node: Node) -> bool:
        """Report a registered name that the field could have itself, or of generated code."""
        key = decl.options.get("key")
        if key is None:
            return True
        name = _registered_name(decl)
        if name == attribute_name(name) or decl.name != attribute_name(name):
            message = f"field `{decl.name}` cannot be registered as `{name}`"
            help = 'only a name that Python reserves has another one: `from_` with `key="from"`'
            self._reporter.error("TS026", message, key.place, help=help)
            return False
        if node.options.register != "hand" and node.options.extern is None:
            message = f"field `{decl.name}` has a `key`, and generated code registers `{node.name}`"
            help = f'write `register = "hand"` in `{node.name}`, or rename the field'
            self._reporter.error("TS026", message, key.place, help=help)
            return False
        return True

    def _check_options(self, decl: FieldDecl) -> bool:
        """Report options that are unknown or have a wrong value."""
        before = len(self._reporter.diagnostics)
        for name, value in decl.options.items():
            if name not in FIELD_OPTIONS:
                self._reporter.error(
                    "TS026",
                    f"unknown option `{name}` of field `{decl.name}`",
                    value.place,
                    help=suggest_one_of(name, FIELD_OPTIONS),
                )
            elif name in FIELD_VALUES and not value.is_literal_of(FIELD_VALUES[name][0]):
                message = f"option `{name}` of field `{decl.name}` cannot be {value}"
                help = f"expected {FIELD_VALUES[name][1]}"
                self._reporter.error("TS026", message, value.place, help=help)
        names = decl.options.get("renamed_from")
        if names and not (names.texts() and all(map(str.isidentifier, names.texts()))):
            message = f"option `renamed_from` of field `{decl.name}` cannot be {names}"
            help = "expected a name that it had, or a list of names"
            self._reporter.error("TS026", message, names.place, help=help)
        if "default" in decl.options and "default_factory" in decl.options:
            self._reporter.error(
                "TS026",
                f"field `{decl.name}` has both `default` and `default_factory`",
                decl.options["default_factory"].place,
                help="keep one of the two",
            )
        return len(self._reporter.diagnostics) == before

    def _default(self, decl: FieldDecl, ref: TypeRef, node: Node) -> Default | None:
        factory = decl.options.get("default_factory")
        if "default" in decl.options or factory is None or decl.annotation is None:
            return self._literal("default", decl, ref, node)
        try:
            return make_factory(factory, ref, decl.annotation)
        except BadDefault as error:
            self._refuse_default(decl, factory, node, error)
            return None

    def _literal(self, option: str, decl: FieldDecl, ref: TypeRef, node: Node) -> Default | None:
        """Return the literal that an option gives, as a value of the field's type."""
        value = decl.options.get(option)
        if value is None or node.file is None or decl.annotation is None:
            return None
        try:
            nullable = self._types.nullable
            return make_default(value, ref, decl.annotation, node.file, self._enums, nullable)
        except BadDefault as error:
            self._refuse_default(decl, value, node, error)
            return None

    def _refuse_default(self, decl: FieldDecl, value: Value, node: Node, error: BadDefault) -> None:
        message = f"bad default of field `{decl.name}`: {error.reason}"
        self._reporter.error("TS025", message, value.place, help=error.help)
        node.is_broken = True

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
            self._refuse_restatement(decl, known, node, difference)
            return None
        restated = Restatement(
            name=_registered_name(decl),
            doc=doc or known.field.doc,
            default=default,
            kw_only=_flag(decl, "kw_only", missing=False),
            init=_flag(decl, "init", missing=True),
        )
        return RestatementInfo(restated, decl)

    def _refuse_restatement(
        self, decl: FieldDecl, known: _Known, node: Node, difference: str
    ) -> None:
        declared = known.decl.place if known.decl else None
        self._reporter.error(
            "TS023",
            f"field `{decl.name}` of `{node.name}` {difference}",
            decl.place,
            notes=[(f"`{known.owner.name}` declares it", declared)],
            help="change only its default, `kw_only`, `init` and doc, or rename it",
        )


def _field(
    decl: FieldDecl, ref: TypeRef, node: Node, default: Default | None, doc: str | None
) -> Field:
    stated = {name: _stated(decl.options[name]) for name in _STATED if name in decl.options}
    return Field(
        name=_registered_name(decl),
        type=ref,
        doc=doc or "",
        default=default,
        cpp_name=_cpp_name(decl, node),
        renamed_from=decl.options["renamed_from"].texts() if "renamed_from" in decl.options else (),
        **stated,  # type: ignore[arg-type]  # `_check_options` has checked.
    )


def _registered_name(decl: FieldDecl) -> str:
    """Return the name that reflection has: `from` for `from_: ... = field(key="from")`."""
    return _text(decl.options.get("key")) or decl.name


def _unregistered(
    decl: FieldDecl, ref: TypeRef, node: Node, default: Default | None, doc: str | None
) -> Field:
    """Return a member that the constructor does not take, nor comparison and printing see."""
    field = _field(decl, ref, node, default, doc)
    return replace(field, kw_only=False, init=False, structural=None, repr=True)


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
                return _Known(field, ancestor, info.decl, info.registered)
    return None


def _difference(decl: FieldDecl, known: _Known, ref: TypeRef) -> str | None:
    """Describe the forbidden change that a restatement makes, or return None."""
    field = known.field
    if not known.registered:
        return "has the name of a member that is not registered"
    for name in _OF_MEMBERS:
        if name in decl.options:
            return f"states `{name}` again"
    if ref != field.type:
        before = f" from `{known.decl.annotation}`" if known.decl else ""
        return f"changes its type{before} to `{decl.annotation}`"
    if "structural" in decl.options and decl.options["structural"].value != field.structural:
        return f"changes `structural` to {decl.options['structural']}"
    if "cpp_init" in decl.options:
        return f"changes `cpp_init` to {decl.options['cpp_init']}"
    for option in ("renamed_from", "stored_default"):
        if option in decl.options:
            return f"gives `{option}`, which belongs where it is declared"
    if "repr" in decl.options and _flag(decl, "repr", missing=True) != field.repr:
        return f"changes `repr` to {decl.options['repr']}"
    return None


def _cpp_name(decl: FieldDecl, node: Node) -> str | None:
    """Return the name of the member, where it is not the escaped name of the field."""
    registered = _registered_name(decl)
    name = _text(decl.options.get("cpp_name"))
    if node.options.register == "hand" and registered in MEMBERS["C++"]:
        return name or registered  # Its author's member hides that of every object.
    return None if name == registered else name


def _flag(decl: FieldDecl, name: str, *, missing: bool) -> bool:
    value = decl.options.get(name)
    return missing if value is None else bool(value.value)


def _text(value: Value | None) -> str | None:
    found = None if value is None else _stated(value)
    return found if isinstance(found, str) else None


def _stated(value: Value) -> object:
    return whole_characters(value.value) if isinstance(value.value, str) else value.value
