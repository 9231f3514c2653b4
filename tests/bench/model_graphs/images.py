"""Convolutional models of images."""

from __future__ import annotations

import numpy as np

from .graph import Graph, Network

__all__ = ["convolutions", "detection", "mobilenet_v2", "resnet18"]


def classes(graph: Graph, x: str, channels: int) -> str:
    """Add the average of each channel, and the scores of 1,000 classes."""
    means = graph.call("Flatten", graph.call("GlobalAveragePool", x))
    return graph.dense(means, channels, 1000)


def residual(graph: Graph, x: str, channels: tuple[int, int], stride: int) -> str:
    """Add two convolutions beside a way around them."""
    inputs, outputs = channels
    y = graph.convolution(x, channels, (3, 3), strides=[stride, stride])
    y = graph.convolution(graph.call("Relu", y), (outputs, outputs), (3, 3))
    if inputs != outputs:
        x = graph.convolution(x, channels, (1, 1), strides=[stride, stride])
    return graph.call("Relu", graph.call("Add", x, y))


def resnet18() -> Network:
    """Return the classes of an image of 224 x 224 pixels (He et al., 2015)."""
    graph = Graph()
    x = graph.call("Relu", graph.convolution("x", (3, 64), (7, 7), strides=[2, 2]))
    x = graph.call("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
    for inputs, outputs in ((64, 64), (64, 128), (128, 256), (256, 512)):
        x = residual(graph, x, (inputs, outputs), outputs // inputs)
        x = residual(graph, x, (outputs, outputs), 1)
    return graph.network((1, 3, 224, 224), classes(graph, x, 512))


def clipped(graph: Graph, x: str) -> str:
    return graph.call("Clip", x, np.array(0, np.float32), np.array(6, np.float32))


def inverted(
    graph: Graph, x: str, channels: tuple[int, int], *, stride: int, expansion: int
) -> str:
    """Add a block that widens, convolves each channel, and narrows (Sandler et al., 2018)."""
    inputs, outputs = channels
    hidden = inputs * expansion
    y = x
    if expansion != 1:
        y = clipped(graph, graph.convolution(y, (inputs, hidden), (1, 1)))
    strides = [stride, stride]
    depthwise = graph.convolution(y, (hidden, hidden), (3, 3), group=hidden, strides=strides)
    y = graph.convolution(clipped(graph, depthwise), (hidden, outputs), (1, 1))
    return graph.call("Add", x, y) if inputs == outputs and stride == 1 else y


def mobilenet_v2_features(graph: Graph) -> str:
    """Add the blocks of MobileNetV2, which make 320 channels of an image."""
    x = clipped(graph, graph.convolution("x", (3, 32), (3, 3), strides=[2, 2]))
    inputs = 32
    for expansion, outputs, count, stride in (
        (1, 16, 1, 1),
        (6, 24, 2, 2),
        (6, 32, 3, 2),
        (6, 64, 4, 2),
        (6, 96, 3, 1),
        (6, 160, 3, 2),
        (6, 320, 1, 1),
    ):
        for block in range(count):
            step = stride if block == 0 else 1
            x = inverted(graph, x, (inputs, outputs), stride=step, expansion=expansion)
            inputs = outputs
    return x


def mobilenet_v2() -> Network:
    """Return the classes of an image of 224 x 224 pixels (Sandler et al., 2018)."""
    graph = Graph()
    x = clipped(graph, graph.convolution(mobilenet_v2_features(graph), (320, 1280), (1, 1)))
    return graph.network((1, 3, 224, 224), classes(graph, x, 1280))


def detection(rows: int, columns: int) -> Network:
    """Return scores of 91 classes and 4 sides of boxes at each place of two scales of an image, as
    single-shot detectors do (Liu et al., 2015), on the blocks of MobileNetV2."""
    graph = Graph()
    coarse = mobilenet_v2_features(graph)
    narrow = clipped(graph, graph.convolution(coarse, (320, 96), (1, 1)))
    sizes = np.array([1, 1, 2, 2], np.float32)
    fine = graph.call("Resize", narrow, "", sizes, mode="nearest")
    boxes = []
    for x in (narrow, fine):
        head = graph.call("Relu", graph.convolution(x, (96, 96), (3, 3)))
        places = graph.call(
            "Transpose", graph.convolution(head, (96, 95), (1, 1)), perm=[0, 2, 3, 1]
        )
        boxes.append(graph.call("Reshape", places, np.array([0, -1, 95])))
    return graph.network((1, 3, rows, columns), graph.call("Concat", *boxes, axis=1))


def convolutions(count: int) -> Network:
    """Return a chain of convolutions of 64 channels, of an image of 56 x 56 pixels."""
    graph, x = Graph(), "x"
    for _ in range(count):
        x = graph.call("Relu", graph.convolution(x, (64, 64), (3, 3)))
    return graph.network((1, 64, 56, 56), x)
