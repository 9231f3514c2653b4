"""Reading functions one by one finds the same names as reading a text in one piece."""

from __future__ import annotations

import ast

import pytest

from tschema.diagnostics.source import SourceFile, Span
from uir.lsp import names_reader
from uir.lsp.names import Names
from uir.lsp.names_reader import NamesReader
from uir.lsp.scopes import Definition

MODULE = """\
from uir import tir
from uir import relay as R
@uir.script.ir_module
class Module:
    sink = ir.ExternFunc("c_sink")
    @tir.prim_func
    def main(A: tir.Buffer((n, 4), "float32"), p: tir.handle):
        n = tir.SizeVar("n", "int32")
        for i in range(n):
            if i < 4:
                é = tir.exp(A[i, 0])
        Module.later(é)
        Module.sink(missing)

    @tir.prim_func(
        private=True,
    )
    def later(
        x: tir.float32,
    ) -> tir.float32:
        tir.Let(y, x, y + other)
        return main + x
@relay.function
def alone(t: relay.Tensor((2,), "float32")):
    import numpy as np
    def inner(u):
        return t + u + np.pi
    return R.exp(inner(t))
"""
AWKWARD = {
    "as it is": ("", ""),
    "a comment at the start of a line": ("        for i", "# Outside.\n        for i"),
    "brackets that end at the start of a line": ("tir.exp(A[i, 0])", "tir.exp(A[\ni, 0])"),
    "a long string": ("        Module.sink(missing)", '        """\n    def no(x):\n        """'),
    "other line ends": ("\n", "\r\n"),
    "tabs": ("    ", "\t"),
    "a continued line": ("return main + x", "return main + \\\nx"),
    "a function on one line": ("    def inner(u):\n        return", "    def inner(u): return"),
    "no line end at the end": ("(inner(t))\n", "(inner(t))"),
}


def place(span: Span) -> tuple[int, int, int, int]:
    return span.line, span.column, span.end_line, span.end_column


def shown(one: Definition | None) -> object:
    return one and (one.name, one.kind, place(one.span), place(one.extent), shown(one.owner))


def all_of(names: Names) -> list[object]:
    words = [(place(one.span), one.role, one.path, shown(one.definition)) for one in names.words]
    return [words, [shown(one) for one in names.definitions], names.aliases]


def in_one_piece(text: str) -> Names:
    """Read a text with a long string at its end, which no function is taken out of."""
    return NamesReader().read(SourceFile("module.uir", text + "\n''''''\n"))


@pytest.mark.parametrize("old, new", AWKWARD.values(), ids=AWKWARD)
def test_names_are_those_of_the_whole_text(old: str, new: str) -> None:
    text = MODULE.replace(old, new)
    assert (text == MODULE) == (old == new)
    expected = all_of(in_one_piece(text))
    reader = NamesReader()
    reader.read(SourceFile("module.uir", "# A line before it.\n\n" + MODULE))
    for _ in range(2):
        assert all_of(reader.read(SourceFile("module.uir", text))) == expected


def test_a_change_makes_one_function_be_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = NamesReader()
    reader.read(SourceFile("module.uir", MODULE))
    read: list[str] = []

    def parse(text: str) -> ast.Module:
        read.append(text)
        return ast.parse(text)

    monkeypatch.setattr(names_reader, "ast", type("", (), {"parse": parse}))
    names = reader.read(SourceFile("module.uir", "\n" + MODULE.replace("i < 4", "i < 5")))
    around, function = read
    assert "exp" not in around
    assert "i < 5" in function
    assert "later(" not in function.partition("Module.later")[0]
    word = names.at(13, 17)
    assert word is not None and word.definition is not None
    assert word.definition.span.file.line(word.span.line) == "        Module.later(é)"


def test_wrong_text_is_refused_and_forgotten() -> None:
    reader = NamesReader()
    for _ in range(2):
        with pytest.raises(SyntaxError):
            reader.read(SourceFile("module.uir", MODULE.replace("range(n)", "range(n")))
    names = reader.read(SourceFile("module.uir", MODULE))
    assert all_of(names) == all_of(in_one_piece(MODULE))
