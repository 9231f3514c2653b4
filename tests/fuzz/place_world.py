"""Files of the user's with blocks, through random edits, schema changes and runs.

The world knows a file as its author does: text, a block, text, a block, text.  From that it works
out every byte that the file should hold.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from pathlib import PurePosixPath

from hypothesis import strategies as st

from tschema.adoption.inplace import fill as inplace
from tschema.adoption.inplace.fill import BlockText
from tschema.adoption.inplace.survey import Declared, survey
from tschema.diagnostics.errors import SchemaError
from tschema.regions.blocks import scan_comments

from .text import BOM, Language, digest, generated_lines, languages, user_texts

_NAMES = ("A", "B", "C", "D")


@dataclass
class Block:
    """A block in a file."""

    name: str
    written: str
    """The name as the marker has it: with some of the namespace, perhaps."""
    marker: bytes
    """What stands before the name on the marker's line."""
    line_end: bytes
    region: bytes = b""
    is_filled: bool = False
    has_region: bool = True
    """Whether there are markers of a region before the first run."""


@dataclass
class File:
    """A file of the user's; `texts` has one entry more than `blocks`."""

    texts: list[bytes]
    blocks: list[Block]
    is_ended: bool = True
    """Whether the last line has a line end."""
    bom: bytes = b""


@dataclass
class Emitted:
    """What tschema emits for a class."""

    head: bytes
    tail: bytes
    renamed_from: str | None = None


@dataclass
class PlaceWorld:
    """A schema of one namespace, and files of the user's."""

    draw: st.DrawFn
    language: Language = field(init=False)
    classes: dict[str, Emitted] = field(default_factory=dict)
    files: dict[PurePosixPath, File] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Draw the files, with a block for each class."""
        self.language = self.draw(languages)
        self.is_literal = self.draw(st.booleans())
        names = self.draw(st.lists(st.sampled_from(_NAMES), min_size=1, max_size=3, unique=True))
        count = self.draw(st.integers(1, 2))
        homes = [names] if count == 1 else [names[:1], names[1:]]
        for index, chosen in enumerate(homes):
            path = PurePosixPath(f"f{index}{self.language.suffix}")
            texts = [self._text() for _ in range(len(chosen) + 1)]
            self.files[path] = File(texts, [self._new_block(name) for name in chosen])
            self.files[path].bom = self.draw(st.sampled_from([b"", BOM]))
            self.files[path].is_ended = self.draw(st.booleans())
        for name in names:
            self.classes[name] = self._new_class()

    def _text(self) -> bytes:
        text = self.draw(user_texts(self.language, self.is_literal))
        # An opener that is never closed would take the blocks behind it along.
        return text if self.is_literal else text.translate(None, self.language.openers)

    def _region(self) -> bytes:
        return self._text()

    def _new_block(self, name: str) -> Block:
        indent = self.draw(st.sampled_from([b"", b"  ", b"\t"]))
        spelled = self.draw(st.sampled_from([b" tschema: ", b"tschema:", b"  tschema:  "]))
        return Block(
            name,
            self.draw(st.sampled_from([name, f"ns.{name}", f"p.ns.{name}"])),
            indent + self.language.token + spelled,
            self.draw(st.sampled_from([b"\n", b"\r\n"])),
            region=self._region(),
            has_region=self.draw(st.booleans()),
        )

    def _new_class(self) -> Emitted:
        return Emitted(self.draw(generated_lines), self.draw(generated_lines))

    # -- What the files hold ----------------------------------------------------------------

    def data(self, path: PurePosixPath) -> bytes:
        """Return the bytes of a file."""
        file = self.files[path]
        pieces = [file.bom, file.texts[0]]
        is_first = not file.texts[0]
        for block, text in zip(file.blocks, file.texts[1:], strict=True):
            pieces += [self._block(block, is_first), text]
            is_first = False
        data = b"".join(pieces)
        return data if file.is_ended else data.removesuffix(b"\n").removesuffix(b"\r")

    def _block(self, block: Block, is_first: bool) -> bytes:
        end = block.line_end
        begin = block.marker + block.written.encode() + end
        if not block.is_filled:
            markers = self.language.marker
            region = b""
            if block.has_region:
                region = markers("custom-begin") + b"\n" + block.region
                region += markers("custom-end") + b"\n"
            return begin + region + markers("end") + end
        head, tail = self._generated(block)
        stated = digest(begin + head + tail)
        return begin + head + block.region + tail + self.language.marker("end ") + stated + end

    def _generated(self, block: Block) -> tuple[bytes, bytes]:
        one = self.classes[block.name]
        indent = block.marker[: len(block.marker) - len(block.marker.lstrip(b" \t"))]
        head = one.head + b"  " + self.language.marker("custom-begin") + b"\n"
        tail = b"  " + self.language.marker("custom-end") + b"\n" + one.tail

        def place(text: bytes) -> bytes:
            lines = [indent + line if line else line for line in text.split(b"\n")[:-1]]
            return b"".join(line + block.line_end for line in lines)

        return place(head), place(tail)

    def _filled(self) -> None:
        for file in self.files.values():
            for block in file.blocks:
                block.region = block.region if block.is_filled or block.has_region else b""
                block.is_filled = True

    # -- Runs -------------------------------------------------------------------------------

    def _declared(self) -> dict[str, Declared]:
        return {f"p.ns.{name}": Declared(one.renamed_from) for name, one in self.classes.items()}

    def _texts(self) -> dict[str, BlockText]:
        texts = {}
        for name, one in self.classes.items():
            marker = self.language.marker
            text = b"%s\n%s  %s\n  %s\n%s%s\n" % (
                marker(name), one.head, marker("custom-begin"), marker("custom-end"), one.tail,
                marker("end"),
            )  # fmt: skip
            pool = scan_comments(f"pool{self.language.suffix}", text)
            texts[f"p.ns.{name}"] = BlockText.of(
                pool, pool.blocks[name], is_by_hand=False, has_generated_children=False
            )
        return texts

    def disk(self) -> dict[PurePosixPath, bytes]:
        """Return the files as they stand."""
        return {path: self.data(path) for path in self.files}

    def fill(self, disk: dict[PurePosixPath, bytes]) -> inplace.Merge:
        """Fill the blocks in, without writing."""
        return inplace.fill(survey(disk, self._declared()), self._texts())

    def run(self, disk: dict[PurePosixPath, bytes] | None = None) -> None:
        """Run, where nothing stands in the way."""
        result = self.fill(disk or self.disk())
        assert not result.edits, result.edits[0].diff
        assert not result.lost
        self._filled()
        wanted = self.disk()
        assert result.files == {path: wanted[path] for path in result.files}
        assert all(path in result.files for path, file in self.files.items() if file.blocks)
        again = self.fill(wanted)
        assert again.files == result.files
        assert not again.edits

    # -- Actions of users, and changes of the schema
    # ------------------------------------------------------

    def _pick(self) -> tuple[PurePosixPath, int]:
        spots = [(path, at) for path, file in self.files.items() for at in range(len(file.blocks))]
        return self.draw(st.sampled_from(spots))

    def write_outside(self) -> None:
        """Write outside of the blocks."""
        path = self.draw(st.sampled_from(sorted(self.files)))
        file = self.files[path]
        at = self.draw(st.integers(0, len(file.texts) - 1))
        file.texts[at] = self._text()
        self.run()

    def write_region(self) -> None:
        """Write in a custom region."""
        path, at = self._pick()
        self.files[path].blocks[at].region = self._region()
        self.run()

    def change_schema(self) -> None:
        """Change what is emitted."""
        disk = self.disk()
        for one in self.classes.values():
            one.head, one.tail = self.draw(generated_lines), self.draw(generated_lines)
        self.run(disk)

    def edit_generated(self) -> None:
        """Edit generated text: the run stops, and adopts what was added."""
        path, at = self._pick()
        block = self.files[path].blocks[at]
        clean = self.disk()
        file = scan_comments(str(path), clean[path])
        spots = [
            index
            for one in [file.blocks[block.written]]
            for index in chain.from_iterable(file.generated_lines(one))
            if one.region is not None and index not in (one.begin, one.region.stop)
        ]
        index = self.draw(st.sampled_from(spots))
        lines = list(file.lines)
        is_added = self.draw(st.booleans()) or self.language.token in lines[index]
        lines[index] = b"mine\n" + lines[index] if is_added else b"?" + lines[index]
        edited = {**clean, path: b"".join(lines)}
        result = self.fill(edited)
        assert [str(edit.diagnostic.span).split(":")[0] for edit in result.edits] == [str(path)]
        assert result.files[path] == clean[path]
        found = survey(edited, self._declared())
        try:
            adopted = inplace.fill(inplace.adopt(found, self._texts(), {}), self._texts())
        except SchemaError:
            assert not is_added
            return
        assert is_added
        assert not adopted.edits
        block.region += b"mine\n"
        assert adopted.files[path] == self.data(path)

    def make_bare(self) -> None:
        """Make an `end` bare: nothing is lost, so nothing stops the run."""
        path, at = self._pick()
        disk = self.disk()
        stated = self.language.marker("end ")
        data = disk[path]
        start = 0
        for _ in range(at + 1):
            start = data.index(stated, start) + len(stated)
        disk[path] = data[: start - 1] + data[start + 8 :]
        self.run(disk)

    def remove_class(self) -> None:
        """Remove a class from the schema: its block is removed if its custom region is empty."""
        path, at = self._pick()
        if len(self.classes) < 2:
            return
        file, disk = self.files[path], self.disk()
        block = file.blocks[at]
        removed = self.classes.pop(block.name)
        result = self.fill(disk)
        if block.region:
            assert [one.code for one in result.lost] == ["TS064"]
            self.classes[block.name] = removed
            return
        assert not result.lost
        after = file.texts[at + 1]
        file.texts[at : at + 2] = [file.texts[at] + file.texts[at + 1]]
        is_cut = not file.is_ended and at == len(file.blocks) - 1 and not after
        del file.blocks[at]
        # The line end that was missing was the block's own.
        file.is_ended = file.is_ended or is_cut
        assert result.files[path] == self.data(path)

    def rename_class(self) -> None:
        """Rename a class with `renamed_from`: its block stays where it is."""
        path, at = self._pick()
        block, disk = self.files[path].blocks[at], self.disk()
        new = self.draw(st.sampled_from(["N", "M", "Longer"]))
        if new in self.classes:
            return
        self.classes[new] = self.classes.pop(block.name)
        self.classes[new].renamed_from = block.name
        block.written = block.written.removesuffix(block.name) + new
        block.name = new
        self.run(disk)
        self.classes[new].renamed_from = None

    def double_block(self) -> None:
        """Have a block twice: an error that names both places."""
        path, at = self._pick()
        block = self.files[path].blocks[at]
        disk = self.disk()
        other = PurePosixPath(f"other{self.language.suffix}")
        marker = self.language.marker
        disk[other] = marker(block.name) + b"\n" + marker("end") + b"\n"
        self._refused(disk, "TS062")

    def misspell_block(self) -> None:
        """Add a block of an undeclared class."""
        disk = self.disk()
        marker = self.language.marker
        other = PurePosixPath(f"other{self.language.suffix}")
        disk[other] = marker("Nobody") + b"\n" + marker("end") + b"\n"
        self._refused(disk, "TS060")

    def forget_block(self) -> None:
        """Declare a class that has no block."""
        self.classes["Forgotten"] = self._new_class()
        self._refused(self.disk(), "TS068")
        del self.classes["Forgotten"]

    def _refused(self, disk: dict[PurePosixPath, bytes], code: str) -> None:
        try:
            self.fill(disk)
        except SchemaError as error:
            assert [one.code for one in error.diagnostics] == [code]
        else:
            raise AssertionError(f"no {code}")

    OPERATIONS = (
        write_outside,
        write_region,
        change_schema,
        edit_generated,
        make_bare,
        remove_class,
        rename_class,
        double_block,
        misspell_block,
        forget_block,
    )

    def live(self) -> None:
        """Run for the first time, and then through some operations."""
        self.run()
        for operation in self.draw(
            st.lists(st.sampled_from(self.OPERATIONS), min_size=1, max_size=5)
        ):
            operation(self)
        self.run()
