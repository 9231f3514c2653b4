"""Filling in of blocks in the user's files, as bytes.

In: the files with the positions of their blocks, and freshly generated blocks.  Out: the files with
the blocks filled in; no other byte changes.  It knows no formatter and no disk.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from tschema.adoption.inplace.adopted_classes import adopt_classes, is_doc_end
from tschema.adoption.inplace.author_constructors import (
    fit_to_constructors,
    with_deleted_initializers,
)
from tschema.adoption.inplace.cpp_members import Aliases
from tschema.adoption.inplace.kept_enums import is_same_enum
from tschema.adoption.inplace.kept_members import arrange, misplaced_fields
from tschema.adoption.inplace.spare_members import holds_key_macro
from tschema.adoption.inplace.survey import Survey
from tschema.adoption.inplace.typed_comments import without_typed_comments
from tschema.adoption.inplace.whole_classes import holds_class, lacking_fields
from tschema.diagnostics.errors import Diagnostic, Reporter
from tschema.project.cpp_sources import CPP_SUFFIXES
from tschema.regions.blocks import BOM, Block, MarkedFile, digest, end_marker, scan_comments
from tschema.regions.hand_edits import find_edit, lost_block
from tschema.regions.merge import Merge, adopt_lines


class BlockText(Struct, frozen=True):
    """The generated text of a block, cut at its custom region; lines end with LF."""

    head: tuple[bytes, ...]
    """Without the marker that names the block; with the one that begins the region."""
    tail: tuple[bytes, ...]
    """With the marker that ends the region; without the one that ends the block."""
    is_by_hand: bool = False
    """Whether only the fields are added that the author's class lacks, and nothing else."""
    has_generated_children: bool = False
    """Whether a generated class derives from it, which calls its constructors."""

    @staticmethod
    def of(
        file: MarkedFile, block: Block, *, is_by_hand: bool, has_generated_children: bool
    ) -> BlockText:
        """Take a block of a generated file, which has a custom region."""
        region = block.region if block.region is not None else range(block.end, block.end)
        return BlockText(
            file.lines[block.begin + 1 : region.start],
            file.lines[region.stop : block.end],
            is_by_hand,
            has_generated_children,
        )


def fill(found: Survey, texts: Mapping[str, BlockText]) -> Merge:
    """
    Put generated text into the blocks, around the custom regions that are there.

    Parameters
    ----------
    texts
        The text of each block, by dotted name.

    Returns
    -------
    result
        The files that have blocks, the hand edits found, and the regions of blocks that go.
    """
    result = Merge()
    names = _names_by_file(found)
    gone = set(found.gone)
    aliases = found.aliases()
    for path, file in found.files.items():
        pieces: list[bytes] = []
        done = 0
        for name, block in file.blocks.items():
            pieces += file.lines[done : block.begin]
            done = block.end + 1
            if (path, name) in gone:
                edit = find_edit(file, block, b"")
                pieces += [BOM] if file.lines[block.begin].startswith(BOM) else []
                result.lost += [lost_block(file, block)] if file.custom(block) else []
            else:
                filled = _Filling(file, block, names[path, name], texts[names[path, name]], aliases)
                edit = find_edit(file, block, filled.generated)
                result.lost += filled.misplaced()
                pieces += filled.lines()
            result.edits += [edit] if edit else []
        result.files[path] = b"".join([*pieces, *file.lines[done:]])
    return result


def adopt(found: Survey, texts: Mapping[str, BlockText], refused: dict[str, Diagnostic]) -> Survey:
    """
    Move lines added to generated text by hand to the ends of the custom regions.

    Parameters
    ----------
    texts
        The text of each block, by dotted name.
    refused
        Gets the classes that cannot be in a block as they are, by dotted name, with the reasons.

    Returns
    -------
    adopted
        The same, with the lines moved.

    Raises
    ------
    SchemaError
        An edit changes or removes generated lines.
    """
    names = _names_by_file(found)
    aliases = found.aliases()
    reporter = Reporter()
    files: dict[PurePosixPath, MarkedFile] = {}
    for path, standing in found.files.items():
        first = {
            name: texts[names[path, name]]
            for name, block in standing.blocks.items()
            if (path, name) in names and path.suffix in CPP_SUFFIXES
        }
        file, reasons = adopt_classes(standing, first, aliases)
        refused |= {names[path, name]: reason for name, reason in reasons.items()}
        if reasons:
            continue
        wanted = {}
        for name, block in file.blocks.items():
            full = names.get((path, name))
            wanted[name] = (
                _Filling(file, block, full, texts[full], aliases).generated if full else b""
            )
        files[path] = scan_comments(str(path), adopt_lines(file, wanted, reporter))
    if refused:
        return found
    reporter.stop_on_error()
    return Survey(files, found.homes, found.gone, found.defined)


def _names_by_file(found: Survey) -> dict[tuple[PurePosixPath, str], str]:
    return {home: name for name, home in found.homes.items()}


class _Filling:
    """A block's new lines, and the place of the old block."""

    def __init__(
        self, file: MarkedFile, block: Block, name: str, text: BlockText, aliases: Aliases
    ) -> None:
        self._file = file
        self._block = block
        marker = file.lines[block.begin]
        self._line_end = b"\r\n" if marker.endswith(b"\r\n") else b"\n"
        bare = marker.removeprefix(BOM) if block.begin == 0 else marker
        self._indent = bare[: len(bare) - len(bare.lstrip(b" \t"))]
        self._marker = _renamed(marker, block.name, name)
        self._aliases = aliases
        self._is_by_hand = text.is_by_hand
        self._has_generated_children = text.has_generated_children
        self._wanted = [self._place(line) for line in text.head[:-1]]
        self._head = self._arranged([self._place(line) for line in text.head])
        self._tail = self._laid_out([self._place(line) for line in text.tail])
        self._put_initializers_back()

    def _put_initializers_back(self) -> None:
        """Undo the deletion of initializers that the digest states, so that it is seen as an edit.

        A member that never had one is left as its author has it.
        """
        file, block = self._file, self._block
        if block.digest is None or not file.is_edited(block) or len(self._head) < 2:
            return
        last = self._head[-1]
        for lines in with_deleted_initializers(self._wanted, self._head[:-1]):
            before, self._head = self._head, [*lines, last]
            if digest(self.generated) == block.digest:
                return
            self._head = before

    @property
    def generated(self) -> bytes:
        """The generated text, as a digest is made of it."""
        return self._generated_with(self._tail)

    def _generated_with(self, tail: list[bytes]) -> bytes:
        marker = self._marker.removeprefix(BOM) if self._block.begin == 0 else self._marker
        text = b"".join([marker, *self._head, *tail])
        return text.replace(b"\r\n", b"\n")

    def lines(self) -> list[bytes]:
        """Return the new lines of the block."""
        end = self._file.lines[self._block.end]
        stated = end_marker(end, digest(self.generated))
        return [self._marker, *self._head, self._file.custom(self._block), *self._tail, stated]

    def misplaced(self) -> Iterator[Diagnostic]:
        """Yield an error for each field that would precede a field that it must follow."""
        region = self._block.region
        if not region or not self._file.path.endswith(CPP_SUFFIXES):
            return
        own = self._file.lines[region.start : region.stop]
        if holds_class(own):
            yield from self._lacking(own, region.start)
            return
        for name, other, line in misplaced_fields(self._wanted, own):
            yield Diagnostic(
                "TS153",
                "error",
                f"field `{name}` follows `{other}` in the schema, which the custom region of "
                f"`{self._block.name}` declares",
                self._file.span(region.start + line),
                help=f"declare `{name}` in the region too, behind `{other}`",
            )

    def _lacking(self, own: Sequence[bytes], first: int) -> Iterator[Diagnostic]:
        """Yield an error for each field that a class lacks which its region holds as a whole."""
        for name in lacking_fields(self._wanted, own, self._aliases):
            yield Diagnostic(
                "TS153",
                "error",
                f"the custom region of `{self._block.name}` holds the whole class, which has no "
                f"member `{name}`",
                self._file.span(first),
                help=f"declare `{name}` in the class",
            )

    def _arranged(self, head: list[bytes]) -> list[bytes]:
        """Return generated lines above the custom region, with the author's layout of them."""
        file, block = self._file, self._block
        if not file.path.endswith(CPP_SUFFIXES) or not file.lines[block.begin + 1 : block.end]:
            return head
        region = block.region if block.region is not None else range(block.end, block.end)
        found = file.lines[block.begin + 1 : region.start - (block.region is not None)]
        if file.is_edited(block):
            found = without_typed_comments(head[:-1], found)
        own = file.lines[region.start : region.stop]
        if block.region is not None:
            head[:-1] = fit_to_constructors(head[:-1], found, own)
        if block.region is not None and block.digest is not None:
            head[-1] = file.lines[region.start - 1]
        if self._is_by_hand and not found and holds_class(own):
            return [head[-1]]
        if is_same_enum(head[:-1], found):
            return [*found, head[-1]]
        is_documented = is_doc_end(file.lines[block.begin - 1]) if block.begin else False
        if tuple(head[:-1]) == found and not own and not is_documented:
            return head
        lines = arrange(
            head[:-1],
            found,
            own,
            is_documented=is_documented,
            is_by_hand=self._is_by_hand,
            is_authors=not self._has_generated_children and holds_key_macro(own),
            aliases=self._aliases,
        )
        return [*lines, head[-1]] if lines is not None else head

    def _laid_out(self, tail: list[bytes]) -> list[bytes]:
        """Return generated lines below the custom region, with the author's layout of them."""
        file, block = self._file, self._block
        if block.region is None or not file.path.endswith(CPP_SUFFIXES):
            return tail
        found = list(file.lines[block.region.stop : block.end])
        if self._is_by_hand and holds_class(file.lines[block.region.start : block.region.stop]):
            return found[:1]
        if self._is_by_hand and _code(found) == _code(tail):
            # Without a comment that was typed since, the text is the one that the digest states.
            is_as_sealed = digest(self._generated_with(tail)) == block.digest
            return tail if is_as_sealed else found
        is_same = [one.strip() for one in found] == [one.strip() for one in tail]
        return found if is_same and block.digest is not None else tail

    def _place(self, line: bytes) -> bytes:
        text = line.rstrip(b"\n")
        return (self._indent + text if text else text) + self._line_end


def _code(lines: list[bytes]) -> list[bytes]:
    """Return the code of lines, without blanks around it and comments behind it."""
    return [code for line in lines if (code := line.partition(b"//")[0].strip())]


def _renamed(marker: bytes, old: str, full: str) -> bytes:
    """Return a marker with the name of its class, where it has an old one."""
    before, after = old.rpartition(".")[2], full.rpartition(".")[2]
    if before == after:
        return marker
    head, _, tail = marker.rpartition(before.encode())
    return head + after.encode() + tail
