"""Hand edits of generated text, through the whole command: `--adopt` and what it refuses."""

from __future__ import annotations

from .conftest import Project, replace


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
