"""The views of a namespace's page: ready-made Markdown, one view for each declaration.

In: the JSON IR.  Out: views.  Knows nothing of templates or files.
"""

from __future__ import annotations

from collections.abc import Iterator

from tschema.backends.base import View, source_folders
from tschema.backends.docs import names
from tschema.backends.docs.functors import functors_view
from tschema.backends.docs.markdown import cell, code, code_cell, prose, summary
from tschema.backends.docs.names import References
from tschema.ir.casing import constant_case
from tschema.ir.functor_families import Family
from tschema.ir.model import Enum, Field, Function, Method, Namespace, Parameter, Schema, Type

_STRUCTURAL = {
    "tree": "Compared by content, unlike its parent.",
    "dag": "Compared by content as a graph: nodes shared on one side are shared on the other.",
    "var": "A variable: equal to the one that is bound at the same place of the other side, "
    "or else to itself alone.",
    "const_tree": "Compared by content; one object on both sides is equal without a look inside.",
    "unique": "Equal to itself alone.",
    None: "Has no structural equality and no structural hash.",
}
_REFERENCES = {
    "default": "",
    "nullable": "References to it may be null.",
    "hand": "Its reference class in C++ is written by hand.",
    None: "It has no reference class in C++.",
}
_FLAGS = {
    "def": "binds",
    "def_pattern": "binds the variables of",
    "ignore": "ignores",
}


def page_view(spaces: tuple[Namespace, ...], schema: Schema, families: tuple[Family, ...]) -> View:
    """Return the view of a namespace's page, given its files and the package's families."""
    refs = References(schema, spaces[0].name)
    return View(
        sources=source_folders(spaces),
        namespace=spaces[0].name,
        index=names.INDEX,
        parts=tuple(_part_view(space, refs) for space in spaces),
        functors=tuple(
            functors_view(family, refs) for family in families if family.namespace == spaces[0].name
        ),
    )


def _part_view(space: Namespace, refs: References) -> View:
    return View(
        name=space.file,
        anchor=f"file-{space.file}",
        source=code(space.source),
        header=code(f"#include <{space.name.replace('.', '/')}/{space.file}.h>"),
        doc=prose(space.doc, refs.link_in_doc),
        summary=_described("", summary(space.doc, refs.link_in_doc)),
        contents=", ".join(_contents(space)),
        enums=tuple(enum_view(enum, refs) for enum in space.enums),
        types=tuple(type_view(type_, refs) for type_ in space.types),
        functions=tuple(function_view(function, refs) for function in space.functions),
    )


def _contents(space: Namespace) -> Iterator[str]:
    """Yield a link to each declaration of a file, in the order of the page."""
    for enum in space.enums:
        yield f"[`{enum.name}`](#{enum.key})"
    for type_ in space.types:
        yield f"[`{type_.ref}`](#{type_.key})"
    for function in space.functions:
        yield f"[`{function.name}()`](#{function.key})"


def enum_view(enum: Enum, refs: References) -> View:
    """Return the view of an enum."""
    members = [
        View(
            name=code(member.name),
            value=member.value,
            cpp=code(f"{enum.name}::{constant_case(member.name)}"),
            doc=cell(member.doc, refs.link_in_doc),
        )
        for member in enum.members
    ]
    doc = prose(enum.doc, refs.link_in_doc)
    return View(name=enum.name, key=enum.key, doc=doc, members=members)


def _callable_view(function: Function | Method, key: str, spellings: str, refs: References) -> View:
    returns = _described(refs.type(function.returns), cell(function.returns_doc, refs.link_in_doc))
    return View(
        name=function.name,
        key=key,
        spellings=spellings,
        signature=refs.signature(function),
        doc=prose(function.doc, refs.link_in_doc),
        params=tuple(_parameter(param, refs) for param in function.params),
        returns="" if function.returns.kind == "None" else returns,
        raises=tuple(
            f"{code(one.name)}: {cell(one.doc, refs.link_in_doc)}" for one in function.raises
        ),
    )


def type_view(type_: Type, refs: References) -> View:
    """Return the view of a type."""
    return _TypeViews(type_, refs).view()


def method_view(type_: Type, method: Method, refs: References) -> View:
    """Return the view of a method of a type."""
    return _TypeViews(type_, refs).method(method)


def function_view(function: Function, refs: References) -> View:
    """Return the view of a free function, which may be that of an operator."""
    return _callable_view(
        function, function.key, names.function_spellings(function, refs.schema), refs
    )


def _parameter(param: Parameter, refs: References) -> str:
    what = f"{code(param.name)} ({refs.type(param.type)})"
    return _described(what, cell(param.doc, refs.link_in_doc))


def _described(what: str, doc: str) -> str:
    """Return something with its doc, if it has one."""
    return f"{what}: {doc}" if doc else what


class _TypeViews:
    """Builds the view of one type."""

    def __init__(self, type_: Type, refs: References) -> None:
        self.type = type_
        self.refs = refs
        self.schema = refs.schema
        self.ancestors = self.schema.ancestry(type_)[:-1]

    def view(self) -> View:
        is_made = self.type.is_constructed
        calls = names.construction(self.type, self.schema) if is_made else ()
        rows, others = self._split_fields()
        return View(
            ref=self.type.ref,
            key=self.type.key,
            doc=prose(self.type.doc, self._link_in_doc),
            facts=tuple(self._facts()),
            calls=[(language, code(text)) for language, text in calls],
            fields=[self._field(field) for field in rows],
            inherited=", ".join([*map(self._inherited_field, others), *self._inherited_methods()]),
            methods=[self.method(method) for method in self.type.methods],
        )

    def _link_in_doc(self, text: str) -> str | None:
        target = self.refs.link_in_doc(text)
        return None if target == f"#{self.type.key}" else target

    # -- Facts ------------------------------------------------------------------------------

    def _facts(self) -> Iterator[str]:
        yield f"Type key `{self.type.key}`, data class `{self.type.name}`."
        if spellings := names.class_spellings(self.type):
            yield f"It is {spellings}."
        if self.type.options.script:
            yield f"In script, {code(self.type.options.script)}."
        if self.ancestors:
            chain = [self.refs.link(ancestor.key) for ancestor in reversed(self.ancestors)]
            yield f"Parent{'s' if len(chain) > 1 else ''}: {', '.join(chain)}."
        kinds = self._kinds()
        if kinds:
            yield f"Kinds: {', '.join(map(self.refs.link, kinds))}."
        yield from self._class_facts(has_kinds=bool(kinds))
        yield from self._structural_facts()
        see_also = [self._see_also(name) for name in self.type.see_also if not self._is_own(name)]
        if see_also:
            yield f"See also {', '.join(see_also)}."

    def _kinds(self) -> list[str]:
        return [type_.key for type_ in self.schema.types() if type_.parent == self.type.key]

    def _class_facts(self, *, has_kinds: bool) -> Iterator[str]:
        options = self.type.options
        if options.abstract:
            yield "Abstract: make one of its kinds."
        elif any(type_.options.post_init for type_ in (*self.ancestors, self.type)):
            yield "Its arguments are checked when it is made."
        if not options.final and not has_kinds:
            yield "Open: other classes may derive from it."
        if options.mutable:
            yield "Mutable: its fields may be written after it is made."
        yield from self._kind_facts()

    def _kind_facts(self) -> Iterator[str]:
        options = self.type.options
        if options.extern is not None:
            size = "of unknown layout"
            if not self.type.is_opaque:
                size = f"{self.type.layout.size} bytes"
            where = f"of another library: {code(options.extern)}" if options.extern else "by hand"
            if self.type.has_accessor_class:
                where = "of another library, whose fields are read by name"
            yield f"A class {where}, {size}."
        elif options.register == "hand":
            yield "Hand-written C++ registers it."
        elif not options.register:
            yield "C++ alone knows it: it is not registered."
        if options.default_constructible:
            yield "C++ makes it without arguments; its members have initializers."
        if options.polymorphic:
            yield "It has virtual functions in C++."
        if (text := _REFERENCES[options.ref]) and options.extern is None:
            yield text
        if options.cow:
            yield "In C++, `CopyOnWrite` of its reference copies an object that is shared."

    def _structural_facts(self) -> Iterator[str]:
        options = self.type.options
        inherited = self.ancestors[-1].options.structural if self.ancestors else "tree"
        if options.structural != "tree" or inherited != "tree":
            yield _STRUCTURAL[options.structural]
        if options.structural is None:
            return
        if not (options.default_sequal_reduce and options.default_shash_reduce):
            yield "Its structural equality and hash are written by hand."
        marked = [
            f"{meaning} {', '.join(code(field.name) for field in fields)}"
            for flag, meaning in _FLAGS.items()
            if (fields := [field for field in self.type.fields if field.structural == flag])
        ]
        if marked:
            yield f"Structural equality {'; '.join(marked)}."

    def _is_own(self, name: str) -> bool:
        return name in (self.type.ref, self.type.name, self.type.key)

    def _see_also(self, name: str) -> str:
        target = self._link_in_doc(name)
        return f"[{code(name)}]({target})" if target else code(name)

    # -- Fields -----------------------------------------------------------------------------

    def _split_fields(self) -> tuple[list[Field], list[Field]]:
        """Return the fields that get a row, the constructor's arguments first, and the others."""
        arguments = self.schema.arguments(self.type)
        taken = {field.name for field in arguments}
        every = (*self.schema.fields(self.type), *self.type.accessors)
        rest = [field for field in every if field.name not in taken]
        rows: list[Field] = []
        others: list[Field] = []
        for field in (*arguments, *rest):
            is_optional = field.name not in taken or (field.kw_only and field.default is not None)
            inherited = self._owner(field) is not self.type
            (others if inherited and is_optional else rows).append(field)
        return rows, others

    def _owner(self, field: Field) -> Type:
        """Return the nearest type that declares or restates a field."""
        return next(
            type_
            for type_ in (self.type, *reversed(self.ancestors))
            if field.name in {declared.name for declared in (*type_.fields, *type_.accessors)}
            or field.name in {restated.name for restated in type_.restated}
        )

    def _field(self, field: Field) -> View:
        doc = cell(field.doc, self._link_in_doc)
        owner = self._owner(field)
        if owner is not self.type:
            doc = f"{doc} From {self.refs.link(owner.key)}.".lstrip()
        return View(
            name=code(field.name),
            type=self.refs.type(field.type),
            default=self._default(field),
            doc=doc,
        )

    def _default(self, field: Field) -> str:
        texts: list[str] = []
        if field in self.type.accessors:
            return ""  # Its own library makes the objects.
        if field.default is not None and field.default.initializer:
            texts.append(f"{code_cell(field.cpp_init)} in C++" if field.cpp_init else "empty")
        elif field.default is not None:
            texts.append(code_cell(names.default_text(field.default, field.type)))
        if field.name not in self.type.init:
            texts.append("no argument" if texts or self.type.options.abstract else "set when made")
        elif field.kw_only:
            texts.append("by name")
        return ", ".join(texts)

    def _inherited_field(self, field: Field) -> str:
        """Return a field that has no row; `name=default` is how the constructor takes it."""
        text = field.name
        if field.default is not None and field.name in self.type.init:
            text += f"={names.default_text(field.default, field.type)}"
        return f"{code(text)} from {self.refs.link(self._owner(field).key)}"

    def _inherited_methods(self) -> Iterator[str]:
        for ancestor in reversed(self.ancestors):
            for method in ancestor.methods:
                yield f"{code(method.name + '()')} from {self.refs.link(ancestor.key)}"

    def method(self, method: Method) -> View:
        """Return the view of one of its methods."""
        key = f"{self.type.key}.{method.name}"
        spellings = names.method_spellings(method.name)
        if method.cpp is not None:
            spellings = f"{code(method.cpp)} in C++"
        if method.static:
            spellings += ", and called without an object"
        return _callable_view(method, key, spellings, self.refs)
