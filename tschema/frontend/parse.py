"""Schema files, from text to declarations.

In: `SchemaFile`s, and the results of earlier runs.  Out: `Declarations`, each file on its own.
No file is executed and no name is resolved. Errors are recorded in the declarations rather than
raised.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterable, Mapping
from pathlib import Path, PurePosixPath

from msgspec.structs import asdict

from tschema.diagnostics.conflict_markers import report_conflicts
from tschema.diagnostics.errors import Reporter
from tschema.diagnostics.source import SourceFile, Span, whole_characters
from tschema.frontend.body import BodyParser
from tschema.frontend.files import SchemaFile, read_files
from tschema.frontend.imports import parse_import
from tschema.frontend.places import Locator
from tschema.frontend.syntax import TooDeep, parse_edited, parse_module, reserved_word
from tschema.incremental.store import Store, make_key
from tschema.ir.declarations import (
    Contents,
    Declarations,
    FileDecl,
    ImportDecl,
    decode_contents,
    encode_contents,
)


def parse_schema(
    root: Path,
    roots: Iterable[PurePosixPath],
    package: str,
    store: Store | None = None,
    key_roots: Container[str] = (),
) -> Declarations:
    """
    Read and parse every schema file of a package.

    Parameters
    ----------
    roots
        Folders or files of declarations, relative to `root`.
    key_roots
        Names of folders whose namespaces do not begin with the package.
    """
    reporter = Reporter()
    files = read_files(root, roots, package, reporter, key_roots)
    return parse_files(files, reporter, store)


def parse_files(
    files: Iterable[SchemaFile], reporter: Reporter, store: Store | None = None
) -> Declarations:
    """
    Parse schema files.

    Parameters
    ----------
    files
        All those of a package, in order of their paths.
    reporter
        The diagnostics so far; the declarations carry them too.
    """
    known = Store() if store is None else store
    parsed = [_file(file, _contents(file, reporter, known)) for file in files]
    # An `__init__.py` is read for its faults; it declares nothing.
    kept = tuple(file for file in parsed if file.stem != "__init__")
    return Declarations(kept, tuple(reporter.diagnostics))


def parse_texts(declarations: Declarations, texts: Mapping[str, str]) -> Declarations:
    """
    Parse schema files again where their texts are not those on disk.

    Parameters
    ----------
    declarations
        The schema files of a package.
    texts
        New texts by path.
    """
    kept = (
        one for one in declarations.diagnostics if not one.span or one.span.file.path not in texts
    )
    reporter = Reporter([*kept])
    parsed = [
        _again(file, texts[file.source.path], reporter) if file.source.path in texts else file
        for file in declarations.files
    ]
    return Declarations(tuple(parsed), tuple(reporter.diagnostics))


def _again(file: FileDecl, text: str, reporter: Reporter) -> FileDecl:
    source = SourceFile(file.source.path, text)
    changed = SchemaFile(source, file.module, file.namespace, file.stem)
    return _file(changed, _parse(changed, reporter, parse_edited))


def _contents(file: SchemaFile, reporter: Reporter, store: Store) -> Contents:
    """Return the contents of a file; a file with faults is parsed each time, to report them."""
    key = make_key("parse", file.module, file.source.path, file.source.text)
    data = store.get(key)
    if data is not None:
        return decode_contents(data, file.source)
    n_faults = len(reporter.diagnostics)
    contents = _parse(file, reporter, parse_module)
    is_good = not contents.broken and len(reporter.diagnostics) == n_faults
    encoded = encode_contents(contents) if is_good else None
    if encoded is not None:
        store.put(key, encoded)
    return contents


def _parse(file: SchemaFile, reporter: Reporter, tree_of: Callable[[str], ast.Module]) -> Contents:
    """Parse a file; one that does not parse is broken, and its names count as known."""
    source, help = file.source, None
    if report_conflicts(source, reporter):
        return Contents(broken=True)
    try:
        return _parse_tree(tree_of(source.text), source, file.module, reporter)
    except SyntaxError as error:
        line, column = error.lineno or 1, max(1, error.offset or 1)
        reason, span = error.msg, Span(source, line, column, line, column + 1)
        if found := reserved_word(source.text, line):
            span = Span(source, line, found.column, line, found.column + len(found.word))
            reason, help = found.reason, found.help
    except (TooDeep, RecursionError):
        reason, span = "too deeply nested", Span(source, 1, 1, 1, 1)
    except ValueError as error:
        reason, span = str(error), Span(source, 1, 1, 1, 1)
    reporter.error("TS001", f"syntax error: {reason}", span, help=help)
    return Contents(broken=True)


def _parse_tree(tree: ast.Module, source: SourceFile, module: str, reporter: Reporter) -> Contents:
    locator = Locator(source)
    doc = ast.get_docstring(tree)
    imports = tuple(
        imported
        for statement in tree.body
        if isinstance(statement, ast.Import | ast.ImportFrom)
        for imported in parse_import(statement, module, locator, reporter)
    )
    classes = (statement.name for statement in tree.body if isinstance(statement, ast.ClassDef))
    body = BodyParser(_scope(module, imports, classes), locator, reporter)
    body.parse(tree.body if doc is None else tree.body[1:])
    text = whole_characters(doc or "").strip()
    return Contents(
        text,
        imports,
        tuple(body.classes),
        tuple(body.functions),
        body.refused,
        tuple(body.dialects),
    )


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
    scope = _scope(file.module, contents.imports, classes)
    return FileDecl(**asdict(contents), **asdict(file), scope=scope)
