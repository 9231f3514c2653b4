"""Files of tuned kernels: traces of kernels by their structure, for one machine and one release."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import uir
from uir import ir, schedule, te, tir
from uir.target import Target
from uir.transform import Sequential

V3 = Target("c", "x86-64-v3")


def product(name: str = "main", rows: int = 64) -> tir.PrimFunc:
    a, b = (
        te.placeholder(shape, "float32", "ab"[at])
        for at, shape in enumerate([(rows, 64), (64, 64)])
    )
    k = te.reduce_axis((0, 64), "k")
    c = te.compute((rows, 64), lambda i, j: te.sum(a[i, k] * b[k, j], axis=[k]), "c")
    return te.create_prim_func([a, b, c], name)


def two() -> ir.IRModule:
    """Return two products, of which only the first has the structure of `product()`."""
    return ir.IRModule(
        {
            ir.GlobalVar(f.get_attr("global_symbol")): f
            for f in (product("one"), product("other", 48))
        }
    )


def lines(**changed: int) -> list[str]:
    """Return the trace of the product with other parameters."""
    (line,) = schedule.trace_of(uir.lower(product(), V3))["main"]
    for name, value in changed.items():
        head, _, rest = line.partition(f"{name}=")
        line = f"{head}{name}={value}{rest[len(rest.split(',')[0]) :]}"
    return [line]


def tuned(**changed: Any) -> dict[str, Any]:
    kernel = {"kernel": schedule.kernel_hash(product()), "trace": lines(rows=4)}
    head = {"uir_tuned": 1, "lowering": schedule.lowering_version(), "isa": "x86-64-v3"}
    return {**head, "kernels": [kernel], **changed}


def written(folder: Path, value: Any) -> Path:
    path = folder / "net.tuned.json"
    path.write_text(json.dumps(value))
    return path


def test_a_file_changes_the_kernel_that_it_names_and_no_other(tmp_path: Path) -> None:
    path = written(tmp_path, tuned())
    found = schedule.trace_of(uir.lower(two(), V3, tuned=path))
    plain = schedule.trace_of(uir.lower(two(), V3))
    assert found["one"] == lines(rows=4) != plain["one"]
    assert found["other"] == plain["other"]
    # The same bytes for the same file.
    texts = [str(uir.lower(two(), V3, tuned=str(path))) for _ in range(2)]
    assert texts[0] == texts[1]


def test_the_versions_of_a_target_take_only_traces_for_them(tmp_path: Path) -> None:
    path = written(tmp_path, tuned())
    found = schedule.trace_of(uir.lower(product(), Target("c", "x86-64"), tuned=path))
    assert found["main_v3"] == lines(rows=4)
    assert "rows=4" not in found["main_v4"][0]


def test_a_pipeline_of_the_user_has_the_kernels_too(tmp_path: Path) -> None:
    path = written(tmp_path, tuned())
    passes = uir.driver.default_pipeline(V3)
    assert schedule.trace_of(uir.lower(product(), V3, passes, path))["main"] == lines(rows=4)
    with pytest.raises(ValueError, match="no pass `ClassifyBlocks`"):
        uir.lower(product(), V3, [], path)


def test_the_hash_sees_structure_and_the_names_of_nests() -> None:
    func = product()
    base = schedule.kernel_hash(func)
    assert len(base) == 16
    assert schedule.kernel_hash(product("other")) == base
    assert schedule.kernel_hash(ir.with_attr(func, "isa", "x86-64-v3")) == base
    assert schedule.kernel_hash(product(rows=48)) != base
    x = te.placeholder((8,), "float32", "x")
    named = [
        schedule.kernel_hash(te.create_prim_func([x, te.compute((8,), lambda i: x[i] + 1.0, name)]))
        for name in ("y", "z")
    ]
    assert named[0] != named[1]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"uir_tuned": 2}, "the format (`uir_tuned`) is 2, and this release has 1"),
        ({"uir_tuned": "1"}, "`uir_tuned` must be a number"),
        ({"lowering": 10**6}, "the version of lowering (`lowering`) is 1000000"),
        ({"lowering": 10**6}, "here by `uir tune --revalidate`"),
        ({"isa": "aarch64"}, "its kernels are for `aarch64`, and the target is `x86-64-v3`"),
        ({"isa": "x86-64-v9"}, "`isa` must be one of"),
        ({"isa": 3}, "the file: `isa` must be a string"),
        ({"kernels": {}}, "`kernels` must be an array"),
        ({"kernels": [1]}, "kernel 0 must be an object"),
        ({"kernels": [{"trace": []}]}, "kernel 0: `kernel` must be a string"),
        ({"kernels": [{"kernel": "a"}]}, "kernel 0: `trace` must be an array"),
        ({"kernels": [{"kernel": "a", "trace": [1]}]}, "a line of its trace must be a string"),
        ({"kernels": [{"kernel": "a", "trace": []}] * 2}, "kernel 1: `a` is there twice"),
        ({"kernels": [{"kernel": "a", "trace": ["x"]}]}, "net.tuned.json`: kernel 0: `x` is not"),
    ],
)
def test_wrong_files_are_refused(changed: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError) as error:
        uir.lower(product(), V3, tuned=written(tmp_path, tuned(**changed)))
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("ScheduleContraction: d: few_rows(rows=1)", "the function has no nest `d`"),
        ("ScheduleContraction: c: wide(rows=1)", "does not fit this nest"),
    ],
)
def test_a_trace_that_does_not_fit_is_refused(line: str, message: str, tmp_path: Path) -> None:
    kernel = {"kernel": schedule.kernel_hash(product()), "trace": [line]}
    with pytest.raises(ValueError) as error:
        uir.lower(product(), V3, tuned=written(tmp_path, tuned(kernels=[kernel])))
    assert message in str(error.value)


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.tuned.json"
    for text, message in [("{", "is not JSON"), ("3", "an array of rows or an object")]:
        path.write_text(text)
        with pytest.raises(ValueError, match=message):
            uir.lower(product(), V3, tuned=path)


def test_without_aliases_only() -> None:
    """Functions whose buffers may overlap are not scheduled, and so not replayed."""
    func = ir.with_attr(product(), "tir.noalias", False)
    replay = schedule.ReplayKernels({schedule.kernel_hash(func): lines(rows=4)}, "x86-64-v3")
    module = ir.IRModule({ir.GlobalVar("main"): func})
    assert schedule.trace_of(Sequential([replay, *schedule.recipes("x86-64-v3")])(module)) == {}
