"""The files below a folder, in one order, and the configuration above it.

In: a folder.  Out: paths, without those in hidden folders and in folders of other programs.  It is
imported before a run that changes nothing ends, so that it imports nothing that is slow.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
"""The folder of tschema itself."""
_CONFIG_NAMES = ("tschema.toml", "pyproject.toml")
_CONFIG_TABLE = (b"tool.tschema]", b"tool.tschema.")
_SKIPPED = ("__pycache__", "node_modules")


def templates_folder() -> str:
    """Return the folder of tschema's own templates, in a wheel or in a checkout."""
    installed = os.path.join(PACKAGE, "templates")
    return installed if os.path.isdir(installed) else os.path.join(PACKAGE, "..", "templates")


def walk(
    folder: str, suffixes: tuple[str, ...] = ("",), marks: tuple[str, ...] = ()
) -> Iterator[str]:
    """
    Yield the files with some suffixes, folder by folder.

    Parameters
    ----------
    suffixes
        The ends of the names of the files.
    marks
        Names of files: a folder below that has one of them is left out.
    """
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if entry.name.endswith(suffixes) and not entry.is_dir():
            yield entry.path
    for entry in entries:
        if entry.is_dir(follow_symlinks=False) and entry.name not in _SKIPPED:
            is_marked = any(os.path.exists(os.path.join(entry.path, mark)) for mark in marks)
            if entry.name[0] != "." and not is_marked:
                yield from walk(entry.path, suffixes, marks)


def read_files(
    folder: str, suffixes: tuple[str, ...] = ("",), marks: tuple[str, ...] = ()
) -> Iterator[tuple[str, bytes]]:
    """
    Yield the files that `walk` finds, each with its contents.

    Pipes and devices are left out, and so is a file that another program has removed since its
    folder was listed.

    Parameters
    ----------
    folder
        The folder, which the paths are relative to, with forward slashes.
    suffixes
        The ends of the names of the files.
    marks
        Names of files: a folder below that has one of them is left out.
    """
    for path in walk(folder, suffixes, marks):
        data = read_regular_file(path)
        if data is not None:
            yield os.path.relpath(path, folder).replace(os.sep, "/"), data


def read_regular_file(path: str, size: int = -1) -> bytes | None:
    """Return the first bytes of a file, all by default; None where there is no regular file."""
    if not os.path.isfile(path):
        return None
    try:
        with open(path, "rb") as stream:
            return stream.read(size)
    except FileNotFoundError:
        return None


def schema_files(root: Path) -> Iterator[Path]:
    """Yield the schema files of a root, which may be one itself."""
    if root.is_file():
        yield root
    for path in root.rglob("*.py"):
        # A folder of such a name is for the reader to refuse.
        if not any(part[0] == "." or part in _SKIPPED for part in path.relative_to(root).parts):
            yield path


def find_config_file(folder: str) -> str | None:
    """Return the nearest configuration, from a folder upwards."""
    folder = os.path.realpath(folder)
    while True:
        for name in _CONFIG_NAMES:
            path = os.path.join(folder, name)
            if os.path.isfile(path) and (name == _CONFIG_NAMES[0] or _has_table(path)):
                return path
        if folder == os.path.dirname(folder):
            return None
        folder = os.path.dirname(folder)


def _has_table(path: str) -> bool:
    """Return whether a TOML file has the table `tool.tschema` or one below it."""
    with open(path, "rb") as stream:
        lines = (line.translate(None, b" \t") for line in stream)
        heads = (line.lstrip(b"[") for line in lines if line.startswith(b"["))
        return any(head.startswith(_CONFIG_TABLE) for head in heads)
