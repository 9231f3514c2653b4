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
    "scripts/step.sh",
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
    (root / ".tschema_cache").mkdir()
    (root / ".tschema_cache/store").write_text(f"{root}\n")
    (root / "build/cargo/output.d").write_text(f"{root}/rust/lib.rs\n")
    (site_packages / "tschema.pth").write_text(f"{root}\n{root}/python\n")
    (root / "build/CMakeCache.txt").write_text(f"A:B=C\nCMAKE_HOME_DIRECTORY:INTERNAL={root}\n")
    return root


def names(path: Path, folder: Path) -> bool:
    return str(folder).encode() in path.read_bytes()


def forget(root: Path, *arguments: str) -> str:
    command = [root / "scripts/forget_copied.sh", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_a_build_in_its_place_stays(checkout: Path) -> None:
    before = sorted(checkout.rglob("*"))
    assert forget(checkout) == ""
    assert sorted(checkout.rglob("*")) == before


def test_a_configuration_that_was_interrupted_stays(checkout: Path) -> None:
    (checkout / "build/CMakeCache.txt").write_text("A:B=C\n")
    assert forget(checkout) == ""


@pytest.mark.parametrize("command", ["cp -r", "cp -a"])
@pytest.mark.parametrize("copied", [(".venv",), ("build",), (".venv", "build")])
def test_a_copy_keeps_nothing_that_points_to_the_first(
    checkout: Path, tmp_path: Path, copied: tuple[str, ...], command: str
) -> None:
    copy = copied_to(tmp_path / "second", checkout, command)
    for folder in {".venv", "build"}.difference(copied):
        shutil.rmtree(copy / folder)
        (copy / folder).mkdir()
    said = forget(copy, "about 5 minutes on 2 cores")
    assert said == (
        "this is a copy of a built checkout: building anew (about 5 minutes on 2 cores)\n"
    )
    assert not (copy / ".venv").exists() and not (copy / ".tschema_cache").exists()
    assert [path for path in copy.rglob("*") if path.is_file() and names(path, checkout)] == []
    assert {path.name for path in (copy / "build").iterdir()} <= {"tvm-ffi-rust"}
    assert (copy / "build/tvm-ffi-rust").is_dir() == ("build" in copied)


def test_a_copy_has_no_stamps(checkout: Path, tmp_path: Path) -> None:
    """What decides that nothing is to be done is not taken along."""
    stamps = [line for line in plan(checkout, "setup") if line.startswith("touch")]
    path = checkout / stamps[0].split()[1]
    path.parent.mkdir(parents=True)
    path.touch()
    assert not forgets(plan(checkout, "setup"))
    copy = copied_to(tmp_path / "second", checkout)
    assert forgets(plan(copy, "setup"))


def forgets(commands: list[str]) -> bool:
    return any(line.startswith("scripts/forget_copied.sh") for line in commands)


def copied_to(copy: Path, checkout: Path, command: str = "cp -r") -> Path:
    subprocess.run([*command.split(), checkout, copy], check=True)
    return copy


@pytest.mark.parametrize("made", [".venv", "build"])
def test_a_moved_checkout_is_built_anew(checkout: Path, tmp_path: Path, made: str) -> None:
    """The folder that the paths name is not there any more."""
    shutil.rmtree(checkout / ({".venv", "build"} - {made}).pop())
    (checkout / "build").mkdir(exist_ok=True)
    moved = checkout.rename(tmp_path / "second")
    assert forget(moved) == "this is a copy of a built checkout: building anew\n"
    assert not (moved / made / "CMakeCache.txt").exists()


def test_an_environment_without_packages_is_forgotten(checkout: Path, tmp_path: Path) -> None:
    shutil.rmtree(checkout / ".venv/lib")
    shutil.rmtree(checkout / "build")
    (checkout / "build").mkdir()
    config = f"command = /usr/bin/python3 -m venv {checkout}/.venv\n"
    (checkout / ".venv/pyvenv.cfg").write_text(config)
    assert forget(checkout) == ""
    assert "building anew" in forget(copied_to(tmp_path / "second", checkout))


def step(*arguments: str, cores: int = 2) -> str:
    command = [ROOT / "scripts/step.sh", *arguments]
    environment = {**os.environ, "JOBS": str(cores)}
    return subprocess.run(
        command, check=True, capture_output=True, text=True, env=environment
    ).stdout


@pytest.mark.parametrize(
    ("seconds", "cores", "text"),
    [
        ("15", 2, "about 20 seconds on 2 cores"),
        ("/430", 2, "about 4 minutes on 2 cores"),
        ("/430", 1, "about 7 minutes on 1 core"),
        ("/430", 8, "about a minute on 8 cores"),
    ],
)
def test_an_estimate_goes_by_the_cores(seconds: str, cores: int, text: str) -> None:
    assert step("--estimate", seconds, cores=cores) == f"{text}\n"


def test_a_first_run_says_how_long_it_takes(tmp_path: Path) -> None:
    made = tmp_path / "made"
    title = "[1/6] working"
    assert step(title, "20", str(made), "touch", str(made)) == (
        f"{title} (about 20 seconds on 2 cores)\n"
    )
    assert step(title, "20", str(made), "true") == f"{title}\n"
    assert step(title, "20", "-", "sleep", "3") == f"{title}\n[1/6] ... took 3 s\n"


def test_a_part_that_fails_fails(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        step("[1/6] working", "20", "-", "false")


def test_the_generator_needs_no_compiler_core() -> None:
    commands = "\n".join(plan(ROOT, "tschema"))
    assert "--target tschema" in commands
    assert "cargo" not in commands and "[dev]" not in commands and "libuir" not in commands
