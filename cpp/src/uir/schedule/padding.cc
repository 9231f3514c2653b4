// Paddings: the conditions of the innermost loop become the bounds of three loops.
#include "./padding.h"

#include <tschema/walk.h>
#include <uir/arith/analyzer.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/call.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>
#include <uir/transform/substitute.h>

#include <cstdlib>
#include <utility>

#include "./linear_form.h"
#include "./nest/lower.h"

namespace uir::schedule {

using ir::PrimExpr;

namespace {

PrimExpr At(const PrimExpr& expr, const tir::Var& var, PrimExpr value) {
  return transform::Substitute(expr, {{var, std::move(value)}});
}

/*! \brief Narrows the bounds of a variable by conditions that are linear in it. */
class BoundFinder {
 public:
  BoundFinder(const tir::For& loop, Padding* found) : var_(loop->loop_var), found_(found) {}

  bool Add(const PrimExpr& condition) {
    if (const auto* both = condition.as<tir::AndNode>()) return Add(both->a) && Add(both->b);
    if (VarsOf(condition).count(var_.get()) == 0) {
      found_->condition = tir::logical_and(found_->condition, condition);
      return true;
    }
    if (const auto* less = condition.as<tir::LTNode>()) return AddLess(less->a, less->b, 0);
    if (const auto* less = condition.as<tir::LENode>()) return AddLess(less->a, less->b, 1);
    if (const auto* more = condition.as<tir::GTNode>()) return AddLess(more->b, more->a, 0);
    if (const auto* more = condition.as<tir::GENode>()) return AddLess(more->b, more->a, 1);
    return false;
  }

 private:
  /*! \brief Add `a < b + slack`, if the variable has a constant factor in `a - b`. */
  bool AddLess(const PrimExpr& a, const PrimExpr& b, int64_t slack) {
    if (a->dtype != var_->dtype) return false;
    const std::optional<LinearForm> form = LinearIn(a - b, var_);
    if (!form || form->factor == 0) return false;
    const PrimExpr size = tir::make_const(std::abs(form->factor), var_->dtype);
    if (form->factor > 0) {
      const PrimExpr end = tir::floordiv(size - form->start + (slack - 1), size);
      found_->end = tir::min(found_->end, end);
    } else {
      const PrimExpr begin = tir::floordiv(form->start - slack, size) + 1;
      found_->begin = tir::max(found_->begin, begin);
    }
    return true;
  }

  tir::Var var_;
  Padding* found_;
};

bool ReadsNeighbouringElements(const PrimExpr& value, const tir::VarNode* var) {
  bool are_neighbours = true;
  tschema::Walk(value, [&](const tir::BufferLoadNode* load) {
    const bool is_simple = ir::IsScalar(load->dtype) && !load->predicate.has_value();
    are_neighbours = are_neighbours && is_simple && AreNeighbours(load->indices, var);
  });
  tschema::Walk(value, [&](const tir::CallNode*) { are_neighbours = false; });
  return are_neighbours;
}

/*! \brief The innermost loop, as loops over its parts. */
tir::Stmt Line(const LoopNest& nest, const Padding& padding, int lanes) {
  const tir::For& loop = nest.spatial.back();
  const arith::Analyzer analyzer;
  const auto run = [&](const PrimExpr& value, const PrimExpr& begin, const PrimExpr& end) {
    const tir::BufferStoreNode* store = nest.store.get();
    const PrimExpr extent = analyzer->Simplify(tir::max(end - begin, end - end));
    return nest::PartByVectors(
        loop, tir::BufferStore(store->buffer, value, store->indices, std::nullopt, store->span),
        nest::PartOf(begin, extent), lanes);
  };
  const PrimExpr zero = tir::make_const(0, loop->loop_var->dtype);
  const tir::Stmt inside = tir::flatten_seq(ffi::Array<tir::Stmt>{
      run(padding.outside, zero, padding.begin), run(padding.inside, padding.begin, padding.end),
      run(padding.outside, padding.end, loop->extent)});
  if (tir::IntConstOf(padding.condition) == 1) return inside;
  return tir::IfThenElse(padding.condition, inside, run(padding.outside, zero, loop->extent),
                         loop->span);
}

}  // namespace

std::optional<Padding> SplitPadding(const PrimExpr& value, const tir::For& loop) {
  static const ir::Op choice = ir::get_op("tir.if_then_else");
  const auto* call = value.as<tir::CallNode>();
  if (call == nullptr || !call->op.same_as(choice)) return std::nullopt;
  const PrimExpr zero = tir::make_const(0, loop->loop_var->dtype);
  Padding found{tir::make_const(1, ir::BoolType()), zero, loop->extent, call->args[1],
                call->args[2]};
  if (!BoundFinder(loop, &found).Add(call->args[0])) return std::nullopt;
  const arith::Analyzer analyzer;
  found.begin = analyzer->Simplify(tir::min(found.begin, loop->extent));
  found.end = analyzer->Simplify(tir::max(tir::min(found.end, loop->extent), found.begin));
  return found;
}

std::optional<Padding> MatchPadding(const LoopNest& nest) {
  const tir::For& loop = nest.spatial.back();
  if (!nest.store->indices.back().same_as(loop->loop_var)) return std::nullopt;
  std::optional<Padding> found = SplitPadding(nest.store->value, loop);
  if (!found) return std::nullopt;
  const PrimExpr zero = tir::make_const(0, loop->loop_var->dtype);
  const arith::Analyzer analyzer;
  const tir::Var lane("lane", loop->loop_var->dtype);
  const auto reads_neighbours = [&](const PrimExpr& value, const PrimExpr& first) {
    return ReadsNeighbouringElements(analyzer->Simplify(At(value, loop->loop_var, lane + first)),
                                     lane.get());
  };
  const bool is_simple =
      reads_neighbours(found->inside, found->begin) && reads_neighbours(found->outside, zero);
  return is_simple ? found : std::nullopt;
}

tir::Stmt BuildPadding(const LoopNest& nest, const Padding& padding, int lanes,
                       tir::ForKind outer) {
  const std::vector<tir::For> around(nest.spatial.begin(), nest.spatial.end() - 1);
  return InLoops(around, Line(nest, padding, lanes), outer);
}

}  // namespace uir::schedule
