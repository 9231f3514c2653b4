"""Documentation in comments: where it stands, and what Doxygen's commands become."""

from __future__ import annotations

import pytest

from tschema.importer.headers.comments import Doc, doc_of, parse_doc
from tschema.importer.headers.masking import mask


def doc(text: str, declaration: str = "int a;") -> str:
    source = mask("a.h", text.encode())
    start = text.index(declaration)
    return doc_of(source, start, start + len(declaration)).text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/*! \\brief Above. */\nint a;", "Above."),
        ("/**\n * Above,\n * on two lines.\n */\nint a;", "Above, on two lines."),
        ("/// Above,\n/// on two lines.\nint a;", "Above, on two lines."),
        ("//! Above.\nint a;", "Above."),
        ("// A plain comment\nint a;", "A plain comment"),
        ("int a;  //!< Behind.", "Behind."),
        ("int a;  ///< Behind,\n        ///< on two lines.\nint b;", "Behind, on two lines."),
        ("int a;  /*!< Behind. */", "Behind."),
        ("int a;  // behind", "behind"),
        ("/*! \\brief Of the class. */\nACME_DLL int a;", "Of the class."),
        ("/*! \\brief After a blank line, too. */\n\nint a;", "After a blank line, too."),
        # None of these is of `a`.
        ("int b;  // of b\nint a;", ""),
        ("int b;  //!< of b\nint a;", ""),
        ("// far away\n\n\nint a;", ""),
        ("// NOLINTNEXTLINE(runtime)\nint a;", ""),
        ("// ----------\nint a;", ""),
        ("/*! of f */\nvoid f();\nint a;", ""),
        ('const char* s = "// no comment";\nint a;', ""),
        ("int a;\r\n// next\r\n", ""),
        ("// Windows\r\nint a;\r\n", "Windows"),
    ],
)
def test_place(text: str, expected: str) -> None:
    assert doc(text) == expected


def test_commands() -> None:
    text = """
    \\brief Add two numbers.

    They are added
    as usual.
    - one item
    - another

    \\param a The first.
    \\param[in] b The second,
      on two lines.
    \\tparam T A type.
    \\return The sum.
    \\note Watch \\p a and \\c b.
    \\sa Subtract
    \\code{.cpp}
    Add(1, 2);
    \\endcode
    """
    assert parse_doc(text) == Doc(
        "Add two numbers.\n\nThey are added as usual.\n- one item\n- another\n\n"
        "Note: Watch a and b.\n\nSee also: Subtract\n\nAdd(1, 2);",
        {"a": "The first.", "b": "The second, on two lines."},
        "The sum.",
    )


def test_an_address_is_not_a_command() -> None:
    assert parse_doc("Write to a@b.org.").text == "Write to a@b.org."
