"""The hover text of a name: its doc, its layout, and its signature in three languages.

In: a declaration or a word of the language.  Out: Markdown, from the templates of the reference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from tschema.backends.docs.markdown import code, prose
from tschema.backends.docs.names import References
from tschema.backends.docs.view import enum_view, function_view, method_view, type_view
from tschema.editing.rename.target import Target
from tschema.emit.render import Renderer
from tschema.ir.declarations import FileDecl
from tschema.ir.model import Field, Schema, Type
from tschema.lsp import words
from tschema.lsp.elements import Element
from tschema.lsp.index import SchemaIndex
from tschema.lsp.signatures import Lines, Signatures

_ANCHOR = re.compile(r'<a id="[^"]*"></a>\n+')


class _Unlinked(References, frozen=True):
    """The names of declarations where there are no pages to link to."""

    def target(self, key: str) -> str | None:
        return None


def declaration(target: Target, index: SchemaIndex) -> str:
    """Return what to show of a declaration, as Markdown."""
    schema = index.schema
    refs = _Unlinked(schema, target.space.name)
    if target.kind == "class":
        return _class(schema.type(target.key), schema, refs)
    if target.kind in ("field", "method"):
        return _member(schema.type(target.key), target, schema, refs)
    if target.kind in ("enum", "enum member"):
        text = _rendered("docs/enum.md.jinja", enum=enum_view(schema.enum(target.key), refs))
        return text if target.kind == "enum" else f"`{target.dotted}`\n\n{text}"
    function = schema.function(target.key)
    if target.kind == "parameter":
        param = next(one for one in function.params if one.name == target.name)
        return f"`{param.name}: {refs.type_text(param.type)}`\n\n{_prose(param.doc)}"
    text = _rendered("docs/function.md.jinja", function=function_view(function, refs))
    return text + _signatures(Signatures(schema).function(target.space, function))


def word(element: Element, file: FileDecl) -> str | None:
    """Return the text of a word of the schema language; None for other names."""
    if element.kind == "option":
        return _word(element.name, words.class_options() | words.dialect_options())
    absolute = element.name if element.kind == "import" else file.qualify(element.name)
    if absolute.startswith("tschema.ty."):
        return _word(absolute.removeprefix("tschema."), _types())
    return _word(absolute.removeprefix("tschema."), words.decorators())


def keyword(name: str, function: str) -> str | None:
    """Return the text of a keyword argument of a function of the language."""
    options = OPTIONS.get(function)
    return _word(name, options()) if options else None


OPTIONS = {
    "field": words.field_options,
    "operand": words.operand_options,
    "operator": words.operator_options,
    "function": words.function_options,
    "method": words.method_options,
}
"""What returns the keyword arguments of each function of the language."""


def layout(type_: Type, schema: Schema) -> str:
    """Return the layout of a class as a table, in bytes."""
    if type_.is_opaque:
        return "The layout is unknown."
    rows = [f"| {code(one.name)} | {one.offset} | {one.size} |" for one in _members(type_, schema)]
    head = (
        f"{type_.layout.size} bytes, header included.\n\n| Member | Offset | Size |\n|---|---|---|"
    )
    return "\n".join([head, *rows])


def _members(type_: Type, schema: Schema) -> Iterator[Field]:
    for ancestor in schema.ancestry(type_):
        yield from ancestor.members


def _class(type_: Type, schema: Schema, refs: References) -> str:
    text = _rendered("docs/type.md.jinja", type=type_view(type_, refs))
    return f"{text}\n{layout(type_, schema)}\n{_signatures(Signatures(schema).constructor(type_))}"


def _member(type_: Type, target: Target, schema: Schema, refs: References) -> str:
    for method in type_.methods:
        if target.kind == "method" and method.name == target.name:
            text = _rendered(
                "docs/method.md.jinja", type=type_, method=method_view(type_, method, refs)
            )
            return text + _signatures(Signatures(schema).method(type_, method))
    fields = (*schema.fields(type_), *type_.unregistered, *type_.accessors)
    field = next(one for one in fields if one.name == target.name)
    place = f"{field.size} bytes at offset {field.offset} of {type_.layout.size}"
    head = f"`{type_.ref}.{field.name}: {refs.type_text(field.type)}`"
    where = "" if type_.is_opaque else f"{place}, aligned to {field.align}.\n"
    return f"{head}\n\n{_prose(field.doc)}\n\n{where}" + _signatures(
        Signatures(schema).field(type_, field)
    )


def _signatures(lines: Lines) -> str:
    return "".join(f"\n```{language}\n{text}\n```\n" for language, text in lines.items())


def _prose(text: str) -> str:
    return prose(text, lambda _text: None)


def _word(name: str, known: dict[str, str]) -> str | None:
    return f"`{name}`\n\n{known[name]}" if known.get(name) else None


def _types() -> dict[str, str]:
    return {f"ty.{name}": text for name, text in words.types().items()}


def _rendered(template: str, **views: object) -> str:
    return _ANCHOR.sub("", _renderer().render(template, **views)).strip() + "\n"


@cache
def _renderer() -> Renderer:
    return Renderer()
