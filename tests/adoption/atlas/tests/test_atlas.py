"""What the library promises in Python."""

import atlas
import tvm_ffi
from tvm_ffi import structural_equal

DTYPE = tvm_ffi.dtype("int32")


def call(name, *arguments):
    return tvm_ffi.get_global_func(f"atlas.{name}")(*arguments)


def test_shapes():
    point = atlas.Point(3.0, 4.0)
    assert (point.x, point.y, point.norm()) == (3.0, 4.0, 5.0)
    segment = atlas.Segment("s", atlas.Point(0.0, 0.0), point)
    assert segment.length() == 5.0 and segment.label == "s"
    group = atlas.Group("g", [segment, atlas.Circle("c", point, 1.0)])
    assert group.count() == 2 and len(group.members) == 2
    assert atlas.bounding_box([point, atlas.Point(-1.0, 9.0)]).high.y == 9.0


def test_a_bad_radius_is_refused():
    try:
        atlas.Circle("c", atlas.Point(0.0, 0.0), -1.0)
    except ValueError as error:
        assert "a radius is not negative" in str(error)
    else:
        raise AssertionError("accepted")


def test_shapes_are_compared_by_structure():
    one, same, other = (atlas.Circle("c", atlas.Point(0.0, y), 1.0) for y in (1.0, 1.0, 2.0))
    assert structural_equal(one, same)
    assert not structural_equal(one, other)


def test_options():
    page = call("options.a4")
    assert page.inner_width() == 523.0
    page.margin.left = 0.0
    assert page.inner_width() == 559.0
    page.margin.fill(0.0)
    assert page.inner_width() == 595.0
    legend = call("options.legend", ["one"])
    legend.add("two")
    assert list(legend.entries()) == ["one", "two"]
    legend.shown = False
    assert not legend.shown and legend.font.family == "serif"
    axis = call("options.axis", "x", 0.0, 4.0)
    assert axis.place(1.0) == 0.25 and axis.ticks == 5
    red = call("options.color", 1.0, 0.0, 0.0)
    assert call("options.palette", [red]).at(7).red == 1.0
    assert call("options.grid", red).horizontal


def test_expressions():
    x = call("ir.var", "x", DTYPE)
    assert x.name == "x" and x.dtype == DTYPE
    two, three = (call("ir.int_imm", DTYPE, value) for value in (2, 3))
    folded = call("ir.run", call("ir.fold", 1), call("ir.mul", two, three))
    assert folded.value == 6
    op = call("ir.op", "exp")
    assert (op.num_inputs, op.effect) == (-1, 0)
    op.set_level(3)
    assert call("ir.call", op, [x]).args[0].same_as(x)


def test_bound_variables_have_no_names():
    def let(name):
        var = call("ir.var", name, DTYPE)
        return call("ir.let", var, call("ir.int_imm", DTYPE, 1), call("ir.add", var, var))

    assert structural_equal(let("x"), let("y"), map_free_vars=True)
