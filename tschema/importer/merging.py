"""Additions to schema files that people have edited.

In: the text of a file, and the declarations that it lacks.  Out: the text with these declarations,
every other byte unchanged.  This module decides where text goes; its callers find the missing
declarations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import libcst as cst
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper
from msgspec import Struct

from tschema.editing.edits import Edit, apply_edits
from tschema.editing.syntax import Definition, FileSyntax, Text, read_syntax
from tschema.importer.changes import ClassChanges, NewClass, NewField


def merge(
    text: str,
    changes: Mapping[str, ClassChanges],
    classes: Sequence[NewClass],
    imports: Mapping[str, Sequence[str]],
    replaced: Mapping[str, str] | None = None,
) -> str:
    """
    Return the text of a schema file with its missing declarations.

    Parameters
    ----------
    changes
        Changes of its classes, by name.
    classes
        New classes, in order.
    imports
        Names to import, by module; those that are imported already are left alone.
    replaced
        New texts of its classes, by name.
    """
    merger = _Merger(text)
    for name, new in (replaced or {}).items():
        merger.replace_class(name, new)
    for name, change in changes.items():
        merger.change_class(name, change)
    merger.add_classes(classes)
    needed = {module: list(names) for module, names in imports.items()}
    if merger.writes_field:
        needed["tschema"] = sorted({*needed.get("tschema", ()), "field"})
    for module, names in sorted(needed.items()):
        merger.add_import(module, names)
    return merger.text()


class _Merger:
    """Edits of one file, as they gather."""

    def __init__(self, text: str) -> None:
        self._data = text.encode()
        self._syntax: FileSyntax = read_syntax(text)
        self._imports = _read_imports(text)
        self._edits: list[Edit] = []
        self._inserted: dict[int, str] = {}
        """Texts to insert, by place, in the order in which they came."""
        self.writes_field = False
        """Whether a doc became an option of a field."""

    def text(self) -> str:
        edits = [*self._edits, *(Edit(at, at, text) for at, text in self._inserted.items())]
        return apply_edits(self._data, edits).decode()

    def _insert(self, at: int, text: str) -> None:
        if b"\r\n" in self._data:
            text = text.replace("\n", "\r\n")
        self._inserted[at] = self._inserted.get(at, "") + text

    def _line_end(self, at: int) -> int:
        """Return the end of the line that a place is in, without its line end."""
        end = self._data.find(b"\n", at)
        return len(self._data) if end < 0 else end - self._data[:end].endswith(b"\r")

    # -- Classes ------------------------------------------------------------------------------

    def change_class(self, name: str, change: ClassChanges) -> None:
        """Change the declaration of a class."""
        for field, annotation in change.annotations.items():
            self._replace_annotation(name, field, annotation)
        for option, value in change.options.items():
            self._set_option(name, option, value)
        for new in change.fields:
            self._add_field(name, new)
        if change.base is not None:
            self._replace_base(name, change.base)
        for method in change.methods:
            self._insert(self._body_end(name), f"\n\n{method}")

    def replace_class(self, name: str, text: str) -> None:
        """Replace the text of a class, whose decorator stays."""
        definition = self._syntax.definition((), name)
        assert definition is not None
        start, end = definition.statement
        if b"\r\n" in self._data:
            text = text.replace("\n", "\r\n")
        self._edits.append(Edit(start, end, text[text.index("class ") :].rstrip()))

    def _replace_base(self, name: str, base: str) -> None:
        definition = self._syntax.definition((), name)
        assert definition is not None
        end = self._data.index(b")", definition.end) + 1
        self._edits.append(Edit(definition.end, end, f"({base})"))

    def _definitions(self, name: str) -> list[Definition]:
        return [one for one in self._syntax.definitions if one.owner == (name,)]

    def _body_end(self, name: str) -> int:
        """Return the end of a class, comments that are indented as its body included."""
        definition = self._syntax.definition((), name)
        assert definition is not None
        end = self._line_end(definition.statement[1])
        while True:
            following = self._line_end(min(end + 2, len(self._data)))
            line = self._data[end:following].strip(b"\r\n")
            if not line.startswith((b" ", b"\t")) or not line.strip().startswith(b"#"):
                return end
            end = following

    def _add_field(self, name: str, new: NewField) -> None:
        line = new.line
        entry = new.doc and self._add_doc(name, new)
        if new.doc and not entry:
            line = _with_doc(line, new.doc)
            self.writes_field = True
        own = self._definitions(name)
        fields = {one.name: one for one in own if one.kind == "field"}
        before = next((fields[one] for one in new.after if one in fields), None)
        options = [one for one in own if one.kind == "assignment"]
        anchor = before or (options[-1] if options else None)
        at = self._line_end(anchor.statement[1]) if anchor else self._body_end(name)
        self._insert(at, f"\n    {line}")

    def _add_doc(self, name: str, new: NewField) -> bool:
        """Add the doc of a field to the `Attributes` of its class; return whether it has some."""
        doc = next((one for one in self._syntax.texts if _is_class_doc(one, name)), None)
        place = _attributes_end(doc.raw) if doc else None
        if doc is None or place is None:
            return False
        margin = " " * 4
        lines = [new.name, *(f"    {line}".rstrip() for line in new.doc.strip().splitlines())]
        escaped = [line.replace("\\", "\\\\").replace('"""', '\\"\\"\\"') for line in lines]
        text = "".join(f"\n{margin}{line}".rstrip(" ") for line in escaped)
        self._insert(doc.start + len(doc.raw[:place].encode()), text)
        return True

    def _replace_annotation(self, name: str, field: str, annotation: str) -> None:
        found = next(one for one in self._definitions(name) if one.name == field)
        statement = self._data[found.statement[0] : found.statement[1]].decode()
        parsed = cst.parse_statement(statement)
        assert isinstance(parsed, cst.SimpleStatementLine)
        assign = parsed.body[0]
        assert isinstance(assign, cst.AnnAssign)
        old = cst.Module([]).code_for_node(assign.annotation.annotation)
        start = found.end + statement[found.end - found.statement[0] :].index(old)
        self._edits.append(Edit(start, start + len(old.encode()), annotation))

    def _set_option(self, name: str, option: str, value: str) -> None:
        own = self._definitions(name)
        options = [one for one in own if one.kind == "assignment"]
        found = next((one for one in options if one.name == option), None)
        if found is not None:
            self._edits.append(Edit(found.start, found.statement[1], f"{option} = {value}"))
            return
        at = self._line_end(options[-1].statement[1]) if options else self._body_end(name)
        self._insert(at, f"\n    {option} = {value}")

    def add_classes(self, classes: Iterable[NewClass]) -> None:
        """Add classes, each after its neighbours."""
        placed: dict[str, int] = {}
        for new in classes:
            name = _class_name(new.text)
            known = [placed.get(one) or self._place_after(one) for one in new.after]
            places = [at for at in known if at is not None]
            at = max(places, default=self._end())
            placed[name] = at
            self._insert(at, f"\n\n\n{new.text.rstrip()}")

    def _place_after(self, name: str) -> int | None:
        return self._body_end(name) if self._syntax.definition((), name) else None

    def _end(self) -> int:
        """Return the end of the text, without its last line ends."""
        return len(self._data.rstrip())

    # -- Imports ------------------------------------------------------------------------------

    def add_import(self, module: str, names: Sequence[str]) -> None:
        """Import names from a module."""
        for found in self._imports:
            if found.module == module and found.names:
                for name in names:
                    self._add_name(found, name)
                return
        statement = f"from {module} import {', '.join(names)}"
        before = [found for found in self._imports if found.module < module]
        if before:
            self._insert(self._line_end(before[-1].end), f"\n{statement}")
        elif self._imports:
            self._insert(self._imports[0].start, f"{statement}\n")
        else:
            self._insert(0, f"{statement}\n\n")

    def _add_name(self, found: _Import, name: str) -> None:
        if any(text == name for text, _, _ in found.names):
            return
        following = next((start for text, start, _ in found.names if text > name), None)
        if following is not None:
            self._insert(following, f"{name}, ")
        else:
            self._insert(found.names[-1][2], f", {name}")


class _Import(Struct, frozen=True):
    """A `from ... import` statement; bounds are bytes."""

    module: str
    names: tuple[tuple[str, int, int], ...]
    """Each name as written, with its alias, and its bounds."""
    start: int
    end: int


def _read_imports(text: str) -> list[_Import]:
    wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
    spans = wrapper.resolve(ByteSpanPositionProvider)
    found = []
    for line in wrapper.module.body:
        for statement in line.body if isinstance(line, cst.SimpleStatementLine) else ():
            if isinstance(statement, cst.ImportFrom) and not isinstance(
                statement.names, cst.ImportStar
            ):
                names = tuple(
                    (
                        _code(alias.with_changes(comma=cst.MaybeSentinel.DEFAULT)),
                        spans[alias].start,
                        spans[alias.asname or alias.name].start
                        + spans[alias.asname or alias.name].length,
                    )
                    for alias in statement.names
                )
                span = spans[statement]
                module = "." * len(statement.relative) + (
                    _code(statement.module) if statement.module else ""
                )
                found.append(_Import(module, names, span.start, span.start + span.length))
    return found


def _code(node: cst.CSTNode) -> str:
    return cst.Module([]).code_for_node(node).strip()


def _is_class_doc(text: Text, name: str) -> bool:
    return text.kind == "doc" and text.owner == (name,) and not text.keyword


def _attributes_end(raw: str) -> int | None:
    """Return where the last entry of `Attributes` ends in a docstring, or None without such."""
    lines = raw.splitlines(keepends=True)
    titles = [at for at, line in enumerate(lines[1:]) if set(line.strip()) == {"-"}]
    start = next((at for at in titles if lines[at].strip() == "Attributes"), None)
    if start is None:
        return None
    following = next((at for at in titles if at > start), len(lines))
    text = "".join(lines[:following])
    return len(text.rstrip())


def _with_doc(line: str, doc: str) -> str:
    """Return the declaration of a field with its doc as an option."""
    shown = '"' + " ".join(doc.split()).replace("\\", "\\\\").replace('"', '\\"') + '"'
    if line.endswith(")") and " = field(" in line:
        return f"{line[:-1]}, doc={shown})"
    return f"{line} = field(doc={shown})"


def _class_name(text: str) -> str:
    """Return the name of the class that a text declares."""
    line = next(line for line in text.splitlines() if line.startswith("class "))
    return line.removeprefix("class ").partition("(")[0]
