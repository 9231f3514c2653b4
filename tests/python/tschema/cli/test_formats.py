"""Diagnostics in the formats of `--format`, and several faults at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tschema.cli.report import FORMATS, load_format
from tschema.diagnostics.errors import Diagnostic, Note
from tschema.diagnostics.source import SourceFile, Span

from ..conftest import Project, replace

ROOT = Path(__file__).resolve().parents[4]
SOURCE = SourceFile("schema/a b.py", "first\nsecond line\n")
ERROR = Diagnostic(
    "TS019",
    "error",
    "100% `x`, y:\nz",
    Span(SOURCE, 2, 8, 2, 12),
    (Note("it is here", Span(SOURCE, 1, 1, 1, 6)), Note("nowhere")),
    "rename it",
)
WARNING = Diagnostic("TS036", "warning", "no documentation")
LONG = Diagnostic("TS001", "error", "over lines", Span(SOURCE, 1, 3, 2, 4))


def rendered(name: str, *diagnostics: Diagnostic) -> str:
    return load_format(name)(diagnostics)


def test_three_faults_are_reported_at_once_and_nothing_is_written(project: Project) -> None:
    project.run("gen")
    before = project.state()
    replace(project.schema, "x: ty.int64_t", "x: ty.int46_t")
    replace(project.schema, 'type_key = "toy.ir.Label"', 'type_key = "toy.ir.Point"')
    replace(project.schema, "text: ty.String", "class: ty.String\n    text: ty.Strin")
    broken = project.run("gen")
    assert broken.status == 2
    assert "TS001" in broken.err
    replace(project.schema, "class: ty.String\n    text: ty.Strin", "same_as: ty.String")
    replace(project.schema, "    text\n", "    same_as\n")
    refused = project.run("gen")
    assert refused.status == 2
    assert refused.err == (
        "schema/ir/shape.py:18:8: error[TS012]: unknown type `ty.int46_t` in field `x`\n"
        "   18 |     x: ty.int46_t\n"
        "      |        ^^^^^^^^^^\n"
        "  help: did you mean `ty.int64_t`?\n"
        "schema/ir/shape.py:32:16: error[TS019]: type key `toy.ir.Point` of `LabelNode` is taken\n"
        '   32 |     type_key = "toy.ir.Point"\n'
        "      |                ^^^^^^^^^^^^^^\n"
        "  note: schema/ir/shape.py:17:16: `PointNode` has it here\n"
        "  help: give each class a key of its own\n"
        "schema/ir/shape.py:33:5: error[TS021]: field `same_as` has a name which emitted Python "
        "code uses itself\n"
        "   33 |     same_as: ty.String\n"
        "      |     ^^^^^^^\n"
        "  help: rename it\n"
        "tschema: 3 errors, nothing was written\n"
    )
    assert project.state() == before


@pytest.mark.parametrize("has_run", [False, True], ids=["first", "later"])
def test_the_program_reports_the_faults_of_every_file(project: Project, has_run: bool) -> None:
    """A wrong word, a wrong type and a key that is taken, in three files and in one run."""
    targets = '[cpp]\ninclude = "out"\nsource = "out"\n[rust]\ndir = "out"\n[docs]\ndir = "out"\n'
    with (project.root / "tschema.toml").open("a") as stream:
        stream.write(targets)
    if has_run:
        assert program(project).returncode == 0
        replace(project.output, "custom-begin\n", "custom-begin\nMINE = 1\n")
    replace(project.schema, "x: ty.int64_t", "x: ty.int46_t")
    for name, field in (("open", "x: ty.List[("), ("twin", "x: ty.int64_t")):
        text = f'{HEAD}\n    type_key = "toy.ir.Label"\n    {field}\n'
        project.schema.with_stem(name).write_text(text)
    before = everything(project)
    refused = program(project)
    assert refused.returncode == 2
    assert refused.stdout == ""
    assert refused.stderr == FAULTS
    assert everything(project) == before


HEAD = """\
\"\"\"More.\"\"\"

from tschema import Object, declare, ty


@declare
class MoreNode(Object):
    \"\"\"More.\"\"\"
"""
FAULTS = """\
schema/ir/open.py:11:16: error[TS001]: syntax error: '(' was never closed
   11 |     x: ty.List[(
      |                ^
  help: `tschema explain TS001` has an example
schema/ir/shape.py:18:8: error[TS012]: unknown type `ty.int46_t` in field `x`
   18 |     x: ty.int46_t
      |        ^^^^^^^^^^
  help: did you mean `ty.int64_t`?
schema/ir/twin.py:10:16: error[TS019]: type key `toy.ir.Label` of `MoreNode` is taken
   10 |     type_key = "toy.ir.Label"
      |                ^^^^^^^^^^^^^^
  note: schema/ir/shape.py:32:16: `LabelNode` has it here
  help: give each class a key of its own
tschema: 3 errors, nothing was written
"""


def program(project: Project) -> subprocess.CompletedProcess[str]:
    """Run `tschema gen` as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "tschema", "gen"],
        cwd=project.root,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )


def everything(project: Project) -> dict[str, tuple[bytes, int]]:
    """Return bytes and modification time of every file of the project, hidden ones too."""
    files = [path for path in project.root.rglob("*") if path.is_file()]
    return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


def test_json_holds_all_of_a_diagnostic() -> None:
    document = json.loads(rendered("json", ERROR, WARNING))
    assert document["version"] == 1
    error, warning = document["diagnostics"]
    assert error == {
        "code": "TS019",
        "severity": "error",
        "message": "100% `x`, y:\nz",
        "help": "rename it",
        "span": {
            "path": "schema/a b.py",
            "line": 2,
            "column": 8,
            "end_line": 2,
            "end_column": 12,
        },
        "notes": [
            {
                "message": "it is here",
                "span": {
                    "path": "schema/a b.py",
                    "line": 1,
                    "column": 1,
                    "end_line": 1,
                    "end_column": 6,
                },
            },
            {"message": "nowhere", "span": None},
        ],
        "fix": None,
    }
    assert (warning["severity"], warning["span"], warning["notes"]) == ("warning", None, [])


def test_github_commands_are_escaped() -> None:
    assert rendered("github", ERROR, WARNING, LONG) == (
        "::error file=schema/a b.py,line=2,endLine=2,col=8,endColumn=11,"
        "title=TS019%3A duplicate type key::100%25 `x`, y:%0Az%0A"
        "note: schema/a b.py:1:1: it is here%0Anote: nowhere%0Ahelp: rename it\n"
        "::warning title=TS036%3A missing documentation::no documentation\n"
        "::error file=schema/a b.py,line=1,endLine=2,title=TS001%3A syntax error::over lines\n"
    )


def check(value: object, *, required: dict[str, type], where: str) -> dict[str, Any]:
    """Require the properties that the SARIF schema requires of an object."""
    assert isinstance(value, dict), where
    for name, kind in required.items():
        assert isinstance(value.get(name), kind), f"{where}.{name}"
    return value


def check_location(value: object, where: str) -> None:
    location = check(value, required={"physicalLocation": dict}, where=where)
    physical = location["physicalLocation"]
    artifact = check(physical["artifactLocation"], required={"uri": str}, where=where)
    assert " " not in artifact["uri"]
    region = check(physical["region"], required={"startLine": int}, where=where)
    assert all(number >= 1 for number in region.values())
    assert set(region) <= {"startLine", "startColumn", "endLine", "endColumn"}


def test_sarif_is_valid_in_its_main_parts() -> None:
    log = check(
        json.loads(rendered("sarif", ERROR, WARNING, LONG)),
        required={"version": str, "runs": list, "$schema": str},
        where="log",
    )
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    driver = check(run["tool"]["driver"], required={"name": str, "rules": list}, where="driver")
    ids = [check(rule, required={"id": str}, where="rule")["id"] for rule in driver["rules"]]
    assert ids == ["TS001", "TS019", "TS036"]
    results = check(run, required={"results": list}, where="run")["results"]
    for result in results:
        check(result, required={"message": dict, "ruleId": str, "level": str}, where="result")
        assert result["level"] in ("none", "note", "warning", "error")
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert result["message"]["text"]
        for location in result["locations"] + result.get("relatedLocations", []):
            check_location(location, "location")
    assert len(results) == 3
    assert results[0]["relatedLocations"][0]["message"]["text"] == "it is here"
    assert "nowhere" in results[0]["message"]["text"]
    assert "it is here" not in results[0]["message"]["text"]
    assert results[1]["locations"] == []


@pytest.mark.parametrize(
    ("format", "read"), [("json", json.loads), ("sarif", json.loads), ("github", str)]
)
def test_programs_read_the_diagnostics_from_standard_output(
    project: Project, format: str, read: Callable[[str], object]
) -> None:
    replace(project.schema, "ty.int64_t", "ty.int46_t")
    refused = project.run("gen", "--format", format)
    assert refused.status == 2
    assert "TS012" in str(read(refused.out))
    assert refused.err == "tschema: 1 error, nothing was written\n"


@pytest.mark.parametrize("format", ["json", "sarif"])
def test_a_document_is_written_where_all_is_well_too(project: Project, format: str) -> None:
    done = project.run("gen", "--format", format)
    assert done.status == 0
    assert json.loads(done.out)
    assert done.err.startswith("wrote ")


def test_outdated_files_are_diagnostics_for_programs(project: Project) -> None:
    project.run("gen")
    replace(project.schema, "Its place.", "Its position.")
    checked = project.run("gen", "--check", "--format", "github")
    assert checked.status == 1
    assert "::error file=generated/python/toy_nodes/ir/shape.py,line=1," in checked.out
    assert "is out of date" in checked.out
    for format, read in (("json", json.loads), ("sarif", json.loads)):
        found = project.run("gen", "--check", "--format", format)
        assert found.status == 1
        assert "TS067" in str(read(found.out))


def test_every_format_can_be_loaded() -> None:
    assert [name for name in FORMATS if not callable(load_format(name))] == []
