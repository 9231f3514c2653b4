// The extents of windows that slide over spatial axes.
#include "./window.h"

#include <uir/ir/script_text.h>

namespace uir::relay {

namespace {

/*! \brief The elements of an attribute; a single one is repeated, absent ones are `least`. */
std::vector<int64_t> Elements(const char* attribute, const OptionalIntegers& given, size_t count,
                              int64_t least) {
  if (!given.has_value()) return std::vector<int64_t>(count, least);
  CheckAtLeast(attribute, given.value(), least);
  if (given.value().size() == 1) return std::vector<int64_t>(count, given.value()[0]);
  CheckLength(attribute, given.value().size(), count);
  return {given.value().begin(), given.value().end()};
}

/*! \brief Require that a window fits along an axis: `needed` is at most `found`. */
void RequireRoom(const ir::PrimExpr& needed, const ir::PrimExpr& found, const ir::PrimExpr& span,
                 const ir::PrimExpr& padded, size_t axis, const DimensionMath& math) {
  if (math.context()->RequireAtMost(needed, found)) return;
  TVM_FFI_THROW(ValueError) << "the window spans " << ir::ScriptText(span) << " of "
                            << ir::ScriptText(padded) << " padded elements along axis " << axis + 2;
}

}  // namespace

ir::PrimExpr Window::Span(size_t axis, const DimensionMath& math) const {
  const ir::PrimExpr gaps = math.Sub(kernel[static_cast<int64_t>(axis)], Dimension(1));
  return math.Add(math.Mul(Dimension(dilations[axis]), gaps), Dimension(1));
}

Window MakeWindow(const Shape& kernel, const OptionalIntegers& strides,
                  const OptionalIntegers& pads, const OptionalIntegers& dilations,
                  const ffi::String& auto_pad) {
  const size_t rank = kernel.size();
  CheckChoice("auto_pad", auto_pad, {"notset", "same_upper", "same_lower", "valid"});
  if (pads.has_value() && auto_pad != "notset") {
    TVM_FFI_THROW(ValueError) << "`pads` must be left out where `auto_pad` is `" << auto_pad << "`";
  }
  Window window;
  window.is_same = auto_pad == "same_upper" || auto_pad == "same_lower";
  window.kernel = kernel;
  window.strides = Elements("strides", strides, rank, 1);
  window.dilations = Elements("dilations", dilations, rank, 1);
  const std::vector<int64_t> padding = Elements("pads", pads, 2 * rank, 0);
  const auto middle = padding.begin() + static_cast<std::ptrdiff_t>(rank);
  window.before.assign(padding.begin(), middle);
  window.after.assign(middle, padding.end());
  return window;
}

ir::PrimExpr Places(const Window& window, const ir::PrimExpr& dimension, size_t axis,
                    bool ceil_mode, const DimensionMath& math) {
  const ir::PrimExpr stride = Dimension(window.strides[axis]);
  if (window.is_same) return math.CeilDiv(dimension, stride);
  const ir::PrimExpr padding = Dimension(window.before[axis] + window.after[axis]);
  const ir::PrimExpr padded = math.Add(dimension, padding);
  const ir::PrimExpr span = window.Span(axis, math);
  // With `ceil_mode`, a place may lack up to a stride minus one elements.
  const int64_t missing = ceil_mode ? window.strides[axis] - 1 : 0;
  RequireRoom(span, math.Add(padded, Dimension(missing)), span, padded, axis, math);
  const ir::PrimExpr room = math.Sub(padded, span);
  if (!ceil_mode) return math.Add(math.FloorDiv(room, stride), Dimension(1));
  const ir::PrimExpr count = math.Add(math.CeilDiv(room, stride), Dimension(1));
  // The last window must start at an element or in the padding before them, so there must be one.
  const ir::PrimExpr begin = math.Add(dimension, Dimension(window.before[axis]));
  RequireRoom(Dimension(1), begin, span, padded, axis, math);
  const ir::PrimExpr starts = math.CeilDiv(begin, stride);
  return math.Min(count, starts);
}

size_t SpatialRank(const char* operand, const Shape& shape) {
  if (shape.size() >= 3) return shape.size() - 2;
  TVM_FFI_THROW(TypeError) << "operand `" << operand << "` has rank " << shape.size()
                           << ", expected at least 3 for `(n, c, *spatial)` (its shape is "
                           << ToText(shape) << ")";
  TVM_FFI_UNREACHABLE();
}

}  // namespace uir::relay
