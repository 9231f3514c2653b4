"""`--watch`: a run at each change, until interrupted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ..conftest import CONFIG, SCHEMA, Project, replace

ROOT = Path(__file__).resolve().parents[4]
PATIENCE = 30.0
"""Seconds after which a test gives up; the machine may be busy."""


class Watch:
    """A watching process, and what it has said."""

    def __init__(self, root: Path, *, ignored: str = "") -> None:
        gen = [sys.executable, "-m", "tschema", "gen", "--watch"]
        self.process = subprocess.Popen(
            ["sh", "-c", f"trap '' {ignored}; exec \"$@\"", "sh", *gen] if ignored else gen,
            cwd=root,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.said = ""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line

    def wait_for(self, text: str) -> str:
        """Wait until a text has been said; return and forget all that was said until then."""
        end = time.monotonic() + PATIENCE
        while text not in self.said:
            assert time.monotonic() < end, f"{text!r} is not in {self.said!r}"
            assert self.process.poll() is None, self.said
            time.sleep(0.005)
        said, self.said = self.said, ""
        return said

    def end(self, number: signal.Signals) -> int:
        """Send a signal, SIGINT as Ctrl-C does; return the exit status."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


@pytest.fixture
def watch(project: Project) -> Iterator[Watch]:
    """Watch the project, whose first run is done."""
    started = Watch(project.root)
    try:
        started.wait_for("wrote ")
        time.sleep(0.6)
        yield started
    finally:
        started.process.kill()


def test_a_save_is_a_result_in_every_language(project: Project) -> None:
    targets = '[cpp]\ninclude = "cpp"\nsource = "cpp"\n[rust]\ndir = "rust"\n[docs]\ndir = "docs"\n'
    (project.root / "tschema.toml").write_text(CONFIG + targets)
    made = ["cpp/toy/ir/shape.h", "rust/ir/shape.rs", "docs/toy.ir.md"]
    watch = Watch(project.root)
    try:
        watch.wait_for("wrote ")
        time.sleep(0.6)
        project.schema.write_text(SCHEMA.replace("Its place.", "Its position."))
        watch.wait_for("wrote ")
        for path in (project.output, *(project.root / path for path in made)):
            assert "Its position." in path.read_text()
    finally:
        watch.process.kill()


def test_a_save_in_two_steps_is_one(project: Project, watch: Watch) -> None:
    text = project.schema.read_text()
    with project.schema.open("w") as file:
        time.sleep(0.1)
        file.write(text.replace("Its place.", "Its position."))
    assert "removed" not in watch.wait_for("wrote 2 of ")


def test_an_error_is_printed_and_the_watch_goes_on(project: Project, watch: Watch) -> None:
    before = project.state()
    replace(project.schema, "ty.int64_t", "ty.int46_t")
    watch.wait_for("tschema: 1 error, nothing was written")
    assert project.state() == before
    replace(project.schema, "ty.int46_t", "ty.int64_t")
    watch.wait_for("all is well again")
    replace(project.schema, "Its place.", "Its position.")
    watch.wait_for("wrote 2 of ")


def test_new_and_removed_files_and_the_configuration(project: Project, watch: Watch) -> None:
    more = project.root / "schema" / "deep" / "more.py"
    more.parent.mkdir()
    more.write_text('"""More."""\n')
    watch.wait_for("wrote ")
    more.unlink()
    watch.wait_for("removed ")
    (project.root / "tschema.toml").write_text("package = 3\n")
    watch.wait_for("error[TS052]")
    replaced = project.root / "tschema.pipeline.new_project"
    replaced.write_text('package = "toy"\nschema = ["schema"]\nir = "ir.json"\n')
    replaced.rename(project.root / "tschema.toml")
    watch.wait_for("wrote 1 of ")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_is_a_good_end(watch: Watch, number: signal.Signals) -> None:
    assert watch.end(number) == 0
    assert "Traceback" not in watch.said


def test_an_interrupt_ends_a_background_job(project: Project) -> None:
    """A shell starts background jobs with SIGINT ignored."""
    background = Watch(project.root, ignored="INT")
    try:
        background.wait_for("wrote ")
        assert background.end(signal.SIGINT) == 0
    finally:
        background.process.kill()


def test_a_touch_without_a_change_says_nothing(project: Project, watch: Watch) -> None:
    os.utime(project.schema)
    time.sleep(1)
    assert watch.said == ""
