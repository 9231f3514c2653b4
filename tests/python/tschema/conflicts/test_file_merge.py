"""Merging of files block by block: what git's merging of lines alone would not do."""

from __future__ import annotations

import pytest

from tschema.conflicts.file_merge import MergedFile, Removed, Rules, Versions, merge_files
from tschema.conflicts.json_merge import merge_json, sealed_side
from tschema.conflicts.renames import guess_renamed
from tschema.diagnostics.conflict_markers import Style
from tschema.ir.seals import seal_json
from tschema.regions.blocks import scan, seal


def block(name: str, generated: str = "", custom: str = "") -> bytes:
    """Return a block; texts are words, one a line."""
    words = "".join(f"{word}\n" for word in generated.split())
    lines = "".join(f"  {word}\n" for word in custom.split())
    begin, end = "  // tschema: custom-begin\n", "  // tschema: custom-end\n"
    text = f"// tschema: {name}\nclass {name} {{\n{words}{begin}{lines}{end}}};\n// tschema: end\n"
    return seal("a.h", text.encode())


def merged(
    base: bytes, ours: bytes, theirs: bytes, *, is_owned: bool = True, **rules: object
) -> MergedFile:
    """Merge three versions."""
    versions = Versions(*(scan("a.h", text) for text in (base, ours, theirs)))
    return merge_files(versions, Rules(Style(), is_owned, **rules))  # type: ignore[arg-type]


def customs(file: MergedFile) -> dict[str, bytes]:
    """Return the custom regions of a merged file, none of whose blocks is edited."""
    found = scan("a.h", file.data)
    assert not found.edited
    return {name: found.custom(one) for name, one in found.blocks.items()}


def test_generated_text_of_one_side_and_of_both() -> None:
    base = block("A", "1 2 3 4 5")
    ours = block("A", "0 1 2 3 4 5")
    assert merged(base, ours, base).data == ours
    assert merged(base, base, ours).data == ours
    both = merged(base, ours, block("A", "1 2 3 4 5 6"))
    assert both.data == block("A", "0 1 2 3 4 5 6")
    assert both.conflicts == []


def test_generated_text_in_conflict_is_ours() -> None:
    both = merged(block("A", "1"), block("A", "2", "x"), block("A", "3", "x"))
    assert (both.data, both.conflicts) == (block("A", "2", "x"), [])


def test_an_edit_by_hand_is_still_one() -> None:
    edited = block("A", "1").replace(b"class", b"struct")
    for ours, theirs in ((edited, block("A", "2")), (block("A", "2"), edited)):
        found = scan("a.h", merged(block("A", "1"), ours, theirs).data)
        assert found.edited == {"A"}


def test_regions_merge_as_text() -> None:
    base, ours = block("A", "1", "a b c d"), block("A", "2", "x b c d")
    both = merged(base, ours, block("A", "3", "a b c y"))
    assert customs(both) == {"A": b"  x\n  b\n  c\n  y\n"}
    torn = merged(base, ours, block("A", "3", "z b c d"))
    assert torn.conflicts == ["A"]
    assert customs(torn) == {
        "A": b"<<<<<<< ours\n  x\n=======\n  z\n>>>>>>> theirs\n  b\n  c\n  d\n"
    }


@pytest.mark.parametrize("is_owned", [False, True])
def test_blocks_that_both_sides_added_at_one_place(is_owned: bool) -> None:
    base = block("A") + b"\n"
    both = merged(base, base + block("B", "", "b"), base + block("C", "", "c"), is_owned=is_owned)
    assert both.conflicts == []
    assert customs(both) == {"A": b"", "B": b"  b\n", "C": b"  c\n"}


def test_one_block_that_both_sides_added() -> None:
    base = block("A")
    ours, theirs = base + block("B", "1", "b"), base + block("B", "2", "c")
    both = merged(base, ours, theirs)
    assert both.conflicts == ["B"]
    assert customs(both)["B"] == b"<<<<<<< ours\n  b\n=======\n  c\n>>>>>>> theirs\n"


def test_a_block_that_moved_and_changed() -> None:
    a, b = block("A", "1", "a"), block("B", "1", "b")
    both = merged(a + b, b + a, block("A", "1", "x") + b)
    assert customs(both) == {"B": b"  b\n", "A": b"  x\n"}


def test_a_block_that_one_side_removed() -> None:
    a, b = block("A", "1"), block("B", "1", "b")
    for is_owned in (False, True):
        assert merged(a + b, a, a + b, is_owned=is_owned).data == a
        assert merged(a + b, a + b, a, is_owned=is_owned).data == a
    changed = block("B", "1", "x")
    kept = merged(a + b, a, a + changed)
    assert kept.removed == [Removed("B", b"  b\n", b"  x\n")]
    assert kept.data == a + changed
    marked = merged(a + b, a, a + changed, removed="mark")
    assert marked.conflicts == ["B"]
    assert marked.data == a + b"<<<<<<< ours\n=======\n" + changed + b">>>>>>> theirs\n"


def test_a_block_between_that_was_removed_and_left_alone() -> None:
    a, b, c = block("A", "1", "a"), block("B", "1", "b"), block("C", "1", "c")
    kept = merged(a + b + c, b"", block("A", "1", "x") + b + c)
    assert customs(kept) == {"A": b"  x\n"}


def test_a_removed_block_that_changed_in_the_place_of_another() -> None:
    a, b, changed = block("A", "1"), block("B", "1", "b"), block("B", "1", "x")
    kept = merged(a + b, a, changed)
    assert kept.removed == [Removed("B", b"  b\n", b"  x\n")]
    assert merged(a + b, a, changed, removed="mark").conflicts == ["B"]


def test_a_renamed_block_takes_the_changes_along() -> None:
    base, theirs = block("FooNode", "1 2", "a b c"), block("FooNode", "1 2 3", "a b y")
    ours = block("BarNode", "1 2", "x b c")
    versions = [scan("a.h", text) for text in (base, ours, theirs)]
    renamed = guess_renamed(*versions)
    assert renamed == {"BarNode": "FooNode"}
    for one, other in ((ours, theirs), (theirs, ours)):
        both = merged(base, one, other, renamed=renamed)
        assert customs(both) == {"BarNode": b"  x\n  b\n  y\n"}


@pytest.mark.parametrize(
    ("old", "new", "is_one"),
    [
        (("1 2 3", "a b"), ("1 2 3", "a b"), True),
        (("1 2 3", "a b"), ("7 8 9", "a c"), True),
        (("1 2 3", "a b"), ("1 2 3", ""), False),
        (("1 2 3", ""), ("1 2 3", "x"), True),
        (("1 2 3", ""), ("7 8 9", ""), False),
    ],
)
def test_what_counts_as_renamed(old: tuple[str, str], new: tuple[str, str], is_one: bool) -> None:
    base = scan("a.h", block("FooNode", *old))
    side = scan("a.h", block("BarNode", *new))
    assert bool(guess_renamed(base, side, base)) == is_one
    assert bool(guess_renamed(base, base, side)) == is_one
    assert bool(guess_renamed(base, side, side)) == is_one


def test_two_new_names_are_none() -> None:
    base, ours, theirs = (scan("a.h", block(name, "1", "a")) for name in ("A", "B", "C"))
    assert guess_renamed(base, ours, theirs) == {}


def test_text_of_the_users_around_blocks() -> None:
    a = block("A", "1")
    base = b"1\n2\n3\n" + a + b"4\n5\n6"
    ours = b"0\n1\n2\n3\n" + block("A", "2") + b"4\n5\n6"
    theirs = b"1\n2\n3\n" + block("A", "3") + b"4\n5\n6\n7"
    both = merged(base, ours, theirs, is_owned=False)
    assert both.data == b"0\n1\n2\n3\n" + block("A", "2") + b"4\n5\n6\n7"
    torn = merged(base, b"x\n" + base[2:], b"y\n" + base[2:], is_owned=False)
    assert torn.data == b"<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n" + base[2:]
    assert torn.conflicts == ["file"]


def test_text_around_blocks_that_is_generated() -> None:
    a = "// tschema: file\n// tschema: end\n{0}\n" + block("A", "1").decode() + "{1}\n"

    def version(*words: str) -> bytes:
        return seal("a.h", a.replace("{0}", words[0]).replace("{1}", words[1]).encode())

    assert merged(version("1", "1"), version("2", "1"), version("1", "3")).data == version("2", "3")
    assert merged(version("1", "1"), version("2", "1"), version("3", "1")).data == version("2", "1")


def test_line_ends_and_byte_order_marks_stay() -> None:
    base = b"\xef\xbb\xbf" + (block("A", "1", "a b") + block("B", "1")).replace(b"\n", b"\r\n")
    ours = base.replace(b"  a\r\n", b"  x\r\n")
    theirs = base.replace(b"class B", b"class  B")
    both = merged(base, ours, theirs)
    assert both.data.count(b"\r\n") == both.data.count(b"\n")
    assert both.data.startswith(b"\xef\xbb\xbf// tschema: A\r\n")
    assert b"  x\r\n" in both.data


def test_the_json_ir() -> None:
    def version(*names: str) -> bytes:
        listed = ",\n".join(f'  "{name}"' for name in names)
        return seal_json(
            b'{\n "version": 1,\n "package": "toy",\n "x": [\n%b\n ]\n}\n' % listed.encode()
        )

    base, ours, theirs = (
        version("a", "b", "c", "d"),
        version("x", "b", "c", "d"),
        version("a", "b", "c", "y"),
    )
    assert merge_json(base, ours, theirs) == version("x", "b", "c", "y")
    assert merge_json(base, ours, base) == ours
    assert merge_json(base, base, theirs) == theirs
    assert merge_json(None, ours, theirs) == ours
    torn = version("z", "b", "c", "d")
    assert merge_json(base, ours, torn) == ours
    edited = torn.replace(b"z", b"w")
    assert merge_json(base, ours, edited) == edited
    assert sealed_side(edited) == version("w", "b", "c", "d")
