"""Files that tschema owns, through random edits, schema changes and runs.

The world keeps the hand-written code, computes the expected contents of every file, and compares.
It is one long class, so that each thing that happens stands beside what has to come of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from pathlib import PurePosixPath

from hypothesis import strategies as st

from tschema.diagnostics.errors import SchemaError
from tschema.output.files import compare
from tschema.regions import blocks
from tschema.regions import merge as regions

from .text import BOM, Language, digest, generated_lines, languages, lines_of, user_texts

Key = tuple[PurePosixPath, str]

_NAMES = ("A", "B", "C", "D", "E", "F")


@dataclass
class Class:
    """A declared class: what tschema emits before and behind its custom region."""

    head: bytes
    tail: bytes
    region: bytes = b""
    """Hand-written code."""


@dataclass
class File:
    """A file of the schema."""

    intro: bytes
    outro: bytes
    file_region: bytes = b""
    classes: dict[str, Class] = field(default_factory=dict)


class FilesWorld:
    """A schema, and the files on disk as the last run and people left them."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.language: Language = draw(languages)
        self.is_literal = draw(st.booleans())
        self.files: dict[PurePosixPath, File] = {}
        self.disk: dict[PurePosixPath, bytes] = {}
        self.renamed: dict[str, str] = {}
        self.style: dict[PurePosixPath, tuple[bytes, bytes]] = {}
        """Byte order mark and line end of each file."""
        for stem in draw(st.sampled_from(["x", "xy", "yx"])):
            path = PurePosixPath(stem + self.language.suffix)
            self.files[path] = File(draw(generated_lines), draw(generated_lines))
            self.style[path] = b"", b"\n"
        for name in draw(st.sampled_from(["", "A", "AB", "ABC", "CAB"])):
            self._home().classes[name] = self._new_class()

    def _home(self) -> File:
        return self.files[self.draw(st.sampled_from(sorted(self.files)))]

    def _new_class(self) -> Class:
        return Class(self.draw(generated_lines), self.draw(generated_lines))

    def _text(self) -> bytes:
        return self.draw(user_texts(self.language, self.is_literal))

    # -- What the files should hold ---------------------------------------------------------

    def expected(self, path: PurePosixPath, *, is_new: bool = False) -> bytes:
        """Return what a file should hold; as emitted, if it is new."""
        file = self.files[path]
        bom, end = (b"", b"\n") if is_new else self.style[path]
        pieces: list[tuple[bytes, bool]] = [(file.intro, True)]
        whole = file.intro + self._head("file")
        custom = b"" if is_new else file.file_region
        pieces += [(self._head("file"), True), (custom, False)]
        tail = self._custom_end()
        after = file.outro
        stated = digest(whole + tail + after)
        pieces += [(tail + self._end(stated), True)]
        for name, one in file.classes.items():
            head, tail = self._head(name, one.head), self._custom_end() + one.tail
            custom = b"" if is_new else one.region
            pieces += [(head, True), (custom, False), (tail + self._end(digest(head + tail)), True)]
        pieces += [(after, True)]
        return bom + b"".join(
            text.replace(b"\n", end) if is_ours else text for text, is_ours in pieces
        )

    def _head(self, name: str, body: bytes = b"") -> bytes:
        marker = self.language.marker
        return marker(name) + b"\n" + body + b"  " + marker("custom-begin") + b"\n"

    def _custom_end(self) -> bytes:
        return b"  " + self.language.marker("custom-end") + b"\n"

    def _end(self, stated: bytes) -> bytes:
        return self.language.marker("end") + b" " + stated + b"\n"

    def regions(self) -> dict[Key, bytes]:
        """Return the hand-written code, by file and block."""
        found = {(path, "file"): file.file_region for path, file in self.files.items()}
        for path, file in self.files.items():
            found |= {(path, name): one.region for name, one in file.classes.items()}
        return found

    # -- Runs -------------------------------------------------------------------------------

    def emitted(self) -> dict[PurePosixPath, bytes]:
        """Return the files as a backend emits them, sealed by tschema."""
        new = {path: self.expected(path, is_new=True) for path in self.files}
        sealed = {}
        for path, data in new.items():
            bare = data.split(b"\n")
            end = self.language.marker("end")
            bare = [end if line.startswith(end) else line for line in bare]
            sealed[path] = blocks.seal(str(path), b"\n".join(bare))
        assert sealed == new, "the digests are wrong"
        return sealed

    def merge(self) -> regions.Merge:
        """Merge without writing."""
        return regions.merge(self.emitted(), self.disk, self.renamed)

    def run(self) -> None:
        """Run, where nothing stands in the way: all files become what they should hold."""
        before = dict(self.disk)
        result = self.merge()
        assert not result.edits, result.edits[0].diff
        assert not result.lost
        wanted = {path: self.expected(path) for path in self.files}
        assert result.files == wanted
        changes = compare(result.files, before, result.interim)
        assert set(changes.written) == {
            path for path, data in wanted.items() if before.get(path) != data
        }
        assert set(changes.removed) == set(before) - set(wanted)
        self._check_every_moment(before, result)
        self.disk = wanted
        self._check_again()

    def _check_again(self) -> None:
        """The second run changes nothing, and no block is called edited."""
        again = self.merge()
        assert again.files == self.disk
        assert not again.edits
        assert not again.lost
        for path, data in self.disk.items():
            file = blocks.scan(str(path), data)
            assert not any(file.is_edited(block) for block in file.blocks.values())

    def _check_every_moment(
        self, before: dict[PurePosixPath, bytes], result: regions.Merge
    ) -> None:
        """A kill between two writes loses no region, and the next run heals."""
        state = dict(before)
        changes = compare(result.files, before, result.interim)
        steps = [*result.interim.items()]
        steps += [(path, result.files[path]) for path in changes.written]
        texts = {text for text in self.regions().values() if text.strip()}
        for path, data in steps:
            state[path] = data
            missing = [text for text in texts if not any(text in found for found in state.values())]
            assert not missing, f"lost on the way: {missing}"
            healed = regions.merge(self.emitted(), state, self.renamed)
            assert healed.files == result.files
            assert not healed.lost
            assert not healed.edits

    def run_refused(self, expected_lost: set[Key], expected_edits: set[Key]) -> None:
        """Run where something stands in the way: all of it is reported."""
        result = self.merge()
        lost = {(_path(one.span), _block(one.message)) for one in result.lost}
        assert lost == expected_lost
        edits = {
            (_path(one.diagnostic.span), _block(one.diagnostic.message)) for one in result.edits
        }
        assert edits == expected_edits
        assert all(one.diff for one in result.edits)

    # -- Actions of users ---------------------------------------------------------------------

    def write_region(self) -> None:
        """Write in a custom region, with an editor that keeps all else."""
        path = self.draw(st.sampled_from(sorted(self.files)))
        file = self.files[path]
        name = self.draw(st.sampled_from(["file", *file.classes]))
        if name == "file":
            file.file_region = self._text()
        else:
            file.classes[name].region = self._text()
        self.disk[path] = self.expected(path)

    def restyle(self) -> None:
        """Save a file with other line ends, or with a byte order mark."""
        path = self.draw(st.sampled_from(sorted(self.files)))
        self.style[path] = (
            self.draw(st.sampled_from([b"", BOM])),
            self.draw(st.sampled_from([b"\n", b"\r\n"])),
        )
        self.disk[path] = self.expected(path)

    def strip_digests(self) -> None:
        """Make the `end` markers of a file bare, as the RFC writes them."""
        path = self.draw(st.sampled_from(sorted(self.disk)))
        end = self.language.marker("end ")
        self.disk[path] = b"".join(
            line.replace(line.rstrip(b"\r\n"), end.rstrip()) if line.startswith(end) else line
            for line in lines_of(self.disk[path])
        )
        self.run()

    def edit_bare(self) -> None:
        """Write before a bare `end`: the origin of the text is unknown, so the run stops."""
        path = self.draw(st.sampled_from(sorted(self.disk)))
        clean = self.disk[path]
        file = blocks.scan(str(path), clean)
        names = [name for name in file.blocks if name != "file"]
        if not names:
            return
        block = file.blocks[self.draw(st.sampled_from(names))]
        lines = list(file.lines)
        lines[block.end] = b"mine\n" + self.language.marker("end") + b"\n"
        self.disk[path] = b"".join(lines)
        self.run_refused(set(), {(path, block.name)})
        self.disk[path] = clean

    def edit_generated(self) -> None:
        """Edit generated text; the run stops, and goes on in one of the ways."""
        spots = self._generated_lines()
        if not spots:
            return
        path, index, name = self.draw(st.sampled_from(spots))
        lines = lines_of(self.disk[path])
        kind = self.draw(st.sampled_from(["insert", "change", "remove", "blank"]))
        added = self.draw(st.sampled_from([b"mine\n", b"\n", b"body\n", b"x\r\n", b"\xff\n"]))
        line = lines[index]
        if kind == "insert":
            lines[index:index] = [added]
        elif kind == "remove":
            del lines[index]
        else:
            lines[index] = b"?" + line if kind == "change" else b" " + line
        edited = b"".join(lines)
        clean = self.disk[path]
        if _same_text(edited, clean):
            return
        self.disk[path] = edited
        self.run_refused(set(), {(path, name)})
        if self.draw(st.booleans()):
            self._adopt(path, name, kind, added)
        self._discard(path, clean)

    def _generated_lines(self) -> list[tuple[PurePosixPath, int, str]]:
        """Return the lines that tschema has emitted, but for markers and what a mark precedes."""
        return [
            (path, index, block.name)
            for path, data in sorted(self.disk.items())
            for file in [blocks.scan(str(path), data)]
            for block in file.blocks.values()
            for index in chain.from_iterable(file.generated_lines(block))
            if index not in (0, block.begin, *_markers(block))
        ]

    def _adopt(self, path: PurePosixPath, name: str, kind: str, added: bytes) -> None:
        """Adopting takes added lines over, and refuses everything else."""
        if kind != "insert":
            try:
                regions.adopt(self.emitted(), self.disk, self.renamed)
            except SchemaError:
                return
            raise AssertionError("a change was adopted")
        adopted = regions.adopt(self.emitted(), self.disk, self.renamed)
        result = regions.merge(self.emitted(), adopted, self.renamed)
        assert not result.edits
        assert not result.lost
        for other, data in result.files.items():
            if other != path:
                assert data == self.disk[other]
        region = self.regions()[path, name]
        file = blocks.scan(str(path), result.files[path])
        assert file.custom(file.blocks[name]).startswith(region)
        assert file.custom(file.blocks[name])[len(region) :].strip() == added.strip()

    def _discard(self, path: PurePosixPath, clean: bytes) -> None:
        result = self.merge()
        assert result.files[path] == self.expected(path)
        self.disk[path] = clean
        self.run()

    def damage_marker(self) -> None:
        """Damage a marker; the run stops at the file, or calls it an edit, and loses nothing."""
        path = self.draw(st.sampled_from(sorted(self.disk)))
        clean = self.disk[path]
        lines = lines_of(clean)
        file = blocks.scan(str(path), clean)
        block = self.draw(st.sampled_from(list(file.blocks.values())))
        index = self.draw(st.sampled_from([block.begin, block.end, *_markers(block)]))
        kind = self.draw(st.sampled_from(["remove", "double", "nest", "misspell"]))
        if kind == "remove":
            lines[index] = b""
        elif kind == "double":
            lines[index] *= 2
        elif kind == "nest":
            lines[index] += self.language.marker("Nested") + b"\n"
        else:
            lines[index] = self.language.marker("no such marker") + b"\n"
        self.disk[path] = b"".join(lines)
        self._check_damage(path)
        self.disk[path] = clean

    def _check_damage(self, path: PurePosixPath) -> None:
        try:
            result = self.merge()
        except SchemaError as error:
            assert all(one.span and one.span.file.path == str(path) for one in error.diagnostics)
            assert all(one.code in _MARKER_CODES for one in error.diagnostics)
            return
        # A line in a string may stand for the marker that is gone; then the block was edited.
        assert not self.is_literal or result.edits, "wrong markers are accepted"
        # Where a string or comment is never closed, what follows may be part of it.
        texts = [text for text in self.regions().values() if text.strip()]
        kept = b"".join(result.files.values())
        assert result.edits or result.lost or all(text in kept for text in texts)

    # -- What the schema does ---------------------------------------------------------------

    def change_schema(self) -> None:
        """Change what is emitted for classes."""
        for file in self.files.values():
            file.intro = self.draw(generated_lines)
            for one in file.classes.values():
                one.head, one.tail = self.draw(generated_lines), self.draw(generated_lines)
        self.run()

    def add_class(self) -> None:
        """Declare one more class."""
        free = sorted(set(_NAMES) - self._taken())
        if free:
            name = self.draw(st.sampled_from(free))
            self.renamed.pop(name, None)
            self._home().classes[name] = self._new_class()
            self.run()

    def _taken(self) -> set[str]:
        names = {name for file in self.files.values() for name in file.classes}
        return names | set(self.renamed.values())

    def _pick(self) -> tuple[PurePosixPath, str] | None:
        keys = sorted((path, name) for path, file in self.files.items() for name in file.classes)
        return self.draw(st.sampled_from(keys)) if keys else None

    def remove_class(self) -> None:
        """Remove a class; hand-written code in it stops the run."""
        key = self._pick()
        if key is None:
            return
        path, name = key
        removed = self.files[path].classes.pop(name)
        self.renamed = {new: old for new, old in self.renamed.items() if old != name}
        if not removed.region:
            self.run()
            return
        self.run_refused({key}, set())
        if self.draw(st.booleans()):
            self.files[path].classes[name] = removed
            self.run()
        else:
            self.files[path].classes[name] = removed
            removed.region = b""
            self.disk[path] = self.expected(path)
            del self.files[path].classes[name]
            self.run()

    def rename_class(self) -> None:
        """Rename a class, with `renamed_from`: its region goes along."""
        key = self._pick()
        free = sorted(set(_NAMES) - self._taken())
        if key is None or not free:
            return
        path, name = key
        new = self.draw(st.sampled_from(free))
        classes = self.files[path].classes
        self.files[path].classes = {
            new if one == name else one: value for one, value in classes.items()
        }
        self.renamed = {one: old for one, old in self.renamed.items() if one not in (new, name)}
        self.renamed[new] = name
        self.run()

    def rename_in_chain(self) -> None:
        """Rename a class, and give its old name to another one of the file."""
        key = self._pick()
        free = sorted(set(_NAMES) - self._taken())
        if key is None or not free or len(self.files[key[0]].classes) < 2:
            return
        path, first = key
        second = next(name for name in self.files[path].classes if name != first)
        names = {first: second, second: free[0]}
        self.files[path].classes = {
            names.get(name, name): value for name, value in self.files[path].classes.items()
        }
        self.renamed = {second: first, free[0]: second}
        self.run()
        self.renamed = {}

    def move_classes(self) -> None:
        """Move classes to other files, two ways at once: their regions go along."""
        if len(self.files) < 2:
            return
        moved: set[str] = set()
        for path, file in list(self.files.items()):
            for name in [name for name in file.classes if name not in moved]:
                if self.draw(st.booleans()):
                    other = next(one for one in self.files if one != path)
                    self.files[other].classes[name] = file.classes.pop(name)
                    moved.add(name)
        self.run()

    OPERATIONS = (
        write_region,
        restyle,
        strip_digests,
        edit_bare,
        edit_generated,
        damage_marker,
        change_schema,
        add_class,
        remove_class,
        rename_class,
        rename_in_chain,
        move_classes,
    )

    def live(self) -> None:
        """Run for the first time, and then through some operations."""
        self.run()
        for path, file in self.files.items():
            for one in file.classes.values():
                one.region = self._text()
            self.disk[path] = self.expected(path)
        for operation in self.draw(
            st.lists(st.sampled_from(self.OPERATIONS), min_size=1, max_size=5)
        ):
            operation(self)
        self.run()


_MARKER_CODES = ("TS060", "TS061", "TS062", "TS063")


def _markers(block: blocks.Block) -> tuple[int, ...]:
    return () if block.region is None else (block.region.start - 1, block.region.stop)


def _same_text(one: bytes, other: bytes) -> bool:
    """Return whether two files differ in line ends alone."""
    return one.replace(b"\r\n", b"\n") == other.replace(b"\r\n", b"\n")


def _path(span: object) -> PurePosixPath:
    return PurePosixPath(str(span).split(":")[0])


def _block(message: str) -> str:
    return message.split("`")[1] if "block `" in message else "file"
