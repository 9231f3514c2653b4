// Elementwise operators on images with one axis for all places.
#include "./flat_images.h"

#include <tschema/structural_equal.h>
#include <uir/ir/op.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/infer.h>
#include <uir/relay/shape.h>
#include <uir/tir/const_fold.h>
#include <uir/transform/effects.h>

#include <utility>

#include "../../relay/shape_rule.h"
#include "../analysis/quantized_operands.h"
#include "../analysis/tensor_type_of.h"

namespace uir::transform {

namespace {

using ir::RelayExpr;
using FlatShape = ffi::Array<relay::Extent>;

/*! \brief The axis of channels. */
constexpr int64_t kChannels = 1;

bool ComputesElements(const RelayExpr& value) {
  const auto* call = value.as<relay::CallNode>();
  const auto op = call == nullptr ? std::nullopt : call->op.as<ir::Op>();
  if (!op || !IsPure(value) || TensorTypeOf(value) == nullptr) return false;
  const std::optional<ffi::String> kind = ir::op_attr(*op, "kind").as<ffi::String>();
  return kind && (*kind == "elementwise" || *kind == "broadcast");
}

/*! \brief A factor, one or one for each channel, for flat images; none for another operand. */
std::optional<RelayExpr> FlatFactor(const RelayExpr& factor, const RelayExpr& used, size_t rank,
                                    const EmitValue& emit) {
  if (relay::IsAbsent(factor)) return used;
  const ir::TensorTypeNode* type = TensorTypeOf(factor);
  if (type == nullptr || type->shape.size() > rank) return std::nullopt;
  const auto before = static_cast<int64_t>(rank - type->shape.size());
  FlatShape shape;
  for (int64_t axis = before; axis < static_cast<int64_t>(rank); ++axis) {
    const ir::PrimExpr& dimension = type->shape[axis - before];
    const bool is_one = tir::IntConstOf(dimension) == 1;
    if (!is_one && axis != kChannels) return std::nullopt;
    if (!is_one) shape = {dimension, int64_t{1}};
  }
  return type->shape.empty() ? used : emit(relay::reshape(used, shape), "factor");
}

}  // namespace

void FlatImages::Add(const relay::Var& images, const RelayExpr& flat) {
  flat_.insert_or_assign(images.get(), flat);
}

std::optional<RelayExpr> FlatImages::FlatValue(
    const RelayExpr& value, const std::function<RelayExpr(const RelayExpr&)>& use,
    const EmitValue& emit) const {
  if (flat_.empty() || !ComputesElements(value)) return std::nullopt;
  const auto* call = value.as<relay::CallNode>();
  const ffi::Array<ir::PrimExpr>& shape = TensorTypeOf(value)->shape;
  ffi::Array<RelayExpr> args;
  bool has_images = false;
  for (const RelayExpr& arg : call->args) {
    const auto found = flat_.find(arg.get());
    if (found != flat_.end()) {
      if (!tschema::StructuralEqual(TensorTypeOf(arg)->shape, shape)) return std::nullopt;
      has_images = true;
      args.push_back(found->second);
      continue;
    }
    auto factor = FlatFactor(arg, use(arg), shape.size(), emit);
    if (!factor) return std::nullopt;
    args.push_back(*std::move(factor));
  }
  if (!has_images) return std::nullopt;
  return relay::Call(call->op, std::move(args), call->attrs, call->span);
}

RelayExpr AsImages(const RelayExpr& flat, const RelayExpr& original) {
  FlatShape shape;
  for (const ir::PrimExpr& dimension : TensorTypeOf(original)->shape) shape.push_back(dimension);
  return relay::reshape(flat, shape);
}

}  // namespace uir::transform
