"""The first adoption of C++ classes: a class that was written by hand becomes a block.

In: a file of the author's, whose markers have been put around classes, and the generated text of
these.  Out: the file with custom regions, in which every line of it still stands, in its order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tschema.diagnostics.errors import Reporter
from tschema.regions.blocks import scan_comments
from tschema.regions.inplace.cpp_members import read_class
from tschema.regions.inplace.kept_enums import is_same_enum
from tschema.regions.inplace.kept_members import Arranged, adopt
from tschema.regions.marked_file import Block, MarkedFile

_DOC_STARTS = (b"///", b"//!", b"*/")


def is_doc_end(line: bytes) -> bool:
    """Return whether the last line of a documentation comment stands there."""
    text = line.strip()
    return text.startswith(_DOC_STARTS[:2]) or text.endswith(_DOC_STARTS[2])


def adopt_classes(
    file: MarkedFile, heads: Mapping[str, Sequence[bytes]], reporter: Reporter
) -> MarkedFile:
    """
    Part the classes of blocks that have no digest and no region yet.

    Parameters
    ----------
    file
        The author's file.
    heads
        For each block, what is generated above its custom region, and the region's first marker.
    reporter
        Told of classes that declare something otherwise than the schema.

    Returns
    -------
    adopted
        The file; a block whose class is another one than the schema's stays as it was.
    """
    pieces: list[bytes] = []
    done = 0
    for name, block in file.blocks.items():
        if name not in heads or block.digest is not None or block.region is not None:
            continue
        lines = _parted(file, block, heads[name], reporter)
        if lines is not None:
            pieces += [*file.lines[done : block.begin], *lines]
            done = block.end + 1
    if not done:
        return file
    return scan_comments(file.path, b"".join([*pieces, *file.lines[done:]]))


def _parted(
    file: MarkedFile, block: Block, head: Sequence[bytes], reporter: Reporter
) -> list[bytes] | None:
    """Return the lines of a block with a region, or None."""
    line_end = b"\r\n" if file.lines[block.begin].endswith(b"\r\n") else b"\n"
    marker = file.lines[block.begin]
    indent = marker[: len(marker) - len(marker.lstrip(b" \t"))]
    bare = [line.rstrip(b"\n") for line in head]
    generated = [(indent + line if line else line) + line_end for line in bare]
    body = file.lines[block.begin + 1 : block.end]
    last = len(body)
    while last and not body[last - 1].strip():
        last -= 1
    if is_same_enum(generated[:-1], body):
        region = [generated[-1], generated[-1].replace(b"begin", b"end")]
        return [marker, *body, *region, file.lines[block.end]]
    if not last or not body[last - 1].strip().startswith(b"};") or read_class(body[:-1]) is None:
        return None
    arranged = adopt(generated[:-1], body[: last - 1])
    if arranged is None:
        return None
    _report(file, block, arranged, reporter)
    return [
        *arranged.above,
        marker,
        *arranged.head,
        generated[-1],
        *arranged.own,
        generated[-1].replace(b"begin", b"end"),
        *body[last - 1 :],
        file.lines[block.end],
    ]


def _report(file: MarkedFile, block: Block, arranged: Arranged, reporter: Reporter) -> None:
    """Report what the author declares otherwise than the schema."""
    for index, wanted in arranged.unlike:
        reporter.error(
            "TS150",
            f"`{block.name}` declares this otherwise than the schema, from which comes `{wanted}`",
            file.span(block.begin + 1 + index),
            help="make the two say the same: the schema or the class",
        )
