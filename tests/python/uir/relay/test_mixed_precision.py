"""ToMixedPrecision: products of 16 bits, and everything that stays in float32."""

from __future__ import annotations

import numpy as np
import pytest
import tvm_ffi

import uir
from uir import script, transform
from uir.ir import IRModule

PARAMS = """
@uir.script.ir_module
class Module:
    @relay.function
    def main({params}):
{body}
"""
X = 'x: relay.Tensor((4, 8), "float32")'
W = 'w: relay.Tensor((8, 8), "float32")'
CHAIN = """        y = relay.relu(relay.matmul(x, w) + b)
        return relay.softmax(relay.matmul(y, w))"""


def module(params: str, body: str) -> IRModule:
    """Return a module of one function of relay."""
    return script.parse(PARAMS.format(params=params, body=body))


def mixed(before: IRModule, dtype: str = "bfloat16", keep: tuple[str, ...] = ()) -> IRModule:
    """Return a module after the pass, without values that nothing reads."""
    passes = [transform.ToMixedPrecision(dtype, keep), transform.DeadCode()]
    return transform.Sequential([*PREPARE, *passes])(before)


PREPARE = [transform.InferType(), transform.ToANormalForm()]


def lines(after: IRModule) -> list[str]:
    """Return the statements of the script of a module."""
    return [line.strip() for line in str(after).splitlines()]


def run(after: IRModule, *arrays: np.ndarray) -> np.ndarray:
    """Return the result of a compiled module."""
    return np.from_dlpack(uir.build(after)["main"](*map(tvm_ffi.from_dlpack, arrays)))


@pytest.mark.parametrize(("dtype", "bound"), [("bfloat16", 2**-8), ("float16", 2**-11)])
def test_products_are_of_16_bits_and_softmax_of_float32(dtype: str, bound: float) -> None:
    """Two products, and the sum and the activation between them, have 16 bits; results differ from
    those of float32 by about one rounding of each of them."""
    before = module(f'{X}, {W}, b: relay.Tensor((8,), "float32")', CHAIN)
    found = lines(mixed(before, dtype))
    casts = [line for line in found if f'dtype="{dtype}"' in line]
    assert len(casts) == 3, found  # One for each parameter; `w` is rounded once.
    assert sum('dtype="float32"' in line for line in found) == 1, found
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal(shape, "float32") for shape in ((4, 8), (8, 8), (8,))]
    exact, rounded = run(before, *arrays), run(mixed(before, dtype), *arrays)
    assert rounded.dtype == np.float32
    difference = np.abs(rounded - exact).max()
    assert 0 < difference < 16 * bound, difference


def test_kept_operators_stay() -> None:
    """An operator of the list computes with float32, and the others do not."""
    body = "        return relay.matmul(relay.concatenate([relay.matmul(x, w), x], 0), w)"
    before = module(f"{X}, {W}", body)
    assert "bfloat16" not in str(mixed(before, keep=("relay.matmul",)))
    found = lines(mixed(before, keep=("relay.concatenate",)))
    joined = next(line for line in found if "relay.concatenate" in line)
    assert "narrow" not in joined, found
    assert sum('dtype="bfloat16"' in line for line in found) == 3, found


@pytest.mark.parametrize(
    ("value", "is_narrow"), [("-1000000000.0", False), ("-60000.0", True), ("float('-inf')", True)]
)
def test_constants_beyond_float16(value: str, is_narrow: bool) -> None:
    """A mask of -1e9 would be infinite as float16, so that its sum stays in float32."""
    constant = f'relay.const({value}, "float32")'
    before = module(f"{X}, {W}", f"        return relay.matmul(x, w) + {constant}")
    found = lines(mixed(before, "float16"))
    added = next(line for line in found if " + " in line)
    assert ("relay.const" not in added) == is_narrow, found
    assert "float16" in str(mixed(before, "float16"))


def test_parts_of_tuples_keep_16_bits() -> None:
    """The parts of a split product are read as they are by the next product."""
    body = """        a, b = relay.split(relay.matmul(x, w), [4, 4], 1)
        return relay.matmul(a, relay.transpose(b)), relay.exp(a)"""
    found = lines(mixed(module(f"{X}, {W}", body)))
    assert sum('dtype="bfloat16"' in line for line in found) == 2, found
    exponential = next(line for line in found if "relay.exp" in line)
    assert "bfloat16" not in exponential, found


def test_branches_do_not_share_their_forms() -> None:
    """A value that both branches round is rounded in each of them, and results are right."""
    body = """        if c:
            y = relay.matmul(x, w)
        else:
            y = relay.matmul(relay.matmul(x, w), w)
        return y"""
    before = module(f'c: relay.Tensor((), "bool"), {X}, {W}', body)
    after = mixed(before)
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal(shape, "float32") for shape in ((4, 8), (8, 8))]
    for chosen in (True, False):
        exact, rounded = (run(one, np.array(chosen), *arrays) for one in (before, after))
        assert 0 < np.abs(rounded - exact).max() < 0.05 * np.abs(exact).max()


def test_other_types_stay() -> None:
    """Integers, float64 and float16 are left as they are."""
    for dtype in ("int32", "float64", "float16"):
        before = module(
            f'x: relay.Tensor((2, 2), "{dtype}")', "        return relay.matmul(x, x) + x"
        )
        before = transform.Sequential(PREPARE)(before)
        assert transform.ToMixedPrecision()(before).same_as(before)


def test_wrong_arguments_are_refused() -> None:
    """A data type of other bits and an unknown operator end with an error that names them."""
    for dtype in ("float32", "int8"):
        with pytest.raises(ValueError, match=f"`bfloat16` or `float16`, got `{dtype}`"):
            transform.ToMixedPrecision(dtype)
    with pytest.raises(ValueError, match=r"relay\.matmull"):
        transform.ToMixedPrecision("float16", ["relay.matmull"])
