"""Rows of users for the table of parameters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import uir
from uir import schedule, te
from uir.target import Target
from uir.tir import PrimFunc
from uir.transform import PassContext

V3 = Target("c", "x86-64-v3")
ROW = {"recipe": "contraction", "isa": "x86-64-v3", "shape": "many_rows", "rows": 4}


def product() -> PrimFunc:
    a, b = (te.placeholder((64, 64), "float32", name) for name in "ab")
    k = te.reduce_axis((0, 64), "k")
    c = te.compute((64, 64), lambda i, j: te.sum(a[i, k] * b[k, j], axis=[k]), "c")
    return te.create_prim_func([a, b, c])


def trace(**options: Any) -> str:
    (line,) = schedule.trace_of(uir.lower(product(), V3, **options))["main"]
    return line


def test_rows_apply_only_where_they_are_named(tmp_path: Path) -> None:
    plain = trace()
    assert "rows=6" in plain
    tuned = trace(tuned=[ROW])
    assert tuned == plain.replace("rows=6", "rows=4")
    path = tmp_path / "rows.json"
    path.write_text(json.dumps([ROW]))
    assert trace(tuned=path) == trace(tuned=str(path)) == tuned
    with PassContext(config={"Schedule.rows": [ROW]}):
        assert trace() == tuned
        assert trace(tuned=[]) == plain
    assert trace() == plain
    assert schedule.read_rows(path) == [ROW]


def test_the_first_row_that_fits_and_has_a_parameter_gives_it() -> None:
    rows: list[dict[str, Any]] = [
        {"recipe": "contraction", "isa": "x86-64-v4", "rows": 2},
        {"recipe": "contraction", "dtype": "float64", "rows": 3},
        {"recipe": "contraction", "sum_block": 32},
        {"recipe": "contraction", "rows": 4, "sum_block": 64},
    ]
    assert "rows=4, vectors=2, lanes=8, sum_block=32," in trace(tuned=rows)


def test_a_trace_needs_no_rows() -> None:
    line = trace(tuned=[ROW])
    passes = uir.transform.default_pipeline(V3)
    place = [one.pass_info.name for one in passes].index("ClassifyBlocks")
    passes.insert(place, schedule.ReplaySchedule({"main": [line]}))
    replayed = uir.lower(product(), V3, passes)
    assert uir.ir.structural_equal(replayed, uir.lower(product(), V3, tuned=[ROW]))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({}, "row 1: the key `recipe` is missing"),
        ({"recipe": "contractoin"}, "got `contractoin`; did you mean `contraction`?"),
        ({**ROW, "isa": "x86-64-v5"}, "got `x86-64-v5`; did you mean"),
        ({**ROW, "shape": "many"}, "row 1: `shape` must be one of"),
        ({**ROW, "dtype": "flaot32"}, "`dtype` must be a data type"),
        ({**ROW, "row": 4}, "`row` is not a parameter of this recipe; did you mean `rows`?"),
        ({**ROW, "rows": 0}, "row 1: `rows` must be from 1 to 64, got 0"),
        ({**ROW, "rows": "4"}, "row 1: `rows` must be an integer"),
        ({**ROW, "isa": 4}, "row 1: `isa` must be a string"),
    ],
)
def test_wrong_rows_are_refused(row: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError) as error:
        uir.lower(product(), V3, tuned=[ROW, row])
    assert message in str(error.value)
    path = tmp_path / "rows.json"
    path.write_text(json.dumps([ROW, row]))
    with pytest.raises(ValueError) as error:
        uir.build(product(), V3, tuned=path)
    assert f"{path}: " in str(error.value) and message in str(error.value)


def test_wrong_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    with pytest.raises(ValueError, match="cannot be read"):
        uir.lower(product(), V3, tuned=path)
    for text, message in [
        ("{", "is not JSON"),
        ("{}", "`uir_tuned` must be"),
        ("[1]", "row 0 must be"),
    ]:
        path.write_text(text)
        with pytest.raises(ValueError, match=message):
            uir.lower(product(), V3, tuned=path)
