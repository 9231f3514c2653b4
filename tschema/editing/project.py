"""A project that is edited: its schema files, their declarations, and what new texts would mean.

In: a configuration, then new texts.  Out: the declarations and the schema, and the bytes to write.
It writes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from msgspec import Struct

from tschema.frontend.parse import parse_texts
from tschema.ir.declarations import Declarations, FileDecl
from tschema.ir.model import Schema
from tschema.output.files import Rewrite
from tschema.pipeline.schema import read_declarations, resolve_declarations
from tschema.project.config import Config
from tschema.regions.blocks import BOM


class EditedProject(Struct, frozen=True):
    """A project as it is on disk."""

    config: Config
    declarations: Declarations
    schema: Schema

    def files(self) -> dict[str, FileDecl]:
        """Return the schema files by path."""
        return {file.source.path: file for file in self.declarations.files}


def read_project(config: Config) -> EditedProject:
    """
    Read a project's declarations.

    Raises
    ------
    SchemaError
        The declarations are wrong.
    """
    declarations = read_declarations(config)
    schema, _warnings = resolve_declarations(config, declarations)
    return EditedProject(config, declarations, schema)


def project_with(project: EditedProject, texts: Mapping[str, bytes]) -> EditedProject:
    """
    Return a project as it is with other texts.

    Parameters
    ----------
    texts
        New texts of schema files by path; the others stay.

    Raises
    ------
    SchemaError
        The new declarations are wrong; places are those of the new texts.
    """
    decoded = {path: data.decode() for path, data in texts.items()}
    declarations = parse_texts(project.declarations, decoded)
    schema, _warnings = resolve_declarations(project.config, declarations)
    return EditedProject(project.config, declarations, schema)


def rewrite(project: EditedProject, texts: Mapping[str, bytes]) -> Rewrite:
    """Return what to write for new texts of schema files."""
    files = project.files()
    before = {path: files[path].source.text.encode() for path in texts}
    return rewrite_of(project.config.root, before, texts)


def rewrite_of(root: Path, before: Mapping[str, bytes], after: Mapping[str, bytes]) -> Rewrite:
    """
    Return what to write for new texts of files, which keep a byte order mark.

    Parameters
    ----------
    root
        The folder of the project.
    before
        The texts that the new ones were made of, without a mark: a file that another program has
        written since is not overwritten.
    after
        The new texts, without a mark.
    """
    old, new = {}, {}
    for path, text in after.items():
        shown = PurePosixPath(path)
        mark = BOM if (root / shown).read_bytes().startswith(BOM) else b""
        old[shown], new[shown] = mark + before[path], mark + text
    return Rewrite(old, new)
