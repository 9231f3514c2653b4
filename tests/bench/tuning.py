"""Tuning: the gain of a search over the table of parameters, for kernels with odd shapes.

Prints for each kernel `tuning.<name>`: the time with the file of a search against the time without
it, in microseconds, of fresh pairs in new processes; then `tuning.gain`, the geometric mean of the
ratios. A kernel for which the search found nothing has the ratio 1 and is not measured again.

`--budget` is the time for each kernel, by default 3 s; the figures of the documentation need 30 s.
`--kernels` selects some by their names.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator

import numpy as np
from onnx import TensorProto, helper, numpy_helper
from report import report

from uir import tuning
from uir.frontend.onnx import from_onnx
from uir.ir import IRModule

PRODUCTS = {"m1": (1, 512, 1000), "k27": (784, 27, 64), "n17": (256, 512, 17), "odd": (77, 131, 59)}
CONVOLUTIONS = {
    # The image, the channels of input and output, the window, and attributes.
    "depthwise5": (28, 96, 96, 5, {"group": 96, "pads": [2] * 4}),
    "depthwise7": (14, 192, 192, 7, {"group": 192, "pads": [3] * 4}),
    "strided": (56, 64, 128, 3, {"strides": [2, 2], "pads": [1] * 4}),
    "dilated": (28, 64, 64, 3, {"dilations": [2, 2], "pads": [2] * 4}),
    "groups": (28, 64, 64, 3, {"group": 4, "pads": [1] * 4}),
    "window14": (14, 256, 256, 3, {"pads": [1] * 4}),
    "window7": (7, 512, 512, 3, {"pads": [1] * 4}),
    "first": (112, 3, 32, 3, {"strides": [2, 2], "pads": [1] * 4}),
}
ROWS = {"softmax": (128, 1000), "softmax.narrow": (4096, 33)}


def kernels() -> Iterator[tuple[str, IRModule]]:
    """Yield the name and the module of each kernel."""
    generator = np.random.default_rng(0)
    for name, (rows, terms, columns) in PRODUCTS.items():
        weights = generator.standard_normal((terms, columns), "float32")
        yield name, model("MatMul", (rows, terms), weights, {})
    for name, (image, inputs, outputs, window, attributes) in CONVOLUTIONS.items():
        shape = (outputs, inputs // attributes.get("group", 1), window, window)
        weights = generator.standard_normal(shape, "float32")
        yield name, model("Conv", (1, inputs, image, image), weights, attributes)
    for name, shape in ROWS.items():
        yield name, model("Softmax", shape, None, {})


def model(kind: str, shape: tuple[int, ...], weights: object, attributes: dict) -> IRModule:
    """Return a network of one node."""
    inputs = ["x"] if weights is None else ["x", "w"]
    node = helper.make_node(kind, inputs, ["y"], **attributes)
    known = [] if weights is None else [numpy_helper.from_array(weights, "w")]
    graph = helper.make_graph(
        [node],
        kind,
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        known,
    )
    return from_onnx(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)]))


def again(module: IRModule, tuned: tuning.TunedKernel) -> tuple[float, float]:
    """Return the median times in microseconds with and without a tuned kernel, of fresh pairs."""
    (kernel, *_) = tuning.kernels_of(module)[tuned.kernel]
    measurer = tuning.ProcessMeasurer(seed=100)
    made = measurer.measure(kernel, tuned.trace, kernel.trace, confirms=True)
    measurer.close()
    return float(np.median(made.times)) * 1e6, float(np.median(made.against_times)) * 1e6


def main() -> None:
    """Search and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", default="3s")
    parser.add_argument("--kernels", nargs="*")
    options = parser.parse_args()
    ratios = []
    for name, module in kernels():
        if options.kernels and name not in options.kernels:
            continue
        result = tuning.tune(module, budget=options.budget)
        ratio = 1.0
        for tuned in result.kernels:
            mine, table = again(module, tuned)
            report(f"tuning.{name}", mine, table, "us")
            ratio = table / mine
        if not result.kernels:
            print(json.dumps({"name": f"tuning.{name}", "ratio": 1, "measured": result.measured}))
        ratios.append(ratio)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    report("tuning.gain", mean, 1.0, "times", more_is_better=True)


if __name__ == "__main__":
    main()
