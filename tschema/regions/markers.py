"""The parser of markers into blocks.

In: the bytes of a file, and its markers. Out: blocks, and diagnostics of markers.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from msgspec.structs import replace

from tschema.diagnostics.errors import Diagnostic, Note, Reporter
from tschema.regions.marked_file import BOM, Block, MarkedFile

_MARKER = re.compile(rb"[ \t]*(//|#|<!--)[ \t]*tschema:(.*)", re.DOTALL)
COMMENT_END = "-->"
_PAGE_HEAD = 4
"""Lines of a page that may be markers: what follows shows text of the user's."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*")
_DIGEST = re.compile(r"[0-9a-f]{8}")
_GRAMMAR = (
    "the markers are `Name`, `custom-begin`, `custom-end` and `end`, with or without a digest"
)


class Scanner:
    """Takes the markers of a file in order, and collects blocks and faults."""

    def __init__(self, file: MarkedFile) -> None:
        """Begin with a file whose lines are known."""
        self._file = file
        self.reporter = Reporter()
        self._blocks: dict[str, Block] = {}
        self._name = ""
        self._begin: int | None = None
        self._region_begin: int | None = None
        self._region: range | None = None

    def take(self, index: int, words: list[str]) -> None:
        """Take the marker on a line."""
        if self._file.path.endswith(".md"):
            if index >= _PAGE_HEAD:
                return
            words = words[:-1] if words[-1:] == [COMMENT_END] else words
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
        """Return the blocks; the reporter has the errors."""
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


def find_markers(
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
