"""Runs the cases of `cases.py` in each library, and writes the results as text.

In: cases, whose programs are texts.  Out: what each gives: the elements of the result, or the
name of the error or of the signal.  It knows nothing of the page.
"""

from __future__ import annotations

import faulthandler
import os
import signal
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import numpy as np
import onnx
from onnx import helper
from onnx.reference import ReferenceEvaluator

import uir
from uir import IRModule, ir, relay
from uir.frontend.onnx import from_onnx

from .case import Array, Case

__all__ = [
    "Results",
    "evaluated_results",
    "imported_from_onnx",
    "imported_from_torch",
    "numpy_results",
    "onnx_reference_results",
    "onnxruntime_results",
    "relay_results",
    "torch_results",
]

Results = dict[str, str]
"""What cases give, by their inputs."""


def numpy_results(cases: Iterable[Case]) -> Results:
    """Run the programs of NumPy."""
    return {
        case.input: result_text(case, lambda array: array, expression(case.numpy, np=np))
        for case in cases
        if case.numpy
    }


def torch_results(cases: Iterable[Case]) -> Results:
    """Run the programs of PyTorch by itself, each in a process, since some end it."""
    # A fork of a process whose threads PyTorch has started may wait for them for ever.
    with ProcessPoolExecutor(1, get_context("spawn")) as fresh:
        return fresh.submit(torch_results_of_forks, list(cases)).result()


def torch_results_of_forks(cases: Iterable[Case]) -> Results:
    import torch

    return {
        case.input: in_a_process(
            lambda case=case: result_text(case, torch.from_numpy, torch_function(case))
        )
        for case in cases
        if case.torch
    }


def torch_function(case: Case) -> Callable[..., Any]:
    import torch

    return expression(case.torch, torch=torch, F=torch.nn.functional)


def onnx_reference_results(cases: Iterable[Case]) -> Results:
    """Run the graphs by the reference of the package `onnx`."""

    def function(case: Case) -> Callable[..., Any]:
        return lambda *arrays: ReferenceEvaluator(onnx_model(case)).run(None, by_name(arrays))[0]

    return {
        case.input: result_text(case, lambda array: array, function(case))
        for case in cases
        if case.onnx
    }


def onnxruntime_results(cases: Iterable[Case]) -> Results:
    """Run the graphs by onnxruntime, each in a process, since some end it."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4

    def function(case: Case) -> Callable[..., Any]:
        text = onnx_model(case).SerializeToString()
        return lambda *arrays: onnxruntime.InferenceSession(text, options).run(
            None, by_name(arrays)
        )[0]

    return {
        case.input: in_a_process(
            lambda case=case: result_text(case, lambda array: array, function(case))
        )
        for case in cases
        if case.onnx
    }


def relay_results(cases: Iterable[Case]) -> Results:
    """Compile the programs of relay, and run them."""
    return compiled_results([case for case in cases if case.relay], relay_module)


def evaluated_results(cases: Iterable[Case]) -> Results:
    """Run the programs of relay by `relay.evaluate`, whose results may be views."""

    def function(case: Case) -> Callable[..., Any]:
        return lambda *arrays: relay.evaluate(relay_module(case), *arrays)

    return {
        case.input: result_text(case, lambda array: array, function(case))
        for case in cases
        if case.relay and not case.after
    }


def imported_from_onnx(cases: Iterable[Case]) -> Results:
    """Import the graphs of ONNX, and run them compiled."""
    return compiled_results(
        [case for case in cases if case.onnx], lambda case: from_onnx(onnx_model(case))
    )


def imported_from_torch(cases: Iterable[Case]) -> Results:
    """Import the programs of PyTorch, and run them compiled."""
    return compiled_results([case for case in cases if case.torch], torch_module)


def torch_module(case: Case) -> IRModule:
    import torch

    from uir.frontend.torch import from_exported_program

    class Program(torch.nn.Module):
        def forward(self, *tensors: Any) -> Any:
            return torch_function(case)(*tensors)

    operands = tuple(torch.from_numpy(array.copy()) for array in case.operands)
    return from_exported_program(torch.export.export(Program().eval(), operands))


def relay_module(case: Case) -> IRModule:
    builder = relay.builder()
    params = [
        builder.param(name, relay.Tensor(array.shape, str(array.dtype)))
        for name, array in by_name(case.operands).items()
    ]
    result = builder.emit(expression(case.relay, relay=relay)(*params))
    return IRModule({ir.GlobalVar("main"): builder.make_func(result)})


def onnx_model(case: Case) -> onnx.ModelProto:
    """Return the graph of a case, of the operands `a`, `b` and `c` and the result `y`."""
    operands = ", ".join(
        f"{onnx_type(array)} {name}" for name, array in by_name(case.operands).items()
    )
    model = onnx.parser.parse_model(
        '<ir_version: 10, opset_import: ["" : 22]>'
        f"graph ({operands}) => (float y) {{ {case.onnx} }}"
    )
    # The type that the text must have is not known.
    model.graph.output[0].ClearField("type")
    return onnx.shape_inference.infer_shapes(model)


def onnx_type(array: Array) -> str:
    name = helper.tensor_dtype_to_string(helper.np_dtype_to_tensor_dtype(array.dtype))
    # `float[]` is a tensor of any rank.
    dims = f"[{', '.join(map(str, array.shape))}]" if array.ndim else ""
    return name.removeprefix("TensorProto.").lower() + dims


def compiled_results(cases: Sequence[Case], module: Callable[[Case], IRModule]) -> Results:
    """Compile the functions `main` of modules as one library, and call each."""
    functions: dict[ir.GlobalVar, ir.BaseFunc] = {}
    results = {}
    for place, case in enumerate(cases):
        name = f"case_{place}"
        try:
            functions[ir.GlobalVar(name)] = module(case)["main"].with_attr("global_symbol", name)
        except Exception as error:
            results[case.input] = type(error).__name__
    library = uir.build(IRModule(functions))
    for place, case in enumerate(cases):
        if case.input not in results:
            call = library[f"case_{place}"]
            results[case.input] = result_text(case, lambda array: array, call)
    return results


def expression(text: str | None, **names: Any) -> Callable[..., Any]:
    """Return the function of operands that a text of Python is."""
    assert text is not None
    return lambda *operands: eval(text, {**names, **by_name(operands)})


def by_name(operands: Sequence[Any]) -> dict[str, Any]:
    return dict(zip("abc", operands, strict=False))


def result_text(case: Case, operand: Callable[[Array], Any], run: Callable[..., Any]) -> str:
    """Return what a function gives for the operands of a case.

    Parameters
    ----------
    case
        The case.
    operand
        Makes an operand of the function of an array.
    run
        The function.
    """
    arrays = [array.copy() for array in case.operands]
    try:
        with np.errstate(all="ignore"):
            result = as_array(run(*map(operand, arrays)))
    except Exception as error:
        return type(error).__name__
    if case.after:
        return str(expression(case.after, np=np, y=result)(*arrays))
    dtype = "" if result.dtype == case.operands[0].dtype else f" {result.dtype}"
    return elements_text(result) + dtype


def as_array(result: Any) -> Array:
    return np.from_dlpack(result) if hasattr(result, "__dlpack__") else np.asarray(result)


def elements_text(array: Array) -> str:
    """Return elements in brackets, each with as few digits as tell it from others."""
    if array.ndim:
        return f"[{', '.join(elements_text(one) for one in array)}]"
    return str(array[()])


def in_a_process(run: Callable[[], str]) -> str:
    """Return a text that another process computes, or the name of the signal that ends it."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        faulthandler.disable()
        os.write(write, run().encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as stream:
        text = stream.read()
    _, status = os.waitpid(child, 0)
    return signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else text
