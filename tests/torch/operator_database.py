"""PyTorch's database of operators: their sample inputs, imported and compared with PyTorch itself.

`python -m tests.torch.operator_database [NAME ...]` prints the outcome of each operator.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._pytree import tree_flatten, tree_leaves, tree_unflatten

from uir import relay
from uir.frontend.torch import UnsupportedModelError, from_exported_program
from uir.frontend.torch.refusals import plain_name

from .eager import exported

__all__ = ["Outcome", "operators", "outcome", "samples"]

DATA_TYPES = (torch.float32, torch.float64, torch.int64, torch.bool)
# How many samples of a data type are compared, out of all that the database has.
COUNT = 4
MOST = 300
# Operators without a result to compare: undefined elements, random ones, sparse tensors.
OTHERS = (
    *("empty", "empty_like", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided"),
    *("bernoulli", "cauchy", "exponential", "geometric", "log_normal", "multinomial", "normal"),
    *("rand_like", "randint", "randint_like", "randn", "randn_like", "uniform"),
    *("nn.functional.alpha_dropout", "nn.functional.dropout", "nn.functional.dropout2d"),
    *("nn.functional.dropout3d", "nn.functional.feature_alpha_dropout", "svd_lowrank"),
    *("sparse.mm", "sparse.sampled_addmm"),
    *("pca_lowrank", "nn.functional.fractional_max_pool2d", "nn.functional.fractional_max_pool3d"),
)
# Of equal elements PyTorch chooses any one: the places that these return are not compared.
WITH_ANY_PLACES = ("topk", "sort", "msort", "argsort", "kthvalue", "median", "nanmedian", "mode")
NUMBERS = (torch.Tensor, int, float, bool)


class Outcome(NamedTuple):
    """What becomes of samples: how many are equal, wrong results, and reasons of refusals.

    Samples that eager execution or `torch.export` does not take count nowhere.
    """

    equal: int
    wrong: list[str]
    refused: set[str]


def operators() -> dict[str, Any]:
    """Return the operators by their names and variants."""
    return {
        f"{one.name}.{one.variant_test_name}".rstrip("."): one
        for one in op_db
        if one.name not in OTHERS and "jiterator" not in one.name
    }


def samples(operator: Any) -> list[Any]:
    """Return some samples of an operator in each of the data types, the same ones each time."""
    found = []
    for dtype in DATA_TYPES:
        if dtype in operator.dtypes:
            torch.manual_seed(0)
            made = list(islice(operator.sample_inputs("cpu", dtype, requires_grad=False), MOST))
            found += made[:: -(-len(made) // COUNT) or 1]
    return found


def outcome(operator: Any, given: Sequence[Any]) -> Outcome:
    """Compare samples: in one program if it is equal, else in a program for each."""
    state, text = compared(operator, given)
    if state == "equal":
        return Outcome(len(given), [], set())
    found = [(state, text)] if len(given) == 1 else [compared(operator, [one]) for one in given]
    return Outcome(
        sum(state == "equal" for state, _ in found),
        [text for state, text in found if state == "wrong"],
        {text for state, text in found if state == "refused"},
    )


def compared(operator: Any, given: Sequence[Any]) -> tuple[str, str]:
    """Return "equal", "wrong", "refused" or "not exported", and the text of an error."""
    function, tensors = program_of(operator.op, given)
    torch.manual_seed(0)
    try:
        wanted = numbers(function(*(one.clone() for one in tensors)))
        program = exported(function, tensors)
    except Exception as error:  # PyTorch's own operators refuse samples in many ways.
        return "not exported", str(error)
    try:
        module = from_exported_program(program)
    except UnsupportedModelError as error:
        names = {f"{plain_name(one.operator)}: {one.reason}" for one in error.nodes}
        return "refused", ", ".join(sorted(names))
    results = relay.evaluate(module, *(one.resolve_neg().numpy() for one in tensors))
    # The new values of operands that change follow.
    found = (list(results) if isinstance(results, tuple) else [results])[: len(wanted)]
    step = 2 if operator.name in WITH_ANY_PLACES and len(found) == 2 * len(given) else 1
    for one, other in list(zip(found, wanted, strict=True))[::step]:
        try:
            assert_equal(tensor_of(np.array(one)), other)
        except AssertionError as error:
            return "wrong", str(error)
    return "equal", ""


def program_of(
    operator: Callable[..., Any], given: Sequence[Any]
) -> tuple[Callable[..., Any], list[torch.Tensor]]:
    """Return a function of all tensors in samples, which calls an operator with each sample."""
    tensors: list[torch.Tensor] = []
    calls = []
    for sample in given:
        leaves, tree = tree_flatten((sample.input, sample.args, sample.kwargs))
        places = [place for place, one in enumerate(leaves) if isinstance(one, torch.Tensor)]
        calls.append((leaves, tree, places))
        tensors += [leaves[place].detach().contiguous() for place in places]

    def function(*args: torch.Tensor) -> list[Any]:
        rest: Iterator[torch.Tensor] = iter(args)
        results = []
        for leaves, tree, places in calls:
            own = list(leaves)
            for place in places:
                own[place] = next(rest)
            first, others, options = tree_unflatten(own, tree)
            results.append(operator(first, *others, **options))
        return results

    return function, tensors


def numbers(value: Any) -> list[Any]:
    """Return the tensors and numbers of outputs."""
    found = (one for one in tree_leaves(value) if isinstance(one, NUMBERS))
    return [one.detach() if isinstance(one, torch.Tensor) else one for one in found]


def tensor_of(array: Any) -> torch.Tensor:
    """Return a tensor with the elements of an array, also of bfloat16, which NumPy lacks."""
    if array.dtype.name == "bfloat16":
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)


def assert_equal(found: torch.Tensor, wanted: Any) -> None:
    """Compare data types, shapes and elements; a number of Python has a type alone."""
    if not isinstance(wanted, torch.Tensor):
        assert type(found.tolist()) is type(wanted)
        wanted = torch.tensor(wanted, dtype=found.dtype)
    limits = {torch.float32: (1e-4, 1e-5), torch.float64: (1e-7, 1e-7)}
    relative, absolute = limits.get(wanted.dtype, (0, 0))
    torch.testing.assert_close(
        found, wanted, rtol=relative, atol=absolute, equal_nan=True, check_stride=False
    )


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for name, operator in operators().items():
        if len(sys.argv) == 1 or name in sys.argv[1:]:
            given = samples(operator)
            print(name, len(given), *outcome(operator, given), sep=" | ", flush=True)
