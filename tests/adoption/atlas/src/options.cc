/*!
 * \file options.cc
 * \brief Registration and construction of the options.
 */
#include <atlas/options.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>

#include <utility>

namespace atlas {
namespace options {

namespace refl = tvm::ffi::reflection;
using tvm::ffi::make_object;

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<ColorObj>()
      .def_ro("red", &ColorObj::red, "Red.")
      .def_ro("green", &ColorObj::green, "Green.")
      .def_ro("blue", &ColorObj::blue, "Blue.");
  refl::ObjectDef<FontObj>()
      .def_ro("family", &FontObj::family)
      .def_ro("size", &FontObj::size)
      .def_ro("bold", &FontObj::bold);
  refl::ObjectDef<MarginObj>()
      .def_rw("left", &MarginObj::left)
      .def_rw("right", &MarginObj::right)
      .def_rw("top", &MarginObj::top)
      .def_rw("bottom", &MarginObj::bottom)
      .def("fill", &MarginObj::Fill);
  refl::ObjectDef<PageObj>()
      .def_ro("width", &PageObj::width)
      .def_ro("height", &PageObj::height)
      .def_ro("margin", &PageObj::margin)
      .def("inner_width", &PageObj::InnerWidth);
}

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<AxisObj>()
      .def_ro("title", &AxisObj::title)
      .def_ro("low", &AxisObj::low)
      .def_ro("high", &AxisObj::high)
      .def_ro("ticks", &AxisObj::ticks)
      .def("place", &AxisObj::Place);
  refl::ObjectDef<LegendObj>()
      .def_rw("shown", &LegendObj::shown)
      .def_rw("font", &LegendObj::font)
      .def("add", &LegendObj::Add)
      .def("entries", [](const LegendObj* legend) { return legend->entries(); });
  refl::ObjectDef<GridObj>()
      .def_ro("horizontal", &GridObj::horizontal)
      .def_ro("vertical", &GridObj::vertical)
      .def_ro("color", &GridObj::color);
  refl::ObjectDef<PaletteObj>().def_ro("colors", &PaletteObj::colors).def("at", &PaletteObj::At);
}

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<SeriesObj>()
      .def_ro("name", &SeriesObj::name)
      .def_ro("values", &SeriesObj::values);
  refl::ObjectDef<ChartObj>()
      .def_ro("page", &ChartObj::page)
      .def_ro("axes", &ChartObj::axes)
      .def_ro("series", &ChartObj::series)
      .def_ro("palette", &ChartObj::palette)
      .def("check", &ChartObj::Check);
  refl::GlobalDef()
      .def("atlas.options.color",
           [](double red, double green, double blue) { return Color(red, green, blue); })
      .def("atlas.options.margin", [](double width) { return Margin(width); })
      .def("atlas.options.a4", &Page::A4)
      .def("atlas.options.axis",
           [](String title, double low, double high) { return Axis(title, low, high); })
      .def("atlas.options.legend", [](Array<String> entries) { return Legend(entries); })
      .def("atlas.options.grid", [](Color color) { return Grid(color); })
      .def("atlas.options.palette", [](Array<Color> colors) { return Palette(colors); })
      .def("atlas.options.series",
           [](String name, Array<double> values) { return Series(name, values); })
      .def("atlas.options.chart",
           [](Page page, Array<Axis> axes, Array<Series> series, Palette palette) {
             return Chart(page, axes, series, palette);
           });
}

Color::Color(double red, double green, double blue) {
  ObjectPtr<ColorObj> node = make_object<ColorObj>();
  node->red = red;
  node->green = green;
  node->blue = blue;
  data_ = std::move(node);
}

Font::Font(String family) {
  ObjectPtr<FontObj> node = make_object<FontObj>();
  node->family = std::move(family);
  data_ = std::move(node);
}

Margin::Margin(double width) {
  ObjectPtr<MarginObj> node = make_object<MarginObj>();
  node->Fill(width);
  data_ = std::move(node);
}

Page Page::A4() {
  ObjectPtr<PageObj> node = make_object<PageObj>();
  node->margin = Margin(36);
  return Page(std::move(node));
}

Axis::Axis(String title, double low, double high) {
  if (!(low < high)) TVM_FFI_THROW(ValueError) << "axis `" << title << "` ends before it begins";
  ObjectPtr<AxisObj> node = make_object<AxisObj>();
  node->title = std::move(title);
  node->low = low;
  node->high = high;
  data_ = std::move(node);
}

Legend::Legend(Array<String> entries) {
  ObjectPtr<LegendObj> node = make_object<LegendObj>();
  node->font = Font("serif");
  node->entries_ = std::move(entries);
  data_ = std::move(node);
}

Grid::Grid(Color color) {
  ObjectPtr<GridObj> node = make_object<GridObj>();
  node->color = std::move(color);
  data_ = std::move(node);
}

Palette::Palette(Array<Color> colors) {
  ObjectPtr<PaletteObj> node = make_object<PaletteObj>();
  node->colors = std::move(colors);
  data_ = std::move(node);
}

double SeriesObj::Sum() const {
  double sum = 0;
  for (double value : values) sum += value;
  return sum;
}

Series::Series(String name, Array<double> values) {
  ObjectPtr<SeriesObj> node = make_object<SeriesObj>();
  node->name = std::move(name);
  node->values = std::move(values);
  data_ = std::move(node);
}

int64_t ChartObj::Check() const {
  if (axes.size() != 2) TVM_FFI_THROW(ValueError) << "a chart has two axes, not " << axes.size();
  for (const Series& one : series) {
    if (static_cast<int64_t>(one->values.size()) != axes[0]->ticks) {
      TVM_FFI_THROW(ValueError) << "series `" << one->name << "` has " << one->values.size()
                                << " values for " << axes[0]->ticks << " ticks";
    }
  }
  return static_cast<int64_t>(series.size());
}

Chart::Chart(Page page, Array<Axis> axes, Array<Series> series, Palette palette) {
  ObjectPtr<ChartObj> node = make_object<ChartObj>();
  node->page = std::move(page);
  node->axes = std::move(axes);
  node->series = std::move(series);
  node->palette = std::move(palette);
  data_ = std::move(node);
}

}  // namespace options
}  // namespace atlas
