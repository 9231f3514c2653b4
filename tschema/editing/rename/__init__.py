"""Renames of declarations, through every schema file of a project.

In: a project, the key of a declaration and its new name.  Out: the new texts of the schema files,
and the mentions in hand-written code, which are left to their authors.
"""

from tschema.editing.rename.handwritten import find_mentions, find_uses
from tschema.editing.rename.rename import (
    Renaming,
    find_references,
    rename,
    renamed_texts,
)
from tschema.editing.rename.target import Target, find_target

__all__ = [
    "Renaming",
    "Target",
    "find_mentions",
    "find_references",
    "find_target",
    "find_uses",
    "rename",
    "renamed_texts",
]
