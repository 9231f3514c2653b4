"""Runs over a cache: the same bytes and the same diagnostics as without one, for less work."""

from __future__ import annotations

import ast
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

import pytest

from tschema.diagnostics.errors import SchemaError, render
from tschema.emit import format as format_module
from tschema.emit.render import Renderer
from tschema.frontend import parse
from tschema.incremental.stamp import CACHE_FOLDER
from tschema.incremental.store import Store, make_key, open_store
from tschema.pipeline import run as driver
from tschema.pipeline.emission import RememberingRenderer, emit
from tschema.pipeline.kept_files import KeptFiles
from tschema.pipeline.run import Plan, Request, apply, make_plan
from tschema.project.config import load_config

from ...support.configs import config

CONFIG = config("generated/")

TYPES = ["ty.int64_t", "ty.String", "ty.uint8_t", "ty.bool", "ty.Array[ty.int64_t]", "ty.Any"]
FILES = ["ir/one", "ir/two", "tir/three"]


@dataclass(eq=False)
class Class:
    """A class of the random schema."""

    name: str
    file: str
    parent: Class | None
    fields: list[tuple[str, str]] = field(default_factory=list)
    doc: str = "A node."
    refers: Class | None = None
    method: bool = False
    about: str = "Field"

    def text(self) -> str:
        """Return the declaration."""
        base = f"{self.parent.name}Node" if self.parent else "Object"
        fields = list(self.fields)
        if self.refers:
            fields.append((f"ref_{self.name.lower()}", f"ty.Optional[{self.refers.name}Node]"))
        lines = [f"    {name}: {spelled}" for name, spelled in fields]
        docs = [f"    {name}\n        {self.about} {name}.\n" for name, _ in fields]
        about = f"\n    Attributes\n    ----------\n{''.join(docs)}" if docs else ""
        namespace = self.file.partition("/")[0]
        method = f"\n\n    @method\n    def size_{self.name.lower()}(self) -> ty.int64_t:\n"
        method += '        """Return the size."""\n        ...\n'
        return (
            f'@declare\nclass {self.name}Node({base}):\n    """\n    {self.doc}\n{about}    """\n\n'
            f'    type_key = "toy.{namespace}.{self.name}"\n    final = False\n'
            + "\n".join(lines)
            + (method if self.method else "\n")
        )


class Schema:
    """A random schema, and random edits of it."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.classes: list[Class] = []
        self.count = 0
        for _ in range(6):
            self.add()

    def write(self, root: Path) -> None:
        """Write the schema files; those of no class are gone."""
        shutil.rmtree(root / "schema", ignore_errors=True)
        root.mkdir(exist_ok=True)
        (root / "tschema.toml").write_text(CONFIG)
        for file in FILES:
            members = [one for one in self.classes if one.file == file]
            if members:
                path = root / "schema" / f"{file}.py"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(self._file(file, members))

    def edit(self) -> None:
        """Change something."""
        edits: list[Callable[[], None]] = [
            *(self.add, self.remove, self.retype, self.document, self.grow, self.shrink),
            *(self.refer, self.toggle_method, self.rename, self.swap),
        ]
        self.random.choice(edits)()

    def add(self) -> None:
        self.count += 1
        file = self.random.choice(FILES)
        parent = self._visible(file) if self.random.random() < 0.6 else None
        one = Class(f"Kind{self.count}", file, parent)
        self.classes.append(one)
        for _ in range(self.random.randrange(3)):
            self._grow(one)

    def remove(self) -> None:
        used = {one.parent.name for one in self.classes if one.parent}
        used |= {one.refers.name for one in self.classes if one.refers}
        free = [one for one in self.classes if one.name not in used]
        if len(self.classes) > 3 and free:
            self.classes.remove(self.random.choice(free))

    def retype(self) -> None:
        one = self._any()
        if one.fields:
            index = self.random.randrange(len(one.fields))
            one.fields[index] = (one.fields[index][0], self.random.choice(TYPES))

    def document(self) -> None:
        self._any().doc = f"A node of turn {self.random.randrange(10**6)}."
        self._any().about = f"Part of turn {self.random.randrange(10**6)},"

    def grow(self) -> None:
        self._grow(self._any())

    def shrink(self) -> None:
        one = self._any()
        if one.fields:
            del one.fields[self.random.randrange(len(one.fields))]

    def refer(self) -> None:
        one = self._any()
        one.refers = None if one.refers else self._visible(one.file, before=one)

    def toggle_method(self) -> None:
        one = self._any()
        one.method = not one.method

    def rename(self) -> None:
        self.count += 1
        self._any().name = f"Kind{self.count}"

    def swap(self) -> None:
        """Put a class that depends on nothing at the very front."""
        free = [one for one in self.classes if not one.parent and not one.refers]
        if free:
            one = self.random.choice(free)
            self.classes.remove(one)
            self.classes.insert(0, one)

    def _grow(self, one: Class) -> None:
        self.count += 1
        one.fields.append((f"field{self.count}", self.random.choice(TYPES)))

    def _any(self) -> Class:
        return self.random.choice(self.classes)

    def _visible(self, file: str, before: Class | None = None) -> Class | None:
        """Return a class that a class of a file can name: of the file, or of one before it."""
        index = self.classes.index(before) if before else len(self.classes)
        files = FILES[: FILES.index(file) + 1]
        known = [one for one in self.classes[:index] if one.file in files]
        return self.random.choice(known) if known else None

    def _file(self, file: str, members: list[Class]) -> str:
        named = {one.parent for one in members} | {one.refers for one in members}
        lines = {
            f"from schema.{one.file.replace('/', '.')} import {one.name}Node"
            for one in filter(None, named)
            if one.file != file
        }
        head = ["from tschema import Object, declare, method, ty", *sorted(lines)]
        return (
            '"""Nodes."""\n\n'
            + "\n".join(head)
            + "\n\n\n"
            + "\n\n".join(one.text() for one in members)
        )


def plan_of(root: Path) -> Plan:
    """Return what a run makes of a project."""
    return make_plan(Request(load_config(root / "tschema.toml")), lambda _stage: None)


def outcome(root: Path) -> dict[PurePosixPath, bytes] | list[str]:
    """Run, and return the files or the diagnostics."""
    try:
        plan = plan_of(root)
    except SchemaError as error:
        return [render(diagnostic) for diagnostic in error.diagnostics]
    apply(plan)
    return dict(sorted(plan.files.items()))


def copied(root: Path, to: Path) -> Path:
    """Return a copy of the sources of a project, without outputs and cache."""
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(root, to, ignore=shutil.ignore_patterns("generated", CACHE_FOLDER))
    return to


@pytest.mark.parametrize("seed", range(4))
def test_a_warm_run_makes_what_a_cold_run_makes(tmp_path: Path, seed: int) -> None:
    schema = Schema(seed)
    for _ in range(12):
        schema.write(tmp_path / "warm")
        warm = outcome(tmp_path / "warm")
        assert warm == outcome(copied(tmp_path / "warm", tmp_path / "cold"))
        assert isinstance(warm, dict)
        for path, data in warm.items():
            assert (tmp_path / "warm" / path).read_bytes() == data
        for _ in range(schema.random.randrange(1, 4)):
            schema.edit()


@pytest.mark.parametrize("seed", range(3))
def test_remembered_texts_are_those_that_would_be_rendered(tmp_path: Path, seed: int) -> None:
    """What a text depends on is in its key: tried on more edits than there is time to format."""
    schema, store = Schema(seed + 100), Store()
    for _ in range(100):
        schema.write(tmp_path)
        request = Request(load_config(tmp_path / "tschema.toml"))
        parsed, _ = driver.build_schema(request.config, store)
        assert parsed == driver.build_schema(request.config)[0]
        remembering = RememberingRenderer(parsed, store)
        assert [*emit(parsed, request, remembering, store)] == [
            *emit(parsed, request, Renderer(), Store())
        ]
        schema.edit()


def test_diagnostics_point_to_where_those_of_a_cold_run_do(tmp_path: Path) -> None:
    """The places of what was not parsed again are found when they are asked for."""
    schema = Schema(1)
    warm = tmp_path / "warm"
    schema.write(warm)
    assert isinstance(outcome(warm), dict)
    path = sorted((warm / "schema").rglob("*.py"))[0]
    good = path.read_text()
    for before, after in [
        ("ty.int64_t", "ty.int46_t"),
        ("A node.\n", "A node.\n\n    Attributes\n    ----------\n    missing\n        None.\n"),
        ('"""Nodes."""\n', '"""Nodes."""\n\n\nX = 1\n'),
        ("    final = False\n", "    final = 3\n"),
        ("@declare\nclass", "@declare\n@declear\nclass"),
        ("from tschema import", "from tschema.dsl import nothing\nfrom tschema import"),
    ]:
        assert before in good
        path.write_text("\n\n" + good.replace(before, after, 1))
        faults = outcome(warm)
        assert isinstance(faults, list)
        assert faults == outcome(copied(warm, tmp_path / "cold"))
    path.write_text(good)
    assert isinstance(outcome(warm), dict)


CLASS_TEMPLATES = [
    *("cpp/node.h.jinja", "cpp/reference.h.jinja", "cpp/type_tables.cc.jinja"),
    *("python/class.py.jinja", "rust/node.rs.jinja", "rust/reference.rs.jinja"),
]


@dataclass
class Work:
    """What a run has done."""

    classes: list[str] = field(default_factory=list)
    """Those that were parsed."""
    templates: list[str] = field(default_factory=list)
    """Those that were rendered, for a class each."""
    units: list[str] = field(default_factory=list)
    """What was formatted."""

    def clear(self) -> None:
        """Forget all of that."""
        for done in (self.classes, self.templates, self.units):
            done.clear()


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Iterator[Work]:
    done = Work()
    parse_module, deal, render = parse.parse_module, format_module._deal, Renderer.render

    def count_classes(text: str) -> ast.Module:
        tree = parse_module(text)
        done.classes += [one.name for one in tree.body if isinstance(one, ast.ClassDef)]
        return tree

    def count_templates(self: Renderer, template: str, /, **views: object) -> str:
        if template in CLASS_TEMPLATES:
            done.templates.append(template)
        return render(self, template, **views)

    def count_units(units: list[str], processes: int) -> list[list[str]]:
        done.units += units
        return deal(units, processes)

    monkeypatch.setattr(parse, "parse_module", count_classes)
    monkeypatch.setattr(Renderer, "render", count_templates)
    monkeypatch.setattr(format_module, "_deal", count_units)
    yield done


def test_an_edit_of_one_class_takes_work_on_one_class(tmp_path: Path, work: Work) -> None:
    schema = Schema(7)
    schema.write(tmp_path)
    outcome(tmp_path)
    edited = next(one for one in reversed(schema.classes) if one.fields)
    edited.fields[0] = (edited.fields[0][0], "ty.float64")
    schema.write(tmp_path)
    work.clear()
    outcome(tmp_path)
    in_file = [one for one in schema.classes if one.file == edited.file]
    assert sorted(work.classes) == sorted(f"{one.name}Node" for one in in_file)
    assert sorted(work.templates) == sorted(CLASS_TEMPLATES)
    # Both classes in C++ and in Rust, the tables, and the class in Python.
    assert 0 < len(work.units) <= 6
    assert all(edited.name in unit for unit in work.units)
    assert all(unit.count("tschema: end") <= 1 for unit in work.units)


def test_a_run_that_changes_nothing_parses_and_formats_nothing(tmp_path: Path, work: Work) -> None:
    schema = Schema(3)
    schema.write(tmp_path)
    files = outcome(tmp_path)
    work.clear()
    assert outcome(tmp_path) == files
    assert work == Work()


def test_a_file_that_moved_takes_its_custom_region_along(tmp_path: Path) -> None:
    """Files that need no merging must not hide the regions that another file looks for."""
    schema = Schema(5)
    schema.write(tmp_path)
    outcome(tmp_path)
    moving = next(one for one in schema.classes if not one.parent and not one.refers)
    for one in schema.classes:
        one.parent = None if one.parent is moving else one.parent
        one.refers = None if one.refers is moving else one.refers
    header = tmp_path / f"generated/cpp/include/toy/{moving.file}.h"
    text = header.read_text()
    head, name, tail = text.partition(f"// tschema: {moving.name}Node\n")
    mine = "  // tschema: custom-begin\n  int mine = 1;\n"
    header.write_text(head + name + tail.replace("  // tschema: custom-begin\n", mine, 1))
    assert isinstance(outcome(tmp_path), dict)
    moving.file = "ir/two" if moving.file == "ir/one" else "ir/one"
    schema.write(tmp_path)
    files = outcome(tmp_path)
    assert isinstance(files, dict)
    assert b"int mine = 1;" in files[PurePosixPath(f"generated/cpp/include/toy/{moving.file}.h")]


@pytest.mark.parametrize("seed", range(8))
def test_a_broken_store_changes_nothing(tmp_path: Path, seed: int) -> None:
    schema = Schema(2)
    schema.write(tmp_path)
    files = outcome(tmp_path)
    store = tmp_path / CACHE_FOLDER / "store"
    chance = random.Random(seed)
    data = bytearray(store.read_bytes())
    for _ in range(chance.randrange(1, 5)):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    store.write_bytes(data[: chance.choice([len(data), chance.randrange(len(data))])])
    assert outcome(tmp_path) == files


def test_what_another_version_has_stored_is_not_used(tmp_path: Path) -> None:
    key = make_key("key")
    store = Store(maker=b"one")
    store.put(key, b"value")
    store.save(tmp_path)
    path = tmp_path / CACHE_FOLDER / "store"
    assert Store(path, b"one").get(key) == b"value"
    assert Store(path, b"two").get(key) is None


def test_entries_that_nobody_asks_for_are_dropped_after_some_runs(tmp_path: Path) -> None:
    key = make_key("old")
    store = open_store(tmp_path)
    store.put(key, b"value")
    store.save(tmp_path)
    runs = 0
    while open_store(tmp_path).get(key) is not None:
        runs += 1
        store = open_store(tmp_path)
        store.put(make_key(str(runs)), b"another")
        store.save(tmp_path)
    assert 2 <= runs <= 10


def test_two_versions_of_tschema_take_turns(tmp_path: Path) -> None:
    schema = Schema(4)
    schema.write(tmp_path / "project")
    tools = []
    for name in ("one", "two"):
        package = Path(driver.__file__).parents[1]
        tool = tmp_path / name
        ignored = shutil.ignore_patterns("__pycache__", "*.so*", "include", "lib")
        shutil.copytree(package, tool / "tschema", ignore=ignored)
        templates = driver.Renderer.__init__.__globals__["templates_folder"]()
        shutil.copytree(templates, tool / "tschema" / "templates", dirs_exist_ok=True)
        tools.append(tool)
    template = tools[1] / "tschema" / "templates" / "python" / "module.py.jinja"
    template.write_text(template.read_text().replace("# Edit only", "# Please edit only"))
    for turn in range(4):
        schema.edit()
        schema.write(tmp_path / "project")
        code = f"import sys; sys.path.insert(0, {str(tools[turn % 2])!r})\n"
        code += "from tschema.cli.entry import main; sys.exit(main(['gen', '--discard']))"
        subprocess.run([sys.executable, "-c", code], cwd=tmp_path / "project", check=True)
        heads = {
            path.read_text().splitlines()[1].partition(" only")[0]
            for path in (tmp_path / "project" / "generated" / "python").rglob("*.py")
            if "custom-begin" in path.read_text()
        }
        assert heads == {["# Edit", "# Please edit"][turn % 2]}


def test_a_file_is_kept_only_as_the_run_left_it() -> None:
    store, path = Store(), PurePosixPath("a.h")
    first, same, other = KeptFiles(store), KeptFiles(store), KeptFiles(store)
    assert first.unknown({path: "text"}) == {path: "text"}
    first.note({path: b"bytes"})
    assert same.unknown({path: "text"}) == {}
    assert same.find({path: b"bytes"}) == {path: b"bytes"}
    assert same.find({path: b"bytes "}) == same.find({}) == {}
    assert other.unknown({path: "text "}) == {path: "text "}
    assert other.find({path: b"bytes"}) == {}


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + bytes(9000)])
def test_a_foreign_store_is_an_empty_one(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / CACHE_FOLDER / "store"
    path.parent.mkdir()
    path.write_bytes(content)
    store = Store(path)
    assert store.get(make_key("key")) is None
    assert store.task("name", ["input"], lambda: b"made") == b"made"
    store.save(tmp_path)
    again = Store(path)
    again.put(make_key("key"), b"value")
    again.save(tmp_path)
    assert Store(path).get(make_key("key")) == b"value"


def test_a_store_that_another_run_writes_is_an_empty_one(tmp_path: Path) -> None:
    store = Store()
    store.put(make_key("key"), b"value")
    store.save(tmp_path)
    path = tmp_path / CACHE_FOLDER / "store"
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN EXCLUSIVE")
        busy = Store(path)
        assert busy.get(make_key("key")) is None
        busy.put(make_key("key"), b"other")
        busy.save(tmp_path)
        other.rollback()
    assert Store(path).get(make_key("key")) == b"value"
