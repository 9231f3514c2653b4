// Axes of blocks: one by one, or by `tir.axis.remap` from the loops around the block.
#include <uir/ir/dtype.h>
#include <uir/ir/range.h>
#include <uir/tir/block.h>

#include <algorithm>
#include <string>

#include "./builder_state.h"

namespace uir::script {

namespace {

using ir::PrimExpr;
using MaybeStmt = std::optional<tir::Stmt>;

template <tir::IterVarType kType>
MaybeStmt AssignAxis(Builder* builder, const SyntaxNode* name, const SyntaxNode* call) {
  BlockFrame* block = BlockOf(builder, call);
  const CallArguments arguments(builder, call, {"domain|dom", "value|binding", "tag", "dtype"});
  const ffi::Optional<ir::Range> domain = BuildDomain(builder, arguments.Required("domain"));
  const bool has_domain = domain.has_value();
  DLDataType dtype = has_domain ? domain.value()->min->dtype : ir::IntType(32);
  const SyntaxNode* dtype_node = arguments["dtype"];
  if (dtype_node != nullptr && builder->DType(dtype_node) != dtype) {
    builder->Fail(dtype_node, "an axis has the data type of its domain");
  }
  if (block->is_realized) {
    const SyntaxNode* node = arguments.Required("value");
    const PrimExpr value = builder->Expr(node, has_domain ? dtype : kNoType);
    if (!has_domain) dtype = value->dtype;
    block->iter_values.push_back(value);
  }
  ffi::String tag;
  if (arguments["tag"] != nullptr) tag = builder->String(arguments["tag"]);
  const tir::Var var = builder->BindVar(name, dtype);
  block->iter_vars.push_back(
      builder->At(call, [&] { return tir::IterVar(var, domain, kType, tag); }));
  return std::nullopt;
}

/*! \brief The open loop of a variable, innermost first. */
const LoopFrame& LoopOf(Builder* builder, const SyntaxNode* node, const PrimExpr& value) {
  const std::vector<LoopFrame>& loops = builder->state().loops;
  for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
    if (loop->var == value.get()) return *loop;
  }
  builder->Fail(node, "expected the variable of a loop around the block",
                "`tir.axis.spatial(extent, value)` takes any value");
}

void RemapAxis(Builder* builder, const SyntaxNode* name, const SyntaxNode* binding,
               tir::IterVarType kind) {
  BlockFrame* block = BlockOf(builder, binding);
  const PrimExpr value = builder->Expr(binding);
  const LoopFrame& loop = LoopOf(builder, binding, value);
  const ir::Range domain = builder->At(binding, [&] { return ir::Range(loop.min, loop.extent); });
  const tir::Var var = builder->BindVar(name, value->dtype);
  block->iter_values.push_back(value);
  block->iter_vars.push_back(
      builder->At(binding, [&] { return tir::IterVar(var, domain, kind, ""); }));
}

/*! \brief `vi, vj = tir.axis.remap("SR", [i, j])`: an axis for each letter, over its loop. */
MaybeStmt AssignRemap(Builder* builder, const SyntaxNode* target, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"kinds", "bindings", "dtype"});
  const SyntaxNode* kinds_node = arguments.Required("kinds");
  const ffi::String kinds = builder->String(kinds_node);
  const SyntaxNode* bindings = arguments.Required("bindings");
  if (!BlockOf(builder, call)->is_realized) {
    builder->Fail(call, "a block without values has no loops to take axes from");
  }
  const bool is_list = bindings->kind == Syntax::kList || bindings->kind == Syntax::kTuple;
  // The name of several variables: `for i in tir.grid(n, m)`.
  const bool is_several =
      !is_list && builder->Value(bindings).as<ffi::Array<ffi::Any>>().has_value();
  if (!is_list && !is_several) {
    builder->Fail(bindings, "expected a list of loops' variables: `[i, j]`");
  }
  const SyntaxNode starred{Syntax::kStarred, 1, bindings->begin, bindings->end, {}, &bindings};
  const SyntaxNode* const elements[] = {&starred};
  const SyntaxNode list{Syntax::kList, 1, bindings->begin, bindings->end, {}, elements};
  const SyntaxNode* const spread = Spread(builder, is_list ? bindings : &list);
  const bool is_tuple = target->kind == Syntax::kTuple;
  const size_t n_names = is_tuple ? target->size : 1;
  if (kinds.size() != spread->size || n_names != spread->size) {
    builder->Fail(call, "there are " + std::to_string(n_names) + " names, " +
                            std::to_string(kinds.size()) + " kinds and " +
                            std::to_string(spread->size) + " variables of loops");
  }
  for (uint32_t i = 0; i < spread->size; ++i) {
    const char kind = kinds.data()[i];
    if (kind != 'S' && kind != 'R') {
      builder->Fail(kinds_node, std::string("no kind of axis `") + kind + "`",
                    "`S` is a spatial axis, `R` a reduction");
    }
    RemapAxis(builder, is_tuple ? (*target)[i] : target, (*spread)[i],
              kind == 'S' ? tir::IterVarType::kDataPar : tir::IterVarType::kCommReduce);
  }
  return std::nullopt;
}

TVM_FFI_STATIC_INIT_BLOCK() {
  RegisterAssign("tir.axis.remap", &AssignRemap);
  RegisterAssign("tir.axis.spatial", &AssignAxis<tir::IterVarType::kDataPar>);
  RegisterAssign("tir.axis.reduce", &AssignAxis<tir::IterVarType::kCommReduce>);
  RegisterAssign("tir.axis.S", &AssignAxis<tir::IterVarType::kDataPar>);
  RegisterAssign("tir.axis.R", &AssignAxis<tir::IterVarType::kCommReduce>);
  RegisterAssign("tir.axis.scan", &AssignAxis<tir::IterVarType::kOrdered>);
  RegisterAssign("tir.axis.opaque", &AssignAxis<tir::IterVarType::kOpaque>);
  RegisterAssign("tir.axis.thread_index", &AssignAxis<tir::IterVarType::kThreadIndex>);
  RegisterAssign("tir.axis.unrolled", &AssignAxis<tir::IterVarType::kUnrolled>);
  RegisterAssign("tir.axis.vectorized", &AssignAxis<tir::IterVarType::kVectorized>);
  RegisterAssign("tir.axis.parallelized", &AssignAxis<tir::IterVarType::kParallelized>);
  RegisterAssign("tir.axis.tensorized", &AssignAxis<tir::IterVarType::kTensorized>);
}

}  // namespace

ffi::Optional<ir::Range> BuildDomain(Builder* builder, const SyntaxNode* node) {
  if (node->kind == Syntax::kTuple && node->size == 2) {
    const auto [min, end] = builder->Pair((*node)[0], (*node)[1]);
    return builder->At(
        node, [&, &min = min, &end = end] { return ir::Range(min, builder->Extent(min, end)); });
  }
  const ffi::Any value = builder->Value(node);
  if (value == nullptr) return std::nullopt;
  if (std::optional<ir::Range> range = value.as<ir::Range>()) return *range;
  const PrimExpr extent = builder->ToExpr(value, node);
  return builder->At(node, [&] { return ir::Range(MakeInt(0, extent->dtype), extent); });
}

}  // namespace uir::script
