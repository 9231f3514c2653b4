"""A loaded type is used like a compiled one: the same program, the same lines, word for word."""

from __future__ import annotations

from pathlib import Path

from .conftest import run_program


def test_the_same_program_runs_on_loaded_and_on_compiled_types(
    zoo_schema: Path, zoo_loaded: Path
) -> None:
    compiled = run_program("zoo_program.py", zoo_schema).splitlines()
    loaded = run_program("zoo_program.py", zoo_loaded).splitlines()
    different = [pair for pair in zip(compiled, loaded, strict=True) if pair[0] != pair[1]]
    assert different[:5] == []
    assert len(compiled) > 1000
