"""README's page for newcomers is run: from an empty folder to a node in three languages."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import pytest

from tschema.pipeline.new_project import new_project

from .support.commands import run_bash

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
SCRIPT = "".join(re.findall(r"^```bash\n(.*?)^```$", README, re.MULTILINE | re.DOTALL))


def commands() -> list[str]:
    """Return the commands; every line is one."""
    return SCRIPT.strip().splitlines()


def run_page(folder: Path) -> str:
    """Run the page in a folder as a newcomer does, and without a network; return what it prints."""
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "CARGO_TARGET_DIR": str(ROOT / "build" / "cargo"),
        "CARGO_NET_OFFLINE": "true",
    }
    return run_bash(SCRIPT, folder, environment)


@dataclass(frozen=True)
class Followed:
    """A folder in which the page was run, and what it printed."""

    folder: Path
    printed: str


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Followed:
    """Run the page once."""
    folder = tmp_path_factory.mktemp("newcomer")
    return Followed(folder, run_page(folder))


def test_there_are_a_few_simple_commands() -> None:
    assert 0 < len(commands()) <= 6, commands()
    assert not [line for line in commands() if re.search("[;&|<>]", line)]


def test_page_shows_the_node_that_it_makes(tmp_path: Path) -> None:
    (shown,) = re.findall(r"^```python\n(@declare\nclass CircleNode.*?)^```$", README, re.M | re.S)
    assert new_project("toy")[PurePosixPath("schema/shape.py")].decode().endswith(shown)


def test_the_build_is_fast_code_without_warnings(followed: Followed) -> None:
    build = followed.folder / "toy" / "build"
    assert "Warning" not in followed.printed
    assert "deprecated" not in followed.printed
    assert (build / "compile_commands.json").is_file()
    assert "CMAKE_BUILD_TYPE:STRING=Release\n" in (build / "CMakeCache.txt").read_text()


def test_page_leads_to_a_node_in_three_languages(followed: Followed) -> None:
    shown = re.search(r"^Both print ([\d.]+\d)", README, re.MULTILINE)
    assert shown is not None
    *_, python, rust = followed.printed.splitlines()
    assert python == rust == shown[1]


def test_the_project_has_tests_that_pass_and_can_fail(followed: Followed) -> None:
    toy = followed.folder / "toy"
    assert "3 passed" in run_tests(toy)
    test = toy / "tests" / "test_shape.py"
    text = test.read_text().replace("12.56637061435916", "12.5")
    test.write_text(text.replace("load_json(save_json(circle))", "Circle(3.0)"))
    printed = run_tests(toy)
    assert "2 failed, 1 passed" in printed
    assert "not structurally equal: <root>.radius: 3 != 2" in printed
    assert "toy.Circle(radius=3.0)" in printed


def run_tests(folder: Path) -> str:
    """Run the tests of a project, and return what they print."""
    command = [sys.executable, "-m", "pytest", "-q"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout


def test_building_again_compiles_what_depends_on_the_schema(followed: Followed) -> None:
    assert "Building" not in build(followed.folder)
    schema = followed.folder / "toy/schema/shape.py"
    schema.write_text(schema.read_text().replace("radius: ty.float64", "radius: ty.float32"))
    assert "shape.cc" in build(followed.folder)


def build(folder: Path) -> str:
    return subprocess.run(
        ["cmake", "--build", "build"],
        cwd=folder / "toy",
        check=True,
        capture_output=True,
        text=True,
    ).stdout
