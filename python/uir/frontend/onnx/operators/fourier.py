"""Discrete Fourier transforms and spectra, as products with matrices of cosines and sines."""

from __future__ import annotations

import numpy as np

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import Array, dims, dims_of_rank, dtype_of, rank
from ..node import Converter, Node, data_type
from .attention import integer

__all__ = ["CONVERTERS"]

# A matrix of a longer transform takes more memory than its signals.
MAX_LENGTH = 4096


def waves(inputs: int, outputs: int, length: int, sign: int) -> tuple[Array, Array]:
    """Return cosines and sines of the angles `sign * 2 * pi * j * k / length`.

    Parameters
    ----------
    inputs
        The number of rows `j`.
    outputs
        The number of columns `k`.
    length
        The length of the transform.
    sign
        -1, or 1 for the inverse transform.

    Returns
    -------
    cosines, sines
        Matrices of shape `(inputs, outputs)`; float64.

    Raises
    ------
    Refused
        If the transform is too long, or has no elements.
    """
    if not 0 < length <= MAX_LENGTH:
        raise Refused(f"a transform of length {length}, which must be from 1 to {MAX_LENGTH}")
    # The product is reduced exactly, so that long transforms keep the precision of short ones.
    turns = np.outer(np.arange(inputs), np.arange(outputs)) % length
    angles = sign * 2 * np.pi * turns / length
    return np.cos(angles), np.sin(angles)


def dft(node: Node) -> RelayExpr:
    """Return the transform along one axis; the last axis has real and imaginary parts."""
    x = node.input(0)
    if rank(x) < 2 or dims(x)[-1] not in (1, 2):
        raise Refused("signals without an axis of real and imaginary parts")
    axis = node.attribute("axis", 1)
    if node.opset >= 20:
        axis = -2 if node.optional(2) is None else node.integer(2)
    if not -rank(x) <= axis < rank(x) or axis % rank(x) == rank(x) - 1:
        raise Refused(f"axis {axis} of a signal of rank {rank(x)}")
    transform = inverse_of_half if node.flag("inverse") and node.flag("onesided") else of_whole
    return transform(node, x, axis % rank(x))


def of_whole(node: Node, x: RelayExpr, axis: int) -> RelayExpr:
    """Return the transform of a signal, or its first half."""
    count = integer(dims(x)[axis], "a signal")
    length = count if node.optional(1) is None else node.integer(1)
    inverse = node.flag("inverse")
    outputs = length // 2 + 1 if node.flag("onesided") else length
    cosines, sines = waves(min(count, length), outputs, length, 1 if inverse else -1)
    if inverse:
        cosines, sines = cosines / length, sines / length
    real, imaginary = parts(node, x, axis, len(cosines))
    re, im = product(real, cosines), product(real, sines)
    if imaginary is not None:
        re = relay.subtract(re, product(imaginary, sines))
        im = relay.add(im, product(imaginary, cosines))
    return joined([re, im], axis)


def inverse_of_half(node: Node, x: RelayExpr, axis: int) -> RelayExpr:
    """Return the real signal whose transform has a given first half."""
    count = integer(dims(x)[axis], "a transform")
    length = 2 * (count - 1) if node.optional(1) is None else node.integer(1)
    cosines, sines = waves(min(count, length // 2 + 1), length, length, 1)
    # The other half has the conjugates of all elements but the first, and the middle one.
    ends = np.arange(len(cosines)) % (length / 2) == 0
    weights = np.where(ends, 1, 2)[:, None] / length
    real, imaginary = parts(node, x, axis, len(cosines))
    result = product(real, cosines * weights)
    if imaginary is not None:
        result = relay.subtract(result, product(imaginary, sines * weights))
    return joined([result], axis)


def parts(node: Node, x: RelayExpr, axis: int, count: int) -> tuple[RelayExpr, RelayExpr | None]:
    """Return the real and imaginary parts of the first elements along an axis, which comes last."""
    order = [one for one in range(rank(x) - 1) if one != axis]
    kept = relay.strided_slice(x, [0], [count], axes=[axis])
    moved = node.bind(relay.transpose(kept, [rank(x) - 1, *order, axis]))

    def part(place: int) -> RelayExpr:
        return relay.squeeze(relay.strided_slice(moved, [place], [place + 1], axes=[0]), [0])

    return part(0), part(1) if dims(x)[-1] == 2 else None


def product(x: RelayExpr, matrix: Array) -> RelayExpr:
    """Return the product of rows and a constant matrix."""
    weights = relay.const(matrix, dtype_of(x))
    if rank(x) > 1:
        return relay.matmul(x, weights)
    return relay.squeeze(relay.matmul(relay.expand_dims(x, [0]), weights), [0])


def joined(results: list[RelayExpr], axis: int) -> RelayExpr:
    """Return parts as the last axis, and the last axis of each at its place."""
    apart = relay.concatenate([relay.expand_dims(one, [-1]) for one in results], -1)
    last = rank(apart) - 2
    order = [one for one in range(last) if one < axis]
    order += [last, *range(axis, last), last + 1]
    return relay.transpose(apart, order)


def stft(node: Node) -> RelayExpr:
    """Return the transforms of overlapping frames of real signals, as a convolution."""
    signal = node.input(0)
    batch, length, *channels = dims_of_rank(signal, 2, 3)
    if channels not in ([], [1]):
        raise Refused("frames of complex signals")
    window, step = node.optional(2), node.integer(1)
    if node.optional(3) is not None:
        size = node.integer(3)
    elif window is not None:
        size = integer(dims_of_rank(window, 1)[0], "the window")
    else:
        raise Refused("neither a window nor the length of frames is given")
    if step < 1:
        raise Refused(f"a step of {step} between frames")
    if window is not None and dims_of_rank(window, 1) != [size]:
        raise Refused("a window of another length than that of frames")
    bins = size // 2 + 1 if node.flag("onesided", True) else size
    kernel = np.concatenate(waves(size, bins, size, -1), axis=1).T[:, None]
    weights: RelayExpr = relay.const(kernel, dtype_of(signal))
    if window is not None:
        weights = relay.multiply(weights, window)
    rows = relay.reshape(signal, [batch, 1, length], allowzero=True)
    spectra = relay.conv(rows, weights, strides=[step])
    frames = dims(spectra)[2]
    apart = relay.reshape(spectra, [batch, 2, bins, frames], allowzero=True)
    return relay.transpose(apart, [0, 3, 2, 1])


def mel_weight_matrix(node: Node) -> RelayExpr:
    """Return the weights of triangular filters that are evenly spaced on the mel scale."""
    bins, length, rate = (node.integer(place) for place in range(3))
    low, high = (float(node.number(place)) for place in (3, 4))
    if bins < 1 or not 0 < length <= MAX_LENGTH or rate < 1 or not 0 <= low < high <= rate / 2:
        raise Refused(f"{bins} filters from {low} to {high} Hz at a rate of {rate} Hz")
    first, last = (2595 * np.log10(1 + edge / 700) for edge in (low, high))
    mels = np.arange(bins + 2) * (last - first) / (bins + 2) + first
    places = ((length + 1) * (700 * (10 ** (mels / 2595) - 1)) // rate).astype(int)
    rows = np.arange(length // 2 + 1)[:, None]
    left, center, right = places[:-2], places[1:-1], places[2:]
    rising = (rows - left) / np.maximum(center - left, 1)
    falling = (right - rows) / np.maximum(right - center, 1)
    matrix = np.where((rows >= left) & (rows <= center), rising, 0.0)
    matrix = np.where((rows >= center) & (rows < right), falling, matrix)
    matrix = np.where((rows == center) & (left == center), 1.0, matrix)
    return relay.const(matrix, data_type(node.attribute("output_datatype", 1)))


CONVERTERS: dict[str, Converter] = {
    "DFT": dft,
    "MelWeightMatrix": mel_weight_matrix,
    "STFT": stft,
}
