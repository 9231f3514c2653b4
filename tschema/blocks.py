"""Blocks of emitted files: where they stand, and the digests of their text.

In: the bytes of a file.  Out: its lines and blocks, or its bytes with a digest on every `end`
marker.  A person's bytes are never decoded, except to show them in a message.  It knows no
schema, no formatter and no disk.

A marker is a comment on a line of its own: blanks, the language's comment token, `tschema:`, one
or two words.  In a string of many lines, or inside another comment, such a line is text.

    // tschema: Name
    // tschema: custom-begin
    // tschema: custom-end
    // tschema: end 5f2c9a1b

The digest is that of the block's generated text: its lines with LF, without a byte order mark,
the `end` marker and what its custom region holds.  The block `file` stands for its file: its digest
covers all that is outside the other blocks, so that no edit of a file with a `file` block goes
unnoticed.  A Markdown page has that block alone, in HTML comments below its head, and the JSON IR,
which has no comments, a line `"digest"` in its place.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import PurePosixPath

from tschema.digests import JSON_DIGEST_LINE, digest, json_digest
from tschema.errors import Diagnostic, Note, Reporter
from tschema.literals import comment_starts
from tschema.record import record, replace
from tschema.source import SourceFile, Span

__all__ = [
    "BOM",
    "FILE_BLOCK",
    "Block",
    "MarkedFile",
    "digest",
    "end_marker",
    "scan",
    "scan_comments",
    "seal",
    "seal_blocks",
]

FILE_BLOCK = "file"
"""Name of the block that stands for the whole file."""

BOM = b"\xef\xbb\xbf"
"""The byte order mark, which a file may begin with."""

_TOKENS = {
    b"#": (".py", ".pyi"),
    b"<!--": (".md",),
    b"//": (".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".rs"),
}
_TOKEN_OF = {suffix: token for token, suffixes in _TOKENS.items() for suffix in suffixes}
_MARKER = re.compile(rb"[ \t]*(//|#|<!--)[ \t]*tschema:(.*)", re.DOTALL)
_COMMENT_END = "-->"
_PAGE_HEAD = 4
"""Lines of a page that may be markers: what follows shows text of the user's."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*")
_DIGEST = re.compile(r"[0-9a-f]{8}")
_LONE_CR = re.compile(r"\r(?!\n)")
_GRAMMAR = (
    "the markers are `Name`, `custom-begin`, `custom-end` and `end`, with or without a digest"
)


@record
class Block:
    """Where a block stands; numbers are 0-based indices of lines."""

    name: str
    begin: int
    """The line of the marker that names the block."""
    end: int
    """The line of the `end` marker."""
    region: range | None
    """The lines inside the custom region; None where there is no region."""
    digest: str | None
    """What the `end` marker states; None for a bare one."""


@record
class MarkedFile:
    """A file cut into lines, and its blocks."""

    path: str
    lines: tuple[bytes, ...]
    """With their line ends."""
    blocks: Mapping[str, Block]
    """By name, in the order of the file."""

    def custom(self, block: Block) -> bytes:
        """Return what a block's custom region holds."""
        return b"".join(self.lines[index] for index in block.region or ())

    def joined(self) -> bytes:
        """Return the whole file."""
        return b"".join(self.lines)

    def outside(self) -> list[range]:
        """Return the lines that stand in no block but `file`."""
        begin, outside = 0, list[range]()
        for block in self.blocks.values():
            if block.name != FILE_BLOCK:
                outside.append(range(begin, block.begin))
                begin = block.end + 1
        return [*outside, range(begin, len(self.lines))]

    def generated_lines(self, block: Block) -> list[range]:
        """Return the lines of a block's generated text."""
        region = block.region if block.region is not None else range(block.end, block.end)
        runs = self.outside() if block.name == FILE_BLOCK else [range(block.begin, block.end + 1)]
        for skipped in (region, range(block.end, block.end + 1)):
            runs = [part for run in runs for part in _without(run, skipped)]
        return runs

    def text(self, runs: Iterable[range]) -> bytes:
        """Return lines, given without gaps, with LF line ends and without a byte order mark."""
        filled = [run for run in runs if run]
        text = b"".join([b"".join(self.lines[run.start : run.stop]) for run in filled])
        if filled and filled[0].start == 0:
            text = text.removeprefix(BOM)
        return text.replace(b"\r\n", b"\n")

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
        # A line ends with LF, also where a lone CR is what an editor would take for a line end.
        text = _LONE_CR.sub(" ", b"".join(self.lines).decode("utf-8", "replace"))
        line = self.lines[index].decode("utf-8", "replace").rstrip()
        first = len(line) - len(line.lstrip()) + 1
        return Span(SourceFile(self.path, text), index + 1, first, index + 1, len(line) + 1)


def scan(path: str, data: bytes) -> MarkedFile:
    """
    Find the blocks of a file.

    Parameters
    ----------
    path
        The path to display; its suffix tells the comment token.
    data
        The bytes of the file.

    Returns
    -------
    file
        Its lines and blocks; no blocks for a language without markers.

    Raises
    ------
    SchemaError
        A marker is unknown, out of place or missing, or two blocks have one name.
    """
    file, reporter = _scan(path, data, None)
    if reporter.diagnostics:
        return scan_comments(path, data)
    return file


def scan_comments(path: str, data: bytes) -> MarkedFile:
    """
    Find the blocks of a file that people write, who may write about markers in their strings.

    It takes longer than `scan`, which does the same where that makes a difference in a file of
    tschema's own.

    Parameters
    ----------
    path
        The path to display; its suffix tells the language.
    data
        The bytes of the file.

    Returns
    -------
    file
        Its lines and blocks.

    Raises
    ------
    SchemaError
        A marker is unknown, out of place or missing, or two blocks have one name.
    """
    suffix = PurePosixPath(path).suffix
    starts = comment_starts(data, suffix) if b"tschema:" in data and suffix != ".md" else None
    file, reporter = _scan(path, data, starts)
    reporter.stop_on_error()
    return file


def _scan(path: str, data: bytes, starts: Container[int] | None) -> tuple[MarkedFile, Reporter]:
    """Scan a file, given where its comments start; every line that looks so is one if None."""
    suffix = PurePosixPath(path).suffix
    if suffix == ".json":
        lines = _lines(data, most=JSON_DIGEST_LINE + 1)
        return MarkedFile(path, lines, _json_blocks(lines)), Reporter()
    lines = _lines(data)
    token = _TOKEN_OF.get(suffix)
    if token is None or b"tschema:" not in data:
        return MarkedFile(path, lines, {}), Reporter()
    scanner = _Scanner(MarkedFile(path, lines, {}))
    for index, words in _markers(data, token, starts):
        scanner.take(index, words)
    return MarkedFile(path, lines, scanner.finish()), scanner.reporter


def seal(path: str, data: bytes) -> bytes:
    """Return a generated file with a digest on every `end` marker; see `seal_blocks`."""
    return seal_blocks(path, data).joined()


def seal_blocks(path: str, data: bytes) -> MarkedFile:
    """
    Put a digest on every `end` marker of a generated file.

    Parameters
    ----------
    path
        The path; its suffix tells the comment token.
    data
        The file, with LF line ends.

    Returns
    -------
    sealed
        The same, but for the `end` markers, with its blocks.

    Raises
    ------
    SchemaError
        A marker is wrong.
    """
    file, reporter = _scan(path, data, None)
    reporter.stop_on_error()
    lines = list(file.lines)
    if PurePosixPath(path).suffix == ".json":
        return file  # Its encoder has sealed it.
    blocks = {}
    for block in file.blocks.values():
        stated = digest(file.generated(block))
        lines[block.end] = end_marker(lines[block.end], stated)
        blocks[block.name] = replace(block, digest=stated)
    return MarkedFile(path, tuple(lines), blocks)


def end_marker(marker: bytes, stated: str) -> bytes:
    """Return an `end` marker with a digest; what is before and behind its words stays."""
    head = marker[: marker.index(b"tschema:")]
    closing = b" -->" if marker.rstrip().endswith(_COMMENT_END.encode()) else b""
    line_end = marker[len(marker.rstrip(b"\r\n")) :]
    return head + b"tschema: end " + stated.encode() + closing + line_end


def _json_blocks(lines: tuple[bytes, ...]) -> dict[str, Block]:
    """Return the block that stands for a JSON IR, if it states its digest."""
    stated = json_digest(lines)
    line = JSON_DIGEST_LINE
    return {FILE_BLOCK: Block(FILE_BLOCK, line, line, None, stated)} if stated else {}


class _Scanner:
    """Takes the markers of a file in order, and collects blocks and faults."""

    def __init__(self, file: MarkedFile) -> None:
        self._file = file
        self.reporter = Reporter()
        self._blocks: dict[str, Block] = {}
        self._name = ""
        self._begin: int | None = None
        self._region_begin: int | None = None
        self._region: range | None = None

    def take(self, index: int, words: list[str]) -> None:
        """Take the marker that stands on a line."""
        if self._file.path.endswith(".md"):
            if index >= _PAGE_HEAD:
                return
            words = words[:-1] if words[-1:] == [_COMMENT_END] else words
        match words:
            case ["custom-begin"]:
                self._open_region(index)
            case ["custom-end"]:
                self._close_region(index)
            case ["end"]:
                self._close_block(index, None)
            case ["end", digest] if _DIGEST.fullmatch(digest):
                self._close_block(index, digest)
            case [name] if _NAME.fullmatch(name):
                self._open_block(index, name)
            case _:
                self._error("TS060", index, f"unknown marker `{' '.join(words)}`", help=_GRAMMAR)

    def finish(self) -> dict[str, Block]:
        """Return the blocks; the reporter has what was wrong."""
        if self._region_begin is not None:
            self._error("TS063", self._region_begin, "custom region without `custom-end`")
        elif self._begin is not None:
            self._error("TS063", self._begin, f"block `{self._name}` without `end`")
        return self._blocks

    def _open_block(self, index: int, name: str) -> None:
        if self._region_begin is not None:
            message = f"block `{name}` begins in a custom region"
            self._error("TS061", index, message, self._region_begin)
            return
        if self._begin is not None:
            message = f"block `{name}` begins before block `{self._name}` has ended"
            self._error("TS061", index, message, self._begin)
        if name in self._blocks:
            message = f"a second block `{name}` in one file"
            self._error("TS062", index, message, self._blocks[name].begin)
        self._name, self._begin, self._region = name, index, None

    def _open_region(self, index: int) -> None:
        if self._begin is None:
            self._error("TS061", index, "`custom-begin` outside a block")
        elif self._region_begin is not None:
            self._error("TS061", index, "`custom-begin` in a custom region", self._region_begin)
        elif self._region is not None:
            message = f"a second custom region in block `{self._name}`"
            self._error("TS061", index, message, self._region.start - 1)
        else:
            self._region_begin = index

    def _close_region(self, index: int) -> None:
        if self._region_begin is None:
            self._error("TS061", index, "`custom-end` without `custom-begin`")
            return
        self._region = range(self._region_begin + 1, index)
        self._region_begin = None

    def _close_block(self, index: int, digest: str | None) -> None:
        if self._begin is None:
            self._error("TS061", index, "`end` without a block")
            return
        if self._region_begin is not None:
            message = f"block `{self._name}` ends in its custom region"
            self._error("TS061", index, message, self._region_begin)
            self._region_begin = None
        block = Block(self._name, self._begin, index, self._region, digest)
        self._blocks.setdefault(self._name, block)
        self._begin = None

    def _error(
        self, code: str, index: int, message: str, other: int | None = None, help: str | None = None
    ) -> None:
        error = Diagnostic(code, "error", message, self._file.span(index), help=help)
        if other is not None:
            note = Note("the marker before it is here", self._file.span(other))
            error = replace(error, notes=(note,))
        self.reporter.diagnostics.append(error)


def _without(run: range, skipped: range) -> list[range]:
    """Return what is left of a run of lines without some lines in a row."""
    if not skipped or skipped.stop <= run.start or run.stop <= skipped.start:
        return [run]
    return [range(run.start, skipped.start), range(skipped.stop, run.stop)]


def _lines(data: bytes, most: int = -1) -> tuple[bytes, ...]:
    """Return the lines, with their ends; a lone CR is a byte like any other.

    After as many as are wanted at most, all that follows is one.
    """
    if most < 0 and b"\r" not in data:
        return tuple(data.splitlines(keepends=True))
    *whole, rest = data.split(b"\n", most)
    lines = [line + b"\n" for line in whole]
    return (*lines, rest) if rest else tuple(lines)


def _markers(
    data: bytes, token: bytes, starts: Container[int] | None
) -> Iterator[tuple[int, list[str]]]:
    """Yield the markers: index of the line, and the words behind `tschema:`."""
    for index, start, line in _lines_with(b"tschema:", data):
        match = _MARKER.match(line, 3 if start == 0 and line.startswith(BOM) else 0)
        if match and match[1] == token and (starts is None or start + match.start(1) in starts):
            yield index, match[2].decode("utf-8", "replace").split()


def _lines_with(word: bytes, data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield the lines that hold a word: index, offset, and the line itself."""
    index = done = 0
    at = data.find(word)
    while at >= 0:
        start = data.rfind(b"\n", 0, at) + 1
        end = data.find(b"\n", at) + 1 or len(data)
        index += data.count(b"\n", done, start)
        yield index, start, data[start:end]
        done = start
        at = data.find(word, end)
