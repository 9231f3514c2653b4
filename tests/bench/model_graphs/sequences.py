"""Models of sequences: recurrent layers, detection of voices, recognition of text."""

from __future__ import annotations

import numpy as np

from .graph import Graph, Network

__all__ = ["lstm", "recogniser", "voice"]


def recurrent(graph: Graph, x: str, inputs: int, features: int, directions: int = 1) -> str:
    """Add a layer of long short-term memory over (steps, batch, inputs)."""
    weights = [
        np.stack([graph.weight(size, 4 * features).T for _ in range(directions)])
        for size in (inputs, features)
    ]
    biases = graph.factors(directions * 8 * features).reshape(directions, -1)
    direction = "bidirectional" if directions == 2 else "forward"
    states = graph.call("LSTM", x, *weights, biases, hidden_size=features, direction=direction)
    if directions == 1:
        return graph.call("Squeeze", states, np.array([1]))
    beside = graph.call("Transpose", states, perm=[0, 2, 1, 3])
    return graph.call("Reshape", beside, np.array([0, 0, directions * features]))


def lstm(layers: int, features: int, steps: int) -> Network:
    """Return the states of stacked layers of long short-term memory, batch 1."""
    graph, x = Graph(), "x"
    for _ in range(layers):
        x = recurrent(graph, x, features, features)
    return graph.network((steps, 1, features), x)


def voice(samples: int) -> Network:
    """Return the probability of a voice for each 32 ms of sound: a spectrum by a convolution, four
    convolutions and a recurrent layer, as in Silero's models of voice activity."""
    graph, width = Graph(), 129
    spectrum = graph.convolution("x", (1, 2 * width), (256,), strides=[128], pads=[64, 64])
    halves = [
        graph.call("Slice", spectrum, *(np.array([at]) for at in (begin, begin + width, 1)))
        for begin in (0, width)
    ]
    squares = [graph.call("Mul", half, half) for half in halves]
    x = graph.call("Sqrt", graph.call("Add", *squares))
    for channels, stride in (((width, 128), 1), ((128, 64), 2), ((64, 64), 2), ((64, 128), 1)):
        x = graph.call("Relu", graph.convolution(x, channels, (3,), strides=[stride]))
    x = recurrent(graph, graph.call("Transpose", x, perm=[2, 0, 1]), 128, 128)
    return graph.network((1, 1, samples), graph.call("Sigmoid", graph.dense(x, 128, 1)))


def recogniser(width: int) -> Network:
    """Return the characters of a line of text of 32 rows of pixels, for each 4 columns: a stack of
    convolutions and two bidirectional recurrent layers (Shi, Bai and Yao, 2015)."""
    graph, x = Graph(), "x"
    pools = {64: (2, 2), 128: (2, 2), 256: (2, 1), 512: (2, 1)}
    inputs = 1
    for outputs in (64, 128, 256, 256, 512):
        x = graph.call("Relu", graph.convolution(x, (inputs, outputs), (3, 3)))
        if outputs != inputs and outputs in pools:
            pool = list(pools[outputs])
            x = graph.call("MaxPool", x, kernel_shape=pool, strides=pool)
        inputs = outputs
    x = graph.call("Relu", graph.convolution(x, (512, 512), (2, 1), pads=[0, 0, 0, 0]))
    x = graph.call("Transpose", graph.call("Squeeze", x, np.array([2])), perm=[2, 0, 1])
    for features in (512, 512):
        x = recurrent(graph, x, features, 256, directions=2)
    return graph.network((1, 1, 32, width), graph.call("Softmax", graph.dense(x, 512, 97), axis=-1))
