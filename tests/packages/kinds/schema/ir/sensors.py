"""Classes of another library whose layout is not known, and a class that uses them."""

from schema.ir.vendor import ExprNode
from tschema import Object, declare, field, function, ty


@declare
class Mode(ty.IntEnum):
    """How a sensor works."""

    IDLE = 0
    BUSY = 3


@declare
class SensorNode(Object):
    """A sensor, as the registry has it.

    Attributes
    ----------
    name
        What it is called.
    count
        How often it was read.
    small
        A small number, which may be too large.
    big
        A number without a sign.
    limit
        The most readings.
    ratio
        A ratio.
    gain
        A gain, in single precision.
    is_on
        Whether it is on.
    mode
        How it works.
    label
        A label.
    dtype
        The type of its readings.
    device
        Where it is.
    tags
        Its tags.
    groups
        Expressions by name.
    expr
        An expression, which may be null.
    value
        Anything.
    def_
        Its definition.
    """

    type_key = "vendor.Sensor"
    extern = True
    name: ty.String
    count: ty.int64_t
    small: ty.int8_t
    big: ty.uint64_t
    limit: ty.Optional[ty.int32_t]
    ratio: ty.float64
    gain: ty.float32
    is_on: ty.bool
    mode: Mode
    label: ty.Optional[ty.String]
    dtype: ty.DataType
    device: ty.Optional[ty.Device]
    tags: ty.Array[ty.String]
    groups: ty.Map[ty.String, ty.Array[ExprNode]]
    expr: ExprNode
    value: ty.Any
    def_: ty.String = field(key="def")


@declare
class WideSensorNode(SensorNode):
    """A sensor that has another one.

    Attributes
    ----------
    inner
        The other one.
    missing
        A field that the library does not register.
    """

    type_key = "vendor.WideSensor"
    extern = True
    inner: ty.Optional[SensorNode]
    missing: ty.Optional[ty.int64_t]


@declare
class PanelNode(Object):
    """A class with fields of these types.

    Attributes
    ----------
    main
        A sensor.
    others
        Further ones.
    wide
        A wide one.
    """

    type_key = "kinds.ir.Panel"
    main: SensorNode
    others: ty.Array[SensorNode]
    wide: ty.Optional[WideSensorNode]


@function
def describe_sensor(sensor: SensorNode) -> ty.String:
    """
    Return all that C++ reads of a sensor.

    Parameters
    ----------
    sensor
        The sensor.
    """
    ...


@function
def read_small(sensor: SensorNode) -> ty.int64_t:
    """
    Return the small number of a sensor.

    Parameters
    ----------
    sensor
        The sensor.
    """
    ...


@function
def read_missing(sensor: WideSensorNode) -> ty.int64_t:
    """
    Return a field that the library does not register.

    Parameters
    ----------
    sensor
        The sensor.
    """
    ...
