"""Every field type at its limits, from Python to C++ to Rust and back: nothing changes."""

from __future__ import annotations

import math
import struct
from typing import Any

import pytest
import tvm_ffi

from ..support.project import Project
from .conftest import Travel, assert_same

SMALLEST = 5e-324
INTEGERS = {
    **{f"i{bits}": (-(2 ** (bits - 1)), -1, 0, 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64)},
    **{f"u{bits}": (0, 1, 2 ** (bits - 1), 2**bits - 1) for bits in (8, 16, 32)},
    "u64": (0, 1, 2**62, 2**63 - 1),
}
FLOATS = (0.0, -0.0, 1.5, math.inf, -math.inf, math.nan, -math.nan)
DOUBLES = (*FLOATS, SMALLEST, -SMALLEST, 2.2250738585072014e-308, 1.7976931348623157e308, 0.1)
SINGLES = (*FLOATS, 2**-149, -(2**-149), 2**-126, 3.4028234663852886e38)
DTYPES = (
    "bool", "handle", "int4", "int8", "int32", "int64x4", "uint1", "uint64", "float16", "bfloat16",
    "float32", "float64x32767", "float8_e4m3fn", "float4_e2m1fnx2",
)  # fmt: skip
DEVICES = (("cpu", 0), ("cuda", 0), ("cuda", 2**31 - 1), ("vulkan", 7), ("ext_dev", 1))
TEXTS = (
    "", "a", "seven..", "eight...", "nine....!", "with\0nul", "\0", "é", "日本語のテキスト", "🦒",
    "\u0000\uffff", "line\n\r\t\"'\\", "x" * 2**20, "ü" * 2**19,
)  # fmt: skip
BYTES = (
    b"", b"\0", b"seven..", b"eight...", b"nine....!", b"\xff\xfe\x80", bytes(range(256)),
    b"\xc3\x28" * 2**19,
)  # fmt: skip


def cases(values: dict[str, tuple[Any, ...]]) -> list[tuple[str, Any]]:
    return [(name, value) for name, choices in values.items() for value in choices]


def label(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 24 else f"{text[:12]}...{len(text)}"


PLAIN = cases({"flag": (False, True), **INTEGERS, "f32": SINGLES, "f64": DOUBLES, "dtype": DTYPES})
OPTIONAL = [(name, value) for name, value in PLAIN if name not in ("i16", "u16", "i32", "u32")]


def of_field(name: str, value: Any) -> Any:
    return tvm_ffi.dtype(value) if name == "dtype" else value


@pytest.mark.parametrize(("name", "value"), PLAIN, ids=label)
def test_plain_values(name: str, value: Any, travel: Travel) -> None:
    from zoo_nodes import Plain

    node = Plain(**{name: value})
    assert_same(getattr(node, name), of_field(name, value))
    assert_same(getattr(travel(node), name), of_field(name, value))


@pytest.mark.parametrize(("name", "value"), OPTIONAL, ids=label)
def test_optional_values(name: str, value: Any, travel: Travel) -> None:
    from zoo_nodes import Optionals

    back = travel(Optionals(**{name: value}))
    assert_same(getattr(back, name), of_field(name, value))


def test_members_of_enums(travel: Travel) -> None:
    from zoo_nodes import Extreme, Optionals, Order, Plain

    for order in Order:
        for extreme in Extreme:
            for make in (Plain, Optionals):
                back = travel(make(order=order, extreme=extreme))
                assert back.order is order
                assert back.extreme is extreme


@pytest.mark.parametrize("name", DEVICES, ids=label)
def test_devices(name: tuple[str, int], travel: Travel) -> None:
    from zoo_nodes import Device, Plain

    device = tvm_ffi.device(*name)
    assert_same(travel(Device(device)).device, device)
    assert_same(travel(Plain(device=device)).device, device)
    assert travel(Plain()).device is None


@pytest.mark.parametrize("text", TEXTS, ids=label)
def test_texts(text: str, travel: Travel) -> None:
    from zoo_nodes import Leaf, Optionals, Values, _ffi_api

    node = Values(text=text, anything=text, either=text)
    assert _ffi_api.sizes(node)[0] == len(text.encode())
    back = travel(node)
    assert [back.text, back.anything, back.either] == [text] * 3
    optionals = travel(Optionals(text=text, either=text, leaf=Leaf(1), numbers={text: 1}))
    assert [optionals.text, optionals.either] == [text] * 2
    assert list(optionals.numbers) == [text]


@pytest.mark.parametrize("data", BYTES, ids=label)
def test_bytes(data: bytes, travel: Travel) -> None:
    from zoo_nodes import Optionals, Values, _ffi_api

    node = Values(data=data, anything=data)
    assert _ffi_api.sizes(node)[1] == len(data)
    back = travel(node)
    assert [back.data, back.anything] == [data] * 2
    assert travel(Optionals(data=data)).data == data


def test_nothing(travel: Travel) -> None:
    from zoo_nodes import Optionals, Values

    back = travel(Optionals())
    names = [name for name in Optionals.__annotations__ if name != "return"]
    assert len(names) == 16
    assert [getattr(back, name) for name in names] == [None] * 16
    assert travel(Values(anything=None)).anything is None


ANYTHING = (True, False, -(2**63), 2**63 - 1, -0.0, math.inf, "text", b"bytes", None)


@pytest.mark.parametrize("value", ANYTHING, ids=label)
def test_anything(value: Any, travel: Travel) -> None:
    from zoo_nodes import Values

    assert_same(travel(Values(anything=value)).anything, value)


def test_anything_else(travel: Travel) -> None:
    from zoo_nodes import Leaf, Values

    for value in (Leaf(7), tvm_ffi.Array([1, "a", None, Leaf(3)]), tvm_ffi.Map({1: "a"})):
        assert travel(Values(anything=value)).anything.same_as(value)
    for plain in (tvm_ffi.dtype("int4x3"), tvm_ffi.device("cuda", 3)):
        assert_same(travel(Values(anything=plain)).anything, plain)


def test_a_union_keeps_the_type_of_its_value(travel: Travel) -> None:
    from zoo_nodes import Leaf, Optionals, Values

    for value in (True, False, 0, 1, -(2**63), "", "a text that is not small", Leaf(5)):
        assert_same(travel(Values(either=value)).either, value)
    for value in ("a", Leaf(5)):
        assert_same(travel(Optionals(either=value)).either, value)


def test_references(zoo: Project, rust: tvm_ffi.Module, travel: Travel) -> None:
    from zoo_nodes import Leaf, References, _ffi_api

    tensor = _ffi_api.make_tensor(tvm_ffi.Shape((2, 0, 3)), "float16")
    values = {
        "leaf": Leaf(1),
        "anything": tvm_ffi.Array([]),
        "call": tvm_ffi.convert(lambda number: number + 1),
        "tensor": tensor,
        "dims": tvm_ffi.Shape((2**62, 0, 1)),
        "library": rust,
    }
    back = travel(References(**values))
    for name in ("leaf", "anything", "call", "tensor", "library"):
        assert getattr(back, name).same_as(values[name])
    assert tuple(back.dims) == (2**62, 0, 1)
    assert back.call(41) == 42
    assert (tuple(back.tensor.shape), str(back.tensor.dtype)) == ((2, 0, 3), "float16")


def test_containers(travel: Travel) -> None:
    from zoo_nodes import Containers, Leaf

    values: dict[str, Any] = {
        "array": [-(2**63), 0, 2**63 - 1],
        "texts": list(TEXTS),
        "leaves": [Leaf(number) for number in range(100)],
        "map": {text: Leaf(len(text)) for text in TEXTS},
        "list": list(DOUBLES),
        "dict": {"none": None, "text": "x" * 100, "number": -1, "flag": True},
        "row": (2**63 - 1, "日本", Leaf(9)),
        "nested": {
            "empty": [],
            "full": [{}, {-(2**63): [], 2**63 - 1: list(BYTES)}, {0: [b""]}],
        },
        "mixed": [None, 0, "", Leaf(1), None, 2**63 - 1, "a text that is not small"],
    }
    node = Containers(**values)
    back = travel(node)
    for name, value in values.items():
        assert_same(getattr(node, name), value)
        assert_same(getattr(back, name), value)


def test_empty_containers(travel: Travel) -> None:
    from zoo_nodes import Containers, Leaf

    names = ["array", "texts", "leaves", "list", "mixed"]
    values = {**{name: [] for name in names}, **{name: {} for name in ("map", "dict", "nested")}}
    back = travel(Containers(row=(0, "", Leaf(0)), **values))
    assert [len(getattr(back, name)) for name in values] == [0] * len(values)


def test_containers_of_values_with_a_range(travel: Travel) -> None:
    from zoo_nodes import Checked, Order

    back = travel(Checked([0, 200, 255], {"a": Order.LAST}, (-128, Order.FIRST), 255))
    assert list(back.small) == [0, 200, 255]
    assert dict(back.orders) == {"a": Order.LAST}
    assert list(back.pair) == [-128, Order.FIRST]
    assert back.either == 255
    assert travel(Checked([], {}, (127, Order.LAST), "text")).either == "text"


def test_a_float32_is_rounded_once(travel: Travel) -> None:
    from zoo_nodes import Plain

    back = travel(Plain(f32=0.1, f64=0.1))
    assert (back.f32, back.f64) == (struct.unpack("<f", struct.pack("<f", 0.1))[0], 0.1)


def test_classes_with_names_that_a_language_reserves(travel: Travel) -> None:
    from zoo_nodes import None_, Option, delete, str_

    node = Option(delete([None_(3), delete([None_(4)])], kind=str_.EOF), None_(5))
    back = travel(node)
    assert [str_.Self.value, str_.name_.value, str_.EOF.value] == [1, 2, 3]
    assert (back.new.kind, back.new.clone[1].kind) == (str_.EOF, str_.name_)
    assert [back.new.clone[0].unique, back.new.clone[1].clone[0].unique, back.none.unique] == [
        3,
        4,
        5,
    ]
    assert [type(back.new).__name__, type(back.none).__name__] == ["delete", "None_"]
    assert repr(back.none) == "zoo.None(unique=5)"


def test_functors_of_a_class_with_a_name_that_a_language_reserves(zoo: Project) -> None:
    from zoo_nodes import None_, SelfMutator, SelfVisitor, delete

    found = []

    class Visitor(SelfVisitor):
        def visit_none(self, node: None_) -> None:
            found.append(node.unique)

    class Mutator(SelfMutator):
        def visit_none(self, node: None_) -> None_:
            return None_(node.unique + 1)

    Visitor().visit(Mutator().visit(delete([None_(3), delete([None_(4)])])))
    assert found == [4, 5]


@pytest.mark.parametrize("leaf", [None, 3])
def test_names_that_a_language_reserves(travel: Travel, leaf: int | None) -> None:
    from zoo_nodes import Leaf, Reserved

    match = None if leaf is None else Leaf(leaf)
    node = Reserved("text", match, 4, [1, 2], 2.5, delete=True)
    back = travel(node)
    assert (back.template, back.crate, back.delete, back.typeof) == ("text", 4, True, 7)
    assert (list(back.NULL), back.operator) == ([1, 2], 2.5)
    assert back.match is None if match is None else back.match.value == leaf
    assert repr(back).startswith("zoo.Reserved(template=")
