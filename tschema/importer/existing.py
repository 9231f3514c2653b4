"""The declarations in the existing schema files.

In: a project.  Out: `Existing`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import PurePosixPath

from msgspec import Struct

from tschema.diagnostics.errors import Reporter
from tschema.frontend import parse_files, schema_file
from tschema.importer.project import Project
from tschema.ir.declarations import FileDecl
from tschema.ir.model import Schema
from tschema.pipeline.schema import resolve_declarations


class Existing(Struct, frozen=True, dict=True):
    """The declarations of a project before an import."""

    files: Mapping[PurePosixPath, FileDecl]
    """By path, relative to the project's root."""
    schema: Schema | None
    """None where nothing is declared."""

    @cached_property
    def homes(self) -> dict[str, PurePosixPath]:
        """The file of each class and enum, by key."""
        spaces = self.schema.namespaces if self.schema else ()
        homes = {one.key: PurePosixPath(space.source) for space in spaces for one in space.types}
        for space in spaces:
            homes |= {one.key: PurePosixPath(space.source) for one in space.enums}
        return homes

    def name(self, key: str) -> str:
        """Return the name of a declared class or enum in its file."""
        assert self.schema is not None
        found = self.schema.find_type(key)
        return found.name if found is not None else self.schema.enum(key).name


def read_existing(project: Project) -> Existing:
    """
    Return the declarations of a project.

    Raises
    ------
    SchemaError
        Its declarations are wrong.
    """
    if not project.files:
        return Existing({}, None)
    config = project.config
    files = [
        schema_file(path, project.root_of(path), config.package, text, config.roots)
        for path, text in sorted(project.files.items())
    ]
    declarations = parse_files(files, Reporter())
    schema, _warnings = resolve_declarations(config, declarations)
    return Existing({PurePosixPath(one.source.path): one for one in declarations.files}, schema)
