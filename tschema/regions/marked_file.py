"""A file as lines and blocks.

In: lines, and the places of blocks in them.  Out: the text of a block, of its custom region, and
outside of blocks; whether it was edited; places for messages.  `blocks.py` finds the blocks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property

from msgspec import Struct

from tschema.diagnostics.source import SourceFile, Span
from tschema.ir.seals import digest

FILE_BLOCK = "file"
"""Name of the block that represents the whole file."""

BOM = b"\xef\xbb\xbf"
"""The byte order mark, which a file may begin with."""

_LONE_CR = re.compile(r"\r(?!\n)")


class Block(Struct, frozen=True):
    """The lines of a block, as 0-based indices."""

    name: str
    begin: int
    """The line of the marker that names the block."""
    end: int
    """The line of the `end` marker."""
    region: range | None
    """The lines inside the custom region; None where there is no region."""
    digest: str | None
    """The digest in the `end` marker; None for a marker without one."""


class MarkedFile(Struct, frozen=True, dict=True):
    """A file cut into lines, and its blocks."""

    path: str
    lines: tuple[bytes, ...]
    """With their line ends."""
    blocks: Mapping[str, Block]
    """By name, in the order of the file."""

    def custom(self, block: Block) -> bytes:
        """Return the text of a block's custom region."""
        return b"".join(self.lines[index] for index in block.region or ())

    def joined(self) -> bytes:
        """Return the whole file."""
        return b"".join(self.lines)

    def outside(self) -> list[range]:
        """Return the lines outside of all blocks except `file`."""
        begin, outside = 0, list[range]()
        for block in self.blocks.values():
            if block.name != FILE_BLOCK:
                outside.append(range(begin, block.begin))
                begin = block.end + 1
        return [*outside, range(begin, len(self.lines))]

    def generated_lines(self, block: Block) -> list[range]:
        """Return the lines of a block's generated text."""
        region = block.region if block.region is not None else range(block.end, block.end)
        if block.name != FILE_BLOCK:
            return [range(block.begin, region.start), range(region.stop, block.end)]
        runs = self.outside()
        for skipped in (region, range(block.end, block.end + 1)):
            runs = [part for run in runs for part in _without(run, skipped)]
        return runs

    def text(self, runs: Iterable[range]) -> bytes:
        """Return lines, given without gaps, with LF line ends and without a byte order mark.

        The last line of a file has its line end, which an editor may have taken.
        """
        filled = [run for run in runs if run]
        text = b"".join([b"".join(self.lines[run.start : run.stop]) for run in filled])
        if filled and filled[0].start == 0:
            text = text.removeprefix(BOM)
        text = text.replace(b"\r\n", b"\n")
        is_open = filled and filled[-1].stop == len(self.lines) and not text.endswith(b"\n")
        return text + b"\n" if is_open and text else text

    def generated(self, block: Block) -> bytes:
        """Return a block's generated text, with LF line ends."""
        return self.text(self.generated_lines(block))

    @cached_property
    def edited(self) -> frozenset[str]:
        """The blocks whose generated text is not the one that their digest states."""
        return frozenset(
            block.name
            for block in self.blocks.values()
            if block.digest is not None and block.digest != digest(self.generated(block))
        )

    def is_edited(self, block: Block) -> bool:
        """Return whether a block's generated text is not the one that its digest states."""
        return block.name in self.edited

    def span(self, index: int) -> Span:
        """Return the span of a line, blanks around it left out."""
        # A line ends with LF, even if an editor takes a lone CR for a line end.
        text = _LONE_CR.sub(" ", b"".join(self.lines).decode("utf-8", "replace"))
        line = self.lines[index].decode("utf-8", "replace").rstrip()
        first = len(line) - len(line.lstrip()) + 1
        return Span(SourceFile(self.path, text), index + 1, first, index + 1, len(line) + 1)


def _without(run: range, skipped: range) -> list[range]:
    """Return a run of lines without some lines in a row."""
    if not skipped or skipped.stop <= run.start or run.stop <= skipped.start:
        return [run]
    return [range(run.start, skipped.start), range(skipped.stop, run.stop)]
