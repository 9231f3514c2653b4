/*!
 * \file value.h
 * \brief The tensors of a kernel: stored, or computed at their uses.
 */
#ifndef UIR_TRANSFORM_LOWER_OPS_VALUE_H_
#define UIR_TRANSFORM_LOWER_OPS_VALUE_H_

#include <uir/te/operation.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

using ir::PrimExpr;
/*! \brief An index or a dimension for each axis, outermost first. */
using Indices = ffi::Array<PrimExpr>;
/*! \brief Computes the element at some indices. */
using ElementFunction = std::function<PrimExpr(const Indices&)>;

/*! \brief A tensor of a kernel; copies refer to the same tensor. */
class Value {
 public:
  /*! \brief A tensor that a stage stores, or a parameter. */
  explicit Value(te::Tensor tensor);
  /*! \brief A tensor whose elements are computed at their uses. */
  Value(std::string name, Indices shape, DLDataType dtype, ElementFunction element);
  /*! \brief A tensor with the elements of another one, at other indices. */
  static Value View(const Value& source, Indices shape, ElementFunction element);
  /*! \brief A tensor whose elements are all the same constant. */
  static Value Constant(Indices shape, const PrimExpr& element);

  const Indices& shape() const { return state_->shape; }
  size_t rank() const { return state_->shape.size(); }
  DLDataType dtype() const { return state_->dtype; }
  const std::string& name() const { return state_->name; }

  /*! \brief Name the tensor, if no stage stores it yet. */
  void Rename(const std::string& name) const {
    if (!state_->tensor.has_value()) state_->name = name;
  }

  /*! \brief An element. */
  PrimExpr At(const Indices& indices) const;
  /*! \brief The tensor, which a separate stage stores from now on. */
  const te::Tensor& Stored() const;
  /*! \brief Store the tensor, unless reading it needs no computation. */
  void StoreIfComputed() const {
    if (!state_->is_cheap) Stored();
  }

 private:
  struct State {
    std::string name;
    Indices shape;
    DLDataType dtype;
    ElementFunction element;
    std::optional<te::Tensor> tensor;
    bool is_cheap = false;
  };

  std::shared_ptr<State> state_;
};

/*! \brief A stage that computes a tensor, element by element. */
te::Tensor ComputeTensor(const std::string& name, const Indices& shape,
                         const ElementFunction& element);

/*! \brief Whether the product of constant extents may exceed 32 bits. */
bool HasLargeProduct(const Indices& extents, const Indices& others = {});

/*! \brief The data type of all axes of a stage: that of the widest extent, or a wider one if the
 * number of all elements needs it, because recipes fuse and split loops. */
DLDataType IndexType(const Indices& extents, const Indices& reduced = {});

/*! \brief Axes from 0 to extents, named `i0`, `i1` and so on for the prefix `i`. */
ffi::Array<tir::IterVar> MakeAxes(const Indices& extents, tir::IterVarType type,
                                  const std::string& prefix, DLDataType dtype);

/*! \brief The variables of axes. */
Indices VarsOf(const ffi::Array<tir::IterVar>& axes);

/*!
 * \brief The index that an operand has for a result to whose shape it broadcasts: axes match from
 * the last one, and one of extent 1 has the index 0.
 */
Indices BroadcastIndices(const Indices& indices, const Indices& operand_shape);

/*! \brief Store an operand that broadcasts to a result's shape, because its elements are reused. */
void StoreIfBroadcast(const Value& value, const Indices& shape);

/*! \brief The data type of computations on a value: `float32` for floats of 16 bits. */
DLDataType WideType(DLDataType dtype);

/*! \brief An element in the data type of computations. */
PrimExpr WideElement(const Value& value, const Indices& indices);

/*! \brief A value in another data type, converted at its uses. */
Value Converted(const Value& value, DLDataType dtype);

/*! \brief The value of a constant dimension or index; `nullopt` if it is not constant. */
std::optional<int64_t> ConstantIndex(const PrimExpr& expr);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_LOWER_OPS_VALUE_H_
