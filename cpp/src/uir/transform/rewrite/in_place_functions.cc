// Copies of functions that read an operand from the output.
#include "./in_place_functions.h"

#include <tschema/map.h>
#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/symbol.h>
#include <uir/transform/node_copy.h>

#include <optional>
#include <string>
#include <unordered_set>

#include "../analysis/in_place.h"

namespace uir::transform {

namespace {

/*! \brief The body without the copy of an operand that is the output already. */
tir::Stmt BodyInPlace(const tir::PrimFunc& func) {
  const std::optional<size_t> copy = FindInPlace(func).copy;
  if (!copy) return func->body;
  ffi::Array<tir::Stmt> stmts = func->body.as<tir::SeqStmtNode>()->seq;
  stmts.erase(stmts.begin() + static_cast<int64_t>(*copy));
  return tir::flatten_seq(std::move(stmts));
}

tir::PrimFunc WithInPlace(const tir::PrimFunc& func, size_t output, size_t input) {
  const tir::Buffer to = func->buffer_map.at(func->params[static_cast<int64_t>(output)]);
  const tir::Var param = func->params[static_cast<int64_t>(input)];
  const tir::Buffer from = func->buffer_map.at(param);
  const auto replace = [&](const tir::BufferLoadNode* load) -> ffi::Optional<ir::PrimExpr> {
    if (!load->buffer.same_as(from)) return std::nullopt;
    return tir::BufferLoad(to, load->indices, std::nullopt, load->span);
  };
  tir::PrimFunc changed = CopyOf<tir::PrimFunc>(func.get());
  tir::PrimFuncNode* node = Write(changed);
  node->body = tschema::Map(BodyInPlace(func), replace);
  node->params.erase(node->params.begin() + static_cast<int64_t>(input));
  node->buffer_map.erase(param);
  return changed;
}

}  // namespace

tir::Call InPlaceFunctions::Call(const tir::Call& call, std::pair<size_t, size_t> places) {
  const auto callee = call->op.as<ir::GlobalVar>().value();
  const auto [output, input] = places;
  auto copy = copies_.find({callee.get(), input});
  if (copy == copies_.end()) {
    const auto func = module_->functions.at(callee).as<tir::PrimFunc>().value();
    const ir::GlobalVar var(names_.New(std::string(callee->name_hint) + "_in_place"));
    const tir::PrimFunc changed = WithInPlace(func, output, input);
    functions_.Set(var, ir::with_attr(changed, ir::kGlobalSymbol, nullptr));
    replaced_.push_back(callee);
    copy = copies_.emplace(std::make_pair(callee.get(), input), var).first;
  }
  ffi::Array<ir::PrimExpr> args = call->args;
  args.erase(args.begin() + static_cast<int64_t>(input));
  return tir::Call(call->dtype, copy->second, std::move(args), call->span);
}

ffi::Map<ir::GlobalVar, ir::BaseFunc> InPlaceFunctions::AddTo(
    ffi::Map<ir::GlobalVar, ir::BaseFunc> functions) const {
  for (const auto& [var, func] : functions_) functions.Set(var, func);
  std::unordered_set<const ffi::Object*> called;
  for (const auto& [var, func] : functions) {
    tschema::Walk(func, [&](const ir::GlobalVarNode* one) { called.insert(one); });
  }
  for (const ir::GlobalVar& var : replaced_) {
    const bool is_public = ir::IsPublic(module_->functions.at(var).get());
    if (!is_public && called.count(var.get()) == 0) functions.erase(var);
  }
  return functions;
}

}  // namespace uir::transform
