"""The workflow that builds wheels: what it calls is here, and its pins are those of the project."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import version
from typing import Any

import pytest
import yaml

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from ..support.project import ROOT

JOBS: dict[str, Any] = yaml.safe_load((ROOT / ".github/workflows/wheels.yml").read_text())["jobs"]
LINES = [step["run"] for job in JOBS.values() for step in job["steps"] if "run" in step]
PROJECTS = ["pyproject.toml", "python/pyproject.toml"]


def settings(project: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / project).read_text())


def test_scripts_and_targets_exist() -> None:
    targets = {line.split()[1] for line in LINES if line.startswith("make ")}
    assert {f"\n{target}:" in (ROOT / "Makefile").read_text() for target in targets} == {True}
    scripts = {word for line in LINES for word in re.findall(r"(?:scripts|\.ci)/\w[\w.]*", line)}
    assert len(scripts) >= 4
    assert [script for script in scripts if not (ROOT / script).is_file()] == []


def test_every_kind_of_package_is_built_and_all_is_run() -> None:
    text = "\n".join(LINES)
    for needed in (".ci/run", "make test-deep", "build --sdist", "cibuildwheel", "check_installed"):
        assert needed in text
    assert JOBS["wheels"]["strategy"]["matrix"]["project"] == [".", "python"]
    pythons = JOBS["installed"]["strategy"]["matrix"]["python"]
    assert settings(PROJECTS[0])["project"]["requires-python"] == f">={pythons[0]}"
    assert "3.14t" in pythons


def test_pins_are_those_of_the_project() -> None:
    (pinned,) = {pin for line in LINES for pin in re.findall(r"apache-tvm-ffi==\S+", line)}
    assert pinned == f"apache-tvm-ffi=={version('apache-tvm-ffi')}"


@pytest.mark.parametrize("project", PROJECTS)
def test_wheels_bring_no_library_of_another_package(project: str) -> None:
    """As `make wheel`, on each system by the name that the library has there."""
    wheel = settings(project)["tool"]["cibuildwheel"]
    makefile = (ROOT / "Makefile").read_text()
    for name in ("libtvm_ffi.so", "libtschema.so"):
        assert f"--exclude {name}" in makefile
        assert f"--exclude {name}" in wheel["linux"]["repair-wheel-command"]
    assert "--exclude libtvm_ffi --exclude libtschema" in wheel["macos"]["repair-wheel-command"]
    assert "--exclude tvm_ffi.dll;tschema.dll" in wheel["windows"]["repair-wheel-command"]


def test_both_distributions_are_built_alike() -> None:
    first, second = (settings(project)["tool"]["cibuildwheel"] for project in PROJECTS)
    assert first == second


def test_what_tries_the_wheels_passes_here() -> None:
    program = ROOT / "scripts/check_installed.py"
    done = subprocess.run([sys.executable, program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(": 8 threads x 300 nodes\n")
