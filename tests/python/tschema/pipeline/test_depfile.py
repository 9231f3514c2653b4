"""`--depfile`: what make and ninja read in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tschema.pipeline.depfile import depfile_text, escape

from ..conftest import CONFIG, Project, replace
from .test_gen import write_extension

ODD_NAMES = ["a b.py", "c$d.py", "e#f.py", "g:h.py", "i\\j.py", "k\\ l.py", "m%n.py", "o=[p].py"]


def test_the_inputs_of_a_run_are_listed(project: Project) -> None:
    assert project.run("gen", "--depfile", "deps.d").status == 0
    rule, _, phony = (project.root / "deps.d").read_text().partition("\n\n")
    targets, _, sources = rule.partition(": \\\n")
    assert "generated/python/toy_nodes/ir/shape.py" in targets.split(" ")
    listed = [line.strip(" \\") for line in sources.split("\n")]
    assert listed[:2] == ["tschema.toml", "schema/ir/shape.py"]
    assert listed[-2:] == ["schema", "schema/ir"]
    assert any(path.endswith("templates/python/class.py.jinja") for path in listed)
    assert phony == "".join(f"{path}:\n" for path in listed)


def test_the_schema_of_an_imported_package_is_listed(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = project.root / "site" / "toy" / "schema" / "schema.json"
    shipped.parent.mkdir(parents=True)
    project.run("gen")
    shutil.copyfile(project.root / "generated" / "schema.json", shipped)
    monkeypatch.syspath_prepend(str(project.root / "site"))
    write_extension(project.root / "ext")
    config = str(project.root / "ext" / "tschema.toml")
    assert project.run("gen", "--config", config, "--depfile", "deps.d").status == 0
    assert "\n  site/toy/schema/schema.json" in (project.root / "deps.d").read_text()


def test_the_target_can_be_named(project: Project) -> None:
    arguments = ("--depfile", "out/deps.d", "--depfile-target", "my stamp")
    assert project.run("gen", *arguments).status == 0
    deps = project.root / "out" / "deps.d"
    assert deps.read_text().startswith("my\\ stamp: \\\n  tschema.toml \\\n")
    before = deps.stat().st_mtime_ns
    assert project.run("gen", *arguments).status == 0
    assert deps.stat().st_mtime_ns == before


def test_nothing_is_written_where_the_run_fails(project: Project) -> None:
    replace(project.schema, "ty.int64_t", "ty.int46_t")
    assert project.run("gen", "--depfile", "deps.d").status == 2
    assert not (project.root / "deps.d").exists()
    replace(project.schema, "ty.int46_t", "ty.int64_t")
    for mode in ("--check", "--diff", "--dry-run"):
        project.run("gen", mode, "--depfile", "deps.d")
    assert not (project.root / "deps.d").exists()


def test_paths_outside_the_working_directory_are_absolute(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = project.root / "build"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    arguments = ("--config", "../tschema.toml", "--out-dir", "out", "--depfile", "deps.d")
    assert project.run("gen", *arguments).status == 0
    text = (elsewhere / "deps.d").read_text()
    assert text.startswith("out/generated/schema.json ")
    assert f"\n  {project.schema}" in text


def test_escapes() -> None:
    assert escape("a b$c#d") == "a\\ b$$c\\#d"
    assert escape("c:\\x\\ y") == "c\\:\\x\\\\\\ y"


def run_ninja(folder: Path) -> str:
    (folder / "build.ninja").write_text(
        "rule gen\n  command = touch 'the out' && echo RUN\n  depfile = deps.d\n"
        "build the$ out: gen\n"
    )
    return check_output(folder, "ninja")


def run_make(folder: Path) -> str:
    (folder / "Makefile").write_text(
        "the\\ out:\n\t@touch 'the out'; echo RUN\n-include deps.d\n.SUFFIXES:\n"
    )
    return check_output(folder, "make", "--no-builtin-rules", "the out")


def check_output(folder: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("run", [run_make, run_ninja])
def test_build_tools_read_odd_names(tmp_path: Path, run: Callable[[Path], str]) -> None:
    for name in ODD_NAMES:
        (tmp_path / name).touch()
    (tmp_path / "deps.d").write_text(depfile_text(["the out"], ODD_NAMES))
    run(tmp_path)
    for name in ODD_NAMES:
        assert "RUN" not in run(tmp_path)
        time.sleep(0.02)
        os.utime(tmp_path / name)
        assert "RUN" in run(tmp_path), name
    # A source that is gone does not stop the build.
    (tmp_path / "a b.py").unlink()
    run(tmp_path)


def test_make_runs_once_and_again_after_a_change(project: Project) -> None:
    (project.root / "Makefile").write_text(
        "out.stamp:\n\t@python -m tschema gen --depfile out.d --depfile-target $@\n\t@touch $@\n"
        "-include out.d\n"
    )
    (project.root / "tschema.toml").write_text(CONFIG)
    check_output(project.root, "make", "out.stamp")
    assert "up to date" in check_output(project.root, "make", "out.stamp")
    replace(project.schema, "Its place.", "Its position.")
    assert "up to date" not in check_output(project.root, "make", "out.stamp")
    assert "Its position." in project.output.read_text()
    assert "up to date" in check_output(project.root, "make", "out.stamp")
    project.schema.with_name("more.py").write_text('"""More."""\n')
    assert "up to date" not in check_output(project.root, "make", "out.stamp")
