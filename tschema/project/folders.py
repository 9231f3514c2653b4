"""The files below a folder, in one order.

In: a folder.  Out: paths, without those in hidden folders and in folders of other programs.  It is
imported before a run that changes nothing ends, so that it imports nothing that is slow.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SKIPPED = ("__pycache__", "node_modules")


def walk(
    folder: str, suffixes: tuple[str, ...] = ("",), marks: tuple[str, ...] = ()
) -> Iterator[str]:
    """
    Yield the files with some suffixes, folder by folder.

    Parameters
    ----------
    folder
        The folder.
    suffixes
        What the names of files end with.
    marks
        Names of files: a folder below that has one of them is left out.
    """
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(
            name
            for name in folders
            if name[0] != "."
            and name not in _SKIPPED
            and not any(os.path.exists(os.path.join(parent, name, mark)) for mark in marks)
        )
        for name in sorted(names):
            if name.endswith(suffixes):
                yield os.path.join(parent, name)


def schema_files(root: Path) -> Iterator[Path]:
    """Yield the schema files of a root, which may be one itself."""
    if root.is_file():
        yield root
    for path in walk(str(root), (".py",)):
        if os.path.basename(path)[0] != ".":
            yield type(root)(path)
