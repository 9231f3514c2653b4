"""Random texts against the reader of script, for a moment; `make fuzz` does it for long."""

from __future__ import annotations

from ..fuzz_script.texts import PROGRAMS, check, fuzz


def test_the_programs_are_programs() -> None:
    assert all(check(program) for program in PROGRAMS)


def test_a_random_text_is_refused_or_reads_back() -> None:
    assert fuzz(2.0) > 50
