"""A run that writes only files of tschema's own, which enters no tool."""

from __future__ import annotations

from ...support.process import run_new_python
from ..conftest import CONFIG, Project

GENERATE = """
import sys
from tschema.cli.main import main

status = main(["gen"])
tools = ("adoption", "compatibility", "conflicts", "editing", "importer")
names = [name.split(".") for name in sys.modules if name.startswith("tschema.")]
print(status, *sorted(".".join(parts[1:]) for parts in names if parts[1] in tools))
"""
RUST = """
[rust]
mode = "in_place"
files = ["rust/*.rs"]
sidecar = "rust/side"
"""
CHOICE = ["adoption", "adoption.plan"]
"""The module that chooses the flow, and its package."""


def generate() -> list[str]:
    """Return the exit status and the modules of tools that a run imports."""
    return run_new_python(GENERATE).splitlines()[-1].split()


def test_a_plain_run_imports_no_tool(project: Project) -> None:
    assert generate() == ["0", *CHOICE]
    assert project.output.exists()


def test_a_run_that_writes_in_place_imports_the_tool(project: Project) -> None:
    (project.root / "tschema.toml").write_text(CONFIG + RUST)
    (project.root / "rust").mkdir()
    names = ("PointNode", "Point", "LabelNode", "Label")
    text = "".join(f"// tschema: {name}\n// tschema: end\n" for name in names)
    (project.root / "rust" / "shape.rs").write_text(text)
    status, *modules = generate()
    assert status == "0"
    tools = {"adoption.user_files", "adoption.inplace.fill", "conflicts.conflicted_files"}
    assert tools < {*modules}
