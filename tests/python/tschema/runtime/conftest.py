"""What the tests of the object runtime share: declarations, compiled nearby or alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from ...conftest import BuildPackage
from ...support.process import run_python
from ...support.project import ROOT

PROGRAMS = Path(__file__).with_name("programs")

MakeSchema = Callable[..., Path]

CONFIG = """
package = "{package}"
schema = ["schema"]
imports = [{imports}]
ir = "schema.json"

[cpp]
mode = "files"
include = "generated/cpp/include"
source = "generated/cpp/src"
"""


@pytest.fixture(scope="module")
def zoo_schema(build_package: BuildPackage) -> Path:
    """Return the JSON IR of the compiled package `zoo`, near its library."""
    return build_package("zoo").root / "generated" / "schema.json"


@pytest.fixture
def zoo_loaded(zoo_schema: Path, tmp_path: Path) -> Path:
    """Return the declarations of the types of `zoo` alone, where no library is near."""
    document = json.loads(zoo_schema.read_text())
    for space in document["namespaces"]:
        space.pop("functions", None)
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(document))
    return path


def make_schema(
    folder: Path, declarations: str, *, package: str = "small", imports: tuple[str, ...] = ()
) -> Path:
    """Write a project with one schema file, and generate; return its JSON IR."""
    (folder / "schema").mkdir(parents=True)
    quoted = ", ".join(f'"{name}"' for name in imports)
    (folder / "tschema.toml").write_text(CONFIG.format(package=package, imports=quoted))
    (folder / "schema" / "nodes.py").write_text('"""Nodes."""\n' + textwrap.dedent(declarations))
    command = [sys.executable, "-m", "tschema", "gen"]
    process = subprocess.run(command, cwd=folder, env=environment(), text=True, capture_output=True)
    assert process.returncode == 0, process.stderr
    return folder / "schema.json"


def environment() -> dict[str, str]:
    """Return the environment in which the generator of this checkout runs."""
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def run_program(name: str, *arguments: str | Path) -> str:
    """Run a program of `programs`; return what it printed."""
    return run_python((PROGRAMS / name).read_text(), *arguments, path=(PROGRAMS,))
