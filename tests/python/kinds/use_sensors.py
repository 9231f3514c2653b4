"""Reads objects of classes whose layout no schema knows, in each language."""

import sys

import tvm_ffi
from kinds_nodes import ir

make = tvm_ffi.get_global_func("vendor.MakeSensor")
READ = f"probe {2**40} 7 {2**62} 12 0.1 0.25 1 1 0 4 2 b x 0 2.5 def"


def raised(function, *args):
    """Return the error of a call."""
    try:
        function(*args)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


sensor, wide, secret = make("plain", 7), make("wide", 7), make("secret", 7)
assert type(sensor) is ir.Sensor
assert isinstance(wide, ir.WideSensor)
assert (sensor.count, sensor.small, sensor.big, sensor.limit) == (2**40, 7, 2**62, 12)
assert sensor.mode is ir.Mode.BUSY
assert (sensor.label, sensor.expr, sensor.def_) == (None, None, "def")
assert [one.name for one in sensor.groups["all"]] == ["x", "x"]
assert (str(sensor.dtype), str(sensor.device)) == ("float16x4", "cuda:2")
assert wide.inner.name == "probe"

assert ir._ffi_api.describe_sensor(sensor) == READ
assert ir._ffi_api.describe_sensor(wide) == f"{READ} / probe"
assert ir._ffi_api.describe_sensor(secret) == f"{READ} / probe"

panel = ir.Panel(sensor, [wide, secret], secret)
assert panel.main.same_as(sensor)
assert [one.name for one in panel.others] == ["probe", "probe"]
assert "`vendor.Sensor`" in raised(ir.Panel, 1, [], None)
assert "not `vendor.Sensor`" in raised(ir.Panel, sensor, [], sensor)

# A value that does not fit is an error, never another value.
large = make("plain", 300)
assert raised(ir._ffi_api.read_small, large).startswith("ValueError"), raised(
    ir._ffi_api.read_small, large
)
assert "`vendor.WideSensor` registers no field `missing`" in raised(ir._ffi_api.read_missing, wide)

if len(sys.argv) > 1:
    rust = tvm_ffi.load_module(sys.argv[1])
    rust["init"]()
    assert rust["read_sensor"](sensor) == READ
    assert rust["read_sensor"](secret) == f"{READ} / probe"
    assert raised(rust["read_small"], large).startswith("ValueError"), raised(
        rust["read_small"], large
    )
    missing = raised(rust["read_missing"], wide)
    assert "`vendor.WideSensor` registers no field `missing`" in missing, missing
