// Types of operators that change shapes, or move or repeat elements.
#include <tvm/ffi/dtype.h>
#include <uir/relay/shape.h>

#include <algorithm>
#include <utility>

#include "./shape_rule.h"

namespace uir::relay {

namespace {

/*! \brief Cancel equal dimensions of two products, so that symbolic ones need no division. */
void Cancel(std::vector<ir::PrimExpr>* a, std::vector<ir::PrimExpr>* b, TypeContext* context) {
  for (size_t i = a->size(); i-- > 0;) {
    const auto found = std::find_if(b->begin(), b->end(), [&](const ir::PrimExpr& dimension) {
      return ConstantOf(dimension) != 0 && context->AreEqual((*a)[i], dimension);
    });
    if (found == b->end()) continue;
    b->erase(found);
    a->erase(a->begin() + static_cast<std::ptrdiff_t>(i));
  }
}

[[noreturn]] void FailElements(const Shape& from, const ffi::Array<Extent>& to) {
  TVM_FFI_THROW(ValueError) << "operand `x` of shape " << ToText(from) << " cannot have the shape "
                            << ToText(ToShape(to)) << ", which has another number of elements";
  TVM_FFI_UNREACHABLE();
}

/*! \brief Whether a dimension is 1; assumed to be false if unknown. */
bool IsOneOrAssumedNot(const ir::PrimExpr& dimension, TypeContext* context) {
  if (const std::optional<int64_t> constant = ConstantOf(dimension)) return *constant == 1;
  return !context->Require(context->Compute(ir::ScalarOp::kNE, dimension, Dimension(1)));
}

/*! \brief Whether a dimension broadcasts to another one; assumed if unknown. */
bool BroadcastsOrAssumed(const ir::PrimExpr& dimension, const ir::PrimExpr& target,
                         TypeContext* context) {
  if (ConstantOf(dimension) == 1 || context->AreEqual(dimension, target)) return true;
  if (ConstantOf(dimension).has_value()) {
    return context->RequireEqual(dimension.get(), target.get());
  }
  const ir::PrimExpr is_same = context->Compute(ir::ScalarOp::kEQ, dimension, target);
  const ir::PrimExpr is_one = context->Compute(ir::ScalarOp::kEQ, dimension, Dimension(1));
  return context->Require(context->Compute(ir::ScalarOp::kOr, is_same, is_one));
}

/*! \brief The dimensions of a new shape without the one that is -1, whose index becomes `*hole`. */
Shape WithoutHole(const Shape& from, const ReshapeAttrsNode* attrs, std::optional<size_t>* hole) {
  Shape to;
  for (size_t i = 0; i < attrs->shape.size(); ++i) {
    const auto index = static_cast<int64_t>(i);
    const ir::PrimExpr dimension = Dimension(attrs->shape[index]);
    const std::optional<int64_t> constant = ConstantOf(dimension);
    if (constant == -1) {
      if (hole->has_value()) TVM_FFI_THROW(ValueError) << "`shape` must have at most one -1";
      *hole = i;
    } else if (constant == 0 && !attrs->allowzero) {
      if (i >= from.size()) {
        TVM_FFI_THROW(ValueError) << "element " << i << " of `shape` is 0, which copies a "
                                  << "dimension that operand `x` of shape " << ToText(from)
                                  << " lacks";
      }
      to.push_back(from[index]);
    } else if (constant.has_value() && *constant < 0) {
      TVM_FFI_THROW(ValueError) << "element " << i << " of `shape` must be at least -1, got "
                                << *constant;
    } else {
      to.push_back(dimension);
    }
  }
  return to;
}

}  // namespace

ir::Type InferReshape(const CallNode* call, TypeContext* context) {
  const ir::TensorType x = TensorTypeOf(call->args[0], "x");
  const auto* attrs = AttrsOf<ReshapeAttrsNode>(call);
  std::optional<size_t> hole;
  Shape to = WithoutHole(x->shape, attrs, &hole);
  CheckNotNegative("shape", to, context);
  std::vector<ir::PrimExpr> above(x->shape.begin(), x->shape.end());
  std::vector<ir::PrimExpr> below(to.begin(), to.end());
  Cancel(&above, &below, context);
  if (above.empty() && below.empty() && !hole.has_value()) return ir::TensorType(to, x->dtype);
  const DimensionMath math(context);
  const ir::PrimExpr total = math.Product({above.begin(), above.end()});
  const ir::PrimExpr known = math.Product({below.begin(), below.end()});
  if (!hole.has_value()) {
    if (!context->RequireEqual(total, known)) FailElements(x->shape, attrs->shape);
    return ir::TensorType(to, x->dtype);
  }
  if (!context->RequireAtMost(Dimension(1), known)) FailElements(x->shape, attrs->shape);
  const ir::PrimExpr quotient = math.FloorDiv(total, known);
  if (!context->RequireEqual(math.Mul(quotient, known), total)) {
    FailElements(x->shape, attrs->shape);
  }
  to.insert(to.begin() + static_cast<std::ptrdiff_t>(*hole), quotient);
  return ir::TensorType(to, x->dtype);
}

ir::Type InferTranspose(const CallNode* call, TypeContext*) {
  const ir::TensorType x = TensorTypeOf(call->args[0], "x");
  const auto* attrs = AttrsOf<TransposeAttrsNode>(call);
  std::vector<size_t> axes = NormalizeAxes(attrs->axes, x->shape);
  if (!attrs->axes.has_value()) std::reverse(axes.begin(), axes.end());
  CheckLength("axes", axes.size(), x->shape.size());
  Shape shape;
  for (const size_t axis : axes) shape.push_back(x->shape[static_cast<int64_t>(axis)]);
  return ir::TensorType(shape, x->dtype);
}

ir::Type InferSqueeze(const CallNode* call, TypeContext* context) {
  const ir::TensorType x = TensorTypeOf(call->args[0], "x");
  const auto* attrs = AttrsOf<SqueezeAttrsNode>(call);
  std::vector<bool> is_dropped(x->shape.size());
  for (const size_t axis : NormalizeAxes(attrs->axes, x->shape)) {
    if (attrs->axes.has_value()) CheckDimension("x", x->shape, axis, Dimension(1), context);
    is_dropped[axis] =
        attrs->axes.has_value() || IsOneOrAssumedNot(x->shape[static_cast<int64_t>(axis)], context);
  }
  Shape shape;
  for (size_t i = 0; i < is_dropped.size(); ++i) {
    if (!is_dropped[i]) shape.push_back(x->shape[static_cast<int64_t>(i)]);
  }
  return ir::TensorType(shape, x->dtype);
}

ir::Type InferExpandDims(const CallNode* call, TypeContext*) {
  const ir::TensorType x = TensorTypeOf(call->args[0], "x");
  const auto* attrs = AttrsOf<ExpandDimsAttrsNode>(call);
  // Axes are those of the result; only its rank matters here.
  const Shape result(x->shape.size() + attrs->axes.size(), Dimension(1));
  Shape shape = result;
  const std::vector<size_t> axes = NormalizeAxes(attrs->axes, result);
  size_t next = 0;
  for (size_t i = 0; i < result.size(); ++i) {
    if (std::find(axes.begin(), axes.end(), i) != axes.end()) continue;
    shape.Set(static_cast<int64_t>(i), x->shape[static_cast<int64_t>(next++)]);
  }
  return ir::TensorType(shape, x->dtype);
}

ir::Type InferBroadcastTo(const CallNode* call, TypeContext* context) {
  const ir::TensorType x = TensorTypeOf(call->args[0], "x");
  const Shape shape = ToShape(AttrsOf<BroadcastToAttrsNode>(call)->shape);
  CheckNotNegative("shape", shape, context);
  bool fits = x->shape.size() <= shape.size();
  const auto offset = static_cast<int64_t>(fits ? shape.size() - x->shape.size() : 0);
  for (int64_t i = 0; fits && i < static_cast<int64_t>(x->shape.size()); ++i) {
    fits = BroadcastsOrAssumed(x->shape[i], shape[offset + i], context);
  }
  if (!fits) FailBroadcast("x", x->shape, shape);
  return ir::TensorType(shape, x->dtype);
}

ir::Type InferTile(const CallNode* call, TypeContext* context) {
  const ir::TensorType x = TensorTypeOf(call->args[0], "x");
  const Shape repeats = ToShape(AttrsOf<TileAttrsNode>(call)->repeats);
  CheckLength("repeats", repeats.size(), x->shape.size());
  CheckNotNegative("repeats", repeats, context);
  const DimensionMath math(context);
  Shape shape;
  for (size_t i = 0; i < repeats.size(); ++i) {
    const auto index = static_cast<int64_t>(i);
    shape.push_back(math.Mul(repeats[index], x->shape[index]));
  }
  return ir::TensorType(shape, x->dtype);
}

ir::Type InferShapeOf(const CallNode* call, TypeContext*) {
  const ir::TensorType x = TensorTypeOf(call->args[0], "x");
  const auto* attrs = AttrsOf<ShapeOfAttrsNode>(call);
  const auto rank = static_cast<int64_t>(x->shape.size());
  const auto clamped = [rank](int64_t axis) {
    return std::clamp<int64_t>(axis < 0 ? axis + rank : axis, 0, rank);
  };
  const int64_t count = clamped(attrs->end.value_or(rank)) - clamped(attrs->start);
  return ir::TensorType({Dimension(std::max<int64_t>(count, 0))}, ffi::StringToDLDataType("int64"));
}

}  // namespace uir::relay
