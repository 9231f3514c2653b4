"""Transformers: encoders, language models and models of images."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .graph import Graph, Network

__all__ = ["attention", "bert", "encoder", "gpt2", "vit"]


class Size(NamedTuple):
    """The elements of a token, and the heads that share them."""

    width: int
    heads: int


SMALL, BASE = Size(384, 12), Size(768, 12)


def norm(graph: Graph, x: str, width: int) -> str:
    factors = graph.factors(width), graph.factors(width)
    return graph.call("LayerNormalization", x, *factors, epsilon=1e-5)


def attended(graph: Graph, x: str, size: Size, is_causal: bool = False) -> str:
    """Add attention of tokens to all tokens, or to those before them, and its projection."""
    width, heads = size

    def split(axes: tuple[int, ...]) -> str:
        shape = np.array([0, 0, heads, width // heads])
        parts = graph.call("Reshape", graph.dense(x, width, width), shape)
        return graph.call("Transpose", parts, perm=list(axes))

    queries, keys, values = split((0, 2, 1, 3)), split((0, 2, 3, 1)), split((0, 2, 1, 3))
    scale = np.array((width // heads) ** -0.5, np.float32)
    scores = graph.call("Mul", graph.call("MatMul", queries, keys), scale)
    if is_causal:
        scores = graph.call("Add", scores, causal_mask(graph, x))
    seen = graph.call("MatMul", graph.call("Softmax", scores, axis=-1), values)
    turned = graph.call("Transpose", seen, perm=[0, 2, 1, 3])
    return graph.dense(graph.call("Reshape", turned, np.array([0, 0, width])), width, width)


def causal_mask(graph: Graph, x: str) -> str:
    """Add a mask that keeps each token from later ones: 0 below the diagonal, else -1e9."""
    length = graph.call("Shape", x, start=1, end=2)
    fill = np.full(1, -1e9, np.float32)
    square = graph.call("Expand", fill, graph.call("Concat", length, length, axis=0))
    return graph.call("Trilu", square, np.array(1), upper=1)


def feed_forward(graph: Graph, x: str, width: int) -> str:
    hidden = graph.call("Gelu", graph.dense(x, width, 4 * width))
    return graph.dense(hidden, 4 * width, width)


def layer(graph: Graph, x: str, size: Size) -> str:
    """Add a layer of an encoder, with norms after the sums (Vaswani et al., 2017)."""
    x = norm(graph, graph.call("Add", x, attended(graph, x, size)), size.width)
    return norm(graph, graph.call("Add", x, feed_forward(graph, x, size.width)), size.width)


def layer_of_norms(graph: Graph, x: str, size: Size, is_causal: bool = False) -> str:
    """Add a layer with norms in front (Radford et al., 2019)."""
    x = graph.call("Add", x, attended(graph, norm(graph, x, size.width), size, is_causal))
    return graph.call("Add", x, feed_forward(graph, norm(graph, x, size.width), size.width))


def embedded(graph: Graph, vocabulary: int, width: int, most: int = 512) -> str:
    """Add embeddings of tokens and of their positions."""
    tokens = graph.call("Gather", graph.weight(vocabulary, width), "x")
    end = graph.call("Shape", "x", start=1, end=2)
    positions = graph.call("Slice", graph.weight(most, width), np.array([0]), end, np.array([0]))
    return graph.call("Add", tokens, positions)


def encoder(layers: int) -> Network:
    """Return 128 tokens after layers of a transformer's encoder (Vaswani et al., 2017)."""
    graph, x = Graph(), "x"
    for _ in range(layers):
        x = layer(graph, x, SMALL)
    return graph.network((1, 128, SMALL.width), x)


def attention(tokens: int) -> Network:
    """Return the attention of 12 heads of 64 elements over tokens, which are their own keys."""
    graph = Graph()
    keys = graph.call("Transpose", "x", perm=[0, 1, 3, 2])
    scores = graph.call("Mul", graph.call("MatMul", "x", keys), np.array(0.125, np.float32))
    seen = graph.call("MatMul", graph.call("Softmax", scores, axis=-1), "x")
    return graph.network((1, 12, tokens, 64), seen)


def bert(layers: int = 12) -> Network:
    """Return the states of 128 tokens in BERT-base (Devlin et al., 2018)."""
    graph, vocabulary = Graph(), 30522
    x = norm(graph, embedded(graph, vocabulary, BASE.width), BASE.width)
    for _ in range(layers):
        x = layer(graph, x, BASE)
    return graph.network((1, 128), x, vocabulary)


def gpt2(layers: int = 12) -> Network:
    """Return the scores of the next token for 128 tokens in GPT-2 (Radford et al., 2019)."""
    graph, vocabulary = Graph(), 50257
    x = embedded(graph, vocabulary, BASE.width, most=1024)
    for _ in range(layers):
        x = layer_of_norms(graph, x, BASE, is_causal=True)
    states = norm(graph, x, BASE.width)
    scores = graph.call("MatMul", states, graph.weight(BASE.width, vocabulary))
    return graph.network((1, 128), scores, vocabulary)


def vit(layers: int = 12) -> Network:
    """Return the classes of an image in ViT-base with patches of 16 x 16 pixels
    (Dosovitskiy et al., 2020)."""
    graph, (width, _), tokens = Graph(), BASE, 14 * 14 + 1
    patches = graph.convolution("x", (3, width), (16, 16), strides=[16, 16], pads=[0] * 4)
    rows = graph.call("Reshape", patches, np.array([0, 0, -1]))
    patches = graph.call("Transpose", rows, perm=[0, 2, 1])
    x = graph.call("Concat", graph.weight(1, width)[None], patches, axis=1)
    x = graph.call("Add", x, graph.weight(tokens, width)[None])
    for _ in range(layers):
        x = layer_of_norms(graph, x, BASE)
    first = graph.call("Gather", norm(graph, x, width), np.array(0), axis=1)
    return graph.network((1, 3, 224, 224), graph.dense(first, width, 1000))
