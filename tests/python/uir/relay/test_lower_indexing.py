"""`LowerOps` of operators with indices: counted from either end, checked, clipped and wrapped."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from uir.relay import reference

from .lowered import agree, expected_of, run_call
from .operator_cases import DEPTH, OPERATORS, case, variables

EXAMPLES = 6 * DEPTH
INDEXED = ["gather_nd", "scatter_elements", "scatter_nd", "take", "take_along_axis"]


def indexed(name: str, operands: list[Any], attributes: dict[str, Any], random: Random) -> Any:
    """Return operands with random indices, and the dimension of each."""
    x, indices = operands[:2]
    if name == "take":
        axis = attributes["axis"]
        dims = np.full(indices.shape, x.size if axis is None else x.shape[axis])
    elif name.endswith("nd"):
        first = attributes.get("batch_dims", 0)
        dims = np.broadcast_to(x.shape[first : first + indices.shape[-1]], indices.shape)
    else:
        dims = np.full(indices.shape, x.shape[attributes["axis"]])
    least = 0 if indices.dtype.kind == "u" else -1
    drawn = [random.randint(least * int(dim), int(dim) - 1) for dim in dims.flat]
    chosen = np.array(drawn, indices.dtype).reshape(indices.shape)
    return [x, chosen, *operands[2:]], dims


@pytest.mark.parametrize("name", INDEXED)
def test_indices_count_from_either_end(name: str) -> None:
    random = Random(name)
    for _ in range(EXAMPLES):
        operands, attributes = case(name, random)
        given, _ = indexed(name, operands, attributes, random)
        if "reduction" in attributes and given[0].dtype.kind != "b":
            attributes["reduction"] = random.choice(["add", "mul", "min", "max"])
        found = run_call(name, variables(OPERATORS[name], given), given, attributes)
        agree(found, expected_of(name, given, attributes), (given, attributes))


@pytest.mark.parametrize("name", INDEXED)
def test_an_index_that_is_out_of_range_stops_the_function(name: str) -> None:
    random = Random(name)
    stopped = 0
    while stopped < 2:
        operands, attributes = case(name, random)
        given, dims = indexed(name, operands, attributes, random)
        if given[1].size == 0 or given[1].dtype.kind == "u" or attributes.get("mode") in _MODES:
            continue
        last = dims.flat[-1]
        given[1].flat[-1] = random.choice((last, -last - 1))
        with pytest.raises(IndexError):
            expected_of(name, given, attributes)
        with pytest.raises(AssertionError, match="an index is out of range"):
            run_call(name, variables(OPERATORS[name], given), given, attributes)
        stopped += 1


_MODES = ("clip", "wrap")


def test_indices_are_clipped_or_wrapped() -> None:
    x, indices = np.arange(5, dtype="int32"), np.array([-9, -5, -1, 0, 4, 5, 11])
    for mode in _MODES:
        params = variables(OPERATORS["take"], [x, indices])
        found = run_call("take", params, [x, indices], {"mode": mode})
        np.testing.assert_array_equal(found, reference.take(x, indices, mode=mode))
