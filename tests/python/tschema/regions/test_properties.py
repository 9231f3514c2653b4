"""Properties of blocks and merging, on random bytes."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from hypothesis import given
from hypothesis import strategies as st

from tschema.regions.blocks import scan, seal
from tschema.regions.merge import merge

PATH = PurePosixPath("a.py")
MARKER = re.compile(rb"^[ \t]*#[ \t]*tschema:", re.MULTILINE)

pieces = st.sampled_from(
    [b"\n", b"\r\n", b"\r", b"\x00", b"\xff", b"\x0c", b"\t", b"# tschema", b"tschema: end", b"'''"]
)
random_bytes = st.lists(pieces | st.binary(max_size=6), max_size=12).map(b"".join)
regions = random_bytes.map(lambda data: data + b"\n" if data else data).filter(
    lambda data: not MARKER.search(data)
)
bodies = (
    st.text("ab #:\n", max_size=20)
    .map(lambda text: (text + "\n").encode())
    .filter(lambda data: not MARKER.search(data))
)
names = st.lists(st.sampled_from(["file", "A", "B", "C", "D"]), unique=True, max_size=5)


def build(parts: list[tuple[str, bytes, bytes]], outside: bytes) -> bytes:
    blocks = (
        b"# tschema: %s\n%s    # tschema: custom-begin\n%s    # tschema: custom-end\n\n"
        b"# tschema: end\n\n" % (name.encode(), body, region)
        for name, body, region in parts
    )
    return outside + b"".join(blocks) + outside


@st.composite
def versions(draw: st.DrawFn) -> tuple[bytes, bytes, dict[str, bytes]]:
    """Draw a new file, an old one with the same blocks, and the old regions."""
    chosen = draw(names)
    customs = {name: draw(regions) for name in chosen}
    new = build([(name, draw(bodies), b"") for name in chosen], draw(bodies))
    order = draw(st.permutations(chosen))
    old = build([(name, draw(bodies), customs[name]) for name in order], draw(bodies))
    return seal("a.py", new), seal("a.py", old), customs


@given(versions())
def test_regions_survive_and_merging_is_idempotent(
    case: tuple[bytes, bytes, dict[str, bytes]],
) -> None:
    new, old, customs = case
    result = merge({PATH: new}, {PATH: old}, {})
    file = scan("a.py", result.files[PATH])
    assert {name: file.custom(item) for name, item in file.blocks.items()} == customs
    assert not result.edits
    assert not result.lost
    again = merge({PATH: new}, result.files, {})
    assert again.files == result.files
    assert not again.edits


@given(versions())
def test_what_is_outside_regions_is_the_new_text(
    case: tuple[bytes, bytes, dict[str, bytes]],
) -> None:
    new, old, _ = case
    merged = merge({PATH: new}, {PATH: old}, {}).files[PATH]
    file = scan("a.py", merged)
    empty = b"".join(
        line
        for index, line in enumerate(file.lines)
        if not any(index in (block.region or ()) for block in file.blocks.values())
    )
    assert empty.replace(b"\r\n", b"\n") == new


@given(versions(), st.data())
def test_any_edit_of_generated_text_is_noticed(
    case: tuple[bytes, bytes, dict[str, bytes]], data: st.DataObject
) -> None:
    _, old, _ = case
    file = scan("a.py", old)
    block = data.draw(
        st.sampled_from(sorted(file.blocks.values(), key=lambda item: item.begin))
        if file.blocks
        else st.none()
    )
    if block is None:
        return
    lines = [
        index
        for index in range(block.begin + 1, block.end)
        if index not in (block.region or ()) and b"tschema:" not in file.lines[index]
    ]
    index = data.draw(st.sampled_from(lines))
    edited = list(file.lines)
    edited[index] = data.draw(st.sampled_from([b"", b"x" + edited[index], b" " + edited[index]]))
    changed = scan("a.py", b"".join(edited))
    assert changed.is_edited(changed.blocks[block.name])
    assert [name for name, item in changed.blocks.items() if changed.is_edited(item)] == [
        block.name
    ]
