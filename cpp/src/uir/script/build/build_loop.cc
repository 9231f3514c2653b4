// Loops over ranges.
#include <uir/ir/range.h>
#include <uir/tir/reduce.h>

#include <algorithm>
#include <string>
#include <vector>

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

/*! \brief The options of a loop; `tir.thread_binding(4, "threadIdx.x")` has the thread last. */
CallArguments LoopArguments(Builder* builder, const SyntaxNode* call, tir::ForKind kind) {
  if (kind != tir::ForKind::kThreadBinding) {
    return {builder, call, {"begin|start", "end|stop", "step", "thread", "annotations"}};
  }
  size_t n_positional = 0;
  while (n_positional + 1 < call->size && (*call)[n_positional + 1]->kind != Syntax::kKeyword) {
    ++n_positional;
  }
  const bool is_last = n_positional > 1 && (*call)[n_positional]->kind == Syntax::kString;
  std::vector<std::string_view> names = {"begin|start", "end|stop", "step", "annotations"};
  names.insert(names.begin() + (is_last ? std::min<size_t>(n_positional - 1, 3) : 3), "thread");
  return {builder, call, names};
}

ffi::Optional<tir::IterVar> ReadLoopThread(Builder* builder, const SyntaxNode* node,
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

/*! \brief Open a loop while its suite is read. */
class LoopScope {
 public:
  LoopScope(Builder* builder, const tir::Var& var, const PrimExpr& min, const PrimExpr& extent)
      : loops_(&builder->state().loops) {
    loops_->push_back({var.get(), min, extent});
  }
  ~LoopScope() { loops_->pop_back(); }
  LoopScope(const LoopScope&) = delete;
  LoopScope& operator=(const LoopScope&) = delete;

 private:
  std::vector<LoopFrame>* loops_;
};

/*! \brief An extent, or a tuple of begin and end. */
Bounds ReadGridBounds(Builder* builder, const SyntaxNode* node) {
  if (node->kind == Syntax::kKeyword) builder->Fail(node, "`tir.grid` takes extents only");
  if (node->kind == Syntax::kTuple && node->size == 2) {
    const auto [min, end] = builder->Pair((*node)[0], (*node)[1]);
    const PrimExpr extent =
        builder->At(node, [&, &min = min, &end = end] { return builder->Extent(min, end); });
    return {min, extent, std::nullopt};
  }
  const PrimExpr extent = builder->Expr(node);
  return {builder->At(node, [&] { return MakeInt(0, extent->dtype); }), extent, std::nullopt};
}

/*! \brief The loops of a grid from `level` on, around the suite. */
tir::Stmt BuildGrid(Builder* builder, const SyntaxNode* node,
                    const std::vector<const SyntaxNode*>& names, const std::vector<Bounds>& grid,
                    size_t level) {
  if (level == grid.size()) {
    DefineLoopNames(builder, (*node)[0], names);
    return builder->Suite((*node)[2]);
  }
  const SyntaxNode* name = names[level];
  const Bounds& bounds = grid[level];
  const Builder::Scope scope(builder);
  const tir::Var var = builder->BindVar(name, bounds.extent->dtype);
  const LoopScope loop(builder, var, bounds.min, bounds.extent);
  const tir::Stmt body = BuildGrid(builder, node, names, grid, level + 1);
  return builder->At(node, [&] {
    return builder->Spanned(tir::For(var, bounds.min, bounds.extent, tir::ForKind::kSerial, body),
                            node);
  });
}

/*! \brief `for i, j in tir.grid(n, (begin, end)): suite`: nested serial loops. */
tir::Stmt ReadGrid(Builder* builder, const SyntaxNode* node) {
  const SyntaxNode* call = Spread(builder, (*node)[1]);
  const std::vector<const SyntaxNode*> names = LoopNames(builder, (*node)[0], call->size - 1);
  if (names.size() + 1 != call->size) {
    builder->Fail(node, "there are " + std::to_string(names.size()) + " variables for " +
                            std::to_string(call->size - 1) + " extents of the grid");
  }
  std::vector<Bounds> grid;
  for (uint32_t i = 1; i < call->size; ++i) grid.push_back(ReadGridBounds(builder, (*call)[i]));
  return BuildGrid(builder, node, names, grid, 0);
}

}  // namespace

tir::Stmt BuildFor(Builder* builder, const SyntaxNode* node) {
  const SyntaxNode* name = (*node)[0];
  const SyntaxNode* call = (*node)[1];
  if (call->kind == Syntax::kCall) call = Spread(builder, call);
  const std::string_view path =
      call->kind == Syntax::kCall ? builder->Path((*call)[0]) : std::string_view();
  if (path == "tir.grid") return ReadGrid(builder, node);
  const std::optional<tir::ForKind> kind = FindLoopKind(path);
  if (!kind) {
    if (auto stmt = BuildDeclaredStmt(builder, DeclaredForm::Kind::kFor, name, call, (*node)[2])) {
      return *stmt;
    }
    if (!path.empty() && FindStmtForm(path) == nullptr) builder->FailUnknown((*call)[0], path);
    builder->Fail(call, "expected a loop over a range",
                  "`range(n)`, `tir.serial`, `tir.parallel`, `tir.vectorized`, `tir.unroll`, "
                  "`tir.thread_binding` or `tir.grid`");
  }
  if (name->kind != Syntax::kName) {
    builder->Fail(name, "only a loop over `tir.grid` has several variables");
  }
  const CallArguments arguments = LoopArguments(builder, call, *kind);
  const Bounds bounds = ReadBounds(builder, call, arguments);
  const ffi::Optional<tir::IterVar> thread =
      ReadLoopThread(builder, arguments["thread"], name, bounds.extent->dtype);
  ffi::Map<ffi::String, ffi::Any> annotations;
  if (arguments["annotations"] != nullptr) annotations = builder->Attrs(arguments["annotations"]);
  const Builder::Scope scope(builder);
  const tir::Var var = builder->BindVar(name, bounds.extent->dtype);
  const LoopScope loop(builder, var, bounds.min, bounds.extent);
  const tir::Stmt body = builder->Suite((*node)[2]);
  return builder->At(node, [&] {
    return tir::For(var, bounds.min, bounds.extent, *kind, body, thread, annotations, bounds.step);
  });
}

}  // namespace uir::script
