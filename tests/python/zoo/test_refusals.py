"""What no field can hold is refused where it enters: in constructors, setters and containers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import tvm_ffi

from ..support.project import Project

pytestmark = pytest.mark.usefixtures("zoo")

RANGES = {
    **{f"i{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32)},
    **{f"u{bits}": (0, 2**bits - 1) for bits in (8, 16, 32)},
    "u64": (0, 2**63 - 1),
}


def out_of_range() -> Iterator[tuple[str, int]]:
    for name, (low, high) in RANGES.items():
        yield name, low - 1
        if high < 2**63 - 1:
            yield name, high + 1
            yield name, 2**63 - 1
        yield name, -(2**63)
    yield from (("order", value) for value in (-1, 3, 2**32, 2**63 - 1))
    yield from (("extreme", value) for value in (-1, 1, 2**31, -(2**31) - 1, 2**40))


WRONG_TYPES = [
    *((name, value) for name in (*RANGES, "i64", "order") for value in ("1", 1.5, None, b"1")),
    *((name, value) for name in ("f32", "f64", "flag") for value in ("1", None, [1])),
    *(("text", value) for value in (1, b"bytes", None, ["text"])),
    *(("data", value) for value in (1, "text", None)),
    *(("dtype", value) for value in (1, None, 1.5)),
]


def make_plain(name: str, value: object) -> Any:
    from zoo_nodes import Plain, Values

    return (Values if name in ("text", "data") else Plain)(**{name: value})


def make_optional(name: str, value: object) -> Any:
    from zoo_nodes import Optionals

    return Optionals(**{name: value})


def make_slots() -> Any:
    from zoo_nodes import Leaf, Slots

    return Slots(Leaf(1), [Leaf(2)])


@pytest.mark.parametrize(("name", "value"), list(out_of_range()))
def test_constructors_refuse_integers_out_of_range(name: str, value: int) -> None:
    with pytest.raises(ValueError, match=f"zoo.Plain: argument `{name}` must be .*{value}"):
        make_plain(name, value)


@pytest.mark.parametrize(("name", "value"), list(out_of_range()))
def test_setters_refuse_integers_out_of_range(name: str, value: int) -> None:
    slots = make_slots()
    before = getattr(slots, name)
    with pytest.raises(ValueError, match=str(value)):
        setattr(slots, name, value)
    assert getattr(slots, name) == before


def test_optional_values_have_the_same_range() -> None:
    for name, value in [("i8", 128), ("u8", -1), ("u8", 256), ("u64", -1), ("order", 3)]:
        with pytest.raises(ValueError, match=f"zoo.Optionals: argument `{name}` must be"):
            make_optional(name, value)
    slots = make_slots()
    for name, value in [("maybe", 256), ("maybe", -1), ("maybe_order", 3)]:
        with pytest.raises(ValueError, match=str(value)):
            setattr(slots, name, value)
        assert getattr(slots, name) is None


@pytest.mark.parametrize("value", [2**63, 2**64, -(2**63) - 1, 10**30])
@pytest.mark.parametrize("name", ["u8", "i64", "u64", "order"])
def test_integers_beyond_64_bits_are_refused(name: str, value: int) -> None:
    with pytest.raises(ValueError, match=f"argument `{name}` must be an integer of at most 64"):
        make_plain(name, value)
    with pytest.raises(ValueError):
        setattr(make_slots(), name, value)


@pytest.mark.parametrize(("name", "value"), WRONG_TYPES, ids=str)
def test_constructors_refuse_wrong_types(name: str, value: object) -> None:
    with pytest.raises(TypeError, match=f"argument `{name}` must be"):
        make_plain(name, value)


@pytest.mark.parametrize(("name", "value"), WRONG_TYPES, ids=str)
def test_setters_refuse_wrong_types(name: str, value: object) -> None:
    slots = make_slots()
    before = getattr(slots, name)
    with pytest.raises(TypeError):
        setattr(slots, name, value)
    assert getattr(slots, name) == before


def test_nodes_and_containers_are_checked() -> None:
    from zoo_nodes import Checked, Leaf, Order, Slots, Values

    leaf = Leaf(1)
    with pytest.raises(TypeError, match="argument `leaf` must be `Optional"):
        make_optional("leaf", Values())
    for leaves in ([leaf, None], [1], "ab", leaf):
        with pytest.raises(TypeError, match="argument `leaves` must be"):
            make_optional("leaves", leaves)
    for numbers in ({"a": "b"}, {1: 1}, [1]):
        with pytest.raises(TypeError, match="argument `numbers` must be"):
            make_optional("numbers", numbers)
    with pytest.raises(TypeError, match="argument `leaf` must be `zoo.Leaf`, not `None`"):
        Slots(None, [])
    for pair in ((1,), (1, Order.LAST, 1), ("1", 1), 1):
        with pytest.raises(TypeError, match="argument `pair` must be"):
            Checked([], {}, pair, 1)
    with pytest.raises(TypeError, match="argument `either` must be"):
        Checked([], {}, (1, Order.LAST), 1.5)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("small", ([256], {}, (1, 0), 1)),
        ("small", ([1, -1], {}, (1, 0), 1)),
        ("small", (tvm_ffi.List([1, 256]), {}, (1, 0), 1)),
        ("small", ([True, 256], {}, (1, 0), 1)),
        ("orders", ([], {"a": 0, "b": 3}, (1, 0), 1)),
        ("orders", ([], tvm_ffi.Dict({"a": 3}), (1, 0), 1)),
        ("pair", ([], {}, (128, 0), 1)),
        ("pair", ([], {}, (1, 3), 1)),
        ("pair", ([], {}, (128, True), 1)),
        ("either", ([], {}, (1, 0), 256)),
    ],
)
def test_elements_of_containers_have_a_range(name: str, arguments: tuple[Any, ...]) -> None:
    from zoo_nodes import Checked

    with pytest.raises(ValueError, match=f"zoo.Checked: argument `{name}` must be"):
        Checked(*arguments)


def test_setters_of_other_types() -> None:
    from zoo_nodes import Leaf

    slots = make_slots()
    for name, value in [("leaf", None), ("leaf", 1), ("leaves", [1]), ("leaves", None)]:
        with pytest.raises(TypeError):
            setattr(slots, name, value)
    slots.leaf, slots.leaves, slots.anything = Leaf(3), [Leaf(4)], [1, "a"]
    assert (slots.leaf.value, slots.leaves[0].value, list(slots.anything)) == (3, 4, [1, "a"])


def test_setters_take_the_limits() -> None:
    slots = make_slots()
    for name, (low, high) in {**RANGES, "i64": (-(2**63), 2**63 - 1)}.items():
        for value in (low, high):
            setattr(slots, name, value)
            assert getattr(slots, name) == value
    slots.text, slots.data = "日本\0", b"\0\xff"
    assert (slots.text, slots.data) == ("日本\0", b"\0\xff")
    slots.dtype = "float32x4"
    assert slots.dtype == tvm_ffi.dtype("float32x4")


def test_other_classes_are_not_mutable() -> None:
    from zoo_nodes import Leaf, Plain

    for node, name in ((Leaf(1), "value"), (Plain(), "u8"), (Plain(), "order")):
        with pytest.raises(AttributeError):
            setattr(node, name, 1)


def test_arguments_are_counted() -> None:
    from zoo_nodes import Leaf, _ffi_api

    calls: list[Callable[[], Any]] = [Leaf, lambda: Leaf(1, 2), lambda: Leaf(valeu=1)]
    calls += [_ffi_api.Leaf, lambda: _ffi_api.Leaf(1, 2)]
    for call in calls:
        with pytest.raises(TypeError, match=r"Leaf|value"):
            call()


def test_functions_check_their_arguments(zoo: Project) -> None:
    from zoo_nodes import Values, _ffi_api

    with pytest.raises(TypeError, match="zoo.rebuild_plain: argument `node` must be `zoo.Plain`"):
        _ffi_api.rebuild_plain(Values())


def test_rust_gets_the_owners_refusals(rust: tvm_ffi.Module) -> None:
    from zoo_nodes import Values

    with pytest.raises(TypeError, match="zoo.Plain"):
        rust.rebuild_plain(Values())
