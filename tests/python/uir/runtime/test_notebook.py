"""Times, profiles and compiled modules as HTML, and profiles as traces."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest
import tvm_ffi

import uir
from uir.runtime import KernelProfile, Module, Profile, Timing, export_library, load_module, profile
from uir.runtime.units import time_text

NETWORK = """
@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((n, 8), "float32"), w: relay.Tensor((8, 8), "float32")):
        n = tir.SizeVar("n", "int32")
        return relay.relu(x @ w), relay.softmax(x)

    @relay.function
    def sums(x: relay.Tensor((4, 8), "float32")):
        return relay.sum(x, axis=[1])
"""


class Cells(HTMLParser):
    """Collects the texts of the cells of tables, and checks that all tags are closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.open: list[str] = []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if {"td", "th"} & {*self.open}:
            self.rows[-1][-1] += data


def html_of(value: object) -> str:
    return str(value._repr_html_())  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def module() -> Module:
    return uir.build(uir.script.parse(NETWORK))


def test_a_compiled_module_shows_signatures(module: Module) -> None:
    head, *rows = Cells(html_of(module)).rows
    assert head == ["function", "parameters", "results"]
    assert rows == [
        [
            "main",
            "x: float32 (n, 8), w: float32 (8, 8)",
            "output_0: float32 (n, 8), output_1: float32 (n, 8)",
        ],
        ["sums", "x: float32 (4, 8)", "output: float32 (4)"],
    ]


def test_modules_of_others_have_no_page(module: Module, tmp_path: object) -> None:
    path = f"{tmp_path}/m.so"
    export_library(module, path)
    assert load_module(path)._repr_html_() is None
    assert tvm_ffi.system_lib()._repr_html_() is None


def test_a_profile_shows_bars(module: Module) -> None:
    measured = profile(module, number=3)(np.ones((2, 8), "float32"), np.ones((8, 8), "float32"))
    page = html_of(measured)
    _, *rows = Cells(page).rows
    assert [row[0] for row in rows[:-1]] == [kernel.name for kernel in measured.kernels]
    assert rows[-1][0] == "(outside kernels)"
    shares = [float(row[2].rpartition(" ")[2].rstrip("%")) for row in rows]
    assert abs(sum(shares) - 100) < 0.5
    widths = [int(one) for one in re.findall(r"width: (\d+)px", page)]
    assert widths == [pytest.approx(1.6 * share, abs=0.6) for share in shares]


def test_names_are_escaped() -> None:
    kernel = KernelProfile("<script>", "a&b.py:1", 1, 0.5, 0.5, 0.5, -1, -1)
    page = html_of(Profile("<b>", 1, 1.0, [kernel]))
    assert "<script>" not in page and "<b>" not in page
    assert Cells(page).rows[1][::5] == ["<script>", "a&b.py:1"]


def test_a_trace_has_an_event_for_each_kernel(module: Module) -> None:
    slow = KernelProfile("slow", "f.py:2", 10, 6e-3, 5e-4, 6e-4, 100, -1)
    quick = KernelProfile("quick", "", 20, 1e-3, 4e-5, 5e-5, -1, 8)
    trace = json.loads(Profile("main", 10, 1e-2, [slow, quick]).to_trace())
    events = trace["traceEvents"]
    assert all(one["ph"] == "X" and {"pid", "tid", "ts", "dur"} <= one.keys() for one in events)
    spans = [(one["name"], one["ts"], one["dur"]) for one in events]
    assert spans == [
        ("main", 0, pytest.approx(1000)),
        ("slow", 0, pytest.approx(600)),
        ("quick", pytest.approx(600), pytest.approx(100)),
    ]
    assert events[1]["args"]["flops"] == 100 and "flops" not in events[2]["args"]


def test_times_of_a_function() -> None:
    timing = Timing((2e-6, 4e-6, 3e-6))
    assert str(timing) == "3.00 us (median of 3, 2.00 us to 4.00 us)"
    assert Cells(html_of(timing)).rows[1:] == [["0", "2.00 us"], ["1", "4.00 us"], ["2", "3.00 us"]]
    assert "width: 80px" in html_of(timing)


def test_units() -> None:
    assert [time_text(one) for one in (9.99e-4, 1e-3, 0.5, 2)] == [
        "999.00 us", "1.00 ms", "500.00 ms", "2.00 s"
    ]  # fmt: skip
