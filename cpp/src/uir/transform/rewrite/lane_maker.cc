// Vectorization of expressions.
#include "./lane_maker.h"

#include <tschema/walk.h>
#include <uir/arith/data.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/tir/arith.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>
#include <uir/tir/op.h>
#include <uir/transform/effects.h>
#include <uir/transform/node_copy.h>

#include <optional>
#include <type_traits>
#include <utility>

namespace uir::transform {

namespace {

using ir::PrimExpr;

/*! \brief The ramp that is the result of an operation on a ramp and a scalar, if it is one. */
std::optional<PrimExpr> RampOf(const tir::BinaryOpNode* op, const PrimExpr& a, const PrimExpr& b) {
  const auto* left = a.as<tir::RampNode>();
  const auto* right = b.as<tir::RampNode>();
  const tir::RampNode* ramp = left != nullptr ? left : right;
  const PrimExpr& other = left != nullptr ? b : a;
  if (ramp == nullptr || !ir::IsScalar(other->dtype) || !ir::IsInteger(op->dtype)) {
    return std::nullopt;
  }
  if (op->IsInstance<tir::AddNode>()) {
    const PrimExpr base =
        left != nullptr ? tir::add(ramp->base, other) : tir::add(other, ramp->base);
    return tir::Ramp(base, ramp->stride, ramp->lanes, op->span);
  }
  if (op->IsInstance<tir::MulNode>()) {
    const PrimExpr base =
        left != nullptr ? tir::mul(ramp->base, other) : tir::mul(other, ramp->base);
    return tir::Ramp(base, tir::mul(ramp->stride, other), ramp->lanes, op->span);
  }
  if (op->IsInstance<tir::SubNode>() && left != nullptr) {
    return tir::Ramp(tir::sub(ramp->base, other), ramp->stride, ramp->lanes, op->span);
  }
  return std::nullopt;
}

/*! \brief A copy of an operation with other operands, and as many lanes. */
template <typename Ref>
PrimExpr WithOperands(const typename Ref::ContainerType* op, PrimExpr a, PrimExpr b) {
  const auto copy = As<Ref>(ffi::ObjectRef(tschema::ShallowCopy(op)));
  auto* written = Write(copy);
  written->dtype = ir::WithLanes(op->dtype, ir::LanesOf(a->dtype));
  written->a = std::move(a);
  written->b = std::move(b);
  return copy;
}

/*! \brief Whether a pure operator computes each lane independently. */
bool IsLanewise(const tir::CallNode* call) {
  const std::optional<ir::Op> op = call->op.as<ir::Op>();
  if (!op || tir::effect_kind(*op) > tir::CallEffectKind::kPure) return false;
  if ((*op)->name == "tir.address_of" || (*op)->name == "tir.if_then_else") return false;
  for (const PrimExpr& arg : call->args) {
    if (arg->IsInstance<ir::StringImmNode>()) continue;
    if (ir::IsHandle(arg->dtype) || !ir::IsScalar(arg->dtype)) return false;
  }
  return ir::IsScalar(call->dtype) && !ir::IsHandle(call->dtype);
}

}  // namespace

LaneMaker::LaneMaker(const tir::ForNode* loop, int lanes, const arith::Analyzer* facts)
    : loop_(loop),
      lanes_(lanes),
      facts_(facts),
      all_values_(tir::Ramp(
          loop->min,
          loop->step.has_value() ? loop->step.value() : tir::make_const(1, loop->loop_var->dtype),
          lanes)) {}

PrimExpr LaneMaker::ToLanes(PrimExpr expr) const {
  return ir::IsScalar(expr->dtype) ? tir::Broadcast(std::move(expr), lanes_) : expr;
}

/*! \brief Visit an expression that must be uniform. */
PrimExpr LaneMaker::Uniform(const PrimExpr& expr) {
  PrimExpr result = VisitPrimExpr(expr);
  if (result->dtype != expr->dtype) throw NoLanes();
  return result;
}

PrimExpr LaneMaker::VisitVar(const tir::VarNode* op) {
  if (op == loop_->loop_var.get()) return all_values_;
  const auto found = vectors_.find(op);
  return found == vectors_.end() ? ffi::GetRef<PrimExpr>(op) : PrimExpr(found->second);
}

/*! \brief Visit an operation with two operands; the result may be a ramp again. */
template <typename Ref>
PrimExpr LaneMaker::VisitOperands(const typename Ref::ContainerType* op) {
  PrimExpr a = VisitPrimExpr(op->a);
  PrimExpr b = VisitPrimExpr(op->b);
  if (a.same_as(op->a) && b.same_as(op->b)) return ffi::GetRef<PrimExpr>(op);
  if (!ir::IsScalar(op->dtype)) throw NoLanes();
  if constexpr (std::is_same_v<Ref, tir::BinaryOp>) {
    if (std::optional<PrimExpr> ramp = RampOf(op, a, b)) return *ramp;
  }
  return WithOperands<Ref>(op, ToLanes(std::move(a)), ToLanes(std::move(b)));
}

/*! \brief Restricts the statements and expressions visited in it to the lanes of a mask. */
class LaneMaker::MaskScope {
 public:
  MaskScope(LaneMaker* maker, PrimExpr mask)
      : maker_(maker), outer_(std::exchange(maker->mask_, std::move(mask))) {
    maker->ForgetResults();
  }
  MaskScope(const MaskScope&) = delete;
  MaskScope& operator=(const MaskScope&) = delete;
  ~MaskScope() {
    maker_->mask_ = std::move(outer_);
    maker_->ForgetResults();
  }

 private:
  LaneMaker* maker_;
  ffi::Optional<PrimExpr> outer_;
};

/*! \brief The present mask and a condition. */
PrimExpr LaneMaker::UnderMask(PrimExpr condition) const {
  if (!mask_.has_value()) return condition;
  return tir::And(mask_.value(), std::move(condition));
}

PrimExpr LaneMaker::VisitUnder(const PrimExpr& condition, const PrimExpr& expr) {
  // Nested choices whose branches share parts lead to many masks.
  constexpr int kMostRepeats = 1000;
  const bool has_operands = !expr->IsInstance<ir::IntImmNode>() &&
                            !expr->IsInstance<ir::FloatImmNode>() &&
                            !expr->IsInstance<tir::VarNode>();
  const bool is_again = has_operands && !masked_.insert(expr.get()).second;
  if (is_again && ++num_repeats_ > kMostRepeats) throw NoLanes();
  const MaskScope scope(this, UnderMask(condition));
  return VisitPrimExpr(expr);
}

tir::Stmt LaneMaker::VisitUnder(const PrimExpr& condition, const tir::Stmt& stmt) {
  const MaskScope scope(this, UnderMask(condition));
  return VisitStmt(stmt);
}

/*! \brief The mask of lanes in which a condition holds, or the condition if it is uniform. */
PrimExpr LaneMaker::MaskOf(const PrimExpr& condition) {
  try {
    return VisitPrimExpr(condition);
  } catch (const NoLanes&) {
    const auto* both = condition.as<tir::AndNode>();
    if (both == nullptr) throw;
    // The second operand is computed in the lanes in which the first one holds.
    PrimExpr first = ToLanes(MaskOf(both->a));
    const MaskScope scope(this, UnderMask(first));
    return tir::And(first, ToLanes(MaskOf(both->b)), both->span);
  }
}

PrimExpr LaneMaker::VisitBinaryOp(const tir::BinaryOpNode* op) {
  // In other lanes, the operation may have no value.
  if (mask_.has_value() && IsPartial(op)) throw NoLanes();
  return VisitOperands<tir::BinaryOp>(op);
}

PrimExpr LaneMaker::VisitCmpOp(const tir::CmpOpNode* op) { return VisitOperands<tir::CmpOp>(op); }

/*! \brief Whether a load is proved to read an element of its buffer in each iteration. */
bool LaneMaker::IsInBounds(const tir::BufferLoadNode* load) const {
  if (facts_ == nullptr || load->predicate.has_value()) return false;
  for (size_t i = 0; i < load->indices.size(); ++i) {
    const PrimExpr& index = load->indices[static_cast<int64_t>(i)];
    const PrimExpr& extent = load->buffer->shape[static_cast<int64_t>(i)];
    const bool is_inside = (*facts_)->CanProve(tir::less_equal(0, index)) &&
                           (*facts_)->CanProve(tir::less(index, extent));
    if (!is_inside) return false;
  }
  return true;
}

/*! \brief Whether an expression may be evaluated in lanes that do not use its value. */
bool LaneMaker::IsHarmless(const PrimExpr& expr) const {
  return tschema::Walk(expr, [this](const ir::PrimExprNode* node) {
    if (node->IsInstance<tir::BufferLoadNode>()) {
      const auto* load = static_cast<const tir::BufferLoadNode*>(node);
      return IsInBounds(load) ? tschema::kAdvance : tschema::kInterrupt;
    }
    const bool is_plain = node->IsInstance<ir::IntImmNode>() || node->IsInstance<tir::VarNode>() ||
                          node->IsInstance<tir::AddNode>() || node->IsInstance<tir::SubNode>() ||
                          node->IsInstance<tir::MulNode>() || node->IsInstance<tir::CmpOpNode>() ||
                          node->IsInstance<tir::LogicalOpNode>() ||
                          node->IsInstance<tir::NotNode>() || node->IsInstance<tir::MinNode>() ||
                          node->IsInstance<tir::MaxNode>() || node->IsInstance<tir::CastNode>() ||
                          node->IsInstance<ir::FloatImmNode>();
    return is_plain ? tschema::kAdvance : tschema::kInterrupt;
  });
}

PrimExpr LaneMaker::VisitLogicalOp(const tir::LogicalOpNode* op) {
  PrimExpr result = VisitOperands<tir::LogicalOp>(op);
  // Vector logic always computes both operands.
  if (result.get() != op && !IsHarmless(op->b)) throw NoLanes();
  return result;
}

PrimExpr LaneMaker::VisitNot(const tir::NotNode* op) {
  PrimExpr a = VisitPrimExpr(op->a);
  if (a.same_as(op->a)) return ffi::GetRef<PrimExpr>(op);
  return tir::Not(std::move(a), op->span);
}

/*! \brief Whether no lane of a ramp overflows, so that the cast to a wider type is a ramp too. */
bool LaneMaker::AreIndices(const tir::RampNode* ramp, DLDataType dtype) const {
  const DLDataType from = ramp->base->dtype;
  const bool is_wider = from.code == kDLInt && dtype.code == kDLInt && dtype.bits >= from.bits;
  return is_wider && from.bits >= 32 && facts_ != nullptr && !arith::IsData(*facts_, ramp->base) &&
         !arith::IsData(*facts_, ramp->stride);
}

PrimExpr LaneMaker::VisitCast(const tir::CastNode* op) {
  PrimExpr value = VisitPrimExpr(op->value);
  if (value.same_as(op->value)) return ffi::GetRef<PrimExpr>(op);
  const int lanes = ir::LanesOf(value->dtype);
  const auto* ramp = value.as<tir::RampNode>();
  if (ramp != nullptr && AreIndices(ramp, op->dtype)) {
    return tir::Ramp(tir::cast(ramp->base, op->dtype), tir::cast(ramp->stride, op->dtype), lanes,
                     op->span);
  }
  return tir::Cast(ir::WithLanes(op->dtype, lanes), std::move(value), op->span);
}

PrimExpr LaneMaker::VisitSelect(const tir::SelectNode* op) {
  PrimExpr condition = VisitPrimExpr(op->condition);
  PrimExpr a = VisitPrimExpr(op->true_value);
  PrimExpr b = VisitPrimExpr(op->false_value);
  if (condition.same_as(op->condition) && a.same_as(op->true_value) && b.same_as(op->false_value)) {
    return ffi::GetRef<PrimExpr>(op);
  }
  if (!ir::IsScalar(op->dtype)) throw NoLanes();
  return tir::Select(std::move(condition), ToLanes(std::move(a)), ToLanes(std::move(b)), op->span);
}

/*! \brief The vector that replaces a variable, the same one for all uses. */
tir::Var LaneMaker::VectorOf(const tir::Var& var, DLDataType dtype) {
  const auto found = vectors_.find(var.get());
  if (found != vectors_.end()) return found->second;
  return vectors_.emplace(var.get(), tir::Var(var->name, dtype, std::nullopt, var->span))
      .first->second;
}

PrimExpr LaneMaker::VisitLet(const tir::LetNode* op) {
  if (facts_ != nullptr) arith::BindDefinition(*facts_, op->var, op->value);
  PrimExpr value = VisitPrimExpr(op->value);
  const bool has_lanes = value->dtype != op->value->dtype;
  tir::Var var = has_lanes ? VectorOf(op->var, value->dtype) : op->var;
  PrimExpr body = VisitPrimExpr(op->body);
  if (value.same_as(op->value) && body.same_as(op->body)) return ffi::GetRef<PrimExpr>(op);
  return tir::Let(std::move(var), std::move(value), std::move(body), op->span);
}

PrimExpr LaneMaker::VisitRamp(const tir::RampNode* op) {
  Uniform(op->base);
  Uniform(op->stride);
  return ffi::GetRef<PrimExpr>(op);
}

PrimExpr LaneMaker::VisitBroadcast(const tir::BroadcastNode* op) {
  Uniform(op->value);
  return ffi::GetRef<PrimExpr>(op);
}

PrimExpr LaneMaker::VisitShuffle(const tir::ShuffleNode* op) {
  for (const PrimExpr& vector : op->vectors) Uniform(vector);
  for (const PrimExpr& index : op->indices) Uniform(index);
  return ffi::GetRef<PrimExpr>(op);
}

PrimExpr LaneMaker::VisitReduce(const tir::ReduceNode*) { throw NoLanes(); }

PrimExpr LaneMaker::VisitProducerLoad(const tir::ProducerLoadNode*) { throw NoLanes(); }

PrimExpr LaneMaker::VisitCall(const tir::CallNode* op) {
  static const ir::Op if_then_else = ir::get_op("tir.if_then_else");
  const bool is_choice = op->op.same_as(if_then_else);
  ffi::Array<PrimExpr> args;
  bool is_changed = false;
  for (const PrimExpr& arg : op->args) {
    const bool is_condition = is_choice && args.empty();
    args.push_back(is_condition ? MaskOf(arg) : VisitPrimExpr(arg));
    if (is_condition && args[0]->dtype != arg->dtype) return MakeSelect(op, args[0]);
    is_changed |= !args.back().same_as(arg);
  }
  const std::optional<ir::Op> called = op->op.as<ir::Op>();
  const bool has_effect = !called || tir::effect_kind(*called) > tir::CallEffectKind::kPure;
  if (has_effect || (mask_.has_value() && IsPartial(op))) throw NoLanes();
  if (!is_changed) return ffi::GetRef<PrimExpr>(op);
  if (!is_choice && !IsLanewise(op)) throw NoLanes();
  if (!ir::IsScalar(op->dtype)) throw NoLanes();
  for (size_t i = is_choice ? 1 : 0; i < args.size(); ++i) {
    if (args[static_cast<int64_t>(i)]->IsInstance<ir::StringImmNode>()) continue;
    args.Set(static_cast<int64_t>(i), ToLanes(args[i]));
  }
  return tir::Call(ir::WithLanes(op->dtype, lanes_), op->op, std::move(args), op->span);
}

/*! \brief A choice in each lane; each value is computed in the lanes that take it. */
PrimExpr LaneMaker::MakeSelect(const tir::CallNode* choice, PrimExpr condition) {
  if (!ir::IsScalar(choice->dtype)) throw NoLanes();
  PrimExpr a = VisitUnder(condition, choice->args[1]);
  PrimExpr b = VisitUnder(tir::Not(condition), choice->args[2]);
  return tir::Select(std::move(condition), ToLanes(std::move(a)), ToLanes(std::move(b)),
                     choice->span);
}

ffi::Array<PrimExpr> LaneMaker::VisitIndices(const ffi::Array<PrimExpr>& indices) {
  ffi::Array<PrimExpr> visited;
  for (size_t i = 0; i < indices.size(); ++i) {
    const bool is_last = i + 1 == indices.size();
    visited.push_back(is_last ? VisitPrimExpr(indices[i]) : Uniform(indices[i]));
  }
  return visited;
}

/*! \brief A load under the present mask, even if all lanes load the same element. */
PrimExpr LaneMaker::MakeMaskedLoad(const tir::BufferLoadNode* op) {
  if (op->predicate.has_value() || op->indices.empty() || !ir::IsScalar(op->dtype)) throw NoLanes();
  ffi::Array<PrimExpr> indices = VisitIndices(op->indices);
  indices.Set(static_cast<int64_t>(indices.size()) - 1, ToLanes(indices.back()));
  return tir::BufferLoad(op->buffer, std::move(indices), mask_, op->span);
}

PrimExpr LaneMaker::VisitBufferLoad(const tir::BufferLoadNode* op) {
  if (mask_.has_value()) return MakeMaskedLoad(op);
  ffi::Array<PrimExpr> indices = VisitIndices(op->indices);
  if (op->predicate.has_value()) Uniform(op->predicate.value());
  const bool has_lanes = !indices.empty() && indices.back()->dtype != op->indices.back()->dtype;
  if (!has_lanes) return ffi::GetRef<PrimExpr>(op);
  if (!ir::IsScalar(op->dtype)) throw NoLanes();
  return tir::BufferLoad(op->buffer, std::move(indices), op->predicate, op->span);
}

}  // namespace uir::transform
