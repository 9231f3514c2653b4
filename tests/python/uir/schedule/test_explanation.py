"""Explanations name the recipe of each nest, or why it has none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from uir import schedule, script
from uir.commands import main
from uir.ir import IRModule
from uir.schedule import NestSchedule, explain_function
from uir.tir import PrimFunc
from uir.transform import Pass, Sequential

HEAD = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def main(A: tir.Buffer((64, 300), "float32"), B: tir.Buffer((64,), "float32")):
        tir.func_attr({"tir.noalias": True})
"""

NESTS = {
    "row": """
        for i in range(64):
            B[i] = 0.0
            for k in range(300):
                B[i] = B[i] + A[i, k]
""",
    "softmax": """
        M = tir.alloc_buffer((64,), "float32")
        for i in range(64):
            M[i] = tir.min_value("float32")
            for k in range(300):
                M[i] = tir.max(M[i], A[i, k])
        for i in range(64):
            B[i] = 0.0
            for k in range(300):
                B[i] = B[i] + tir.exp(A[i, k] - M[i])
        for i in range(64):
            B[i] = 1.0 / B[i]
""",
    "small": """
        for i in range(2):
            B[i] = A[i * 2, 3]
""",
    "dependent": """
        for i in range(63):
            B[i + 1] = B[i] + 1.0
""",
    "chain": """
        C = tir.alloc_buffer((64,), "float32")
        for i in range(64):
            C[i] = B[i] + 1.0
        for i in range(64):
            B[i] = C[i] * 2.0
""",
}


def explained(text: str) -> list[NestSchedule]:
    module = script.parse(text)
    passes = schedule.recipes("x86-64-v3")
    names = [str(one.pass_info.name) for one in passes]
    place = names.index("FuseElementwise") + 1

    def after(parts: list[Pass], given: IRModule) -> IRModule:
        return Sequential(parts)(given)

    before = after(passes[:place], module)
    done = after(passes[place:], before)
    funcs = [one.lookup("main") for one in (before, done)]
    assert isinstance(funcs[0], PrimFunc) and isinstance(funcs[1], PrimFunc)
    return explain_function(funcs[0], funcs[1])


def short(text: str) -> list[tuple[str, str, str]]:
    return [(one.nest, one.kind, one.recipe) for one in explained(text)]


def test_each_nest_has_its_recipe_and_its_parameters() -> None:
    (row,) = explained(HEAD + NESTS["row"])
    assert (row.nest, row.kind, row.recipe) == ("B", "row", "ScheduleRow")
    assert row.reason == "each element is a reduction"
    (choice,) = row.choices
    assert choice.startswith("rows(nests=1, ") and "vectors=4" in choice


def test_merged_nests_come_first() -> None:
    assert short(HEAD + NESTS["chain"]) == [
        ("C", "", "FuseElementwise"),
        ("B", "elementwise", "ScheduleElementwise"),
    ]


def test_nests_that_one_recipe_takes_together_name_the_first() -> None:
    first, second, third = explained(HEAD + NESTS["softmax"])
    assert first.choices[0].startswith("rows(nests=3, ")
    for one in (second, third):
        assert (one.recipe, one.choices) == ("ScheduleRow", ())
        assert one.reason == f"the recipe of `{first.nest}` takes both together"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("small", "the recipes of its kind do not fit, and it has too little work for several"),
        ("dependent", "its iterations may depend on each other, or no recipe knows it"),
    ],
)
def test_a_nest_without_a_recipe_says_why(name: str, reason: str) -> None:
    (nest,) = explained(HEAD + NESTS[name])
    assert (nest.recipe, nest.choices) == ("", ())
    assert nest.reason.startswith(reason)


def test_buffers_that_may_overlap_and_loops_by_hand_have_no_recipe() -> None:
    head = HEAD.replace('{"tir.noalias": True}', '{"note": 1}')
    (nest,) = explained(head + NESTS["row"])
    assert nest.reason.startswith("the buffers of the function may overlap")
    note = 'tir.serial(64, annotations={"scheduled_by_hand": 1})'
    (by_hand,) = explained(HEAD + NESTS["row"].replace("range(64)", note))
    assert by_hand.reason == "it is scheduled by hand"


def test_nests_of_one_name_are_told_apart() -> None:
    """The trace calls the second nest of the name `B#2`, unless a recipe before has taken one."""
    parts = [NESTS[name] for name in ("small", "row", "small", "row")]
    found = short(HEAD + "".join(parts))
    left, taken = ("B", "elementwise", ""), ("B", "row", "ScheduleRow")
    assert found == [left, taken, left, taken]


def test_the_command_prints_json_and_refuses_unknown_kernels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "row.py"
    path.write_text(HEAD + NESTS["row"])
    command = ["explain", "schedule", str(path), "--arch", "x86-64-v3"]
    assert main([*command, "--json"]) == 0
    (function,) = json.loads(capsys.readouterr().out)["functions"]
    (nest,) = function["nests"]
    assert (function["name"], nest["nest"], nest["recipe"]) == ("main", "B", "ScheduleRow")
    assert main([*command, "--kernel", "mian"]) == 1
    message = "error: there is no kernel `mian`; there are `main`; did you mean `main`?\n"
    assert capsys.readouterr().err == message
    assert main([*command, "--passes", "Simplify"]) == 1
    assert "the sequence has no pass `FuseElementwise`" in capsys.readouterr().err
