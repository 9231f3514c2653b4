// Divisions of iterator maps into those of outer and those of inner variables.
//
// The inner index is the index with the first values of the outer variables. The outer index is the
// rest of the index with the first values of the inner variables. They are a division if together
// they give the index, which the analyzer proves; the index may have any form.
#include <tvm/ffi/error.h>
#include <uir/arith/constraint.h>
#include <uir/arith/iter_map.h>
#include <uir/tir/arith.h>
#include <uir/tir/logic.h>
#include <uir/tir/prim_expr_functor.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "./condition_solver.h"
#include "./const_fold.h"
#include "./linear_parts.h"
#include "./memo_table.h"

namespace uir::arith {

using ir::PrimExpr;

namespace {

using Ranges = ffi::Map<tir::Var, ir::Range>;

/*! \brief Some of the input variables. */
struct Space {
  Ranges ranges;
  PrimExpr predicate = MakeBool(true);
};

/*! \brief Replaces each variable by the first value of its range. */
class FirstValues : public tir::PrimExprMutator {
 public:
  explicit FirstValues(const Ranges& ranges) : ranges_(ranges) {}

  PrimExpr VisitPrimExpr(PrimExpr expr) override {
    if (const PrimExpr* known = memo_.Find(expr)) return *known;
    PrimExpr result = PrimExprMutator::VisitPrimExpr(expr);
    memo_.Add(expr, result);
    return result;
  }

 protected:
  PrimExpr VisitVar(const tir::VarNode* op) override {
    const tir::Var var = ffi::GetRef<tir::Var>(op);
    const auto found = ranges_.find(var);
    return found == ranges_.end() ? PrimExpr(var) : (*found).second->min;
  }

 private:
  const Ranges& ranges_;
  MemoTable<PrimExpr> memo_;
};

std::vector<tir::Var> OthersOf(const Ranges& domains, const ffi::Array<tir::Var>& vars) {
  std::vector<tir::Var> others;
  for (const auto& [var, range] : domains) {
    if (std::none_of(vars.begin(), vars.end(),
                     [&](const tir::Var& other) { return other.same_as(var); }))
      others.push_back(var);
  }
  return others;
}

class SubspaceDivider {
 public:
  SubspaceDivider(const Analyzer& known, const Ranges& domains,
                  const ffi::Array<tir::Var>& inner_vars, ffi::String check_level,
                  bool simplify_trivial_iterators)
      : known_(known),
        check_level_(std::move(check_level)),
        is_trivial_simplified_(simplify_trivial_iterators),
        is_inner_({inner_vars.begin(), inner_vars.end()}),
        is_outer_(OthersOf(domains, inner_vars)) {
    for (const auto& [var, range] : domains) {
      (is_inner_(var) ? inner_ : outer_).ranges.Set(var, range);
    }
  }

  SubspaceDivision Divide(const ffi::Array<PrimExpr>& indices, const PrimExpr& predicate) {
    const ConstraintScope scope(known_);
    BindRanges();
    if (!DividePredicate(predicate)) return Failed("a condition is on outer and inner variables");
    ffi::Array<PrimExpr> inner_indices;
    for (const PrimExpr& index : indices) inner_indices.push_back(At(outer_, index));
    const ffi::Array<IterSumExpr> inner = Detect(inner_indices, inner_);
    if (inner.size() < indices.size()) return Failed("the inner indices are not an iterator map");
    ffi::Array<IterMark> inner_marks;
    ffi::Array<PrimExpr> outer_indices;
    for (size_t i = 0; i < indices.size(); ++i) {
      const std::optional<IterMark> mark = Dense(inner[i]);
      if (!mark) return Failed("an inner index has steps");
      const std::optional<PrimExpr> outer = OuterOf(indices[i], inner_indices[i], (*mark)->extent);
      if (!outer)
        return Failed("an index is not a multiple of its inner extent, plus the inner index");
      inner_marks.push_back(*mark);
      outer_indices.push_back(*outer);
    }
    const ffi::Array<IterSumExpr> outer = Detect(outer_indices, outer_);
    if (outer.size() < indices.size()) return Failed("the outer indices are not an iterator map");
    ffi::Array<IterMark> outer_marks;
    for (const IterSumExpr& sum : outer) {
      const std::optional<IterMark> mark = Dense(sum);
      if (!mark) return Failed("an outer index has steps");
      outer_marks.push_back(*mark);
    }
    return SubspaceDivision(outer_marks, inner_marks, outer_.predicate, inner_.predicate, {});
  }

  static SubspaceDivision Failed(const std::string& message) {
    const PrimExpr always = MakeBool(true);
    return SubspaceDivision({}, {}, always, always, {ffi::String(message)});
  }

 private:
  void BindRanges() {
    for (const Space* space : {&outer_, &inner_}) {
      for (const auto& [var, range] : space->ranges) {
        // A variable of one value stays where it is not to be replaced.
        const bool is_kept = !is_trivial_simplified_ && IntConstOf(range->extent) == 1;
        const PrimExpr extent = is_kept ? MakeInt(var->dtype, 2) : range->extent;
        known_->BindRange(var, ir::Range(range->min, extent));
      }
    }
  }

  /*! \brief An expression where the variables of a space have their first values. */
  static PrimExpr At(const Space& space, const PrimExpr& expr) {
    return FirstValues(space.ranges).VisitPrimExpr(expr);
  }

  bool DividePredicate(const PrimExpr& predicate) {
    if (IsTrue(predicate)) return true;
    const std::optional<std::vector<Comparison>> comparisons = ComparisonsOf(predicate);
    if (!comparisons) return false;
    for (const Comparison& comparison : *comparisons) {
      PrimExpr condition = MakeBinary(comparison.op, comparison.a, comparison.b, std::nullopt);
      // The others keep the form that they have in the indices.
      if (is_outer_(condition) && is_inner_(condition)) condition = known_->Simplify(condition);
      if (is_outer_(condition) && is_inner_(condition)) return false;
      if (known_->CanProve(condition)) continue;
      PrimExpr& all = (is_inner_(condition) ? inner_ : outer_).predicate;
      all = IsTrue(all) ? condition : tir::And(all, condition);
    }
    return true;
  }

  /*! \brief Indices of a space as iterators, simplified or as they are; empty if they are none. */
  ffi::Array<IterSumExpr> Detect(const ffi::Array<PrimExpr>& indices, const Space& space) {
    const auto detect = [&](const ffi::Array<PrimExpr>& forms) {
      return detect_iter_map(forms, space.ranges, space.predicate, check_level_,
                             is_trivial_simplified_, known_)
          ->indices;
    };
    ffi::Array<PrimExpr> simple;
    for (const PrimExpr& index : indices) simple.push_back(known_->Simplify(index));
    const ffi::Array<IterSumExpr> found = detect(simple);
    // A condition may be on a sum that is simplified away.
    return found.empty() ? detect(indices) : found;
  }

  /*! \brief The iterator of all integers from the base of a sum; none if it leaves some out. */
  static std::optional<IterMark> Dense(const IterSumExpr& sum) {
    if (sum->args.empty()) return IterMark(sum, MakeInt(sum->base->dtype, 1));
    const IterSplitExpr& term = sum->args[0];
    if (IntConstOf(term->scale) != 1) return std::nullopt;
    return IterMark(sum, term->extent);
  }

  /*! \brief The index over the other variables; none if it is not proved to be one. */
  std::optional<PrimExpr> OuterOf(const PrimExpr& index, const PrimExpr& inner,
                                  const PrimExpr& extent) {
    const PrimExpr zero = MakeInt(extent->dtype, 0);
    if (known_->BoundOf(extent).min < 1 && !known_->CanProveLess(zero, extent)) return std::nullopt;
    const PrimExpr first = At(outer_, At(inner_, index));
    const PrimExpr rest = MakeBinary(Case::kSub, At(inner_, index), first, std::nullopt);
    const PrimExpr outer = MakeBinary(Case::kFloorDiv, rest, extent, std::nullopt);
    const PrimExpr product = MakeBinary(Case::kMul, outer, extent, std::nullopt);
    const PrimExpr again = MakeBinary(Case::kAdd, product, inner, std::nullopt);
    if (!known_->CanProveEqual(index, again)) return std::nullopt;
    return outer;
  }

  Analyzer known_;
  ffi::String check_level_;
  bool is_trivial_simplified_;
  DependenceFinder is_inner_;
  DependenceFinder is_outer_;
  Space outer_;
  Space inner_;
};

}  // namespace

SubspaceDivision subspace_divide(ffi::Array<PrimExpr> indices, Ranges domains,
                                 ffi::Array<tir::Var> inner_vars, ffi::Optional<PrimExpr> predicate,
                                 ffi::String check_level, bool simplify_trivial_iterators,
                                 ffi::Optional<Analyzer> analyzer) {
  for (const tir::Var& var : inner_vars) {
    if (domains.count(var) != 0) continue;
    TVM_FFI_THROW(ValueError) << "subspace_divide: `" << var->name
                              << "` of `inner_vars` has no range";
  }
  const Analyzer known = analyzer.value_or(Analyzer());
  const IterMapResult whole =
      detect_iter_map(indices, domains, predicate, check_level, simplify_trivial_iterators, known);
  if (!whole->errors.empty()) return SubspaceDivider::Failed(whole->errors[0]);
  SubspaceDivider divider(known, domains, inner_vars, check_level, simplify_trivial_iterators);
  return divider.Divide(indices, predicate.value_or(MakeBool(true)));
}

}  // namespace uir::arith
