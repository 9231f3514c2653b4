"""Schema files, from text to declarations.

In: `SchemaFile`s, and what earlier runs have parsed.  Out: `Declarations`, each file on its own.
Nothing of a file is executed, no name is resolved, and what is refused is recorded in the
declarations rather than raised.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from tschema.diagnostics.errors import Reporter
from tschema.diagnostics.source import Place, SourceFile, Span, whole_characters
from tschema.frontend.body import BodyParser
from tschema.frontend.chunks import Chunk, class_names, split_chunks
from tschema.frontend.files import SchemaFile, read_files
from tschema.frontend.imports import parse_import
from tschema.frontend.places import Locator
from tschema.frontend.recall import dump, load
from tschema.frontend.syntax import TooDeep, parse_module
from tschema.incremental.cache import Store, make_key
from tschema.ir.declarations import Contents, Declarations, FileDecl, ImportDecl

__all__ = ["parse_files", "parse_schema"]

_LONE_CR = re.compile(r"\r(?!\n)")


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
    declarations = parse_files(files, known)
    faults = (*reporter.diagnostics, *declarations.diagnostics)
    return Declarations(declarations.files, faults)


def parse_files(files: Iterable[SchemaFile], store: Store) -> Declarations:
    """Parse some schema files.

    Parameters
    ----------
    files
        The files.
    store
        What earlier runs have parsed.
    """
    reporter = Reporter()
    parsed = [_file(file, _contents(file, reporter, store)) for file in files]
    # An `__init__.py` is read for its faults; it declares nothing.
    kept = tuple(file for file in parsed if file.stem != "__init__")
    return Declarations(kept, tuple(reporter.diagnostics))


def _contents(file: SchemaFile, reporter: Reporter, store: Store) -> Contents:
    """Return what a file says; what it says in parts that were parsed before is known."""
    try:
        return _parse_chunks(file, store)
    except (_NotByChunks, SyntaxError, TooDeep, RecursionError, ValueError):
        # What is wrong, and where, only all of the file tells.
        return _parse(file, reporter)


class _NotByChunks(Exception):
    """A file does not consist of imports and declarations that are right, each by itself."""


def _parse_chunks(file: SchemaFile, store: Store) -> Contents:
    if _LONE_CR.search(file.source.text):
        raise _NotByChunks  # To the parser it ends a line.
    head, *chunks = split_chunks(file.source.text)
    reporter = Reporter()
    contents = _parse_tree(parse_module(head.text), file.source, file.module, {}, reporter)
    if reporter.diagnostics or contents.broken or contents.classes or contents.functions:
        raise _NotByChunks
    declared = class_names(file.source.text)
    scope = _scope(file.module, (one for one in contents.imports if one.local not in declared), ())
    context = repr(sorted(scope.items()))
    parts = [_chunk(chunk, file, scope, context, store) for chunk in chunks]
    return Contents(
        contents.doc,
        contents.imports,
        tuple(decl for part in parts for decl in part.classes),
        tuple(decl for part in parts for decl in part.functions),
    )


def _chunk(
    chunk: Chunk, file: SchemaFile, scope: Mapping[str, str], context: str, store: Store
) -> Contents:
    """Return what a chunk says, from the cache if it is there."""
    key = make_key("chunk", file.module, context, chunk.text)
    data = store.get(key)
    if data is None:
        reporter = Reporter()
        source = SourceFile(file.source.path, chunk.text)
        tree = parse_module(chunk.text)
        contents = _parse_tree(tree, source, file.module, scope, reporter)
        if reporter.diagnostics or contents.broken or contents.imports or contents.doc:
            raise _NotByChunks
        data = dump(contents)
        store.put(key, data)
    return load(data, file.source, chunk.line)


def _parse(file: SchemaFile, reporter: Reporter) -> Contents:
    """Parse a file; one that does not parse is broken, and its names count as known."""
    source = file.source
    try:
        return _parse_tree(parse_module(source.text), source, file.module, {}, reporter)
    except SyntaxError as error:
        line, column = error.lineno or 1, max(1, error.offset or 1)
        reason, span = error.msg, Span(source, line, column, line, column + 1)
    except (TooDeep, RecursionError):
        reason, span = "too deeply nested", Span(source, 1, 1, 1, 1)
    except ValueError as error:
        reason, span = str(error), Span(source, 1, 1, 1, 1)
    reporter.error("TS001", f"syntax error: {reason}", span)
    return Contents(broken=True)


def _parse_tree(
    tree: ast.Module,
    source: SourceFile,
    module: str,
    known: Mapping[str, str],
    reporter: Reporter,
) -> Contents:
    """Take a tree apart; some names may be known already."""
    locator = Locator(source)
    doc = ast.get_docstring(tree)
    imports = tuple(
        imported
        for statement in tree.body
        if isinstance(statement, ast.Import | ast.ImportFrom)
        for imported in parse_import(statement, module, locator, reporter)
    )
    classes = (statement.name for statement in tree.body if isinstance(statement, ast.ClassDef))
    scope = {**known, **_scope(module, imports, classes)}
    body = BodyParser(scope, locator, reporter)
    body.parse(tree.body if doc is None else tree.body[1:])
    text = whole_characters(doc or "").strip()
    return Contents(text, imports, tuple(body.classes), tuple(body.functions), body.refused)


def _scope(module: str, imports: Iterable[ImportDecl], classes: Iterable[str]) -> dict[str, str]:
    """Return the absolute dotted name of each imported or declared name."""
    scope: dict[str, str] = {}
    for imported in imports:
        target = f"{imported.module}.{imported.name}" if imported.name else imported.module
        scope[imported.local] = target.replace("tschema.dsl.", "tschema.")
    scope.update((name, f"{module}.{name}") for name in classes)
    return scope


def _file(file: SchemaFile, contents: Contents) -> FileDecl:
    classes = (decl.name for decl in contents.classes)
    return FileDecl(
        source=file.source,
        module=file.module,
        namespace=file.namespace,
        stem=file.stem,
        doc=contents.doc,
        imports=contents.imports,
        classes=contents.classes,
        functions=contents.functions,
        place=Place(file.source, (1, 0, 1, 0)),
        broken=contents.broken,
        scope=_scope(file.module, contents.imports, classes),
    )
