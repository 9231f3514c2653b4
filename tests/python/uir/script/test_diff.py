"""Two scripts side by side."""

from __future__ import annotations

from uir import script

A = "one\nsame\nx = tir.exp(a)\ngone"
B = "one\nsame\nx = tir.log(a)"


def test_changed_words_and_lines() -> None:
    rows = script.diff(A, B, width=43, color=False).splitlines()
    assert rows == [
        "one                    one",
        "same                   same",
        "x = tir.exp(a)       | x = tir.log(a)",
        "        ^^^                    ^^^",
        "gone                 <",
    ]


def test_equal_scripts_have_no_lines() -> None:
    assert script.diff(A, A, width=80, color=False) == ""


def test_far_lines_are_left_out() -> None:
    a = "\n".join(f"line {i}" for i in range(30))
    rows = script.diff(a, a.replace("line 15", "other"), width=80, color=False, context=1)
    marks = [row.split()[0] for row in rows.splitlines()]
    assert marks[0] == marks[-1] == "..."
    assert len(script.diff(a, a + "\nx", width=80, color=False, context=None).splitlines()) == 31


def test_long_lines_go_on() -> None:
    rows = script.diff("a" * 50, "b" * 50, width=43, color=False).splitlines()
    assert next(row for row in rows if "|" in row) == "a" * 20 + " | " + "b" * 20
    assert max(map(len, rows)) <= 43


def test_colours_of_terminals() -> None:
    painted = script.diff(A, B, width=43, color=True)
    assert "\033[1;37;41m" in painted
    assert "\033[1;30;42m" in painted
    assert "^" not in painted
