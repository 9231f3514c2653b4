"""A view of a project in which some files have other contents.

In: a folder, and contents.  Out: a temporary folder of links to the project's files, in which those
contents stand.  It writes nothing into the project.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

_BEFORE_PATH = r"^|-I|-isystem|-iquote|-idirafter|-include|-imacros|[=,:\"'\s(]"
"""The text that may precede a path in an argument of a compiler."""
_WHOLE = ("CMakeCache.txt", "pyvenv.cfg", "CACHEDIR.TAG")
"""Files that tell a folder of which no file changes, so that a link to it is enough."""


class Overlay:
    """The view."""

    def __init__(self, root: Path, top: Path) -> None:
        """
        Name the folders.

        Parameters
        ----------
        top
            The folder that shows it.
        """
        self.root = root
        self.top = top
        spellings = {str(root), str(root.resolve())}
        roots = "|".join(map(re.escape, sorted(spellings, key=len, reverse=True)))
        self._root = re.compile(rf"({_BEFORE_PATH})(?:{roots})(?![\w.+-])")

    def shown(self, text: str) -> str:
        """Return a text with the view's paths instead of the project's."""
        return self._root.sub(lambda match: f"{match[1]}{self.top}", text)

    def relative(self, path: str) -> PurePosixPath | None:
        """Return the path below the root of a file of the project or the view; None of others."""
        for base in (self.top, self.top.resolve(), self.root, self.root.resolve()):
            if Path(path).is_relative_to(base):
                return PurePosixPath(os.path.normpath(Path(path).relative_to(base)))
        return None


@contextmanager
def overlay(
    root: Path, files: Mapping[PurePosixPath, bytes], removed: Iterable[PurePosixPath] = ()
) -> Iterator[Overlay]:
    """
    Give a view of a project, which goes away afterwards.

    Parameters
    ----------
    files
        The contents that differ, by path below the root.
    removed
        The files that the view does not have.
    """
    with tempfile.TemporaryDirectory(prefix="tschema-try-") as folder:
        view = Overlay(root, Path(folder) / (root.name or "root"))
        hidden = {*files, *removed}
        touched = {str(one) for path in hidden for one in (path, *path.parents)}
        _link(view, PurePosixPath(), touched, {str(path) for path in hidden})
        for path, data in files.items():
            place = view.top / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
        yield view


def _link(view: Overlay, folder: PurePosixPath, touched: set[str], hidden: set[str]) -> None:
    """Show the contents of a folder, each file by a link."""
    (view.top / folder).mkdir(parents=True, exist_ok=True)
    with os.scandir(view.root / folder) as entries:
        for entry in entries:
            path = folder / entry.name
            if str(path) in hidden:
                continue
            if entry.is_dir(follow_symlinks=False) and (
                str(path) in touched or not _is_whole(entry)
            ):
                _link(view, path, touched, hidden)
            else:
                # The target of a link in the project may have other contents in the view.
                is_link = entry.is_symlink()
                target = view.shown(os.path.realpath(entry.path)) if is_link else entry.path
                os.symlink(target, view.top / path)


def _is_whole(entry: os.DirEntry[str]) -> bool:
    """Return whether a link to a folder is enough: a build, an environment, or a hidden one."""
    if entry.name.startswith(".") or entry.name in ("__pycache__", "node_modules"):
        return True
    return any(os.path.exists(os.path.join(entry.path, name)) for name in _WHOLE)
