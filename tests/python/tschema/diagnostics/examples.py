"""The examples of explanations as projects.

In: explanations.  Out: files and commands of an example.
"""

from __future__ import annotations

from tschema.diagnostics.explain import Explanation, Kind

__all__ = ["HEADER", "commands_of", "files_of"]

HEADER = """\
from tschema import Object, declare, dialect, field, function, method, operand, operator, ty


"""
"""What a schema file of an example begins with."""


def files_of(found: Explanation, kind: Kind) -> dict[str, str]:
    """Return the files of an example by path; schema files as they are shown."""
    chosen = (block for block in found.blocks if block.kind in ("Given", kind))
    return {block.path: block.text for block in chosen if block.path}


def commands_of(found: Explanation, kind: Kind) -> list[str]:
    """Return the commands that show whether an example is right."""
    chosen = (block for block in found.blocks if block.kind in ("Given", kind))
    lines = [line for block in chosen if not block.path for line in block.text.splitlines()]
    return [line.removeprefix("$ ") for line in lines] or ["tschema ir"]
