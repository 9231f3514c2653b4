"""The classes of `atlas/options.h`."""

from tschema import Object, declare, field, method, ty


@declare
class ColorObj(Object):
    """
    A color, its parts from 0 to 1.

    Attributes
    ----------
    red
        Red.
    green
        Green.
    blue
        Blue.
    """

    type_key = "atlas.options.Color"
    structural = None
    default_constructible = True
    ref = "nullable"
    register = "hand"
    red: ty.float64 = field(cpp_init="0")
    green: ty.float64 = field(cpp_init="0")
    blue: ty.float64 = field(cpp_init="0")


@declare
class FontObj(Object):
    """
    A type face.

    Attributes
    ----------
    family
        Its family.
    size
        Height of a capital, in points.
    bold
        Whether it is bold.
    """

    type_key = "atlas.options.Font"
    structural = None
    default_constructible = True
    ref = "nullable"
    ref_init = "hand"
    register = "hand"
    family: ty.String = field(cpp_init='"sans"')
    size: ty.float64 = field(cpp_init="10")
    bold: ty.bool = field(cpp_init="false")


@declare
class MarginObj(Object):
    """What is left empty around something, in points."""

    type_key = "atlas.options.Margin"
    mutable = True
    structural = None
    default_constructible = True
    ref = "nullable"
    ref_init = "hand"
    register = "hand"
    left: ty.float64 = field(cpp_init="0")
    right: ty.float64 = field(cpp_init="0")
    top: ty.float64 = field(cpp_init="0")
    bottom: ty.float64 = field(cpp_init="0")

    @method(cpp="&MarginObj::Fill")
    def fill(self, width: ty.float64) -> None:
        """Set all four."""
        ...


@declare
class PageObj(Object):
    """
    A sheet of paper.

    Attributes
    ----------
    width
        Width, in points.
    height
        Height, in points.
    margin
        What is left empty.
    """

    type_key = "atlas.options.Page"
    structural = None
    default_constructible = True
    ref = "nullable"
    ref_init = None
    register = "hand"
    width: ty.float64 = field(cpp_init="595")
    height: ty.float64 = field(cpp_init="842")
    margin: MarginObj

    @method(cpp="&PageObj::InnerWidth")
    def inner_width(self) -> ty.float64: ...


@declare
class AxisObj(Object):
    """
    One of the axes of a chart.

    Attributes
    ----------
    title
        What it says.
    low
        Where it begins.
    high
        Where it ends.
    ticks
        Number of ticks.
    """

    type_key = "atlas.options.Axis"
    structural = None
    default_constructible = True
    ref = "nullable"
    ref_init = "hand"
    register = "hand"
    title: ty.String
    low: ty.float64 = field(cpp_init="0")
    high: ty.float64 = field(cpp_init="1")
    ticks: ty.int64_t = field(cpp_init="5")
    asked_: ty.int64_t = field(register=False, access="private", mutable=True, cpp_init="0")

    @method(cpp="&AxisObj::Place")
    def place(self, value: ty.float64) -> ty.float64:
        """Where a value is, from 0 to 1."""
        ...


@declare
class LegendObj(Object):
    """Names of what is drawn."""

    type_key = "atlas.options.Legend"
    mutable = True
    structural = None
    default_constructible = True
    ref = "nullable"
    ref_init = "hand"
    register = "hand"
    shown: ty.bool = field(cpp_init="true")
    font: FontObj
    entries_: ty.Array[ty.String] = field(register=False, access="private")

    @method(cpp="&LegendObj::Add")
    def add(self, entry: ty.String) -> None: ...

    @method(cpp="[](const LegendObj* legend) { return legend->entries(); }")
    def entries(self) -> ty.Array[ty.String]: ...


@declare
class GridObj(Object):
    """Lines behind a chart."""

    type_key = "atlas.options.Grid"
    structural = None
    default_constructible = True
    ref = "nullable"
    ref_init = "hand"
    register = "hand"
    horizontal: ty.bool = field(cpp_init="true")
    vertical: ty.bool = field(cpp_init="false")
    color: ColorObj


@declare
class PaletteObj(Object):
    """Colors that take turns."""

    type_key = "atlas.options.Palette"
    structural = None
    default_constructible = True
    ref = "nullable"
    register = "hand"
    colors: ty.Array[ColorObj]

    @method(cpp="&PaletteObj::At")
    def at(self, index: ty.int64_t) -> ColorObj:
        """The color of the line with a number, from 0."""
        ...


@declare
class SeriesObj(Object):
    """
    Numbers that are drawn as a line.

    Attributes
    ----------
    name
        What it is called.
    values
        Its numbers, one to each tick.
    """

    type_key = "atlas.options.Series"
    structural = None
    default_constructible = True
    ref = "nullable"
    register = "hand"
    name: ty.String
    values: ty.Array[ty.float64]


@declare
class ChartObj(Object):
    """A chart, with all that belongs to it."""

    type_key = "atlas.options.Chart"
    structural = None
    default_constructible = True
    ref = "nullable"
    register = "hand"
    page: PageObj
    axes: ty.Array[AxisObj]
    series: ty.Array[SeriesObj]
    palette: PaletteObj

    @method(cpp="&ChartObj::Check")
    def check(self) -> ty.int64_t:
        """Check that all belongs together, and return the number of lines."""
        ...
