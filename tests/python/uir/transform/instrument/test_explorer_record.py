"""What the explorer records: versions, times and errors of passes, however they are nested."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import uir
from uir import relay
from uir.ir import GlobalVar, IRModule
from uir.target import Target
from uir.transform import Explorer, PassContext, Sequential, Simplify, module_pass

from .explorer_pages import Texts, long_texts, lowered_page, write_page


def data_of(page: Path) -> Any:
    """Return what a page's scripts read."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read_text())
    assert found
    return json.loads(found[1])


def versions_of(data: Any) -> list[str]:
    """Return the texts that a page holds."""
    texts: list[str] = []
    lines: list[int] = []
    for hunks in data["versions"]:
        patched, place = [], 0
        for start, removed, added in hunks:
            patched += lines[place:start] + added
            place = start + removed
        lines = patched + lines[place:]
        texts.append("\n".join(data["lines"][line] for line in lines))
    return texts


def steps(data: Any, *fields: str) -> Sequence[tuple[Any, ...]]:
    return [tuple(step[field] for field in fields) for step in data["passes"]]


def test_each_version_is_kept(tmp_path: Path) -> None:
    texts = [("input", "a\nb\nc"), ("Keep", "a\nb\nc"), ("Change", "a\nx\nc"), ("Drop", "a")]
    data = data_of(write_page(tmp_path / "page.html", texts))
    assert versions_of(data) == ["a\nb\nc", "a\nx\nc", "a"]
    assert steps(data, "name", "depth", "before", "after", "changed", "added", "removed") == [
        ("pipeline", 0, 0, 2, True, 0, 2),
        ("Keep", 1, 0, 0, False, 0, 0),
        ("Change", 1, 0, 1, True, 1, 1),
        ("Drop", 1, 1, 2, True, 0, 2),
    ]


def test_what_recipes_chose_and_the_c_of_the_lowered_module(tmp_path: Path) -> None:
    data = data_of(lowered_page(tmp_path / "page.html"))
    last = len(data["versions"]) - 1
    (lines,) = data["schedules"].values()
    assert lines == ["main: ScheduleElementwise: z: vectors(lanes=8, flat=0, parallel=0)"]
    (version,) = data["schedules"]
    first = next(step for step in data["passes"] if step["after"] == int(version))
    assert first["name"] == "ScheduleElementwise"
    assert list(data["code"]) == [str(last)]
    assert "ENTRY __tvm_ffi_main(" in "\n".join(data["code"][str(last)])


TWO_LAYERS = """
@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((256, 256), "float32"), w: relay.Tensor((256, 256), "float32")):
        a = x @ w
        b = relay.relu(a)
        c = b @ w
        d = relay.relu(c)
        return d
"""


def test_equal_kernels_come_from_the_operators_of_all_their_calls(tmp_path: Path) -> None:
    module = uir.script.parse(TWO_LAYERS, "net.py")
    with PassContext(instruments=[Explorer(tmp_path / "page.html")]):
        uir.lower(module, Target("c", "x86-64-v3"))
    data = data_of(tmp_path / "page.html")
    assert data["operators"] == [f"net.py:{line}" for line in (6, 7, 8, 9)]
    assert origins(data, 0) == {f"{name} =": {i} for i, name in enumerate("abcd")}
    last = origins(data, len(data["versions"]) - 1)
    everything = {0, 1, 2, 3}
    # The threads run parts of the kernel that are a function of their own.
    assert last == {
        "def fused_matmul_relu(": everything,
        "def fused_matmul_relu_parallel(": everything,
        "def fused_matmul_relu_parallel_1(": everything,
        "Module.fused_matmul_relu(": everything,
    }


def origins(data: Any, version: int) -> dict[str, set[int]]:
    """Return the operators of statements and functions, by how their lines begin."""
    lines = versions_of(data)[version].split("\n")
    places = data["places"][max((key for key in data["places"] if int(key) <= version), key=int)]
    found: dict[str, set[int]] = {}
    for first, last, *operators in places:
        text = next(one for one in lines[first - 1 : last] if not one.strip().startswith("@"))
        begin = re.match(r"\s*(def \w+\(|[\w.]+\(|\w+ =)", text)
        assert begin, text
        found.setdefault(begin[1], set()).update(operators)
    return found


def test_modules_that_are_not_lowered_have_no_c(tmp_path: Path) -> None:
    module = uir.script.parse(BLOCKS)
    with PassContext(instruments=[Explorer(tmp_path / "page.html")]):
        Sequential([Simplify()])(module)
    data = data_of(tmp_path / "page.html")
    assert (data["code"], data["schedules"]) == ({}, {})


def test_elements_of_constants_are_left_out(tmp_path: Path) -> None:
    weights = relay.const(np.ones((64, 64), "float32"))
    func = relay.Function([], relay.Block([], relay.exp(weights)))
    with PassContext(instruments=[Explorer(tmp_path / "page.html")]):
        Sequential([Simplify()])(IRModule({GlobalVar("main"): func}))
    (text,) = versions_of(data_of(tmp_path / "page.html"))
    assert "relay.exp(" in text and len(text) < 1000


BLOCKS = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def main(A: tir.Buffer((8, 8), "float32")):
        for i in range(8):
            for j in range(8):
                with tir.block("b"):
                    vi, vj = tir.axis.remap("SS", [i, j])
                    A[vi, vj] = 0.0
"""


def test_nested_sequences(tmp_path: Path) -> None:
    texts = Texts("a")
    inner = Sequential([texts.leaves("One", "b")], name="inner")
    outer = Sequential([inner, texts.leaves("Two", "c")], name="outer")
    with PassContext(instruments=[texts.explorer(tmp_path / "page.html")]):
        outer(IRModule())
    names = steps(data_of(tmp_path / "page.html"), "name", "depth")
    assert names == [("outer", 0), ("inner", 1), ("One", 2), ("Two", 1)]


def test_a_page_that_is_written_twice_is_the_same(tmp_path: Path) -> None:
    pages = [write_page(tmp_path / name, long_texts(4, 50)) for name in ("one.html", "two.html")]
    assert pages[0].read_bytes() == pages[1].read_bytes()


def test_printing_is_no_time_of_a_pass(tmp_path: Path) -> None:
    ticks = iter(range(0, 10**9, 1000))
    slow = Explorer(
        tmp_path / "page.html",
        script=lambda _: str(sum(next(ticks) for _ in range(500))),
        clock=lambda: next(ticks),
    )
    passes = [Texts("").leaves(name, "") for name in ("One", "Two")]
    with PassContext(instruments=[slow]):
        Sequential(passes)(IRModule())
    times = [step["time"] for step in data_of(tmp_path / "page.html")["passes"]]
    assert max(times) < 20_000, times


def test_a_pass_that_fails_is_shown_with_its_error(tmp_path: Path) -> None:
    texts = Texts("a")

    @module_pass(opt_level=0, name="Breaks")
    def breaks(module: IRModule, context: PassContext) -> IRModule:
        raise ValueError("no room for `A`")

    pipeline = Sequential([texts.leaves("One", "b"), breaks, texts.leaves("Two", "c")], name="all")
    explorer = texts.explorer(tmp_path / "page.html")
    with (
        pytest.raises(ValueError, match="no room for `A`"),
        PassContext(instruments=[explorer]),
    ):
        pipeline(IRModule())
    outer, one, broken = data_of(tmp_path / "page.html")["passes"]
    assert (outer["after"], outer["error"]) == (None, "`Breaks` in it failed")
    assert (one["name"], one["after"], one["error"]) == ("One", 1, None)
    assert (broken["name"], broken["before"], broken["after"]) == ("Breaks", 1, None)
    assert "ValueError" in broken["error"]
    assert "no room for `A`" in broken["error"]


def test_an_explorer_starts_anew_in_each_context(tmp_path: Path) -> None:
    texts = Texts("a")
    explorer = texts.explorer(tmp_path / "page.html")
    for name in ("First", "Second"):
        with PassContext(instruments=[explorer]):
            texts.leaves(name, "b")(IRModule())
    assert steps(data_of(tmp_path / "page.html"), "name") == [("Second",)]


def test_text_cannot_end_the_data(tmp_path: Path) -> None:
    script = "# </script><script>alert(1)</script> <!-- script -->"
    data = data_of(write_page(tmp_path / "page.html", [("input", script), ("Keep", script)]))
    assert versions_of(data) == [script]


def test_the_page_names_no_other_file(tmp_path: Path) -> None:
    page = write_page(tmp_path / "page.html", long_texts(2, 20)).read_text()
    assert re.findall(r"https?://|<link|<img|<iframe|@import|src=|url\(", page) == []


def test_sixty_passes_of_five_thousand_lines_are_small(tmp_path: Path) -> None:
    texts = long_texts(60, 5000)
    page = write_page(tmp_path / "page.html", texts)
    assert page.stat().st_size < sum(len(text) for _, text in texts) / 20
    assert versions_of(data_of(page)) == [text for _, text in texts]
