"""Random classes are adopted, compile, and register what they registered before."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from .support.code_base import CodeBase, registered, without_markers
from .support.random_classes import Unit, units

REASONS = (
    "its members do not stand on lines of their own",
    "it has another name or another base than in the schema",
)
"""Why a class may stay by hand."""


def drawn(count: int, start: int) -> list[Unit]:
    """Draw units, the same ones for the same start."""
    return [one_drawn(number, start * 1000 + number) for number in range(count)]


def one_drawn(number: int, start: int) -> Unit:
    """Draw one by itself: later examples of one run are much like earlier ones."""
    found: list[Unit] = []

    @seed(start)
    @settings(
        max_examples=3,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(units(number))
    def draw(unit: Unit) -> None:
        found.append(unit)

    draw()
    return found[-1]


def written(root: Path, drawn_units: list[Unit]) -> CodeBase:
    """Write units as a code base."""
    (root / "src").mkdir(parents=True)
    (root / "include" / "rnd").mkdir(parents=True)
    for number, unit in enumerate(drawn_units):
        header = root / "include" / "rnd" / f"u{number}.{unit.suffix}"
        header.write_bytes(unit.header.encode())
        if unit.source:
            (root / "src" / f"u{number}.cc").write_bytes(unit.source.encode())
    return CodeBase(root)


def check(code_base: CodeBase) -> None:
    """Take a code base through the commands, and compare it with what it was."""
    before = registered(code_base.build("before"))
    files = code_base.files()
    for command in (
        ("init", "--package", "rnd"),
        ("import", "--headers", "include", "src", "--registry", "libbefore.so"),
        ("gen", "--adopt"),
    ):
        done = code_base.run(*command)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    after = code_base.files()
    assert without_markers({path: after[path] for path in files}) == files
    reasons = re.findall(r"TS154\]: `(\w+)` stays by hand: (.*)", done.stderr)
    assert {why for _, why in reasons if why not in REASONS} == set()
    assert code_base.run("gen", "--check").returncode == 0, "a second run changes something"
    now = registered(code_base.build("after"))
    different = {
        key: (before.get(key), now.get(key))
        for key in {*before, *now}
        if before.get(key, "absent") != now.get(key, "absent")
    }
    assert different == {}


def test_a_few(tmp_path: Path) -> None:
    check(written(tmp_path / "rnd", drawn(6, 1)))


@pytest.mark.deep
@pytest.mark.parametrize("start", range(2, 8))
def test_many(tmp_path: Path, start: int) -> None:
    check(written(tmp_path / "rnd", drawn(50, start)))
