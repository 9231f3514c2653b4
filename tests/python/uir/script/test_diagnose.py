"""The errors of a text as diagnostics: those of the message, one by one."""

from __future__ import annotations

import pytest

from uir import script
from uir.ir import Severity, SourceMap, render_diagnostics
from uir.script import ScriptError

from .test_malformed import TEXT

TEXTS = {
    "an unknown name": "tir.evaluate(y)",
    "a suggestion": '@tir.prim_func\ndef main(A: tir.Bufer((16,), "float32")):\n    pass\n',
    "characters beyond ASCII": 'x = tir.Var("ä", "int32"); y',
    "an empty text": "",
    "several errors": "@tir.prim_func\ndef main(x: tir.int):\n    tir.exq(x)\n    z[(1]\n",
    "errors until parsing stops": "\n".join(f"tir.evaluate({n} +)" for n in range(30)),
    **{f"cut off at {length}": TEXT[:length] for length in range(40, len(TEXT), 97)},
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_diagnostics_render_as_the_message(text: str) -> None:
    found = script.diagnose(text, "t.py")
    try:
        script.parse_value(text, "t.py")
        expected = ""
    except ScriptError as error:
        expected = str(error)
    assert render_diagnostics(found, SourceMap({"t.py": text})) == expected


def test_spans_and_help_are_apart_from_the_message() -> None:
    (found,) = script.diagnose("# ä\ntir.exq(2)", "t.py", 41)
    assert (found.severity, found.message) == (Severity.ERROR, "unknown name `exq` of `tir`")
    assert found.help == "did you mean `tir.exp`?"
    span = found.span
    assert span is not None and span.source_name.name == "t.py"
    assert (span.line, span.column, span.end_line, span.end_column) == (42, 1, 42, 8)


def test_a_text_that_parses_has_none() -> None:
    assert [*script.diagnose(TEXT)] == []
