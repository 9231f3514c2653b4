/*!
 * \file shape_rule.h
 * \brief Operands, axes and arithmetic on dimensions, for the hand-written rules of types.
 */
#ifndef UIR_SRC_RELAY_SHAPE_RULE_H_
#define UIR_SRC_RELAY_SHAPE_RULE_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/optional.h>
#include <uir/ir/check_choice.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/expr.h>
#include <uir/relay/infer.h>
#include <uir/relay/type_context.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "./relation.h"

namespace uir::relay {

/*! \brief A dimension as users write it: a number or an expression. */
using Extent = ffi::Variant<int64_t, ir::PrimExpr>;

using ir::CheckChoice;

/*! \brief Integers of an attribute that may be absent. */
using OptionalIntegers = ffi::Optional<ffi::Array<int64_t>>;

/*! \brief The attributes of a call. \throws TypeError if it has none, or those of another. */
template <typename AttrsNode>
const AttrsNode* AttrsOf(const CallNode* call) {
  const auto* attrs =
      call->attrs.has_value() ? call->attrs.value().template as<AttrsNode>() : nullptr;
  if (attrs == nullptr) {
    TVM_FFI_THROW(TypeError) << "a call must have attributes of type `" << AttrsNode::_type_key
                             << "`";
  }
  return attrs;
}

/*! \brief An extent as a dimension of a type. */
ir::PrimExpr Dimension(const Extent& extent);

/*! \brief The dimensions of an attribute. */
Shape ToShape(const ffi::Array<Extent>& extents);

/*! \brief The value of a constant dimension; `nullopt` if it is not constant. */
std::optional<int64_t> ConstantOf(const ir::PrimExpr& dimension);

/*! \brief An axis counted from the front. \throws ValueError if it is out of range. */
size_t NormalizeAxis(int64_t axis, const Shape& shape, const char* attribute = "axis");

/*!
 * \brief Axes counted from the front, in the given order; all axes by default.
 * \throws ValueError if one is out of range or a duplicate.
 */
std::vector<size_t> NormalizeAxes(const OptionalIntegers& axes, const Shape& shape,
                                  const char* attribute = "axes");

/*! \throws ValueError if an attribute does not have `expected` elements. */
void CheckLength(const char* attribute, size_t length, size_t expected);

/*! \throws ValueError if an element of an attribute is less than the minimum. */
void CheckAtLeast(const char* attribute, const ffi::Array<int64_t>& elements, int64_t least);

/*! \brief Check dimensions of an attribute; symbolic ones are assumed not to be negative.
 * \throws ValueError if one is known to be negative. */
void CheckNotNegative(const char* attribute, const Shape& shape, TypeContext* context);

/*! \throws TypeError if a shape has another rank. */
void CheckRank(const char* operand, const Shape& shape, size_t expected);

/*! \throws TypeError if a dimension of an operand is known to differ from the expected one. */
void CheckDimension(const char* operand, const Shape& shape, size_t axis,
                    const ir::PrimExpr& expected, TypeContext* context);

/*! \throws TypeError if a shape does not broadcast to another one. */
void CheckBroadcast(const char* operand, const Shape& shape, const Shape& target,
                    TypeContext* context);

/*! \throws TypeError always: a shape does not broadcast to another one. */
[[noreturn]] void FailBroadcast(const char* operand, const Shape& shape, const Shape& target);

/*! \brief Arithmetic on dimensions; constants are folded. */
class DimensionMath {
 public:
  explicit DimensionMath(TypeContext* context) : context_(context) {}

  ir::PrimExpr Add(const ir::PrimExpr& a, const ir::PrimExpr& b) const;
  ir::PrimExpr Sub(const ir::PrimExpr& a, const ir::PrimExpr& b) const;
  ir::PrimExpr Mul(const ir::PrimExpr& a, const ir::PrimExpr& b) const;
  ir::PrimExpr Min(const ir::PrimExpr& a, const ir::PrimExpr& b) const;
  ir::PrimExpr Max(const ir::PrimExpr& a, const ir::PrimExpr& b) const;
  ir::PrimExpr FloorDiv(const ir::PrimExpr& a, const ir::PrimExpr& b) const;
  /*! \brief `a / b` rounded up. */
  ir::PrimExpr CeilDiv(const ir::PrimExpr& a, const ir::PrimExpr& b) const;
  ir::PrimExpr Product(const Shape& shape) const;

  /*! \brief Whether a result of `count` elements is empty, or its source is not; assumed if
   * unknown. */
  bool IsEmptyOrHasElements(const ir::PrimExpr& count, const ir::PrimExpr& source) const;

  /*! \brief Computes dimensions, and proves or assumes conditions. */
  TypeContext* context() const { return context_; }

 private:
  ir::PrimExpr Compute(ir::ScalarOp op, const ir::PrimExpr& a, const ir::PrimExpr& b) const;

  TypeContext* context_;
};

}  // namespace uir::relay

#endif  // UIR_SRC_RELAY_SHAPE_RULE_H_
