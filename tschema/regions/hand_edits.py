"""Detection of hand edits of generated text, and adoption of added lines.

In: a file on disk, and the generated text of one of its blocks. Out: the edit, or its added lines.
It knows no schema and no disk.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from tschema.diagnostics.errors import Diagnostic, Note
from tschema.regions.blocks import FILE_BLOCK, Block, MarkedFile, digest
from tschema.regions.first_adoption import own_lines

_SHOWN_LINES = 40
"""Lines of a custom region that a message shows at most."""
_REGION_HELP = (
    "write in the custom region; `--adopt` moves added lines there, `--discard` drops the edit"
)
_FIRST_HELP = (
    "move the lines that are yours between `tschema: custom-begin` and `tschema: custom-end`, then "
    "drop the others with `--discard`; `--adopt` moves your members there, if the rest is as "
    "generated"
)
_ADDED_HELP = "only added lines can be adopted; undo the change, or discard it with `--discard`"
_MARKER = re.compile(rb"\s*(?:\xef\xbb\xbf)?(?://|#|<!--)[ \t]*tschema:")


class HandEdit(Struct, frozen=True):
    """A block whose generated text was edited by hand."""

    diagnostic: Diagnostic
    diff: str
    """Unified, from the text that tschema generates to the one that was found."""


def find_edit(file: MarkedFile, block: Block, text: bytes) -> HandEdit | None:
    """
    Return the hand edit of a block that replacing its text would discard.

    Parameters
    ----------
    block
        One of its blocks.  If its `end` marker is bare, any text that it has and the new one lacks
        counts as written by hand.
    text
        What tschema generates for it, with LF line ends; empty where the block goes.
    """
    found = file.generated(block)
    if found == text:
        return None
    if block.digest is None and not _content(found) - _content(text):
        return None
    if block.digest is not None and not file.is_edited(block):
        return None
    where = _where(file, block)
    message = f"generated text{where} was edited by hand"
    if block.digest is not None:
        return _hand_edit(file, block.begin, message, text, found)
    message = f"text{where} would be replaced, and its `end` has no digest that tells whose"
    return _hand_edit(file, block.begin, message, text, found, _FIRST_HELP)


def edit_of_sealed(file: MarkedFile, block: Block, index: int) -> Diagnostic:
    """
    Return the warning that a block has no longer the text that its digest states.

    Parameters
    ----------
    index
        The line to name, 0-based.
    """
    message = f"generated text{_where(file, block)} was edited by hand"
    help = _region_help(file)
    return Diagnostic("TS065", "warning", message, file.span(index), help=help)


def _where(file: MarkedFile, block: Block) -> str:
    if block.name != FILE_BLOCK:
        return f" of block `{block.name}`"
    return " outside the other blocks" if len(file.blocks) > 1 else ""


def missing_file_block(file: MarkedFile, text: bytes) -> HandEdit | None:
    """
    Return the hand edit of a file that has lost its `file` block, and some other text gained.

    Parameters
    ----------
    text
        What tschema generates outside the other blocks, with LF line ends.
    """
    found = file.text(file.outside())
    if not _content(found) - _content(text):
        return None
    message = "text outside the blocks would be replaced, and no block `file` tells whose it is"
    if not file.blocks:
        message = "text would be replaced, and no digest tells whose it is"
    return _hand_edit(file, 0, message, text, found)


def typed_lines(path: str, data: bytes, lines: Collection[bytes]) -> HandEdit:
    """
    Return the hand edit of a file in which someone resolved a conflict in generated text.

    Parameters
    ----------
    path
        The file, to display.
    lines
        The lines, without the blanks around them, that no version and no run of tschema wrote.
    """
    file = MarkedFile(path, tuple(data.splitlines(keepends=True)), {})
    typed = [index for index, line in enumerate(file.lines) if line.strip() in lines]
    diagnostic = Diagnostic(
        "TS065",
        "error",
        "generated text was edited by hand while a conflict was resolved",
        file.span(typed[0]) if typed else None,
        help="write in the custom region, or drop the edit with `--discard`",
    )
    shown = "".join(f"+{_text(file.lines[index]).rstrip()}\n" for index in typed)
    return HandEdit(diagnostic, f"--- {path} (generated)\n+++ {path} (found)\n{shown}")


def added_lines(file: MarkedFile, block: Block, text: bytes) -> list[int] | None:
    """
    Return the lines added to a block by hand, if there is no other edit.

    Parameters
    ----------
    block
        One of its blocks.
    text
        What tschema generates for it, with LF line ends.

    Returns
    -------
    added
        Indices of lines; None where a line was changed or removed, or where the schema has changed
        as well, so that they cannot be distinguished.
    """
    if block.digest is None and block.name != FILE_BLOCK:
        return own_lines(file, block, text)
    if block.region is None or block.digest not in (None, digest(text)):
        return None
    wanted = text.split(b"\n")[:-1]
    added, done = [], 0
    for index in chain.from_iterable(file.generated_lines(block)):
        line = file.text([range(index, index + 1)]).rstrip(b"\n")
        if done < len(wanted) and line == wanted[done]:
            done += 1
        else:
            added.append(index)
    return added if done == len(wanted) else None


def refusal(edit: HandEdit, block: Block) -> Diagnostic:
    """Return the error that the edit of a block cannot be adopted."""
    return replace(
        edit.diagnostic,
        notes=(Note("it changes or removes generated lines:\n" + _indented(edit.diff)),),
        help=_FIRST_HELP if block.digest is None else _ADDED_HELP,
    )


def lost_block(file: MarkedFile, block: Block) -> Diagnostic:
    """Return the error that a block goes whose custom region is not empty."""
    shown = _text(file.custom(block)).splitlines()
    if len(shown) > _SHOWN_LINES:
        shown[_SHOWN_LINES:] = [f"... and {len(shown) - _SHOWN_LINES} more lines"]
    return Diagnostic(
        "TS064",
        "error",
        f"block `{block.name}` has left the schema, but its custom region is not empty",
        file.span(block.begin),
        (Note("\n    ".join(["this would be lost:", *shown])),),
        "move the text elsewhere and empty the region, or state `renamed_from` in the new class",
    )


def _content(text: bytes) -> Counter[bytes]:
    """Return the lines of a text that say something, blanks around them left out."""
    lines = (line.strip() for line in text.split(b"\n") if not _MARKER.match(line))
    return Counter(line for line in lines if line)


def _hand_edit(
    file: MarkedFile, index: int, message: str, text: bytes, found: bytes, help: str | None = None
) -> HandEdit:
    diagnostic = Diagnostic(
        "TS065",
        "error",
        message,
        file.span(index),
        help=help or _region_help(file),
    )
    from difflib import unified_diff  # For a hand edit alone.

    diff = unified_diff(
        _text(text).splitlines(keepends=True),
        _text(found).splitlines(keepends=True),
        f"{file.path} (generated)",
        f"{file.path} (found)",
    )
    lines = (line if line.endswith("\n") else f"{line}\n" for line in diff)
    return HandEdit(diagnostic, "".join(lines))


def _region_help(file: MarkedFile) -> str:
    has_region = any(block.region is not None for block in file.blocks.values())
    return _REGION_HELP if has_region else "`--discard` drops the edit"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


def _text(data: bytes) -> str:
    """Decode a person's bytes to show them."""
    return data.decode("utf-8", "backslashreplace").replace("\r\n", "\n")
