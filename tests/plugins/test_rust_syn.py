"""A plugin that is not Python: its code for the whole of uir's schema compiles, and runs."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.long, pytest.mark.deep]

ROOT = Path(__file__).resolve().parents[2]
CRATE = Path(__file__).parent / "rust_syn"
TARGET = ROOT / "build" / "cargo"


def run(*command: str | Path, cwd: Path, input: str | None = None) -> str:
    """Run a command that must succeed; return its output."""
    process = subprocess.run(command, cwd=cwd, input=input, text=True, capture_output=True)
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


@pytest.fixture(scope="module")
def plugin() -> Path:
    """Build the plugin, with the crates that its lock file names."""
    run("cargo", "build", "--quiet", "--locked", "--target-dir", TARGET, cwd=CRATE)
    return TARGET / "debug" / "tschema-plain"


def generate(project: Path, plugin: Path) -> Path:
    """Run `tschema gen` with the plugin; return the root of the crate that it emits."""
    tschema = [sys.executable, "-m", "tschema", "gen"]
    run(*tschema, "--lang", "docs", "--plugin", str(plugin), cwd=project)
    return project / "generated/plain/lib.rs"


def compile_crate(root: Path, folder: Path) -> Path:
    """Compile the emitted crate, in which rustc may find nothing to warn of."""
    library = folder / "libplain.rlib"
    options = ["--edition", "2021", "--crate-type", "rlib", "-D", "warnings"]
    run("rustc", *options, "-o", library, root, cwd=folder)
    return library


def copy_uir(folder: Path) -> Path:
    shutil.copytree(ROOT / "schema", folder / "schema")
    shutil.copyfile(ROOT / "tschema.toml", folder / "tschema.toml")
    return folder


def test_code_of_uir_compiles_and_runs(plugin: Path, tmp_path: Path) -> None:
    library = compile_crate(generate(copy_uir(tmp_path), plugin), tmp_path)
    options = ["--edition", "2021", "-D", "warnings", "--extern", f"plain={library}"]
    run("rustc", *options, "-o", tmp_path / "user", CRATE / "user.rs", cwd=tmp_path)
    assert run(tmp_path / "user", cwd=tmp_path) == "3 1\n"


def test_every_declaration_is_there(plugin: Path, tmp_path: Path) -> None:
    folder = generate(copy_uir(tmp_path), plugin).parent
    text = "".join(path.read_text() for path in folder.glob("*.rs"))
    for space in json.loads((tmp_path / "generated/schema.json").read_text())["namespaces"]:
        for declared in space.get("types", []):
            kind = "enum" if declared["options"].get("abstract") else "struct"
            assert f"pub {kind} {declared['ref']} {{" in text
        for declared in space.get("enums", []):
            assert f"pub enum {declared['name']} {{" in text


def test_field_of_every_type_compiles(plugin: Path, tmp_path: Path) -> None:
    ir = run(
        sys.executable, "-m", "tschema", "ir", "--config", ROOT / "tests/packages/zoo/tschema.toml",
        cwd=tmp_path,
    )  # fmt: skip
    answer = json.loads(run(plugin, cwd=tmp_path, input=ir))
    assert answer["errors"] == []
    for file in answer["files"]:
        path = tmp_path / file["path"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file["text"])
    compile_crate(tmp_path / "generated/plain/lib.rs", tmp_path)


def test_second_run_writes_nothing(plugin: Path, tmp_path: Path) -> None:
    folder = generate(copy_uir(tmp_path), plugin).parent
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    generate(tmp_path, plugin)
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before


def test_schema_that_it_does_not_understand_is_refused(plugin: Path, tmp_path: Path) -> None:
    ir = json.dumps({"version": 2, "package": "toy", "namespaces": []})
    answer = json.loads(run(plugin, cwd=tmp_path, input=ir))
    assert answer == {"files": [], "errors": ["the JSON IR has version 2, expected 1"]}
