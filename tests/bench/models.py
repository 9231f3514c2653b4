"""Whole networks with random weights on one thread, compiled, against onnxruntime.

Prints `mlp` (64 images of 784 pixels), `encoder.layer` and `encoder.6layers` (128 tokens of 384
elements, 12 heads), and `resnet50.b1`, one call each, in milliseconds. Lines that begin with `#`
have the time of a build without the cache, and the bytes of the arena. Arguments choose networks.
"""

from __future__ import annotations

import math
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from onnx_peer import run_in_one_thread
from report import interleaved, report

ROUNDS = 15
LEAST_MS = 100.0
"""How long a timing takes at least, in milliseconds."""


class Layers(Protocol):
    """Makes the layers of a network for one of the sides."""

    def conv(self, x: Any, weight: np.ndarray, stride: int) -> Any: ...
    def batch_norm(self, x: Any, statistics: Sequence[np.ndarray]) -> Any: ...
    def max_pool(self, x: Any) -> Any: ...
    def mean_of_pixels(self, x: Any) -> Any: ...
    def layer_norm(self, x: Any, scale: np.ndarray, bias: np.ndarray) -> Any: ...
    def call(self, name: str, *operands: Any) -> Any: ...
    def softmax(self, x: Any) -> Any: ...
    def reshape(self, x: Any, shape: Sequence[int]) -> Any: ...
    def transpose(self, x: Any, axes: Sequence[int]) -> Any: ...


class RelayLayers:
    """Makes expressions of relay."""

    def conv(self, x: Any, weight: np.ndarray, stride: int) -> Any:
        from uir import relay

        padding = weight.shape[-1] // 2
        return relay.conv(x, relay.const(weight), strides=[stride], pads=[padding])

    def batch_norm(self, x: Any, statistics: Sequence[np.ndarray]) -> Any:
        from uir import relay

        return relay.batch_norm(x, *[relay.const(one) for one in statistics])

    def max_pool(self, x: Any) -> Any:
        from uir import relay

        return relay.max_pool(x, [3], strides=[2], pads=[1])

    def mean_of_pixels(self, x: Any) -> Any:
        from uir import relay

        return relay.mean(x, (2, 3))

    def layer_norm(self, x: Any, scale: np.ndarray, bias: np.ndarray) -> Any:
        from uir import relay

        return relay.layer_norm(x, relay.const(scale), relay.const(bias))

    def call(self, name: str, *operands: Any) -> Any:
        from uir import relay

        args = [relay.const(one) if isinstance(one, np.ndarray) else one for one in operands]
        return getattr(relay, {"Mul": "multiply"}.get(name, name.lower()))(*args)

    def softmax(self, x: Any) -> Any:
        from uir import relay

        return relay.softmax(x)

    def reshape(self, x: Any, shape: Sequence[int]) -> Any:
        from uir import relay

        return relay.reshape(x, tuple(shape))

    def transpose(self, x: Any, axes: Sequence[int]) -> Any:
        from uir import relay

        return relay.transpose(x, tuple(axes))


class OnnxLayers:
    """Makes nodes of ONNX; a value is its name."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def _name(self, operand: Any) -> str:
        from onnx import numpy_helper

        if isinstance(operand, str):
            return operand
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(operand), name))
        return name

    def call(self, name: str, *operands: Any, **attributes: Any) -> Any:
        from onnx import helper

        names = [self._name(operand) for operand in operands]
        result = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(name, names, [result], **attributes))
        return result

    def conv(self, x: Any, weight: np.ndarray, stride: int) -> Any:
        pads = [weight.shape[-1] // 2] * 4
        return self.call("Conv", x, weight, strides=[stride] * 2, pads=pads)

    def batch_norm(self, x: Any, statistics: Sequence[np.ndarray]) -> Any:
        return self.call("BatchNormalization", x, *statistics, epsilon=1e-5)

    def max_pool(self, x: Any) -> Any:
        return self.call("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)

    def mean_of_pixels(self, x: Any) -> Any:
        return self.call("ReduceMean", x, np.array([2, 3]), keepdims=0)

    def layer_norm(self, x: Any, scale: np.ndarray, bias: np.ndarray) -> Any:
        return self.call("LayerNormalization", x, scale, bias, epsilon=1e-5)

    def softmax(self, x: Any) -> Any:
        return self.call("Softmax", x, axis=-1)

    def reshape(self, x: Any, shape: Sequence[int]) -> Any:
        return self.call("Reshape", x, np.array(shape))

    def transpose(self, x: Any, axes: Sequence[int]) -> Any:
        return self.call("Transpose", x, perm=list(axes))

    def session(self, x: np.ndarray, result: str) -> Any:
        """Return onnxruntime's session of the network."""
        import onnxruntime
        from onnx import TensorProto, helper

        data = helper.make_tensor_value_info("x", TensorProto.FLOAT, x.shape)
        y = helper.make_tensor_value_info(result, TensorProto.FLOAT, None)
        graph = helper.make_graph(self.nodes, "network", [data], [y], self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        return onnxruntime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )


class Weights:
    """Random weights: the same for both sides."""

    def __init__(self) -> None:
        self._numbers = np.random.default_rng(0)

    def weight(self, *shape: int) -> np.ndarray:
        """Return weights that keep the size of values of about 1."""
        inputs = math.prod(shape[1:]) if len(shape) == 4 else shape[0]
        return self._numbers.standard_normal(shape, np.float32) * np.float32(inputs**-0.5)

    def factors(self, count: int) -> np.ndarray:
        return self._numbers.uniform(0.5, 1.5, count).astype(np.float32)


Network = Callable[[Layers, Any, Weights], Any]


def resnet50(net: Layers, x: Any, weights: Weights) -> Any:
    """Return the classes of images (He et al., 2015)."""

    def conv(x: Any, inputs: int, outputs: int, size: int, stride: int = 1) -> Any:
        y = net.conv(x, weights.weight(outputs, inputs, size, size), stride)
        return net.batch_norm(y, [weights.factors(outputs) for _ in range(4)])

    def relu(x: Any) -> Any:
        return net.call("Relu", x)

    x = net.max_pool(relu(conv(x, 3, 64, 7, 2)))
    channels = 64
    for width, blocks in ((64, 3), (128, 4), (256, 6), (512, 3)):
        for block in range(blocks):
            stride = 2 if block == 0 and width > 64 else 1
            y = relu(conv(x, channels, width, 1))
            y = conv(relu(conv(y, width, width, 3, stride)), width, 4 * width, 1)
            x = relu(net.call("Add", y, x if block else conv(x, channels, 4 * width, 1, stride)))
            channels = 4 * width
    x = net.mean_of_pixels(x)
    return net.call("Add", net.call("MatMul", x, weights.weight(2048, 1000)), weights.factors(1000))


TOKENS, WIDTH, HEADS = 128, 384, 12


def encoder_layer(net: Layers, x: Any, weights: Weights) -> Any:
    """Return the tokens after a layer of a transformer's encoder (Vaswani et al., 2017)."""

    def dense(x: Any, inputs: int, outputs: int) -> Any:
        product = net.call("MatMul", x, weights.weight(inputs, outputs))
        return net.call("Add", product, weights.factors(outputs))

    def norm(x: Any) -> Any:
        return net.layer_norm(x, weights.factors(WIDTH), weights.factors(WIDTH))

    def heads(axes: Sequence[int]) -> Any:
        split = net.reshape(dense(x, WIDTH, WIDTH), (1, TOKENS, HEADS, WIDTH // HEADS))
        return net.transpose(split, axes)

    queries, keys, values = heads((0, 2, 1, 3)), heads((0, 2, 3, 1)), heads((0, 2, 1, 3))
    scale = np.array((WIDTH // HEADS) ** -0.5, np.float32)
    scores = net.softmax(net.call("Mul", net.call("MatMul", queries, keys), scale))
    seen = net.transpose(net.call("MatMul", scores, values), (0, 2, 1, 3))
    joined = net.reshape(seen, (1, TOKENS, WIDTH))
    x = norm(net.call("Add", x, dense(joined, WIDTH, WIDTH)))
    hidden = net.call("Gelu", dense(x, WIDTH, 4 * WIDTH))
    return norm(net.call("Add", x, dense(hidden, 4 * WIDTH, WIDTH)))


def encoder(net: Layers, x: Any, weights: Weights) -> Any:
    for _ in range(6):
        x = encoder_layer(net, x, weights)
    return x


def mlp(net: Layers, x: Any, weights: Weights) -> Any:
    """Return the classes of images of 28 x 28 pixels."""
    widths = (784, 512, 512, 10)
    for inputs, outputs in pairwise(widths):
        product = net.call("MatMul", x, weights.weight(inputs, outputs))
        x = net.call("Add", product, weights.factors(outputs))
        x = net.call("Relu", x) if outputs != widths[-1] else x
    return net.softmax(x)


NETWORKS: dict[str, tuple[Network, tuple[int, ...]]] = {
    "mlp": (mlp, (64, 784)),
    "encoder.layer": (encoder_layer, (1, TOKENS, WIDTH)),
    "encoder.6layers": (encoder, (1, TOKENS, WIDTH)),
    "resnet50.b1": (resnet50, (1, 3, 224, 224)),
}


def relay_module(network: Network, shape: tuple[int, ...]) -> Any:
    """Return our module of a network."""
    from uir import ir, relay

    x = relay.Var("x", relay.Tensor(shape, "float32"))
    func = relay.Function([x], relay.Block([], network(RelayLayers(), x, Weights())))
    return ir.IRModule({ir.GlobalVar("main"): ir.with_attr(func, "global_symbol", "main")})


def build(name: str, module: Any) -> Any:
    """Build a module without the cache, and print how long that takes."""
    import uir

    with tempfile.TemporaryDirectory() as folder:
        os.environ["UIR_CACHE_DIR"] = folder
        start = time.perf_counter()
        built = uir.build(module)
        seconds = time.perf_counter() - start
    arena = int(uir.lower(module).lookup("main").get_attr("arena_bytes"))
    print(f"# {name}: compiled in {seconds:.2f} s, arena of {arena} bytes", file=sys.stderr)
    return built


def measure(name: str) -> None:
    """Compare the results of both sides, then their times."""
    import tvm_ffi

    network, shape = NETWORKS[name]
    x = np.random.default_rng(1).standard_normal(shape, np.float32)
    peer = OnnxLayers()
    session = peer.session(x, network(peer, "x", Weights()))
    (expected,) = session.run(None, {"x": x})
    function = build(name, relay_module(network, shape))["main_into"]
    found = np.empty(expected.shape, np.float32)
    args = [tvm_ffi.from_dlpack(one) for one in (x, found)]
    function(*args)
    difference = np.abs(found - expected).max() / np.abs(expected).max()
    if not difference <= 1e-4:
        raise ValueError(f"{name}: results differ by {difference:.2g} of their scale")
    start = time.perf_counter()
    function(*args)
    calls = max(int(LEAST_MS / 1e3 / (time.perf_counter() - start)), 1)
    nanoseconds = interleaved(
        lambda: function(*args), lambda: session.run(None, {"x": x}), rounds=ROUNDS, calls=calls
    )
    report(name, nanoseconds[0] / 1e6, nanoseconds[1] / 1e6, "ms")


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        for chosen in sys.argv[2:] or NETWORKS:
            measure(chosen)
    else:
        run_in_one_thread(__file__)
