"""Small schemas, written as text."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from tschema.frontend import parse_schema
from tschema.ir.model import Schema
from tschema.passes import build_schema

__all__ = ["ROOT_TYPE", "build"]

_HEADER = '"""A schema."""\n\nfrom tschema import Object, declare, field, function, method, ty\n\n'
ROOT_TYPE = '@declare\nclass RootNode(Object):\n    """A root."""\n    type_key = "toy.Root"\n'


def build(
    folder: Path,
    files: Mapping[str, str],
    package: str = "toy",
    imports: Mapping[str, Schema] | None = None,
) -> Schema:
    """Write schema files into a folder, imports of the DSL added, and return their schema."""
    for name, text in files.items():
        path = folder / package / "schema" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_HEADER + text, encoding="utf-8")
    declarations = parse_schema(folder / package, [PurePosixPath("schema")], package)
    return build_schema(package, declarations, imports or {})[0]
