"""Imported packages that are missing are reported where the configuration names them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tschema.diagnostics.errors import SchemaError, render
from tschema.project.config import load_config
from tschema.project.packages import find_imports

NAMED = """\
package = "toy"
schema = ["schema"]
imports = [
  "bsae",
  "{}",
]
"""


def faults(path: Path) -> str:
    """Return the faults of the imports of a project, as text."""
    with pytest.raises(SchemaError) as caught:
        find_imports(load_config(path))
    return "\n".join(render(one) for one in caught.value.diagnostics)


def test_each_package_is_reported_in_its_place(tmp_path: Path) -> None:
    (tmp_path / "tschema.toml").write_text(NAMED.format("json"))
    assert faults(tmp_path / "tschema.toml").startswith(
        "tschema.toml:4:3: error[TS054]: imported package `bsae` is not installed\n"
        '    4 |   "bsae",\n'
        "      |   ^^^^^^\n"
        "  help: pip install bsae\n"
        "tschema.toml:5:3: error[TS054]: imported package `json` ships no schema\n"
    )


def test_a_project_in_pyproject(tmp_path: Path) -> None:
    text = '[project]\nname = "toy"\n[tool.tschema]\npackage = "toy"\nschema = ["schema"]\n'
    (tmp_path / "pyproject.toml").write_text(text + "imports = ['bsae']\n")
    assert faults(tmp_path / "pyproject.toml").startswith("pyproject.toml:6:12: error[TS054]")
