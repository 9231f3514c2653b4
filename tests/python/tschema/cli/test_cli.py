"""The rest of the command line: the other commands, the exit status, failures."""

from __future__ import annotations

import json
import subprocess
import sys
import time

import pytest

from tschema import __version__
from tschema.cli import main as cli
from tschema.emit.format import FormatError, Formatting

from ..conftest import Project, replace


def test_ir_prints_the_bytes_of_the_file(project: Project) -> None:
    project.run("gen")
    printed = project.run("ir")
    assert (printed.status, printed.err) == (0, "")
    assert printed.out == (project.root / "generated" / "schema.json").read_text()


def test_the_json_schema_is_printed(project: Project) -> None:
    printed = project.run("ir", "--json-schema")
    assert printed.status == 0
    assert json.loads(printed.out)["title"] == "Schema"


def test_python_m_tschema_is_the_same() -> None:
    command = [sys.executable, "-m", "tschema", "--version"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == (
        f"tschema {__version__}\n"
    )


@pytest.mark.parametrize("languages", ["", ",", "cobol", "cpp,cobol"])
def test_unknown_languages_are_wrong_input(project: Project, languages: str) -> None:
    assert project.run("gen", f"--lang={languages}").status == 2


def test_a_wrong_command_line_is_wrong_input(project: Project) -> None:
    assert project.run("gen", "--nope").status == 2
    assert project.run().status == 2


def test_misspelt_options_are_named(project: Project) -> None:
    assert project.run("gen", "--chek").err.endswith("--chek; did you mean `--check`?\n")
    assert project.run("genn").err.endswith("; did you mean `gen`?\n")


def test_a_folder_without_a_project_is_wrong_input(project: Project) -> None:
    (project.root / "tschema.toml").unlink()
    refused = project.run("gen")
    assert refused.status == 2
    assert "error[TS050]: no `tschema.toml`" in refused.err
    assert "nothing was written" in refused.err


def test_warnings_do_not_fail_the_run(project: Project) -> None:
    replace(project.schema, "        Its place.\n", "        \n")
    warned = project.run("gen")
    assert warned.status == 0
    assert "warning[TS036]" in warned.err


def test_a_formatter_that_fails_is_a_failure_of_tschema(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> dict[str, str]:
        raise FormatError("ruff failed")

    monkeypatch.setattr(Formatting, "finish", fail)
    failed = project.run("gen")
    assert (failed.status, failed.err) == (3, "tschema: ruff failed\n")
    assert not (project.root / "generated").exists()


def test_only_a_bug_of_tschema_shows_a_traceback(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> dict[str, str]:
        raise KeyError("x")

    monkeypatch.setattr(Formatting, "finish", fail)
    failed = project.run("gen")
    assert failed.status == 3
    assert "Traceback" in failed.err
    assert failed.err.endswith("internal error, a bug of tschema itself\n")


def test_the_front_of_the_command_imports_nothing_slow() -> None:
    code = (
        "import sys, tschema.cli.main\n"
        "slow = {'jinja2', 'tvm_ffi', 'argcomplete', 'sqlite3'} & set(sys.modules)\n"
        "sys.exit(str(slow) if slow else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_progress_is_shown_on_a_terminal_once_a_run_takes_long(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(cli, "_PATIENCE", 0.0)
    with cli._progress() as progress:
        time.sleep(0.05)
        progress("rendering")
    assert "\x1b[Ktschema: rendering ..." in capsys.readouterr().err


def test_a_quick_run_shows_no_progress(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with cli._progress() as progress:
        progress("rendering")
    assert capsys.readouterr().err == ""
