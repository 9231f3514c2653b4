// One loop into several.
#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/arith/analyzer.h>
#include <uir/ir/node_error.h>
#include <uir/schedule/primitive.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/call.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>
#include <uir/transform/substitute.h>

#include <string>
#include <utility>

#include "../classify.h"
#include "./loop_place.h"

namespace uir::schedule {

namespace {

using ir::PrimExpr;
using Factors = ffi::Array<ffi::Optional<PrimExpr>>;

/*! \brief Check that a loop is one of plain iterations, which parts can replace. */
void CheckPlain(const tir::For& loop) {
  const auto refuse = [&](const char* why) {
    ir::ThrowAt(loop, "ValueError",
                "`" + std::string(loop->loop_var->name) + "` cannot be split: " + why);
  };
  if (loop->kind != tir::ForKind::kSerial) refuse("it is not serial; annotate it afterwards");
  if (loop->step.has_value()) refuse("it has a step");
  bool leaves = false;
  tschema::Walk(loop->body, [&](const tir::BreakNode*) { leaves = true; });
  tschema::Walk(loop->body, [&](const tir::ContinueNode*) { leaves = true; });
  if (leaves) refuse("its body has a `Break` or a `Continue`, which would leave only one part");
}

class Splitter {
 public:
  Splitter(const LoopPlace& place, const Factors& factors) : loop_(place.loop) {
    for (const tir::For& outer : place.outer) {
      analyzer_->Bind(outer->loop_var, ir::Range(outer->min, outer->extent));
    }
    SetExtents(factors);
  }

  tir::Stmt Run() {
    PrimExpr value = tir::make_const(0, dtype());
    std::vector<tir::Var> vars;
    for (size_t i = 0; i < extents_.size(); ++i) {
      vars.emplace_back(loop_->loop_var->name + "_" + std::to_string(i), dtype());
      value = value * extents_[i] + vars[i];
    }
    const tir::Stmt body =
        transform::Substitute(loop_->body, {{loop_->loop_var, loop_->min + value}});
    tir::Stmt stmt = IsExact() ? body
                               : tir::IfThenElse(tir::likely(value < loop_->extent), body,
                                                 std::nullopt, loop_->span);
    for (size_t i = vars.size(); i-- > 0;) {
      ffi::Map<ffi::String, ffi::Any> annotations;
      if (i == 0) annotations = loop_->annotations;
      annotations.erase(kByHand);  // It belongs to the outermost loop.
      stmt = tir::For(vars[i], tir::make_const(0, dtype()), extents_[i], tir::ForKind::kSerial,
                      stmt, std::nullopt, annotations, std::nullopt, loop_->span);
    }
    return stmt;
  }

 private:
  DLDataType dtype() const { return loop_->loop_var->dtype; }

  [[noreturn]] void Refuse(const std::string& why) const {
    ir::ThrowAt(loop_, "ValueError",
                "`" + std::string(loop_->loop_var->name) + "` cannot be split: " + why);
  }

  /*! \brief Set the extents to the factors; an omitted one is inferred from the others. */
  void SetExtents(const Factors& factors) {
    if (factors.empty()) Refuse("`factors` is empty");
    PrimExpr known = tir::make_const(1, dtype());
    size_t inferred = factors.size();
    for (size_t i = 0; i < factors.size(); ++i) {
      if (!factors[i].has_value()) {
        if (inferred != factors.size()) Refuse("`factors` leaves out more than one");
        inferred = i;
        extents_.push_back(known);
        continue;
      }
      extents_.push_back(Checked(factors[i].value(), i));
      known = known * extents_.back();
    }
    if (inferred != factors.size()) {
      extents_[inferred] = analyzer_->Simplify(tir::floordiv(loop_->extent + (known - 1), known));
    } else if (!analyzer_->CanProve(known >= loop_->extent)) {
      Refuse("the product of `factors` is not proved to cover its " + Text(loop_->extent) +
             " iterations; leave one out, with None");
    }
  }

  PrimExpr Checked(const PrimExpr& factor, size_t place) const {
    const PrimExpr cast = factor->dtype == dtype() ? factor : tir::cast(factor, dtype());
    if (!analyzer_->CanProve(cast >= 1)) {
      Refuse("factor " + std::to_string(place) + " must be at least 1, got " + Text(factor));
    }
    return cast;
  }

  static std::string Text(const PrimExpr& expr) {
    const auto value = tir::IntConstOf(expr);
    return value ? std::to_string(*value) : "symbolic number of";
  }

  bool IsExact() const {
    PrimExpr product = tir::make_const(1, dtype());
    for (const PrimExpr& extent : extents_) product = product * extent;
    return analyzer_->CanProveEqual(product, loop_->extent);
  }

  const tir::For& loop_;
  arith::Analyzer analyzer_;
  std::vector<PrimExpr> extents_;
};

}  // namespace

tir::PrimFunc split(tir::PrimFunc func, LoopName loop, Factors factors) {
  return RunPrimitive("schedule.split", func, [&](const tir::PrimFunc& one) {
    const LoopPlace place = FindLoop(one, loop);
    CheckPlain(place.loop);
    return WithLoop(one, place.loop, Splitter(place, factors).Run());
  });
}

}  // namespace uir::schedule
