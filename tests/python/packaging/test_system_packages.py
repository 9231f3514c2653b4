"""`scripts/system_packages.sh`, with folders of commands for systems that lack something."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SHELL = ("awk", "cat", "chmod", "cut", "dirname", "env", "grep", "mkdir", "sed", "sh", "tr")
PRESENT = {
    "c++": "exit 0",
    "cargo": "echo cargo 1.90.0",
    "python3": "exit 0",
    "chromium": "",
    "chromedriver": "",
    "git": "",
    "qemu-aarch64": "",
}
APT = """\
echo "$@" >>"$BIN/../apt.txt"
for package in "$@"; do
  case $package in
    g++) name=c++ ;; cargo*) name=cargo ;; chromium-driver) name=chromedriver ;; *) name=$package ;;
  esac
  printf '#!/bin/sh\\necho cargo 1.85.0\\n' >"$BIN/$name" && chmod +x "$BIN/$name"
done
"""


@dataclass(frozen=True)
class System:
    """The script, and the commands that it finds."""

    root: Path

    def add(self, **commands: str) -> None:
        """Add commands: their shell text."""
        for name, text in commands.items():
            path = self.root / "bin" / name.replace("_", "-")
            path.write_text(f"#!/bin/sh\n{text}\n")
            path.chmod(0o755)

    def remove(self, *names: str) -> None:
        """Remove commands."""
        for name in names:
            (self.root / "bin" / name).unlink()

    def run(self, *groups: str) -> subprocess.CompletedProcess[str]:
        """Run the script."""
        folder = self.root / "bin"
        return subprocess.run(
            [self.root / "scripts/system_packages.sh", *groups],
            env={"PATH": str(folder), "BIN": str(folder)},
            capture_output=True,
            text=True,
        )

    def installed(self) -> list[str]:
        """Return what apt-get was asked for, a line each."""
        log = self.root / "apt.txt"
        return log.read_text().splitlines() if log.exists() else []


@pytest.fixture
def system(tmp_path: Path) -> System:
    """Make a system that has everything, of a user who may install nothing."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/system_packages.sh", tmp_path / "scripts")
    shutil.copy(ROOT / "Cargo.toml", tmp_path)
    for name in SHELL:
        (tmp_path / "bin" / name).symlink_to(str(shutil.which(name)))
    system = System(tmp_path)
    system.add(**PRESENT, id="echo 1000")
    return system


def add_apt(system: System, *, rustc: str = "1.85.0", rustc_web: str = "(none)") -> None:
    policy = f"case $2 in rustc) v='{rustc}' ;; rustc-web) v='{rustc_web}' ;; esac"
    system.add(apt_get=APT, apt_cache=f'{policy}\necho "  Candidate: $v"')


def line_to_type(process: subprocess.CompletedProcess[str]) -> str:
    assert process.returncode == 1, process
    return process.stderr.splitlines()[-1].strip()


def test_what_is_there_is_silent(system: System) -> None:
    process = system.run("build", "test", "deep", "lint")
    assert (process.returncode, process.stdout, process.stderr) == (0, "", "")


def test_a_user_gets_one_line_to_type(system: System) -> None:
    add_apt(system)
    system.add(sudo="exit 1")  # It would ask for a password.
    system.remove("c++", "chromium", "chromedriver")
    assert line_to_type(system.run("build")) == "sudo apt-get install g++"
    everything = "sudo apt-get install g++ libgtest-dev chromium chromium-driver"
    assert line_to_type(system.run("build", "test")) == everything
    assert system.installed() == []


def test_root_installs_what_is_missing_and_nothing_else(system: System) -> None:
    add_apt(system)
    system.add(id="echo 0")
    system.remove("c++", "git")
    process = system.run("build", "test")
    assert process.returncode == 0, process
    assert process.stdout == "installing with apt-get: g++ libgtest-dev git\n"
    assert system.installed()[1].endswith("--no-install-recommends g++ libgtest-dev git")


def test_sudo_installs_where_it_asks_for_nothing(system: System) -> None:
    add_apt(system)
    system.add(sudo='[ "$1" = -n ] && shift && "$@"')
    system.remove("git")
    assert system.run("test").returncode == 0
    assert system.installed()[-1].endswith(" git")


def test_deep_tests_need_an_emulator(system: System) -> None:
    add_apt(system)
    system.remove("qemu-aarch64")
    assert system.run("test").returncode == 0
    assert line_to_type(system.run("test", "deep")) == "sudo apt-get install qemu-user"


def test_a_failed_install_stops_with_its_message(system: System) -> None:
    add_apt(system)
    system.add(id="echo 0", apt_get='[ "$1" = update ] || { echo "E: no network"; exit 100; }')
    system.remove("git")
    process = system.run("test")
    assert line_to_type(process) == "sudo apt-get install git"
    assert "E: no network" in process.stderr


@pytest.mark.parametrize(
    ("rustc", "rustc_web", "line"),
    [
        ("1.85.0", "(none)", "sudo apt-get install cargo"),
        ("1.63.0+dfsg1-2", "1.85.0+dfsg3-1~deb12u3", "sudo apt-get install cargo-web"),
        ("1.63.0+dfsg1-2", "(none)", "curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs"),
    ],
)
def test_rust_is_new_enough(system: System, rustc: str, rustc_web: str, line: str) -> None:
    add_apt(system, rustc=rustc, rustc_web=rustc_web)
    system.add(cargo="echo cargo 1.63.0")
    assert line_to_type(system.run("build")).startswith(line)


def test_rust_of_rustup_stays_with_rustup(system: System) -> None:
    add_apt(system)
    system.add(id="echo 0", rustup="", cargo='[ "$1" = --version ] && echo cargo 1.90.0')
    rustup = "rustup update stable && rustup component add rustfmt clippy"
    assert line_to_type(system.run("lint")) == rustup
    system.remove("git")
    assert line_to_type(system.run("lint", "test")) == rustup
    assert system.installed()[-1].endswith(" git")


def test_other_package_managers_get_a_line(system: System) -> None:
    system.remove("git")
    for manager in ("brew", "pacman", "apk", "dnf"):
        system.add(**{manager: ""})
        assert manager in line_to_type(system.run("test"))


def test_python_is_needed_before_its_environment_is_there(system: System) -> None:
    add_apt(system)
    system.add(python3="exit 1")
    assert line_to_type(system.run("build")) == "sudo apt-get install python3-venv"
    (system.root / ".venv/bin").mkdir(parents=True)
    (system.root / ".venv/bin/python").symlink_to(str(shutil.which("sh")))
    assert system.run("build").returncode == 0
