"""Random pairs of branches of a project, merged by git, and what has to come of them.

Each class has a number, in its docs, by which it is known under any name and in any file. Each line
of a custom region is unique, so that a lost one is noticed, and so that merging lines has one right
result. That result is worked out here a second time, from the regions alone.
"""

from __future__ import annotations

import contextlib
import copy
import io
import random
import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tschema.cli.main import main

CONFIG = """\
package = "toy"
schema = ["schema"]
"""
LANGUAGES = {
    "python": '[python]\ndir = "generated/python"\n',
    "rust": '[rust]\ndir = "generated/rust"\n',
    "cpp": '[cpp]\ninclude = "generated/cpp/include"\nsource = "generated/cpp/src"\n',
}
HEAD = '"""Nodes."""\n\nfrom tschema import Object, declare, ty\n'
TYPES = ("int64_t", "String", "double", "bool")
_MARKER = re.compile(rb"[ ]*(?://|#) tschema: ([\w.-]+)(?: [0-9a-f]{8})?\n")
_CLASS = re.compile(r"class (\w+)Node\(Object\):\n    \"\"\"\n    Thing number (\d+)")
_ENDINGS = (b"\n", b"\n", b"\n", b"\n", b" \r\n", b" \xff\xfe\n", b" =======\n")
_CHANGES = (
    *("field", "field", "field", "drop", "retype", "rename_field", "docs", "docs"),
    *("class", "class", "file", "rename", "rename", "delete", "move"),
)


@dataclass
class Class:
    """A declared class; its number and those of its fields never change."""

    number: int
    name: str
    fields: dict[int, tuple[str, str]]
    """Name and type of each field."""
    revision: int = 0
    """Which docs it has."""
    before: str = ""
    """The name in the base, where it has another one."""


@dataclass
class Model:
    """The declarations of a branch."""

    files: dict[str, list[Class]] = field(default_factory=dict)

    def classes(self) -> dict[int, Class]:
        """Return the classes by number."""
        return {one.number: one for classes in self.files.values() for one in classes}

    def home(self, number: int) -> str:
        """Return the file of a class."""
        return next(
            stem
            for stem, classes in self.files.items()
            if any(one.number == number for one in classes)
        )

    def write(self, folder: Path) -> None:
        """Write the schema files, and remove the others."""
        folder.mkdir(exist_ok=True)
        for path in folder.glob("*.py"):
            path.unlink()
        for stem, classes in self.files.items():
            if classes:
                (folder / f"{stem}.py").write_text(HEAD + "".join(map(declaration, classes)))


def declaration(one: Class) -> str:
    """Return the text that declares a class."""
    docs = "".join(
        f"    {name}\n        Field number {number}.\n" for number, (name, _) in one.fields.items()
    )
    fields = "".join(f"    {name}: ty.{type_}\n" for name, type_ in one.fields.values())
    before = f'    renamed_from = "{one.before}Node"\n' if one.before else ""
    return (
        f'\n\n@declare\nclass {one.name}Node(Object):\n    """\n'
        f"    Thing number {one.number}, edition {one.revision}.\n\n"
        f"    Attributes\n    ----------\n{docs}"
        f'    """\n\n    type_key = "toy.{one.name}"\n{before}\n{fields}'
    )


def merge_models(base: Model, ours: Model, theirs: Model, *, keeps_removed: bool) -> Model:
    """Return what a person makes of two versions of the declarations that git cannot merge."""
    olds, mine, yours = base.classes(), ours.classes(), theirs.classes()
    merged = Model()
    for number in dict.fromkeys([*mine, *yours]):
        old, one, other = olds.get(number), mine.get(number), yours.get(number)
        if old and not (one and other) and (not keeps_removed or (one or other) == old):
            continue
        home = ours.home(number) if one else theirs.home(number)
        if old and one and other and home == base.home(number):
            home = theirs.home(number)
        chosen = one or other
        assert chosen is not None
        made = _merged_class(old, one, other) if one and other else copy.deepcopy(chosen)
        merged.files.setdefault(home, []).append(made)
    return merged


def _merged_class(old: Class | None, one: Class, other: Class) -> Class:
    def pick(was: object, mine: object, yours: object) -> object:
        return yours if mine == was else mine

    if old is None:
        return copy.deepcopy(one)
    name = str(pick(old.name, one.name, other.name))
    made = Class(one.number, name, {}, max(one.revision, other.revision))
    made.before = old.name if name != old.name else ""
    for number in dict.fromkeys([*one.fields, *other.fields]):
        was, mine, yours = (side.fields.get(number) for side in (old, one, other))
        if was and not (mine and yours):
            continue
        chosen = pick(was, mine, yours) if mine and yours else (mine or yours)
        made.fields[number] = chosen  # type: ignore[assignment]
    return made


# -- Custom regions -----------------------------------------------------------------------------


def regions_of(data: bytes) -> dict[str, bytes]:
    """Return the custom regions of a generated file, by block; found without tschema."""
    found: dict[str, bytes] = {}
    name, inside, lines = "", False, list[bytes]()
    for line in data.splitlines(keepends=True) if b"\r" not in data else _lines(data):
        match = _MARKER.fullmatch(line)
        word = match[1].decode() if match else ""
        if word == "custom-begin":
            inside, lines = True, []
        elif word == "custom-end":
            inside, found[name] = False, b"".join(lines)
        elif inside:
            lines.append(line)
        elif match and word != "end":
            name = word
    return found


def _lines(data: bytes) -> list[bytes]:
    return [line + b"\n" for line in data.split(b"\n")[:-1]]


def with_regions(data: bytes, regions: Mapping[str, bytes]) -> bytes:
    """Return a generated file with other custom regions."""
    name, inside, lines = "", False, list[bytes]()
    for line in _lines(data):
        match = _MARKER.fullmatch(line)
        word = match[1].decode() if match else ""
        inside = inside and word != "custom-end"
        if not inside:
            lines.append(line)
        if word == "custom-begin":
            inside = True
            lines.append(regions[name])
        elif match and not word.startswith("custom") and word != "end" and not inside:
            name = word
    return b"".join(lines)


@dataclass(frozen=True)
class Snapshot:
    """The hand-written code of a branch."""

    regions: dict[tuple[str, str], bytes]
    """By the file's suffix, or the path of a file's own block; and what the block stands for."""

    def lines(self) -> set[bytes]:
        """Return every line."""
        return {line for text in self.regions.values() for line in _lines(text)}


def snapshot(root: Path) -> Snapshot:
    """Return the custom regions of a project, with the numbers of their classes."""
    numbers = {
        match[1]: match[2]
        for path in (root / "schema").glob("*.py")
        for match in _CLASS.finditer(path.read_text())
    }
    found: dict[tuple[str, str], bytes] = {}
    places = ("generated/**/*.*", "cpp/*.h", "rust/*.rs", "*/side/**/*.*")
    for path in sorted(path for place in places for path in root.glob(place)):
        shown = path.relative_to(root).as_posix()
        for name, text in regions_of(path.read_bytes()).items():
            number = numbers.get(name.removesuffix("Node"))
            kind = "Node" if name.endswith("Node") else ""
            key = (path.suffix, f"{number}{kind}") if number else (shown, name)
            found[key] = text
    return Snapshot(found)


def merge_lines(base: bytes, ours: bytes, theirs: bytes, folder: Path) -> bytes | None:
    """Return two versions of a text merged by git, or None where they are in conflict."""
    names = ("ours", "base", "theirs")
    for name, text in zip(names, (ours, base, theirs), strict=True):
        (folder / name).write_bytes(text)
    done = subprocess.run(["git", "merge-file", "-p", *names], cwd=folder, capture_output=True)
    return done.stdout if done.returncode == 0 else None


# -- One pair of branches -----------------------------------------------------------------------


class Branches:
    """Two branches of a project."""

    def __init__(self, root: Path, seed: int, *, has_driver: bool) -> None:
        self.random = random.Random(seed)
        self.root = root / "project"
        self.scratch = root
        self.has_driver = has_driver
        self.counter = 0
        self.config = self.choose_config()

    def choose_config(self) -> str:
        """Return a configuration, which has one language or several."""
        chosen = self.random.sample(sorted(LANGUAGES), self.random.choice((1, 1, 2, 3)))
        return "\n".join([CONFIG, *(LANGUAGES[language] for language in chosen)])

    def git(self, *arguments: str) -> int:
        """Run git, and return its status."""
        who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.com", "-c", "gc.auto=0")
        command = ["git", *who, *arguments]
        return subprocess.run(command, cwd=self.root, capture_output=True).returncode

    def done(self, *arguments: str) -> None:
        """Run git, which must succeed."""
        assert self.git(*arguments) == 0, arguments

    def run(self, *arguments: str) -> tuple[int, str]:
        """Run the command; return its status and what it says."""
        config = str(self.root / "tschema.toml")
        said = io.StringIO()
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
            status = main([*arguments, "--config", config])
        return status, said.getvalue()

    def number(self) -> int:
        """Return a number that was not used before."""
        self.counter += 1
        return self.counter

    def new_class(self) -> Class:
        """Return a class with a few fields."""
        number = self.number()
        made = Class(number, f"Thing{number}", {})
        for _ in range(self.random.randint(1, 3)):
            self.add_field(made)
        return made

    def add_field(self, one: Class) -> None:
        """Add a field at a random place."""
        number = self.number()
        fields = list(one.fields.items())
        place = self.random.randint(0, len(fields))
        fields.insert(place, (number, (f"f{number}", self.random.choice(TYPES))))
        one.fields = dict(fields)

    # -- What people do -------------------------------------------------------------------------

    def begin(self) -> Model:
        """Make the project, and commit it."""
        self.root.mkdir(parents=True)
        self.done("init", "--initial-branch=base")
        style = self.random.choice(("merge", "diff3", "zdiff3"))
        self.done("config", "merge.conflictStyle", style)
        (self.root / "tschema.toml").write_text(self.config)
        (self.root / ".gitignore").write_text(".tschema_cache/\n")
        size = self.random.choice((5, 7, 7, 12))
        (self.root / ".gitattributes").write_text(f"* conflict-marker-size={size}\n")
        model = Model({"shape": [], "place": []})
        for stem in ("shape", "shape", "shape", "place", "place"):
            model.files[stem].append(self.new_class())
        model.write(self.root / "schema")
        self.prepare(model)
        assert self.run("gen")[0] == 0
        if self.has_driver:
            assert self.run("merge-driver", "--install")[0] == 0
        self.write_regions(12, "base")
        self.commit("base")
        return model

    def prepare(self, _model: Model) -> None:
        """Write what people write besides the declarations: nothing here."""

    def outputs(self) -> list[Path]:
        """Return the files with custom regions."""
        return sorted((self.root / "generated").rglob("*.*"))

    def commit(self, name: str) -> None:
        """Commit everything, which must be generated."""
        status, said = self.run("gen", "--check")
        assert status == 0, said
        self.done("add", "--all")
        self.done("commit", "--allow-empty", "--message", name)

    def live(self, base: Model, name: str, parity: int) -> Model:
        """Make a branch with a few changes."""
        self.done("checkout", "-b", name, "base")
        model = copy.deepcopy(base)
        for _ in range(self.random.randint(1, 4)):
            self.change(model, parity)
        model.write(self.root / "schema")
        self.prepare(model)
        status, said = self.run("gen")
        assert status == 0, said
        self.write_regions(self.random.randint(0, 6), name)
        self.commit(name)
        return model

    def change(self, model: Model, parity: int) -> None:
        """Change the declarations in one way."""
        stem = self.random.choice([stem for stem, classes in model.files.items() if classes])
        one = self.random.choice(model.files[stem])
        kind = self.random.choice(_CHANGES)
        fields = list(one.fields)
        if kind == "field":
            self.add_field(one)
        elif kind == "drop" and len(fields) > 1:
            del one.fields[self.random.choice(fields)]
        elif kind == "retype":
            number = self.random.choice(fields)
            one.fields[number] = one.fields[number][0], self.random.choice(TYPES)
        elif kind == "rename_field":
            number = self.random.choice(fields)
            one.fields[number] = f"g{self.number()}", one.fields[number][1]
        elif kind == "docs":
            one.revision = self.number()
        elif kind == "class":
            place = self.random.randint(0, len(model.files[stem]))
            model.files[stem].insert(place, self.new_class())
        elif kind == "file":
            model.files[f"more{self.number()}"] = [self.new_class()]
        elif kind == "rename" and one.number % 2 == parity and not one.before:
            one.before, one.name = one.name, f"Other{self.number()}"
        elif kind in ("delete", "move") and not one.before and len(model.files[stem]) > 1:
            model.files[stem].remove(one)
            if kind == "delete":
                self.empty_regions(one.name)
            else:
                model.files[self.random.choice(list(model.files))].append(one)

    def empty_regions(self, name: str) -> None:
        """Remove the hand-written code of a class."""
        for path in self.outputs():
            found = regions_of(path.read_bytes())
            if {name, f"{name}Node"} & found.keys():
                found |= {one: b"" for one in (name, f"{name}Node") if one in found}
                path.write_bytes(with_regions(path.read_bytes(), found))

    def write_regions(self, count: int, branch: str) -> None:
        """Change some custom regions."""
        paths = [path for path in self.outputs() if regions_of(path.read_bytes())]
        for _ in range(count):
            path = self.random.choice(paths)
            found = regions_of(path.read_bytes())
            name = self.random.choice(sorted(found))
            lines = _lines(found[name])
            token = b"#" if path.suffix == ".py" else b"//"
            for _ in range(self.random.randint(1, 3)):
                place = self.random.randint(0, len(lines))
                ending = self.random.choice(_ENDINGS)
                text = b"  " + token + f" {branch} {self.number()}".encode() + ending
                kind = self.random.choice(("add", "add", "change", "remove"))
                lines[place : place + (kind != "add")] = [] if kind == "remove" else [text]
            path.write_bytes(with_regions(path.read_bytes(), {**found, name: b"".join(lines)}))

    def join(self) -> bool:
        """Have git merge the branches in one of its ways; return whether it did without help."""
        way = self.random.choice(("merge", "merge", "rebase", "cherry-pick"))
        self.done("checkout", "theirs" if way == "rebase" else "ours")
        options = ("--allow-empty", "--keep-redundant-commits") if way == "cherry-pick" else ()
        return self.git(way, *options, "ours" if way == "rebase" else "theirs") == 0

    def unmerged(self) -> Iterator[str]:
        """Yield the files that git could not merge."""
        command = ["git", "ls-files", "--unmerged", "-z"]
        listed = subprocess.run(command, cwd=self.root, capture_output=True, text=True).stdout
        yield from sorted({line.partition("\t")[2] for line in listed.split("\0") if line})
