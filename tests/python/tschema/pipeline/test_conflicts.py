"""`tschema gen` after a merge with conflicts: what is resolved, what is left, and what is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..conftest import CONFIG, Project, replace
from .repository import Repository, begin, git

pytestmark = pytest.mark.usefixtures("unformatted")

IN_PLACE = """\
package = "toy"
schema = ["schema"]

[rust]
mode = "in_place"
files = ["rust/*.rs"]
sidecar = "rust/side"
"""
BLOCKS = "".join(
    f"// tschema: {name}\n// tschema: end\n\n"
    for name in ("PointNode", "Point", "LabelNode", "Label")
)


@pytest.fixture
def repository(project: Project) -> Repository:
    """Return a project in a repository."""
    return begin(project)


def point_and_label(repository: Repository, ours: str, theirs: str) -> None:
    """Make branches that change both classes, and a line of hand-written code each."""
    project = repository.project

    def change_ours() -> None:
        fields = '    x: ty.int64_t\n    y: ty.int64_t = field(default=0, doc="Its height.")\n'
        replace(project.schema, "    x: ty.int64_t\n", fields)
        replace(project.schema, "import Object, declare, ty", "import Object, declare, field, ty")
        repository.edit("one = 1", ours)

    def change_theirs() -> None:
        replace(project.schema, "A point.", "A point of a plane.")
        replace(project.schema, "What it says.", "What it tells.")
        repository.edit("four = 4", theirs)

    repository.branch("ours", change_ours)
    repository.branch("theirs", change_theirs)


def check_fresh(project: Project) -> None:
    """Check that a run with no memory and no digests to rely on would write the same."""
    before = {path: data for path, (data, _) in project.state().items()}
    assert project.run("gen", "--out-dir", "fresh").status == 0
    for path, data in before.items():
        fresh = (project.root / "fresh" / Path(path).relative_to(project.root)).read_bytes()
        if not path.endswith("shape.py"):
            assert data == fresh


@pytest.mark.parametrize(("style", "size"), [("merge", 7), ("diff3", 20), ("zdiff3", 4)])
def test_conflicts_in_generated_text_are_resolved(
    repository: Repository, style: str, size: int
) -> None:
    project = repository.project
    (project.root / ".gitattributes").write_text(f"* conflict-marker-size={size}\n")
    repository.commit("attributes")
    repository.git("config", "merge.conflictStyle", style)
    point_and_label(repository, "one = 10", "four = 40")
    assert repository.merge() == 1
    assert "<" * size + " HEAD\n" in repository.output.read_text()
    assert "<" * size + " HEAD\n" in (project.root / "generated/schema.json").read_text()
    done = project.run("gen")
    assert (done.status, done.err) == (0, "")
    assert project.run("gen", "--check").status == 0
    text = repository.output.read_text()
    assert "    one = 10\n    two = 2\n    three = 3\n    four = 40\n" in text
    assert "y: int = 0" in text
    assert "A point of a plane." in text
    check_fresh(project)


def test_a_real_conflict_is_left_where_it_is(repository: Repository) -> None:
    project = repository.project
    repository.git("config", "merge.conflictStyle", "diff3")
    point_and_label(repository, "one = 10", "four = 4\n    five = 5")
    repository.git("checkout", "theirs")
    repository.edit("one = 1\n", "one = 11\n")
    repository.git("commit", "--all", "--amend", "--no-edit")
    assert repository.merge() == 1
    left = project.run("gen")
    assert left.status == 1
    text = repository.output.read_text()
    line = text[: text.index("<<<<<<<")].count("\n") + 1
    message = "both sides of the merge changed the custom region of block `Point`"
    assert f"toy_nodes/ir/shape.py:{line}:1: error[TS170]: {message}\n" in left.err
    assert left.err.endswith("tschema: 1 conflict left in custom regions\n")
    assert text.count("<<<<<<<") == 1
    assert "<<<<<<< HEAD\n    one = 10\n|||||||" in text
    assert "=======\n    one = 11\n>>>>>>> theirs\n    two = 2\n" in text
    assert "    four = 4\n    five = 5\n" in text
    for again in ("gen", "gen --check", "gen --diff", "gen --dry-run"):
        told = project.run(*again.split())
        assert told.status == 1
        assert "error[TS170]" in told.err
        assert repository.output.read_text() == text
    repository.output.write_text(
        text[: text.index("<<<<<<<")] + "    one = 12\n" + text[text.index("    two = 2") :]
    )
    done = project.run("gen")
    assert (done.status, done.err) == (0, "")
    assert project.run("gen", "--check").status == 0


def test_what_people_resolved_stays(repository: Repository) -> None:
    project = repository.project
    point_and_label(repository, "one = 10", "one = 11")
    replace_theirs = "    one = 1\n", "    one = 11\n"
    repository.git("checkout", "theirs")
    repository.edit(*replace_theirs)
    repository.git("commit", "--all", "--amend", "--no-edit")
    assert repository.merge() == 1
    assert project.run("gen").status == 1
    text = repository.output.read_text()
    before, _, rest = text.partition("<<<<<<< HEAD\n")
    after = rest.partition(">>>>>>> theirs\n")[2]
    repository.output.write_text(f"{before}    one = 12\n{after}")
    assert project.run("gen").status == 0
    assert "    one = 12\n    two = 2\n" in repository.output.read_text()
    repository.git("add", "--all")
    assert project.run("gen", "--check").status == 0


def test_files_that_were_added_with_their_markers(repository: Repository) -> None:
    project = repository.project
    point_and_label(repository, "one = 10", "four = 40")
    assert repository.merge() == 1
    repository.git("add", "--all")
    assert project.run("gen").status == 0
    assert "    one = 10\n    two = 2\n    three = 3\n    four = 40\n" in (
        repository.output.read_text()
    )


def test_markers_without_git(repository: Repository, tmp_path: Path) -> None:
    project = repository.project
    point_and_label(repository, "one = 10", "four = 40")
    assert repository.merge() == 1
    (project.root / ".git").rename(project.root / "elsewhere")
    assert project.run("gen").status == 0
    assert "    one = 10\n    two = 2\n    three = 3\n    four = 40\n" in (
        repository.output.read_text()
    )


@pytest.mark.parametrize("side", ["--ours", "--theirs"])
def test_a_side_that_was_checked_out_lacks_nothing_of_the_other(
    repository: Repository, side: str
) -> None:
    project = repository.project
    point_and_label(repository, "one = 10", "four = 40")
    assert repository.merge() == 1
    repository.git("checkout", side, "--", "generated")
    assert project.run("gen").status == 0
    text = repository.output.read_text()
    assert "    one = 10\n    two = 2\n    three = 3\n    four = 40\n" in text


def test_a_side_that_was_checked_out_in_a_real_conflict_is_kept_and_told(
    repository: Repository,
) -> None:
    project = repository.project
    repository.branch("ours", lambda: repository.edit("one = 1\n", "one = 10\n"))
    repository.branch("theirs", lambda: repository.edit("one = 1\n", "one = 11\n"))
    assert repository.merge() == 1
    repository.git("checkout", "--theirs", "--", "generated")
    done = project.run("gen")
    assert done.status == 0
    message = "the custom region of block `Point` is that of one side of the merge alone"
    assert f"warning[TS170]: {message}\n" in done.err
    assert "one = 11\n" in repository.output.read_text()
    repository.git("add", "--all")
    assert project.run("gen", "--check").err == ""


def test_text_typed_into_generated_text_is_no_conflict(repository: Repository) -> None:
    project = repository.project
    point_and_label(repository, "one = 10", "four = 40")
    assert repository.merge() == 1
    repository.edit("class Label(", "mine = 1\n\n\nclass Label(")
    before = repository.output.read_bytes()
    stopped = project.run("gen")
    assert stopped.status == 1
    message = "generated text was edited by hand while a conflict was resolved"
    assert f"error[TS065]: {message}" in stopped.err
    assert "\n+mine = 1\n" in stopped.err
    assert repository.output.read_bytes() == before
    assert project.run("gen", "--discard").status == 0
    assert "mine = 1" not in repository.output.read_text()


def test_an_edit_by_hand_in_a_branch_is_still_told(repository: Repository) -> None:
    project = repository.project
    point_and_label(repository, "one = 10", "four = 40")
    repository.git("checkout", "theirs")
    repository.edit("class Label(", "mine = 1\n\n\nclass Label(")
    repository.git("commit", "--all", "--amend", "--no-edit")
    assert repository.merge("--strategy-option=theirs", "--no-edit") == 0
    assert project.run("gen").status == 1


def test_a_conflict_in_the_schema_is_located(repository: Repository) -> None:
    project = repository.project
    schema = project.schema
    repository.branch("ours", lambda: replace(schema, "A point.", "A place."))
    repository.branch("theirs", lambda: replace(schema, "A point.", "A spot."))
    assert repository.merge() == 1
    before = project.state()
    refused = project.run("gen")
    assert refused.status == 2
    line = schema.read_text()[: schema.read_text().index("<<<<<<<")].count("\n") + 1
    assert refused.err.count("error[") == 1
    assert f"schema/ir/shape.py:{line}:1: error[TS171]: a conflict of a merge" in refused.err
    assert project.state() == before
    torn = "<<<<<<< HEAD\n    A place.\n=======\n    A spot.\n>>>>>>> theirs\n"
    replace(schema, torn, "    A dot.\n")
    assert project.run("gen").status == 0
    assert "A dot." in repository.output.read_text()


def test_a_conflict_in_the_configuration_is_located(project: Project) -> None:
    config = '<<<<<<< HEAD\npackage = "toy"\n=======\npackage = "joy"\n>>>>>>> theirs\n'
    (project.root / "tschema.toml").write_text(CONFIG.replace('package = "toy"\n', config))
    refused = project.run("gen")
    assert refused.status == 2
    assert "tschema.toml:1:1: error[TS171]: a conflict of a merge" in refused.err


def test_a_class_that_one_side_removed_and_the_other_wrote_in(repository: Repository) -> None:
    project = repository.project
    assert repository.remove_and_write() == 1
    before = project.state()
    told = project.run("gen")
    assert told.status == 2
    assert "error[TS064]: block `Label` has left the schema" in told.err
    assert "note: this would be lost:\n        mine = 1\n" in told.err
    assert project.state() == before


def test_a_class_that_one_side_moved_and_the_other_wrote_in(repository: Repository) -> None:
    project = repository.project
    other = project.schema.with_name("other.py")

    def move() -> None:
        text = project.schema.read_text()
        at = text.index("\n\n@declare\nclass LabelNode")
        point = text.index("\n\n@declare\nclass PointNode")
        other.write_text(text[:point] + text[point:at])
        project.schema.write_text(text[:point] + text[at:])

    repository.branch("ours", move)
    repository.branch("theirs", lambda: repository.edit("two = 2", "two = 22"))
    repository.merge()
    done = project.run("gen")
    assert (done.status, done.err) == (0, "")
    assert "two = 22\n" in repository.output.with_name("other.py").read_text()
    assert "two" not in repository.output.read_text()


def test_a_file_that_one_side_moved_as_a_whole(repository: Repository) -> None:
    project = repository.project
    other = project.schema.with_name("other.py")

    def move() -> None:
        project.schema.rename(other)
        replace(other, "A point.", "A point of a plane.")

    repository.branch("ours", move)
    repository.branch("theirs", lambda: repository.edit("two = 2", "two = 22"))
    # This strategy does not find renamed files, as the others do not once a file changed enough.
    assert repository.merge("--no-edit", "--strategy=resolve") == 1
    done = project.run("gen")
    assert (done.status, done.err) == (0, "")
    assert "two = 22\n" in repository.output.with_name("other.py").read_text()
    assert not repository.output.exists()


@pytest.mark.parametrize("way", ["rebase", "cherry-pick", "stash"])
def test_other_ways_to_merge(repository: Repository, way: str) -> None:
    project = repository.project
    point_and_label(repository, "one = 10", "four = 40")
    repository.git("checkout", "ours")
    if way == "stash":
        repository.git("checkout", "main")
        repository.git("checkout", "theirs", "--", ".")
        repository.git("stash")
        repository.git("checkout", "ours")
        assert git(project.root, "stash", "pop").returncode == 1
    elif way == "rebase":
        assert git(project.root, "rebase", "theirs").returncode == 1
    else:
        assert git(project.root, "cherry-pick", "theirs").returncode == 1
    assert project.run("gen").status == 0
    text = repository.output.read_text()
    assert "    one = 10\n    two = 2\n    three = 3\n    four = 40\n" in text
    check_fresh(project)


def test_a_resolution_that_git_remembers(repository: Repository) -> None:
    project = repository.project
    repository.git("config", "rerere.enabled", "true")
    point_and_label(repository, "one = 10", "one = 11")
    repository.git("checkout", "theirs")
    repository.edit("    one = 1\n", "    one = 11\n")
    repository.git("commit", "--all", "--amend", "--no-edit")
    assert repository.merge() == 1
    assert project.run("gen").status == 1
    text = repository.output.read_text()
    before, _, rest = text.partition("<<<<<<< HEAD\n")
    repository.output.write_text(f"{before}    one = 12\n{rest.partition('>>>>>>> theirs')[2][1:]}")
    repository.commit("merged")
    resolved = project.state()
    repository.git("reset", "--hard", "HEAD~1")
    assert repository.merge() == 1
    assert project.run("gen").status == 0
    assert "    one = 12\n    two = 2\n" in repository.output.read_text()
    assert {path: data for path, (data, _) in project.state().items()} == {
        path: data for path, (data, _) in resolved.items()
    }


# -- Files of the user's ------------------------------------------------------------------------


@pytest.fixture
def in_place(project: Project) -> Repository:
    """Return a project whose Rust is written in place, in a repository."""
    (project.root / "tschema.toml").write_text(IN_PLACE)
    (project.root / "rust").mkdir()
    (project.root / "rust" / "lib.rs").write_text(f"//! Mine.\n\n{BLOCKS}// The end.\n")
    repository = Repository(project)
    repository.git("init", "--initial-branch=main")
    (project.root / ".gitignore").write_text(".tschema_cache/\n")
    repository.commit("main")
    return repository


def test_conflicts_outside_of_blocks_are_the_users(in_place: Repository) -> None:
    project = in_place.project
    rust = project.root / "rust" / "lib.rs"

    def change(word: str, doc: str, before: str) -> None:
        replace(rust, "//! Mine.", f"//! {word}.")
        replace(rust, "// The end.", f"// {word}.")
        replace(project.schema, before, doc)

    in_place.branch("ours", lambda: change("Ours", "A dot.", "A point."))
    in_place.branch("theirs", lambda: change("Theirs", "Where it is.", "Its place."))
    assert in_place.merge() == 1
    torn = rust.read_text()
    assert torn.count("<<<<<<<") > 2
    done = project.run("gen")
    assert done.status == 0
    text = rust.read_text()
    top = "<<<<<<< HEAD\n//! Ours.\n=======\n//! Theirs.\n>>>>>>> theirs\n"
    assert text.startswith(top)
    assert text.endswith(top.replace("//!", "//"))
    assert text.count("<<<<<<<") == 2
    assert "/// A dot.\n" in text
    assert "/// Where it is.\n" in text
    assert project.run("gen", "--check").status == 0


def test_classes_that_both_sides_added_at_one_place(in_place: Repository) -> None:
    project = in_place.project
    rust = project.root / "rust" / "lib.rs"

    def add(name: str) -> None:
        text = project.schema.read_text()
        label = text[text.index("\n\n@declare\nclass LabelNode") :].replace("Label", name)
        (project.schema.with_name(f"{name.lower()}.py")).write_text(
            text[: text.index("\n\n@declare")] + label
        )
        begin = f"// tschema: custom-begin\n// Of {name}.\n// tschema: custom-end\n"
        blocks = "".join(
            f"// tschema: {one}\n{begin}// tschema: end\n\n" for one in (f"{name}Node", name)
        )
        replace(rust, "// The end.\n", f"{blocks}// The end.\n")

    in_place.branch("ours", lambda: add("Circle"))
    in_place.branch("theirs", lambda: add("Square"))
    assert in_place.merge() == 1
    assert project.run("gen").status == 0
    text = rust.read_text()
    assert "<<<<<<<" not in text
    for name in ("Circle", "Square"):
        assert text.count(f"// tschema: {name}\n") == text.count(f"pub struct {name}Node") == 1
        assert text.count(f"// Of {name}.\n") == 2
    assert project.run("gen", "--check").status == 0
