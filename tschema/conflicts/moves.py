"""Custom regions of classes that one side of a merge moved to another file, and the other edited.

In: files without conflicts in generated text, and the blocks that one side removed.  Out: the files
with the edits where the classes are now.  An edit whose class is nowhere stays where it is, for
merging to tell as text that would be lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from msgspec import Struct

from tschema.conflicts.file_merge import Removed
from tschema.conflicts.text_merge import merge_texts
from tschema.diagnostics.conflict_markers import Style
from tschema.regions.blocks import MarkedFile, scan

_Files = Mapping[PurePosixPath, bytes]


class Left(Struct, frozen=True):
    """A block that one side removed from a file."""

    path: PurePosixPath
    removed: Removed


def removed_with_file(path: str, base: bytes, found: bytes) -> list[Removed]:
    """
    Return the blocks of a file that one side removed as a whole.

    Parameters
    ----------
    found
        Its text on the other side.
    """
    before, after = scan(path, base), scan(path, found)
    return [
        Removed(name, before.custom(before.blocks[name]) if name in before.blocks else b"", custom)
        for name, block in after.blocks.items()
        if (custom := after.custom(block))
    ]


def follow_moves(
    files: _Files, left: Iterable[Left], renamed: Mapping[str, str], style: Style
) -> dict[PurePosixPath, bytes]:
    """
    Merge edits into the custom regions of the files that classes were moved to.

    Parameters
    ----------
    left
        The blocks that were removed from their files.

    Returns
    -------
    changed
        The files that changed: a region that went elsewhere, or that the other side did not edit,
        is empty.
    """
    changed: dict[PurePosixPath, bytes] = {}
    for one in left:
        current = {**files, **changed}
        base, edited = one.removed.base, one.removed.changed
        names = [one.removed.name]
        names += [new for new, old in renamed.items() if old == one.removed.name]
        names += [renamed[one.removed.name]] if one.removed.name in renamed else []
        homes = [
            (path, name) for path in current for name in names if _is_home(path, name, one, current)
        ]
        if edited != base and len(homes) != 1:
            continue
        if edited != base:
            path, name = homes[0]
            home = scan(str(path), current[path])
            merged = merge_texts(base, home.custom(home.blocks[name]), edited, style)
            changed[path] = with_region(home, name, merged.text)
        if one.path in current:
            source = scan(str(one.path), changed.get(one.path, current[one.path]))
            changed[one.path] = with_region(source, one.removed.name, b"")
    return changed


def _is_home(path: PurePosixPath, name: str, left: Left, files: _Files) -> bool:
    """Return whether a file has a block that was removed from another one."""
    if path == left.path or path.suffix != left.path.suffix:
        return False
    if f"tschema: {name}".encode() not in files[path]:
        return False
    block = scan(str(path), files[path]).blocks.get(name)
    return block is not None and block.region is not None


def with_region(file: MarkedFile, name: str, text: bytes) -> bytes:
    """Return a file with another text in the custom region of a block, if it has one."""
    region = file.blocks[name].region if name in file.blocks else None
    if region is None:
        return file.joined()
    return b"".join([*file.lines[: region.start], text, *file.lines[region.stop :]])
