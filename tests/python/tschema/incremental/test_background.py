"""C++ from a second process equals that of one process, even if the second one fails."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tschema.backends import load_backend
from tschema.cli.main import main
from tschema.emit.format import FormatError
from tschema.incremental.background import Background
from tschema.incremental.store import Store
from tschema.pipeline import emission
from tschema.pipeline.run import Request, apply, make_plan
from tschema.project.config import load_config

from .test_incremental import Schema


def plan(root: Path) -> dict[str, bytes]:
    """Return what a run without a cache comes to."""
    shutil.rmtree(root / ".tschema_cache", ignore_errors=True)
    made = make_plan(Request(load_config(root / "tschema.toml")), lambda _stage: None)
    return {str(path): data for path, data in made.files.items()}


def fail() -> None:
    raise RuntimeError


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture
def forks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Have a second process made; what is returned tells how often."""
    made: list[int] = []

    def count(store: Store, work: Callable[[], object]) -> Background:
        made.append(1)
        return Background(store, work)

    monkeypatch.setattr(emission, "_MANY_TYPES", 0)
    monkeypatch.setattr(emission, "can_fork", lambda: True)
    monkeypatch.setattr(emission, "Background", count)
    return made


@pytest.mark.parametrize("accident", [lambda: None, fail, die])
def test_both_make_the_same(
    accident: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    forks: list[int],
) -> None:
    Schema(11).write(tmp_path)
    with monkeypatch.context() as alone:
        alone.setattr(emission, "_MANY_TYPES", 10**6)
        expected = plan(tmp_path)
    parent = os.getpid()

    def load(language: str) -> Callable[..., object]:
        if os.getpid() != parent:
            accident()
        return load_backend(language)

    monkeypatch.setattr(emission, "load_backend", load)
    assert plan(tmp_path) == expected
    assert forks == [1]


def test_what_is_wrong_is_said_once(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    forks: list[int],
) -> None:
    def refuse(*_: object) -> None:
        raise FormatError("clang-format failed on generated text")

    Schema(13).write(tmp_path)
    monkeypatch.setattr("tschema.emit.format.Formatting.start", refuse)
    assert main(["gen", "--config", str(tmp_path / "tschema.toml")]) == 3
    assert capsys.readouterr().err == "tschema: clang-format failed on generated text\n"
    assert forks == [1]


def test_a_run_that_knows_much_makes_no_second_process(tmp_path: Path, forks: list[int]) -> None:
    schema = Schema(12)
    schema.write(tmp_path)
    request = Request(load_config(tmp_path / "tschema.toml"))
    apply(make_plan(request, lambda _stage: None))
    assert forks == [1]
    schema.edit()
    schema.write(tmp_path)
    make_plan(request, lambda _stage: None)
    assert forks == [1]


def test_a_process_that_nobody_waits_for_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forks: list[int]
) -> None:
    def refuse(*_: object) -> None:
        raise FormatError("no")

    pids: list[int] = []
    fork = os.fork

    def remember() -> int:
        pids.append(fork())
        return pids[-1]

    Schema(14).write(tmp_path)
    monkeypatch.setattr(os, "fork", remember)
    monkeypatch.setattr("tschema.pipeline.run.check_distinct", refuse)
    assert main(["gen", "--config", str(tmp_path / "tschema.toml")]) == 3
    assert forks == [1]
    with pytest.raises(ChildProcessError):
        os.waitpid(pids[0], os.WNOHANG)
