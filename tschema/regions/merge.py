"""Merging of custom regions, as bytes.

In: generated files, and the files on disk. Out: the new files with the custom regions of the old
ones, byte for byte, and what writing them would lose: hand edits, and regions without a block.  It
knows no schema, no formatter and no disk.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import PurePosixPath

from msgspec import Struct, field

from tschema.diagnostics.errors import Diagnostic, Reporter, SchemaError
from tschema.regions.blocks import BOM, FILE_BLOCK, MarkedFile, scan
from tschema.regions.hand_edits import (
    HandEdit,
    added_lines,
    find_edit,
    lost_block,
    missing_file_block,
    refusal,
)

__all__ = ["HandEdit", "Merge", "adopt", "adopt_lines", "merge"]

_Key = tuple[PurePosixPath, str]
"""A file, and the name of a block in it."""
_Files = Mapping[PurePosixPath, MarkedFile]


class Merge(Struct):
    """The result of a merge; nothing may be written while `lost` has an entry."""

    files: dict[PurePosixPath, bytes] = field(default_factory=dict)
    """The new files, with the custom regions of the old."""
    edits: list[HandEdit] = field(default_factory=list)
    """Hand edits that writing `files` would discard."""
    lost: list[Diagnostic] = field(default_factory=list)
    """Custom regions that have no block any more."""
    conflicts: list[Diagnostic] = field(default_factory=list)
    """Conflicts of a merge of git that are left in custom regions of `files`."""
    interim: dict[PurePosixPath, bytes] = field(default_factory=dict)
    """Files to write before the others: each has the regions that come to it from elsewhere, and
    still those that go, so that a kill at any moment leaves every region somewhere."""


def merge(
    new: Mapping[PurePosixPath, bytes],
    old: Mapping[PurePosixPath, bytes],
    renamed: Mapping[str, str],
    scanned: Mapping[PurePosixPath, MarkedFile] | None = None,
) -> Merge:
    """
    Carry the custom regions of old files over to new ones, byte for byte.

    A region goes to the block of its name in its file; else to the block that `renamed` says was
    called so; else, where exactly one other file has gained such a block, to that one.

    Parameters
    ----------
    old
        Their contents on disk, and the files that go; their generated lines tell the line ends of
        the new ones.
    scanned
        The blocks of sealed files, where they are known.

    Returns
    -------
    result
        The merged files, the hand edits found, and the regions without a block.

    Raises
    ------
    SchemaError
        The markers of an old file are wrong; those of every file are reported.
    """
    if not old:
        return Merge(dict(new))
    known = scanned or {}
    olds = _scan_all(old)
    news = {path: known.get(path) or scan(str(path), data) for path, data in new.items()}
    homes = _match(_keys(news), _keys(olds), renamed)
    result = Merge()
    for path, file in news.items():
        customs = {
            name: olds[source].custom(olds[source].blocks[old_name])
            for name in file.blocks
            if (path, name) in homes
            for source, old_name in [homes[path, name]]
        }
        result.files[path] = _fill(file, customs, olds.get(path))
    result.interim = _interim(result.files, olds, homes)
    result.edits = _edits(news, olds, homes)
    result.lost = _lost(news, olds, homes, renamed)
    return result


def adopt(
    new: Mapping[PurePosixPath, bytes],
    old: Mapping[PurePosixPath, bytes],
    renamed: Mapping[str, str],
) -> dict[PurePosixPath, bytes]:
    """
    Move lines added to generated text by hand to the ends of the custom regions.

    Returns
    -------
    adopted
        The old files as if the lines had been written in the custom regions.

    Raises
    ------
    SchemaError
        Markers are wrong, or an edit changes or removes generated lines.
    """
    olds, news = _scan_all(old), _scan_all(new)
    successors = _successors(_match(_keys(news), _keys(olds), renamed))
    reporter = Reporter()
    adopted = dict(old)
    for path, file in olds.items():
        texts = {name: _generated(news, successors.get((path, name))) for name in file.blocks}
        adopted[path] = adopt_lines(file, texts, reporter)
    reporter.stop_on_error()
    return adopted


def adopt_lines(file: MarkedFile, texts: Mapping[str, bytes], reporter: Reporter) -> bytes:
    """
    Return a file with the lines added to its blocks at the ends of their custom regions.

    Parameters
    ----------
    texts
        Name of a block to what tschema generates for it.
    reporter
        Told of edits that change or remove generated lines.
    """
    moved: dict[str, list[int]] = {}
    for name, block in file.blocks.items():
        edit = find_edit(file, block, texts[name])
        added = added_lines(file, block, texts[name]) if edit else []
        if edit and added is None:
            reporter.diagnostics.append(refusal(edit, block))
        moved[name] = added or []
    return _move_to_region(file, moved)


def _move_to_region(file: MarkedFile, moved: Mapping[str, list[int]]) -> bytes:
    """Return a file with some lines of its blocks, by index, at the ends of their regions."""
    taken = {index for indices in moved.values() for index in indices}
    appended: dict[int, bytes] = {}
    for name, indices in moved.items():
        block = file.blocks[name]
        text = b"".join(_ended(file.lines[index]) for index in indices)
        if indices and block.region is not None:
            appended[block.region.stop] = text
        elif indices:
            appended[block.end] = _region(file.lines[block.begin], text)
    pieces = []
    for index, line in enumerate(file.lines):
        pieces.append(appended.get(index, b""))
        if index not in taken:
            pieces.append(line)
    return b"".join(pieces)


def _region(marker: bytes, text: bytes) -> bytes:
    """Return a custom region, whose markers are like the one that names the block."""
    head = marker.removeprefix(BOM).partition(b"tschema:")[0] + b"tschema: custom-"
    line_end = b"\r\n" if marker.endswith(b"\r\n") else b"\n"
    return b"".join([head, b"begin", line_end, text, head, b"end", line_end])


def _ended(line: bytes) -> bytes:
    return line if line.endswith(b"\n") else line + b"\n"


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


def _keys(files: _Files) -> list[_Key]:
    return [(path, name) for path, file in files.items() for name in file.blocks]


def _generated(files: _Files, key: _Key | None) -> bytes:
    """Return the generated text of a block; empty if there is none."""
    return files[key[0]].generated(files[key[0]].blocks[key[1]]) if key else b""


def _successors(homes: Mapping[_Key, _Key]) -> dict[_Key, _Key]:
    return {before: key for key, before in homes.items()}


# -- Matching blocks ----------------------------------------------------------------------------


def _match(
    new_keys: list[_Key], old_keys: list[_Key], renamed: Mapping[str, str]
) -> dict[_Key, _Key]:
    """Return which old block each new one continues."""
    homes = _match_renamed(set(new_keys), set(old_keys), renamed)
    taken = set(homes.values())
    for key in set(new_keys).intersection(old_keys):
        if key not in homes and key not in taken:
            homes[key] = key
    free = set(old_keys).difference(homes.values())
    moved = _match_moved([key for key in new_keys if key not in homes], free, renamed)
    return homes | moved


def _match_renamed(
    new_keys: set[_Key], old_keys: set[_Key], renamed: Mapping[str, str]
) -> dict[_Key, _Key]:
    """Match renamed blocks in their file: a name that another class took over counts too."""
    homes: dict[_Key, _Key] = {}
    for key in sorted(new_keys - old_keys):
        free = old_keys.difference(homes.values())
        homes |= _follow_rename(key, new_keys, free, renamed)
    return homes


def _follow_rename(
    key: _Key, new_keys: set[_Key], old_keys: set[_Key], renamed: Mapping[str, str]
) -> dict[_Key, _Key]:
    """Match a renamed block, and the one that took over its old name if that was renamed too."""
    before = key[0], renamed.get(key[1], "")
    if before not in old_keys:
        return {}
    if before not in new_keys:
        return {key: before}
    further = _follow_rename(before, new_keys, old_keys - {before}, renamed)
    return {key: before, **further} if further else {}


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


# -- Writing the new text -----------------------------------------------------------------------


def _fill(file: MarkedFile, customs: Mapping[str, bytes], old: MarkedFile | None) -> bytes:
    """Put custom regions into a generated file, whose own lines end with LF."""
    first = old.lines[0] if old and old.lines else b""
    line_end = b"\r\n" if first.endswith(b"\r\n") else b"\n"
    pieces: list[bytes] = [BOM] if first.startswith(BOM) else []
    done = 0
    for block in file.blocks.values():
        if block.region is not None and block.name in customs:
            before = b"".join(file.lines[done : block.region.start])
            pieces += (before.replace(b"\n", line_end), customs[block.name])
            done = block.region.stop
    pieces.append(b"".join(file.lines[done:]).replace(b"\n", line_end))
    return b"".join(pieces)


def _interim(
    files: Mapping[PurePosixPath, bytes], olds: _Files, homes: Mapping[_Key, _Key]
) -> dict[PurePosixPath, bytes]:
    """Return the files that gain a region from another one, with the blocks that they lose."""
    moves = {
        key: before
        for key, before in homes.items()
        if key[0] != before[0] and olds[before[0]].custom(olds[before[0]].blocks[before[1]])
    }
    interim = {path: files[path] for path, _ in moves}
    for path, name in moves.values():
        if path in interim:
            file = olds[path]
            block = file.blocks[name]
            lines = b"".join(file.lines[block.begin : block.end + 1])
            interim[path] = _ended(interim[path]) + _ended(lines)
    return interim


# -- Hand edits ---------------------------------------------------------------------------------


def _edits(news: _Files, olds: _Files, homes: Mapping[_Key, _Key]) -> list[HandEdit]:
    successors = _successors(homes)
    edits: list[HandEdit | None] = []
    for path, file in olds.items():
        for name, block in file.blocks.items():
            edits.append(find_edit(file, block, _generated(news, successors.get((path, name)))))
        if FILE_BLOCK not in file.blocks and FILE_BLOCK in news.get(path, file).blocks:
            edits.append(missing_file_block(file, _generated(news, (path, FILE_BLOCK))))
    return [edit for edit in edits if edit]


def _lost(
    news: _Files, olds: _Files, homes: Mapping[_Key, _Key], renamed: Mapping[str, str]
) -> list[Diagnostic]:
    """Return the regions that no new block continues, and whose text no successor has."""
    continued = set(homes.values())
    kept = {
        (old_name, olds[source].custom(olds[source].blocks[name]))
        for (_, new_name), (source, name) in homes.items()
        for old_name in {new_name, renamed.get(new_name, new_name)}
    }
    return [
        lost_block(file, block)
        for path, file in olds.items()
        for name, block in file.blocks.items()
        if (path, name) not in continued
        and file.custom(block)
        and (name, file.custom(block)) not in kept
    ]
