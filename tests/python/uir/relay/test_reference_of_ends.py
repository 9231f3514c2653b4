"""References of tensors without elements, of the greatest integers, and of keys that are masked."""

from __future__ import annotations

import numpy as np
import pytest

from uir.relay import reference
from uir.runtime import numpy_dtype


@pytest.mark.parametrize("strides", [[1], [2]])
@pytest.mark.parametrize("auto_pad", ["same_upper", "same_lower"])
def test_no_elements_have_no_windows(strides: list[int], auto_pad: str) -> None:
    x, weight = np.zeros((2, 3, 0), "float32"), np.zeros((1, 3, 3), "float32")
    window = {"strides": strides, "auto_pad": auto_pad}
    assert reference.max_pool(x, [3], ceil_mode=True, **window).shape == (2, 3, 0)
    assert reference.avg_pool(x, [3], count_include_pad=True, **window).shape == (2, 3, 0)
    places = reference.max_pool_with_indices(x, [3], **window)[1]
    assert (places.shape, places.dtype) == ((2, 3, 0), np.int64)
    assert reference.conv(x, weight, **window).shape == (2, 1, 0)


def test_no_elements_beside_others_have_no_windows() -> None:
    x = np.zeros((1, 1, 0, 5), "float32")
    pooled = reference.max_pool(x, [2, 2], strides=[2, 2], auto_pad="same_upper")
    assert pooled.shape == (1, 1, 0, 3)
    mean = reference.avg_pool(x, [3, 3], auto_pad="same_upper", count_include_pad=True)
    assert mean.shape == (1, 1, 0, 5)


def test_a_window_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="the window spans 3 of 0 elements along axis 2"):
        reference.max_pool(np.zeros((1, 1, 0), "float32"), [3], auto_pad="valid")


def test_a_transposed_convolution_of_no_elements_adds_nothing() -> None:
    x, weight = np.zeros((1, 1, 0), "float32"), np.ones((1, 1, 3), "float32")
    window = {"strides": [2], "dilations": [2]}
    assert reference.conv_transpose(x, weight, auto_pad="same_upper", **window).shape == (1, 1, 0)
    bias = np.array([7], "float32")
    assert reference.conv_transpose(x, weight, bias, **window).tolist() == [[[7.0, 7.0, 7.0]]]


def test_heads_of_no_elements_are_heads() -> None:
    query, value = np.zeros((1, 2, 3, 0), "float32"), np.ones((1, 2, 3, 1), "float32")
    assert reference.attention(query, query, value, scale=1.0).tolist() == [[[[1.0]] * 3] * 2]


@pytest.mark.parametrize("dtype", ["int64", "uint64", "int8"])
def test_resized_integers_are_exact_or_clamped(dtype: str) -> None:
    ends = np.iinfo(dtype)
    x = np.array([ends.min, ends.max, ends.max], dtype)
    nearest = reference.resize(x, scales=[2.0], coordinate_transformation_mode="half_pixel")
    assert nearest.tolist() == np.repeat(x, 2).tolist()
    linear = reference.resize(x, scales=[2.0], mode="linear")
    assert (linear[0], linear[-1]) == (ends.min, ends.max)


def test_the_score_of_a_key_that_takes_no_part_does_not_count() -> None:
    query, key = np.ones((1, 1, 1, 1), "float32"), np.array([[[[1], [np.nan]]]], "float32")
    value = np.array([[[[3], [5]]]], "float32")
    seen = np.array([True, False])
    assert reference.attention(query, key, value, seen).tolist() == [[[[3.0]]]]
    assert reference.attention(query, key, value, causal=True).tolist() == [[[[3.0]]]]
    added = np.array([0, -np.inf], "float32")
    assert np.isnan(reference.attention(query, key, value, added)).all()


@pytest.mark.parametrize("name", ["conv", "conv_transpose"])
def test_nan_times_0_is_nan(name: str) -> None:
    x, weight = np.array([[[1, np.nan, 1]]], "float32"), np.zeros((1, 1, 1), "float32")
    found = getattr(reference, name)(x, weight)
    assert np.isnan(found).tolist() == [[[False, True, False]]]


@pytest.mark.parametrize("largest", [True, False])
def test_nan_of_bfloat16_is_the_greatest(largest: bool) -> None:
    x = np.array([1, np.nan, np.inf, -2, np.nan, 3], "float32")
    wanted, places = reference.topk(x, 6, largest=largest)
    assert places.tolist() == ([1, 4, 2, 5, 0, 3] if largest else [3, 0, 5, 2, 1, 4])
    found, order = reference.topk(x.astype(numpy_dtype("bfloat16")), 6, largest=largest)
    assert order.tolist() == places.tolist()
    np.testing.assert_array_equal(found.astype("float32"), wanted)
