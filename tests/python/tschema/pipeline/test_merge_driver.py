"""`tschema merge-driver`: what git does with it, and how it is set up."""

from __future__ import annotations

import re

import pytest

from ..conftest import CONFIG, Project, replace
from ..editing.test_schema_merge import node
from .repository import Repository, begin, git

pytestmark = pytest.mark.usefixtures("unformatted")

ATTRIBUTES = """\
# tschema: generated files, merged by `tschema merge-driver`
schema/**/*.py merge=tschema
generated/python/** merge=tschema linguist-generated
generated/schema.json merge=tschema linguist-generated
# tschema: end
"""


@pytest.fixture
def repository(project: Project) -> Repository:
    """Return a project in a repository that git merges by tschema."""
    made = begin(project)
    assert project.run("merge-driver", "--install").status == 0
    made.commit("driver")
    return made


def change(repository: Repository, name: str, doc: str, region: tuple[str, str]) -> None:
    """Make a branch that changes a doc and a line of hand-written code."""

    def write() -> None:
        replace(repository.project.schema, doc, f"{doc[:-1]}, {name}.")
        repository.edit(*region)

    repository.branch(name, write)


def test_git_has_no_conflict_where_people_have_none(repository: Repository) -> None:
    change(repository, "ours", "A point.", ("one = 1\n", "one = 10\n"))
    change(repository, "theirs", "What it says.", ("four = 4\n", "four = 40\n"))
    assert repository.merge() == 0
    text = repository.output.read_text()
    assert "    one = 10\n    two = 2\n    three = 3\n    four = 40\n" in text
    assert repository.project.run("gen").status == 0
    assert repository.project.run("gen", "--check").status == 0
    assert "    one = 10\n    two = 2\n    three = 3\n    four = 40\n" in (
        repository.output.read_text()
    )


@pytest.mark.parametrize("style", ["merge", "diff3"])
def test_a_real_conflict_is_marked_by_git(repository: Repository, style: str) -> None:
    repository.git("config", "merge.conflictStyle", style)
    change(repository, "ours", "A point.", ("one = 1\n", "one = 10\n"))
    change(repository, "theirs", "What it says.", ("one = 1\n", "one = 11\n"))
    assert repository.merge() == 1
    assert repository.git("diff", "--name-only", "--diff-filter=U").split() == [
        "generated/python/toy_nodes/ir/shape.py"
    ]
    text = repository.output.read_text()
    assert text.count("<<<<<<<") == 1
    assert ("|||||||" in text) == (style == "diff3")
    left = repository.project.run("gen")
    assert left.status == 1
    assert left.err.count("error[TS170]") == 1


def test_a_class_that_one_side_renamed(repository: Repository) -> None:
    project = repository.project

    def rename() -> None:
        text = project.schema.read_text().replace("PointNode", "SpotNode")
        key = '    type_key = "toy.ir.Spot"\n    renamed_from = "PointNode"\n'
        project.schema.write_text(text.replace('    type_key = "toy.ir.Point"\n', key))

    repository.branch("ours", rename)
    repository.branch("theirs", lambda: repository.edit("two = 2", "two = 22"))
    assert repository.merge() == 0
    assert project.run("gen").status == 0
    text = repository.output.read_text()
    assert text.index("class Spot(") < text.index("two = 22\n") < text.index("class Label(")


def test_a_class_that_one_side_removed_and_the_other_wrote_in(repository: Repository) -> None:
    project = repository.project
    assert repository.remove_and_write() == 1
    assert "    mine = 1\n" in repository.output.read_text()
    told = project.run("gen")
    assert told.status == 2
    assert "error[TS064]: block `Label` has left the schema" in told.err


def test_a_rebase_of_many_commits(repository: Repository) -> None:
    project = repository.project
    change(repository, "theirs", "A label.", ("one = 1\n", "one = 10\n"))
    repository.git("checkout", "-b", "ours", "main")
    for number, word in enumerate(("three", "four"), start=3):
        replace(project.schema, "    A point", f"    A point, {word}")
        repository.edit(f"{word} = {number}\n", f"{word} = {number}0\n")
        repository.commit(word)
    assert git(project.root, "rebase", "theirs").returncode == 0
    assert project.run("gen").status == 0
    text = repository.output.read_text()
    assert "    one = 10\n    two = 2\n    three = 30\n    four = 40\n" in text


def test_a_file_without_blocks_merges_as_git_does_it(repository: Repository) -> None:
    path = repository.project.root / "generated" / "python" / "mine.txt"
    path.write_text("1\n2\n3\n")
    repository.commit("mine")
    repository.branch("ours", lambda: replace(path, "1", "I"))
    repository.branch("theirs", lambda: replace(path, "3", "III"))
    assert repository.merge() == 0
    assert path.read_text() == "I\n2\nIII\n"


# -- Schema files ---------------------------------------------------------------------------------


def test_git_merges_two_branches_that_add_a_node_each(repository: Repository) -> None:
    schema = repository.project.schema
    base = schema.read_text()
    first, second = node("First", "x: ty.bool"), node("Second", "x: ty.bool")
    repository.branch("ours", lambda: replace(schema, base, base + first))
    repository.branch("theirs", lambda: replace(schema, base, base + second))
    assert repository.merge() == 0
    assert schema.read_text() == base + first + second
    assert repository.project.run("gen").status == 0
    assert "class Second(" in repository.output.read_text()
    assert repository.git("status", "--porcelain", "--untracked-files=no", "schema") == ""


def test_git_marks_what_is_for_people(repository: Repository) -> None:
    schema = repository.project.schema
    repository.git("config", "merge.conflictStyle", "diff3")
    repository.branch("ours", lambda: replace(schema, "x: ty.int64_t", "x: ty.bool"))
    repository.branch("theirs", lambda: replace(schema, "x: ty.int64_t", "x: ty.String"))
    assert repository.merge() == 1
    text = schema.read_text()
    assert re.search(
        r"<<<<<<< .*\n    x: ty.bool\n\|\|\|\|\|\|\| .*\n    x: ty.int64_t\n"
        r"=======\n    x: ty.String\n>>>>>>> .*\n\n\n@declare\nclass LabelNode",
        text,
    )
    assert "error[TS171]" in repository.project.run("gen").err


# -- Setting it up ------------------------------------------------------------------------------


def test_the_set_up_is_idempotent_and_leaves_the_users_lines(project: Project) -> None:
    made = begin(project)
    attributes = project.root / ".gitattributes"
    attributes.write_bytes(b"*.png binary\n# last")
    first = project.run("merge-driver", "--install")
    assert first.out.splitlines() == [
        "wrote .gitattributes",
        "set merge.tschema.name",
        "set merge.tschema.driver",
    ]
    assert attributes.read_text() == f"*.png binary\n# last\n{ATTRIBUTES}"
    again = project.run("merge-driver", "--install")
    assert (again.status, again.out) == (0, "git merges generated files by tschema already\n")
    attributes.write_text(attributes.read_text() + "*.jpg binary\n")
    (project.root / "tschema.toml").write_text(CONFIG + '[docs]\ndir = "reference"\n')
    assert project.run("merge-driver", "--install").out == "wrote .gitattributes\n"
    docs = "reference/** merge=tschema linguist-generated\n"
    expected = ATTRIBUTES.replace("# tschema: end\n", f"{docs}# tschema: end\n")
    assert attributes.read_text() == f"*.png binary\n# last\n{expected}*.jpg binary\n"
    driver = made.git("config", "merge.tschema.driver")
    assert "tschema merge-driver %O %A %B %L %P" in driver


def test_lines_of_another_system(project: Project) -> None:
    begin(project)
    (project.root / ".gitattributes").write_bytes(b"*.png binary\r\n")
    project.run("merge-driver", "--install")
    text = (project.root / ".gitattributes").read_bytes()
    assert text == b"*.png binary\r\n" + ATTRIBUTES.replace("\n", "\r\n").encode()
    project.run("merge-driver", "--install")
    assert (project.root / ".gitattributes").read_bytes() == text


def test_hand_written_files_among_generated_ones(project: Project) -> None:
    (project.root / "tschema.toml").write_text(
        'package = "toy"\nschema = ["schema"]\nir = "toy/schema.json"\n[python]\ndir = "toy"\n'
        '[rust]\nmode = "in_place"\nfiles = ["src/my code/**/*.rs"]\nsidecar = "src/tschema"\n'
    )
    (project.root / "src" / "my code").mkdir(parents=True)
    blocks = "".join(
        f"// tschema: {name}\n// tschema: end\n"
        for name in ("PointNode", "Point", "LabelNode", "Label")
    )
    (project.root / "src" / "my code" / "lib.rs").write_text(blocks)
    assert project.run("gen").status == 0
    (project.root / "toy" / "mine.py").write_text("x = 1\n")
    git(project.root, "init")
    assert project.run("merge-driver", "--install").status == 0
    listed = (project.root / ".gitattributes").read_text().splitlines()[1:-1]
    assert listed == [
        "schema/**/*.py merge=tschema",
        '"src/my code/**/*.rs" merge=tschema',
        "src/tschema/** merge=tschema linguist-generated",
        "toy/schema.json merge=tschema linguist-generated",
        "toy/toy_nodes/** merge=tschema linguist-generated",
    ]

    def attribute(path: str, name: str) -> str:
        return git(project.root, "check-attr", name, "--", path).stdout.split()[-1]

    assert attribute("src/my code/a/b.rs", "merge") == "tschema"
    assert attribute("src/my code/lib.rs", "linguist-generated") == "unspecified"
    assert attribute("toy/toy_nodes/ir/shape.py", "linguist-generated") == "set"
    assert attribute("toy/mine.py", "merge") == "unspecified"


def test_a_project_in_a_subfolder_and_a_second_working_tree(
    nested_project: Project,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    project = nested_project
    outer = project.root.parent
    (project.root / ".gitignore").write_text(".tschema_cache/\n")
    monkeypatch.chdir(project.root / "schema")
    assert project.run("merge-driver", "--install").status == 0
    assert (project.root / ".gitattributes").read_text() == ATTRIBUTES
    assert project.run("gen").status == 0
    git(outer, "add", project.root.name)
    git(outer, "commit", "--message", "all")
    second = tmp_path_factory.mktemp("second") / "tree"
    assert git(outer, "worktree", "add", str(second)).returncode == 0
    monkeypatch.chdir(second / project.root.name)
    again = project.run("merge-driver", "--install")
    assert again.out == "git merges generated files by tschema already\n"


def test_without_a_repository(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(project.root.parent))
    refused = project.run("merge-driver", "--install")
    assert refused.status == 2
    assert "error[TS173]" in refused.err
    assert not (project.root / ".gitattributes").exists()


def test_too_few_arguments(project: Project) -> None:
    refused = project.run("merge-driver", "a", "b")
    assert refused.status == 2
    assert "--install" in refused.err


def test_without_tschema_git_merges_text(repository: Repository) -> None:
    driver = repository.git("config", "merge.tschema.driver").strip()
    gone = driver.replace("test -x ", "test -x /gone").replace("command -v tschema", "false")
    repository.git("config", "merge.tschema.driver", gone)
    change(repository, "ours", "A point.", ("one = 1\n", "one = 10\n"))
    change(repository, "theirs", "What it says.", ("four = 4\n", "four = 40\n"))
    assert repository.merge() == 1
    assert "<<<<<<<" in (repository.project.root / "generated" / "schema.json").read_text()
    assert repository.project.run("gen").status == 0
    assert "    one = 10\n    two = 2\n    three = 3\n    four = 40\n" in (
        repository.output.read_text()
    )
