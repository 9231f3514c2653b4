"""What ONNX's tests do not show of the references: data types, borders, wrong arguments."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from uir.relay import reference as relay

F16, F32, F64 = np.float16, np.float32, np.float64


def of(*elements: float, dtype: type = F32) -> np.ndarray:
    return np.array(elements, dtype)


def refuses(function, *arguments, error: type[Exception], message: str, **attributes) -> None:
    with pytest.raises(error) as raised:
        function(*arguments, **attributes)
    assert str(raised.value) == message


def test_every_reference_is_documented() -> None:
    assert [name for name in relay.__all__ if not inspect.getdoc(getattr(relay, name))] == []


@pytest.mark.parametrize("name", ["add", "divide", "power", "maximum", "equal", "less", "matmul"])
def test_data_types_are_not_promoted(name: str) -> None:
    first, second = list(inspect.signature(getattr(relay, name)).parameters)[:2]
    refuses(
        getattr(relay, name),
        np.ones((2, 2), F32),
        np.ones((2, 2), F64),
        error=TypeError,
        message=f"`{second}` has data type float64, expected float32, that of `{first}`",
    )


def test_a_data_type_outside_the_class() -> None:
    message = "`x` has data type int32, expected float"
    refuses(relay.exp, of(1, dtype=np.int32), error=TypeError, message=message)
    message = "`x` has data type float32, expected int"
    refuses(relay.bitwise_not, of(1), error=TypeError, message=message)
    message = "`x` has data type float32, expected bool"
    refuses(relay.logical_not, of(1), error=TypeError, message=message)


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "cumsum", "cumprod"])
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "float16", "float64"])
def test_reductions_keep_the_data_type(name: str, dtype: str) -> None:
    x = np.full((2, 3), 100, dtype)
    axis = 1 if name.startswith("cum") else [1]
    assert getattr(relay, name)(x, axis=axis).dtype == x.dtype


def test_integers_wrap_around() -> None:
    assert relay.add(of(127, dtype=np.int8), of(1, dtype=np.int8)) == -128
    assert relay.sum(of(200, 100, dtype=np.uint8)) == 44
    assert relay.negative(of(1, dtype=np.uint16)) == 65535
    assert relay.abs(of(-128, dtype=np.int8)) == -128
    assert relay.power(of(3, dtype=np.uint8), of(6, dtype=np.uint8)) == 729 % 256
    data, weight = np.full((1, 1, 3), 100, np.int8), np.ones((1, 1, 3), np.int8)
    assert relay.conv(data, weight) == 300 - 256
    assert relay.conv_transpose(data, weight).tolist() == [[[100, -56, 44, -56, 100]]]


def test_powers_of_integers() -> None:
    x, y = of(-2, 0, 5, dtype=np.int32), of(3, 0, 0, dtype=np.int32)
    assert relay.power(x, y).tolist() == [-8, 1, 1]
    assert relay.power(of(2), of(-1)) == 0.5


def test_means_of_integers_are_truncated() -> None:
    assert relay.mean(of(-1, -2, -4, dtype=np.int32)) == -2
    assert relay.mean(of(1, 2, 5, dtype=np.uint64), keepdims=True).tolist() == [2]
    assert relay.mean(np.full(300, 100, np.int8)) == 100


def test_float16_is_summed_in_float32() -> None:
    ones = np.ones(4096, F16)
    assert relay.sum(ones) == 4096
    assert relay.matmul(ones[None, :], ones[:, None]) == 4096
    assert relay.mean(np.full(3000, 60000, F16)) == 60000


@pytest.mark.parametrize(
    ("x", "y", "quotient", "remainder", "modulo"),
    [
        (7, 2, 3, 1, 1),
        (-7, 2, -3, -1, 1),
        (7, -2, -3, 1, -1),
        (-7, -2, 3, -1, -1),
        (6, -3, -2, 0, 0),
    ],
)
def test_integer_division(x: int, y: int, quotient: int, remainder: int, modulo: int) -> None:
    operands = of(x, dtype=np.int32), of(y, dtype=np.int32)
    assert relay.divide(*operands) == quotient
    assert relay.mod(*operands, truncated=True) == remainder
    assert relay.mod(*operands) == modulo


def test_floats_rounded_down() -> None:
    x, y = of(1.0, 6.0, -1.0, 1.0, dtype=F64), of(0.1, 0.1, np.inf, 0.0, dtype=F64)
    assert relay.floor_divide(x, y).tolist() == [9, 59, -1, np.inf]


def test_integers_to_negative_powers() -> None:
    x = of(1, 2, -1, 3, 0, dtype=np.int32)
    assert relay.power(x, np.full_like(x, -1)).tolist() == [1, 0, -1, 0, 0]
    assert relay.power(x, np.full_like(x, -2)).tolist() == [1, 0, 1, 0, 0]


def test_halves_round_to_even() -> None:
    assert relay.round(of(-1.5, -0.5, 0.5, 1.5, 2.5)).tolist() == [-2, 0, 0, 2, 2]


def test_reductions_of_no_elements_are_identities() -> None:
    none = np.zeros((0, 2), F32)
    assert relay.sum(none, [0]).tolist() == [0, 0]
    assert relay.prod(none, [0]).tolist() == [1, 1]
    assert relay.max(none, [0]).tolist() == [-np.inf] * 2
    assert relay.min(none.astype(np.int8), [0]).tolist() == [127] * 2
    assert np.isnan(relay.mean(none, [0])).all()
    message = "axis 0 has no elements"
    refuses(relay.argmax, none, 0, error=ValueError, message=message)


def test_extremes_and_orders_with_nan_and_equal_elements() -> None:
    x = of(1, np.nan, 3)
    assert np.isnan(relay.max(x))
    assert np.isnan(relay.maximum(x, of(2))[1])
    values, indices = relay.topk(of(1, 3, 3, 2), k=3)
    assert (values.tolist(), indices.tolist()) == ([3, 3, 2], [1, 2, 3])
    assert relay.topk(of(2, 1, 1), k=2, largest=False)[1].tolist() == [1, 2]
    assert relay.topk(x, k=2)[1].tolist() == [1, 2]
    assert relay.argmax(of(1, 3, 3), 0, select_last=True) == 2
    assert relay.argmax(np.arange(6.0).reshape(2, 3), keepdims=True).tolist() == [[5]]


def test_axes() -> None:
    x = np.zeros((2, 3, 1), F32)
    assert relay.sum(x, [-1, 0]).shape == (3,)
    assert relay.sum(x, []).shape == (2, 3, 1)
    assert relay.sum(x, keepdims=True).shape == (1, 1, 1)
    assert relay.squeeze(x).shape == (2, 3)
    assert relay.expand_dims(x, axes=[0, -1]).shape == (1, 2, 3, 1, 1)
    assert relay.transpose(x).shape == (1, 3, 2)
    message = "axis 3 is out of range for rank 3"
    refuses(relay.softmax, x, 3, error=ValueError, message=message)
    message = "axes [0, -3] name an axis twice"
    refuses(relay.sum, x, [0, -3], error=ValueError, message=message)
    message = "axis 1 has dimension 3, expected 1"
    refuses(relay.squeeze, x, [1], error=ValueError, message=message)
    refuses(relay.transpose, x, [0], error=ValueError, message="`axes` has 1 axes, expected 3")


def test_reshape() -> None:
    x = np.arange(6.0)
    assert relay.reshape(x.reshape(2, 3), shape=[0, -1, 1]).shape == (2, 3, 1)
    assert relay.reshape(np.zeros((0, 3)), shape=[3, 0], allowzero=True).shape == (3, 0)
    message = "`shape` [-1, -1] has more than one -1"
    refuses(relay.reshape, x, shape=[-1, -1], error=ValueError, message=message)
    message = "`shape` [2, 0] copies a dimension that rank 1 lacks"
    refuses(relay.reshape, x, shape=[2, 0], error=ValueError, message=message)


def test_split() -> None:
    x = np.arange(7.0)
    assert [len(part) for part in relay.split(x, sections=3)] == [3, 3, 1]
    assert [len(part) for part in relay.split(x, [2, 0, 5])] == [2, 0, 5]
    message = "`sizes` [2, 2] add up to 4, expected 7"
    refuses(relay.split, x, [2, 2], error=ValueError, message=message)
    message = "exactly one of `sizes` and `sections` is expected"
    refuses(relay.split, x, error=ValueError, message=message)


def test_slices_are_clamped() -> None:
    x = np.arange(5.0)
    assert relay.strided_slice(x, begin=[1], end=[100]).tolist() == [1, 2, 3, 4]
    assert relay.strided_slice(x, begin=[10], end=[-100], strides=[-2]).tolist() == [4, 2, 0]
    assert relay.strided_slice(np.ones((2, 3)), begin=[1], end=[2], axes=[-1]).shape == (2, 1)
    wrong = {"begin": [0], "end": [1], "strides": [0]}
    refuses(relay.strided_slice, x, error=ValueError, message="a stride is 0", **wrong)


def test_padding() -> None:
    x = np.arange(3, dtype=np.int64)
    padded = {
        "constant": [0, 0, 0, 1, 2, 0],
        "edge": [0, 0, 0, 1, 2, 2],
        "reflect": [2, 1, 0, 1, 2, 1],
        "symmetric": [1, 0, 0, 1, 2, 2],
        "wrap": [1, 2, 0, 1, 2, 0],
    }
    for mode, expected in padded.items():
        assert relay.pad(x, before=[2], after=[1], mode=mode).tolist() == expected
    assert relay.pad(x, [-1], [1], value=np.array(2**62)).tolist() == [1, 2, 2**62]
    message = (
        "`mode` is `mirror`, expected one of `constant`, `edge`, `reflect`, `symmetric`, `wrap`"
    )
    arguments = {"before": [0], "after": [0], "mode": "mirror"}
    refuses(relay.pad, x, error=ValueError, message=message, **arguments)


def test_indices() -> None:
    x = np.arange(4.0)
    places = np.array([-5, -1, 4])
    assert relay.take(x, places, mode="clip").tolist() == [0, 3, 3]
    assert relay.take(x, places, mode="wrap").tolist() == [3, 3, 0]
    assert relay.take(x.reshape(2, 2), np.array(-1), axis=None) == 3
    message = "index -5 is out of range for dimension 4"
    refuses(relay.take, x, places, error=IndexError, message=message)
    message = "index 4 is out of range for dimension 4"
    rows = np.array([[4]])
    refuses(relay.scatter_nd, x, rows, of(1, dtype=F64), error=IndexError, message=message)
    message = "`updates` has shape (2,), expected (1,)"
    refuses(relay.scatter_nd, x, rows, of(1, 2, dtype=F64), error=ValueError, message=message)


def test_windows() -> None:
    x = np.arange(5.0, dtype=F32).reshape(1, 1, 5)
    assert relay.max_pool(x, kernel=[2], strides=[2], ceil_mode=True).tolist() == [[[1, 3, 4]]]
    assert relay.avg_pool(x, kernel=[2], strides=[2], ceil_mode=True).tolist() == [[[0.5, 2.5, 4]]]
    padded = {"kernel": [3], "strides": [3], "pads": [1, 1]}
    assert relay.avg_pool(x, **padded).tolist() == [[[0.5, 3]]]
    expected = relay.divide(of(1, 9), of(3))
    assert relay.avg_pool(x, count_include_pad=True, **padded).tolist() == [[expected.tolist()]]
    message = "the window spans 7 of 5 elements along axis 2"
    refuses(relay.max_pool, x, kernel=[3], dilations=[3], error=ValueError, message=message)
    message = "`pads` has 3 elements, expected 2"
    refuses(relay.max_pool, x, kernel=[3], pads=[3] * 3, error=ValueError, message=message)


def test_sums_of_products() -> None:
    x = np.arange(6, dtype=np.int8).reshape(2, 3)
    assert relay.einsum([x], "ij->ji").tolist() == x.T.tolist()
    assert relay.einsum([x, x], "ij,ij").tolist() == 55
    assert relay.einsum([x[:, :2]], "ii->i").tolist() == [0, 4]
    assert relay.einsum([100 * x[0], x[0]], "i,j->ij")[2, 2] == -112


def test_bounds_that_are_left_out() -> None:
    x = of(-3, 0, 3)
    assert relay.clip(x, upper=of(1)).tolist() == [-3, 0, 1]
    assert relay.clip(x, of(-1)).tolist() == [-1, 0, 3]
    assert relay.clip(x).tolist() == x.tolist()


def test_places_of_maxima() -> None:
    x = np.array([[[[1, 5, 5], [7, 0, 2]]]], np.int8)
    y, places = relay.max_pool_with_indices(x, kernel=[2])
    assert (y.tolist(), places.tolist()) == ([[[[7, 5]]]], [[[[3, 1]]]])
    assert relay.take(x, places, axis=None).tolist() == y.tolist()
    columns = relay.max_pool_with_indices(x, kernel=2 * [2], column_major=True)[1]
    assert columns.tolist() == [[[[1, 2]]]]
    # Padding is never the greatest, even beside the least value of the data type.
    least = np.full((1, 2, 1), -128, np.int8)
    y, places = relay.max_pool_with_indices(least, kernel=[2], pads=[2, 0])
    assert (y[0, :, 0].tolist(), places.tolist()) == ([-128] * 2, [[[-1, 0], [-1, 1]]])
    nans = relay.max_pool_with_indices(of(1, np.nan, 3)[None, None], kernel=[3])
    assert np.isnan(nans[0]) and nans[1].tolist() == [[[1]]]


def test_statistics_of_normalizations() -> None:
    x = np.array([[[1, 3]], [[5, 7]]], F64)
    one = of(1, dtype=F64)
    y, mean, variance = relay.batch_norm_training(
        x, one, 0 * one, 10 * one, 20 * one, epsilon=0, momentum=0.75
    )
    assert (mean.tolist(), variance.tolist()) == ([8.5], [16.25])
    assert np.allclose(y, (x - 4) / np.sqrt(5))
    y, mean, factor = relay.layer_norm_with_statistics(x, axis=1, epsilon=0)
    assert (mean.tolist(), factor.tolist()) == ([[[2]], [[6]]], [[[1]], [[1]]])
    assert np.allclose(y, [[[-1, 1]], [[-1, 1]]])


@pytest.mark.parametrize("groups", [1, 2])
def test_transposed_convolution_is_the_gradient(groups: int) -> None:
    """<conv(x, w), y> equals <x, conv_transpose(y, w)>, for any strides and paddings."""
    random = np.random.default_rng(0)
    x, w = random.normal(size=(2, 4, 9, 8)), random.normal(size=(6, 4 // groups, 3, 2))
    options = {"strides": [2, 3], "pads": [1, 0, 2, 1], "dilations": [2, 1], "groups": groups}
    y = relay.conv(x, w, **options)
    z = random.normal(size=y.shape)
    back = relay.conv_transpose(z, w, output_padding=[1, 1], **options)
    assert np.isclose((y * z).sum(), (x[:, :, : back.shape[2], : back.shape[3]] * back).sum())


def test_attention_groups_heads_and_masks_rows() -> None:
    query, key, value = (np.ones((1, heads, 3, 2), F32) for heads in (4, 2, 2))
    value[:] = np.arange(3, dtype=F32)[:, None]
    assert np.allclose(relay.attention(query, key, value)[0, 3, :, 0], 1)
    causal = relay.attention(query, key, value, causal=True)
    assert np.allclose(causal[0, 0, :, 0], [0, 0.5, 1])
    hidden = relay.attention(query, key, value, np.zeros((3, 3), np.bool_))
    assert (hidden == 0).all()


def test_activations() -> None:
    x = of(-1000, -1, 0, 1, 1000)
    assert relay.sigmoid(x)[[0, 2, 4]].tolist() == [0, 0.5, 1]
    assert relay.relu(x.astype(np.int32)).tolist() == [0, 0, 0, 1, 1000]
    assert relay.silu(x)[4] == 1000
    assert np.allclose(relay.gelu(x), relay.gelu(x, approximate=True), atol=1e-3)
    assert relay.leaky_relu(x.astype(F16)).dtype == F16


def test_resizing_rounds_integers() -> None:
    x = np.array([0, 255], np.uint8)
    assert relay.resize(x, sizes=[3], mode="linear").tolist() == [0, 128, 255]
    overshooting = relay.resize(x, sizes=[4], mode="cubic")
    assert overshooting.tolist()[0] == 0
    message = "axis 0 has no elements to make 3 of"
    refuses(relay.resize, x[:0], sizes=[3], error=ValueError, message=message)
    message = "`sizes` or `scales` is expected"
    refuses(relay.resize, x, error=ValueError, message=message)


def test_casts() -> None:
    assert relay.cast(of(-1.9, 1.9), dtype="int32").tolist() == [-1, 1]
    assert relay.cast(of(0, 0.5), dtype="bool").tolist() == [False, True]
    assert relay.cast(np.array([True]), dtype="float16").dtype == F16
    assert relay.arange(3, 0, -2, dtype="float32").tolist() == [3, 1]
    assert relay.arange(3, 0, dtype="int8").dtype == np.int8
    assert relay.full(of(2)[0], shape=[2, 0]).shape == (2, 0)


def test_einsum_multiplies_infinities_before_it_sums() -> None:
    x = np.array([[-1.0], [3.0]])
    y = np.array([[2.0, np.inf]])
    np.testing.assert_equal(relay.einsum([x, y], "i..., ... -> ..."), [[4.0, np.nan]])
    np.testing.assert_equal(relay.einsum([x, y], "ij, jk"), [[-2.0, -np.inf], [6.0, np.inf]])
    # One that needs no tensor of all products: it would have 2^36 elements.
    wide = np.full((4096, 4096), np.inf, "float32")
    assert relay.einsum([wide[:1], wide], "ij, jk -> ik").shape == (1, 4096)


def test_reshape_infers_an_axis_beside_a_copied_one_of_no_elements() -> None:
    assert relay.reshape(np.ones((0, 4, 3)), [0, -1, 2]).shape == (0, 6, 2)
    with pytest.raises(ValueError, match="cannot reshape"):
        relay.reshape(np.ones((0, 3)), [0, -1, 2])
