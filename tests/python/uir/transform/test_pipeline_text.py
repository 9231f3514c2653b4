"""Sequences of passes as text."""

from __future__ import annotations

import pytest

from uir import script, transform
from uir.ir import IRModule, structural_equal
from uir.transform import (
    PassContext,
    Sequential,
    Simplify,
    UnrollLoop,
    default_pipeline,
    list_options,
    list_pass_names,
    make_pass,
    parse_pass_pipeline,
    with_options,
)

from .passes import recorded

LOOP = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def main(A: tir.Buffer((3,), "float32")):
        for i in range(3):
            if i < 4:
                A[i] = A[i] + 1.0
"""


def loop() -> IRModule:
    module = script.parse(LOOP)
    assert isinstance(module, IRModule)
    return module


def names(text: str) -> list[str]:
    return [str(one.pass_info.name) for one in parse_pass_pipeline(text).passes]


def test_passes_run_in_order() -> None:
    assert names(" Simplify,\n  UnrollLoop , Simplify,") == ["Simplify", "UnrollLoop", "Simplify"]
    assert names("") == []
    assert structural_equal(parse_pass_pipeline("Simplify")(loop()), Simplify()(loop()))


def test_every_pass_has_a_name_in_text() -> None:
    """Passes that need an argument say so at their names."""
    without_arguments = 0
    # Other tests of the process register passes of their own, some of which fail.
    for name in [one for one in list_pass_names() if hasattr(transform, one)]:
        try:
            made = make_pass(name)
        except TypeError as error:
            with pytest.raises(ValueError) as caught:
                parse_pass_pipeline(name)
            assert str(caught.value).startswith(f"passes:1:1: error: {error}\n")
        else:
            assert names(name) == [made.pass_info.name]
            without_arguments += 1
    assert without_arguments > 40


def test_options_are_those_of_one_pass() -> None:
    text = "UnrollLoop, UnrollLoop{auto_max_step=3, auto_max_extent=3}"
    first, second = parse_pass_pipeline(text).passes
    assert structural_equal(first(loop()), loop())
    config = {"UnrollLoop.auto_max_step": 3, "UnrollLoop.auto_max_extent": 3}
    with PassContext(config=config):
        expected = UnrollLoop()(loop())
    assert "for" not in str(expected)
    assert structural_equal(second(loop()), expected)


def test_options_of_a_pass_override_those_of_the_context() -> None:
    less = {"UnrollLoop.auto_max_step": 0, "UnrollLoop.auto_max_extent": 1}
    shallow = with_options(UnrollLoop(), less)
    config = {"UnrollLoop.auto_max_step": 3, "UnrollLoop.auto_max_extent": 3}
    with PassContext(config=config):
        assert "for" in str(shallow(loop()))
        assert "for" not in str(UnrollLoop()(loop()))
    assert shallow.pass_info.name == "UnrollLoop"


def test_the_context_disables_a_pass_with_options() -> None:
    text = "UnrollLoop{auto_max_step=3, auto_max_extent=3}"
    with PassContext(disabled_pass=["UnrollLoop"]):
        assert structural_equal(parse_pass_pipeline(text)(loop()), loop())


def test_arguments_are_constants_of_python() -> None:
    made = names("VectorizeLoop(False), MultiversionFunctions(['x86-64-v3', \"x86-64-v4\"])")
    assert made == ["VectorizeLoop", "MultiversionFunctions"]
    assert names("DecomposeOps{keep=['relay.relu'], row=False}") == ["DecomposeOps"]
    assert names("FoldConstant{max_bytes = 1_000}") == ["FoldConstant"]


def test_the_default_pipeline_has_a_name() -> None:
    default = [str(one.pass_info.name) for one in default_pipeline("c")]
    assert names("Simplify, default_pipeline, RemoveNoOp") == ["Simplify", *default, "RemoveNoOp"]
    assert names("default_pipeline{UnrollLoop.auto_max_step=3}") == default
    with pytest.raises(ValueError, match=r"there is no option `UnrollLop\.auto_max_step`; did you"):
        parse_pass_pipeline("default_pipeline{UnrollLop.auto_max_step=3}")


def test_a_sequence_is_a_pass() -> None:
    made = parse_pass_pipeline("Simplify")
    assert isinstance(made, Sequential)
    assert structural_equal(Sequential([made, made])(loop()), Simplify()(loop()))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Simplfy", "1:1: error: there is no pass `Simplfy`; did you mean `Simplify`?"),
        ("Simplify,\n  qqq", "2:3: error: there is no pass `qqq`"),
        ("UnrollLoop{auto_max_stp=1}", "1:12: error: pass `UnrollLoop` has no option `auto_max_stp"
         "`; did you mean `auto_max_step`?"),
        ("RemoveAssume{x=1}", "1:14: error: pass `RemoveAssume` has no option `x`"),
        ("UnrollLoop{auto_max_step='1'}", "1:26: error: PassContext: option `UnrollLoop.auto_max_"
         "step` must be of type `int`, got `str`"),
        ("Simplify(1)", "1:1: error: uir.transform.Simplify: takes at most 0 arguments, not 1"),
        ("Simplify Simplify", "1:10: error: expected `,` or the end, found `Simplify`"),
        ("default_pipeline(1)", "1:1: error: there is no pass `default_pipeline`"),
        (",", "1:1: error: expected the name of a pass, found `,`"),
        ("Simplify, $", "1:11: error: expected the name of a pass, found `$`"),
        ("UnrollLoop{1", "1:12: error: expected the name of an option or `}`, found `1`"),
        ("UnrollLoop{a", "1:13: error: expected `=`, found the end"),
        ("UnrollLoop{a=", "1:14: error: expected a value, found the end"),
        ("UnrollLoop{a=}", "1:14: error: expected a value, found `}`"),
        ("VectorizeLoop(", "1:15: error: expected a value, found the end"),
        ("VectorizeLoop([1)", "1:18: error: expected `]`, found the end"),
        ("VectorizeLoop(no)", "1:15: error: expected a number, a string, a list, True or False, "
         "found `no`"),
        ("VectorizeLoop('no", "1:15: error: expected a value, found `'`"),
    ],
)  # fmt: skip
def test_mistakes_are_underlined(text: str, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_pass_pipeline(text)
    lines = str(caught.value).splitlines()
    assert lines[0] == f"passes:{message}"
    assert lines[2].strip("| ").strip("^") == ""


def test_all_mistakes_in_names_are_reported() -> None:
    with pytest.raises(ValueError) as caught:
        parse_pass_pipeline("Simplfy, UnrollLop{x=1}, VectorizeLoop('x')", source_name="--passes")
    found = [line for line in str(caught.value).splitlines() if "error" in line]
    assert [line.partition(": error")[0] for line in found] == [
        "--passes:1:1", "--passes:1:10", "--passes:1:26"
    ]  # fmt: skip


def test_mistakes_are_in_the_order_of_the_text() -> None:
    with pytest.raises(ValueError) as caught:
        parse_pass_pipeline("Simplify(1){x=1}")
    first, second = (line for line in str(caught.value).splitlines() if ": error: " in line)
    assert (first.split(" ")[0], second.split(" ")[0]) == ("passes:1:1:", "passes:1:13:")


def test_the_help_lists_options() -> None:
    with pytest.raises(ValueError) as caught:
        parse_pass_pipeline("UnrollLoop{qqqq=1}")
    own = [one for one in list_options() if one.startswith("UnrollLoop.")]
    assert all(f"`{one.removeprefix('UnrollLoop.')}`" in str(caught.value) for one in own)
    with pytest.raises(ValueError) as caught:
        parse_pass_pipeline("UnrollLoop{auto_max_stp=1}")
    assert "there are" not in str(caught.value)


def test_wrong_options_are_refused_when_a_pass_is_made() -> None:
    one = recorded([], "one")
    with pytest.raises(ValueError, match="there is no option `none`"):
        with_options(one, {"none": 1})
    with pytest.raises(TypeError, match="must be of type `int`"):
        with_options(one, {"UnrollLoop.auto_max_step": "x"})


def test_a_similar_name_is_suggested() -> None:
    with pytest.raises(ValueError, match=r"^there is no pass `Simplfy`; did you mean `Simplify`\?"):
        make_pass("Simplfy")
