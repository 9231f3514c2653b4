"""Merging: custom regions go along byte for byte, and nothing is lost unsaid."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from tschema.diagnostics.errors import SchemaError
from tschema.regions.blocks import seal
from tschema.regions.merge import Merge, adopt, merge

A, B = PurePosixPath("a.h"), PurePosixPath("b.h")


def block(name: str, region: bytes = b"", body: bytes = b"body\n") -> bytes:
    return (
        b"// tschema: %s\n" % name.encode()
        + body
        + b"  // tschema: custom-begin\n"
        + region
        + b"  // tschema: custom-end\n};\n// tschema: end\n"
    )


def one(new: bytes, old: bytes, **renamed: str) -> Merge:
    return merge({A: seal("a.h", new)}, {A: seal("a.h", old)}, renamed)


def test_a_region_survives_new_text_around_it() -> None:
    result = one(block("X", body=b"new\n"), block("X", b"mine\n"))
    assert result.files[A] == seal("a.h", block("X", b"mine\n", b"new\n"))
    assert not result.edits
    assert not result.lost


@pytest.mark.parametrize(
    "region",
    [
        b"crlf\r\nlf\nlone\rcr\n",
        b"\xff\xfe\x00invalid\n",
        b"\x0cform feed\n\ttab \n",
        b"  \n\n",
        b"\r\n",
    ],
)
def test_a_region_keeps_every_byte(region: bytes) -> None:
    result = one(block("X"), block("X", region))
    assert result.files[A] == seal("a.h", block("X", region))


def test_generated_lines_take_the_line_ends_of_the_file() -> None:
    old = seal("a.h", block("X", b"lf\n")).replace(b"\n", b"\r\n").replace(b"lf\r\n", b"lf\n")
    result = merge({A: seal("a.h", block("X"))}, {A: old}, {})
    assert result.files[A] == old


def test_text_edited_by_hand_is_shown() -> None:
    old = seal("a.h", block("X")).replace(b"body", b"edited")
    result = merge({A: seal("a.h", block("X"))}, {A: old}, {})
    (edit,) = result.edits
    assert str(edit.diagnostic.span) == "a.h:1:1"
    assert "-body\n+edited\n" in edit.diff


def test_an_edit_that_the_schema_caught_up_with_is_none() -> None:
    old = seal("a.h", block("X")).replace(b"body", b"edited")
    assert not merge({A: seal("a.h", block("X", body=b"edited\n"))}, {A: old}, {}).edits


def test_a_bare_end_is_accepted_where_nothing_would_be_lost() -> None:
    for body in (b"body\n", b"", b"  body  \n\n", b"\tbody\r\n"):
        result = merge({A: seal("a.h", block("X"))}, {A: block("X", b"mine\n", body)}, {})
        assert not result.edits
        assert b"mine\n" in result.files[A]
        assert result.files[A].count(b"tschema: end ") == 1


def test_other_text_before_a_bare_end_is_not_dropped_unasked() -> None:
    result = merge({A: seal("a.h", block("X"))}, {A: block("X", b"mine\n", b"other\n")}, {})
    (edit,) = result.edits
    assert "no digest" in edit.diagnostic.message
    assert "+other\n" in edit.diff


def test_a_block_goes_silently_only_with_an_empty_region() -> None:
    assert not one(block("X"), block("X") + block("Y")).lost
    (lost,) = one(block("X"), block("X") + block("Y", b"int precious;\n")).lost
    assert lost.code == "TS064"
    assert "int precious;" in lost.notes[0].message


def test_a_file_that_goes_is_no_exception() -> None:
    (lost,) = merge({}, {A: block("X", b"mine\n")}, {}).lost
    assert str(lost.span) == "a.h:1:1"


def test_a_renamed_class_takes_its_region_along() -> None:
    result = one(block("New"), block("Old", b"mine\n"), New="Old")
    assert result.files[A] == seal("a.h", block("New", b"mine\n"))
    assert not result.lost


def test_a_name_that_is_still_in_use_is_not_a_rename() -> None:
    result = one(block("New") + block("Old"), block("Old", b"mine\n"), New="Old")
    assert result.files[A] == seal("a.h", block("New") + block("Old", b"mine\n"))


def test_a_class_that_moves_to_another_file_takes_its_region_along() -> None:
    new = {A: seal("a.h", block("X")), B: seal("b.h", block("Y"))}
    old = {A: seal("a.h", block("X") + block("Y", b"mine\n"))}
    result = merge(new, old, {})
    assert result.files[B] == seal("b.h", block("Y", b"mine\n"))
    assert not result.lost


def test_a_move_with_two_possible_origins_is_refused() -> None:
    old = {PurePosixPath(f"{name}.h"): block("Y", b"mine\n") for name in "pq"}
    result = merge({A: seal("a.h", block("Y"))}, old, {})
    assert len(result.lost) == 2


def test_the_markers_of_every_old_file_are_checked() -> None:
    with pytest.raises(SchemaError) as caught:
        merge({}, {A: b"// tschema: X\n", B: b"// tschema: end\n"}, {})
    assert [str(error.span) for error in caught.value.diagnostics] == ["a.h:1:1", "b.h:1:1"]


def test_renames_in_a_chain_each_take_their_region_along() -> None:
    old = seal("a.h", block("A", b"a\n") + block("B", b"b\n"))
    new = seal("a.h", block("B") + block("C"))
    result = merge({A: new}, {A: old}, {"B": "A", "C": "B"})
    assert result.files[A] == seal("a.h", block("B", b"a\n") + block("C", b"b\n"))
    again = merge({A: new}, result.files, {"B": "A", "C": "B"})
    assert again.files == result.files
    assert not result.lost
    assert not again.lost


def test_a_byte_order_mark_stays_and_is_no_edit() -> None:
    old = b"\xef\xbb\xbf" + seal("a.h", block("file") + block("X", b"mine\n"))
    result = merge({A: seal("a.h", block("file") + block("X"))}, {A: old}, {})
    assert result.files[A] == old
    assert not result.edits


def test_text_of_a_file_that_has_lost_its_file_block_is_not_dropped_unasked() -> None:
    new = seal("a.h", block("file") + block("X"))
    result = merge({A: new}, {A: b"int mine;\n" + seal("a.h", block("X"))}, {})
    (edit,) = result.edits
    assert "no block `file`" in edit.diagnostic.message
    assert not merge({A: new}, {A: b"\nbody\n" + seal("a.h", block("X"))}, {}).edits


@pytest.mark.parametrize("is_chain", [False, True])
def test_a_region_that_moves_is_in_one_of_the_files_at_any_moment(is_chain: bool) -> None:
    old = {A: seal("a.h", block("X", b"x\n")), B: seal("b.h", block("Y", b"y\n"))}
    new = {A: seal("a.h", block("Y")), B: seal("b.h", block("X"))}
    if not is_chain:
        old[B], new[A] = seal("b.h", block("Z")), seal("a.h", block("W"))
    result = merge(new, old, {})
    steps = [*result.interim.items(), *result.files.items()]
    state = dict(old)
    for path, data in steps:
        state[path] = data
        healed = merge(new, state, {})
        assert not healed.lost
        assert healed.files == result.files


ADDED = seal("a.h", block("X", b"mine\n")).replace(b"body\n", b"body\n  more\r\n\n")


def test_added_lines_are_adopted_at_the_end_of_the_region() -> None:
    new = {A: seal("a.h", block("X"))}
    adopted = adopt(new, {A: ADDED}, {})
    assert adopted == {A: seal("a.h", block("X", b"mine\n  more\r\n\n"))}
    result = merge(new, adopted, {})
    assert not result.edits
    assert result.files == adopted


@pytest.mark.parametrize(
    "old",
    [
        ADDED.replace(b"};", b"} ;"),
        ADDED.replace(b"};\n", b""),
        seal("a.h", block("X", b"", b"first\n")).replace(b"first", b"first\nmore"),
        seal("a.h", block("Gone")).replace(b"body", b"body\nmore"),
    ],
)
def test_other_edits_are_not_adopted(old: bytes) -> None:
    with pytest.raises(SchemaError) as caught:
        adopt({A: seal("a.h", block("X"))}, {A: old}, {})
    assert [error.code for error in caught.value.diagnostics] == ["TS065"]
