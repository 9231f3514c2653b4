"""Windows over symbolic images run on several threads where there is enough work."""

from __future__ import annotations

import numpy as np
import pytest

import uir
from uir import ir, relay, tir
from uir.transform import PassContext


def convolution(channels: int) -> ir.IRModule:
    h, w = tir.SizeVar("h"), tir.SizeVar("w")
    x = relay.Var("x", relay.Tensor((1, channels, h, w)))
    k = relay.Var("k", relay.Tensor((16, channels, 3, 3)))
    attrs = ir.DictAttrs({"global_symbol": "main"})
    y = relay.relu(relay.conv(x, k, pads=[1, 1, 1, 1]))
    main = relay.Function([x, k], relay.Block([], y), None, attrs)
    return ir.IRModule({ir.GlobalVar("main"): main})


@pytest.mark.parametrize("channels", [3, 16])
def test_threads_share_the_work_where_there_is_enough(channels: int) -> None:
    module = convolution(channels)
    lowered = str(uir.lower(module))
    assert "parallel=1" in lowered
    calls = [line.strip() for line in lowered.splitlines() if "parallel_for" in line]
    assert calls
    built = uir.build(module)
    # So much work is in no loop.
    with PassContext(config={"LowerParallel.min_work": 2**62}):
        serial = uir.build(module)
    random = np.random.default_rng(0)
    kernel = random.standard_normal((16, channels, 3, 3)).astype("float32")
    for height, width in ((1, 1), (2, 5), (7, 9), (120, 131)):
        image = random.standard_normal((1, channels, height, width)).astype("float32")
        found, expected = (np.from_dlpack(one.main(image, kernel)) for one in (built, serial))
        assert found.shape == (1, 16, height, width)
        np.testing.assert_array_equal(found, expected)


def test_small_images_are_computed_by_the_caller() -> None:
    lines = str(uir.lower(convolution(3))).splitlines()
    places = [place for place, line in enumerate(lines) if "parallel_for" in line]
    for place in places:
        before = "".join(lines[place - 3 : place])
        assert "if " in before and "else:" in before, before
