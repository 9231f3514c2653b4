// The channels of loop nests, and convolutions among them.
#include "./channel_nests.h"

#include <tvm/ffi/cast.h>
#include <uir/tir/arith.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>

#include <algorithm>
#include <utility>

namespace uir::schedule {

using ir::PrimExpr;

std::optional<ShiftedVar> ShiftedVarOf(const PrimExpr& index) {
  if (const auto* var = index.as<tir::VarNode>()) return ShiftedVar{var, 0};
  const auto* sum = index.as<tir::AddNode>();
  if (sum == nullptr) return std::nullopt;
  const bool is_first = sum->a.as<tir::VarNode>() != nullptr;
  const auto* var = (is_first ? sum->a : sum->b).as<tir::VarNode>();
  const std::optional<int64_t> offset = tir::IntConstOf(is_first ? sum->b : sum->a);
  return var != nullptr && offset ? std::optional(ShiftedVar{var, *offset}) : std::nullopt;
}

bool AreNeighboursAlong(const tir::Buffer& buffer, size_t dimension) {
  for (size_t i = dimension + 1; i < buffer->shape.size(); ++i) {
    if (tir::IntConstOf(buffer->shape[static_cast<int64_t>(i)]) != 1) return false;
  }
  return true;
}

namespace {

/*! \brief Whether each iteration stores to a different element. */
bool StoresToOwnElements(const LoopNest& nest) {
  VarSet seen;
  for (const PrimExpr& index : nest.store->indices) {
    if (tir::IntConstOf(index)) continue;
    const auto shifted = ShiftedVarOf(index);
    if (!shifted || !seen.insert(shifted->var).second) return false;
  }
  return std::all_of(nest.spatial.begin(), nest.spatial.end(),
                     [&](const tir::For& loop) { return seen.count(loop->loop_var.get()) != 0; });
}

}  // namespace

std::optional<LoopNest> MatchChannelNest(const tir::For& outermost) {
  if (auto nest = MatchLoopNest(outermost)) return nest;
  LoopNest nest{{}, {}, std::nullopt, tir::BufferStore(ffi::UnsafeInit{})};
  tir::Stmt stmt = outermost;
  while (const auto* loop = stmt.as<tir::ForNode>()) {
    if (loop->kind != tir::ForKind::kSerial || tir::IntConstOf(loop->min) != 0) {
      return std::nullopt;
    }
    nest.spatial.push_back(ffi::GetRef<tir::For>(loop));
    stmt = loop->body;
  }
  const auto store = stmt.as<tir::BufferStore>();
  if (!store || (*store)->value.as<tir::BufferLoadNode>() == nullptr ||
      (*store)->predicate.has_value() || Reads((*store)->value, (*store)->buffer)) {
    return std::nullopt;
  }
  nest.store = *store;
  return StoresToOwnElements(nest) ? std::optional(std::move(nest)) : std::nullopt;
}

namespace {

bool AreWeights(const tir::BufferLoadNode* load, const LoopNest& nest, const PrimExpr& other) {
  if (load == nullptr || load->indices.size() != nest.reduction.size() + 1) return false;
  if (nest.store->indices.size() <= kChannel) return false;
  const PrimExpr& channel = nest.store->indices[kChannel];
  if (!load->indices[0].same_as(channel) || channel.as<tir::VarNode>() == nullptr) return false;
  for (size_t i = 0; i < nest.reduction.size(); ++i) {
    if (!load->indices[static_cast<int64_t>(i + 1)].same_as(nest.reduction[i]->loop_var)) {
      return false;
    }
  }
  return VarsOf(other).count(channel.as<tir::VarNode>()) == 0;
}

}  // namespace

std::optional<ConvolutionWeights> WeightsOf(const LoopNest& nest) {
  const auto* sum = nest.store->value.as<tir::AddNode>();
  if (!nest.init || sum == nullptr || !IsElementOf(sum->a, nest.store)) return std::nullopt;
  const auto* product = sum->b.as<tir::MulNode>();
  if (product == nullptr) return std::nullopt;
  for (const auto& [one, other] : {std::pair(product->a, product->b), {product->b, product->a}}) {
    const auto* load = one.as<tir::BufferLoadNode>();
    if (AreWeights(load, nest, other)) {
      return ConvolutionWeights{load, nest.store->indices[kChannel].as<tir::VarNode>()};
    }
  }
  return std::nullopt;
}

}  // namespace uir::schedule
