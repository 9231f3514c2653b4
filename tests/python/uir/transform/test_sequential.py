"""Which passes a sequence runs, in which order, and what it prints."""

from __future__ import annotations

import pytest

from uir.ir import IRModule
from uir.transform import Pass, PassContext, Sequential, register_pass

from ..support import refuses
from .passes import Log, recorded

MODULE = IRModule()


@pytest.mark.parametrize(
    ("context", "level", "runs"),
    [
        (PassContext(), 2, True),
        (PassContext(), 3, False),
        (PassContext(opt_level=3), 3, True),
        (PassContext(required_pass=["p"]), 3, True),
        (PassContext(disabled_pass=["p"]), 0, False),
        (PassContext(required_pass=["p"], disabled_pass=["p"]), 0, False),
    ],
    ids=["level", "above", "raised", "required", "disabled", "disabled beats required"],
)
def test_a_sequence_runs_what_the_context_enables(
    context: PassContext, level: int, runs: bool
) -> None:
    log: Log = []
    with context:
        Sequential([recorded(log, "p", level), recorded(log, "q")])(MODULE)
    assert log == (["p", "q"] if runs else ["q"])


def test_a_direct_call_asks_no_context() -> None:
    log: Log = []
    with PassContext(0, disabled_pass=["p"]):
        recorded(log, "p", 3)(MODULE)
        Sequential([recorded(log, "q")], opt_level=3, name="p")(MODULE)
    assert log == ["p", "q"]


def test_a_sequence_has_a_level_of_its_own_in_another_one() -> None:
    log: Log = []
    inner = Sequential([recorded(log, "p")], opt_level=3, name="inner")
    Sequential([inner, recorded(log, "q")])(MODULE)
    assert log == ["q"]
    with PassContext(opt_level=3):
        Sequential([inner])(MODULE)
    with PassContext(required_pass=["inner"]):
        Sequential([inner])(MODULE)
    assert log == ["q", "p", "p"]


@pytest.mark.parametrize("field", ["required_pass", "disabled_pass"])
def test_a_context_that_names_no_pass_is_refused(field: str) -> None:
    log: Log = []
    message = (
        f"PassContext: `{field}` names `AlterLayuot`, but there is no such pass; "
        "did you mean `AlterLayout`?"
    )
    with PassContext(**{field: ["AlterLayuot"]}), refuses(ValueError, message):
        Sequential([recorded(log, "p")])(MODULE)
    assert log == []


def test_what_a_pass_requires_is_run_before_it() -> None:
    log: Log = []
    register_pass("test.First", recorded(log, "first", 9))
    register_pass("test.Second", lambda: recorded(log, "second", 9, ["test.First"]))
    last = recorded(log, "last", required=["test.Second"])
    with PassContext(disabled_pass=["first"]):
        Sequential([last, last])(MODULE)
    assert log == ["first", "second", "last"] * 2


def test_what_a_skipped_pass_requires_is_not_run() -> None:
    Sequential([recorded([], "p", 3, ["test.Absent"])])(MODULE)


def test_a_direct_call_runs_no_required_pass() -> None:
    log: Log = []
    recorded(log, "p", required=["test.Absent"])(MODULE)
    assert log == ["p"]


def test_a_missing_required_pass_is_named() -> None:
    with pytest.raises(
        ValueError, match=r"^pass `p` requires `test\.Absent`: there is no pass `test\.Absent`"
    ):
        Sequential([recorded([], "p", required=["test.Absent"])])(MODULE)


def test_passes_that_require_each_other_are_named() -> None:
    register_pass("test.Hen", lambda: recorded([], "test.Hen", required=["test.Egg"]))
    register_pass("test.Egg", lambda: recorded([], "test.Egg", required=["test.Hen"]))
    message = "passes require each other: `p` -> `test.Hen` -> `test.Egg` -> `test.Hen`"
    with refuses(ValueError, message):
        Sequential([recorded([], "p", required=["test.Hen"])])(MODULE)


def test_a_pipeline_is_a_list() -> None:
    log: Log = []
    pipeline: list[Pass] = [recorded(log, name) for name in "abc"]
    pipeline.insert(1, recorded(log, "new"))
    del pipeline[-1]
    Sequential(pipeline)(MODULE)
    assert log == ["a", "new", "b"]


def test_a_sequence_prints_a_line_for_each_pass() -> None:
    inner = Sequential([recorded([], "c", 1)], opt_level=3, name="inner")
    pipeline = Sequential([recorded([], "a", required=["x", "y"]), inner])
    assert str(pipeline).splitlines() == [
        "sequential (level 0)",
        "1. a (level 0, after x and y)",
        "2. inner (level 3)",
        "2.1. c (level 1)",
    ]


def test_sequences_may_be_nested_deeply() -> None:
    log: Log = []
    nested: Pass = recorded(log, "p")
    for _ in range(20_000):
        nested = Sequential([nested])
    nested(MODULE)
    assert log == ["p"]
