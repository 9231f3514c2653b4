"""What git needs to merge generated files by tschema: attributes, and the driver's command.

In: a configuration.  Out: the text of `.gitattributes`, and the settings of the repository, which
`install_merge_driver` writes.  Lines of the user's are left as they are, and a second run changes
nothing.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from msgspec import Struct

from tschema.diagnostics.errors import schema_error
from tschema.output import files as output
from tschema.output.lock import lock_for_writing
from tschema.output.ownership import header_sources
from tschema.project.config import Config, InPlaceTarget
from tschema.project.git import git

__all__ = ["Installed", "attributes_text", "driver_command", "install_merge_driver"]

ATTRIBUTES = PurePosixPath(".gitattributes")
_BEGIN = b"# tschema: generated files, merged by `tschema merge-driver`"
_END = b"# tschema: end"
_SOURCES = (".h", ".hh", ".hpp", ".hxx", ".c", ".cc", ".cpp", ".cxx", ".py", ".pyi", ".rs", ".md")
"""Suffixes of files that people may have among generated ones."""
_NAME = "generated files of tschema, merged block by block"


class Installed(Struct, frozen=True):
    """The changes; empty if everything was set up already."""

    files: tuple[PurePosixPath, ...] = ()
    settings: tuple[str, ...] = ()


def install_merge_driver(config: Config) -> Installed:
    """
    Have git merge the generated files of a project by tschema.

    Parameters
    ----------
    config
        The project, in a repository of git or below.

    Raises
    ------
    SchemaError
        The project lies in no repository.
    OutputError
        The attributes cannot be written.
    """
    folder = git(config.root, "rev-parse", "--git-common-dir")
    if folder is None:
        raise schema_error(
            "TS173",
            f"`{config.root}` lies in no repository of git",
            help="make one with `git init`, and run this again",
        )
    old = output.read_outputs(config.root, [ATTRIBUTES])
    new = {ATTRIBUTES: attributes_text(config, old.get(ATTRIBUTES, b""))}
    changes = output.compare(new, old)
    if changes:
        output.write(config.root, new, changes, old)
    # git does not wait for another one that writes its settings, but fails.
    with lock_for_writing(config.root / os.fsdecode(folder).rstrip("\n")):
        return Installed(changes.written, tuple(_set_up(config.root)))


def _set_up(folder: Path) -> Iterator[str]:
    """Change the settings of the repository, and yield the names of those that differed."""
    wanted = {"merge.tschema.name": _NAME, "merge.tschema.driver": driver_command()}
    for name, text in wanted.items():
        found = git(folder, "config", "--local", "--get", name)
        if found is None or os.fsdecode(found).rstrip("\n") != text:
            if git(folder, "config", "--local", "--replace-all", name, text) is None:
                raise output.OutputError(f"cannot write the setting `{name}` of git")
            yield name


def driver_command() -> str:
    """Return the command of the driver, for the shell that git runs.

    The environment that it was installed from is used while it is there, then any `tschema` on the
    path, and else git merges as text, whose conflicts `tschema gen` resolves.
    """
    python = shlex.quote(sys.executable)
    versions = "%O %A %B %L %P %S %X %Y"
    return (
        f"if test -x {python}; "
        f"then {python} -m tschema merge-driver {versions}; "
        f"elif command -v tschema >/dev/null; then tschema merge-driver {versions}; "
        "else git merge-file --marker-size=%L %A %O %B; fi"
    )


# -- Attributes ---------------------------------------------------------------------------------


def attributes_text(config: Config, old: bytes) -> bytes:
    """
    Return the text of `.gitattributes`.

    Parameters
    ----------
    old
        The contents of the file; empty if it does not exist.
    """
    line_end = b"\r\n" if b"\r\n" in old else b"\n"
    lines = [_BEGIN, *(line.encode() for line in _attribute_lines(config)), _END]
    section = b"".join(line + line_end for line in lines)
    before, begin, rest = old.partition(_BEGIN)
    if begin and _END in rest:
        after = rest.partition(_END)[2]
        return before + section + after.removeprefix(b"\r").removeprefix(b"\n")
    gap = b"" if not old or old.endswith(b"\n") else line_end
    return old + gap + section


def _attribute_lines(config: Config) -> Iterator[str]:
    for declared in config.schema:
        pattern = declared if declared.suffix == ".py" else declared / "**" / "*.py"
        yield f"{_quoted(str(pattern))} merge=tschema"
    owned = {str(config.ir)}
    for target in config.targets().values():
        for name in target.__struct_fields__:
            folder = getattr(target, name)
            if isinstance(folder, PurePosixPath):
                owned |= set(_owned_patterns(config.root, folder))
        if isinstance(target, InPlaceTarget):
            yield from (f"{_quoted(pattern)} merge=tschema" for pattern in target.files)
    # The last line that fits a file counts, and a sidecar lies below folders of the user's.
    yield from (f"{_quoted(path)} merge=tschema linguist-generated" for path in sorted(owned))


def _owned_patterns(root: Path, folder: PurePosixPath) -> Iterator[str]:
    """Yield patterns of the generated files below a folder, and of no others that are there."""
    place = root / folder
    if not place.is_dir() or not any(map(_is_by_hand, place.rglob("*"))):
        yield f"{folder}/**" if folder.parts else "**"
        return
    for entry in sorted(place.iterdir()):
        if entry.is_dir() and not entry.name.startswith("."):
            if any(map(_is_generated, entry.rglob("*"))):
                yield from _owned_patterns(root, folder / entry.name)
        elif _is_generated(entry):
            yield str(folder / entry.name)


def _is_by_hand(place: Path) -> bool:
    is_source = place.suffix in _SOURCES and place.is_file() and place.stat().st_size > 0
    return is_source and not _is_generated(place)


def _is_generated(place: Path) -> bool:
    if place.suffix not in _SOURCES or not place.is_file():
        return False
    with open(place, "rb") as stream:
        return bool(header_sources(stream.read(4096)))


def _quoted(pattern: str) -> str:
    """Return a pattern as `.gitattributes` has it: in quotes where it has blanks."""
    rooted = pattern if "/" in pattern else f"/{pattern}"
    if not any(char in rooted for char in ' \t"\\') and rooted[0] not in "#!":
        return rooted
    escaped = rooted.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
