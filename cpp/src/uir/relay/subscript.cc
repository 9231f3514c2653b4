// Indexing as in NumPy: integers, slices, new axes.
// In: a tensor and its indices.  Out: calls of `strided_slice`, `squeeze` and `expand_dims`.
#include <uir/relay/shape.h>
#include <uir/relay/slice.h>

#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "./shape_rule.h"

namespace uir::relay {

namespace {

/*! \brief An index beyond the end of any axis, in the form of `strided_slice`. */
constexpr int64_t kFar = std::numeric_limits<int32_t>::max();

bool IsEllipsis(const ffi::Any& index) {
  const std::optional<ffi::String> text = index.as<ffi::String>();
  return text.has_value() && *text == "...";
}

/*! \brief Decomposes indices, axis by axis. */
class Subscript {
 public:
  Subscript(ir::RelayExpr x, const ffi::Array<ffi::Any>& indices)
      : x_(std::move(x)), shape_(TensorTypeOf(x_, "x")->shape), math_(CurrentTypeContext()) {
    for (const ffi::Any& index : indices) {
      num_indexed_ += index != nullptr && !IsEllipsis(index) ? 1 : 0;
    }
    if (num_indexed_ > shape_.size()) {
      TVM_FFI_THROW(ValueError) << "too many indices: the tensor has rank " << shape_.size();
    }
    for (const ffi::Any& index : indices) Add(index);
  }

  ir::RelayExpr Result() const {
    ir::RelayExpr result = x_;
    if (!axes_.empty()) {
      OptionalIntegers strides;
      if (has_strides_) strides = strides_;
      result = strided_slice(result, begin_, end_, axes_, strides);
    }
    if (!dropped_.empty()) result = squeeze(result, dropped_);
    if (!inserted_.empty()) result = expand_dims(result, inserted_);
    return result;
  }

 private:
  void Add(const ffi::Any& index) {
    if (index == nullptr) return inserted_.push_back(rank_++);
    if (IsEllipsis(index)) return SkipRest();
    if (const auto range = index.as<ffi::Array<ffi::Any>>()) {
      if (range->size() == 3) return AddRange(*range);
    }
    AddIndex(ToExtent(index));
  }

  void SkipRest() {
    if (has_ellipsis_) TVM_FFI_THROW(ValueError) << "an index must have at most one `...`";
    has_ellipsis_ = true;
    const auto skipped = static_cast<int64_t>(shape_.size() - num_indexed_);
    axis_ += skipped;
    rank_ += skipped;
  }

  static Extent ToExtent(const ffi::Any& index) {
    if (index.type_index() != kTVMFFIBool) {
      if (const auto extent = index.as<Extent>()) return *extent;
    }
    TVM_FFI_THROW(TypeError) << "an index must be an integer, an expression of dimensions or a "
                                "slice, got `"
                             << index.GetTypeKey()
                             << "`; `relay.take` and `relay.gather` take tensors";
  }

  void AddRange(const ffi::Array<ffi::Any>& range) {
    const Extent step = range[2] == nullptr ? Extent(int64_t{1}) : ToExtent(range[2]);
    const std::optional<int64_t> stride = step.as<int64_t>();
    if (!stride.has_value() || *stride == 0) {
      TVM_FFI_THROW(ValueError) << "the step of a slice must be an integer other than 0";
    }
    ++rank_;
    if (range[0] == nullptr && range[1] == nullptr && *stride == 1) {
      ++axis_;
      return;
    }
    const bool is_forward = *stride > 0;
    const Extent from =
        range[0] != nullptr ? ToExtent(range[0]) : Extent(int64_t{is_forward ? 0 : -1});
    const Extent end = is_forward ? End() : Extent(BeforeFirst());
    Take(from, range[1] != nullptr ? ToExtent(range[1]) : end, *stride);
  }

  void AddIndex(const Extent& index) {
    dropped_.push_back(axis_);
    const std::optional<int64_t> number = index.as<int64_t>();
    if (!number.has_value()) {
      const auto first = index.get<ir::PrimExpr>();
      return Take(first, math_.Add(first, Dimension(int64_t{1})), 1);
    }
    const std::optional<int64_t> extent = ConstantOf(shape_[axis_]);
    if (extent.has_value() && (*number < -*extent || *number >= *extent)) {
      TVM_FFI_THROW(ValueError) << "index " << *number << " is out of range for axis " << axis_
                                << " of extent " << *extent;
    }
    Take(index, *number == -1 ? End() : Extent(*number + 1), 1);
  }

  /*! \brief The end of the axis, for a slice. */
  Extent End() const {
    const std::optional<int64_t> extent = ConstantOf(shape_[axis_]);
    return extent.has_value() ? Extent(*extent) : Extent(shape_[axis_]);
  }

  /*! \brief The index before the first element, which ends a slice with a negative stride. */
  int64_t BeforeFirst() const {
    const std::optional<int64_t> extent = ConstantOf(shape_[axis_]);
    return extent.has_value() ? -*extent - 1 : -kFar;
  }

  void Take(Extent from, Extent end, int64_t stride) {
    begin_.push_back(std::move(from));
    end_.push_back(std::move(end));
    strides_.push_back(stride);
    axes_.push_back(axis_++);
    has_strides_ = has_strides_ || stride != 1;
  }

  ir::RelayExpr x_;
  Shape shape_;
  DimensionMath math_;
  size_t num_indexed_ = 0;
  bool has_ellipsis_ = false;
  /*! \brief The next axis of the tensor, and the number of axes of the result so far. */
  int64_t axis_ = 0;
  int64_t rank_ = 0;

  ffi::Array<Extent> begin_;
  ffi::Array<Extent> end_;
  ffi::Array<int64_t> axes_;
  ffi::Array<int64_t> strides_;
  bool has_strides_ = false;
  /*! \brief The axes with a single index, and the new ones in the result. */
  ffi::Array<int64_t> dropped_;
  ffi::Array<int64_t> inserted_;
};

}  // namespace

ir::RelayExpr subscript(ir::RelayExpr x, ffi::Array<ffi::Any> indices) {
  return Subscript(std::move(x), indices).Result();
}

}  // namespace uir::relay
