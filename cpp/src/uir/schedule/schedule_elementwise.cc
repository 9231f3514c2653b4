// Elementwise nests: one loop where all buffers are alike, vectors along the innermost loop.
#include <tschema/walk.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>
#include <uir/tir/stmt.h>
#include <uir/transform/substitute.h>

#include <algorithm>
#include <utility>

#include "./classify.h"
#include "./flat_nest.h"
#include "./parameters.h"
#include "./work.h"

namespace uir::schedule {

namespace {

using ir::PrimExpr;

/*! \brief The bits of the widest number that a nest loads or stores, if all lie side by side. */
std::optional<int> WidestNeighbours(const LoopNest& nest, const tir::VarNode* var) {
  if (!nest.store->indices.back().get() || nest.store->indices.back().get() != var) {
    return std::nullopt;
  }
  int bits = nest.store->buffer->dtype.bits;
  bool are_neighbours = true;
  tschema::Walk(nest.store->value, [&](const tir::BufferLoadNode* load) {
    const bool is_simple = ir::IsScalar(load->dtype) && !load->predicate.has_value();
    are_neighbours = are_neighbours && is_simple && AreNeighbours(load->indices, var);
    bits = std::max<int>(bits, load->dtype.bits);
  });
  return are_neighbours ? std::optional<int>(bits) : std::nullopt;
}

tir::For Loop(const tir::Var& var, PrimExpr extent, tir::ForKind kind, tir::Stmt body,
              const LoopNest& nest) {
  const PrimExpr zero = tir::make_const(0, var->dtype);
  return tir::For(var, zero, std::move(extent), kind, std::move(body), std::nullopt, {},
                  std::nullopt, nest.spatial.back()->span);
}

/*! \brief Whole vectors of an innermost loop, and what is left. */
class VectorSplit {
 public:
  VectorSplit(const LoopNest& nest, int lanes, tir::ForKind kind)
      : nest_(nest), loop_(nest.spatial.back()), lanes_(lanes), kind_(kind) {}

  tir::Stmt Run() const {
    const DLDataType dtype = loop_->loop_var->dtype;
    const PrimExpr lanes = tir::make_const(lanes_, dtype);
    const PrimExpr whole = tir::floordiv(loop_->extent, lanes);
    const PrimExpr rest = tir::floormod(loop_->extent, lanes);
    ffi::Array<tir::Stmt> parts;
    if (tir::IntConstOf(whole) != 0) {
      const tir::Var vector(loop_->loop_var->name + "_vector", dtype);
      const tir::Stmt inner = Part(vector * lanes, lanes, tir::ForKind::kVectorized);
      parts.push_back(Loop(vector, whole, kind_, inner, nest_));
    }
    if (tir::IntConstOf(rest) != 0) {
      const bool is_known = tir::IntConstOf(rest).has_value();
      parts.push_back(
          Part(whole * lanes, rest, is_known ? tir::ForKind::kVectorized : tir::ForKind::kSerial));
    }
    return tir::flatten_seq(std::move(parts));
  }

 private:
  /*! \brief The iterations from a first one on, as a loop of its own. */
  tir::Stmt Part(const PrimExpr& first, PrimExpr extent, tir::ForKind kind) const {
    const tir::Var lane(loop_->loop_var->name + "_lane", loop_->loop_var->dtype);
    tir::Stmt body = transform::Substitute(nest_.store, {{loop_->loop_var, first + lane}});
    return Loop(lane, std::move(extent), kind, std::move(body), nest_);
  }

  const LoopNest& nest_;
  const tir::For& loop_;
  int lanes_;
  tir::ForKind kind_;
};

std::optional<Scheduled> Vectorize(const LoopNest& nest, const std::string& isa) {
  const std::optional<int> bits = WidestNeighbours(nest, nest.spatial.back()->loop_var.get());
  if (!bits) return std::nullopt;
  const DLDataType dtype = nest.store->buffer->dtype;
  const int lanes = VectorLanes(isa, ir::IntType(std::max(*bits, 8)));
  const bool is_large =
      WorkOf(nest) >= Parameter({"elementwise", isa, dtype, "any"}, "parallel_work");
  const tir::ForKind outer = is_large ? tir::ForKind::kParallel : tir::ForKind::kSerial;
  const size_t depth = nest.spatial.size();
  tir::Stmt stmt = VectorSplit(nest, lanes, depth == 1 ? outer : tir::ForKind::kSerial).Run();
  for (size_t i = depth - 1; i-- > 0;) {
    const tir::ForNode* loop = nest.spatial[i].get();
    stmt = tir::For(loop->loop_var, loop->min, loop->extent, i == 0 ? outer : loop->kind, stmt,
                    std::nullopt, {}, std::nullopt, loop->span);
  }
  std::string trace = std::to_string(lanes) + " lanes over `" +
                      std::string(nest.spatial.back()->loop_var->name) + "`";
  if (is_large) trace += ", parallel";
  return Scheduled{std::move(stmt), std::move(trace)};
}

std::optional<Scheduled> Schedule(const LoopNest& nest, BlockKind kind, const std::string& isa) {
  if (kind != BlockKind::kElementwise) return std::nullopt;
  std::optional<FlatNest> flat;
  if (nest.spatial.size() > 1) flat = Flatten(nest);
  if (!flat) return Vectorize(nest, isa);
  std::optional<Scheduled> made = Vectorize(flat->nest, isa);
  if (!made) return std::nullopt;
  ffi::Array<tir::Stmt> parts(flat->views.begin(), flat->views.end());
  parts.push_back(made->stmt);
  return Scheduled{tir::flatten_seq(std::move(parts)), "one loop, " + made->trace};
}

}  // namespace

transform::Pass ScheduleElementwise(ffi::String isa) {
  return MakeRecipePass(Schedule, isa, "ScheduleElementwise");
}

}  // namespace uir::schedule
