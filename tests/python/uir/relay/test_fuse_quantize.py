"""Products of quantized matrices: integers of 8 bits, held against exact sums of NumPy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import uir
from uir import ir, relay, tir, transform
from uir.relay import reference

Array = np.ndarray[Any, Any]
PREPARE = [transform.ToANormalForm(), transform.InferType()]


def integers(shape: tuple[int, ...], dtype: str, seed: int = 0) -> Array:
    """Return random integers that include both ends of the range."""
    info = np.iinfo(dtype)
    drawn = np.random.default_rng(seed).integers(info.min, info.max + 1, shape)
    if drawn.size > 1:
        drawn.flat[:2] = info.min, info.max
    return drawn.astype(dtype)


def names_of(module: ir.IRModule) -> list[str]:
    """Return the operators of `main`, in order."""
    values = [binding.value for binding in module.lookup("main").body.bindings]
    calls = [value for value in values if isinstance(value, relay.Call)]
    return [call.op.name.removeprefix("relay.") for call in calls]


def centered(x: Any, zero: Array | None) -> Any:
    """Write `x - zero` as int32, as importers do."""
    wide = relay.cast(x, "int32")
    return wide if zero is None else relay.subtract(wide, relay.cast(relay.const(zero), "int32"))


def module_of(args: list[Array], body: Callable[..., Any]) -> ir.IRModule:
    """Return a module of one function of tensors like the arguments."""
    params = [relay.Var(f"x{i}", relay.Tensor(x.shape, str(x.dtype))) for i, x in enumerate(args)]
    func = relay.Function(params, relay.Block([], body(*params)))
    return ir.IRModule({ir.GlobalVar("main"): ir.with_attr(func, "global_symbol", "main")})


def exact(a: Array, a_zero: Array | None, b: Array, b_zero: Array | None) -> Array:
    """Return the product of differences; all sums are below 2^53."""
    left = a.astype("float64") - (0.0 if a_zero is None else a_zero)
    right = b.astype("float64") - (0.0 if b_zero is None else b_zero)
    return left @ right


INTEGER_PRODUCTS = {"integer_matmul", "integer_conv"}


def check(module: ir.IRModule, args: list[Array], expected: Array, *, floats: bool = False) -> str:
    """Compare all ways to run a module, whose sums are of int32 or exact; return the emitted C."""
    fused = transform.Sequential([*PREPARE, transform.FuseQuantize()])(module)
    assert ir.verify(fused) == []
    found = set(names_of(fused)) & {*INTEGER_PRODUCTS, "matmul", "conv"}
    assert found and found <= ({"conv"} if floats else INTEGER_PRODUCTS)
    assert not floats or "float32" in str(fused["main"])
    np.testing.assert_array_equal(relay.evaluate(fused, *args, name="main"), expected)
    built = uir.build(module)
    np.testing.assert_array_equal(np.from_dlpack(built.main(*args)), expected)
    return built.inspect_source()


ZEROS: dict[str, Callable[[str, str], tuple[Array | None, Array | None]]] = {
    "none": lambda a, b: (None, None),
    "one": lambda a, b: (np.array(3, a), np.array(-5 if b == "int8" else 130, b)),
    "of the left": lambda a, b: (np.array(100, a), None),
    "of rows": lambda a, b: (integers((9, 1), a, 5), None),
    "of columns": lambda a, b: (None, integers((21,), b, 6)),
    "of both": lambda a, b: (integers((9, 1), a, 5), integers((1, 21), b, 6)),
}


@pytest.mark.parametrize("zeros", ZEROS)
@pytest.mark.parametrize("types", ["uint8 int8", "int8 int8", "uint8 uint8", "int8 uint8"])
def test_products_of_all_types_and_zero_points_are_exact(types: str, zeros: str) -> None:
    left, right = types.split()
    a, b = integers((9, 14), left), integers((14, 21), right, 1)
    a_zero, b_zero = ZEROS[zeros](left, right)
    module = module_of([a, b], lambda x, w: centered(x, a_zero) @ centered(w, b_zero))
    source = check(module, [a, b], exact(a, a_zero, b, b_zero))
    assert "dot4_int32" in source


SIZES = [
    (1, 1, 1), (1, 33, 50), (1, 1030, 17), (2, 4, 16), (3, 64, 100),
    (7, 33, 50), (17, 64, 100), (17, 1030, 17), (40, 33, 50), (40, 64, 100),
]  # fmt: skip


@pytest.mark.parametrize(("m", "k", "n"), SIZES)
@pytest.mark.parametrize("is_constant", [False, True])
def test_products_of_all_sizes_are_exact(m: int, k: int, n: int, is_constant: bool) -> None:
    a, b = integers((m, k), "uint8"), integers((k, n), "int8", 1)
    if is_constant:
        module = module_of([a], lambda x: centered(x, None) @ centered(relay.const(b), None))
    else:
        module = module_of([a, b], lambda x, w: centered(x, None) @ centered(w, None))
    check(module, [a] if is_constant else [a, b], exact(a, None, b, None))


def test_sums_of_large_weights_are_constants() -> None:
    a, b = integers((3, 512), "uint8"), integers((512, 1100), "int8", 1)
    zero = np.array(121, "uint8")
    module = module_of([a], lambda x: centered(x, zero) @ centered(relay.const(b), None))
    kernels = [var.name_hint for var in uir.lower(module).functions if var.name_hint != "main"]
    assert [name for name in kernels if "parallel" not in name] == ["fused_integer_matmul_subtract"]
    check(module, [a], exact(a, zero, b, None))


def test_stacks_broadcast() -> None:
    a, b = integers((2, 1, 5, 12), "int8"), integers((3, 12, 18), "uint8", 1)
    zeros = np.array(-7, "int8"), integers((3, 1, 18), "uint8", 2)
    module = module_of([a, b], lambda x, w: centered(x, zeros[0]) @ centered(w, zeros[1]))
    check(module, [a, b], exact(a, zeros[0], b, zeros[1]))


@pytest.mark.parametrize("isa", ["generic", "x86-64-v3", "x86-64-v4"])
def test_products_are_the_same_with_other_instructions(
    isa: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of those that the processor has: `UIR_ISA` never chooses others."""
    monkeypatch.setenv("UIR_ISA", isa)
    a, b = integers((20, 260), "uint8"), integers((260, 70), "int8", 1)
    module = module_of([a, b], lambda x, w: centered(x, None) @ centered(w, None))
    # The system loads a file once, so that each version has its own.
    uir.runtime.export_library(
        uir.build(module, uir.target.Target("c", "x86-64")), tmp_path / "a.so"
    )
    built = uir.runtime.load_module(tmp_path / "a.so")
    np.testing.assert_array_equal(np.from_dlpack(built.main(a, b)), exact(a, None, b, None))


def test_any_number_of_rows() -> None:
    b = integers((24, 40), "int8", 1)
    x = relay.Var("x", relay.Tensor((tir.SizeVar("n"), 24), "uint8"))
    product = centered(x, np.array(9, "uint8")) @ centered(relay.const(b), None)
    func = ir.with_attr(relay.Function([x], relay.Block([], product)), "global_symbol", "main")
    built = uir.build(ir.IRModule({ir.GlobalVar("main"): func}))
    for m in (1, 3, 4, 50):
        a = integers((m, 24), "uint8", m)
        expected = exact(a, np.array(9.0), b, None)
        np.testing.assert_array_equal(np.from_dlpack(built.main(a)), expected)
    assert "dot4_int32" in built.inspect_source()


def numbers(x: Any, zero: Array | None, scale: Array) -> Any:
    """Write `(x - zero) * scale` as float32, as importers do."""
    return relay.multiply(relay.cast(centered(x, zero), "float32"), relay.const(scale))


def test_dequantized_operands_are_multiplied_as_integers() -> None:
    a, b = integers((11, 70), "uint8"), integers((70, 24), "int8", 1)
    scale = np.float32(0.013), np.linspace(0.001, 0.02, 24, dtype="float32")
    zero = np.array(121, "uint8")

    def body(x: Any) -> Any:
        product = numbers(x, zero, scale[0]) @ numbers(relay.const(b), None, scale[1])
        rounded = relay.round(relay.maximum(product, 0.0) / relay.const(np.float32(0.4)))
        return relay.cast(relay.minimum(rounded, 255.0), "uint8")

    module = module_of([a], body)
    fused = transform.Sequential([*PREPARE, transform.FuseQuantize()])(module)
    assert "integer_matmul" in names_of(fused) and "matmul" not in names_of(fused)
    real = exact(a, zero, b, None) * scale[0].astype("float64") * scale[1].astype("float64")
    steps = np.maximum(real, 0) / np.float64(np.float32(0.4))
    built = uir.build(module)
    found = np.from_dlpack(built.main(a)).astype("int64")
    is_tie = np.abs(steps - np.floor(steps) - 0.5) < 1e-5
    assert (np.abs(found - np.minimum(np.round(steps), 255)) <= is_tie).all()


@pytest.mark.parametrize("axis", ["filters", "terms", "one"])
def test_transposed_weights_are_multiplied_as_integers(axis: str) -> None:
    """As `Gemm` with `transB` and the linear layers of PyTorch have them."""
    a, b = integers((11, 70), "uint8"), integers((24, 70), "int8", 1)
    shape = {"filters": (24, 1), "terms": (70,), "one": ()}[axis]
    scale = np.linspace(0.001, 0.02, int(np.prod(shape)), dtype="float32").reshape(shape)
    zero, weight_zero = np.array(121, "uint8"), integers(shape, "int8", 2)
    module = module_of(
        [a],
        lambda x: (
            numbers(x, zero, np.float32(0.25))
            @ relay.transpose(numbers(relay.const(b), weight_zero, scale))
        ),
    )
    fused = transform.Sequential([*PREPARE, transform.FuseQuantize()])(module)
    assert ir.verify(fused) == []
    assert ("integer_matmul" in names_of(fused)) == (axis != "terms")
    weights = (b.astype("float64") - weight_zero) * scale.astype("float64")
    expected = (a.astype("float64") - zero) * 0.25 @ weights.T
    size = np.abs(expected).max()
    for found in (relay.evaluate(fused, a, name="main"), uir.build(module).main(a)):
        np.testing.assert_allclose(np.from_dlpack(found), expected, rtol=1e-5, atol=1e-5 * size)


@pytest.mark.parametrize(
    "body",
    [
        lambda x, w: relay.cast(x, "int32") @ relay.cast(relay.cast(w, "int16"), "int32"),
        lambda x, w: centered(x, integers((8,), "uint8")) @ centered(w, None),
        lambda x, w: centered(x, None) @ centered(w, integers((8, 1), "int8")),
        lambda x, w: numbers(x, None, np.float32("nan")) @ numbers(w, None, np.float32(1)),
        lambda x, w: numbers(x, None, np.float32("inf")) @ numbers(w, None, np.float32(1)),
        lambda x, w: numbers(x, None, np.ones(8, "float32")) @ numbers(w, None, np.float32(1)),
        lambda x, w: numbers(x, np.array(2**30), np.float32(1)) @ numbers(w, None, np.float32(1)),
    ],
    ids=[
        "16 bits",
        "zeros of terms",
        "zeros of terms at the right",
        "nan",
        "inf",
        "scales of terms",
        "zero beyond bytes",
    ],
)
def test_other_products_stay(body: Callable[..., Any]) -> None:
    a, b = integers((5, 8), "uint8"), integers((8, 6), "int8")
    before = transform.Sequential(PREPARE)(module_of([a, b], body))
    assert transform.FuseQuantize()(before).same_as(before)


def test_sums_that_may_exceed_32_bits_stay_floats() -> None:
    def names_with(terms: int) -> list[str]:
        args = [np.zeros((1, terms), "uint8"), np.zeros((terms, 1), "uint8")]
        one = np.float32(1)
        module = module_of(args, lambda x, w: numbers(x, None, one) @ numbers(w, None, one))
        return names_of(transform.Sequential([*PREPARE, transform.FuseQuantize()])(module))

    assert "integer_matmul" in names_with(33025)
    assert "integer_matmul" not in names_with(33026)


def counts_of(module: ir.IRModule) -> dict[str, int]:
    """Return the counts of quantized products."""
    statistics = transform.PassStatistics()
    with transform.PassContext(instruments=[statistics]):
        transform.Sequential([*PREPARE, transform.FuseQuantize()])(module)
    start = "quantized products "
    counts = statistics.counts["FuseQuantize"].items()
    return {name.removeprefix(start): number for name, number in counts if start in name}


def test_products_are_counted_by_the_reason_that_keeps_them_floats() -> None:
    one, tiny = np.float32(1), np.float32(1e-30)
    many = [np.zeros((1, 33026), "uint8"), np.zeros((33026, 1), "uint8")]
    few = [np.zeros((2, 4), "uint8"), np.zeros((4, 2), "uint8")]

    def counts(args: list[Array], scale: Any) -> dict[str, int]:
        return counts_of(
            module_of(args, lambda x, w: numbers(x, None, scale) @ numbers(w, None, scale))
        )

    assert counts(few, one) == {"in 8 bits": 1}
    because = "in float32, because "
    assert counts(few, tiny) == {f"{because}the scales are out of range": 1}
    assert counts(many, one) == {f"{because}int32 does not hold sums of so many terms": 1}
    images = dequantized_images(8, 3)[0]
    assert counts_of(images) == {f"{because}windows of few channels are faster as floats": 1}
    floats = module_of([few[0], few[1].astype("float32")], lambda x, w: numbers(x, None, one) @ w)
    assert counts_of(floats) == {f"{because}only one operand is quantized": 1}


SCALES: dict[str, tuple[Any, Any, bool]] = {
    "no bits are left": (1e-30, 1e-30, False),
    "few bits are left": (1e-20, 1e-19, False),
    "few bits of a column are left": (1e-30, [1, 1, 1e-9, 1, 1, 1], False),
    "least": (2.0**-63, 2.0**-63, True),
    "too large": (1e30, 1e30, False),
    "an operand is infinite": (1e37, 1e-10, False),
    "a sum is infinite": (1e20, 1e13, False),
    "large": (1e20, 1e12, True),
    "zeros": (0.0, [0, 1e-30, 1, 1e30, 1, 1], True),
    "negative": (-1e-3, [1e-3, -1e-3, 1, 1, 1, 1], True),
}


@pytest.mark.parametrize("name", SCALES)
def test_scales_whose_product_is_out_of_range_stay(name: str) -> None:
    """Compiled products are those of NumPy's floats, with infinities and zeros where these are."""
    left, right, is_fused = SCALES[name]
    scales = np.float32(left), np.asarray(right, "float32")
    a, b = integers((5, 8), "uint8"), np.abs(integers((8, 6), "int8", 1).clip(-127))
    module = module_of(
        [a], lambda x: numbers(x, None, scales[0]) @ numbers(relay.const(b), None, scales[1])
    )
    fused = transform.Sequential([*PREPARE, transform.FuseQuantize()])(module)
    assert ("integer_matmul" in names_of(fused)) == is_fused
    with np.errstate(all="ignore"):
        expected = (a.astype("float32") * scales[0]) @ (b.astype("float32") * scales[1])
    # `FoldAffineIntoWeights` may overflow, as documented.
    with transform.PassContext(disabled_pass=["FoldAffineIntoWeights"]):
        found = np.from_dlpack(uir.build(module).main(a))
    np.testing.assert_allclose(found, expected, rtol=2e-6, atol=1e-44)


@pytest.mark.parametrize("dtype", ["int8", "uint8"])
def test_products_inside_loops_and_branches(dtype: str) -> None:
    stack, zeros = integers((2, 48, 48), dtype, 1), (np.array(7, "uint8"), np.array(3, dtype))
    start = integers((2, 48), "uint8")
    x, s = (relay.Var(name, relay.Tensor((2, 48), "uint8")) for name in "xs")
    i = relay.Var("i", relay.Tensor((), "int64"))
    w = relay.Var("w", relay.Tensor((48, 48), dtype))
    weights = relay.Binding(w, relay.take(relay.const(stack), relay.const(1, "int64")))
    sums = centered(s, zeros[0]) @ centered(w, zeros[1])
    after = relay.cast(relay.bitwise_and(sums, 255), "uint8")
    chosen = relay.If(relay.less(i, 2), relay.Block([], after), relay.Block([], s))
    body = relay.Block([], relay.Tuple([relay.less(i, 3), chosen, relay.add(i, 1)]))
    initial = [x, relay.const(0, "int64")]
    loop = relay.While([s, i], relay.const(True, "bool"), initial, body)
    func = relay.Function([x], relay.Block([weights], loop))
    module = ir.IRModule({ir.GlobalVar("main"): ir.with_attr(func, "global_symbol", "main")})
    fused = transform.Sequential([*PREPARE, transform.FuseQuantize()])(module)
    assert ir.verify(fused) == []
    text = str(fused["main"])
    assert "relay.integer_matmul(" in text and " @ " not in text
    expected = start
    for _ in range(2):
        product = exact(expected, zeros[0], stack[1], zeros[1])
        expected = (product.astype("int64") & 255).astype("uint8")
    built = uir.build(module)
    for found in (relay.evaluate(fused, start, name="main"), built.main(start)):
        np.testing.assert_array_equal(np.from_dlpack(found[0]), expected)
    # The weights are laid out once for all steps, and their sums are constants.
    assert "dot4_int32" in built.inspect_source()
    assert "_packed" in str(uir.lower(module))


def convolved(data: Array, weight: Array, zeros: list[Array | None], window: dict[str, Any]) -> Any:
    """Return a convolution of differences by the reference of float64, which is exact."""
    left, right = (
        x.astype("float64") - (0 if zero is None else zero)
        for x, zero in zip([data, weight], zeros, strict=True)
    )
    return reference.conv(left, right, **window)


WINDOWS: dict[str, dict[str, Any]] = {
    "plain": {},
    "padded": {"pads": [1, 2, 0, 1]},
    "strided": {"strides": [2, 3], "pads": [1]},
    "dilated": {"dilations": [2, 1], "pads": [2, 1, 2, 1]},
    "same": {"strides": [2, 3], "auto_pad": "same_upper"},
    "same before": {"strides": [2, 1], "auto_pad": "same_lower"},
}


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("types", ["uint8 int8", "int8 int8", "uint8 uint8"])
def test_convolutions_are_products_of_bytes(types: str, window: str) -> None:
    left, right = types.split()
    data, weight = integers((2, 3, 9, 11), left), integers((5, 3, 3, 2), right, 1)
    zeros: list[Array | None] = [np.array(100, left), integers((5, 1, 1, 1), right, 2)]
    kernels = centered(relay.const(weight), zeros[1])
    module = module_of(
        [data], lambda x: relay.conv(centered(x, zeros[0]), kernels, **WINDOWS[window])
    )
    source = check(module, [data], convolved(data, weight, zeros, WINDOWS[window]))
    assert "dot4_int32" in source


def test_points_and_signals_are_products_of_bytes() -> None:
    for data_shape, weight_shape in [((1, 8, 5, 7), (6, 8, 1, 1)), ((2, 4, 19), (3, 4, 5))]:
        data, weight = integers(data_shape, "uint8"), integers(weight_shape, "int8", 1)
        module = module_of(
            [data, weight], lambda x, w: relay.conv(centered(x, None), centered(w, None))
        )
        check(module, [data, weight], convolved(data, weight, [None, None], {}))


def dequantized_images(channels: int, size: int) -> tuple[ir.IRModule, Array, Array]:
    """Return a convolution of dequantized images, its data, and what it computes."""
    data = integers((1, channels, 8, 8), "uint8")
    weight = integers((6, channels, size, size), "int8", 1)
    zero, scale = np.array(7, "uint8"), np.float32(0.02)
    scales = np.linspace(0.001, 0.01, 6, dtype="float32").reshape(6, 1, 1, 1)
    window = {"pads": [size // 2]}
    kernels = numbers(relay.const(weight), None, scales)
    module = module_of([data], lambda x: relay.conv(numbers(x, zero, scale), kernels, **window))
    real = convolved(data, weight, [zero, None], window) * scale.astype("float64")
    return module, data, real * scales.reshape(6, 1, 1)


def test_dequantized_images_are_convolved_as_integers() -> None:
    module, data, real = dequantized_images(12, 3)
    fused = transform.Sequential([*PREPARE, transform.FuseQuantize()])(module)
    assert "integer_conv" in names_of(fused) and "conv" not in names_of(fused)
    np.testing.assert_allclose(np.from_dlpack(uir.build(module).main(data)), real, rtol=3e-7)


@pytest.mark.parametrize(
    ("channels", "size", "is_fused"), [(8, 3, False), (9, 3, True), (3, 1, True), (1, 2, False)]
)
def test_windows_of_few_channels_stay_floats(channels: int, size: int, is_fused: bool) -> None:
    module, _, _ = dequantized_images(channels, size)
    before = transform.Sequential(PREPARE)(module)
    assert ("conv" not in names_of(transform.FuseQuantize()(before))) == is_fused


GROUPS = {
    "fours of channels": ((1, 8, 6, 7), (6, 4, 3, 2), 2, "uint8 int8"),
    "fives of channels": ((1, 10, 6, 7), (4, 5, 3, 3), 2, "uint8 uint8"),
    "points": ((1, 12, 6, 7), (4, 6, 1, 1), 2, "int8 int8"),
}
SMALL_GROUPS = {
    "depthwise": ((1, 4, 6, 7), (4, 1, 3, 3), 4, "uint8 int8"),
    "depthwise of unsigned weights": ((1, 4, 6, 7), (4, 1, 3, 3), 4, "uint8 uint8"),
    "several filters of a channel": ((2, 3, 6, 7), (6, 1, 2, 5), 3, "int8 int8"),
    "pairs of channels": ((1, 6, 6, 7), (3, 2, 3, 3), 3, "uint8 uint8"),
    "small points": ((1, 6, 6, 7), (3, 2, 1, 1), 3, "int8 int8"),
}


@pytest.mark.parametrize("groups", [*GROUPS, *SMALL_GROUPS])
def test_groups_are_convolved_exactly(groups: str) -> None:
    data_shape, weight_shape, count, types = {**GROUPS, **SMALL_GROUPS}[groups]
    left, right = types.split()
    data, weight = integers(data_shape, left), integers(weight_shape, right, 1)
    zeros: list[Array | None] = [np.array(100, left), np.array(120, right)]
    kernels = centered(relay.const(weight), zeros[1])
    window: dict[str, Any] = {"groups": count, "pads": [1], "strides": [1, 2]}
    module = module_of([data], lambda x: relay.conv(centered(x, zeros[0]), kernels, **window))
    floats = groups in SMALL_GROUPS
    source = check(module, [data], convolved(data, weight, zeros, window), floats=floats)
    assert ("dot4_int32" in source) != floats


DEPTHWISE: dict[str, dict[str, Any]] = {
    "padded": {"pads": [1]},
    "strided": {"strides": [2], "pads": [0, 1, 1, 0]},
    "plain": {},
}


def quantized(x: Any, zero: Array) -> Any:
    """Write the integers of 8 bits that numbers become with steps of 1/4."""
    units = relay.add(relay.round(x / relay.const(np.float32(0.25))), float(zero))
    return relay.cast(relay.minimum(relay.maximum(units, 0.0), 255.0), "uint8")


@pytest.mark.parametrize("window", DEPTHWISE)
@pytest.mark.parametrize("zero", [0, 131])
def test_depthwise_convolutions_read_and_write_bytes(zero: int, window: str) -> None:
    """Neither they nor the product before them store floats, and all steps are exact."""
    data, points = integers((2, 4, 9, 11), "uint8"), integers((6, 4, 1, 1), "int8", 1)
    weight, byte = integers((6, 1, 3, 3), "int8", 2), np.array(zero, "uint8")
    scales = 2.0 ** -np.arange(4, 10, dtype="float32").reshape(6, 1, 1, 1)
    attrs: dict[str, Any] = {"groups": 6, **DEPTHWISE[window]}

    def body(x: Any) -> Any:
        first = relay.conv(
            numbers(x, byte, np.float32(0.25)), numbers(relay.const(points), None, scales)
        )
        kernels = numbers(relay.const(weight), None, scales)
        images = numbers(quantized(first, byte), byte, np.float32(0.25))
        return quantized(relay.conv(images, kernels, **attrs), byte)

    module = module_of([data], body)
    assert counts_of(module) == {"in 8 bits": 2}
    fold = [transform.FuseQuantize(), transform.FoldConstant(), transform.DeadCode()]
    fused = transform.Sequential([*PREPARE, *fold, transform.FuseOps()])(module)
    kernels = {var.name_hint: func for var, func in fused.functions.items()}
    del kernels["main"]
    assert len(kernels) == 2 and any("_conv_" in name for name in kernels)
    assert all(str(kernel.ret_type.dtype) == "uint8" for kernel in kernels.values())

    def steps(x: Array) -> Array:
        return np.clip(np.round(x / 0.25) + zero, 0, 255)

    step = scales.reshape(6, 1, 1) * 0.25
    first = steps(convolved(data, points, [byte, None], {}) * step)
    expected = steps(convolved(first, weight, [byte, None], attrs) * step)
    np.testing.assert_array_equal(np.from_dlpack(uir.build(module).main(data)), expected)


@pytest.mark.parametrize("terms", [258, 259])
@pytest.mark.parametrize("ends", [(255, 0), (0, 255)])
def test_small_groups_are_floats_as_far_as_those_are_exact(
    terms: int, ends: tuple[int, int]
) -> None:
    value, zero = np.array(ends, "uint8")
    data, weight = np.full((1, 2, 1, terms), value), np.full((2, 1, 1, terms), np.uint8(255))
    module = module_of(
        [data, weight],
        lambda x, w: relay.conv(centered(x, np.array(zero)), centered(w, None), groups=2),
    )
    total = terms * 255 * (int(value) - int(zero))
    # Floats have all integers up to 2^24, and then even ones alone.
    assert (int(np.float32(total)) == total) == (terms == 258)
    expected = np.full((1, 2, 1, 1), total)
    check(module, [data, weight], expected, floats=terms == 258)


def test_small_groups_whose_differences_are_no_bytes_are_convolved_as_integers() -> None:
    data, weight = integers((1, 4, 6, 6), "uint8"), integers((4, 1, 3, 3), "int8", 1)
    zero = np.array(-(2**19) + 1, "int32")

    def body(x: Any, w: Any) -> Any:
        kernels = relay.subtract(relay.cast(w, "int32"), relay.const(zero))
        return relay.conv(centered(x, np.array(7, "uint8")), kernels, groups=4)

    zeros: list[Array | None] = [np.array(7), zero]
    check(
        module_of([data, weight], body),
        [data, weight],
        convolved(data, weight, zeros, {"groups": 4}),
    )


def test_padding_that_no_byte_has_stays() -> None:
    data, weight = integers((1, 4, 6, 6), "uint8"), integers((4, 4, 3, 3), "int8", 1)

    def body(x: Any, w: Any) -> Any:
        images = relay.subtract(relay.cast(x, "int32"), relay.const(np.array(1000, "int32")))
        return relay.conv(images, centered(w, None), pads=[1])

    before = transform.Sequential(PREPARE)(module_of([data, weight], body))
    assert transform.FuseQuantize()(before).same_as(before)


def test_what_follows_a_convolution_of_points_is_computed_in_the_shape_of_the_product() -> None:
    data, weight = integers((2, 4, 5, 7), "uint8"), integers((6, 4, 1, 1), "int8", 1)
    factors = np.linspace(0.001, 0.02, 6, dtype="float32").reshape(6, 1, 1)
    other = np.float32(3.5)

    def body(x: Any) -> Any:
        sums = relay.conv(centered(x, np.array(9, "uint8")), centered(relay.const(weight), None))
        scaled = relay.multiply(relay.cast(sums, "float32"), relay.const(factors))
        both = relay.add(relay.maximum(scaled, 0.0), relay.minimum(scaled, other))
        return relay.cast(relay.minimum(relay.round(both), 255.0), "uint8")

    module = module_of([data], body)
    fused = transform.Sequential([*PREPARE, transform.FuseQuantize(), transform.DeadCode()])(module)
    values = [one.value for one in fused.lookup("main").body.bindings]
    calls = [value for value in values if isinstance(value, relay.Call)]
    shapes = {call.op.name: [dim.value for dim in call.checked_type.shape] for call in calls}
    assert [shapes[f"relay.{name}"] for name in ("round", "minimum", "cast")] == [[2, 6, 35]] * 3
    assert names_of(fused)[-1] == "reshape"
    sums = convolved(data, weight, [np.array(9), None], {}).astype("float32")
    scaled = sums * factors
    both = np.maximum(scaled, np.float32(0)) + np.minimum(scaled, other)
    expected = np.minimum(np.round(both), 255).astype("int64").astype("uint8")
    np.testing.assert_array_equal(np.from_dlpack(uir.build(module).main(data)), expected)


def test_branches_that_share_a_block_have_images_of_their_own() -> None:
    data, weight = integers((2, 4, 7, 9), "uint8"), integers((6, 4, 3, 3), "int8", 1)
    kernels = centered(relay.const(weight), None)
    once = module_of([data], lambda x: relay.maximum(relay.conv(centered(x, None), kernels), 0))
    func = transform.Sequential(PREPARE)(once).lookup("main")
    flag = relay.Var("flag", relay.Tensor((), "bool"))
    result = relay.Var("result", func.ret_type)
    choice = relay.Binding(result, relay.If(flag, func.body, func.body))
    both = relay.Function([flag, *func.params], relay.Block([choice], result))
    module = ir.IRModule({ir.GlobalVar("main"): ir.with_attr(both, "global_symbol", "main")})
    built = uir.build(transform.InferType()(module))
    assert "dot4_int32" in built.inspect_source()
    expected = np.maximum(convolved(data, weight, [None, None], {}), 0)
    for condition in (True, False):
        found = built.main(np.array(condition), data)
        np.testing.assert_array_equal(np.from_dlpack(found), expected)
