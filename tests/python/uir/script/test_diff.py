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


def test_equal_scripts_are_told() -> None:
    assert script.diff(A, A, width=80, color=False) == "no difference"


def test_like_lines_stand_side_by_side() -> None:
    a = "first = 1\nB[i] = A[i] + 1.0"
    b = "for j in range(4):\n    C[j] = 0\nB[i] = A[i] + 2.0"
    rows = script.diff(a, b, width=80, color=False).splitlines()
    assert [row.split()[0] for row in rows if "<" in row or "|" in row] == ["first", "B[i]"]
    assert next(row for row in rows if "|" in row).split() == [
        *("B[i]", "=", "A[i]", "+", "1.0", "|", "B[i]", "=", "A[i]", "+", "2.0")
    ]


def test_far_lines_are_left_out() -> None:
    a = "\n".join(f"line {i}" for i in range(30))
    rows = script.diff(a, a.replace("line 15", "other"), width=80, color=False, context=1)
    marks = [row.split()[0] for row in rows.splitlines()]
    assert marks[0] == marks[-1] == "..."
    assert len(script.diff(a, a + "\nx", width=80, color=False, context=None).splitlines()) == 31


def test_long_lines_go_on() -> None:
    a, b = "one two " + "a" * 42, "one two " + "b" * 42
    rows = script.diff(a, b, width=43, color=False).splitlines()
    assert next(row for row in rows if "|" in row) == f"{a[:20]} | {b[:20]}"
    assert max(map(len, rows)) <= 43


def test_colours_of_terminals() -> None:
    painted = script.diff(A, B, width=43, color=True)
    assert "\033[1;37;41m" in painted
    assert "\033[1;30;42m" in painted
    assert "^" not in painted
