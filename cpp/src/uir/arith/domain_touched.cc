// The part of a buffer that a statement reads or writes.
#include <tvm/ffi/error.h>
#include <uir/arith/constraint.h>
#include <uir/arith/data.h>
#include <uir/arith/domain_touched.h>
#include <uir/arith/region.h>
#include <uir/ir/dtype.h>
#include <uir/tir/block.h>
#include <uir/tir/buffer.h>
#include <uir/tir/logic.h>
#include <uir/tir/stmt_functor.h>

#include <functional>
#include <vector>

#include "./access_visitor.h"
#include "./const_fold.h"
#include "./linear_parts.h"
#include "./set_evaluator.h"

namespace uir::arith {

using ir::PrimExpr;

namespace {

using Ranges = ffi::Map<tir::Var, ir::Range>;

/*! \brief Computes the union of the accesses of a buffer over the loops around them. */
class TouchedDomain : public AccessVisitor {
 public:
  TouchedDomain(const Analyzer& known, const tir::Buffer& buffer, bool has_loads, bool has_stores)
      : known_(known), buffer_(buffer), has_loads_(has_loads), has_stores_(has_stores) {}

  /*! \brief The set of each dimension; empty if there is no access. */
  const ffi::Array<IntSet>& sets() const { return touched_; }

 protected:
  void VisitVar(const tir::VarNode* op) override {
    if (buffer_->data.get() == op) TouchAll();
  }

  void VisitBufferLoad(const tir::BufferLoadNode* op) override {
    if (has_loads_ && op->buffer.same_as(buffer_)) Touch(op->indices);
    for (const PrimExpr& index : op->indices) VisitPrimExpr(index);
  }

  void VisitBufferStore(const tir::BufferStoreNode* op) override {
    if (has_stores_ && op->buffer.same_as(buffer_)) Touch(op->indices);
    VisitPrimExpr(op->value);
    for (const PrimExpr& index : op->indices) VisitPrimExpr(index);
  }

  void InScope(const std::function<void()>& visit) override {
    const ConstraintScope scope(known_);
    const Ranges ranges = ranges_;
    const PrimExpr predicate = predicate_;
    const auto num_defined = static_cast<std::ptrdiff_t>(defined_.size());
    visit();
    defined_.erase(defined_.begin() + num_defined, defined_.end());
    predicate_ = predicate;
    ranges_ = ranges;
  }

  void Assume(const PrimExpr& condition) override {
    // A value in memory may have changed before the access.
    if (IsData(condition)) return;
    predicate_ = IsTrue(predicate_) ? condition : tir::And(predicate_, condition);
  }

  void Define(const tir::Var& var, const ir::Range& range) override {
    defined_.push_back(var);
    if (!IsData(range->min) && !IsData(range->extent)) ranges_.Set(var, range);
  }

  void Define(const tir::Var& var, const PrimExpr& value) override {
    defined_.push_back(var);
    if (IsIndex(var->dtype) && !IsData(value)) known_->BindValue(var, value);
  }

  void VisitBlock(const tir::BlockNode* op) override {
    for (const tir::MatchBufferRegion& match : op->match_buffers) {
      if (match->source->buffer.same_as(buffer_)) Touch(match->source->region);
    }
    if (op->init.has_value()) VisitStmt(op->init.value());
    VisitStmt(op->body);
  }

 private:
  bool IsData(const PrimExpr& expr) { return arith::IsData(known_, expr); }

  void Touch(const ffi::Array<PrimExpr>& indices) {
    ffi::Array<ir::Range> region;
    for (size_t i = 0; i < indices.size(); ++i) {
      const PrimExpr index = known_->Simplify(indices[i]);
      if (!ir::IsScalar(index->dtype)) return TouchLanes(indices);
      region.push_back(ir::Range(index, MakeInt(index->dtype, 1)));
    }
    Touch(region);
  }

  void Touch(const ffi::Array<ir::Range>& region) {
    ffi::Array<ir::Range> simple;
    for (const ir::Range& range : region) {
      simple.push_back(ir::Range(known_->Simplify(range->min), known_->Simplify(range->extent)));
    }
    Unite(estimate_region_upper_bound(simple, ranges_, known_->Simplify(predicate_), known_));
  }

  /*! \brief Touch what indices of vectors and scalars do. */
  void TouchLanes(const ffi::Array<PrimExpr>& indices) {
    Domains domains;
    for (const auto& [var, range] : ranges_) domains.Set(var, set_of_range(range));
    ffi::Array<IntSet> sets;
    {
      const ConstraintScope scope(known_);
      known_->Assume(predicate_);
      for (const PrimExpr& index : indices) sets.push_back(eval_set(index, domains, known_));
    }
    Unite(sets);
  }

  void TouchAll() {
    ffi::Array<IntSet> all;
    for (const PrimExpr& extent : buffer_->shape) {
      all.push_back(set_of_range(ir::Range(MakeInt(extent->dtype, 0), extent)));
    }
    Unite(all);
  }

  void Unite(const ffi::Array<IntSet>& sets) {
    // Where one dimension is empty, the access is never made.
    for (const IntSet& set : sets) {
      if (set->IsNothing()) return;
    }
    DependenceFinder is_defined(defined_);
    const auto outside = [&](const ffi::Optional<PrimExpr>& end) -> ffi::Optional<PrimExpr> {
      if (!end.has_value() || is_defined(end.value()) || IsData(end.value())) return std::nullopt;
      return end;
    };
    ffi::Array<IntSet> all;
    for (size_t i = 0; i < sets.size(); ++i) {
      const IntSet set(outside(sets[i]->min_value), outside(sets[i]->max_value));
      all.push_back(touched_.empty() ? set : union_sets({touched_[i], set}, known_));
    }
    touched_ = all;
  }

  Analyzer known_;
  tir::Buffer buffer_;
  bool has_loads_;
  bool has_stores_;
  Ranges ranges_;
  PrimExpr predicate_ = MakeBool(true);
  /*! \brief The variables that the statement defines, as far as they are in scope. */
  std::vector<tir::Var> defined_;
  ffi::Array<IntSet> touched_;
};

}  // namespace

ffi::Array<IntSet> domain_touched(tir::Stmt stmt, tir::Buffer buffer, bool consider_loads,
                                  bool consider_stores, ffi::Optional<Analyzer> analyzer) {
  if (!consider_loads && !consider_stores) {
    TVM_FFI_THROW(ValueError) << "domain_touched: `consider_loads` or `consider_stores` must be "
                              << "True";
  }
  const Analyzer known = analyzer.value_or(Analyzer());
  const ConstraintScope scope(known);
  TouchedDomain touched(known, buffer, consider_loads, consider_stores);
  touched.VisitStmt(stmt);
  return touched.sets();
}

}  // namespace uir::arith
