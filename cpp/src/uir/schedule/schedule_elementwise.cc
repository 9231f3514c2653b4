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
#include "./padding.h"
#include "./work.h"

namespace uir::schedule {

namespace {

using ir::PrimExpr;

constexpr const char* kPadding = "padding";

/*! \brief The bits that a number is computed with; `float32` computes narrower ones. */
int ComputedBits(DLDataType dtype) {
  return ir::IsFloat(dtype) ? std::max<int>(dtype.bits, 32) : dtype.bits;
}

/*! \brief The bits of the widest number that a nest computes with, if all lie side by side. */
std::optional<int> WidestNeighbours(const LoopNest& nest, const tir::VarNode* var) {
  if (!nest.store->indices.back().get() || nest.store->indices.back().get() != var) {
    return std::nullopt;
  }
  int bits = ComputedBits(nest.store->buffer->dtype);
  bool are_neighbours = true;
  tschema::Walk(nest.store->value, [&](const tir::BufferLoadNode* load) {
    const bool is_simple = ir::IsScalar(load->dtype) && !load->predicate.has_value();
    are_neighbours = are_neighbours && is_simple && AreNeighbours(load->indices, var);
    bits = std::max(bits, ComputedBits(load->dtype));
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

/*! \brief The loops of a nest, the innermost by vectors, the outermost perhaps parallel. */
tir::Stmt Vectorize(const LoopNest& nest, int lanes, tir::ForKind outer) {
  const size_t depth = nest.spatial.size();
  tir::Stmt stmt = VectorSplit(nest, lanes, depth == 1 ? outer : tir::ForKind::kSerial).Run();
  for (size_t i = depth - 1; i-- > 0;) {
    const tir::ForNode* loop = nest.spatial[i].get();
    stmt = tir::For(loop->loop_var, loop->min, loop->extent, i == 0 ? outer : loop->kind, stmt,
                    std::nullopt, {}, std::nullopt, loop->span);
  }
  return stmt;
}

tir::ForKind KindOf(const Choice& choice) {
  return choice["parallel"] != 0 ? tir::ForKind::kParallel : tir::ForKind::kSerial;
}

std::optional<FlatNest> FlatOf(const LoopNest& nest) {
  return nest.spatial.size() > 1 ? Flatten(nest) : std::nullopt;
}

std::optional<Choices> Choose(const LoopNest& nest, BlockKind kind, const ParameterTable& table) {
  if (kind != BlockKind::kElementwise) return std::nullopt;
  const std::optional<FlatNest> flat = FlatOf(nest);
  const LoopNest& loops = flat ? flat->nest : nest;
  const std::optional<int> bits = WidestNeighbours(loops, loops.spatial.back()->loop_var.get());
  const ParameterKey key = {"elementwise", nest.store->buffer->dtype, "any"};
  const bool is_large = WorkOf(nest) >= table.Get(key, "parallel_work");
  if (!bits) {
    if (!MatchPadding(nest)) return std::nullopt;
    const int lanes = table.Lanes(nest.store->buffer->dtype);
    return Choices{{kPadding, {{"lanes", lanes}, {"parallel", is_large}}}};
  }
  const int lanes = table.Lanes(ir::IntType(std::max(*bits, 8)));
  return Choices{{"vectors", {{"lanes", lanes}, {"flat", flat ? 1 : 0}, {"parallel", is_large}}}};
}

std::optional<tir::Stmt> ApplyPadding(const LoopNest& nest, const Choice& choice) {
  const std::optional<Padding> padding = MatchPadding(nest);
  if (!padding) return std::nullopt;
  return BuildPadding(nest, *padding, static_cast<int>(choice["lanes"]), KindOf(choice));
}

std::optional<tir::Stmt> Apply(const LoopNest& nest, const Choices& choices) {
  if (choices.size() != 1) return std::nullopt;
  const Choice& choice = choices[0];
  if (choice.way == kPadding) return ApplyPadding(nest, choice);
  if (choice.way != "vectors") return std::nullopt;
  std::optional<FlatNest> flat;
  if (choice["flat"] != 0 && !(flat = FlatOf(nest))) return std::nullopt;
  const LoopNest& loops = flat ? flat->nest : nest;
  if (!WidestNeighbours(loops, loops.spatial.back()->loop_var.get())) return std::nullopt;
  const tir::Stmt made = Vectorize(loops, static_cast<int>(choice["lanes"]), KindOf(choice));
  if (!flat) return made;
  ffi::Array<tir::Stmt> parts(flat->views.begin(), flat->views.end());
  parts.push_back(made);
  return tir::flatten_seq(std::move(parts));
}

}  // namespace

transform::Pass ScheduleElementwise(ffi::String isa) {
  return MakeRecipePass({"ScheduleElementwise", Choose, Apply}, isa);
}

}  // namespace uir::schedule
