// Loops over ranges.
#include <uir/ir/range.h>
#include <uir/tir/reduce.h>

#include <string>

#include "../print/print_parts.h"
#include "./builder_state.h"

namespace uir::script {

namespace {

using ir::PrimExpr;

/*! \brief The numbers of a loop, all of one data type. */
struct Bounds {
  PrimExpr min;
  PrimExpr extent;
  ffi::Optional<PrimExpr> step;
};

Bounds ReadBounds(Builder* builder, const SyntaxNode* call, const CallArguments& arguments) {
  const SyntaxNode* begin = arguments.Required("begin");
  const SyntaxNode* end = arguments["end"];
  Bounds bounds{MakeInt(0, kNoType), MakeInt(0, kNoType), std::nullopt};
  if (end == nullptr) {
    bounds.extent = builder->Expr(begin);
    bounds.min = builder->At(begin, [&] { return MakeInt(0, bounds.extent->dtype); });
  } else {
    const auto [min, last] = builder->Pair(begin, end);
    bounds.min = min;
    bounds.extent =
        builder->At(call, [&, &min = min, &last = last] { return builder->Extent(min, last); });
  }
  if (const SyntaxNode* step = arguments["step"]) {
    if (step->kind != Syntax::kNone) bounds.step = builder->Expr(step, bounds.extent->dtype);
  }
  return bounds;
}

ffi::Optional<tir::IterVar> ReadThread(Builder* builder, const SyntaxNode* node,
                                       const SyntaxNode* name, DLDataType dtype) {
  if (node == nullptr) return std::nullopt;
  const ffi::Any value = builder->Value(node);
  if (std::optional<tir::IterVar> axis = value.as<tir::IterVar>()) return *axis;
  const std::optional<ffi::String> tag = value.as<ffi::String>();
  if (!tag) builder->Fail(node, "expected the name of a thread's index, or an `IterVar`");
  const tir::Var var(ffi::String(std::string(name->text)), dtype);
  return builder->At(
      node, [&] { return tir::IterVar(var, std::nullopt, tir::IterVarType::kThreadIndex, *tag); });
}

}  // namespace

tir::Stmt BuildFor(Builder* builder, const SyntaxNode* node) {
  const SyntaxNode* name = (*node)[0];
  const SyntaxNode* call = (*node)[1];
  const std::string_view path =
      call->kind == Syntax::kCall ? builder->Path((*call)[0]) : std::string_view();
  const std::optional<tir::ForKind> kind = FindLoopKind(path);
  if (!kind) {
    if (!path.empty() && FindStmtForm(path) == nullptr) builder->FailUnknown((*call)[0], path);
    builder->Fail(call, "expected a loop over a range",
                  "`range(n)`, `tir.serial`, `tir.parallel`, `tir.vectorized`, `tir.unroll` or "
                  "`tir.thread_binding`");
  }
  const CallArguments arguments(builder, call, {"begin", "end", "step", "thread", "annotations"});
  const Bounds bounds = ReadBounds(builder, call, arguments);
  const ffi::Optional<tir::IterVar> thread =
      ReadThread(builder, arguments["thread"], name, bounds.extent->dtype);
  ffi::Map<ffi::String, ffi::Any> annotations;
  if (arguments["annotations"] != nullptr) annotations = builder->Attrs(arguments["annotations"]);
  const Builder::Scope scope(builder);
  const tir::Var var = builder->BindVar(name, bounds.extent->dtype);
  const tir::Stmt body = builder->Suite((*node)[2]);
  return builder->At(node, [&] {
    return tir::For(var, bounds.min, bounds.extent, *kind, body, thread, annotations, bounds.step);
  });
}

}  // namespace uir::script
