// Functions for blocks of channels, and copies of tensors in blocks.
#include "./blocked_callees.h"

#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/tir/builder.h>
#include <uir/tir/call.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/no_alias.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>
#include <uir/transform/convert_ssa.h>

#include <algorithm>
#include <functional>
#include <string>

namespace uir::schedule {

using ir::PrimExpr;

namespace {

/*! \brief Loops that copy a tensor in blocks, channel by channel. */
tir::Stmt CopyLoops(const tir::Buffer& from, const tir::Buffer& to) {
  tir::Builder builder;
  const auto rank = static_cast<int64_t>(to->shape.size());
  const PrimExpr block = from->shape[rank];
  ffi::Array<PrimExpr> indices;
  const std::function<void(int64_t)> from_axis = [&](int64_t axis) {
    if (axis == rank) {
      ffi::Array<PrimExpr> places = indices;
      places.Set(1, tir::floordiv(indices[1], block));
      places.push_back(tir::floormod(indices[1], block));
      return builder->Store(to, indices, tir::BufferLoad(from, places));
    }
    builder.For("i" + std::to_string(axis), to->shape[axis], [&](const tir::Var& index) {
      indices.push_back(index);
      from_axis(axis + 1);
      indices.pop_back();
    });
  };
  from_axis(0);
  return builder->Body();
}

/*! \brief A shape whose extents are constants or new variables. */
ffi::Array<PrimExpr> WithVars(const ffi::Array<PrimExpr>& shape, ffi::Array<tir::Var>* vars) {
  ffi::Array<PrimExpr> made;
  for (const PrimExpr& extent : shape) {
    if (tir::IntConstOf(extent)) {
      made.push_back(extent);
      continue;
    }
    const tir::SizeVar var("n", extent->dtype);
    vars->push_back(var);
    made.push_back(var);
  }
  return made;
}

tir::PrimFunc CopyFunction(const tir::Buffer& from, const tir::Buffer& to) {
  ffi::Array<tir::Var> sizes;
  const ffi::Array<PrimExpr> shape = WithVars(to->shape, &sizes);
  const int64_t block = *tir::IntConstOf(from->shape.back());
  const tir::Buffer source = tir::decl_buffer(BlockedShape(shape, block), from->dtype, "blocks");
  const tir::Buffer target = tir::decl_buffer(shape, to->dtype, "channels");
  tir::Builder params;
  params->AddBuffer(source);
  params->AddBuffer(target);
  ffi::Array<tir::Var> all = params->params;
  for (const tir::Var& size : sizes) all.push_back(size);
  return tir::PrimFunc(std::move(all), CopyLoops(source, target), params->buffer_map, std::nullopt,
                       ir::DictAttrs({{tir::kNoAlias, true}}));
}

}  // namespace

const tir::PrimFuncNode* BlockedCallees::FuncOf(const ffi::ObjectRef& op) const {
  const auto var = op.as<ir::GlobalVar>();
  const auto found = var ? module_->functions.find(*var) : module_->functions.end();
  if (found == module_->functions.end()) return nullptr;
  const auto* func = (*found).second.as<tir::PrimFuncNode>();
  const bool is_private = func != nullptr && func->GetAttr("global_symbol") == nullptr;
  return is_private && tir::HasNoAliases(func) ? func : nullptr;
}

BlockedCallee* BlockedCallees::For(const ffi::ObjectRef& op, const BlockSizes& blocks) {
  const auto [found, is_new] = callees_.try_emplace({op.get(), blocks});
  if (is_new) {
    const tir::PrimFuncNode* func = FuncOf(op);
    auto made = WithChannelBlocks(ffi::GetRef<tir::PrimFunc>(func), blocks);
    const ffi::String name = op.as<ir::GlobalVarNode>()->name_hint + "_blocked";
    if (made) found->second = BlockedCallee{*std::move(made), name, std::nullopt};
  }
  return found->second ? &*found->second : nullptr;
}

bool BlockedCallees::HasShapeOf(const ffi::ObjectRef& op, size_t param,
                                const tir::Buffer& tensor) const {
  const tir::PrimFuncNode* func = FuncOf(op);
  const auto found = func->buffer_map.find(func->params[static_cast<int64_t>(param)]);
  if (found == func->buffer_map.end()) return false;
  const ffi::Array<PrimExpr>& shape = (*found).second->shape;
  return std::equal(shape.begin(), shape.end(), tensor->shape.begin(), tensor->shape.end(),
                    [](const PrimExpr& one, const PrimExpr& other) {
                      return tir::IntConstOf(one) == tir::IntConstOf(other);
                    });
}

bool BlockedCallees::Stores(const ffi::ObjectRef& op, size_t param) {
  const tir::PrimFuncNode* func = FuncOf(op);
  const auto [stored, is_new] = stored_.try_emplace(func);
  if (is_new) {
    tschema::Walk(func->body, [&](const tir::BufferStoreNode* store) {
      stored->second.insert(store->buffer->data.get());
    });
    // A call may store to any address that it takes or computes.
    tschema::Walk(func->body, [&](const tir::CallNode* call) {
      for (const PrimExpr& arg : call->args) stored->second.insert(arg.get());
      if (!ir::IsHandle(call->dtype)) return;
      tschema::Walk(call->args, [&](const tir::BufferLoadNode* load) {
        stored->second.insert(load->buffer->data.get());
      });
    });
  }
  const auto buffer = func->buffer_map.find(func->params[static_cast<int64_t>(param)]);
  return buffer == func->buffer_map.end() ||
         stored->second.count((*buffer).second->data.get()) != 0;
}

ir::GlobalVar BlockedCallees::Use(BlockedCallee* callee) {
  if (!callee->var) {
    callee->var = ir::GlobalVar(names_.New(callee->name));
    functions_.Set(*callee->var, callee->made.func);
  }
  return *callee->var;
}

tir::Stmt BlockedCallees::CopyFromBlocks(const tir::Buffer& from, const tir::Buffer& to) {
  std::vector<int64_t> key = {from->dtype.code, from->dtype.bits,
                              *tir::IntConstOf(from->shape.back())};
  ffi::Array<PrimExpr> args = {from->data, to->data};
  for (const PrimExpr& extent : to->shape) {
    // A size is a parameter of its own data type.
    key.push_back(tir::IntConstOf(extent).value_or(-extent->dtype.bits));
    if (!tir::IntConstOf(extent)) args.push_back(extent);
  }
  auto known = copies_.find(key);
  if (known == copies_.end()) {
    known = copies_.emplace(key, ir::GlobalVar(names_.New("copy_from_blocks"))).first;
    functions_.Set(known->second, CopyFunction(from, to));
  }
  return tir::Evaluate(tir::Call(ffi::StringToDLDataType("void"), known->second, std::move(args)));
}

ir::IRModule BlockedCallees::Finish(const ffi::Map<ir::GlobalVar, ir::BaseFunc>& changed) const {
  ffi::Map<ir::GlobalVar, ir::BaseFunc> functions = module_->functions;
  for (const auto& [var, func] : changed) functions.Set(var, func);
  std::unordered_set<const ffi::Object*> unused;
  for (const auto& [key, callee] : callees_) {
    if (callee && callee->var) unused.insert(key.first);
  }
  for (const auto& [var, func] : functions) {
    tschema::Walk(func, [&](const ir::GlobalVarNode* other) { unused.erase(other); });
  }
  for (const auto& [var, func] : module_->functions) {
    if (unused.count(var.get()) != 0) functions.erase(var);
  }
  for (const auto& [var, func] : functions_) functions.Set(var, func);
  // Functions that are made of one bind the same variables.
  return transform::ConvertSSA(ir::IRModule(std::move(functions), module_->attrs));
}

}  // namespace uir::schedule
