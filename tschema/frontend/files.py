"""The schema files of a project, and their text.

In: the project's root and the schema roots.  Out: `SchemaFile`s in order of their paths.  It maps
paths to modules and namespaces, and does not know the contents of files.
"""

from __future__ import annotations

import stat
from collections.abc import Container, Iterable
from pathlib import Path, PurePosixPath

from msgspec import Struct

from tschema.diagnostics.errors import Reporter
from tschema.diagnostics.source import SourceFile, Span
from tschema.project.folders import schema_files


class SchemaFile(Struct, frozen=True):
    """A schema file that has been read."""

    source: SourceFile
    module: str
    """Dotted, as schema files import it: the name of the root, then the path below it."""
    namespace: str
    """Dotted: the package, then the folders below the root; without the package, if the first of
    them is a root of keys."""
    stem: str


def read_files(
    root: Path,
    roots: Iterable[PurePosixPath],
    package: str,
    reporter: Reporter,
    key_roots: Container[str] = (),
) -> tuple[SchemaFile, ...]:
    """Read every schema file below the roots, in order of their paths.

    Parameters
    ----------
    root
        The project's root, which `roots` are relative to.
    roots
        Folders or files of declarations.
    reporter
        Gets an error for each unreadable file, which is left out.
    key_roots
        Names of folders right below a root whose namespaces do not begin with the package.
    """
    files: dict[PurePosixPath, SchemaFile] = {}
    for schema_root in roots:
        if not (root / schema_root).exists():
            reporter.error("TS002", f"schema root `{schema_root}` does not exist", None)
        for path in schema_files(root / schema_root):
            shown = PurePosixPath(path.relative_to(root).as_posix())
            text = _read(path, shown, reporter)
            if text is not None:
                files[shown] = schema_file(shown, schema_root, package, text, key_roots)
    return tuple(files[path] for path in sorted(files))


def schema_file(
    shown: PurePosixPath,
    schema_root: PurePosixPath,
    package: str,
    text: str,
    key_roots: Container[str] = (),
) -> SchemaFile:
    """
    Return the schema file of a text.

    Parameters
    ----------
    shown
        Its path, relative to the project's root.
    schema_root
        The root that contains it, or the file itself if it is a root.
    package
        First part of its namespace.
    key_roots
        Names of folders right below a root whose namespaces do not begin with the package.
    """
    below = shown.relative_to(schema_root) if shown != schema_root else PurePosixPath(shown.name)
    folders = below.parent.parts
    namespace = folders if folders and folders[0] in key_roots else (package, *folders)
    first = () if shown == schema_root else (schema_root.name,)
    return SchemaFile(
        source=SourceFile(str(shown), text),
        module=".".join((*first, *folders, below.stem)),
        namespace=".".join(namespace),
        stem=below.stem,
    )


def _read(path: Path, shown: PurePosixPath, reporter: Reporter) -> str | None:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            # Reading a pipe or a device would never end.
            reporter.error("TS002", f"`{shown}` is not a regular file", None)
            return None
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        reporter.error("TS002", f"cannot read `{shown}`: {reason.lower()}", None)
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        _report_encoding(data, error, shown, reporter)
        return None


def _report_encoding(
    data: bytes, error: UnicodeDecodeError, shown: PurePosixPath, reporter: Reporter
) -> None:
    good = data[: error.start].decode("utf-8-sig")
    line, column = good.count("\n") + 1, len(good) - good.rfind("\n")
    source = SourceFile(str(shown), "")
    reporter.error(
        "TS002",
        f"`{shown}` is not UTF-8: byte 0x{data[error.start]:02x}",
        Span(source, line, column, line, column + 1),
        help="save the file as UTF-8",
    )
