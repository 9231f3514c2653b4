"""A file that is parsed declaration by declaration says the same as one parsed in one go."""

from __future__ import annotations

import pytest

from tschema.diagnostics.errors import Reporter
from tschema.diagnostics.source import SourceFile
from tschema.frontend import SchemaFile, parse
from tschema.frontend.chunks import split_chunks
from tschema.frontend.recall import dump
from tschema.incremental.cache import Store

HEAD = '"""Nodes."""\n\nfrom tschema import Object, declare, field, function, method, ty\n\n\n'
ONE = (
    '@declare\nclass OneNode(Object):\n    """\n    One.\n\n    Attributes\n    ----------\n'
    '    x\n        A value.\n    """\n\n    type_key = "toy.One"\n'
    "    x: ty.int64_t = field(default=1)\n"
)
TWO = '\n\n@declare\nclass TwoNode(OneNode):\n    """Two."""\n\n    type_key = "toy.Two"\n'
FUNCTION = '\n\n@function\ndef size(x: ty.Object) -> int:\n    """Return the size."""\n    ...\n'


def schema_file(text: str) -> SchemaFile:
    return SchemaFile(SourceFile("schema/a.py", text), "schema.a", "toy", "a")


def said(text: str) -> tuple[bytes, list[str]]:
    """Return what a file says to a parser that takes it all at once."""
    reporter = Reporter()
    contents = parse._parse(schema_file(text), reporter)
    return dump(contents), [str(one) for one in reporter.diagnostics]


@pytest.mark.parametrize(
    "text",
    [
        HEAD + ONE + TWO + FUNCTION,
        (HEAD + ONE + TWO + FUNCTION).replace("\n", "\r\n"),
        HEAD + ONE + "\n# @declare\n" + TWO,
        ONE.replace("@declare", "from tschema import *\n@declare"),
        HEAD + ONE + TWO.replace('"""Two."""', '"""\nTwo.\n@declare\nclass No(Object):\n"""'),
        HEAD + ONE.replace("@declare\n", "@declare\n@declare\n") + TWO,
        HEAD + ONE + "\nfrom tschema import method as other\n" + TWO,
        HEAD + ONE.replace("OneNode", "field") + TWO,
        HEAD + ONE + TWO.replace("class TwoNode", "class  TwoNode"),
        HEAD + (ONE + TWO).replace("\n", "\r"),
        HEAD + ONE + "X = 1\n" + TWO,
        HEAD + ONE + TWO.replace('"toy.Two"', '"toy.Two'),
        "@declare\n@declare",
        "@",
        "",
    ],
)
def test_chunks_say_what_the_file_says(text: str) -> None:
    store = Store()
    for _ in range(2):
        reporter = Reporter()
        contents = parse._contents(schema_file(text), reporter, store)
        assert (dump(contents), [str(one) for one in reporter.diagnostics]) == said(text)


def test_an_edit_of_one_declaration_leaves_the_other_chunks() -> None:
    before = split_chunks(HEAD + ONE + TWO + FUNCTION)
    after = split_chunks(HEAD + ONE.replace("One.", "The first\n    one.") + TWO + FUNCTION)
    assert "".join(chunk.text for chunk in before) == HEAD + ONE + TWO + FUNCTION
    assert [a.text == b.text for a, b in zip(before, after, strict=True)] == [
        True,
        False,
        True,
        True,
    ]
    assert after[2].line == before[2].line + 1
