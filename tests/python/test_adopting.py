"""The guide `docs/schema/adopting.md` on a code base that passes its tests before and after."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tschema.project.cmake import cmake_args

from .support.precompiled import cmake_options

pytestmark = pytest.mark.deep

ROOT = Path(__file__).resolve().parents[2]
BASE = ROOT / "tests" / "adoption"
BY_HAND = '    register = "hand"\n'
GUIDE = (ROOT / "docs" / "schema" / "adopting.md").read_text()


class CodeBase:
    """A code base in a repository of git."""

    def __init__(self, root: Path) -> None:
        """Copy the code base, and commit it."""
        self.root = root
        shutil.copytree(BASE / "atlas", root)
        (root / ".gitignore").write_text("build*/\n.tschema_cache/\n__pycache__/\n")
        self.run("git", "init", "-q")
        self.commit()

    def run(self, *command: str | Path, **extra: str) -> str:
        """Run a command in it, and return what it prints."""
        environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
        environment |= {"PYTHONPATH": str(ROOT), **extra}
        done = subprocess.run(
            command, cwd=self.root, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout

    def tschema(self, *arguments: str) -> str:
        return self.run(sys.executable, "-m", "tschema", *arguments)

    def commit(self) -> None:
        self.run("git", "add", "-A")
        identity = ("-c", "user.name=Author", "-c", "user.email=author@example.org")
        self.run("git", *identity, "commit", "-qm", "A step")

    def build_and_test(self, folder: str) -> None:
        """Build the library, and run its own tests in C++ and Python."""
        options = ["-G", "Ninja", *cmake_options(), *cmake_args()]
        self.run("cmake", "-S", ".", "-B", folder, *options)
        self.run("cmake", "--build", folder, "--parallel", "2")
        self.run("ctest", "--test-dir", folder, "--output-on-failure")
        places = {
            "ATLAS_LIBRARY_PATH": str(self.root / folder),
            "PYTHONPATH": os.pathsep.join([str(self.root / "python"), str(ROOT)]),
        }
        printed = self.run(sys.executable, "-m", "pytest", "-q", "tests", **places)
        assert "6 passed" in printed

    def changed_lines(self) -> dict[str, tuple[int, int]]:
        """Return how many lines of each file were added and removed since the last commit."""
        rows = (line.split("\t") for line in self.run("git", "diff", "--numstat").splitlines())
        return {path: (int(added), int(removed)) for added, removed, path in rows}


@pytest.fixture(scope="module")
def atlas(tmp_path_factory: pytest.TempPathFactory) -> CodeBase:
    return CodeBase(tmp_path_factory.mktemp("adopting") / "atlas")


def schemas(folder: Path) -> dict[str, str]:
    """Return the text of each schema file."""
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*.py")}


def test_it_builds_and_passes_its_tests_before(atlas: CodeBase) -> None:
    atlas.build_and_test("build-before")


def test_the_steps_of_the_guide(atlas: CodeBase) -> None:
    said = atlas.tschema("init")
    (shown,) = re.findall(r"^\$ tschema init\n(found.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    assert said.startswith(shown)
    library = "build-before/libatlas.so"
    told = atlas.tschema("import", "--headers", "include", "src", "--registry", library)
    assert "30 classes: 30 declared" in told
    assert "30 layouts exact" in told
    assert schemas(atlas.root / "schema") == schemas(BASE / "schema")
    atlas.commit()

    atlas.tschema("gen", "--adopt")
    changed = atlas.changed_lines()
    assert sum(removed for _, removed in changed.values()) == 0
    added = sum(added for added, _ in changed.values())
    told_figures = re.search(r"^\| first diff \| (\d+) files, (\d+) lines", GUIDE, re.MULTILINE)
    assert told_figures is not None
    assert int(told_figures[1]) == len(changed)
    assert int(told_figures[2]) == added
    atlas.commit()
    assert atlas.tschema("gen", "--adopt") == ""
    assert atlas.changed_lines() == {}

    lines = re.findall(r"^    ((?:find_package|target_link|tschema_generate).*)$", said, re.M)
    assert "".join(f"{line}\n" for line in lines) in GUIDE
    with (atlas.root / "CMakeLists.txt").open("a") as stream:
        stream.write("\n".join(["", *lines, ""]))
    atlas.build_and_test("build")
    assert set(atlas.changed_lines()) == {"CMakeLists.txt"}


def test_generated_code_registers_what_the_schema_asks_for(atlas: CodeBase) -> None:
    """Once `register = "hand"` is gone, nothing else differs from what the author registered."""
    taken = CodeBase(atlas.root.with_name("taken"))
    for name in ("schema", "tschema.toml", "include", "src", "CMakeLists.txt"):
        source, target = atlas.root / name, taken.root / name
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        else:
            shutil.copy(source, target)
    for path in (taken.root / "schema").rglob("*.py"):
        # The author registers the name of an operator for reading, and the class as mutable.
        before, marker, behind = path.read_text().partition("class OpNode")
        path.write_text(before.replace(BY_HAND, "") + marker + _all_but_first(behind))
    taken.tschema("gen", "--adopt")
    taken.build_and_test("build")
    before = str(atlas.root / "build-before" / "libatlas.so")
    said = taken.tschema("verify", "--library", "build/libatlas.so", "--against", before)
    first, *asked = said.splitlines()
    assert first.startswith(f"{len(asked)} changes that the schema asks for")
    assert "  `atlas.Point`: its creator was False, and is True" in asked


def _all_but_first(text: str) -> str:
    """Return a text in which only the first class stays by hand."""
    first, mark, rest = text.partition(BY_HAND)
    return first + mark + rest.replace(BY_HAND, "")


def test_what_stays_hand_written_is_what_the_schema_requires(atlas: CodeBase) -> None:
    # It exits with 0, and asks the library what it registers.
    assert atlas.tschema("verify", "--library", "build/libatlas.so") == ""
