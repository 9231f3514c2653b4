"""TVM's side of the benchmark of kernels: operators of `relax`, by its default pipeline."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import tvm
from answer import answer, measure
from tvm import relax

OPERATORS: dict[str, Callable[..., Any]] = {
    "matmul": relax.op.matmul,
    "add": relax.op.add,
    "gelu": relax.op.nn.gelu_tanh,
    "softmax": relax.op.nn.softmax,
    "layer_norm": lambda *args: relax.op.nn.layer_norm(*args, axes=-1),
    "conv2d": lambda *args: relax.op.nn.conv2d(*args, padding=1),
}


@cache
def kernel(operator: str, folder: str) -> Callable[[], Any]:
    """Return a call of an operator with the inputs in a folder; its result is written there.

    Parameters
    ----------
    operator
        A key of `OPERATORS`.
    folder
        Holds `0.npy` and so on, and then `out.npy`.
    """
    inputs = [np.load(path) for path in sorted(Path(folder).glob("[0-9].npy"))]
    params = [
        relax.Var(f"x{index}", relax.TensorType(one.shape, "float32"))
        for index, one in enumerate(inputs)
    ]
    builder = relax.BlockBuilder()
    with builder.function("main", params):
        with builder.dataflow():
            output = builder.emit_output(OPERATORS[operator](*params))
        builder.emit_func_output(output)
    executable = tvm.compile(builder.finalize(), tvm.target.Target.from_device("cpu"))
    machine = relax.VirtualMachine(executable, tvm.cpu())
    args = [tvm.runtime.tensor(one) for one in inputs]
    np.save(Path(folder) / "out.npy", machine["main"](*args).numpy())
    return lambda: machine["main"](*args)


def side(request: dict[str, Any]) -> Any:
    """Return the nanoseconds of a call; the folder is named beside the operator."""
    call = kernel(request["name"], request["folder"])
    return measure(lambda: call, request["calls"])


if __name__ == "__main__":
    answer(side)
