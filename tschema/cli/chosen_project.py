"""The project that a command works on.

In: the arguments.  Out: its configuration, and its schema.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tschema.diagnostics.errors import Diagnostic, Reporter
from tschema.ir.model import Schema
from tschema.pipeline.schema import build_schema
from tschema.project.config import Config, find_config, load_config
from tschema.project.folders import schema_files

if TYPE_CHECKING:
    import argparse


def chosen_config(options: argparse.Namespace) -> Config:
    """Return the configuration that the arguments name, or the nearest one.

    Raises
    ------
    SchemaError
        There is none, or it is wrong.
    """
    return load_config(options.config or find_config(Path.cwd()))


def chosen_schema(
    options: argparse.Namespace, progress: Callable[[str], None]
) -> tuple[Config, Schema, tuple[Diagnostic, ...]]:
    """Return the configuration that the arguments name, its schema, and warnings.

    Raises
    ------
    SchemaError
        See `checked_config`; or the declarations are wrong.
    """
    config = checked_config(options)
    progress("reading the schema")
    return config, *build_schema(config)


def checked_config(options: argparse.Namespace) -> Config:
    """Return the configuration that the arguments name, whose schema roots hold declarations.

    Without declarations, all that was generated would go.

    Raises
    ------
    SchemaError
        There is no configuration, it is wrong, or what `schema` names does not exist or has no
        schema file in it.
    """
    config = chosen_config(options)
    reporter = Reporter()
    for root in config.schema:
        folder = config.root / root
        if folder.exists() and (not folder.is_dir() or any(schema_files(folder))):
            continue
        code, what = "TS002", "does not exist"
        if folder.exists():
            code, what = "TS055", "holds no schema file"
        help = "write a file of declarations there, or name the folder that has them"
        reporter.error(code, f"schema root `{root}` {what}", config.locate("schema"), help=help)
    reporter.stop_on_error()
    return config
