"""A small project, and a way to run the command in it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tschema.cli.main import main

CONFIG = """\
package = "toy"
schema = ["schema"]

[python]
dir = "generated/python"
"""

IN_PLACE_CONFIG = """\
package = "toy"
schema = ["schema"]

[cpp]
mode = "in_place"
files = ["include/**/*.h"]
sidecar = "src/tschema"
"""

SCHEMA = '''\
"""Nodes."""

from tschema import Object, declare, ty


@declare
class PointNode(Object):
    """
    A point.

    Attributes
    ----------
    x
        Its place.
    """

    type_key = "toy.ir.Point"
    x: ty.int64_t


@declare
class LabelNode(Object):
    """
    A label.

    Attributes
    ----------
    text
        What it says.
    """

    type_key = "toy.ir.Label"
    text: ty.String
'''


@dataclass
class Result:
    """What a run of the command came to."""

    status: int
    out: str
    err: str


@dataclass
class Project:
    """A project with one schema file."""

    root: Path
    run: Callable[..., Result]

    @property
    def schema(self) -> Path:
        """The schema file."""
        return self.root / "schema" / "ir" / "shape.py"

    @property
    def output(self) -> Path:
        """The Python file that is generated from it."""
        return self.root / "generated" / "python" / "toy_nodes" / "ir" / "shape.py"

    def state(self) -> dict[str, tuple[bytes, int]]:
        """Return bytes and modification time of every generated file."""
        files = (path for path in (self.root / "generated").rglob("*") if path.is_file())
        return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


def replace(path: Path, before: str, after: str) -> None:
    """Replace text of a file, which must be there."""
    text = path.read_bytes()
    assert before.encode() in text
    path.write_bytes(text.replace(before.encode(), after.encode(), 1))


def command_runner(capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """Return a function that runs the command in the working directory."""

    def run(*arguments: str) -> Result:
        try:
            status = main(arguments)
        except SystemExit as stop:
            status = int(stop.code or 0)
        captured = capsys.readouterr()
        return Result(status, captured.out, captured.err)

    return run


@pytest.fixture
def project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Project:
    """Make a project in the working directory."""
    monkeypatch.chdir(tmp_path)
    made = Project(tmp_path, command_runner(capsys))
    made.schema.parent.mkdir(parents=True)
    made.schema.write_text(SCHEMA)
    (tmp_path / "tschema.toml").write_text(CONFIG)
    return made


@pytest.fixture
def nested_project(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Return the project in a subfolder of a repository of git."""
    root = project.root / "project"
    content = list(project.root.iterdir())
    root.mkdir()
    for path in content:
        path.rename(root / path.name)
    subprocess.run(
        ["git", "init", "--quiet", "--initial-branch=main"], cwd=project.root, check=True
    )
    monkeypatch.chdir(root)
    return Project(root, project.run)
