"""Completion in schema files: types, bases, options and their values, keywords, imports.

In: the text up to the cursor, and the declarations that the file sees.  Out: items.  The context is
told from the text before the cursor, because a line that is being typed does not parse.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal, get_args, get_origin

from lsprotocol import types as lsp
from msgspec import Struct

from tschema.diagnostics.fixes import make_fix
from tschema.diagnostics.helps import ImportName
from tschema.diagnostics.source import SourceFile, Span
from tschema.ir.declarations import LANGUAGE_NAMES, FileDecl
from tschema.lsp import words
from tschema.lsp.hover import OPTIONS
from tschema.lsp.index import SchemaIndex
from tschema.passes.fields import FIELD_VALUES
from tschema.passes.options import CLASS_OPTIONS
from tschema.passes.vocabulary import EFFECTS, KINDS

Kind = lsp.CompletionItemKind
_LONGEST_CALL = 4000
"""Characters before the cursor in which the call around it begins."""

_BASES = re.compile(r"^class\s+\w+\((?:[\w.]+,\s*)*([\w.]*)$")
_DECORATOR = re.compile(r"^\s*@(\w*)$")
_IMPORT = re.compile(r"^from\s+([\w.]+)\s+import\s+(?:[\w\s,]*,\s*)?(\w*)$")
_MODULE = re.compile(r"^(?:from|import)\s+([\w.]*)$")
_TYPE = re.compile(r"(?:->|:)\s*[\"']?(?:[\w.\[\], |]*[\[,|]\s*)?([\w.]*)$")
_OPTION = re.compile(r"^\s+(\w*)$")
_VALUE = re.compile(r"^\s+(\w+)\s*=\s*(\"?\w*)$")
_MEMBER = re.compile(r"=\s*([\w.]+)\.(\w*)$")
_KEYWORD = re.compile(r"(?:[(,]|^)\s*(\w*)$")
_ARGUMENT = re.compile(r"(\w+)\s*=\s*(\"?\w*)$")
_CALL = re.compile(r"(@?\w+)\s*$")


class Cursor(Struct, frozen=True):
    """Where something is typed."""

    file: FileDecl
    """As it was when it last parsed."""
    source: SourceFile
    """The text as it is now."""
    line: int
    column: int
    """1-based, both."""

    @property
    def before(self) -> str:
        """The line up to the cursor."""
        return self.source.line(self.line)[: self.column - 1]

    def text_before(self) -> str:
        """Return the end of the text before the cursor."""
        lines = [self.source.line(number) for number in range(max(1, self.line - 60), self.line)]
        return "\n".join([*lines, self.before])[-_LONGEST_CALL:]


def complete(cursor: Cursor, index: SchemaIndex | None) -> list[lsp.CompletionItem]:
    """Return the words that fit at a cursor, without the declarations of a wrong schema."""
    before = cursor.before
    if match := _IMPORT.match(before):
        return [*_imported(match[1], index)]
    if match := _MODULE.match(before):
        return [_item(one, Kind.Module) for one in _modules(index)]
    if match := _DECORATOR.match(before):
        return [*_documented(words.decorators(), Kind.Function)]
    if match := _BASES.match(before):
        return [*_bases(match[1], cursor, index)]
    call = open_call(cursor.text_before())
    if call in OPTIONS:
        return [*_arguments(call, cursor, index)]
    if match := _MEMBER.search(before):
        return [*_members(match[1], cursor, index)]
    if match := _TYPE.search(before):
        return [*_types(match[1], cursor, index)]
    if (match := _VALUE.match(before)) and match[1] in CLASS_OPTIONS:
        return [*_literals(CLASS_OPTIONS[match[1]][0])]
    if _OPTION.match(before) and _is_in_class(cursor):
        return [*_documented(words.class_options(), Kind.Property, " = ")]
    return []


def resolve(item: lsp.CompletionItem, source: SourceFile) -> Iterator[lsp.TextEdit]:
    """Yield the edits that import the name of an item, of a file that parses."""
    data = item.data if isinstance(item.data, Mapping) else {}
    if "module" not in data:
        return
    line = int(data["line"])
    change = ImportName(str(data["module"]), str(data["name"]))
    fix = make_fix(change, Span(source, line, 1, line, 1))
    for edit in fix.edits if fix else ():
        # It inserts plain names, in lines of ASCII imports.
        start = lsp.Position(edit.span.line - 1, edit.span.column - 1)
        end = lsp.Position(edit.span.end_line - 1, edit.span.end_column - 1)
        yield lsp.TextEdit(lsp.Range(start, end), edit.text)


def _types(typed: str, cursor: Cursor, index: SchemaIndex | None) -> Iterator[lsp.CompletionItem]:
    if typed.startswith("ty."):
        yield from _documented(words.types(), Kind.Class)
        return
    yield _item("ty", Kind.Module)
    yield from _declared(cursor, index)


def _bases(typed: str, cursor: Cursor, index: SchemaIndex | None) -> Iterator[lsp.CompletionItem]:
    if typed.startswith("ty."):
        yield _item("IntEnum", Kind.Class, words.types()["IntEnum"])
        return
    yield _item("Object", Kind.Class)
    yield _item("ty.IntEnum", Kind.Class, words.types()["IntEnum"])
    yield from (one for one in _declared(cursor, index) if one.kind == Kind.Class)


def _declared(cursor: Cursor, index: SchemaIndex | None) -> Iterator[lsp.CompletionItem]:
    """Yield the classes and enums of the package; those of other files bring their import."""
    scope = {absolute: local for local, absolute in cursor.file.scope.items()}
    for module, name, key, kind, doc in _named(index):
        absolute = f"{module}.{name}"
        if absolute in scope:
            yield _item(scope[absolute], kind, doc, detail=key)
        elif name not in cursor.file.scope:
            item = _item(name, kind, doc, detail=key)
            item.data = {"module": module, "name": name, "line": cursor.line}
            item.sort_text = f"~{name}"
            yield item


def _named(index: SchemaIndex | None) -> Iterator[tuple[str, str, str, Kind, str]]:
    """Yield module, name, key, kind and doc of each class and enum."""
    for space in index.schema.namespaces if index else ():
        module = index.modules[space.source] if index else ""
        for type_ in space.types:
            yield module, type_.name, type_.key, Kind.Class, type_.doc
        for enum in space.enums:
            yield module, enum.name, enum.key, Kind.Enum, enum.doc


def _members(typed: str, cursor: Cursor, index: SchemaIndex | None) -> Iterator[lsp.CompletionItem]:
    """Yield the members of an enum, for a default."""
    key = index.docs.by_module.get(cursor.file.qualify(typed)) if index else None
    for space in index.schema.namespaces if index else ():
        for enum in space.enums:
            if enum.key == key:
                for member in enum.members:
                    yield _item(member.name, Kind.EnumMember, member.doc)


def _arguments(
    call: str, cursor: Cursor, index: SchemaIndex | None
) -> Iterator[lsp.CompletionItem]:
    """Yield the keywords of a call, or the values of one."""
    if match := _MEMBER.search(cursor.before):
        yield from _members(match[1], cursor, index)
    elif match := _ARGUMENT.search(cursor.before):
        yield from _literals(_argument_type(call, match[1]))
    elif _KEYWORD.search(cursor.before):
        yield from _documented(OPTIONS[call](), Kind.Property, "=")


def _argument_type(call: str, keyword: str) -> object:
    """Return the type of the literals that a keyword argument takes; None if there are others."""
    if call == "operator":
        return {"kind": Literal[KINDS], "effect": Literal[EFFECTS]}.get(keyword)
    return FIELD_VALUES[keyword][0] if call == "field" and keyword in FIELD_VALUES else None


def _imported(module: str, index: SchemaIndex | None) -> Iterator[lsp.CompletionItem]:
    if module == "tschema":
        yield from (_item(name, Kind.Function) for name in LANGUAGE_NAMES)
    for found, name, key, kind, doc in _named(index):
        if found == module:
            yield _item(name, kind, doc, detail=key)


def _modules(index: SchemaIndex | None) -> Iterator[str]:
    yield "tschema"
    yield from sorted(index.modules.values()) if index else ()


def _literals(option: object) -> Iterator[lsp.CompletionItem]:
    """Yield the values of an option, given the type of its literals."""
    if option is bool:
        yield from (_item(text, Kind.Value) for text in ("True", "False"))
    for one in get_args(option):
        if get_origin(one) is Literal or one is bool:
            yield from _literals(one)
        elif one is type(None):
            yield _item("None", Kind.Value)
        elif get_origin(option) is Literal:
            yield _item(f'"{one}"' if isinstance(one, str) else str(one), Kind.Value)


def _documented(
    known: Mapping[str, str], kind: Kind, suffix: str = ""
) -> Iterator[lsp.CompletionItem]:
    for name, text in known.items():
        if name.isidentifier():
            item = _item(name, kind, text)
            item.insert_text = f"{name}{suffix}"
            yield item


def _item(name: str, kind: Kind, doc: str = "", detail: str | None = None) -> lsp.CompletionItem:
    return lsp.CompletionItem(name, kind=kind, detail=detail, documentation=doc or None)


def _is_in_class(cursor: Cursor) -> bool:
    """Return whether the nearest line above that is not indented begins a class."""
    lines: Iterable[int] = range(cursor.line - 1, 0, -1)
    texts: Callable[[int], str] = cursor.source.line
    above = next((text for one in lines if (text := texts(one)) and not text[0].isspace()), "")
    return above.startswith("class ")


def open_call(text: str) -> str:
    """Return the name of the function whose call is open at the end of a text; empty if none."""
    depth = 0
    for position in range(len(text) - 1, -1, -1):
        depth += {")": 1, "]": 1, "(": -1, "[": -1}.get(text[position], 0)
        if depth < 0:
            if text[position] == "[":
                return ""
            match = _CALL.search(text, 0, position)
            return match[1].removeprefix("@") if match else ""
    return ""
