"""`tschema breaking`: what it compares with, what it prints, what the configuration leaves out."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from ..conftest import CONFIG, Project, replace

SHAPE = "    x: ty.int64_t\n"
FILE = "schema/ir/shape.py"


def git(folder: Path, *arguments: str) -> None:
    """Run git with an author of its own."""
    who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.com")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def committed(project: Project) -> Project:
    """Return a project whose declarations are in revision `HEAD`; nothing is generated."""
    git(project.root, "init", "--initial-branch=main")
    git(project.root, "add", "--all")
    git(project.root, "commit", "--message=begin")
    return project


def test_nothing_breaks(committed: Project) -> None:
    done = committed.run("breaking", "--against", "HEAD")
    assert (done.status, done.out, done.err) == (0, "nothing breaks since HEAD\n", "")


def test_a_change_says_where_it_stands_whom_it_affects_and_what_to_do(committed: Project) -> None:
    replace(committed.schema, SHAPE, "    x: ty.String\n")
    found = committed.run("breaking", "--against", "HEAD")
    assert found.status == 1
    head, *lines = found.err.splitlines()
    assert head == (
        f"{FILE}:18:5: error[TS112]: field `x` of `toy.ir.Point` is `String`, and was `int64`"
    )
    assert "  note: source: code that reads or writes it" in lines
    assert "  note: data: files with values of the old type" in lines
    assert "  help: add a field of the new type with a default" in lines
    assert lines[-1] == "tschema: 2 changes since HEAD break users: source 1, data 1, binary 1"


def test_the_ir_of_a_revision_is_read_where_it_is_committed(committed: Project) -> None:
    committed.run("gen")
    git(committed.root, "add", "--all")
    git(committed.root, "commit", "--message=generate")
    replace(committed.schema, SHAPE, SHAPE + "    y: ty.int64_t\n")
    assert "TS111" in committed.run("breaking", "--against", "HEAD").err
    assert "TS111" in committed.run("breaking", "--against", "main~1").err


def test_an_ir_that_cannot_be_read_is_made_again(committed: Project) -> None:
    (committed.root / "generated").mkdir()
    (committed.root / "generated" / "schema.json").write_text('{"version": 0}')
    git(committed.root, "add", "--all", "--force")
    git(committed.root, "commit", "--message=old format")
    assert committed.run("breaking", "--against", "HEAD").status == 0


def test_a_project_in_a_subfolder_of_the_repository(nested_project: Project) -> None:
    project = nested_project
    git(project.root.parent, "add", project.root.name)
    git(project.root.parent, "commit", "--message=begin")
    replace(project.schema, "Label", "Mark")
    replace(project.schema, "toy.ir.Label", "toy.ir.Mark")
    assert "error[TS100]: class `toy.ir.Label` is gone" in (
        project.run("breaking", "--against", "HEAD").err
    )


def test_a_file_and_another_checkout(project: Project, tmp_path: Path) -> None:
    older = tmp_path / "older"
    (older / "schema" / "ir").mkdir(parents=True)
    (older / "schema" / "ir" / "shape.py").write_text(project.schema.read_text())
    (older / "tschema.toml").write_text(CONFIG)
    (tmp_path / "older.json").write_text(project.run("ir").out)
    replace(project.schema, SHAPE, SHAPE + "    y: ty.int64_t = 0\n")
    for name in ("older.json", "older/tschema.toml"):
        found = project.run("breaking", "--against", name, "--format", "json")
        assert found.status == 1
        codes = {one["code"] for one in json.loads(found.out)["diagnostics"]}
        assert "TS106" in codes


def test_a_class_in_another_file(committed: Project) -> None:
    text = committed.schema.read_text()
    at = text.index("@declare\nclass LabelNode")
    head = text[: text.index("@declare")]
    committed.schema.write_text(text[:at])
    committed.schema.with_name("label.py").write_text(head + text[at:])
    found = committed.run("breaking", "--against", "HEAD")
    message = "`toy.ir.Label` is declared in `label`, and was in `shape`"
    assert f"schema/ir/label.py:7:7: error[TS103]: {message}" in found.err


@pytest.mark.parametrize(
    ("table", "status"),
    [
        ('levels = ["binary"]', 1),
        ('levels = ["data"]', 0),
        ('ignore = ["TS106"]', 0),
        ('unstable = ["toy.ir.P*"]', 0),
        ('unstable = ["toy.tir.*"]', 1),
    ],
)
def test_the_configuration_says_what_must_not_break(
    committed: Project, table: str, status: int
) -> None:
    replace(committed.schema, SHAPE, SHAPE + "    y: ty.int64_t = 0\n")
    (committed.root / "tschema.toml").write_text(f"{CONFIG}\n[breaking]\n{table}\n")
    assert committed.run("breaking", "--against", "HEAD").status == status


@pytest.mark.parametrize(("table", "status"), [('unstable = ["toy.draft.*"]', 0), ("", 1)])
def test_unstable_declarations_may_be_deleted(committed: Project, table: str, status: int) -> None:
    draft = committed.root / "schema" / "draft" / "ideas.py"
    draft.parent.mkdir()
    text = committed.schema.read_text()
    draft.write_text(text.replace("toy.ir.", "toy.draft."))
    (committed.root / "tschema.toml").write_text(f"{CONFIG}\n[breaking]\n{table}\n")
    git(committed.root, "add", ".")
    git(committed.root, "commit", "--message=draft")
    draft.unlink()
    draft.parent.rmdir()
    found = committed.run("breaking", "--against", "HEAD")
    assert found.status == status, found.err
    assert ("toy.draft.Point" in found.err) == (status == 1)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ('levels = ["dta"]', "unknown value `dta` in `levels`"),
        ('ignore = ["TS000"]', "unknown value `TS000` in `ignore`"),
        ("level = []", "unknown key `level` of `[breaking]`"),
    ],
)
def test_a_wrong_configuration(committed: Project, table: str, message: str) -> None:
    (committed.root / "tschema.toml").write_text(f"{CONFIG}\n[breaking]\n{table}\n")
    refused = committed.run("breaking", "--against", "HEAD")
    assert refused.status == 2
    assert message in refused.err


@pytest.mark.parametrize("name", ["v9", "--help", "HEAD:schema", "older.json"])
def test_what_is_neither_a_file_nor_a_revision(committed: Project, name: str) -> None:
    refused = committed.run("breaking", f"--against={name}")
    assert refused.status == 2
    assert f"error[TS090]: `{name}` is neither a file nor a revision of git" in refused.err


def test_a_revision_without_the_project(committed: Project) -> None:
    git(committed.root, "checkout", "--orphan", "empty")
    git(committed.root, "rm", "-r", "--cached", ".")
    git(committed.root, "commit", "--allow-empty", "--message=nothing")
    refused = committed.run("breaking", "--against", "empty")
    assert refused.status == 2
    assert "error[TS090]: revision `empty` has no `tschema.toml`" in refused.err


def test_the_schema_of_another_package(project: Project) -> None:
    text = project.run("ir").out.replace('"toy"', '"joy"')
    (project.root / "joy.json").write_text(text)
    refused = project.run("breaking", "--against", "joy.json")
    assert refused.status == 2
    assert "`joy.json` is the schema of `joy`, not of `toy`" in refused.err
