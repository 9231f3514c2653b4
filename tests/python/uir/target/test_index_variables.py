"""Indices of kernels with vectors in registers have 64 bits, as addresses have."""

from __future__ import annotations

import numpy as np

import uir
from uir import script
from uir.target import Target, emit_c

FUNCTION = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def main(A: tir.Buffer((4096,), "float32"), B: tir.Buffer((4096,), "float32"),
             C: tir.Buffer((64,), "int32"), D: tir.Buffer((16,), "float32")):
        tir.func_attr({"tir.noalias": True})
        sums = tir.alloc_buffer((2,), "float32x4"SCOPE)
        for i in range(64):
            place: tir.int32 = i * 64
            for j in range(8):
                sums[0] = A[tir.Ramp(place + j * 8, 1, 4)]
                sums[1] = A[tir.Ramp(place + j * 8 + 4, 1, 4)]
                B[tir.Ramp(place + j * 8, 1, 4)] = sums[0] + sums[1]
                B[tir.Ramp(place + j * 8 + 4, 1, 4)] = sums[0] - sums[1]
        for far in range(4):
            sums[0] = A[tir.Ramp(far, 64, 4)]
            D[tir.Ramp(far * 4, 1, 4)] = sums[0]
        for n in range(64):
            wrapped: tir.int32 = C[n] * 100000000
            C[n] = wrapped // 3
"""


def text(scope: str) -> str:
    module = script.parse(FUNCTION.replace("SCOPE", scope))
    return emit_c(module, Target("c", "generic"))


def test_indices_of_kernels_have_64_bits() -> None:
    code = text(', scope="local"')
    assert "for (int64_t i = 0; i < 64; ++i)" in code
    assert "const int64_t place = i * 64;" in code
    assert "for (int64_t j = 0; j < 8; ++j)" in code


def test_data_keeps_its_bits() -> None:
    code = text(', scope="local"')
    assert "const int32_t wrapped = C[n] * 100000000;" in code


def test_indices_of_lanes_keep_their_bits() -> None:
    assert "for (int32_t far = 0; far < 4; ++far)" in text(', scope="local"')


def test_other_functions_have_the_bits_of_the_program() -> None:
    code = text("")
    assert "for (int32_t i = 0; i < 64; ++i)" in code
    assert "const int32_t place = i * 64;" in code


def test_sums_wrap_around_where_they_are_data() -> None:
    module = script.parse(FUNCTION.replace("SCOPE", ', scope="local"'))
    a = np.arange(4096, dtype=np.float32)
    b, c = np.zeros(4096, np.float32), np.arange(64, dtype=np.int32)
    d = np.zeros(16, np.float32)
    uir.build(module, Target("c", "generic"))["main"](a, b, c, d)
    np.testing.assert_array_equal(d, a.reshape(64, 64)[:4, :4].T.reshape(-1))
    pairs = a.reshape(-1, 2, 4)
    np.testing.assert_array_equal(b.reshape(-1, 2, 4)[:, 0], pairs[:, 0] + pairs[:, 1])
    np.testing.assert_array_equal(b.reshape(-1, 2, 4)[:, 1], pairs[:, 0] - pairs[:, 1])
    n = np.arange(64, dtype=np.int64)
    wrapped = (n * 100000000).astype(np.int32)
    np.testing.assert_array_equal(c, wrapped // 3)
