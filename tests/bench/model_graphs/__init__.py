"""Models of ONNX with random weights: some that are made here, and known architectures.

In: a name. Out: the model and its input.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from .architectures import architecture
from .graph import Graph, Network
from .images import convolutions, detection, mobilenet_v2, resnet18
from .sequences import lstm, recogniser, voice
from .transformers import attention, bert, encoder, gpt2, vit
from .trees import trees

__all__ = ["MODELS", "SYMBOLIC", "Graph", "Network"]


def mlp() -> Network:
    """Return the classes of 64 images of 784 pixels."""
    graph, x, widths = Graph(), "x", (784, 512, 512, 10)
    for inputs, outputs in pairwise(widths):
        x = graph.dense(x, inputs, outputs)
        x = graph.call("Relu", x) if outputs != widths[-1] else x
    return graph.network((64, 784), graph.call("Softmax", x, axis=-1))


MODELS: dict[str, Callable[[], Network]] = {
    "mlp": mlp,
    "encoder.layer": lambda: encoder(1),
    "encoder.6layers": lambda: encoder(6),
    "attention.1024": lambda: attention(1024),
    "bert": bert,
    "gpt2": gpt2,
    "vit": vit,
    "lstm": lambda: lstm(2, 256, 100),
    "voice": lambda: voice(16000),
    "recogniser": lambda: recogniser(320),
    "trees.b1": lambda: trees(500, 6, 1),
    "trees.b1000": lambda: trees(500, 6, 1000),
    "convolutions": lambda: convolutions(4),
    "detection": lambda: detection(320, 320),
    "mobilenetv2.b1": mobilenet_v2,
    "resnet18.b1": resnet18,
    "squeezenet.b1": lambda: architecture("squeezenet"),
    "resnet50.b1": lambda: architecture("resnet50"),
    "densenet121.b1": lambda: architecture("densenet121"),
}
"""The models by name."""

SYMBOLIC: dict[str, tuple[str | int, ...]] = {
    "encoder.6layers": ("b", "s", 384),
    "attention.1024": ("b", 12, "s", 64),
    "bert": ("b", "s"),
    "lstm": ("s", 1, 256),
    "voice": (1, 1, "s"),
    "recogniser": (1, 1, 32, "w"),
    "convolutions": (1, 64, "h", "w"),
    "detection": (1, 3, "h", "w"),
}
"""The names of the sizes that vary, of models that are also timed with such sizes."""
