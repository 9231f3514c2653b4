"""Two versions of a schema file, merged by declarations."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tschema.diagnostics.conflict_markers import Style
from tschema.editing.schema_merge import merge_schema_files

BASE = '''\
"""Nodes."""

from tschema import Object, declare, ty


@declare
class PointNode(Object):
    """
    A point.

    Attributes
    ----------
    x
        Its place.
    """

    type_key = "toy.ir.Point"
    x: ty.int64_t  # not negative


# Labels are drawn beside points.
@declare
class LabelNode(Object):
    """A label."""

    type_key = "toy.ir.Label"
    text: ty.String
'''


def node(name: str, *fields: str) -> str:
    """Return a declaration."""
    lines = "".join(f"    {one}\n" for one in fields)
    return (
        f'\n\n@declare\nclass {name}Node(Object):\n    """A {name}."""\n\n'
        f'    type_key = "toy.ir.{name}"\n{lines}'
    )


def merged(ours: str, theirs: str, base: str = BASE) -> tuple[str, int]:
    """Merge two versions, both ways; return the first result."""
    style = Style(b"ours", b"base", b"theirs")
    other = merge_schema_files(base.encode(), theirs.encode(), ours.encode(), style)
    result = merge_schema_files(base.encode(), ours.encode(), theirs.encode(), style)
    assert bool(other.n_conflicts) == bool(result.n_conflicts)
    assert (
        merge_schema_files(base.encode(), ours.encode(), ours.encode(), style).text.decode() == ours
    )
    return result.text.decode(), result.n_conflicts


def test_each_side_adds_a_class_at_the_end() -> None:
    first, second = node("First", "x: ty.bool"), node("Second", "y: ty.bool")
    assert merged(BASE + first, BASE + second) == (BASE + first + second, 0)


def test_each_side_adds_classes_in_one_place() -> None:
    first, second, third = (node(name, "x: ty.bool") for name in ("First", "Second", "Third"))
    head, marker, tail = BASE.partition("\n\n# Labels")
    ours, theirs = (head + text + marker + tail for text in (first + second, third))
    assert merged(ours, theirs) == (head + first + second + third + marker + tail, 0)


@pytest.mark.parametrize(
    ("ours", "theirs", "both"),
    [
        (
            "from schema.ir.type import TypeNode\n",
            "from schema.ir.span import SpanNode\n",
            "from schema.ir.span import SpanNode\nfrom schema.ir.type import TypeNode\n",
        ),
        (
            "from schema.ir.span import SpanNode\n",
            "from schema.ir.span import SourceNode\n",
            "from schema.ir.span import SourceNode, SpanNode\n",
        ),
    ],
)
def test_each_side_adds_an_import(ours: str, theirs: str, both: str) -> None:
    line = "from tschema import Object, declare, ty\n"
    versions = [BASE.replace(line, f"{text}\n{line}") for text in (ours, theirs, both)]
    assert merged(versions[0], versions[1]) == (versions[2], 0)


def test_each_side_imports_a_name_more() -> None:
    line = "import Object, declare, ty\n"
    ours = BASE.replace(line, "import Object, declare, field, ty\n")
    theirs = BASE.replace(line, "import (\n    Object,\n    declare,\n    method,\n    ty,\n)\n")
    names = ("Object", "declare", "field", "method", "ty")
    expected = "import (\n" + "".join(f"    {name},\n" for name in names) + ")\n"
    assert merged(ours, theirs) == (BASE.replace(line, expected), 0)
    fewer = BASE.replace(line, "import Object, declare\n")
    assert merged(ours, fewer) == (BASE.replace(line, "import Object, declare, field\n"), 0)


def test_each_side_adds_a_field_to_another_class() -> None:
    ours = BASE.replace("not negative\n", "not negative\n    y: ty.bool\n")
    theirs = BASE + "    size: ty.bool = False  # of the font\n"
    assert merged(ours, theirs) == (ours + "    size: ty.bool = False  # of the font\n", 0)


def documented(name: str, type_: str, doc: str) -> str:
    """Return the file with a field more in the first class, and its doc."""
    text = BASE.replace("not negative\n", f"not negative\n    {name}: {type_}\n")
    return text.replace("Its place.\n", f"Its place.\n    {name}\n        {doc}\n")


def test_each_side_adds_a_field_to_one_class() -> None:
    ours, theirs = (
        documented("y", "ty.int64_t", "Its row."),
        documented("name", "ty.String", "Its name."),
    )
    text, n_conflicts = merged(ours, theirs)
    expected = ours.replace("    y: ty.int64_t\n", "    y: ty.int64_t\n    name: ty.String\n")
    row = "    y\n        Its row.\n"
    assert (text, n_conflicts) == (
        expected.replace(row, f"{row}    name\n        Its name.\n"),
        0,
    )


def test_fields_that_a_call_could_confuse_are_a_conflict() -> None:
    ours, theirs = (
        documented("y", "ty.int64_t", "Its row."),
        documented("z", "ty.int64_t", "Its layer."),
    )
    text, n_conflicts = merged(ours, theirs)
    assert n_conflicts == 1
    conflict = "<<<<<<< ours\n    y: ty.int64_t\n=======\n    z: ty.int64_t\n>>>>>>> theirs\n"
    assert conflict in text
    named = [one.replace("ty.int64_t\n", "ty.int64_t = field(default=0, kw_only=True)\n")
             for one in (ours, theirs)]  # fmt: skip
    assert merged(*named)[1] == 0


def test_members_of_an_enum_with_one_value_are_a_conflict() -> None:
    base = BASE + '\n\n@declare\nclass Kind(ty.IntEnum):\n    """Kinds."""\n\n    A = 0\n'
    assert merged(base + "    B = 1\n", base + "    C = 2\n", base) == (
        base + "    B = 1\n    C = 2\n",
        0,
    )
    assert merged(base + "    B = 1\n", base + "    C = 1\n", base)[1] == 1


def test_one_side_removes_what_the_other_edits() -> None:
    at = BASE.index("\n\n# Labels")
    removed = BASE[:at]
    edited = BASE.replace("text: ty.String", "text: ty.Bytes")
    text, n_conflicts = merged(removed, edited)
    assert n_conflicts == 1
    assert text == f"{removed}<<<<<<< ours\n=======\n{edited[at:]}>>>>>>> theirs\n"
    added = node("First", "x: ty.bool")
    assert merged(removed + added, BASE + node("Second", "x: ty.bool"))[1] == 0
    assert merged(removed + added, BASE.replace("A point.", "A spot.")) == (
        removed.replace("A point.", "A spot.") + added,
        0,
    )


def test_both_change_one_field_otherwise() -> None:
    ours, theirs = (BASE.replace("x: ty.int64_t", f"x: {one}") for one in ("ty.bool", "ty.Any"))
    text, n_conflicts = merged(ours + node("First"), theirs + node("Second"))
    assert n_conflicts == 1
    assert text.endswith(node("First") + node("Second"))
    assert (
        "<<<<<<< ours\n    x: ty.bool  # not negative\n=======\n"
        "    x: ty.Any  # not negative\n>>>>>>> theirs\n\n\n# Labels"
    ) in text


def test_a_renamed_class_takes_the_other_sides_fields_along() -> None:
    ours = BASE.replace('    type_key = "toy.ir.Label"\n',
        '    type_key = "toy.ir.Tag"\n    renamed_from = "LabelNode"\n')  # fmt: skip
    ours = ours.replace("LabelNode(", "TagNode(").replace("A label.", "A tag.")
    theirs = BASE + "    size: ty.bool\n" + node("Second")
    text, n_conflicts = merged(ours + node("First"), theirs)
    assert (text, n_conflicts) == (
        ours + "    size: ty.bool\n" + node("First") + node("Second"),
        0,
    )


@pytest.mark.parametrize("change", [
    lambda text: text.replace("\n", "\r\n"),
    lambda text: text.removesuffix("\n"),
    lambda text: text + "\n# the end",
    lambda text: text.replace("A point.", "Ein Größenpunkt \u2028 \x0c."),
])  # fmt: skip
def test_comments_blanks_and_line_ends_stay(change: Callable[[str], str]) -> None:
    head, marker, tail = BASE.partition("\n\n# Labels")
    first, second = node("First", "x: ty.bool  # why"), node("Second", "x: ty.bool")
    versions = [change(head + text + marker + tail) for text in (first, second, first + second)]
    assert merged(versions[0], versions[1], change(BASE)) == (versions[2], 0)


@pytest.mark.parametrize("text", ["x = 1; y = 2\n", "class (:\n", "def f(): ...\ndef f(): ...\n"])
def test_what_cannot_be_cut_merges_as_git_does_it(text: str) -> None:
    ours, theirs = BASE + text + node("First"), BASE + text + node("Second")
    result, n_conflicts = merged(ours, theirs, BASE + text)
    assert n_conflicts == 1
    assert result.count("<<<<<<< ours\n") == result.count(">>>>>>> theirs\n") == 1
