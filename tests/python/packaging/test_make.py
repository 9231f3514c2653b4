"""What `make` does before it builds: it asks for packages, and forgets a copied build."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
NEEDED = (
    "Makefile",
    "pyproject.toml",
    "python/build_backend.py",
    "python/pyproject.toml",
    "scripts/fetch_tvm_ffi_rust.py",
    "scripts/forget_copied.sh",
)


def plan(folder: Path, *goals: str) -> list[str]:
    """Return the commands that `make` would run."""
    environment = {name: os.environ[name] for name in os.environ if not name.startswith("MAKE")}
    process = subprocess.run(
        ["make", "--dry-run", *goals], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert process.returncode == 0, process
    return process.stdout.splitlines()


@pytest.mark.parametrize(
    ("goal", "groups"),
    [("tour", "build"), ("test", "build test"), ("check", "build test lint"), ("gen", "build")],
)
def test_packages_come_before_all_else(goal: str, groups: str) -> None:
    assert plan(ROOT, goal)[0] == f"PYTHON=python3 scripts/system_packages.sh {groups}"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Make what a build leaves behind, as far as it points to its folder."""
    root = tmp_path / "first"
    (root / "scripts").mkdir(parents=True)
    (root / "python").mkdir()
    for name in NEEDED:
        shutil.copy(ROOT / name, root / name)
    site_packages = root / ".venv/lib/python3.11/site-packages"
    for folder in (site_packages, root / "build/cargo", root / "build/tvm-ffi-rust"):
        folder.mkdir(parents=True)
    (site_packages / "tschema.pth").write_text(f"{root}\n{root}/python\n")
    (root / "build/CMakeCache.txt").write_text(f"A:B=C\nCMAKE_HOME_DIRECTORY:INTERNAL={root}\n")
    return root


def forget(root: Path) -> str:
    command = [root / "scripts/forget_copied.sh"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_a_build_in_its_place_stays(checkout: Path) -> None:
    before = sorted(checkout.rglob("*"))
    assert forget(checkout) == ""
    assert sorted(checkout.rglob("*")) == before


def test_a_configuration_that_was_interrupted_stays(checkout: Path) -> None:
    (checkout / "build/CMakeCache.txt").write_text("A:B=C\n")
    assert forget(checkout) == ""


@pytest.mark.parametrize("copied", [(".venv",), ("build",), (".venv", "build")])
def test_a_copy_keeps_nothing_that_points_to_the_first(
    checkout: Path, tmp_path: Path, copied: tuple[str, ...]
) -> None:
    copy = tmp_path / "second"
    shutil.copytree(checkout, copy)
    for folder in {".venv", "build"}.difference(copied):
        shutil.rmtree(copy / folder)
        (copy / folder).mkdir()
    assert "building anew" in forget(copy)
    assert not (copy / ".venv").exists()
    assert {path.name for path in (copy / "build").iterdir()} <= {"tvm-ffi-rust"}
    assert (copy / "build/tvm-ffi-rust").is_dir() == ("build" in copied)


def test_a_copy_has_no_stamps(checkout: Path, tmp_path: Path) -> None:
    """What decides that nothing is to be done is not taken along."""
    command = "scripts/forget_copied.sh"
    (stamp,) = [words for words in plan(checkout, "setup") if words.startswith("touch")][:1]
    path = checkout / stamp.split()[1]
    path.parent.mkdir(parents=True)
    path.touch()
    assert command not in plan(checkout, "setup")
    shutil.copytree(checkout, tmp_path / "second")
    assert command in plan(tmp_path / "second", "setup")
