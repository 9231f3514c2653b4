/*!
 * \file atlas/options.h
 * \brief How a chart looks: nodes that are made empty, and filled in.
 */
#ifndef ATLAS_OPTIONS_H_
#define ATLAS_OPTIONS_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/string.h>

#include <cstdint>

namespace atlas {
namespace options {

using tvm::ffi::Array;
using tvm::ffi::Object;
using tvm::ffi::ObjectPtr;
using tvm::ffi::ObjectRef;
using tvm::ffi::String;

/// A color, its parts from 0 to 1.
class ColorObj : public Object {
 public:
  /// Red.
  double red = 0;
  /// Green.
  double green = 0;
  /// Blue.
  double blue = 0;

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("atlas.options.Color", ColorObj, Object);
};

class Color : public ObjectRef {
 public:
  Color(double red, double green, double blue);
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Color, ObjectRef, ColorObj);
};

/// A type face.
class FontObj : public Object {
 public:
  /// Its family.
  String family = "sans";
  /// Height of a capital, in points.
  double size = 10;
  /// Whether it is bold.
  bool bold = false;

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("atlas.options.Font", FontObj, Object);
};

class Font : public ObjectRef {
 public:
  explicit Font(String family);
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Font, ObjectRef, FontObj);
};

/// What is left empty around something, in points.
class MarginObj : public Object {
 public:
  double left = 0;
  double right = 0;
  double top = 0;
  double bottom = 0;

  /// Set all four.
  void Fill(double width) { left = right = top = bottom = width; }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("atlas.options.Margin", MarginObj, Object);
};

class Margin : public ObjectRef {
 public:
  explicit Margin(double width);
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Margin, ObjectRef, MarginObj);
};

/// A sheet of paper.
class PageObj : public Object {
 public:
  /// Width, in points.
  double width = 595;
  /// Height, in points.
  double height = 842;
  /// What is left empty.
  Margin margin;

  double InnerWidth() const { return width - margin->left - margin->right; }

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("atlas.options.Page", PageObj, Object);
};

class Page : public ObjectRef {
 public:
  static Page A4();
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Page, ObjectRef, PageObj);
};

/// One of the axes of a chart.
class AxisObj : public Object {
 public:
  /// What it says.
  String title;
  /// Where it begins.
  double low = 0;
  /// Where it ends.
  double high = 1;
  /// Number of ticks.
  int64_t ticks = 5;

  /// Where a value is, from 0 to 1.
  double Place(double value) const {
    ++asked_;
    return (value - low) / (high - low);
  }
  int64_t asked() const { return asked_; }

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("atlas.options.Axis", AxisObj, Object);

 private:
  mutable int64_t asked_ = 0;
};

class Axis : public ObjectRef {
 public:
  Axis(String title, double low, double high);
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Axis, ObjectRef, AxisObj);
};

/// Names of what is drawn.
class LegendObj : public Object {
 public:
  bool shown = true;
  Font font;

  const Array<String>& entries() const { return entries_; }
  void Add(String entry) { entries_.push_back(std::move(entry)); }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("atlas.options.Legend", LegendObj, Object);

 private:
  friend class Legend;
  Array<String> entries_;
};

class Legend : public ObjectRef {
 public:
  explicit Legend(Array<String> entries);
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Legend, ObjectRef, LegendObj);
};

/// Lines behind a chart.
class GridObj : public Object {
 public:
  bool horizontal = true;
  bool vertical = false;
  Color color;

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("atlas.options.Grid", GridObj, Object);
};

class Grid : public ObjectRef {
 public:
  explicit Grid(Color color);
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Grid, ObjectRef, GridObj);
};

/// Colors that take turns.
class PaletteObj : public Object {
 public:
  Array<Color> colors;

  /// The color of the line with a number, from 0.
  Color At(int64_t index) const {
    if (colors.empty() || index < 0) TVM_FFI_THROW(IndexError) << "no color " << index;
    return colors[index % static_cast<int64_t>(colors.size())];
  }

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("atlas.options.Palette", PaletteObj, Object);
};

class Palette : public ObjectRef {
 public:
  explicit Palette(Array<Color> colors);
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Palette, ObjectRef, PaletteObj);
};

/// Numbers that are drawn as a line.
class SeriesObj : public Object {
 public:
  /// What it is called.
  String name;
  /// Its numbers, one to each tick.
  Array<double> values;

  double Sum() const;

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("atlas.options.Series", SeriesObj, Object);
};

class Series : public ObjectRef {
 public:
  Series(String name, Array<double> values);
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Series, ObjectRef, SeriesObj);
};

/// A chart, with all that belongs to it.
class ChartObj : public Object {
 public:
  Page page;
  Array<Axis> axes;
  Array<Series> series;
  Palette palette;

  /// Check that all belongs together, and return the number of lines.
  int64_t Check() const;

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("atlas.options.Chart", ChartObj, Object);
};

class Chart : public ObjectRef {
 public:
  Chart(Page page, Array<Axis> axes, Array<Series> series, Palette palette);
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Chart, ObjectRef, ChartObj);
};

}  // namespace options
}  // namespace atlas

#endif  // ATLAS_OPTIONS_H_
