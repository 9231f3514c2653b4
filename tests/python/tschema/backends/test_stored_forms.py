"""What the C++ backend registers of older versions: former names, stored values and calls."""

from __future__ import annotations

import subprocess
from pathlib import Path, PurePosixPath

import pytest

from tschema.backends.cpp.backend import emit
from tschema.emit.render import Renderer
from tschema.frontend import parse_schema
from tschema.passes import build_schema
from tschema.project.config import CppTarget
from tschema.project.cxx_toolchain import cxx_args

from ...support.project import ROOT
from ...support.schemas import ROOT_TYPE, build

TARGET = CppTarget("files", PurePosixPath("include"), PurePosixPath("src"))
VERSIONS = ROOT / "tests" / "schema" / "pass" / "versions.py"
ROWS = """constexpr tschema::StoredForm kStoredForms[] = {
    {"toy.Place", "toy.Spot"},
    {"toy.Place", "toy.draft.Point"},
    {"toy.Place", "position", "at"},
    {"toy.Place", "x", "at"},
    {"toy.Place", "weight", ""},
    {"toy.Place", "height", ""},
"""
CALLS = (
    'StoredCalls[] = {\n    {"toy.soften", "toy.smooth"},',
    '{"toy.soften", "toy.soft"},',
    '{"toy.soften", "toy.soften", 2, kSoftenUpgrade2},',
)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the files of a schema with a past, by path."""
    path = tmp_path_factory.mktemp("toy") / "schema" / "nodes.py"
    path.parent.mkdir()
    path.write_text(VERSIONS.read_text())
    declared = parse_schema(path.parents[1], [PurePosixPath("schema")], "toy")
    schema = build_schema("toy", declared, {})[0]
    return {str(file.path): file.text for file in emit(schema, TARGET, Renderer())}


def test_the_registry_has_former_names_and_stored_values(files: dict[str, str]) -> None:
    text = files["src/registry.cc"]
    assert ROWS in text
    assert '{"toy.SoftenAttrs", "toy.SmoothAttrs"},' in text
    assert '{"toy.SoftenAttrs", "beta", "low"},' in text
    assert '{"toy.SoftenAttrs", "kind", ""},' in text
    assert '{"toy.SoftenAttrs", nullptr, "mode", ' in text
    assert "tschema::kFFIVersion, kUnits, kStoredForms};" in text


def test_a_source_has_the_forms_of_stored_calls(files: dict[str, str]) -> None:
    for row in CALLS:
        assert row in files["src/nodes.cc"]


def test_a_schema_without_a_past_has_no_such_tables(tmp_path: Path) -> None:
    schema = build(tmp_path, {"nodes.py": ROOT_TYPE})
    for file in emit(schema, TARGET, Renderer()):
        assert "Stored" not in file.text


def test_the_tables_compile(files: dict[str, str], tmp_path: Path) -> None:
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    include = f"-I{tmp_path / 'include'}"
    for name in ("registry.cc", "nodes.cc"):
        command = ["c++", "-fsyntax-only", include, *cxx_args(), str(tmp_path / "src" / name)]
        done = subprocess.run(command, text=True, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
