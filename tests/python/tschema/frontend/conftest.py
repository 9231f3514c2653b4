"""What the tests of the front end share: a schema from text, and one from a folder of cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath

import pytest

from tschema.diagnostics.errors import Diagnostic, SchemaError, render
from tschema.frontend import parse_schema
from tschema.ir.model import Schema
from tschema.passes import build_schema

Build = Callable[..., Schema]
BuildFolder = Callable[..., tuple[Schema, tuple[Diagnostic, ...]]]

HEADER = '"""A schema."""\n\nfrom tschema import Object, declare, field, function, method, ty\n\n'


@pytest.fixture(scope="session")
def build_folder() -> BuildFolder:
    """Return a function that builds the schema of a package whose declarations lie below a root."""

    def build_root(
        root: Path, schema: str, package: str, imports: Mapping[str, Schema] | None = None
    ) -> tuple[Schema, tuple[Diagnostic, ...]]:
        declarations = parse_schema(root, [PurePosixPath(schema)], package)
        return build_schema(package, declarations, imports or {})

    return build_root


@pytest.fixture
def build(tmp_path: Path, build_folder: BuildFolder) -> Build:
    """Return a function that builds a schema of package `toy` from texts by path."""

    def build_texts(
        body: str = "", imports: Mapping[str, Schema] | None = None, **files: str
    ) -> Schema:
        for path in tmp_path.rglob("*.py"):
            path.unlink()
        texts = {f"{name.replace('__', '/')}.py": text for name, text in files.items()}
        if body:
            texts["nodes.py"] = body
        for name, text in texts.items():
            target = tmp_path / "schema" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(HEADER + text, encoding="utf-8")
        return build_folder(tmp_path, "schema", "toy", imports)[0]

    return build_texts


@pytest.fixture
def messages(build: Build) -> Callable[..., list[str]]:
    """Return a function that gives the rendered errors of a schema."""

    def render_errors(body: str = "", **files: str) -> list[str]:
        try:
            build(body, **files)
        except SchemaError as error:
            return [render(diagnostic) for diagnostic in error.diagnostics]
        return []

    return render_errors
