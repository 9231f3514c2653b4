"""The project that a command works on.

In: the arguments.  Out: its configuration.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tschema.config import Config, find_config, load_config
from tschema.config_table import locate_key
from tschema.errors import Reporter
from tschema.source import SourceFile, Span

__all__ = ["check_schema_files", "chosen_config"]


def chosen_config(options: argparse.Namespace) -> Config:
    """Return the configuration that the arguments name, or the nearest one.

    Raises
    ------
    SchemaError
        There is none, or it is wrong.
    """
    return load_config(options.config or find_config(Path.cwd()))


def check_schema_files(config: Config) -> None:
    """Refuse folders of declarations that hold none: all that was generated would go.

    Parameters
    ----------
    config
        The project.

    Raises
    ------
    SchemaError
        A folder that `schema` names is there, and has no schema file in it.
    """
    reporter = Reporter()
    for folder in config.schema:
        if (config.root / folder).is_dir() and not _has_schema_file(config.root / folder):
            reporter.error(
                "TS055",
                f"`{folder}` holds no schema file",
                _schema_key(config),
                help="write a file of declarations there, or name the folder that has them",
            )
    reporter.stop_on_error()


def _has_schema_file(folder: Path) -> bool:
    found = (path.relative_to(folder).parts for path in folder.rglob("*.py"))
    return any(
        not any(part.startswith(".") or part == "__pycache__" for part in parts) for parts in found
    )


def _schema_key(config: Config) -> Span:
    text = config.file.read_bytes().decode("utf-8-sig", "replace").replace("\r\n", "\n")
    table = "tool.tschema" if config.file.name == "pyproject.toml" else ""
    return locate_key(SourceFile(config.file.name, text), table, "schema")
