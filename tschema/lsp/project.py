"""A project as it is in the editor: its schema files with unsaved texts, and their meaning.

In: a configuration and texts.  Out: `State`s.  A change is checked in two steps.  At once, only the
files on which the changed one depends are, which suffices for the diagnostics of a file without
operators.  When the keys have been still for a moment, all of them are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from tschema.diagnostics.errors import Diagnostic, SchemaError
from tschema.editing.project import EditedProject
from tschema.editing.rename.code_files import CodeFiles
from tschema.editing.rename.file_index import FileIndex, quick_index
from tschema.editing.rename.rename import generated_names
from tschema.editing.rename.target import Target
from tschema.frontend.parse import parse_texts
from tschema.incremental.store import Store
from tschema.ir.declarations import Declarations, FileDecl
from tschema.ir.model import Namespace, Schema
from tschema.lsp.import_closure import may_clash, near, with_users
from tschema.lsp.index import SchemaIndex
from tschema.pipeline.schema import read_declarations, resolve_declarations
from tschema.project.config import Config


class State(Struct, frozen=True, dict=True):
    """The meaning of schema files at one moment."""

    declarations: Declarations
    schema: Schema | None
    """None where there are errors."""
    diagnostics: tuple[Diagnostic, ...]

    @cached_property
    def index(self) -> SchemaIndex | None:
        """The declarations by their names."""
        return SchemaIndex(self.schema, self.declarations.files) if self.schema else None


def check(config: Config, declarations: Declarations) -> State:
    """Return what declarations mean, as the commands find it."""
    try:
        schema, warnings = resolve_declarations(config, declarations)
    except SchemaError as error:
        return State(declarations, None, error.diagnostics)
    return State(declarations, schema, warnings)


class Project:
    """A project with the texts of an editor."""

    def __init__(self, config: Config) -> None:
        """Read the schema files of a configuration."""
        self.config = config
        self._texts: dict[str, str] = {}
        self._store = Store()
        self._near: dict[str, State] = {}
        self._parsed: dict[str, FileDecl] = {}
        self._changed: set[str] = set()
        """The files that have changed since all were checked."""
        self._indices: dict[str, FileIndex] = {}
        self.code = CodeFiles(config)
        self.reload()

    def reload(self) -> None:
        """Read the schema files again; texts of the editor count instead of those on disk."""
        declarations = read_declarations(self.config, self._store)
        self._take(parse_texts(declarations, self._texts))
        self.accept(check(self.config, self.declarations))

    def change(self, path: str, text: str) -> None:
        """Take a new text of a schema file."""
        self._texts[path] = text
        self._take(parse_texts(self.declarations, {path: text}))
        self._near.pop(path, None)
        self._changed.add(path)
        part = near(self.declarations, path)
        if not self._has_operators(part):
            self._near[path] = check(self.config, part)
        elif part.diagnostics:
            # Operators depend on those of other namespaces, without an import: only all files
            # together tell more than the faults of the text.
            self._near[path] = State(part, None, part.diagnostics)

    def _has_operators(self, part: Declarations) -> bool:
        """Return whether the namespaces of some files have operators."""
        spaces = {one.namespace for one in part.files}
        return any(one.dialects for one in self.declarations.files if one.namespace in spaces)

    def close(self, path: str) -> None:
        """Take the text on disk again."""
        if self._texts.pop(path, None) is not None:
            self.reload()

    def accept(self, state: State) -> None:
        """Take the meaning of all files, unless they have changed since."""
        if state.declarations is not self.declarations:
            return
        self.state = state
        self._near.clear()
        self._changed.clear()
        if state.index is not None:
            self.good = state.index

    def settled(self) -> State:
        """Return the meaning of all files as they are now."""
        if self.state.declarations is not self.declarations:
            self.accept(check(self.config, self.declarations))
        return self.state

    def index(self, path: str) -> SchemaIndex | None:
        """Return the declarations that a file sees: the last ones without errors."""
        state = self._near.get(path)
        if state is not None and state.index is not None:
            return state.index
        return self.good

    def file(self, path: str) -> FileDecl | None:
        """Return a schema file, as it was when it last parsed."""
        return self._parsed.get(path)

    def text(self, path: str) -> str:
        """Return the text of a schema file."""
        found = (one for one in self.declarations.files if one.source.path == path)
        return next((one.source.text for one in found), "")

    def diagnostics(self) -> Iterator[Diagnostic]:
        """Yield the diagnostics of all files; those of a changed file are of its newest text."""
        for one in self.state.diagnostics:
            if _path(one) not in self._near:
                yield one
        for path, state in self._near.items():
            yield from (one for one in state.diagnostics if _path(one) == path)

    def edited(self) -> EditedProject:
        """
        Return the project for the commands that edit it.

        Raises
        ------
        SchemaError
            The declarations are wrong.
        """
        state = self.settled()
        if state.schema is None:
            raise SchemaError(state.diagnostics)
        return EditedProject(self.config, state.declarations, state.schema)

    def looked_at(self) -> EditedProject:
        """
        Return the project for requests that write nothing, as `edited` does.

        Where one file has changed since all of them were checked, its new meaning and that of the
        others before are enough. A class that is gone may be another file's base, so that all are
        checked.
        """
        state = self._near.get(next(iter(self._changed))) if len(self._changed) == 1 else None
        schema = _merged(self.state.schema, state.schema, *self._changed) if state else None
        return EditedProject(self.config, self.declarations, schema) if schema else self.edited()

    def check_rename(
        self, edited: EditedProject, target: Target, new: str, texts: Mapping[str, str]
    ) -> None:
        """
        Check the new texts of a rename, with the files that use them.

        All files are checked where the new name may clash with one in another file, and where there
        are operators.

        Raises
        ------
        SchemaError
            The new declarations are wrong.
        """
        declarations = parse_texts(edited.declarations, texts)
        part = near(declarations, *with_users(declarations, texts))
        if self._has_operators(part) or may_clash(edited.schema, target, new):
            part = declarations
        resolve_declarations(self.config, part)

    def file_index(self, file: FileDecl) -> FileIndex:
        """Return the places of the names in a file, which is read once for each text."""
        known = self._indices.get(file.source.path)
        if known is None or known.file.source.text != file.source.text:
            known = quick_index(file)
            self._indices[file.source.path] = known
        return known

    def read_ahead(self) -> bool:
        """Read the first file with a new text for requests to come; return whether there was one.

        The last step is the JSON IR, which renames of classes look at.
        """
        for file in self.declarations.files:
            before = self._indices.get(file.source.path)
            if not file.broken and self.file_index(file) is not before:
                self.file_index(file).prepare()
                return True
        generated_names(self.config)
        return False

    @property
    def unsaved(self) -> Mapping[str, str]:
        """The texts of the editor, by path."""
        return self._texts

    good: SchemaIndex | None = None
    """The declarations of the last state without errors."""

    def _take(self, declarations: Declarations) -> None:
        self.declarations = declarations
        self._parsed |= {one.source.path: one for one in declarations.files if not _is_lost(one)}

    def place(self, path: str) -> Path:
        """Return where a file of the project is."""
        return self.config.root / path


def _merged(before: Schema | None, part: Schema | None, path: str) -> Schema | None:
    """Return a schema with the new declarations of a file; None if the others may not fit."""
    if before is None or part is None or _imported_keys(part) - _imported_keys(before):
        return None
    old = [one for one in before.namespaces if one.source == path]
    new = [one for one in part.namespaces if one.source == path]
    if len(old) != 1 or len(new) != 1 or _keys(old[0]) - _keys(new[0]):
        return None
    spaces = tuple(new[0] if one is old[0] else one for one in before.namespaces)
    return replace(before, namespaces=spaces)


def _imported_keys(schema: Schema) -> set[str]:
    return {key for one in schema.imports for space in one.namespaces for key in _keys(space)}


def _keys(space: Namespace) -> set[str]:
    return {one.key for one in space.types} | {one.key for one in space.enums}


def _is_lost(file: FileDecl) -> bool:
    """Return whether a text did not parse, so that nothing of it is known."""
    return file.broken and not (file.classes or file.functions or file.imports)


def _path(diagnostic: Diagnostic) -> str | None:
    return diagnostic.span.file.path if diagnostic.span else None
