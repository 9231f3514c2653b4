"""Comments, told from strings and from other comments, in text that may be wrong in any way."""

from __future__ import annotations

import pytest

from tschema.diagnostics.errors import SchemaError
from tschema.regions.blocks import scan, scan_comments
from tschema.regions.cpp_lexer import NOISE, lex
from tschema.regions.line_comments import comment_starts


def starts(suffix: str, text: bytes) -> list[int]:
    return sorted(comment_starts(text, suffix))


@pytest.mark.parametrize(
    ("suffix", "text", "expected"),
    [
        (".py", b"x = '#'  # a\n", [9]),
        (".py", b'"""\n# no\n"""\n# yes\n', [13]),
        (".py", b"'''\n# never closed\n", [4]),
        (".h", b'"//" // a\n', [5]),
        (".h", b"/* // no */ // yes\n", [12]),
        (".h", b'R"x(\n// no )"\n)x" // yes\n', [18]),
        (".h", b"int x = 1'000; // it's\n", [15]),
        (".h", b"/* never closed\n// yes\n", [16]),
        (".rs", b"/* /* */ // no\n*/ // yes\n", [18]),
        (".rs", b"fn f<'a>(x: &'a str) {} // yes\n", [24]),
        (".rs", b'let c = \'"\'; // yes\nlet s = "\n// no\n";\n', [13]),
        (".rs", b'r#"\n// no "\n"# // yes\n', [15]),
        (".rs", b"/* never /* closed */\n// yes\n", [22]),
    ],
)
def test_where_comments_start(suffix: str, text: bytes, expected: list[int]) -> None:
    assert starts(suffix, text) == expected


def test_a_region_may_quote_markers() -> None:
    quoted = b'"""\n# tschema: custom-end\n# tschema: end\n"""\n'
    data = b"# tschema: A\n# tschema: custom-begin\n%s# tschema: custom-end\n# tschema: end\n"
    file = scan("a.py", data % quoted)
    assert file.custom(file.blocks["A"]) == quoted


def test_a_string_that_never_ends_hides_no_block_of_tschemas_own_file() -> None:
    data = b"# tschema: %s\n# tschema: custom-begin\n'''\n# tschema: custom-end\n# tschema: end\n"
    assert list(scan("a.py", data % b"A" + data % b"B").blocks) == ["A", "B"]


def test_an_example_in_a_users_docstring_is_no_block() -> None:
    data = b'"""\n# tschema: A\n# tschema: end\n"""\n# tschema: B\n# tschema: end\n'
    assert list(scan_comments("a.py", data).blocks) == ["B"]


def test_a_line_with_a_lone_carriage_return_counts_as_one() -> None:
    with pytest.raises(SchemaError) as caught:
        scan("a.h", b"int a;\rint b;\n// tschema: A\n")
    assert str(caught.value).startswith("a.h:2:1: error[TS063]")
    assert "    2 | // tschema: A\n" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"L'\"' // yes \"\n", [5]),
        (b"u8'\"' // yes \"\n", [6]),
        (b'LR"(// no)" // yes\n', [12]),
        (b"0xFF'00 // it's\n", [8]),
        (b"// one \\\n// the same\n// two\n", [0, 21]),
    ],
)
def test_literals_with_prefixes_and_comments_of_several_lines(
    text: bytes, expected: list[int]
) -> None:
    assert starts(".h", text) == expected
    lexed = [one.start for one in lex(text.decode()) if one.text.startswith("//")]
    assert lexed == expected
    noise = [one.start() for one in NOISE.finditer(text) if one["line"]]
    assert noise == expected
