// Matches reductions that are sums, products, minima and other known combiners.
#include "./row_reduction.h"

#include <tschema/structural_equal.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/tir/arith.h>
#include <uir/tir/bit_op.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>
#include <uir/tir/rounding.h>

#include <utility>

#include "./fused_product.h"

namespace uir::schedule {

using ir::PrimExpr;

namespace {

struct Combination {
  Combiner combiner;
  PrimExpr term;
};

/*! \brief An operation of the result so far, which comes first, and of a term. */
template <typename Node>
std::optional<Combination> MatchOperands(const PrimExpr& value, const tir::BufferStore& store,
                                         Combiner combiner) {
  const auto* operation = value.as<Node>();
  if (operation == nullptr || !IsElementOf(operation->a, store)) return std::nullopt;
  return Combination{combiner, operation->b};
}

std::optional<Combination> MatchOperation(const PrimExpr& value, const tir::BufferStore& store) {
  if (auto sum = MatchOperands<tir::AddNode>(value, store, Combiner::kSum)) return sum;
  if (auto product = MatchOperands<tir::MulNode>(value, store, Combiner::kProduct)) return product;
  if (auto least = MatchOperands<tir::MinNode>(value, store, Combiner::kMin)) return least;
  if (auto most = MatchOperands<tir::MaxNode>(value, store, Combiner::kMax)) return most;
  if (auto all = MatchOperands<tir::AndNode>(value, store, Combiner::kAll)) return all;
  return MatchOperands<tir::OrNode>(value, store, Combiner::kAny);
}

/*! \brief `isnan(x) ? x : max(x, term)` for the result `x` so far, in which a NaN stays. */
std::optional<Combination> MatchOrNan(const PrimExpr& value, const tir::BufferStore& store) {
  static const ir::Op isnan = ir::get_op("tir.isnan");
  const auto* choice = value.as<tir::SelectNode>();
  if (choice == nullptr || !IsElementOf(choice->true_value, store)) return std::nullopt;
  const auto* condition = choice->condition.as<tir::CallNode>();
  const bool asks = condition != nullptr && condition->op.same_as(isnan) &&
                    IsElementOf(condition->args[0], store);
  if (!asks) return std::nullopt;
  auto found = MatchOperation(choice->false_value, store);
  if (!found) return std::nullopt;
  if (found->combiner == Combiner::kMin) return Combination{Combiner::kMinOrNan, found->term};
  if (found->combiner == Combiner::kMax) return Combination{Combiner::kMaxOrNan, found->term};
  return std::nullopt;
}

/*! \brief The type in which terms are combined; none if vectors do not compute with it. */
std::optional<DLDataType> ComputedType(DLDataType dtype) {
  if (ir::IsBool(dtype)) return ir::UIntType(8);
  if (ir::IsInteger(dtype) && dtype.bits >= 8) return dtype;
  if (!ir::IsFloat(dtype) || dtype.bits < 16) return std::nullopt;
  return dtype.bits == 16 ? ir::FloatType(32) : dtype;
}

bool IsLogical(Combiner combiner) {
  return combiner == Combiner::kAll || combiner == Combiner::kAny;
}

bool IsConstant(const PrimExpr& expr) {
  return expr.as<ir::IntImmNode>() != nullptr || expr.as<ir::FloatImmNode>() != nullptr;
}

/*! \brief The initial value of a reduction in each lane; none if that is not known. */
std::optional<PrimExpr> IdentityOf(Combiner combiner, const PrimExpr& start, DLDataType dtype) {
  switch (combiner) {
    case Combiner::kSum:
    case Combiner::kAny:
      return tir::make_const(0, dtype);
    case Combiner::kProduct:
    case Combiner::kAll:
      return tir::make_const(1, dtype);
    default:
      // Minima and maxima are idempotent, so each lane may begin with the start.
      if (!IsConstant(start) && start.as<tir::CastNode>() == nullptr) return std::nullopt;
      return VarsOf(start).empty() ? std::optional<PrimExpr>(tir::cast(start, dtype))
                                   : std::nullopt;
  }
}

}  // namespace

PrimExpr RowReduction::Combine(const PrimExpr& first, const PrimExpr& second) const {
  switch (combiner) {
    case Combiner::kSum:
      return WithFusedProduct(tir::Add(first, second));
    case Combiner::kProduct:
      return tir::Mul(first, second);
    case Combiner::kMin:
      return tir::Min(first, second);
    case Combiner::kMax:
      return tir::Max(first, second);
    case Combiner::kMinOrNan:
      return tir::Select(tir::isnan(first), first, tir::Min(first, second));
    case Combiner::kMaxOrNan:
      return tir::Select(tir::isnan(first), first, tir::Max(first, second));
    case Combiner::kAll:
      return tir::bitwise_and(first, second);
    case Combiner::kAny:
      return tir::bitwise_or(first, second);
  }
  TVM_FFI_UNREACHABLE();
}

std::optional<RowReduction> MatchRowReduction(const LoopNest& nest) {
  if (!nest.init || nest.reduction.empty()) return std::nullopt;
  auto found = MatchOperation(nest.store->value, nest.store);
  if (!found) found = MatchOrNan(nest.store->value, nest.store);
  if (!found || Reads(found->term, nest.store->buffer)) return std::nullopt;
  const DLDataType dtype = nest.store->buffer->dtype;
  const std::optional<DLDataType> computed = ComputedType(dtype);
  if (!computed || ir::IsBool(dtype) != IsLogical(found->combiner)) return std::nullopt;
  const PrimExpr& start = (*nest.init)->value;
  const auto identity = IdentityOf(found->combiner, start, *computed);
  if (!identity) return std::nullopt;
  RowReduction reduction{found->combiner, tir::cast(found->term, *computed), *identity, start};
  const PrimExpr started = tir::cast(start, *computed);
  if (tschema::StructuralEqual(started, *identity)) reduction.start = std::nullopt;
  return reduction;
}

}  // namespace uir::schedule
