"""What becomes of one model: a record."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from functools import partial
from statistics import median
from typing import Any

import torch
from torch.utils._pytree import tree_leaves

from uir.frontend.torch import (
    InternalError,
    UnsupportedModelError,
    as_torch_function,
    from_exported_program,
)
from uir.frontend.torch.refusals import plain_name

from .case import Case, Inputs
from .records import Record
from .share import share_of_nodes
from .ties import chooses_between_equals

__all__ = ["compare", "measured"]

ROUNDS = 5
# Of sums in another order, relative to the greatest element of a tensor.
TOLERANCE = 1e-3


class Stopped(Exception):
    """A stage has failed: the state and the text of the error."""


@contextmanager
def stage(state: str, record: Record, name: str) -> Iterator[None]:
    """Note the seconds of a stage, and its failure as a state."""
    start = time.process_time()
    try:
        yield
    except UnsupportedModelError as error:
        reasons = {(plain_name(node.operator), node.reason) for node in error.nodes}
        record["reasons"] = sorted(map(list, reasons))
        raise Stopped("refused", "") from error
    except InternalError as error:
        raise Stopped("internal error", str(error).split("\nhelp")[0]) from error
    except Exception as error:  # Others' models raise anything; it is their record.
        text = f"{type(error).__name__}: {error}"
        raise Stopped(state, text[:2000]) from error
    finally:
        record.setdefault("seconds", {})[name] = round(time.process_time() - start, 2)


def measured(make: Callable[[str], Case], name: str, until: str = "times") -> Record:
    """Return the record of a model.

    Parameters
    ----------
    make
        What makes the case of a name.
    name
        The name.
    until
        The last stage: "import" compiles nothing, and the state is "imported" if that works;
        "compare" takes no times.

    Returns
    -------
    dict
        `state`, `kind`, and the findings: `reasons` of a refusal, `error`, `sizes` that are
        equal, `seconds` of processor time of the stages, `share` of the nodes that run in uir under
        `torch.compile`, `times` of a call in milliseconds, eager and by uir.
    """
    record: Record = {}
    try:
        with torch.no_grad():
            record["state"] = state_of(make, name, record, until)
    except Stopped as stopped:
        record["state"], record["error"] = stopped.args
    return record


def state_of(make: Callable[[str], Case], name: str, record: Record, until: str) -> str:
    with stage("not made", record, "make"):
        torch.manual_seed(0)
        case = make(name)
        record["kind"] = case.kind
        given = [case.inputs(size) for size in (0, 1)]
        # Each call begins with the buffers that the exported program has.
        tried = given if until != "import" else given[:1]
        wanted = [case.call(deepcopy(case.model), one) for one in tried]
    with stage("not exported", record, "export"):
        program = case.export(case.model, given[0])
    with stage("not imported", record, "import"):
        module = from_exported_program(program)
    if until == "import":
        return "imported"
    names = list(module["main"].attrs["input_names"])
    state = program.state_dict
    buffers = {name: state[name].clone() for name in names if name in state}
    with stage("not compiled", record, "compile"):
        function = as_torch_function(module)
    record["sizes"] = 0
    for inputs, results in zip(given, wanted, strict=True):
        if record["sizes"] and not takes(case, program, inputs):
            break
        with stage("failed", record, "run"):
            found = function(*arguments_of(names, inputs, buffers))
            if buffers:
                found, _ = found  # The new values of buffers follow.
        try:
            with stage("wrong", record, "compare"):
                # The export has made tensors of caches known, which both have.
                compare(tensors(found), tensors(results))
        except Stopped as stopped:
            if chooses_between_equals(partial(case.call, deepcopy(case.model), inputs)):
                raise Stopped("undetermined", stopped.args[1]) from stopped
            raise
        record["sizes"] += 1
    if until == "compare":
        return "equal"
    arguments = arguments_of(names, given[0], buffers)
    record["times"] = times(lambda: case.call(case.model, given[0]), lambda: function(*arguments))
    with stage("equal", record, "share"):
        record["share"] = share_of_nodes(case, given[0])
    return "equal"


def arguments_of(names: list[str], inputs: Inputs, buffers: Inputs) -> list[torch.Tensor]:
    """Return the arguments of a compiled program: inputs, and the buffers that it changes."""
    own = [name for name in names if name not in buffers]
    # A program may name its inputs otherwise.
    given = [inputs[name] for name in own] if {*own} <= {*inputs} else list(inputs.values())
    tensors = dict(zip(own, given, strict=True)) | buffers
    return [tensors[name] for name in names]


def takes(case: Case, program: Any, inputs: Inputs) -> bool:
    """Return whether PyTorch exported a program for the sizes of inputs too."""
    try:
        case.call(program.module(), inputs)
    except Exception:  # Guards and models fail in many ways.
        return False
    return True


def tensors(outputs: Any) -> list[torch.Tensor]:
    """Return the tensors of outputs."""
    return [one for one in tree_leaves(outputs) if isinstance(one, torch.Tensor)]


def compare(found: list[torch.Tensor], wanted: list[torch.Tensor]) -> None:
    """Compare tensors, relative to the greatest element of each one."""
    shapes = [[tuple(one.shape) for one in several] for several in (found, wanted)]
    assert shapes[0] == shapes[1], f"shapes {shapes[0]}, not {shapes[1]}"
    for one, other in zip(found, wanted, strict=True):
        finite = other[other.isfinite()] if other.is_floating_point() else other
        scale = finite.abs().max().item() if finite.numel() and other.dtype != torch.bool else 1
        torch.testing.assert_close(
            one, other, rtol=TOLERANCE, atol=TOLERANCE * scale, equal_nan=True
        )


def times(eager: Callable[[], Any], compiled: Callable[[], Any]) -> list[float]:
    """Return the medians of the times of calls in turns, in milliseconds."""
    found: list[list[float]] = [[], []]
    for _ in range(ROUNDS):
        for place, call in enumerate((eager, compiled)):
            start = time.perf_counter()
            call()
            found[place].append(time.perf_counter() - start)
    return [round(1e3 * median(one), 3) for one in found]
