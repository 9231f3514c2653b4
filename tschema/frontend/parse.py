"""Schema files, from text to declarations.

In: `SchemaFile`s.  Out: `Declarations`, each file on its own.  Nothing of a file is executed, no
name is resolved, and what is refused is recorded in the declarations rather than raised.
"""

from __future__ import annotations

import gc
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

import libcst as cst

from tschema.declarations import Declarations, FileDecl, ImportDecl
from tschema.errors import Reporter
from tschema.frontend.body import BodyParser
from tschema.frontend.files import SchemaFile, read_files
from tschema.frontend.imports import parse_import
from tschema.frontend.positions import Locator
from tschema.frontend.syntax import TooDeep, check_module
from tschema.source import Place, Span

__all__ = ["parse_file", "parse_schema"]


def parse_schema(root: Path, roots: Iterable[PurePosixPath], package: str) -> Declarations:
    """Read and parse every schema file of a package.

    Parameters
    ----------
    root
        The project's root.
    roots
        Folders or files of declarations, relative to `root`.
    package
        First part of every namespace.
    """
    reporter = Reporter()
    files = read_files(root, roots, package, reporter)
    with _quiet():
        parsed = [parse_file(file, reporter) for file in files]
    kept = tuple(file for file in parsed if file is not None)
    return Declarations(kept, tuple(reporter.diagnostics))


def parse_file(file: SchemaFile, reporter: Reporter) -> FileDecl | None:
    """Parse one schema file; None for an `__init__.py`, which declares nothing."""
    source = file.source
    try:
        check_module(source.text)
        module = cst.parse_module(source.text)
        file_decl = _FileParser(file, module, reporter).parse()
    except SyntaxError as error:
        # Python's own words are clearer than those of the other parser.
        line, column = error.lineno or 1, max(1, error.offset or 1)
        _report_syntax(error.msg, Span(source, line, column, line, column + 1), reporter)
    except cst.ParserSyntaxError as error:
        line, column = error.editor_line, error.editor_column
        _report_syntax("", Span(source, line, column, line, column + 1), reporter)
    except (TooDeep, RecursionError):
        _report_syntax("too deeply nested", Span(source, 1, 1, 1, 1), reporter)
    except ValueError as error:
        _report_syntax(str(error), Span(source, 1, 1, 1, 1), reporter)
    else:
        return None if file.stem == "__init__" else file_decl
    return _broken_file(file)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the garbage collector from walking the trees, and warnings on escapes from printing."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        if was_enabled:
            gc.enable()


class _FileParser:
    """Parses the statements of one file."""

    def __init__(self, file: SchemaFile, module: cst.Module, reporter: Reporter) -> None:
        self._file = file
        self._module = module
        self._reporter = reporter
        self._locator = Locator(file.source, module)
        self._imports: list[ImportDecl] = []

    def parse(self) -> FileDecl:
        statements = list(self._module.body)
        doc = self._module.get_docstring() or ""
        self._import_all(statements)
        file_decl = FileDecl(
            source=self._file.source,
            module=self._file.module,
            namespace=self._file.namespace,
            stem=self._file.stem,
            doc=doc.strip(),
            imports=tuple(self._imports),
            classes=(),
            functions=(),
            place=self._locator.place(self._module),
        )
        file_decl.scope = self._scope(statements)
        body = BodyParser(file_decl, self._locator, self._reporter)
        body.parse(statements[1:] if doc else statements)
        return file_decl

    def _import_all(self, statements: Iterable[cst.BaseStatement | cst.BaseSmallStatement]) -> None:
        for statement in statements:
            if isinstance(statement, cst.SimpleStatementLine):
                for small in statement.body:
                    if isinstance(small, cst.Import | cst.ImportFrom):
                        self._imports += parse_import(
                            small, self._file.module, self._locator, self._reporter
                        )

    def _scope(
        self, statements: Iterable[cst.BaseStatement | cst.BaseSmallStatement]
    ) -> dict[str, str]:
        scope: dict[str, str] = {}
        for imported in self._imports:
            target = f"{imported.module}.{imported.name}" if imported.name else imported.module
            scope[imported.local] = target.replace("tschema.dsl.", "tschema.")
        for statement in statements:
            if isinstance(statement, cst.ClassDef):
                scope[statement.name.value] = f"{self._file.module}.{statement.name.value}"
        return scope


def _report_syntax(reason: str, span: Span, reporter: Reporter) -> None:
    reporter.error("TS001", f"syntax error: {reason}" if reason else "syntax error", span)


def _broken_file(file: SchemaFile) -> FileDecl:
    """Stand for a file that does not parse, so that imports from it are not errors of their own."""
    span = Span(file.source, 1, 1, 1, 1)
    return FileDecl(
        source=file.source,
        module=file.module,
        namespace=file.namespace,
        stem=file.stem,
        doc="",
        imports=(),
        classes=(),
        functions=(),
        place=Place(lambda _: span, None),
        broken=True,
    )
