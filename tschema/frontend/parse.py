"""Schema files, from text to declarations.

In: `SchemaFile`s, and what earlier runs have parsed.  Out: `Declarations`, each file on its own.
Nothing of a file is executed, no name is resolved, and what is refused is recorded in the
declarations rather than raised.  LibCST is only imported for a chunk that is not known yet.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from tschema.cache import Store, make_key
from tschema.declarations import ClassDecl, Declarations, FileDecl, FunctionDecl, ImportDecl
from tschema.errors import Reporter
from tschema.frontend.chunks import Chunk, Outline, dump_outline, load_outline, make_outline
from tschema.frontend.files import SchemaFile, read_files
from tschema.frontend.recall import ChunkDecl, dump, load
from tschema.frontend.syntax import TooDeep, check_module
from tschema.source import Place, SourceFile, Span

__all__ = ["is_parsed", "parse_file", "parse_schema", "quiet"]


def parse_schema(
    root: Path, roots: Iterable[PurePosixPath], package: str, store: Store | None = None
) -> Declarations:
    """Read and parse every schema file of a package.

    Parameters
    ----------
    root
        The project's root.
    roots
        Folders or files of declarations, relative to `root`.
    package
        First part of every namespace.
    store
        What earlier runs have parsed.
    """
    reporter = Reporter()
    files = read_files(root, roots, package, reporter)
    known = Store() if store is None else store
    with quiet():
        parsed = [parse_file(file, reporter, known) for file in files]
    kept = tuple(file for file in parsed if file is not None)
    return Declarations(kept, tuple(reporter.diagnostics))


def is_parsed(file: SchemaFile, store: Store) -> bool:
    """Return whether an earlier run has parsed a file, and refused nothing."""
    return store.get(_file_key(file)) is not None


def parse_file(file: SchemaFile, reporter: Reporter, store: Store) -> FileDecl | None:
    """Parse one schema file; None for an `__init__.py`, which declares nothing."""
    source = file.source
    faults = len(reporter.diagnostics)
    try:
        known = store.get(_file_key(file))
        outline = load_outline(known, source.text) if known else _outline(source.text)
        file_decl = _FileParser(file, outline, reporter, store).parse()
        if not known and len(reporter.diagnostics) == faults:
            store.put(_file_key(file), dump_outline(outline))
    except SyntaxError as error:
        # Python's own words are clearer than those of the other parser.
        line, column = error.lineno or 1, max(1, error.offset or 1)
        _report_syntax(error.msg, Span(source, line, column, line, column + 1), reporter)
    except _ChunkSyntaxError as error:
        _report_syntax("", error.span, reporter)
    except (TooDeep, RecursionError):
        _report_syntax("too deeply nested", Span(source, 1, 1, 1, 1), reporter)
    except ValueError as error:
        _report_syntax(str(error), Span(source, 1, 1, 1, 1), reporter)
    else:
        return None if file.stem == "__init__" else file_decl
    return _broken_file(file)


def _outline(text: str) -> Outline:
    return make_outline(text, check_module(text))


def _file_key(file: SchemaFile) -> bytes:
    return make_key("outline", file.module, file.source.text)


class _ChunkSyntaxError(Exception):
    """LibCST does not understand what Python does."""

    def __init__(self, span: Span) -> None:
        self.span = span
        super().__init__()


@contextmanager
def quiet() -> Iterator[None]:
    """Keep warnings on escapes from printing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


class _FileParser:
    """Parses the chunks of one file."""

    def __init__(
        self, file: SchemaFile, outline: Outline, reporter: Reporter, store: Store
    ) -> None:
        self._file = file
        self._outline = outline
        self._reporter = reporter
        self._store = store

    def parse(self) -> FileDecl:
        chunks = self._outline.chunks
        imports = [
            imported
            for chunk in chunks
            if chunk.imports
            for imported in self._chunk(chunk, None).imports
        ]
        scope = self._scope(imports)
        classes: list[ClassDecl] = []
        functions: list[FunctionDecl] = []
        broken = False
        for chunk in chunks:
            if chunk.declares:
                found = self._chunk(chunk, scope)
                classes += found.classes
                functions += found.functions
                broken |= found.broken
        file_decl = _empty_file(self._file, imports=tuple(imports), broken=broken)
        file_decl.doc = self._outline.doc
        file_decl.scope = scope
        file_decl.classes, file_decl.functions = tuple(classes), tuple(functions)
        return file_decl

    def _scope(self, imports: Iterable[ImportDecl]) -> dict[str, str]:
        scope: dict[str, str] = {}
        for imported in imports:
            target = f"{imported.module}.{imported.name}" if imported.name else imported.module
            scope[imported.local] = target.replace("tschema.dsl.", "tschema.")
        for name in self._outline.classes:
            scope[name] = f"{self._file.module}.{name}"
        return scope

    def _chunk(self, chunk: Chunk, scope: Mapping[str, str] | None) -> ChunkDecl:
        """Return what a chunk declares, from the cache if it is there."""
        key = self._key(chunk, scope)
        known = self._store.get(key)
        if known is not None:
            finder = _Finder(chunk, self._file.source, self._file.module, scope)
            return load(known, lambda ordinal: Place(finder.span, ordinal))
        reporter = Reporter()
        found = _parse(chunk, self._file.source, self._file.module, scope, reporter)
        self._reporter.diagnostics += reporter.diagnostics
        if not reporter.diagnostics and not found.broken:
            self._store.put(key, dump(found))
        return found

    def _key(self, chunk: Chunk, scope: Mapping[str, str] | None) -> bytes:
        if scope is None:
            return make_key("imports", self._file.module, chunk.text)
        # What the vocabulary is called here; the front end asks for no other name.
        words = sorted(f"{name}={full}" for name, full in scope.items() if full[:7] == "tschema")
        return make_key("declarations", *words, chunk.text)


class _Finder:
    """Finds places in a chunk that was not parsed in this run."""

    def __init__(
        self, chunk: Chunk, source: SourceFile, module: str, scope: Mapping[str, str] | None
    ) -> None:
        self._chunk = chunk
        self._source = source
        self._module = module
        self._scope = scope

    def span(self, ordinal: object) -> Span:
        """Return the span of the node with an ordinal, which takes a parse."""
        from tschema.frontend.statements import find_span

        assert isinstance(ordinal, int)
        return find_span(self._chunk, self._source, self._module, self._scope, ordinal)


def _parse(
    chunk: Chunk,
    source: SourceFile,
    module: str,
    scope: Mapping[str, str] | None,
    reporter: Reporter,
) -> ChunkDecl:
    from libcst import ParserSyntaxError

    from tschema.frontend.statements import parse_chunk

    try:
        return parse_chunk(chunk, source, module, scope, reporter)
    except ParserSyntaxError as error:
        line, column = error.editor_line + chunk.first_line, error.editor_column
        raise _ChunkSyntaxError(Span(source, line, column, line, column + 1)) from None


def _report_syntax(reason: str, span: Span, reporter: Reporter) -> None:
    reporter.error("TS001", f"syntax error: {reason}" if reason else "syntax error", span)


def _broken_file(file: SchemaFile) -> FileDecl:
    """Stand for a file that does not parse, so that imports from it are not errors of their own."""
    return _empty_file(file, imports=(), broken=True)


def _empty_file(file: SchemaFile, imports: tuple[ImportDecl, ...], broken: bool) -> FileDecl:
    span = Span(file.source, 1, 1, 1, 1)
    return FileDecl(
        source=file.source,
        module=file.module,
        namespace=file.namespace,
        stem=file.stem,
        doc="",
        imports=imports,
        classes=(),
        functions=(),
        place=Place(lambda _: span, None),
        broken=broken,
    )
