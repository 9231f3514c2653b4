"""The diagnostics that `tschema fix` looks at.

In: a project, and new texts of its files.  Out: the errors of the declarations; if there are none,
the missing parts of hand-written files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath

from tschema.diagnostics.errors import Diagnostic, SchemaError
from tschema.frontend.parse import parse_texts
from tschema.ir.declarations import Declarations
from tschema.ir.model import Schema
from tschema.pipeline.schema import resolve_declarations
from tschema.project.config import Config
from tschema.verify.verify import verify_sources

Check = Callable[[Config, Schema, Mapping[PurePosixPath, bytes]], Iterator[Diagnostic]]
"""Yields the missing parts of hand-written files, given new bytes of files by path."""


def find_diagnostics(
    config: Config, declarations: Declarations, texts: Mapping[str, str], find_missing: Check
) -> list[Diagnostic]:
    """
    Return the diagnostics of a project.

    Parameters
    ----------
    declarations
        Its schema files on disk.
    texts
        New texts of files by path.
    find_missing
        Checks files that are written in place.
    """
    try:
        schema, warnings = resolve_declarations(config, parse_texts(declarations, texts))
    except SchemaError as error:
        return [*error.diagnostics]
    checks = (
        lambda: verify_sources(config, schema),
        lambda: find_missing(config, schema, _encoded(texts)),
    )
    found = (one for check in checks for one in _found(check))
    return [*warnings, *(one for one in found if one.fix is not None)]


def _encoded(texts: Mapping[str, str]) -> dict[PurePosixPath, bytes]:
    return {
        PurePosixPath(path): text.encode("utf-8", "surrogateescape") for path, text in texts.items()
    }


def _found(check: Callable[[], Iterator[Diagnostic]]) -> list[Diagnostic]:
    """Return the findings of a check, or the errors that stop it."""
    try:
        return [*check()]
    except SchemaError as error:
        return [*error.diagnostics]
