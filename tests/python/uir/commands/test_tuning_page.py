"""The commands of the page about tuning run, from a program to a library and a database."""

from __future__ import annotations

import json
import re
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from uir.commands import main, tune
from uir.tuning import Progress, samples

from ...support.project import ROOT

OPTIONS = ("--resume", "--revalidate", "--load")
PAGE = (ROOT / "docs" / "models" / "tuning.md").read_text()
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"cat > (\S+) <<'END'\n(.*?)^END\n", re.MULTILINE | re.DOTALL)


def test_the_commands_of_the_page_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("uir.tuning.user_lists._functions", {})
    monkeypatch.delitem(sys.modules, "panels", raising=False)
    said: dict[str, str] = {}
    for text in BLOCK.findall(PAGE):
        for name, content in FILE.findall(text):
            Path(name).write_text(content)
        for command in FILE.sub("", text).splitlines():
            name, *arguments = shlex.split(command)
            assert name == "uir"
            assert main(arguments) == 0, capsys.readouterr().err
            options = [one for one in OPTIONS if one in command]
            said[" ".join([command.partition(" -o")[0], *options])] = capsys.readouterr().out
    searched, resumed = said["uir tune product.py"], said["uir tune product.py --resume"]
    assert re.search(r"measured +[1-9]\d* candidates, in `product.tuned.db`", searched)
    assert re.search(r"measured +0 candidates", resumed)
    again = json.loads(Path("here.tuned.json").read_text())
    known = {one["kernel"]: one["trace"] for one in tuned_kernels("product.tuned.json")}
    assert all(known[one["kernel"]] == one["trace"] for one in again["kernels"])
    assert re.search(r"gain +1\.\d\d of the whole", said["uir tune product.py --revalidate"])
    assert main(["tune", "db", "list", "panels.tuned.db"]) == 0
    assert "ScheduleByLists: c: list(" in capsys.readouterr().out
    assert "in `panels.tuned.db`" in said["uir tune product.py --load"]
    listed = said["uir tune db list product.tuned.db"].splitlines()
    assert len(listed) >= 1 and all("ScheduleContraction: c: " in line for line in listed)
    assert f"{len(listed)} new rows" in said["uir tune db merge all.db product.tuned.db"]
    tuned = json.loads(Path("product.tuned.json").read_text())
    assert tuned["uir_tuned"] == 1 and isinstance(tuned["kernels"], list)
    assert "Tuned kernels" in Path("report.html").read_text()
    assert Path("product.so").stat().st_size > 0
    arguments = ["product.py", "-o", "product.tuned.json", "--trials", "3", "--resume", "--json"]
    assert main(["tune", *arguments]) == 0
    result = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert result["measured_count"] == 0 and len(result["kernels"]) == len(tuned["kernels"])
    assert (result["output"], result["database"]) == ("product.tuned.json", "product.tuned.db")
    found: dict[str, Any] = {}
    for task, *more in (["list"], ["best"], ["merge", "all.db"], ["export", "-o", "t.json"]):
        assert main(["tune", "db", task, "product.tuned.db", *more, "--json"]) == 0
        found |= json.loads(capsys.readouterr().out)
    assert [one["outcome"] for one in found["candidates"]].count("ok") >= 1
    (context,) = found["contexts"]
    assert len(context["kernels"]) == len(tuned["kernels"]) == found["kernel_count"]
    assert found["databases"] == [{"database": "all.db", "new_row_count": 0}]
    # A second search without `--resume` would mix its results with those of the first.
    assert main(["tune", "product.py", "-o", "product.tuned.json"]) == 1
    assert "`product.tuned.db` exists: continue with `--resume`" in capsys.readouterr().err
    assert all(re.match(r"[0-9a-f]{16} main +(search|confirm) ", line) for line in listed)
    assert main(["tune", "db", "merge", "new.db", "product.tuned.db", "missing.db"]) == 1
    assert main(["tune", "db", "list", "new.db"]) == 0
    assert capsys.readouterr().out == ""
    assert main(["tune", "db", "list", "missing.db"]) == 1
    assert "there is no file `missing.db`" in capsys.readouterr().err


def tuned_kernels(path: str) -> list[dict[str, Any]]:
    """Return the kernels of a tuned file."""
    found: list[dict[str, Any]] = json.loads(Path(path).read_text())["kernels"]
    return found


def test_options_that_contradict_a_new_measurement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    command = ["tune", "a.py", "-o", "a.json", "--revalidate", "b.json"]
    for option in (["--resume"], ["--budget", "1s"], ["--trials", "3"]):
        assert main([*command, *option]) == 1
        said = capsys.readouterr().err
        assert f"--revalidate searches nothing, so it does not take {option[0]}" in said
    Path("a.db").touch()
    assert main(command) == 1
    assert "`a.db` exists: name a new file by `--database`" in capsys.readouterr().err


def test_options_that_cannot_work_are_refused_before_the_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_text(FILE.findall(PAGE)[0][1])
    for options, message in (
        (["-o", "a.db"], "`a.db` cannot be both the output and the database"),
        (["-o", "none/a.json", "--database", "a.db"], "there is no folder `none` for the output"),
        (
            ["-o", "a.json", "--samples", "n=1,2", "--dim", "n=4"],
            "the sizes of the dimension `n` are given twice",
        ),
        (
            ["-o", "b.json", "--samples", "n=1,2"],
            "the inputs have no symbolic dimension `n`; their dimensions are: none",
        ),
    ):
        assert main(["tune", "a.py", *options]) == 1
        assert message in capsys.readouterr().err


STATE = Progress("matmul", 1, 5, 12, 1.25, 1.1, 30.0)


def test_progress_is_a_line_of_json_or_of_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tune._json_line(STATE)
    state = json.loads(capsys.readouterr().out)["progress"]
    assert (state["kernel"], state["best"], state["left_seconds"]) == ("matmul", 1.25, 30.0)
    tune._Bar().show(STATE)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    tune._Bar().show(STATE)
    shown = "[2/5] matmul: 1.25x, module 1.10x, 12 measured, 30.00 s left"
    assert shown in capsys.readouterr().err
    tune._Bar().show(replace(STATE, left=None))
    assert capsys.readouterr().err.endswith("12 measured\x1b[K")


def test_the_command_knows_the_objectives_of_searches() -> None:
    assert tune.OBJECTIVES == samples.OBJECTIVES
