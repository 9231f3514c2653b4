"""Python that script does not have is refused by name, with its place."""

from __future__ import annotations

import pytest

from uir import script
from uir.script import ScriptError

ELEMENTS = "  help: the text is read, and never run: write each element"
LAMBDA = "  help: only `tir.comm_reducer` takes one"


def lines_of(text: str) -> list[str]:
    with pytest.raises(ScriptError) as caught:
        script.parse_value(text)
    return str(caught.value).splitlines()


@pytest.mark.parametrize(
    ("line", "wrong", "what", "help_"),
    [
        ("x = [i for i in range(3)]", "[i for", "a list comprehension", ELEMENTS),
        ("x = (i for i in range(3))", "(i for", "a generator expression", ELEMENTS),
        ("tir.max(i for i in n)", "i for", "a generator expression", ELEMENTS),
        ("x = {i for i in n}", "{i for", "a set comprehension", ELEMENTS),
        ("x = {i: 1 for i in n}", "{i: 1 for", "a dictionary comprehension", ELEMENTS),
        ("x = [i async for i in n]", "[i async", "a list comprehension", ELEMENTS),
        ("x = lambda y: y", "lambda y: y", "`lambda`", LAMBDA),
        ("tir.evaluate(lambda: 1)", "lambda: 1", "`lambda`", LAMBDA),
        ("x = {1, 2}", "{1,", "a set", None),
        ('x = t"{n}"', 't"{n}"', "a string with the prefix `t`", None),
        ("del n", "del", "`del`", None),
        ("x = yield", "yield", "`yield`", None),
        ("raise n", "raise", "`raise`", None),
        ("x = await n", "await", "`await`", None),
    ],
)
def test_expressions(line: str, wrong: str, what: str, help_: str | None) -> None:
    shown = lines_of(f"@tir.prim_func\ndef main(n: tir.int32):\n    {line}\n")
    column = line.index(wrong) + 5
    refused = "is not supported here" if what == "`lambda`" else "is not supported"
    assert shown == [
        f"<text>:3:{column}: error: {what} {refused}",
        f"   3 |     {line}",
        "     | " + " " * (column - 1) + "^" * len(wrong),
        *([help_] if help_ else []),
    ]


def test_a_compound_statement_is_one_error() -> None:
    text = "@tir.prim_func\ndef main():\n    try:\n        y + 1\n    finally:\n        pass\n"
    errors = [line for line in lines_of(text) if ": error: " in line]
    assert errors == [
        "<text>:3:5: error: `try` is not supported",
        "<text>:5:5: error: `finally` is not supported",
    ]


def test_a_lambda_in_a_function_of_relay() -> None:
    text = '@relay.function\ndef main(x: relay.Tensor((2,), "float32")):\n    return lambda y: y\n'
    assert lines_of(text)[0] == (
        "<text>:3:12: error: `lambda` is not supported in a function of `relay`"
    )


@pytest.mark.parametrize("sign", "+-")
def test_a_sign_before_a_string(sign: str) -> None:
    text = f'x = tir.Var("x", "int32")\ntir.call_extern({sign}"b", x, dtype="int32")\n'
    assert lines_of(text)[0] == f"<text>:2:17: error: `{sign}` takes a number, got a string"


def test_all_that_is_wrong_is_told_at_once() -> None:
    text = """
@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((2,), "float32")):
        y = relay.call_destination_passing(Module.add, [i for i in x], relay.Tensor((2,)))
        z = relay.expp(x)
        return z

    @tir.prim_func
    def add(A: tir.Buffer((2,), "float32")):
        A[0] = t"one"
        A[1] = yield
"""
    errors = [line.split(": error: ")[1] for line in lines_of(text) if ": error: " in line]
    assert errors == [
        "a list comprehension is not supported",
        "unknown name `expp` of `relay`",
        "a string with the prefix `t` is not supported",
        "`yield` is not supported",
    ]
