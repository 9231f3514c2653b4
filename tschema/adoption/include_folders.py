"""The folders in which a project's headers are likely to be found.

In: the root of a project.  Out: folders: its own, and those of the dependencies that lie in it.  It
guesses from names, for a project that does not say how it is compiled.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tschema.project.config import InPlaceTarget

DEPENDENCIES = (
    "3rdparty",
    "third_party",
    "thirdparty",
    "third-party",
    "extern",
    "external",
    "deps",
)
"""What folders of other projects are called."""
_OWN = ("include", "src", "")


def include_folders(root: Path, target: InPlaceTarget) -> list[Path]:
    """
    Return the folders that includes of a project are relative to.

    Parameters
    ----------
    root
        Its root.
    target
        Where its headers are.
    """
    tops = [Path(pattern).parts[0] for pattern in target.files if "*" not in Path(pattern).parts[0]]
    own = [root / name for name in dict.fromkeys(["include", *tops, *_OWN])]
    return [folder for folder in (*own, *dependency_folders(root)) if folder.is_dir()]


def dependency_folders(root: Path) -> Iterator[Path]:
    """Yield the folders of headers of the projects that a project brings along."""
    for name in DEPENDENCIES:
        for project in sorted((root / name).glob("*")):
            if (project / "include").is_dir():
                yield project / "include"
            yield from dependency_folders(project)
