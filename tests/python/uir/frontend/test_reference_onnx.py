"""The references of relay against ONNX's own tests of nodes: none fails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import onnx
import pytest
from onnx.backend.test.case.test_case import TestCase as Case

from uir import relay
from uir.frontend.onnx import UnknownElementsError, UnsupportedModelError, from_onnx
from uir.ir import IRModule

from .onnx_suite import as_array, cases, compare, data_of

PARTS = 8


def imported(model: onnx.ModelProto, inputs: dict[str, np.ndarray]) -> tuple[IRModule, set[str]]:
    """Return a module, and the names of the inputs that are constants in it."""
    frozen: set[str] = set()
    while True:
        try:
            return from_onnx(model, constants={name: inputs[name] for name in frozen}), frozen
        except UnknownElementsError as error:
            frozen |= set(error.inputs)


def tensors(expected: Iterable[Any]) -> Iterator[np.ndarray]:
    """Give the tensors of outputs, of which a module returns those of sequences one by one."""
    for one in expected:
        yield from map(as_array, one if isinstance(one, list) else [one])


def fault(case: Case) -> str | None:
    """Return why a case fails; None if it passes or is refused."""
    names = [one.name for one in case.model.graph.input]
    try:
        for arguments, expected in data_of(case):
            inputs = {name: as_array(one) for name, one in zip(names, arguments, strict=True)}
            module, frozen = imported(case.model, inputs)
            args = [value for name, value in inputs.items() if name not in frozen]
            if len(module["main"].params) > len(args):
                args.append(np.zeros(2, np.uint32))  # The state of random numbers.
            found = relay.evaluate(module, *args)
            compare(case, found if isinstance(found, tuple) else [found], [*tensors(expected)])
    except UnsupportedModelError:
        return None
    except Exception as error:
        return f"{case.name}: {type(error).__name__}: {error}"
    return None


@pytest.mark.parametrize("part", range(PARTS))
def test_the_references_give_the_expected_outputs(part: int) -> None:
    assert [found for case in cases("node")[part::PARTS] if (found := fault(case))] == []
