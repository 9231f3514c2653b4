// Conditions as conjunctions of disjunctions (conjunctive normal form), simplified by each other.
#include "./and_of_ors.h"

#include <tschema/structural_equal.h>
#include <tvm/ffi/cast.h>
#include <uir/arith/constraint.h>
#include <uir/ir/dtype.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/logic.h>
#include <uir/tir/logic_op.h>
#include <uir/transform/linear_mutator.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "./total_expr.h"

namespace uir::transform {

namespace {

using ir::PrimExpr;

/*! \brief A disjunction of conditions; none of them is `and` or `or`. */
using Clause = std::vector<PrimExpr>;
/*! \brief A conjunction of clauses; an empty one is true. */
using Clauses = std::vector<Clause>;

/*! \brief The maximal number of conditions in all clauses together. */
constexpr size_t kMostAtoms = 64;
constexpr int kMostFormulaDepth = 32;

class Converter {
 public:
  explicit Converter(const arith::Analyzer& analyzer) : analyzer_(analyzer) {}

  /*! \brief The clauses of a condition, or of its negation; `nullopt` if there are too many. */
  std::optional<Clauses> ClausesOf(const PrimExpr& expr, bool value, int depth) {
    if (depth == 0) return std::nullopt;
    if (const auto* op = expr.as<tir::NotNode>()) return ClausesOf(op->a, !value, depth - 1);
    const bool is_and = expr->IsInstance<tir::AndNode>();
    if (!is_and && !expr->IsInstance<tir::OrNode>()) return AtomOf(expr, value);
    const auto* op = static_cast<const tir::LogicalOpNode*>(expr.get());
    std::optional<Clauses> a = ClausesOf(op->a, value, depth - 1);
    std::optional<Clauses> b = ClausesOf(op->b, value, depth - 1);
    if (!a || !b) return std::nullopt;
    Clauses result = is_and == value ? Joined(*std::move(a), *b) : Distributed(*a, *b);
    if (NumAtoms(result) > kMostAtoms) return std::nullopt;
    return result;
  }

  /*! \brief Drop implied conditions and clauses until nothing changes. */
  Clauses Simplify(Clauses clauses) {
    for (bool is_changed = true; is_changed;) {
      const size_t before = NumAtoms(clauses);
      for (Clause& clause : clauses) DropImpliedAtoms(&clause);
      MergeClauses(&clauses);
      DropImpliedClauses(&clauses);
      is_changed = NumAtoms(clauses) < before;
    }
    return clauses;
  }

 private:
  Clauses AtomOf(const PrimExpr& expr, bool value) {
    const PrimExpr atom = value ? expr : analyzer_->Simplify(tir::logical_not(expr));
    const std::optional<int64_t> known = tir::IntConstOf(atom);
    if (!known) return {{atom}};
    return *known != 0 ? Clauses{} : Clauses{Clause{}};
  }

  static Clauses Joined(Clauses a, const Clauses& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }

  static Clauses Distributed(const Clauses& a, const Clauses& b) {
    Clauses result;
    for (const Clause& left : a) {
      for (const Clause& right : b) {
        Clause both = left;
        both.insert(both.end(), right.begin(), right.end());
        result.push_back(std::move(both));
      }
    }
    return result;
  }

  static size_t NumAtoms(const Clauses& clauses) {
    size_t count = 0;
    for (const Clause& clause : clauses) count += 1 + clause.size();
    return count;
  }

  bool Implies(const PrimExpr& a, const PrimExpr& b) {
    if (tschema::StructuralEqual(a, b)) return true;
    const arith::ConstraintScope scope(analyzer_, a);
    return analyzer_->CanProve(b);
  }

  /*! \brief Drop each condition of a disjunction that implies another one. */
  void DropImpliedAtoms(Clause* clause) {
    for (size_t i = 0; i < clause->size(); ++i) {
      const bool is_implied =
          HasOther(*clause, i, [&](const PrimExpr& other) { return Implies((*clause)[i], other); });
      if (is_implied) clause->erase(clause->begin() + static_cast<int64_t>(i--));
    }
  }

  template <typename F>
  static bool HasOther(const Clause& clause, size_t index, F holds) {
    for (size_t i = 0; i < clause.size(); ++i) {
      if (i != index && holds(clause[i])) return true;
    }
    return false;
  }

  /*! \brief Merge clauses that differ in one condition, if both simplify to one condition. */
  void MergeClauses(Clauses* clauses) {
    for (size_t i = 0; i < clauses->size(); ++i) {
      for (size_t j = i + 1; j < clauses->size(); ++j) {
        std::optional<Clause> merged = Merged((*clauses)[i], (*clauses)[j]);
        if (!merged) continue;
        (*clauses)[i] = *std::move(merged);
        clauses->erase(clauses->begin() + static_cast<int64_t>(j--));
      }
    }
  }

  std::optional<Clause> Merged(const Clause& a, const Clause& b) {
    if (a.size() != b.size()) return std::nullopt;
    const std::optional<size_t> in_a = OnlyMissing(a, b);
    const std::optional<size_t> in_b = OnlyMissing(b, a);
    if (!in_a || !in_b) return std::nullopt;
    const PrimExpr both = analyzer_->Simplify(tir::And(a[*in_a], b[*in_b]));
    if (both->IsInstance<tir::AndNode>() || both->IsInstance<tir::OrNode>()) return std::nullopt;
    Clause merged = a;
    merged[*in_a] = both;
    if (tir::IntConstOf(both) == 0) merged.erase(merged.begin() + static_cast<int64_t>(*in_a));
    return merged;
  }

  /*! \brief The index of the only condition of `a` that `b` lacks. */
  static std::optional<size_t> OnlyMissing(const Clause& a, const Clause& b) {
    std::optional<size_t> missing;
    for (size_t i = 0; i < a.size(); ++i) {
      const bool is_there = std::any_of(b.begin(), b.end(), [&](const PrimExpr& other) {
        return tschema::StructuralEqual(a[i], other);
      });
      if (is_there) continue;
      if (missing) return std::nullopt;
      missing = i;
    }
    return missing;
  }

  /*! \brief Drop clauses that are true or implied by another one. */
  void DropImpliedClauses(Clauses* clauses) {
    for (size_t i = 0; i < clauses->size(); ++i) {
      bool is_implied = IsTrue((*clauses)[i]);
      for (size_t j = 0; !is_implied && j < clauses->size(); ++j) {
        is_implied = i != j && ImpliesClause((*clauses)[j], (*clauses)[i]);
      }
      if (is_implied) clauses->erase(clauses->begin() + static_cast<int64_t>(i--));
    }
  }

  bool ImpliesClause(const Clause& a, const Clause& b) {
    return std::all_of(a.begin(), a.end(), [&](const PrimExpr& part) {
      return std::any_of(b.begin(), b.end(),
                         [&](const PrimExpr& other) { return Implies(part, other); });
    });
  }

  /*! \brief Whether the negation of one condition of a clause implies another condition. */
  bool IsTrue(const Clause& clause) {
    for (size_t i = 0; i < clause.size(); ++i) {
      const PrimExpr negation = analyzer_->Simplify(tir::logical_not(clause[i]));
      if (HasOther(clause, i, [&](const PrimExpr& other) { return Implies(negation, other); })) {
        return true;
      }
    }
    return false;
  }

  const arith::Analyzer& analyzer_;
};

PrimExpr FromClauses(const Clauses& clauses, const ffi::Optional<ir::Span>& span) {
  PrimExpr result = ir::IntImm(ir::BoolType(), 1, span);
  for (const Clause& clause : clauses) {
    PrimExpr any = ir::IntImm(ir::BoolType(), 0, span);
    for (const PrimExpr& atom : clause) any = tir::logical_or(any, atom, span);
    result = tir::logical_and(result, any, span);
  }
  return result;
}

/*! \brief Visits the outermost logic of an expression. */
class LogicConverter : public LinearMutator {
 public:
  explicit LogicConverter(const arith::Analyzer& analyzer) : analyzer_(analyzer) {}

 protected:
  PrimExpr VisitAnd(const tir::AndNode* op) override { return Converted(op); }
  PrimExpr VisitOr(const tir::OrNode* op) override { return Converted(op); }
  PrimExpr VisitNot(const tir::NotNode* op) override {
    const bool is_logic = op->a->IsInstance<tir::AndNode>() || op->a->IsInstance<tir::OrNode>();
    return is_logic ? Converted(op) : LinearMutator::VisitNot(op);
  }

 private:
  PrimExpr Converted(const ir::PrimExprNode* op) {
    const auto expr = ffi::GetRef<PrimExpr>(op);
    if (!ir::IsScalar(expr->dtype) || !IsTotalHere(expr, analyzer_)) return expr;
    Converter converter(analyzer_);
    const std::optional<Clauses> clauses = converter.ClausesOf(expr, true, kMostFormulaDepth);
    if (!clauses) return expr;
    PrimExpr result = FromClauses(converter.Simplify(*clauses), expr->span);
    return tschema::StructuralEqual(result, expr) ? expr : result;
  }

  const arith::Analyzer& analyzer_;
};

}  // namespace

PrimExpr ToAndOfOrs(const PrimExpr& expr, const arith::Analyzer& analyzer) {
  return LogicConverter(analyzer).VisitPrimExpr(expr);
}

}  // namespace uir::transform
