"""Three-way merging of files with blocks, block by block.

In: three versions of a file.  Out: one, whose generated text is consistent with its digests and
whose custom regions are merged as text.  The next `tschema gen` replaces the generated text, so a
conflict is marked only in text that people wrote.

The text around the blocks is merged with each block as one line: a block that changed on both sides
does not conflict there, and one that was added, moved or removed is such a line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from tschema.conflicts.text_merge import merge_texts
from tschema.diagnostics.conflict_markers import Hunk, Piece, Side, Style, find_hunks
from tschema.regions.blocks import FILE_BLOCK, Block, MarkedFile, digest, end_marker, scan
from tschema.regions.marked_file import BOM

__all__ = ["MergedFile", "Removed", "Rules", "Versions", "merge_files"]

_SIDES: tuple[Side, ...] = ("base", "ours", "theirs")


class Versions(Struct, frozen=True):
    """Three versions of a file; the base has no blocks where it is not known."""

    base: MarkedFile
    ours: MarkedFile
    theirs: MarkedFile

    def of(self, side: Side) -> MarkedFile:
        """Return a version."""
        version: MarkedFile = getattr(self, side)
        return version


class Rules(Struct, frozen=True):
    """How files are merged."""

    style: Style
    is_owned: bool
    """Whether the text around the blocks is generated too."""
    renamed: Mapping[str, str] = {}
    """New name of a block to its old one."""
    removed: Literal["mark", "keep"] = "keep"
    """What becomes of a block with hand-written text that one side removed, and the other changed:
    it is marked as a conflict, or stays."""
    trusts_digests: bool = True
    """Whether generated text that differs from its digest was edited by hand; in a file with
    conflict markers, git made such text from two versions."""
    marked: Callable[[str], bytes | None] = lambda _name: None
    """Returns how the conflict in the custom region of a block is marked already."""


class Removed(Struct, frozen=True):
    """A block with hand-written text that one side removed, while the other changed the block."""

    name: str
    base: bytes
    """The earlier text of the region."""
    changed: bytes


class MergedFile(Struct):
    """What merging has come to."""

    data: bytes = b""
    conflicts: list[str] = field(default_factory=list)
    """Names of the blocks with a conflict in their custom regions; `file` also means the text
    outside of blocks."""
    removed: list[Removed] = field(default_factory=list)
    unmerged: list[str] = field(default_factory=list)
    """Names of the blocks whose custom regions have one side alone, as git left it."""
    generated: frozenset[bytes] = frozenset()
    """Where conflict markers were read, the lines of generated text that either side has."""


def merge_files(versions: Versions, rules: Rules) -> MergedFile:
    """
    Merge two versions of a file.

    Parameters
    ----------
    rules
        How they are merged.

    Returns
    -------
    merged
        The file; its conflicts, if it has some, are marked.
    """
    merger = _Merger(versions, rules)
    lines = list(merger.lines())
    merger.result.data = _seal_file(versions, b"".join(lines), rules)
    return merger.result


class _Part(Struct, frozen=True):
    """A block of one version."""

    file: MarkedFile
    block: Block

    @property
    def region(self) -> bytes:
        """The text of its custom region."""
        return self.file.custom(self.block)

    @property
    def is_edited(self) -> bool:
        return self.file.is_edited(self.block)

    @property
    def end(self) -> bytes:
        """The line of its `end` marker."""
        return self.file.lines[self.block.end]

    def generated(self, region: bytes) -> bytes:
        """Return the generated text, with a line instead of the custom region."""
        inside = self.block.region
        if inside is None:
            return b"".join(self.file.lines[self.block.begin : self.block.end])
        head = self.file.lines[self.block.begin : inside.start]
        tail = self.file.lines[inside.stop : self.block.end]
        return b"".join([*head, region, *tail])


class _Merger:
    """Merges the versions of one file."""

    def __init__(self, versions: Versions, rules: Rules) -> None:
        self.result = MergedFile()
        self._rules = rules
        self._versions = versions
        self._token = _unused_token(versions)
        news = set(versions.ours.blocks) | set(versions.theirs.blocks)
        olds = {old: new for new, old in rules.renamed.items() if new in news}
        self._parts: dict[Side, dict[str, _Part]] = {
            side: {
                _current_name(name, versions.of(side), olds): _Part(versions.of(side), block)
                for name, block in versions.of(side).blocks.items()
            }
            for side in _SIDES
        }
        self._names = {
            (side, part.block.begin): name
            for side, parts in self._parts.items()
            for name, part in parts.items()
        }
        self._done: set[str] = set()

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of the merged file."""
        for piece in self._skeleton():
            if not isinstance(piece, Hunk):
                yield from self._kept(piece)
            elif self._rules.is_owned or _has_blank_lines_alone(piece, self._token):
                yield from self._joined(piece)
            else:
                self.result.conflicts.append(FILE_BLOCK)
                yield from self._marked(piece)

    def _skeleton(self) -> list[Piece]:
        """Return the merged file with a line for each block."""
        texts = {side: b"".join(self._outline(side)) for side in _SIDES}
        base, ours, theirs = texts["base"], texts["ours"], texts["theirs"]
        pieces: list[Piece] = []
        for style in (self._rules.style, replace(self._rules.style, has_base=False)):
            merged = merge_texts(base, ours, theirs, style)
            pieces = find_hunks(merged.text) if merged.n_conflicts else _plain_lines(merged.text)
            if not any(self._token in line for hunk in pieces if isinstance(hunk, Hunk)
                       for line in hunk.raw):  # fmt: skip
                break  # Without the base, git separates the common text of the sides.
        return pieces

    def _outline(self, side: Side) -> Iterator[bytes]:
        file = self._versions.of(side)
        done = 0
        for block in file.blocks.values():
            yield from file.lines[done : block.begin]
            yield self._line_of(self._names[side, block.begin], side)
            done = block.end + 1
        yield from file.lines[done:]

    def _line_of(self, name: str, side: Side) -> bytes:
        """Return the line that represents a block: another one where removing would lose text."""
        other = self._parts["theirs" if side == "ours" else "ours"]
        is_changed = side != "base" and name not in other and self._has_changed(side, name)
        return self._token + (b" changed " if is_changed else b" ") + name.encode() + b"\n"

    def _has_changed(self, side: Side, name: str) -> bool:
        """Return whether a side changed a class that has hand-written code: it may have to stay."""
        base, parts = self._parts["base"], self._parts[side]
        stem = name.removesuffix("Node")
        kept = [one for one in (stem, f"{stem}Node") if one in base and one in parts]
        return (
            name in base
            and any(parts[one].region for one in kept)
            and any(
                base[one].generated(base[one].region) != parts[one].generated(parts[one].region)
                for one in kept
            )
        )

    def _name_in(self, line: bytes) -> str | None:
        if not line.startswith(self._token):
            return None
        return line[len(self._token) :].split()[-1].decode()

    def _expanded(self, line: bytes) -> Iterator[bytes]:
        """Yield a line, or the block that it represents."""
        name = self._name_in(line)
        if name is None:
            yield line
        elif name not in self._done and not self._is_removed(name, line):
            self._done.add(name)
            yield from self._block(name)

    def _joined(self, hunk: Hunk) -> Iterator[bytes]:
        """Yield the text around blocks on our side, and the blocks of both sides."""
        last = b"\n"
        for line in hunk.ours:
            for last in self._kept(line):
                yield last
        for line in hunk.theirs:
            name = self._name_in(line)
            if name is not None and name not in self._done:
                if last.strip():
                    yield b"\n"
                yield from self._kept(line)
                last = line

    def _kept(self, line: bytes) -> Iterator[bytes]:
        """Yield a line, or its block, which is marked where one side removed it."""
        name = self._name_in(line) or ""
        if not line.startswith(self._token + b" changed "):
            yield from self._expanded(line)
            return
        side: Side = "ours" if name in self._parts["ours"] else "theirs"
        base = self._parts["base"][name].region
        self.result.removed.append(Removed(name, base, self._parts[side][name].region))
        if self._rules.removed == "keep":
            yield from self._expanded(line)
            return
        self.result.conflicts.append(name)
        text = b"".join(self._expanded(line))
        ours, theirs = (text, b"") if side == "ours" else (b"", text)
        yield from _marked_lines(ours, theirs, self._rules.style)

    def _is_removed(self, name: str, line: bytes) -> bool:
        """Return whether one side removed a block that the other left alone, or moved."""
        is_old = name in self._parts["base"] and not line.startswith(self._token + b" changed ")
        return is_old and not (name in self._parts["ours"] and name in self._parts["theirs"])

    def _marked(self, hunk: Hunk) -> Iterator[bytes]:
        """Yield a conflict outside of blocks, with the blocks in it."""
        middle = len(hunk.raw) - 2 - len(hunk.theirs)
        for index, line in enumerate(hunk.raw):
            is_base = hunk.base is not None and len(hunk.ours) + 1 < index < middle
            if not (is_base and self._name_in(line)):
                yield from self._expanded(line)

    # -- One block ------------------------------------------------------------------------------

    def _block(self, name: str) -> Iterator[bytes]:
        """Yield the lines of a block."""
        base, ours, theirs = (self._parts[side].get(name) for side in _SIDES)
        if ours is None or theirs is None:
            one = ours or theirs
            assert one is not None
            yield from self._one_sided(one)
            return
        region = self._region(name, base, ours, theirs)
        generated, end = self._generated(base, ours, theirs)
        head, token, tail = generated.partition(self._token + b"\n")
        yield from (head, region if token else b"", tail, end)

    def _one_sided(self, part: _Part) -> Iterator[bytes]:
        lines = part.file.lines[part.block.begin : part.block.end]
        is_mixed = part.is_edited and not self._rules.trusts_digests
        end = self._sealed(part, part.generated(b"")) if is_mixed else part.end
        yield from (*lines, end)

    def _region(self, name: str, base: _Part | None, ours: _Part, theirs: _Part) -> bytes:
        if ours.block.region is None or theirs.block.region is None:
            return ours.region or theirs.region
        was = base.region if base is not None else None
        merged = merge_texts(was, ours.region, theirs.region, self._rules.style)
        if not merged.n_conflicts:
            return merged.text
        self.result.conflicts.append(name)
        return self._rules.marked(name) or merged.text

    def _generated(self, base: _Part | None, ours: _Part, theirs: _Part) -> tuple[bytes, bytes]:
        """Return the generated text, with a line for the region, and the `end` marker."""
        line = self._token + b"\n"
        chosen = theirs if ours.block.region is None and theirs.block.region is not None else ours
        texts = [part.generated(line) if part else None for part in (base, ours, theirs)]
        if self._rules.trusts_digests and (ours.is_edited or theirs.is_edited):
            # An edit by hand is for `tschema gen` to tell.
            chosen = ours if ours.is_edited else theirs
            return chosen.generated(line), chosen.end
        merged = merge_texts(texts[0], texts[1] or b"", texts[2] or b"", self._rules.style)
        is_clean = not merged.n_conflicts and merged.text.count(line) == 1
        text = merged.text if is_clean else chosen.generated(line)
        for part in (ours, theirs):
            if text == part.generated(line) and not part.is_edited:
                return text, part.end
        return text, self._sealed(chosen, text.replace(line, b""))

    def _sealed(self, part: _Part, generated: bytes) -> bytes:
        """Return the `end` marker with the digest of a generated text."""
        if part.block.digest is None or part.block.name == FILE_BLOCK:
            return part.end
        text = generated.removeprefix(BOM).replace(b"\r\n", b"\n")
        return end_marker(part.end, digest(text))


def _current_name(name: str, file: MarkedFile, olds: Mapping[str, str]) -> str:
    """Return the new name of a block, unless the file has a block of that name as well."""
    new = olds.get(name, name)
    return name if new in file.blocks else new


def _unused_token(versions: Versions) -> bytes:
    """Return a token that no line of a file holds."""
    token = b"\x01tschema-block"
    while any(token in versions.of(side).joined() for side in _SIDES):
        token += b"-"
    return token


def _plain_lines(text: bytes) -> list[Piece]:
    return [line for line in re.split(rb"(?<=\n)", text) if line]


def _has_blank_lines_alone(hunk: Hunk, token: bytes) -> bool:
    """Return whether a conflict is about the places of blocks alone."""
    lines = (*hunk.ours, *hunk.theirs)
    has_block = any(line.startswith(token) for line in lines)
    return has_block and not any(line.strip() and not line.startswith(token) for line in lines)


def _marked_lines(ours: bytes, theirs: bytes, style: Style) -> Iterator[bytes]:
    yield b"<" * style.size + b" " + style.ours + b"\n"
    yield ours
    yield b"=" * style.size + b"\n"
    yield theirs
    yield b">" * style.size + b" " + style.theirs + b"\n"


def _seal_file(versions: Versions, data: bytes, rules: Rules) -> bytes:
    """Put the digest of the text around the blocks on the `end` marker of the block `file`."""
    ours = versions.ours.blocks.get(FILE_BLOCK)
    if ours is None or ours.digest is None or versions.ours.path.endswith(".json"):
        return data
    if rules.trusts_digests and any(
        FILE_BLOCK in versions.of(side).edited for side in ("ours", "theirs")
    ):
        return data
    file = scan(versions.ours.path, data)
    block = file.blocks.get(FILE_BLOCK)
    if block is None:
        return data
    lines = list(file.lines)
    lines[block.end] = end_marker(lines[block.end], digest(file.generated(block)))
    return b"".join(lines)
