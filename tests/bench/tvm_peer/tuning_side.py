"""TVM's side of the benchmark of tuning: MetaSchedule on one kernel, on one core."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from typing import Any

import numpy as np
import tvm
from tvm import relax
from tvm.s_tir import meta_schedule


def module_of(given: list[Any]) -> tvm.IRModule:
    """Return the function of a product, given by three sizes, or of a convolution."""
    builder = relax.BlockBuilder()
    if len(given) == 3:
        rows, terms, columns = given
        shapes = [(rows, terms), (terms, columns)]
        attributes: dict[str, Any] = {}
        operator = relax.op.matmul
    else:
        image, inputs, outputs, window, onnx = given
        group = onnx.get("group", 1)
        shapes = [(1, inputs, *image), (outputs, inputs // group, *[window] * len(image))]
        attributes = {
            "strides": onnx.get("strides", [1, 1]),
            "padding": onnx.get("pads", [0] * 4),
            "dilation": onnx.get("dilations", [1, 1]),
            "groups": group,
        }
        operator = relax.op.nn.conv2d
    params = [
        relax.Var(f"x{at}", relax.TensorType(shape, "float32")) for at, shape in enumerate(shapes)
    ]
    with builder.function("main", params):
        with builder.dataflow():
            output = builder.emit_output(operator(*params, **attributes))
        builder.emit_func_output(output)
    legal = relax.transform.LegalizeOps()(builder.finalize())
    (func,) = (one for one in legal.functions.values() if isinstance(one, tvm.tirx.PrimFunc))
    return tvm.IRModule({"main": func.with_attr("global_symbol", "main")})


def main() -> None:
    """Search, and print the time of the best candidate."""
    request = json.loads(sys.argv[1])
    module = module_of(request["given"])
    processor = tvm.target.codegen.llvm_get_system_cpu()
    target = tvm.target.Target({"kind": "llvm", "mcpu": processor, "num-cores": 1})
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        database = meta_schedule.tune_tir(
            module, target, work_dir=folder, max_trials_global=request["trials"]
        )
        seconds = time.monotonic() - start
        records = database.get_all_tuning_records()
    times = [float(np.median([float(one) for one in record.run_secs])) for record in records]
    known = [one for one in times if one < 1e9]
    print(json.dumps({"seconds": seconds, "best": min(known), "candidates": len(records)}))


if __name__ == "__main__":
    main()
