"""Measurements in processes: right values count, and failures become outcomes."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from uir import te, tir
from uir.tuning import Kernel, Limits, Measured, ProcessMeasurer
from uir.tuning.measure.arguments import arguments_of, difference
from uir.tuning.measure.job import Job

from .samples import kernel_of, product

SHORT = Limits(seconds=120.0, pair_seconds=0.3, pairs=20)


@pytest.fixture(scope="module")
def kernel() -> Kernel:
    return kernel_of(product())


@pytest.fixture(scope="module")
def measurer() -> Iterator[ProcessMeasurer]:
    made = ProcessMeasurer(limits=SHORT)
    yield made
    made.close()


def with_line(kernel: Kernel, old: str, new: str) -> tuple[str, ...]:
    assert old in kernel.trace[0]
    return (kernel.trace[0].replace(old, new),)


def test_a_candidate_with_right_values_is_timed(kernel: Kernel, measurer: ProcessMeasurer) -> None:
    slow = with_line(kernel, "lanes=", "lanes=1, unused=")
    made = measurer.measure(kernel, slow, kernel.trace, confirms=False)
    assert made.outcome == "ok", made.reason
    assert len(made.times) == len(made.against_times) > 0
    assert made.ratio is not None and made.ratio > 1
    assert not made.is_faster


def test_a_trace_that_does_not_fit_is_refused(kernel: Kernel, measurer: ProcessMeasurer) -> None:
    made = measurer.measure(
        kernel, with_line(kernel, ": c: ", ": d: "), kernel.trace, confirms=False
    )
    assert made.outcome == "refused" and "no nest `d`" in made.reason
    assert made.ratio is None and made.times == ()


def test_a_candidate_that_takes_too_long_is_stopped(kernel: Kernel) -> None:
    measurer = ProcessMeasurer(limits=Limits(seconds=0.01))
    made = measurer.measure(kernel, kernel.trace, kernel.trace, confirms=False)
    measurer.close()
    assert (made.outcome, made.reason) == ("timeout", "it took more than 0.01 s")


def test_the_compiler_of_a_stopped_candidate_ends_too(
    kernel: Kernel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler, pid = tmp_path / "cc", tmp_path / "pid"
    compiler.write_text(
        "#!/bin/sh\n"
        f'case "$*" in *module.c*) echo $$ > {pid}; exec sleep 300;; esac\n'
        'exec cc "$@"\n'
    )
    compiler.chmod(0o755)
    monkeypatch.setenv("UIR_CC", str(compiler))
    measurer = ProcessMeasurer(limits=Limits(seconds=3.0))
    made = measurer.compile(kernel, kernel.trace)
    measurer.close()
    assert made.outcome == "timeout"
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


def test_a_crash_is_an_outcome_and_the_next_candidate_runs(
    kernel: Kernel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler, count = tmp_path / "cc", tmp_path / "count"
    compiler.write_text(
        f'#!/bin/sh\n[ -e {count} ] && exec cc "$@"\ntouch {count}\nkill -9 $PPID\n'
    )
    compiler.chmod(0o755)
    monkeypatch.setenv("UIR_CC", str(compiler))
    measurer = ProcessMeasurer(limits=SHORT)
    outcomes = [
        measurer.measure(kernel, kernel.trace, kernel.trace, confirms=False) for _ in range(2)
    ]
    measurer.close()
    assert (outcomes[0].outcome, outcomes[0].reason) == ("crash", "the process ended by SIGKILL")
    assert outcomes[1].outcome == "ok" and not outcomes[1].is_faster


def test_too_little_memory_is_an_outcome(kernel: Kernel) -> None:
    measurer = ProcessMeasurer(limits=Limits(seconds=120.0, memory=64 << 20))
    made = measurer.measure(kernel, kernel.trace, kernel.trace, confirms=False)
    measurer.close()
    assert made.outcome in ("memory", "error", "crash") and made.ratio is None


def test_a_candidate_with_much_code_is_refused_before_it_is_compiled(kernel: Kernel) -> None:
    measurer = ProcessMeasurer(limits=Limits(seconds=120.0, text_bytes=4096))
    made = measurer.measure(kernel, kernel.trace, kernel.trace, confirms=False)
    compiled = measurer.compile(kernel, kernel.trace)
    measurer.close()
    assert made == compiled and made.outcome == "refused"
    assert re.fullmatch(r"its C has \d+ KiB, more than 4", made.reason)


def test_arguments_follow_the_parameters_of_a_kernel(kernel: Kernel) -> None:
    a, b, c = arguments_of(kernel.func, {}, 1)
    assert (a.shape, b.shape, c.shape) == ((48, 64), (64, 64), (48, 64))
    again = arguments_of(kernel.func, {}, 1)
    assert all(np.array_equal(one, other) for one, other in zip((a, b, c), again, strict=True))
    assert not np.array_equal(a, arguments_of(kernel.func, {}, 2)[0])
    assert all(one.ctypes.data % 64 == 0 for one in (a, b, c))


def test_symbolic_sizes_need_values() -> None:
    n = tir.SizeVar("n")
    x = te.placeholder((n, 8), "float32", "x")
    func = te.create_prim_func([x, te.compute((n, 8), lambda i, j: x[i, j] + 1.0, "y")])
    assert [one.shape for one in arguments_of(func, {"n": 5}, 0)] == [(5, 8), (5, 8)]
    with pytest.raises(ValueError, match="the dimension `n` has no value"):
        arguments_of(func, {}, 0)


def test_wrong_values_are_told_from_another_order_of_sums() -> None:
    right = np.array([1.0, 2.0, -4.0], np.float32)
    near, wrong = right * np.float32(1 + 1e-6), right + np.float32(0.1)
    assert difference([right], [right.copy()], is_exact=True) == ""
    assert "argument 0 has other bits" in difference([near], [right], is_exact=True)
    assert difference([near], [right], is_exact=False) == ""
    assert "argument 0 differs by 0.1" in difference([wrong], [right], is_exact=False)
    holes = np.array([np.nan, 2.0, -4.0], np.float32)
    assert difference([holes], [right], is_exact=False) != ""
    numbers = np.array([1, 2])
    assert "other bits" in difference([numbers + 1], [numbers], is_exact=False)


class Answers(ProcessMeasurer):
    """Has the outcomes of processes without starting any."""

    ratios: tuple[float, ...] = ()

    def _result(self, job: Job) -> Measured:
        ratio, *left = self.ratios
        self.ratios = tuple(left)
        return Measured("ok", "faster" if ratio < 1 else "slower", ratio)


def test_a_confirmed_candidate_is_faster_in_each_process(kernel: Kernel) -> None:
    measurer = Answers()
    for ratios, expected in (((0.8, 0.9, 0.7), 0.9), ((0.8, 1.1, 0.7), 1.1), ((1.2,), 1.2)):
        measurer.ratios = ratios
        made = measurer.measure(kernel, kernel.trace, ("other",), confirms=True)
        assert (made.ratio, made.is_faster) == (expected, expected < 1)
    measurer.close()
