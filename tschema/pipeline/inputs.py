"""The inputs of a run: the files and folders that its outputs depend on.

In: a configuration.  Out: paths.  It opens only the configurations of imported packages.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from tschema import __file__ as _PACKAGE
from tschema.diagnostics.errors import SchemaError
from tschema.project.config import Config
from tschema.project.cpp_sources import find_cpp_style
from tschema.project.packages import find_schema


class Inputs(Struct, frozen=True):
    """Absolute paths; a folder counts for the names in it."""

    project: tuple[Path, ...]
    """The configuration and the schema files."""
    foreign: tuple[Path, ...]
    """The schemas of imported packages, templates, plugins, and tschema's own code."""
    folders: tuple[Path, ...]
    """The folders of schema files."""

    def paths(self) -> tuple[Path, ...]:
        """Return all of them."""
        return self.project + self.foreign + self.folders


def find_inputs(config: Config, plugins: Iterable[str] = ()) -> Inputs:
    """
    Find the files that a run with a configuration reads.

    Parameters
    ----------
    plugins
        Programs that the run starts.

    Returns
    -------
    inputs
        The existing files; missing files are left out.
    """
    folders = [folder for root in config.schema for folder in _folders(config.root / root)]
    single = [config.root / root for root in config.schema if (config.root / root).is_file()]
    schema_files = [path for folder in folders for path in sorted(folder.glob("*.py"))]
    return Inputs(
        project=(config.file, *single, *schema_files, *_styles(config)),
        foreign=(*_imports(config), *_own_files(), *_programs(plugins)),
        folders=tuple(folders),
    )


def _folders(root: Path) -> Iterator[Path]:
    """Yield the folders that the front end looks into."""
    for parent, names, _ in os.walk(root):
        names[:] = sorted(name for name in names if name != "__pycache__" and name[0] != ".")
        yield Path(parent)


def _styles(config: Config) -> Iterator[Path]:
    style = find_cpp_style(config)
    if style is not None:
        yield style


def _imports(config: Config) -> Iterator[Path]:
    for package in config.imports:
        try:
            yield find_schema(package)
        except SchemaError:
            continue


def _own_files() -> list[Path]:
    from tschema.emit.render import templates_folder

    own = Path(_PACKAGE).resolve()
    return [own, *sorted(templates_folder().rglob("*.jinja"))]


def _programs(plugins: Iterable[str]) -> Iterator[Path]:
    for plugin in plugins:
        from tschema.pipeline.plugin import split_command

        program = shutil.which(split_command(plugin)[0])
        if program:
            yield Path(program).absolute()
