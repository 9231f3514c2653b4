"""Completion of the command line in a shell, by argcomplete.

In: the parser of the arguments.  Out: completions on the stream that the shell reads.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from tschema import command_line
from tschema.backends import BACKENDS

_FOLDERS = ("out_dir", "keep", "folder")
_NEW_WORDS = ("depfile_targets", "package", "jobs", "new_name")
"""Arguments that name neither a file nor anything known."""


def answer_shell(parser: argparse.ArgumentParser) -> None:
    """Answer the question of a shell, if that is why it runs this program, and exit."""
    if "_ARGCOMPLETE" not in os.environ:
        return
    from tschema.diagnostics.explain import titles

    known: dict[str, Sequence[str]] = dict.fromkeys(_NEW_WORDS, ())
    known |= {"lang": tuple(BACKENDS), "code": tuple(titles())}
    if "tschema rename" in os.environ.get("COMP_LINE", ""):
        known["declaration"] = _declarations()
    command_line.answer_shell(parser, known, _FOLDERS)


def _declarations() -> tuple[str, ...]:
    """Return the declarations that `rename` accepts in the project of the working directory."""
    from tschema.diagnostics.errors import SchemaError
    from tschema.editing.rename.target import spellings
    from tschema.pipeline.schema import build_schema
    from tschema.project.config import find_config, load_config

    try:
        schema, _warnings = build_schema(load_config(find_config(Path.cwd())))
    except SchemaError:
        return ()
    return tuple(spellings(schema))
