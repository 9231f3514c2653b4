"""Calls of attention of the domain `com.microsoft`, and what they compute, in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from .microsoft_cases import call, floats
from .onnx_calls import Array

BATCH, ROWS, HEADS, WIDTH = 2, 3, 2, 4
PAST = 5
MASKED = -10000.0


def apart(x: Array, heads: int) -> Array:
    return x.reshape(*x.shape[:2], heads, -1).transpose(0, 2, 1, 3)


def joined(x: Array) -> Array:
    return x.transpose(0, 2, 1, 3).reshape(x.shape[0], x.shape[2], -1)


def attend(q: Array, k: Array, v: Array, bias: Any = 0.0, scale: float = 0.0) -> Array:
    """Attend with heads apart; a head of keys serves several of queries."""
    k, v = (one.repeat(q.shape[1] // k.shape[1], 1) for one in (k, v))
    scores = q @ k.transpose(0, 1, 3, 2) * (scale or q.shape[-1] ** -0.5) + bias
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return joined(powers / powers.sum(-1, keepdims=True) @ v)


def causal(rows: int, columns: int) -> Array:
    down, across = np.arange(rows)[:, None], np.arange(columns)
    return np.where(across - (columns - rows) <= down, 0, -np.inf)


def of_mask(mask: Array) -> Array:
    return np.where(mask > 0, 0, MASKED)


def right_attention(
    x: Array, w: Array, b: Array, past: Any = None, bias: Any = 0.0
) -> tuple[Array, Array]:
    q, k, v = (apart(one, HEADS) for one in np.split(x @ w + b, 3, -1))
    if past is not None:
        k, v = (np.concatenate([old, one], 2) for old, one in zip(past, (k, v), strict=True))
    return attend(q, k, v, bias), np.stack([k, v])


X = floats(BATCH, ROWS, 8)
PROJECTION = {"w": floats(8, 24), "b": floats(24)}
CACHE = floats(2, BATCH, HEADS, PAST, WIDTH)
MASK = np.array([[1, 1, 0], [1, 0, 1]], np.int32)
LONG_MASK = np.array([[0, 1, 1, 1, 1, 1, 1, 0], [1] * 8], np.int32)
ENDS = np.array([2, 3, 1, 0], np.int32)

PROJECTED = [
    call(
        "Attention x w b mask",
        {"x": X, "mask": MASK},
        PROJECTION,
        lambda x, mask, w, b: right_attention(x, w, b, None, of_mask(mask)[:, None, None]),
        outputs="y present",
        name="mask",
        num_heads=HEADS,
    ),
    call(
        "Attention x w b mask",
        {"x": X, "mask": np.stack([MASK, MASK[::-1], MASK[:, ::-1]], 1)},
        PROJECTION,
        lambda x, mask, w, b: right_attention(x, w, b, None, of_mask(mask)[:, None])[0],
        name="mask3",
        num_heads=HEADS,
    ),
    call(
        "Attention x w b mask",
        {"x": X, "mask": ENDS[:2]},
        PROJECTION,
        lambda x, mask, w, b: right_attention(
            x, w, b, None, of_mask(np.arange(3) < mask[:, None])[:, None, None]
        )[0],
        name="ends",
        num_heads=HEADS,
    ),
    call(
        "Attention x w b mask",
        {"x": X, "mask": ENDS},
        PROJECTION,
        lambda x, mask, w, b: right_attention(
            x,
            w,
            b,
            None,
            of_mask((np.arange(3) < mask[:2, None]) & (np.arange(3) >= mask[2:, None]))[
                :, None, None
            ],
        )[0],
        name="starts",
        num_heads=HEADS,
    ),
    call(
        "Attention x w b mask past",
        {"x": X, "mask": LONG_MASK, "past": CACHE},
        PROJECTION,
        lambda x, mask, past, w, b: right_attention(
            x, w, b, past, of_mask(mask)[:, None, None] + causal(ROWS, PAST + ROWS)
        ),
        outputs="y present",
        name="past",
        num_heads=HEADS,
        unidirectional=1,
    ),
    # The only key that the first query sees is padding: its score is as good as any.
    call(
        "Attention x w b mask _ bias",
        {"x": X, "mask": MASK[:, ::-1].copy(), "bias": floats(1, HEADS, ROWS, ROWS)},
        PROJECTION,
        lambda x, mask, bias, w, b: right_attention(
            x, w, b, None, of_mask(mask)[:, None, None] + bias + causal(ROWS, ROWS)
        )[0],
        name="order",
        num_heads=HEADS,
        unidirectional=1,
    ),
]


def right_heads(
    q: Array, k: Array, v: Array, b: Any = None, past: Any = None, bias: Any = 0.0
) -> tuple[Array, Array, Array]:
    widths = np.cumsum([q.shape[-1], k.shape[-1]])
    summands = [0, 0, 0] if b is None else np.split(b, widths)
    q, k, v = (apart(one + s, HEADS) for one, s in zip((q, k, v), summands, strict=True))
    if past is not None:
        k, v = (np.concatenate([old, one], 2) for old, one in zip(past, (k, v), strict=True))
    return attend(q, k, v, bias), k, v


QUERY = {"q": floats(BATCH, ROWS, 8)}
KEYS = {"k": floats(BATCH, 4, 8), "v": floats(BATCH, 4, 12)}
SAME = {"k": floats(BATCH, ROWS, 8), "v": floats(BATCH, ROWS, 8)}
KEY_MASK = np.array([[1, 1, 0, 1], [1, 1, 1, 0]], np.int32)

MULTIPLE = [
    call(
        "MultiHeadAttention q k v b mask",
        {**QUERY, **KEYS, "mask": KEY_MASK},
        {"b": floats(28)},
        lambda q, k, v, mask, b: right_heads(q, k, v, b, None, of_mask(mask)[:, None, None])[0],
        num_heads=HEADS,
    ),
    call(
        "MultiHeadAttention q k v _ _ bias pk pv",
        {
            **{**QUERY, **SAME, "bias": floats(BATCH, 1, ROWS, PAST + ROWS)},
            **{"pk": CACHE[0], "pv": CACHE[1]},
        },
        {},
        lambda q, k, v, bias, pk, pv: right_heads(
            q, k, v, None, (pk, pv), bias + causal(ROWS, PAST + ROWS)
        ),
        outputs="y keys values",
        name="past",
        num_heads=HEADS,
        unidirectional=1,
    ),
    call(
        "MultiHeadAttention q k v",
        {"q": QUERY["q"][:, :1].copy(), **KEYS},
        {},
        lambda q, k, v: right_heads(q, k, v)[0],
        name="one",
        num_heads=HEADS,
        unidirectional=1,
    ),
    # The first query belongs to the first key.
    call(
        "MultiHeadAttention q k v",
        {**QUERY, **{name: x[:, :2].copy() for name, x in KEYS.items()}},
        {},
        lambda q, k, v: right_heads(q, k, v, bias=causal(ROWS, ROWS)[:, :2])[0],
        name="fewer",
        num_heads=HEADS,
        unidirectional=1,
    ),
    call(
        "MultiHeadAttention q pk pv",
        {**QUERY, "pk": CACHE[0], "pv": CACHE[1]},
        {},
        lambda q, pk, pv: attend(apart(q, HEADS), pk, pv, scale=0.3),
        name="apart",
        num_heads=HEADS,
        scale=0.3,
    ),
]


def turned(x: Array, cos: Array, sin: Array, interleaved: bool) -> Array:
    """Rotate heads of (n, heads, rows, d) by angles of (n or 1, rows, r / 2)."""
    half = cos.shape[-1]
    y = x.copy()
    first, second = (slice(0, 2 * half, 2), slice(1, 2 * half, 2))
    if not interleaved:
        first, second = slice(0, half), slice(half, 2 * half)
    c, s = cos[:, None], sin[:, None]
    y[..., first] = x[..., first] * c - x[..., second] * s
    y[..., second] = x[..., first] * s + x[..., second] * c
    return y


ANGLES = np.outer(np.arange(12, dtype=np.float32), np.array([1, 0.3], np.float32))
CACHES = {"cos": np.cos(ANGLES), "sin": np.sin(ANGLES)}
PLACES = np.array([[4, 0, 1], [2, 2, 7]])

ROTARY = [
    call(
        "RotaryEmbedding x at cos sin",
        {"x": X, "at": PLACES},
        CACHES,
        lambda x, at, cos, sin: joined(turned(apart(x, 2), cos[at], sin[at], False)),
    ),
    call(
        "RotaryEmbedding x at cos sin",
        {"x": floats(BATCH, HEADS, ROWS, 6), "at": np.array([5])},
        CACHES,
        lambda x, at, cos, sin: turned(x, cos[None, 5:8], sin[None, 5:8], True),
        name="part",
        interleaved=1,
        num_heads=HEADS,
        rotary_embedding_dim=4,
    ),
]


def right_groups(
    q: Array,
    k: Array,
    v: Array,
    before: list[int],
    past: Any = None,
    window: int = 10**6,
    cache: Any = None,
    interleaved: bool = False,
) -> tuple[Array, Array, Array]:
    """Return the attention of each element of the batch over the cache that it has, and caches."""
    rows = q.shape[1]
    q, k, v = apart(q, 4).copy(), apart(k, 2).copy(), apart(v, 2)
    length = max(past[0].shape[2] if past else 0, max(before) + rows)
    keys, values = (np.zeros((len(q), 2, length, GROUP_WIDTH), np.float32) for _ in range(2))
    y = np.zeros((len(q), rows, 4 * GROUP_WIDTH), np.float32)
    for n, count in enumerate(before):
        one = slice(n, n + 1)
        places = np.arange(count, count + rows)
        if cache:
            cos, sin = (table[places][None] for table in cache)
            q[one], k[one] = (turned(x[one], cos, sin, interleaved) for x in (q, k))
        for target, old, new in ((keys, 0, k), (values, 1, v)):
            target[n, :, :count] = past[old][n, :, :count] if past else 0
            target[n, :, count : count + rows] = new[n]
        across = np.arange(length)
        seen = (across <= places[:, None]) & (across > places[:, None] - window)
        y[one] = attend(q[one], keys[one], values[one], np.where(seen, 0, -np.inf))
    return y, keys, values


def right_packed(qkv: Array, cache: Any) -> tuple[Array, Array, Array]:
    q, k, v = np.split(qkv, [64, 96], -1)
    return right_groups(q, k, v, [0, 0], cache=cache, interleaved=True)


GROUP_WIDTH = 16
WIDE = np.outer(np.arange(12, dtype=np.float32), np.logspace(0, -2, 8, dtype=np.float32))
TABLES = {"cos": np.cos(WIDE), "sin": np.sin(WIDE)}
GROUPS = {
    "q": floats(BATCH, ROWS, 64),
    "k": floats(BATCH, ROWS, 32),
    "v": floats(BATCH, ROWS, 32),
}
FIRST = {"ends": np.array([2, 2], np.int32), "total": np.array(3, np.int32)}
OLD = {"pk": floats(BATCH, 2, PAST, GROUP_WIDTH), "pv": floats(BATCH, 2, PAST, GROUP_WIDTH)}
HEAD_COUNTS: dict[str, Any] = {"num_heads": 4, "kv_num_heads": 2}

GROUPED = [
    call(
        "GroupQueryAttention q k v _ _ ends total",
        GROUPS,
        FIRST,
        lambda q, k, v, ends, total: right_groups(q, k, v, [0, 0]),
        outputs="y keys values",
        **HEAD_COUNTS,
    ),
    call(
        "GroupQueryAttention qkv _ _ _ _ ends total cos sin",
        {"qkv": floats(BATCH, ROWS, 128)},
        {**FIRST, **TABLES},
        lambda qkv, ends, total, cos, sin: right_packed(qkv, (cos, sin)),
        outputs="y keys values",
        name="packed",
        do_rotary=1,
        rotary_interleaved=1,
        **HEAD_COUNTS,
    ),
    *(
        call(
            "GroupQueryAttention q k v pk pv ends total cos sin",
            {
                **{name: x[:1] for name, x in (GROUPS | OLD).items()},
                "ends": np.array([7], np.int32),
            },
            {"total": np.array(8, np.int32), **TABLES},
            lambda q, k, v, pk, pv, ends, total, cos, sin, window=window: right_groups(
                q, k, v, [5], (pk, pv), window, (cos, sin)
            ),
            outputs="y keys values",
            name=f"past{window}",
            do_rotary=1,
            local_window_size=window if window < 100 else -1,
            **HEAD_COUNTS,
        )
        for window in (3, 100)
    ),
    # A row for each of two caches, which are longer than the rows that they hold.
    call(
        "GroupQueryAttention q k v pk pv ends total cos sin",
        {
            **{name: x[:, :1].copy() for name, x in GROUPS.items()},
            **{name: floats(BATCH, 2, 8, GROUP_WIDTH) for name in OLD},
            "ends": np.array([4, 6], np.int32),
        },
        {"total": np.array(7, np.int32), **TABLES},
        lambda q, k, v, pk, pv, ends, total, cos, sin: right_groups(
            q, k, v, [4, 6], (pk, pv), cache=(cos, sin)
        ),
        outputs="y keys values",
        name="rest",
        do_rotary=1,
        **HEAD_COUNTS,
    ),
]

ATTENTION = [*PROJECTED, *MULTIPLE, *ROTARY, *GROUPED]
