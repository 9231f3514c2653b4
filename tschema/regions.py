"""Custom regions: text to text, and bytes throughout.

In: freshly generated files, and what stands on disk.  Out: the new files with the custom regions
of the old, byte for byte, and what writing them would cost: hand edits, and regions without a
block.  It knows no schema, no formatter and no disk.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import unified_diff
from pathlib import PurePosixPath

from tschema.blocks import FILE_BLOCK, Block, MarkedFile, scan
from tschema.errors import Diagnostic, Note, Reporter, SchemaError

__all__ = ["HandEdit", "Merge", "merge"]

_SHOWN_LINES = 40
"""Lines of a custom region that a message shows at most."""


_Key = tuple[PurePosixPath, str]
"""A file, and the name of a block in it."""


@dataclass(frozen=True)
class HandEdit:
    """A block whose generated text was edited by hand."""

    diagnostic: Diagnostic
    diff: str
    """Unified, from the text that tschema generates to the one that was found."""


@dataclass
class Merge:
    """What a merge comes to; nothing may be written while `lost` has an entry."""

    files: dict[PurePosixPath, bytes] = field(default_factory=dict)
    """The new files, with the custom regions of the old."""
    edits: list[HandEdit] = field(default_factory=list)
    """Hand edits that writing `files` would throw away."""
    lost: list[Diagnostic] = field(default_factory=list)
    """Custom regions that have no block any more."""


def merge(
    new: Mapping[PurePosixPath, bytes],
    old: Mapping[PurePosixPath, bytes],
    renamed: Mapping[str, str],
) -> Merge:
    """
    Carry the custom regions of old files over to new ones, byte for byte.

    A region goes to the block of its name in its file; else to the block that `renamed` says was
    called so; else, where exactly one other file has gained such a block, to that one.

    Parameters
    ----------
    new
        The sealed files, by path.
    old
        What stands on disk of these, and the files that go; their generated lines tell the line
        ends of the new ones.
    renamed
        New name of a block to its old one.

    Returns
    -------
    result
        The merged files, the hand edits found, and the regions without a block.

    Raises
    ------
    SchemaError
        The markers of an old file are wrong; those of every file are reported.
    """
    olds = _scan_all(old)
    news = {path: scan(str(path), data) for path, data in new.items()}
    olds = _scan_all(old)
    homes = _match(_keys(news), _keys(olds), renamed)
    result = Merge()
    for path, file in news.items():
        customs = {}
        for name in file.blocks:
            if (path, name) in homes:
                source, old_name = homes[path, name]
                customs[name] = olds[source].custom(olds[source].blocks[old_name])
        result.files[path] = _fill(file, customs, _line_end(olds.get(path)))
    successors = {before: key for key, before in homes.items()}
    for path, file in olds.items():
        for name, block in file.blocks.items():
            key = successors.get((path, name))
            text = news[key[0]].generated(news[key[0]].blocks[key[1]]) if key else b""
            if key is None and file.custom(block):
                result.lost.append(_lost(file, block))
            if file.is_edited(block) and file.generated(block) != text:
                result.edits.append(_hand_edit(file, block, text))
    return result


def _scan_all(files: Mapping[PurePosixPath, bytes]) -> dict[PurePosixPath, MarkedFile]:
    """Scan files, and report the faults of all of them."""
    scanned: dict[PurePosixPath, MarkedFile] = {}
    reporter = Reporter()
    for path, data in files.items():
        try:
            scanned[path] = scan(str(path), data)
        except SchemaError as error:
            reporter.diagnostics += error.diagnostics
    reporter.stop_on_error()
    return scanned


def _keys(files: Mapping[PurePosixPath, MarkedFile]) -> list[_Key]:
    return [(path, name) for path, file in files.items() for name in file.blocks]


def _match(
    new_keys: list[_Key], old_keys: list[_Key], renamed: Mapping[str, str]
) -> dict[_Key, _Key]:
    """Return which old block each new one continues."""
    homes = {key: key for key in set(new_keys).intersection(old_keys)}
    free = set(old_keys).difference(homes)
    for key in new_keys:
        before = key[0], renamed.get(key[1], "")
        if key not in homes and before in free:
            homes[key] = before
            free.remove(before)
    moved = _match_moved([key for key in new_keys if key not in homes], free, renamed)
    return homes | moved


def _match_moved(
    new_keys: list[_Key], old_keys: set[_Key], renamed: Mapping[str, str]
) -> dict[_Key, _Key]:
    """Match blocks across files, where there is no choice."""
    origins: defaultdict[tuple[str, str], list[_Key]] = defaultdict(list)
    for path, name in old_keys:
        origins[path.suffix, name].append((path, name))
    rivals = Counter((path.suffix, name) for path, name in new_keys)
    homes: dict[_Key, _Key] = {}
    for path, name in new_keys:
        before = origins[path.suffix, name] or origins[path.suffix, renamed.get(name, "")]
        if name != FILE_BLOCK and len(before) == rivals[path.suffix, name] == 1:
            homes[path, name] = before[0]
    return homes


def _fill(file: MarkedFile, customs: Mapping[str, bytes], line_end: bytes) -> bytes:
    """Put custom regions into a generated file, whose own lines end with LF."""
    pieces: list[bytes] = []
    done = 0
    for block in file.blocks.values():
        if block.region is not None and block.name in customs:
            before = file.lines[done : block.region.start]
            pieces += (line.replace(b"\n", line_end) for line in before)
            pieces.append(customs[block.name])
            done = block.region.stop
    pieces += (line.replace(b"\n", line_end) for line in file.lines[done:])
    return b"".join(pieces)


def _line_end(old: MarkedFile | None) -> bytes:
    """Return the line end of a file, which its first line tells."""
    return b"\r\n" if old and old.lines and old.lines[0].endswith(b"\r\n") else b"\n"


def _lost(file: MarkedFile, block: Block) -> Diagnostic:
    shown = _text(file.custom(block)).splitlines()
    if len(shown) > _SHOWN_LINES:
        shown[_SHOWN_LINES:] = [f"... and {len(shown) - _SHOWN_LINES} more lines"]
    return Diagnostic(
        "TS064",
        "error",
        f"block `{block.name}` has left the schema, but its custom region holds text",
        file.span(block.begin),
        (Note("\n    ".join(["this would be lost:", *shown])),),
        "move the text elsewhere and empty the region, or state `renamed_from` in the new class",
    )


def _hand_edit(file: MarkedFile, block: Block, text: bytes) -> HandEdit:
    where = "outside the other blocks" if block.name == FILE_BLOCK else f"of block `{block.name}`"
    diagnostic = Diagnostic(
        "TS065",
        "error",
        f"generated text {where} was edited by hand",
        file.span(block.begin),
        help="write in the custom region; `--discard` throws the edit away",
    )
    found = file.generated(block)
    diff = unified_diff(
        _text(text).splitlines(keepends=True),
        _text(found).splitlines(keepends=True),
        f"{file.path} (generated)",
        f"{file.path} (found)",
    )
    return HandEdit(diagnostic, "".join(diff))


def _text(data: bytes) -> str:
    """Decode a person's bytes to show them."""
    return data.decode("utf-8", "backslashreplace").replace("\r\n", "\n")
