"""`tschema import` from tvm-ffi's own registry: what is written, and what a second run adds."""

from __future__ import annotations

import itertools
import json
import re
import shutil
from pathlib import Path

import pytest

from tschema.cli.main import main

from ..conftest import Project, replace

CONFIG = 'package = "testing"\nschema = ["schema"]\n'
IMPORT = ("import", "--registry", "tvm_ffi", "--key", "testing")
PAIR = '''\
@declare
class TestIntPairNode(Object):
    """
    Attributes
    ----------
    a
        Field `a`
    b
        Field `b`
    """

    type_key = "testing.TestIntPair"
    structural = None
    a: ty.int64_t
    b: ty.int64_t

    @method
    def sum(self) -> ty.int64_t:
        """Method to compute sum of a and b"""
        ...
'''


@pytest.fixture
def empty(project: Project) -> Project:
    """Return a project whose schema folder is empty."""
    project.schema.unlink()
    project.schema.parent.rmdir()
    (project.root / "tschema.toml").write_text(CONFIG)
    return project


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the schema folder that an import of what tvm-ffi registers for its tests writes."""
    root = tmp_path_factory.mktemp("imported")
    (root / "tschema.toml").write_text(CONFIG)
    config = str(root / "tschema.toml")
    assert main([*IMPORT, "--config", config]) == 0
    return root / "schema"


@pytest.fixture
def imported(empty: Project, written: Path) -> Project:
    """Return a project with what tvm-ffi registers for its own tests."""
    shutil.copytree(written, empty.root / "schema", dirs_exist_ok=True)
    return empty


def schema_of(project: Project) -> Path:
    return project.root / "schema" / "testing.py"


def test_a_class_is_written_as_a_person_would(imported: Project) -> None:
    text = schema_of(imported).read_text()
    assert PAIR in text
    assert text.startswith(
        '"""The classes of `testing`."""\n\n'
        "from schema.other_libraries import EnumNode, IntEnumNode, StrEnumNode\n"
        "from tschema import Object, declare, field, method, static, ty\n"
    )


def test_the_report_counts_and_gives_reasons(empty: Project) -> None:
    done = empty.run(*IMPORT, "--verbose")
    head, *lines = done.out.splitlines()
    assert head == "wrote 2 files"
    assert lines[0].startswith(
        "35 classes: 31 declared, 2 described, 2 opaque, 0 not; 32 layouts exact, "
    )
    assert lines[0].endswith("1 of unknown size, 0 different")
    reason = "8 bytes before `v_i32` belong to members that are not registered"
    helped = f"{reason}; its header (`--headers`) would show the missing parts"
    assert f"  testing.TestCxxClassHiddenField: {helped}" in lines
    assert "  testing.TestCompare: `ignored_field` does not count in ordered comparisons" in lines


def test_what_is_written_has_the_layouts_of_the_registry(imported: Project) -> None:
    done = imported.run("ir")
    types = {
        one["key"]: one for space in json.loads(done.out)["namespaces"] for one in space["types"]
    }
    base = types["testing.TestCxxClassBase"]
    assert [field["offset"] for field in base["fields"]] == [24, 32]
    # A child's first member does not slip into the padding at the end of its parent.
    derived = types["testing.TestCxxClassDerived"]
    assert (derived["layout"]["offset"], derived["layout"]["size"]) == (40, 56)


def test_a_second_run_changes_nothing(imported: Project) -> None:
    before = schema_of(imported).read_bytes()
    assert imported.run(*IMPORT, "--check").status == 0
    done = imported.run(*IMPORT)
    assert done.out.startswith("everything is up to date\n35 classes: 31 declared, 2 described, 2")
    assert schema_of(imported).read_bytes() == before


EDITS = (
    ('"""The classes of `testing`."""', '"""What tvm-ffi tests itself with."""'),
    ("        Field `a`\n", "        The first of two numbers.\n"),
    (
        "    a: ty.int64_t\n    b: ty.int64_t\n\n    @method\n    def sum",
        "    # Sorted.\n    a: ty.uint64_t = field(default=3)  # noqa\n    b: ty.int64_t\n\n"
        "    @method\n    def sum",
    ),
)


def test_a_second_run_keeps_what_people_write(imported: Project) -> None:
    path = schema_of(imported)
    for before, after in EDITS:
        replace(path, before, after)
    edited = path.read_bytes()
    assert imported.run(*IMPORT, "--check").status == 0
    assert path.read_bytes() == edited


def test_what_is_missing_comes_back_where_it_belongs(imported: Project) -> None:
    path = schema_of(imported)
    complete = path.read_bytes()
    replace(path, "    b: ty.int64_t\n\n    @method\n    def sum", "\n    @method\n    def sum")
    replace(path, "    b\n        Field `b`\n", "")
    replace(path, PAIR.split("class TestIntPair")[0], PAIR.split("class TestIntPair")[0])
    assert imported.run(*IMPORT, "--check").status == 1
    assert imported.run(*IMPORT).status == 0
    assert path.read_bytes() == complete


def without(text: str, pattern: str, keep_every: int) -> str:
    """Return a text without most places that match a pattern."""
    count = itertools.count()

    def kept(match: re.Match[str]) -> str:
        return match[0] if next(count) % keep_every == 0 else ""

    return re.sub(pattern, kept, text, flags=re.MULTILINE)


@pytest.mark.parametrize("keep_every", [2, 3, 5])
def test_fields_and_methods_that_were_deleted_come_back(imported: Project, keep_every: int) -> None:
    path = schema_of(imported)
    complete = path.read_text()
    classes = complete.split("\n\n\n")
    for at, text in enumerate(classes):
        classes[at] = without(text, r"\n    @(static\n    @)?method\n(?s:.*?)\.\.\.$", keep_every)
        # A field with an entry in `Attributes` cannot go alone, and those of `extern` need not be.
        if "Attributes" not in text and "extern" not in text:
            classes[at] = without(classes[at], r"^    [a-z]\w*: .*\n?", keep_every)
    path.write_text("\n\n\n".join(classes))
    assert len(path.read_text()) < len(complete) - 1000
    assert imported.run(*IMPORT).status == 0
    assert sorted(path.read_text().split()) == sorted(complete.split())
    assert imported.run(*IMPORT, "--check").status == 0


def test_line_ends_and_a_byte_order_mark_stay(imported: Project) -> None:
    path = schema_of(imported)
    complete = b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n")
    field = b"    child_required: ty.int64_t\r\n"
    assert field in complete
    path.write_bytes(complete.replace(field, b""))
    assert imported.run(*IMPORT).status == 0
    assert path.read_bytes() == complete


def test_a_file_that_is_not_utf8_is_named(imported: Project) -> None:
    path = schema_of(imported)
    path.write_bytes(b"# caf\xe9\n")
    done = imported.run(*IMPORT)
    assert (done.status, path.read_bytes()) == (2, b"# caf\xe9\n")
    assert "schema/testing.py:1:6: error[TS002]" in done.err


def test_a_class_that_was_deleted_comes_back_before_those_that_need_it(imported: Project) -> None:
    path = schema_of(imported)
    text = path.read_text()
    start = text.index("@declare\nclass TestCxxClassDerivedNode")
    end = text.index("@declare\nclass TestCxxInitSubsetNode")
    path.write_text(text[:start] + text[end:])
    assert imported.run(*IMPORT).status == 0
    assert path.read_text() == text


def test_a_member_of_another_size_gets_its_type_and_keeps_its_options(imported: Project) -> None:
    path = schema_of(imported)
    before = "    v_f32: ty.float32 = field(default=8.0)\n"
    replace(path, before, "    v_f32: ty.float64 = field(default=9.0)  # Wide.\n")
    assert imported.run(*IMPORT).status == 0
    assert "    v_f32: ty.float32 = field(default=9.0)  # Wide.\n" in path.read_text()


def test_a_class_that_moved_stays_where_it_is(imported: Project) -> None:
    path = schema_of(imported)
    text = path.read_text()
    moved = imported.root / "schema" / "pair.py"
    head = '"""A pair."""\n\nfrom tschema import Object, declare, method, ty\n\n\n'
    moved.write_text(head + PAIR)
    path.write_text(text.replace(PAIR + "\n\n", ""))
    assert imported.run(*IMPORT, "--check").status == 0


@pytest.mark.parametrize("mode", ["--check", "--diff", "--dry-run"])
def test_a_mode_that_writes_nothing(empty: Project, mode: str) -> None:
    done = empty.run(*IMPORT, mode)
    assert done.status == (0 if mode == "--dry-run" else 1)
    assert list((empty.root / "schema").iterdir()) == []
    assert "schema/testing.py" in done.out


def test_without_a_configuration_one_is_written(empty: Project) -> None:
    (empty.root / "tschema.toml").unlink()
    assert empty.run(*IMPORT).status == 0
    assert (empty.root / "tschema.toml").read_text().startswith(CONFIG)
    done = empty.run("gen")
    assert (done.status, done.err) == (0, "")


def test_a_schema_that_is_wrong_is_not_touched(imported: Project) -> None:
    path = schema_of(imported)
    replace(path, "    a: ty.int64_t\n", "    a: ty.int46_t\n")
    broken = path.read_bytes()
    done = imported.run(*IMPORT)
    assert done.status == 2
    assert "error[TS012]: unknown type `ty.int46_t`" in done.err
    assert path.read_bytes() == broken


def test_an_interpreter_that_is_not_there(empty: Project) -> None:
    done = empty.run(*IMPORT, "--python", "no/such/python")
    assert done.status == 2
    assert "error[TS091]: cannot run `no/such/python`: No such file or directory" in done.err


def test_a_library_that_is_not_there(empty: Project) -> None:
    done = empty.run("import", "--registry", "./libnone.so")
    assert done.status == 2
    assert "error[TS091]: cannot read the registry of `./libnone.so`: OSError" in done.err
