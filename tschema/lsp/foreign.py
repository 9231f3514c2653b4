"""Declarations in other files than the schema's: in generated and in hand-written code.

In: the text of a C++, Python or Rust file.  Out: the declarations that a word in it means, and the
blocks of generated text that were edited.  It knows words and blocks, and no syntax.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tschema.diagnostics.errors import Diagnostic, SchemaError
from tschema.diagnostics.source import SourceFile, Span
from tschema.editing.rename.target import Target
from tschema.lsp.index import SchemaIndex
from tschema.output.ownership import header_sources
from tschema.regions.blocks import FILE_BLOCK, Block, MarkedFile, scan_comments
from tschema.regions.hand_edits import edit_of_sealed

_WORD = re.compile(r"\w+")


def targets_at(path: str, text: str, line: int, column: int, index: SchemaIndex) -> list[Target]:
    """
    Return the declarations that the word at a position may mean.

    Parameters
    ----------
    line, column
        The position, 1-based.

    Returns
    -------
    targets
        Those of the block around it, else those whose class the file names; several where neither
        tells them apart.
    """
    source = SourceFile(path, text)
    match = next(
        (one for one in _WORD.finditer(source.line(line)) if one.start() < column <= one.end() + 1),
        None,
    )
    found = index.by_word.get(match[0], []) if match else []
    data = text.encode("utf-8", "surrogatepass")
    sources = header_sources(data)
    inside = [one for one in found if _block_at(path, data, line) in _names(one, index)]
    near = [one for one in inside or found if one.space.source in sources]
    named = [one for one in near or inside or found if _is_named(one, text, index)]
    chosen = named or near or inside or found
    return [*dict.fromkeys(map(index.target_of_operator, chosen))]


def edits_of_blocks(path: str, text: str, sealed: dict[str, bytes]) -> Iterator[Diagnostic]:
    """
    Yield a warning for each block whose generated text is not the one that tschema wrote.

    Parameters
    ----------
    sealed
        The generated text of each block when it was last unedited, which is updated here.
    """
    try:
        file = scan_comments(path, text.encode("utf-8", "surrogatepass"))
    except SchemaError as error:
        yield from error.diagnostics
        return
    for block in file.blocks.values():
        if block.digest is not None and file.is_edited(block):
            index = _first_difference(file, block, sealed.get(block.name))
            yield edit_of_sealed(file, block, index)
        else:
            sealed[block.name] = file.generated(block)


def _first_difference(file: MarkedFile, block: Block, before: bytes | None) -> int:
    """Return the line at which a block differs from its text before; its first one if in doubt."""
    if before is None:
        return block.begin
    wanted = iter(before.split(b"\n"))
    for run in file.generated_lines(block):
        for index in run:
            if file.lines[index].rstrip(b"\r\n") != next(wanted, None):
                return index
    return block.end


def _block_at(path: str, data: bytes, line: int) -> str | None:
    """Return the name of the block around a 1-based line."""
    try:
        blocks = scan_comments(path, data).blocks.values() if b"tschema:" in data else ()
    except SchemaError:
        return None
    inside = (one for one in blocks if one.begin < line <= one.end + 1)
    return next((one.name for one in inside if one.name != FILE_BLOCK), None)


def _names(target: Target, index: SchemaIndex) -> set[str]:
    """Return the names of the blocks of a declaration."""
    type_ = index.owner(target)
    return {type_.name, type_.ref} if type_ else {target.key.rpartition(".")[2]}


def _is_named(target: Target, text: str, index: SchemaIndex) -> bool:
    """Return whether a text has the name of the class or the function around a member."""
    if not target.member:
        return True
    return any(re.search(rf"\b{re.escape(one)}\b", text) for one in _names(target, index))


def block_places(path: str, data: bytes, names: set[str], source: str) -> Iterator[Span]:
    """Yield the first lines of the blocks that a schema file has in a file, of some names."""
    if not any(f"tschema: {name}".encode() in data for name in names):
        return
    sources = header_sources(data)
    if sources and source not in sources:
        return
    try:
        file = scan_comments(path, data)
    except SchemaError:
        return
    for block in file.blocks.values():
        if block.name in names:
            yield file.span(block.begin)
