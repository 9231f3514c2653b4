"""`tschema explain`: every code, and that each example shows just its own fault."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.python.support.precompiled import cxx_flags
from tschema.diagnostics.explain import Explanation, Kind, explanations, titles

from ..conftest import CONFIG, SCHEMA, Project
from .examples import HEADER, commands_of, files_of

ROOT = Path(__file__).resolve().parents[4]
BOUND = "TS150"
"""Above the codes of changes, which a configuration compares with."""
CODE = re.compile(r"(?:\[|title=)(TS\d{3})(?:\]|%3A)")


def write_example(project: Project, found: Explanation, kind: Kind) -> None:
    """Make the project of an example, with what it leaves out."""
    files = files_of(found, kind)
    if not any(path.startswith("schema/") for path in files):
        files["schema/ir/shape.py"] = SCHEMA
    project.schema.unlink()
    for path, text in {"tschema.toml": CONFIG, **files}.items():
        target = project.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        is_bare = path.endswith(".py") and "schema/" in path and "from tschema" not in text
        target.write_text((HEADER if is_bare else "") + text)
        if text.startswith("#!"):
            target.chmod(0o755)


def shown_codes(project: Project, found: Explanation, kind: Kind) -> set[str]:
    """Run the commands of an example; return the codes that the last one shows."""
    write_example(project, found, kind)
    codes: set[str] = set()
    for command in commands_of(found, kind):
        name, *arguments = shlex.split(command)
        assert name == "tschema"
        result = project.run(*arguments)
        assert result.status in (0, 1, 2), result.err
        codes = set(CODE.findall(result.err + result.out))
    return codes


@pytest.fixture
def examples(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Return a project for an example; packages are found in its `site-packages`."""
    monkeypatch.syspath_prepend(str(project.root / "site-packages"))
    monkeypatch.setenv("CXXFLAGS", shlex.join(["-fPIC", *cxx_flags()]))
    return project


@pytest.mark.parametrize("code", titles())
def test_the_wrong_example_has_this_fault_and_no_other(examples: Project, code: str) -> None:
    assert shown_codes(examples, explanations()[code], "Wrong") == {code}


@pytest.mark.parametrize("code", titles())
def test_every_error_has_a_help(examples: Project, code: str) -> None:
    found = explanations()[code]
    write_example(examples, found, "Wrong")
    for command in commands_of(found, "Wrong"):
        result = examples.run(*shlex.split(command)[1:])
    assert "help: " in result.err + result.out or "warning[" in result.err


@pytest.mark.parametrize("code", titles())
def test_the_right_example_has_no_fault(examples: Project, code: str) -> None:
    assert shown_codes(examples, explanations()[code], "Right") == set()


def test_there_is_an_explanation_of_every_code_and_of_nothing_else() -> None:
    sources = [path.read_text("utf-8") for path in (ROOT / "tschema").rglob("*.py")]
    used = {code for text in sources for code in re.findall(r"\"(TS\d{3})\"", text)}
    assert used - {BOUND} == set(explanations())


def test_the_page_has_the_codes_in_order() -> None:
    page = (ROOT / "docs" / "reference" / "diagnostics.md").read_text("utf-8")
    codes = re.findall(r"^### (TS\d{3}): ", page, re.MULTILINE)
    assert codes == sorted(set(codes)) == [*explanations()]


def test_a_code_is_explained(project: Project) -> None:
    shown = project.run("explain", "ts012")
    assert (shown.status, shown.err) == (0, "")
    assert shown.out.startswith("TS012: unknown type\n")
    assert "\nWrong:\n" in shown.out
    assert "\n    class PointNode(Object):\n" in shown.out
    assert "\nRight:\n" in shown.out


def test_the_codes_are_listed(project: Project) -> None:
    shown = project.run("explain")
    assert shown.out.splitlines() == [f"{code}  {title}" for code, title in titles().items()]


def test_a_code_that_does_not_exist(project: Project) -> None:
    refused = project.run("explain", "S012")
    assert refused.status == 2
    assert "no code `S012`: did you mean `TS012`?" in refused.err
    assert "`tschema explain` lists the codes" in project.run("explain", "nothing").err
