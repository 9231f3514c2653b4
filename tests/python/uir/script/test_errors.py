"""What is wrong with a text: the place, the line underlined, a suggestion; all of it at once."""

from __future__ import annotations

import pytest

from uir import script
from uir.script import ScriptError


def message(text: str, file: str = "t.py", line: int = 1) -> str:
    with pytest.raises(ScriptError) as caught:
        script.parse_value(text, file, line)
    return str(caught.value)


def test_an_unknown_name_with_a_suggestion() -> None:
    text = '@tir.prim_func\ndef main(A: tir.Bufer((16,), "float32")):\n    pass\n'
    assert message(text) == (
        "t.py:2:13: error: unknown name `Bufer` of `tir`\n"
        '   2 | def main(A: tir.Bufer((16,), "float32")):\n'
        "     |             ^^^^^^^^^\n"
        "  help: did you mean `tir.Buffer`?"
    )


def test_lines_count_from_that_of_the_file() -> None:
    assert message("y + 1", "other.py", 41).startswith("other.py:41:1: error: unknown name `y`")


def test_columns_count_characters() -> None:
    assert message('x = tir.Var("ä", "int32"); y').startswith("t.py:1:28: error: unknown name `y`")


def test_all_mistakes_are_told() -> None:
    text = """
@tir.prim_func
def main(A: tir.Buffer((16,), "flot32"), n: tir.int32):
    for i in rang(16):
        pass
    for i in range(n):
        x = tir.exq(n)
        tir.evaluate(x)
        missing[i] = (n
    tir.evaluate(n +)
"""
    found = [line for line in message(text).splitlines() if ": error: " in line]
    assert [line.split(": error: ")[1] for line in found][:3] == [
        "no data type `flot32`",
        "unknown name `rang`",
        "unknown name `exq` of `tir`",
    ]
    assert "`x`" not in message(text)


def test_mistakes_of_operands_are_told_at_the_expression() -> None:
    text = 'x = tir.Var("x", "int32")\ny = tir.Var("y", "handle")\ntir.evaluate(1 + (x + y))'
    assert message(text).splitlines()[1:3] == [
        "   3 | tir.evaluate(1 + (x + y))",
        "     |                       ^",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the text is empty"),
        ("for i in range(4)\n    pass", "expected `:` at the end of the header"),
        ("for i in range(4):\npass", "expected deeper lines below the header"),
        ("tir.evaluate(", "expected an expression"),
        ('"text', "the string is not closed"),
        ("tir.evaluate(2 @ 3)", "`@` is an operator of `relay` only"),
        ('x = tir.Var("x", "int32")\nx / x', "`/` is for floating-point numbers"),
        ("$", "unexpected character `$`"),
        ('tir.Cast("int33", 1)', "no data type `int33`"),
        ("tir.float31(1)", "unknown name `float31` of `tir`"),
        ('relay.Tensor((4,), "float31")', "no data type `float31`"),
        ("99999999999999999999", "does not fit 64 bits"),
        (r'"\ud800"', "a surrogate is not a character"),
        ("tir.Ramp(0, 1)", "missing argument `lanes`"),
        ("tir.Ramp(0, 1, 4, 5)", "too many arguments"),
        ("tir.Ramp(0, 1, lane=4)", "did you mean `lanes`?"),
        ("tir.Ramp(0, 1, 4, lanes=4)", "`lanes` is given twice"),
        ("tir.reads()", "this belongs into a block"),
        ('metadata["ffi.Tensor"][0]', "print with `meta=True`"),
        ("def f():\n    pass", "put `@tir.prim_func` above it"),
        ("class Module:\n    pass", "put `@uir.script.ir_module` above it"),
        ("@tir.prim_func\ndef f(x):\n    pass", "`x` needs a type"),
        ("tir.int32(1.5)", "expected an integer"),
    ],
)
def test_mistakes(text: str, words: str) -> None:
    assert words in message(text)


def test_the_error_knows_its_place() -> None:
    with pytest.raises(ScriptError) as caught:
        script.parse_value("tir.evaluate(1)\ny", "t.py")
    assert (caught.value.filename, caught.value.lineno, caught.value.offset) == ("t.py", 2, 1)


def test_nodes_know_where_they_were_written() -> None:
    loop = script.parse_value("for i in range(4):\n    tir.evaluate(i + 1)", "t.py", 10)
    span = loop.body.value.span
    assert (span.source_name.name, span.line, span.column, span.end_column) == ("t.py", 11, 18, 23)
    assert (loop.span.line, loop.span.column, loop.loop_var.span.column) == (10, 1, 5)


def test_a_line_that_ends_too_early_is_underlined_at_its_end() -> None:
    with pytest.raises(script.ScriptError) as caught:
        script.parse_value("x = 1 +\ny = 2\n", "early.py")
    assert str(caught.value).splitlines()[:3] == [
        "early.py:1:8: error: expected an expression, found the end of the line",
        "   1 | x = 1 +",
        "     |        ^",
    ]


def test_carets_keep_tabs() -> None:
    assert message("if True:\n\ttir.evaluate(qqqqqqq)").splitlines()[1:] == [
        "   2 | \ttir.evaluate(qqqqqqq)",
        "     | \t             ^^^^^^^",
    ]
