"""Hand edits of generated text, through the whole command: `--adopt` and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..conftest import CONFIG, SCHEMA, Project, replace


def test_added_lines_are_adopted(project: Project) -> None:
    project.run("gen")
    clean = project.output.read_bytes()
    replace(project.output, "    x: int\n", "    x: int\n    mine = 1\n")
    replace(project.output, "__all__", "import os\n\n__all__")
    stopped = project.run("gen")
    assert stopped.status == 1
    assert "--adopt" in stopped.err
    adopted = project.run("gen", "--adopt")
    assert (adopted.status, adopted.err) == (0, "")
    text = project.output.read_text()
    assert "# tschema: custom-begin\nimport os\n\n# tschema: custom-end\n" in text
    assert "# tschema: custom-begin\n    mine = 1\n    # tschema: custom-end\n" in text
    assert project.run("gen", "--check").status == 0
    assert text.replace("import os\n\n", "").replace("    mine = 1\n", "").encode() == clean


def test_a_changed_line_is_not_adopted(project: Project) -> None:
    project.run("gen")
    replace(project.output, "    x: int\n", "    x: float\n    mine = 1\n")
    before = project.state()
    refused = project.run("gen", "--adopt")
    assert refused.status == 2
    assert "it changes or removes generated lines" in refused.err
    assert "+    x: float\n" in refused.err
    assert project.state() == before


def test_an_edit_is_not_adopted_when_the_schema_has_changed_too(project: Project) -> None:
    project.run("gen")
    replace(project.output, "    x: int\n", "    x: int\n    mine = 1\n")
    replace(project.schema, "Its place.", "Its position.")
    before = project.state()
    assert project.run("gen", "--adopt").status == 2
    assert project.state() == before


def test_adopt_and_discard_exclude_each_other(project: Project) -> None:
    assert project.run("gen", "--adopt", "--discard").status == 2


def test_a_bare_end_gets_a_digest(project: Project) -> None:
    project.run("gen")
    clean = project.output.read_bytes()
    lines = clean.split(b"\n")
    bare = [line[:14] if line.startswith(b"# tschema: end") else line for line in lines]
    project.output.write_bytes(b"\n".join(bare))
    assert project.run("gen").status == 0
    assert project.output.read_bytes() == clean


@pytest.fixture
def documented(project: Project) -> Project:
    """Return the project with a node reference, generated."""
    (project.root / "tschema.toml").write_text(CONFIG + '[docs]\ndir = "generated/docs"\n')
    assert project.run("gen").status == 0
    return project


PAGES = pytest.mark.parametrize(
    ("path", "before"),
    [
        ("schema.json", '"doc": "A point."'),
        ("docs/index.md", "# Nodes of"),
        ("docs/toy.ir.md", "Its place."),
    ],
)


@PAGES
def test_files_without_custom_regions_are_no_exception(
    documented: Project, path: str, before: str
) -> None:
    page = documented.root / "generated" / path
    replace(page, before, f"{before[:-1]}, by hand{before[-1:]}")
    replace(documented.schema, "What it says.", "What it tells.")
    state = documented.state()
    stopped = documented.run("gen")
    assert stopped.status == 1
    assert stopped.err.startswith(f"generated/{path}:3:")
    assert "error[TS065]: generated text was edited by hand" in stopped.err
    assert "help: `--discard` drops the edit" in stopped.err
    assert ", by hand" in stopped.err
    assert documented.run("gen", "--adopt").status == 2
    assert documented.state() == state
    assert documented.run("gen", "--discard").status == 0
    assert ", by hand" not in page.read_text()
    assert documented.run("gen", "--check").status == 0


@PAGES
def test_a_digest_that_is_gone_does_not_hide_an_edit(
    documented: Project, path: str, before: str
) -> None:
    page = documented.root / "generated" / path
    lines = page.read_text().replace(before, f"{before} by hand").splitlines(keepends=True)
    page.write_text("".join(one for one in lines if "digest" not in one and "tschema:" not in one))
    stopped = documented.run("gen")
    assert stopped.status == 1
    assert "error[TS065]: text would be replaced, and no digest tells whose it is" in stopped.err


@PAGES
def test_line_ends_of_another_system_are_no_edit(
    documented: Project, path: str, before: str
) -> None:
    page = documented.root / "generated" / path
    page.write_bytes(page.read_bytes().replace(b"\n", b"\r\n"))
    replace(documented.schema, "Its place.", "Its position.")
    assert documented.run("gen").status == 0
    assert page.read_bytes().count(b"\r\n") == page.read_bytes().count(b"\n")


def test_a_page_that_lost_a_marker_is_located(documented: Project) -> None:
    replace(documented.root / "generated/docs/index.md", "<!-- tschema: file -->\n", "")
    refused = documented.run("gen")
    assert refused.status == 2
    assert "generated/docs/index.md:3:1: error[TS061]: `end` without a block" in refused.err


def test_a_page_may_show_markers(documented: Project) -> None:
    example = "A point.\n\n        <!-- tschema: file -->\n        <!-- tschema: end -->\n"
    documented.schema.write_text(SCHEMA.replace("A point.\n", example))
    assert documented.run("gen").status == 0
    page = documented.root / "generated/docs/toy.ir.md"
    assert page.read_text().count("<!-- tschema: file -->") == 2
    assert documented.run("gen", "--check").status == 0


def test_a_last_line_end_that_an_editor_took_is_written_again(project: Project) -> None:
    config = '[cpp]\ninclude = "generated/include"\nsource = "generated/src"\n'
    (project.root / "tschema.toml").write_text(CONFIG + config + '[docs]\ndir = "generated/docs"\n')
    project.run("gen")
    clean = {path: data for path, (data, _) in project.state().items() if data}
    for path, data in clean.items():
        Path(path).write_bytes(data.removesuffix(b"\n"))
    result = project.run("gen")
    assert (result.status, result.err) == (0, "")
    assert {path: Path(path).read_bytes() for path in clean} == clean
