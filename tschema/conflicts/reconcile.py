"""Files that a merge of git left with conflicts, as files that can be generated into.

In: a file with conflict markers, or one that git calls unmerged, and the versions that git merged,
where they are known.  Out: a file with whole blocks, as `tschema gen` finds them after any other
edit; a conflict is left where both sides changed the same lines of a custom region.  It knows no
schema, no disk and no git.

A file that is as git left it is merged again, from the versions. In any other the markers count,
and not the versions: what people resolved by hand stays resolved.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from tschema.conflicts.file_merge import MergedFile, Rules, Versions, merge_files
from tschema.conflicts.json_merge import merge_json, sealed_side
from tschema.diagnostics.conflict_markers import (
    Hunk,
    Piece,
    Side,
    SideText,
    Style,
    find_hunks,
    hunks_of,
    side_text,
)
from tschema.diagnostics.errors import Diagnostic, Note, SchemaError
from tschema.diagnostics.source import SourceFile, Span
from tschema.regions.blocks import FILE_BLOCK, MarkedFile, scan
from tschema.regions.marked_file import BOM

__all__ = ["Conflicted", "Stages", "reconcile"]

Scan = Callable[[str, bytes], MarkedFile]
_SIDES: tuple[Side, ...] = ("ours", "base", "theirs")
_EDITED: tuple[Side, ...] = ("ours", "theirs")


class Stages(Struct, frozen=True):
    """The versions that git merges; None for one without the file."""

    base: bytes | None
    ours: bytes | None
    theirs: bytes | None
    left: bytes | None = None
    """What git made of them, with its markers, if it remembers."""


class Conflicted(Struct, frozen=True):
    """A file that a merge left with conflicts."""

    path: str
    data: bytes
    stages: Stages | None
    is_owned: bool
    """Whether the text around its blocks is generated too."""
    scan: Scan = scan
    """Finds the blocks."""


def reconcile(file: Conflicted, renamed: Mapping[str, str]) -> MergedFile | None:
    """
    Return a file with its conflicts resolved, except those in custom regions.

    Returns
    -------
    reconciled
        The file; None if it has no conflict, or people resolved it.

    Raises
    ------
    SchemaError
        The sides cannot be told apart, or the markers of one of them are wrong.
    """
    pieces = find_hunks(file.data)
    hunks = hunks_of(pieces)
    if not hunks:
        return _merge_stages(file, renamed) if _is_untouched(file) else None
    if file.stages and file.data == file.stages.left:
        # Line by line, git may have put text of one class into another.
        with contextlib.suppress(SchemaError):
            return _merge_stages(file, renamed, hunks[0].style)
    ambiguous = [hunk for hunk in hunks if hunk.is_ambiguous]
    if ambiguous and not _is_left_by_git(file, pieces):
        raise SchemaError([_ambiguous(file, ambiguous[0])])
    if ambiguous:
        return _merge_stages(file, renamed, hunks[0].style)
    try:
        return _merge_sides(file, pieces, hunks[0].style, renamed)
    except SchemaError as error:
        if not _is_left_by_git(file, pieces):
            raise _in_a_conflict(file, hunks[0], error) from error
    return _merge_stages(file, renamed, hunks[0].style)


# -- What git merges ----------------------------------------------------------------------------


def _is_untouched(file: Conflicted) -> bool:
    """Return whether git left one version alone: it, or a merge driver, could not merge."""
    stages = file.stages
    if not file.is_owned or stages is None or stages.ours is None or stages.theirs is None:
        return False  # In a user's file, the text around blocks may be a choice of the user's.
    return file.data in (stages.ours, stages.theirs)


def _is_left_by_git(file: Conflicted, pieces: Sequence[Piece]) -> bool:
    """Return whether each line is one of a version that git merges: people have added none."""
    stages = file.stages
    if stages is None or stages.ours is None or stages.theirs is None:
        return False
    known = {
        line for text in (stages.ours, stages.theirs, stages.base or b"") for line in _lines(text)
    }
    shown = (side_text(pieces, side).lines for side in _SIDES)
    return all(line.rstrip(b"\r\n") in known for lines in shown for line in lines)


def _lines(text: bytes) -> list[bytes]:
    return [line.rstrip(b"\r") for line in text.split(b"\n")]


def _merge_stages(
    file: Conflicted, renamed: Mapping[str, str], style: Style | None = None
) -> MergedFile:
    """Merge the versions that git has; without a style, only where that leaves no conflict."""
    assert file.stages is not None
    base, ours, theirs = file.stages.base, file.stages.ours or b"", file.stages.theirs or b""
    if file.path.endswith(".json"):
        return MergedFile(merge_json(base, ours, theirs))
    versions = Versions(
        _scan_base(file, base), file.scan(file.path, ours), file.scan(file.path, theirs)
    )
    merged = merge_files(versions, Rules(style or Style(), file.is_owned, renamed))
    if style or not merged.conflicts:
        return merged
    # People may have chosen this side, so that it is not marked again.
    return MergedFile(file.data, unmerged=merged.conflicts)


def _scan_base(file: Conflicted, data: bytes | None) -> MarkedFile:
    """Return the base; nothing where it has conflicts itself, as that of a criss-cross merge."""
    try:
        return file.scan(file.path, data or b"")
    except SchemaError:
        return file.scan(file.path, b"")


# -- The sides of the markers -------------------------------------------------------------------


def _merge_sides(
    file: Conflicted, pieces: Sequence[Piece], style: Style, renamed: Mapping[str, str]
) -> MergedFile:
    """Merge the sides that the markers show."""
    if file.path.endswith(".json"):
        return MergedFile(sealed_side(side_text(pieces, "ours").joined()))
    opaque = frozenset[int]() if file.is_owned else _find_opaque(file, pieces)
    if len(opaque) == len(hunks_of(pieces)):
        return MergedFile(file.data)
    texts = {side: side_text(pieces, side, opaque) for side in _SIDES}
    ours, theirs = (file.scan(file.path, texts[side].joined()) for side in ("ours", "theirs"))
    base = _base(file, pieces, texts["base"], opaque)
    regions = _MarkedRegions(pieces, texts, ours, theirs)
    shown = replace(style, has_base=any(hunk.base is not None for hunk in hunks_of(pieces)))
    rules = Rules(shown, file.is_owned, renamed, trusts_digests=False, marked=regions.find)
    merged = merge_files(Versions(base, ours, theirs), rules)
    merged.generated = frozenset(
        line for side in (ours, theirs) for line in _generated_lines(side, file.is_owned)
    )
    return merged


def _generated_lines(file: MarkedFile, is_owned: bool) -> Iterator[bytes]:
    """Yield the lines of a file that people do not write, without the blanks around them."""
    apart = file.outside() if is_owned else []
    blocks = (run for block in file.blocks.values() if block.name != FILE_BLOCK
              for run in file.generated_lines(block))  # fmt: skip
    inside = file.blocks[FILE_BLOCK].region if FILE_BLOCK in file.blocks else None
    for run in chain(apart, blocks):
        for index in run:
            is_marker = b"tschema:" in file.lines[index]
            if not is_marker and (inside is None or index not in inside):
                yield file.lines[index].strip()


def _find_opaque(file: Conflicted, pieces: Sequence[Piece]) -> frozenset[int]:
    """Return the conflicts outside of blocks, which are the user's in a file of theirs."""
    apart = [
        number
        for number, hunk in enumerate(hunks_of(pieces))
        if not any(b"tschema:" in line for line in hunk.raw)
    ]
    for side in _EDITED:
        text = side_text(pieces, side)
        blocks = file.scan(file.path, text.joined()).blocks.values()
        apart = [
            number
            for number in apart
            if not any(block.begin < text.places[number].start <= block.end for block in blocks)
        ]
    return frozenset(apart)


def _base(
    file: Conflicted, pieces: Sequence[Piece], shown: SideText, opaque: frozenset[int]
) -> MarkedFile:
    """Return the base that the markers show, or else that of git."""
    hunks = [hunk for number, hunk in enumerate(hunks_of(pieces)) if number not in opaque]
    if all(hunk.base is not None for hunk in hunks):
        found = _scan_base(file, shown.joined())
        if found.blocks:
            return found
    known = file.stages.base if file.stages else None
    return _scan_base(file, known)


class _MarkedRegions:
    """Custom regions as they are marked, where each conflict in them is one of theirs alone."""

    def __init__(
        self,
        pieces: Sequence[Piece],
        texts: Mapping[Side, SideText],
        ours: MarkedFile,
        theirs: MarkedFile,
    ) -> None:
        self._pieces = pieces
        self._texts = texts
        self._files: dict[Side, MarkedFile] = {"ours": ours, "theirs": theirs}

    def find(self, name: str) -> bytes | None:
        """Return a custom region with its conflict markers; None if some markers are outside."""
        within: dict[Side, set[int]] = {}
        for side, file in self._files.items():
            block = file.blocks.get(name)
            region = block.region if block else None
            if region is None:
                return None
            places = self._texts[side].places
            touching = {n for n, at in enumerate(places) if _touches(at, region)}
            if not all(_is_within(places[number], region) for number in touching):
                return None
            within[side] = touching
        if within["ours"] != within["theirs"]:
            return None
        return b"".join(self._raw(name))

    def _raw(self, name: str) -> Iterator[bytes]:
        region = self._files["ours"].blocks[name].region or range(0)
        places = iter(self._texts["ours"].places)
        index = 0
        for piece in self._pieces:
            place = next(places) if isinstance(piece, Hunk) else range(index, index + 1)
            if isinstance(piece, Hunk) and _touches(place, region):
                yield from piece.raw
            elif not isinstance(piece, Hunk) and index in region:
                yield piece
            index = place.stop


def _touches(place: range, region: range) -> bool:
    """Return whether a conflict may be about a region: an empty side is between two lines."""
    if not place:
        return region.start <= place.start <= region.stop
    return place.start < region.stop and region.start < place.stop


def _is_within(place: range, region: range) -> bool:
    return region.start <= place.start and place.stop <= region.stop


# -- Messages -----------------------------------------------------------------------------------


def _ambiguous(file: Conflicted, hunk: Hunk) -> Diagnostic:
    message = (
        "the sides of this conflict cannot be told apart: a line of theirs looks like a marker"
    )
    return Diagnostic(
        "TS172",
        "error",
        message,
        _span_of(file, hunk),
        help="resolve it by hand, or merge again with the attribute `conflict-marker-size=20`",
    )


def _in_a_conflict(file: Conflicted, hunk: Hunk, error: SchemaError) -> SchemaError:
    """Return the errors of a side, each of which says that it is one of a conflict."""
    note = Note("the file has conflicts of a merge, the first one here", _span_of(file, hunk))
    return SchemaError(replace(one, notes=(*one.notes, note)) for one in error.diagnostics)


def _span_of(file: Conflicted, hunk: Hunk) -> Span:
    """Return where a conflict begins."""
    before = file.data.split(b"".join(hunk.raw), 1)[0]
    line = before.count(b"\n") + 1
    text = file.data.removeprefix(BOM).decode("utf-8", "replace")
    return Span(SourceFile(file.path, text), line, 1, line, len(hunk.raw[0].rstrip()) + 1)
