// Copies bindings: types bind dimensions, and each binding gets a new variable.
#include "./instantiator.h"

#include <tschema/structural_equal.h>
#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/arith/analyzer.h>
#include <uir/ir/op.h>
#include <uir/transform/node_copy.h>
#include <uir/transform/substitute.h>

#include <algorithm>
#include <string>
#include <utility>

#include "../analysis/bound_sizes.h"

namespace uir::transform {

namespace {

/*! \brief A copy of a variable. */
tir::Var NewVar(const tir::VarNode* var) {
  if (var->IsInstance<tir::SizeVarNode>()) {
    return tir::SizeVar(var->name, var->dtype, var->type_annotation, var->span);
  }
  return tir::Var(var->name, var->dtype, var->type_annotation, var->span);
}

/*! \brief A copy of a call with other arguments of the same types, which keeps the call's type. */
relay::Call WithArgs(const relay::CallNode* call, ffi::Array<ir::RelayExpr> args) {
  relay::Call copy = CopyOf<relay::Call>(call);
  Write(copy)->args = std::move(args);
  return copy;
}

bool AreProvedEqual(const ir::PrimExpr& a, const ir::PrimExpr& b) {
  return a->dtype == b->dtype && arith::Analyzer()->CanProveEqual(a, b);
}

}  // namespace

void Dimensions::Bind(const ir::Type& expected, const ir::Type& found) {
  const auto* tensor = expected.as<ir::TensorTypeNode>();
  const auto* argument = found.as<ir::TensorTypeNode>();
  const auto* tuple = expected.as<ir::TupleTypeNode>();
  const auto* argument_tuple = found.as<ir::TupleTypeNode>();
  if (tensor != nullptr && argument != nullptr) {
    for (size_t i = 0; i < std::min(tensor->shape.size(), argument->shape.size()); ++i) {
      const auto at = static_cast<int64_t>(i);
      const bool is_variable = tensor->shape[at].as<tir::VarNode>() != nullptr;
      if (is_variable) values_.emplace(tensor->shape[at].get(), argument->shape[at]);
    }
  } else if (tuple != nullptr && argument_tuple != nullptr) {
    for (size_t i = 0; i < std::min(tuple->fields.size(), argument_tuple->fields.size()); ++i) {
      const auto at = static_cast<int64_t>(i);
      Bind(tuple->fields[at], argument_tuple->fields[at]);
    }
  }
}

void Dimensions::BindNew(const ir::Type& type) {
  if (const auto* tuple = type.as<ir::TupleTypeNode>()) {
    for (const ir::Type& field : tuple->fields) BindNew(field);
  }
  const auto* tensor = type.as<ir::TensorTypeNode>();
  if (tensor == nullptr) return;
  for (const ir::PrimExpr& dimension : tensor->shape) {
    const auto* var = dimension.as<tir::VarNode>();
    if (var == nullptr || Has(var)) continue;
    values_.emplace(var, NewVar(var));
  }
  for (Compound& compound : compounds_) {
    const auto replace = [this](const tir::VarNode* var) { return ValueOf(var); };
    compound.replaced = tschema::Map(compound.dimension, replace);
  }
}

void Dimensions::BindNew(const tir::VarNode* var) { values_.insert_or_assign(var, NewVar(var)); }

void Dimensions::BindNewCompounds(const ir::Type& type) {
  if (const auto* tuple = type.as<ir::TupleTypeNode>()) {
    for (const ir::Type& field : tuple->fields) BindNewCompounds(field);
  }
  const auto* tensor = type.as<ir::TensorTypeNode>();
  if (tensor == nullptr) return;
  for (const ir::PrimExpr& dimension : tensor->shape) {
    bool is_bound = true;
    tschema::Walk(dimension, [&](const tir::VarNode* var) { is_bound = is_bound && Has(var); });
    if (is_bound) continue;
    const ir::PrimExpr replaced = In(ffi::Optional<ir::PrimExpr>(dimension)).value();
    if (replaced.as<tir::VarNode>() != nullptr) continue;
    const std::string name = "d" + std::to_string(compounds_.size());
    const auto equal = std::find_if(compounds_.begin(), compounds_.end(), [&](const auto& known) {
      return AreProvedEqual(known.dimension, dimension);
    });
    const bool is_new = equal == compounds_.end();
    const ir::PrimExpr by = is_new ? tir::SizeVar(name, dimension->dtype) : equal->by;
    compounds_.push_back({dimension, replaced, by});
  }
}

const Dimensions::Compound* Dimensions::CompoundOf(const ir::PrimExpr& var) const {
  const auto found = std::find_if(compounds_.begin(), compounds_.end(), [&](const Compound& one) {
    return one.by.same_as(var) && var.as<tir::VarNode>() != nullptr;
  });
  return found == compounds_.end() ? nullptr : &*found;
}

bool Dimensions::MayDefine(const ir::PrimExpr& var, const ir::PrimExpr& value) const {
  const Compound* compound = CompoundOf(var);
  if (compound == nullptr) return false;
  bool is_used = false;
  tschema::Walk(value, [&](const tir::VarNode* one) { is_used = is_used || one == var.get(); });
  if (is_used) return false;
  Substitution originals;
  for (const auto& [original, by] : values_) {
    const auto* node = static_cast<const tir::VarNode*>(original);
    if (const auto made = by.as<tir::Var>()) originals.Set(*made, ffi::GetRef<tir::Var>(node));
  }
  for (const Compound& one : compounds_) {
    if (const auto made = one.by.as<tir::Var>()) originals.Set(*made, one.dimension);
  }
  return AreProvedEqual(Substitute(value, originals), compound->dimension);
}

void Dimensions::Define(const ir::PrimExpr& var, const ir::PrimExpr& value) {
  const Substitution values = {{var.as<tir::Var>().value(), value}};
  for (Compound& compound : compounds_) compound.by = Substitute(compound.by, values);
}

ffi::Optional<ir::PrimExpr> Dimensions::ValueOf(const ir::PrimExprNode* var) const {
  const auto found = values_.find(var);
  return found == values_.end() ? ffi::Optional<ir::PrimExpr>() : found->second;
}

ffi::Optional<ir::PrimExpr> Dimensions::Replacement(const ir::PrimExprNode* part) const {
  if (part->IsInstance<tir::VarNode>()) return ValueOf(part);
  for (const Compound& compound : compounds_) {
    if (tschema::StructuralEqual(compound.replaced, ffi::GetRef<ir::PrimExpr>(part))) {
      return compound.by;
    }
  }
  return std::nullopt;
}

relay::Block Instantiator::Body(const relay::Function& func,
                                const ffi::Array<ir::RelayExpr>& args) {
  for (size_t i = 0; i < args.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    const relay::Var param = func->params[at];
    if (args[at]->checked_type.has_value()) {
      dimensions_.Bind(param->type_annotation.value(), args[at]->checked_type.value());
    }
    Replace(param, args[at]);
  }
  return VisitBlock(func->body.get());
}

void Instantiator::RewriteBinding(const relay::Binding& binding) {
  // Each copy binds its own size.
  if (const tir::VarNode* size = BoundSizeOf(binding->value)) dimensions_.BindNew(size);
  ir::RelayExpr value = VisitRelayExpr(binding->value);
  NoteSize(value);
  const relay::Var var = ParamFor(binding->var, value);
  emitted().push_back(relay::Binding(var, std::move(value), binding->span));
  Replace(binding->var, var);
}

relay::Var Instantiator::ParamFor(const relay::Var& param, const ir::RelayExpr& initial) {
  const ffi::Optional<ir::Type> type = initial->checked_type.has_value()
                                           ? initial->checked_type
                                           : dimensions_.In(param->type_annotation);
  return relay::Var(param->name, type, param->span);
}

ir::RelayExpr Instantiator::VisitCall(const relay::CallNode* op) {
  ffi::Array<ir::RelayExpr> args;
  args.reserve(static_cast<int64_t>(op->args.size()));
  bool are_same = dimensions_.empty() && op->op.as<ir::OpNode>() != nullptr;
  for (const ir::RelayExpr& arg : op->args) {
    const auto* var = arg.as<relay::VarNode>();
    args.push_back(var != nullptr ? VisitVar(var) : VisitRelayExpr(arg));
    are_same = are_same && args.back()->checked_type.same_as(arg->checked_type);
  }
  if (are_same) return WithArgs(op, std::move(args));
  return relay::Call(VisitRelayExpr(op->op), std::move(args), dimensions_.In(op->attrs), op->span);
}

}  // namespace uir::transform
