"""Kernels of tuned files are measured again, and only those that hold are written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import uir
from uir import ir, schedule, te
from uir.tuning import Database, LocalWorkers, Progress, Result, Trace, kernels_of, revalidate

from .samples import FormulaMeasurer, kernel_of, product, time_by_formula

OTHER = "0123456789abcdef"


def rows_of(count: int) -> list[dict[str, Any]]:
    """Return rows for the kernel of `product()`, whose times by the formula fall."""
    kernel = kernel_of(product())
    line = kernel.trace[0]
    traces = [line, line.replace("rows=6", "rows=4"), line.replace("rows=6", "rows=16")]
    assert "rows=6" in line
    return [{"kernel": kernel.hash, "name": "main", "trace": [one]} for one in traces][:count]


def written(path: Path, rows: list[dict[str, Any]], **fields: object) -> Path:
    """Write a file of another machine and release."""
    value = {"uir_tuned": 1, "lowering": 77, "isa": "aarch64", "kernels": rows, **fields}
    path.write_text(json.dumps(value))
    return path


def again(
    path: Path,
    time: Callable[[Trace], float | str] = time_by_formula,
    progress: Callable[[Progress], None] | None = None,
    database: Path | None = None,
) -> Result:
    workers = LocalWorkers([FormulaMeasurer(time)])
    return revalidate(product(), path, workers=workers, progress=progress, database=database)


def test_a_kernel_that_is_faster_here_is_written_for_this_machine(tmp_path: Path) -> None:
    row = rows_of(2)[1]
    path = written(tmp_path / "a.json", [row])
    with pytest.raises(ValueError, match="the version of lowering"):
        uir.lower(product(), tuned=path)
    states: list[Progress] = []
    result = again(path, progress=states.append, database=tmp_path / "a.db")
    result.save(tmp_path / "b.json")
    assert result.notes == () and result.measured == 2
    assert [(one.trace, one.name) for one in result.kernels] == [(tuple(row["trace"]), "main")]
    assert result.kernels[0].gain > 1
    lowered = uir.lower(product(), tuned=tmp_path / "b.json")
    assert schedule.trace_of(lowered)["main"] == row["trace"]
    assert [(one.kernels, one.left) for one in states] == [(1, None)]
    with Database(tmp_path / "a.db") as database:
        assert [one.series for one in database.rows()] == ["search", "confirm"]


@pytest.mark.parametrize(
    ("place", "time", "reason"),
    [
        (0, time_by_formula, "the recipes make the same choices"),
        (2, time_by_formula, r"it takes 1\.\d{3} of the time of the recipes here, slower"),
        (1, lambda _: "refused", "refused: by formula"),
        (1, lambda _: 1.0, r"it takes 1\.000 of the time of the recipes here, equal"),
    ],
)
def test_other_kernels_are_left_out_with_the_reason(
    place: int, time: Callable[[Trace], float | str], reason: str, tmp_path: Path
) -> None:
    row = rows_of(3)[place]
    result = again(written(tmp_path / "a.json", [row]), time)
    (note,) = result.notes
    assert result.kernels == () and result.gain == 1.0
    assert re.fullmatch(rf"left out `{row['kernel']}` \(main\): {reason}", note)


def test_rows_that_cannot_be_measured_are_named(tmp_path: Path) -> None:
    good = rows_of(2)[1]
    rows = [
        {"kernel": OTHER, "name": "gone", "trace": good["trace"]},
        {**good, "trace": ["no line"]},
    ]
    result = again(written(tmp_path / "a.json", rows))
    assert result.measured == 0
    assert result.notes == (
        f"left out `{OTHER}` (gone): the program has no such kernel on this machine",
        f"left out `{good['kernel']}` (main): `no line` is not a line of a trace",
    )


def test_a_kernel_with_a_small_share_is_measured_too(tmp_path: Path) -> None:
    module = product(4, 4, 8)
    x = te.placeholder((512, 512), "float32", "x")
    y = te.compute((512, 512), lambda i, j: x[i, j] + 1.0, "y")
    main = te.create_prim_func([x, y], "main")
    func = module["main"].with_attrs({"global_symbol": "small"})
    whole = ir.IRModule({ir.GlobalVar("main"): main, ir.GlobalVar("small"): func})
    small = next(one for (one, *_) in kernels_of(whole).values() if one.name == "small")
    line = small.trace[0]
    row = {"kernel": small.hash, "name": "small", "trace": [line.replace("rows=", "rows=1")]}
    measurer = FormulaMeasurer(lambda trace: 2.0 if trace == small.trace else 1.0)
    result = revalidate(
        whole, written(tmp_path / "a.json", [row]), workers=LocalWorkers([measurer])
    )
    assert [one.name for one in result.kernels] == ["small"]


def test_ctrl_c_leaves_out_the_rest(tmp_path: Path) -> None:
    def stop(_: Progress) -> None:
        raise KeyboardInterrupt

    row = rows_of(2)[1]
    result = again(written(tmp_path / "a.json", [row]), progress=stop)
    assert result.kernels == () and "faster" in result.notes[0]


def test_files_that_are_not_tuned_files_are_refused(tmp_path: Path) -> None:
    row = rows_of(1)[0]
    path = tmp_path / "a.json"
    for text, message in {
        "": "is not a file of JSON",
        "[]": "is not a file of tuned kernels",
        "{}": "is not a file of tuned kernels",
        '{"uir_tuned": 9}': "has the format 9, and this release reads 1",
        '{"uir_tuned": 1, "kernels": 3}': "`kernels` must be an array",
        '{"uir_tuned": 1, "kernels": [3]}': "kernel 0 must be an object with the text `kernel`",
        '{"uir_tuned": 1, "kernels": [{"kernel": "a", "trace": [1]}]}': "the `trace` of kernel 0",
        json.dumps({"uir_tuned": 1, "kernels": [row, row]}): "is there twice",
    }.items():
        path.write_text(text)
        with pytest.raises(ValueError, match=message) as raised:
            again(path)
        assert str(path) in str(raised.value)
    path.write_bytes(b"\xff\x00")
    with pytest.raises(ValueError, match="is not a file of JSON"):
        again(path)
    with pytest.raises(FileNotFoundError):
        again(tmp_path / "missing.json")


def test_new_pairs_need_a_new_database(tmp_path: Path) -> None:
    path = written(tmp_path / "a.json", rows_of(1))
    again(path, database=tmp_path / "a.db")
    with pytest.raises(ValueError, match="exists: new pairs need a new database"):
        again(path, database=tmp_path / "a.db")
