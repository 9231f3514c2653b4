"""The first adoption of C++ classes: a class that was written by hand becomes a block.

In: a file of the author's, whose markers have been put around classes, and the generated text of
these.  Out: the file with custom regions, with all its lines in their order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from tschema.adoption.inplace.cpp_members import Aliases, read_class
from tschema.adoption.inplace.kept_enums import is_enum, is_same_enum
from tschema.adoption.inplace.kept_members import Arranged, adopt
from tschema.adoption.inplace.whole_classes import holds_class, refusal
from tschema.diagnostics.errors import Diagnostic
from tschema.regions.blocks import scan_comments
from tschema.regions.marked_file import Block, MarkedFile

_DOC_STARTS = (b"///", b"//!", b"*/")


def is_doc_end(line: bytes) -> bool:
    """Return whether a line is the last one of a documentation comment."""
    text = line.strip()
    return text.startswith(_DOC_STARTS[:2]) or text.endswith(_DOC_STARTS[2])


def adopt_classes(
    file: MarkedFile, texts: Mapping[str, Generated], aliases: Aliases
) -> tuple[MarkedFile, dict[str, Diagnostic]]:
    """
    Part the classes of blocks that have no digest and no region yet.

    Parameters
    ----------
    texts
        The generated text of each block.

    Returns
    -------
    refused
        By name, why a block cannot be around the class that it is around.
    """
    pieces: list[bytes] = []
    done = 0
    refused: dict[str, Diagnostic] = {}
    for name, block in file.blocks.items():
        lines = file.lines[block.begin + 1 : block.end]
        if name not in texts or block.digest is not None or block.region is not None:
            continue
        if not b"".join(lines).strip():
            continue  # The author has put the markers where tschema is to write the class.
        try:
            parted = _parted(file, block, texts[name], aliases)
        except _Refused as error:
            what = f"`{name.rpartition('.')[2]}` stays by hand: {error.reason}"
            span = file.span(block.begin + 1 + error.line)
            refused[name] = Diagnostic("TS154", "warning", what, span)
            continue
        pieces += [*file.lines[done : block.begin], *parted]
        done = block.end + 1
    if not done:
        return file, refused
    return scan_comments(file.path, b"".join([*pieces, *file.lines[done:]])), refused


class Generated(Protocol):
    """The generated text of a block, of which the first part counts here."""

    @property
    def head(self) -> tuple[bytes, ...]:
        """The lines above the custom region, and the region's first marker."""
        ...

    @property
    def is_by_hand(self) -> bool:
        """Whether nothing is added to the class."""
        ...

    @property
    def has_generated_children(self) -> bool:
        """Whether a generated class derives from it, which calls its constructors."""
        ...


class _Refused(Exception):
    """A class cannot be in a block: the reason, and the line in the block that shows it."""

    def __init__(self, reason: str, line: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


def _parted(file: MarkedFile, block: Block, text: Generated, aliases: Aliases) -> list[bytes]:
    """Return the lines of a block with a region."""
    line_end = b"\r\n" if file.lines[block.begin].endswith(b"\r\n") else b"\n"
    marker = file.lines[block.begin]
    indent = marker[: len(marker) - len(marker.lstrip(b" \t"))]
    bare = [line.rstrip(b"\n") for line in text.head]
    generated = [(indent + line if line else line) + line_end for line in bare]
    begin, end = generated[-1], generated[-1].replace(b"begin", b"end")
    body = file.lines[block.begin + 1 : block.end]
    if is_same_enum(generated[:-1], body):
        return [marker, *body, begin, end, file.lines[block.end]]
    if is_enum(generated[:-1]):
        raise _Refused("its members have other names or values than in the schema")
    if text.is_by_hand and not _is_apart(body) and holds_class(body):
        reason = refusal(generated[:-1], body, aliases)
        if reason is not None:
            raise _Refused(reason)
        around = [indent + line.lstrip() for line in (begin, end)]
        return [marker, around[0], *body, around[1], file.lines[block.end]]
    arranged, last = _arranged(generated, body, aliases, text)
    if arranged.reason:
        raise _Refused(arranged.reason)
    for line, wanted in arranged.unlike:
        raise _Refused(f"it differs from `{wanted}` of the schema", line)
    for name in arranged.missing:
        raise _Refused(f"it has no member `{name}`, which the schema declares")
    lines = [*arranged.above, marker, *arranged.head, begin, *arranged.own, end, *body[last:]]
    added = {marker, begin, end}
    if text.is_by_hand and [one for one in lines if one not in added] != [*body]:
        raise _Refused("a line of it would change")
    return [*lines, file.lines[block.end]]


def _is_apart(body: Sequence[bytes]) -> bool:
    """Return whether the members of a class, and its last brace, have lines of their own."""
    last = next((line.strip() for line in reversed(body) if line.strip()), b"")
    return last.startswith(b"};") and read_class(body[:-1]) is not None


def _arranged(
    generated: Sequence[bytes], body: Sequence[bytes], aliases: Aliases, text: Generated
) -> tuple[Arranged, int]:
    """Return a class with its region, and the index of its last line."""
    last = len(body)
    while last and not body[last - 1].strip():
        last -= 1
    if not _is_apart(body):
        raise _Refused("its members do not stand on lines of their own")
    arranged = adopt(
        generated[:-1],
        body[: last - 1],
        is_by_hand=text.is_by_hand,
        is_authors=not text.is_by_hand and not text.has_generated_children,
        aliases=aliases,
    )
    if arranged is None:
        raise _Refused("it has another name or another base than in the schema")
    return arranged, last - 1
