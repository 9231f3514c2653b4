"""Blocks of generated files: their positions and digests.

In: the bytes of a file.  Out: its lines and blocks, or its bytes with a digest on every `end`
marker.  Hand-written bytes are never decoded, except to show them in a message.  It knows no
schema, no formatter and no disk.

A marker is a comment on a line of its own: blanks, the language's comment token, `tschema:`, one or
two words.  Such a line inside a multi-line string or another comment is text.

    // tschema: Name
    // tschema: custom-begin
    // tschema: custom-end
    // tschema: end 5f2c9a1b

The digest is that of the block's generated text: its lines with LF, without a byte order mark,
the `end` marker and the contents of its custom region.  The block `file` represents its file: its
digest covers all text outside the other blocks, so that no edit of a file with a `file` block goes
unnoticed.  A Markdown page has that block alone, in HTML comments below its head, and the JSON IR,
which has no comments, a line `"digest"` in its place.
"""

from __future__ import annotations

from collections.abc import Container
from pathlib import PurePosixPath

from msgspec.structs import replace

from tschema.diagnostics.errors import Reporter
from tschema.ir.seals import JSON_DIGEST_LINE, digest, json_digest
from tschema.regions.line_comments import comment_starts
from tschema.regions.marked_file import BOM, FILE_BLOCK, Block, MarkedFile
from tschema.regions.markers import COMMENT_END, Scanner, find_markers

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

_TOKENS = {
    b"#": (".py", ".pyi"),
    b"<!--": (".md",),
    b"//": (".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".cuh", ".inl", ".cu", ".rs"),
}
_TOKEN_OF = {suffix: token for token, suffixes in _TOKENS.items() for suffix in suffixes}


def scan(path: str, data: bytes) -> MarkedFile:
    """
    Find the blocks of a file.

    Parameters
    ----------
    path
        The path to display; its suffix tells the comment token.

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
    if not _is_as_written(file):
        # Lines of a string may have stood for markers, and then another reading has the digests.
        other, reporter = _scan(path, data, _starts(path, data))
        if not reporter.diagnostics and _is_as_written(other):
            return other
    return file


def _is_as_written(file: MarkedFile) -> bool:
    """Return whether all blocks have the text that their digests state."""
    return not file.edited and all(block.digest for block in file.blocks.values())


def scan_comments(path: str, data: bytes) -> MarkedFile:
    """
    Find the blocks of a file that people write, who may write about markers in their strings.

    It takes longer than `scan`, which does the same for files of tschema's own whose digests do not
    hold otherwise.

    Parameters
    ----------
    path
        The path to display; its suffix tells the language.

    Raises
    ------
    SchemaError
        A marker is unknown, out of place or missing, or two blocks have one name.
    """
    file, reporter = _scan(path, data, _starts(path, data))
    reporter.stop_on_error()
    return file


def _starts(path: str, data: bytes) -> Container[int] | None:
    """Return where comments start, if the language has strings and the file may have markers."""
    suffix = PurePosixPath(path).suffix
    return comment_starts(data, suffix) if b"tschema:" in data and suffix != ".md" else None


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
    scanner = Scanner(MarkedFile(path, lines, {}))
    for index, words in find_markers(data, token, starts):
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
        The same file with new `end` markers, and its blocks.

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
    """Return an `end` marker with a digest; the text before and after its words stays."""
    head = marker[: marker.index(b"tschema:")]
    closing = b" -->" if marker.rstrip().endswith(COMMENT_END.encode()) else b""
    line_end = marker[len(marker.rstrip(b"\r\n")) :]
    return head + b"tschema: end " + stated.encode() + closing + line_end


def _json_blocks(lines: tuple[bytes, ...]) -> dict[str, Block]:
    """Return the block of a whole JSON IR, if the file states its digest."""
    stated = json_digest(lines)
    line = JSON_DIGEST_LINE
    return {FILE_BLOCK: Block(FILE_BLOCK, line, line, None, stated)} if stated else {}


def _lines(data: bytes, most: int = -1) -> tuple[bytes, ...]:
    """Return the lines, with their ends; a lone CR is a byte like any other.

    After as many as are wanted at most, all that follows is one.
    """
    if most < 0 and b"\r" not in data:
        return tuple(data.splitlines(keepends=True))
    *whole, rest = data.split(b"\n", most)
    lines = [line + b"\n" for line in whole]
    return (*lines, rest) if rest else tuple(lines)
