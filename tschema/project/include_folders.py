"""The folders in which a project's headers are likely to be found.

In: the root of a project.  Out: folders: its own, and those of the dependencies that lie in it.  It
guesses from names, for a project that does not say how it is compiled.
"""

from __future__ import annotations

import re
import sysconfig
from collections.abc import Iterable, Iterator
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
    target
        Where its headers are.
    """
    tops = [Path(pattern).parts[0] for pattern in target.files if "*" not in Path(pattern).parts[0]]
    own = [root / name for name in dict.fromkeys(["include", *tops, *_OWN])]
    return [folder for folder in (*own, *dependency_folders(root)) if folder.is_dir()]


def folders_that_define(classes: Iterable[str], root: Path) -> list[Path]:
    """
    Return the folders of headers of other projects that define some classes.

    Parameters
    ----------
    classes
        Names, maybe with namespaces.
    root
        The project, in which other ones may lie; then wheels of the environment are searched.

    Returns
    -------
    folders
        Those in the project are relative to its root.
    """
    wanted = {name.rpartition("::")[2] for name in classes}
    found: list[Path] = []
    for folder in (*dependency_folders(root), *_wheel_folders()) if wanted else ():
        defined = {name for path in _headers(folder) for name in _defined(path, wanted)}
        if defined:
            found.append(folder.relative_to(root) if folder.is_relative_to(root) else folder)
            wanted -= defined
    return found


def _wheel_folders() -> Iterator[Path]:
    """Yield the folders of headers that packages of the environment bring along."""
    places = dict.fromkeys((sysconfig.get_path("purelib"), sysconfig.get_path("platlib")))
    for place in places:
        yield from sorted(Path(place).glob("*/include"))


def _headers(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*.h*")) if path.is_file())


def _defined(path: Path, names: Iterable[str]) -> list[str]:
    """Return which of some classes a header defines."""
    text = path.read_bytes()
    return [
        name
        for name in names
        if name.encode() in text
        and re.search(rb"\b(?:class|struct)\s[^;{}()]*\b%s\b[^;{}()]*\{" % name.encode(), text)
    ]


def dependency_folders(root: Path) -> Iterator[Path]:
    """Yield the folders of headers of the projects that a project brings along."""
    for name in DEPENDENCIES:
        for project in sorted((root / name).glob("*")):
            if (project / "include").is_dir():
                yield project / "include"
            yield from dependency_folders(project)
