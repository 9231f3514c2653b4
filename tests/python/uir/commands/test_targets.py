"""`uir targets`: the features of processors, and those that instruction sets use."""

from __future__ import annotations

import json
import platform
import re
from pathlib import Path

import pytest

from uir.commands import main
from uir.commands.cpu_features import (
    NEEDED,
    SHOWN,
    features_of,
    instruction_sets,
    machine_features,
)

from ...support.project import ROOT

# Of Linux, and of compilers.
NAMES = {"bmi1": "bmi", "abm": "lzcnt"}


@pytest.mark.parametrize("isa", ["x86-64-v3", "x86-64-v4"])
def test_instruction_sets_use_the_features_of_emitted_code(isa: str) -> None:
    text = (ROOT / "cpp" / "src" / "uir" / "target" / "emit_versions.cc").read_text()
    (found,) = re.findall(rf'{{"{isa}", "\w+", "\w+",\s*"([^"]*)"', text)
    assert sorted(NAMES.get(one, one) for one in NEEDED[isa]) == sorted(found.split(","))


def test_features_are_read_from_the_first_processor() -> None:
    x86 = "processor\t: 0\nflags\t\t: fpu avx2 amx_int8\n\nprocessor\t: 1\nflags\t\t: fpu\n"
    assert features_of(x86) == {"fpu", "avx2", "amx_int8"}
    assert features_of("Features\t: fp asimd asimddp\n") == {"fp", "asimd", "asimddp"}
    assert machine_features(Path("/no/such/file")) is None


def test_missing_features_are_named() -> None:
    found = {*NEEDED["x86-64-v4"]} - {"avx512bw"}
    assert instruction_sets(found, "x86_64") == {
        "x86-64-v3": [],
        "x86-64-v4": ["avx512bw"],
        "aarch64": None,
        "generic": [],
    }
    assert instruction_sets({"asimd"}, "aarch64")["aarch64"] == []


def test_the_command_shows_what_this_machine_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["targets", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["machine"] == platform.machine()
    features = machine_features()
    if features is not None:
        assert found["features"] == [one for one in SHOWN if one in features]
    assert main(["targets"]) == 0
    text = capsys.readouterr().out
    for name, missing in found["instruction_sets"].items():
        said = {None: "for other machines", True: "runs here, uses ", False: "lacks "}
        (line,) = (one for one in text.splitlines() if one.startswith(f"{name} "))
        assert said[None if missing is None else not missing] in line
