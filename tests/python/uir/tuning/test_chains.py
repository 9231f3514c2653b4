"""Layouts of chains are searched before kernels, and files of them change the layouts."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import uir
from uir import ir, schedule
from uir.tuning import (
    Database,
    Limits,
    LocalWorkers,
    ProcessMeasurer,
    Progress,
    Result,
    Row,
    Trace,
    chains_of,
    kernels_of,
    revalidate,
    tune,
)
from uir.tuning.trace_line import is_layout

from ...support.project import ROOT
from .samples import FormulaMeasurer, chain_of, convolutions, kernel_of, product

PLAIN = ("AlterLayout: channels: plain()",)
BLOCKS = ("AlterLayout: channels: blocks(vectors=2, copy_terms=256)",)
NARROW = ("AlterLayout: channels: blocks(vectors=1, copy_terms=256)",)
COPIED = ("AlterLayout: channels: blocks(vectors=2, copy_terms=0)",)


def time_with(best: Trace) -> Callable[[Trace], float]:
    """Return times with one fast layout, and equal ones of all kernels."""
    return lambda trace: 0.5 if trace == best else 1.0


def searched(
    module: ir.IRModule,
    best: Trace,
    database: Path | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> tuple[Result, list[Trace]]:
    """Return the result of a search, and the layouts that it measured."""
    measurer = FormulaMeasurer(time_with(best))
    workers = LocalWorkers([measurer])
    result = tune(
        module, budget="5m", trials=4, database=database, workers=workers, progress=progress
    )
    return result, [trace for trace, _ in measurer.calls if is_layout(trace)]


def names_of(module: ir.IRModule) -> set[str]:
    """Return the names of functions for blocks of channels in a lowered module."""
    names = (str(var.name_hint) for var in module.functions)
    return {name for name in names if "block" in name}


def test_a_chain_has_the_layouts_that_differ() -> None:
    assert chain_of(convolutions()).layouts == (BLOCKS, PLAIN, NARROW)
    assert chain_of(convolutions(is_grouped=True)).layouts[:2] == (BLOCKS, COPIED)
    assert chains_of(product(), kernels_of(product())) == {}


def test_the_hash_ignores_names_and_the_values_of_constants() -> None:
    def with_name(name: str) -> ir.IRModule:
        func = convolutions(seed=1).lookup("main")
        return ir.IRModule({ir.GlobalVar(name): ir.with_attr(func, "global_symbol", name)})

    base = chain_of(convolutions()).hash
    assert len(base) == 16
    assert chain_of(convolutions(seed=1)).hash == base
    assert chain_of(with_name("other")).hash == base
    assert chain_of(convolutions(size=14)).hash != base
    assert chain_of(convolutions(is_grouped=True)).hash != base


def test_a_chain_has_the_time_of_its_kernels() -> None:
    module = convolutions()
    result, _ = searched(module, BLOCKS)
    chain = chain_of(module)
    assert result.chains == ()
    assert {*chain.kernels} == {*result.shares}
    assert result.chain_shares[chain.hash] == pytest.approx(sum(result.shares.values()))


@pytest.mark.parametrize(
    ("is_grouped", "best", "names"),
    [
        (False, PLAIN, set()),
        (True, COPIED, {"fused_conv_relu_blocked", "copy_from_blocks"}),
    ],
)
def test_a_faster_layout_is_in_the_file(
    is_grouped: bool, best: Trace, names: set[str], tmp_path: Path
) -> None:
    module = convolutions(is_grouped=is_grouped)
    states: list[Progress] = []
    result, measured = searched(module, best, tmp_path / "a.db", states.append)
    chain = chain_of(module)
    ((key, trace, gain),) = ((one.kernel, one.trace, one.gain) for one in result.chains)
    assert (key, trace, gain) == (chain.hash, best, pytest.approx(2.0))
    # The kernels are those with this layout, and come after all layouts.
    with Database(tmp_path / "a.db") as database:
        rows = list(database.rows())
    is_chain = [row.kernel == chain.hash for row in rows]
    assert is_chain == sorted(is_chain, reverse=True) and not all(is_chain)
    assert {row.kernel for row in rows if row.kernel != chain.hash} <= {*result.shares}
    assert {*result.shares} - {*chain.kernels}
    assert result.gain > 1.3 and states[-1].gain == pytest.approx(result.gain)
    assert [one.measured for one in states] == sorted(one.measured for one in states)

    path = tmp_path / "a.json"
    result.save(path)
    lowered = uir.lower(module, tuned=path)
    assert names_of(lowered) == names != names_of(uir.lower(module))
    assert str(lowered) == str(uir.lower(module, tuned=path))
    sources = [uir.build(module, tuned=path).inspect_source() for _ in range(2)]
    assert sources[0] == sources[1] != uir.build(module).inspect_source()
    # The same seed and times give the same search, which measures nothing twice.
    assert searched(module, best)[1] == measured
    again, measured = searched(module, best, tmp_path / "a.db")
    assert measured == [] and again.measured == 0 and again.chains == result.chains


def test_a_program_without_alternatives_has_no_chains(tmp_path: Path) -> None:
    result, measured = searched(product(), PLAIN)
    assert measured == [] and result.chains == () and result.chain_shares == {}
    assert json.loads(result.text())["chains"] == []


def test_ctrl_c_keeps_the_layouts_that_were_measured(tmp_path: Path) -> None:
    def stop(_: Progress) -> None:
        raise KeyboardInterrupt

    result, measured = searched(convolutions(), PLAIN, tmp_path / "a.db", stop)
    assert result.measured == len(measured) == 1
    result, _ = searched(convolutions(), PLAIN, tmp_path / "a.db")
    assert [one.trace for one in result.chains] == [PLAIN]


def test_rows_with_unknown_layouts_are_skipped_by_name(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    searched(convolutions(), BLOCKS, path)
    key = chain_of(convolutions()).hash
    with Database(path) as database:
        (context,) = database.contexts()
        for trace in (
            ["AlterLayout: channels: rows()"],
            [*BLOCKS, *PLAIN],
            ["AlterLayout: x: plain()"],
        ):
            times = (0.1,) * 8
            row = Row(key, tuple(trace), context, "confirm", "ok", "faster", "x", 0.1, times)
            database.add(row)
    result, measured = searched(convolutions(), BLOCKS, path)
    assert result.chains == () and measured == []
    skipped = [note for note in {*result.notes} if f"of kernel `{key}`" in note]
    assert len(skipped) == 3
    assert all("the layout of a chain" in note for note in skipped)


def written(path: Path, chains: object, **fields: object) -> Path:
    head = {"uir_tuned": 1, "lowering": schedule.lowering_version(), "isa": "native"}
    path.write_text(json.dumps({**head, "kernels": [], "chains": chains, **fields}))
    return path


@pytest.mark.parametrize(
    ("chains", "message"),
    [
        ({}, "`chains` must be an array"),
        ([1], "chain 0 must be an object"),
        ([{"trace": []}], "chain 0: `chain` must be a string"),
        ([{"chain": "a", "trace": []}], "chain 0: the layout of a chain is one line, got 0"),
        ([{"chain": "a", "trace": PLAIN}] * 2, "chain 1: `a` is there twice"),
        (
            [{"chain": "a", "trace": ["AlterLayout: channels: rows()"]}],
            "chain 0: `AlterLayout: channels: rows()` is not the layout of a chain: expected",
        ),
        (
            [{"chain": "a", "trace": [NARROW[0].replace("vectors=1", "vectors=3")]}],
            "with 1 or 2 vectors",
        ),
        (
            [{"chain": "a", "trace": ["AlterLayout: channels: blocks(vectors=1)"]}],
            "has no parameter `copy_terms`",
        ),
    ],
)
def test_wrong_files_are_refused(chains: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError) as error:
        uir.lower(convolutions(), tuned=written(tmp_path / "a.json", chains))
    assert message in str(error.value)


def test_files_of_other_programs_and_machines(tmp_path: Path) -> None:
    module = convolutions()
    key = chain_of(module).hash
    other = written(tmp_path / "other.json", [{"chain": "0" * 16, "trace": PLAIN}])
    assert str(uir.lower(module, tuned=other)) == str(uir.lower(module))
    own = written(tmp_path / "own.json", [{"chain": key, "trace": PLAIN}])
    assert names_of(uir.lower(module, tuned=own)) == set()
    with pytest.raises(ValueError, match="pipeline has no pass `AlterLayout`"):
        uir.lower(module, pipeline=[], tuned=own)
    for fields, message in (
        ({"lowering": 10**6}, "the version of lowering"),
        ({"isa": "aarch64"}, "its kernels are for"),
    ):
        with pytest.raises(ValueError, match=message):
            uir.lower(module, tuned=written(tmp_path / "a.json", [], **fields))
    # The versions for several instruction sets share their layouts.
    versions = uir.target.Target("c", "x86-64")
    v3 = written(tmp_path / "v3.json", [{"chain": key, "trace": PLAIN}], isa="x86-64-v3")
    assert str(uir.lower(module, versions, tuned=v3)) == str(uir.lower(module, versions))


def test_layouts_are_measured_again(tmp_path: Path) -> None:
    module = convolutions()
    key = chain_of(module).hash
    rows = [
        {"chain": key, "name": "a", "trace": PLAIN},
        {"chain": "0" * 16, "name": "gone", "trace": PLAIN},
        {"chain": "1" * 16, "name": "bad", "trace": ["AlterLayout: channels: rows()"]},
    ]
    path = written(tmp_path / "a.json", rows, lowering=77, isa="aarch64")

    def again(best: Trace) -> Result:
        workers = LocalWorkers([FormulaMeasurer(time_with(best))])
        return revalidate(module, path, workers=workers)

    result = again(PLAIN)
    assert [(one.kernel, one.trace) for one in result.chains] == [(key, PLAIN)]
    assert result.measured == 2
    assert result.notes[0] == (
        f"left out `{'0' * 16}` (gone): the program has no such chain on this machine"
    )
    assert "is not the layout of a chain" in result.notes[1]
    result = again(BLOCKS)
    assert result.chains == ()
    assert result.notes[0].startswith(f"left out `{key}` (a): it takes 2.000 of the time")


def outputs(module: ir.IRModule, chains: list[dict[str, object]], folder: Path) -> Any:
    """Return the result of a module with layouts for integers, whose sums are exact."""
    x = np.random.default_rng(0).integers(-3, 4, (1, 8, 12, 12)).astype("float32")
    path = written(folder / "a.json", chains)
    return np.from_dlpack(uir.build(module, tuned=path)["main"](x))


@pytest.mark.parametrize("is_grouped", [False, True])
def test_a_real_search_measures_layouts_with_right_values(is_grouped: bool, tmp_path: Path) -> None:
    module = convolutions(is_grouped=is_grouped)
    chain = chain_of(module)
    measurer = ProcessMeasurer(limits=Limits(pairs=8))
    try:
        measured = measurer.measure(chain, chain.layouts[1], chain.trace, confirms=False)
        assert measured.outcome == "ok", measured.reason
        assert measured.ratio is not None and measured.times
    finally:
        measurer.close()
    expected = outputs(module, [], tmp_path)
    for trace in chain.layouts[1:]:
        found = outputs(module, [{"chain": chain.hash, "trace": trace}], tmp_path)
        assert found.tobytes() == expected.tobytes()


def test_an_edited_layout_is_measured_again(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    searched(convolutions(), PLAIN, path)
    with sqlite3.connect(path) as connection:
        connection.execute("update rows set trace = ? where rowid = 1", [json.dumps(COPIED)])
    connection.close()
    result, measured = searched(convolutions(), PLAIN, path)
    assert len(measured) == 1
    assert any(note.endswith("it was edited") for note in result.notes)
    assert kernel_of(product()).hash not in result.shares


def test_chains_are_cut_while_their_tensors_live() -> None:
    program = """
import numpy as np
from uir import ir, relay
from uir.tuning import chains_of, kernels_of
x = y = relay.Var("x", relay.Tensor((1, 32, 8, 8), "float32"))
for i in range(16):
    weights = relay.const(np.full((32, 32, 3, 3), i, "float32"))
    y = relay.relu(relay.conv(y, weights, pads=[1, 1, 1, 1]))
main = ir.with_attr(relay.Function([x], relay.Block([], y)), "global_symbol", "main")
module = ir.IRModule({ir.GlobalVar("main"): main})
print(len(chains_of(module, kernels_of(module))))
"""
    # The C library overwrites memory that is freed.
    environment = {**os.environ, "MALLOC_PERTURB_": "165"}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "1\n"), done.stderr
