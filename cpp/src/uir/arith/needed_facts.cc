// The facts of an analyzer that a conclusion depends on.
#include "./needed_facts.h"

#include <uir/tir/expr.h>
#include <uir/tir/logic.h>
#include <uir/tir/prim_expr_functor.h>

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "./analyzer_state.h"
#include "./const_fold.h"

namespace uir::arith {

namespace {

using ir::PrimExpr;
using Condition = std::optional<PrimExpr>;

/*! \brief Collects variables, each once, in order of their first occurrence. */
class VarCollector : public tir::PrimExprVisitor {
 public:
  std::vector<const tir::VarNode*> vars;

  void Add(const LinearForm& form) {
    for (const LinearTerm& term : form.terms) VisitPrimExpr(term.atom);
  }

 protected:
  void VisitVar(const tir::VarNode* op) override {
    if (seen_.insert(op).second) vars.push_back(op);
  }

 private:
  std::unordered_set<const tir::VarNode*> seen_;
};

PrimExpr Compare(Case op, const PrimExpr& a, int64_t b) {
  return MakeBinary(op, a, MakeInt(a->dtype, b), std::nullopt);
}

Condition ConditionOf(const PrimExpr& expr, Interval bound) {
  if (bound.IsPoint()) return Compare(Case::kEQ, expr, bound.min);
  Condition low;
  if (bound.min != Interval::kNegInf) low = Compare(Case::kGE, expr, bound.min);
  if (bound.max == Interval::kPosInf) return low;
  const PrimExpr high = Compare(Case::kLE, expr, bound.max);
  return low ? MakeBinary(Case::kAnd, *low, high, std::nullopt) : high;
}

/*! \brief A comparison of a sum with 0, with negative terms moved to the other side. */
Condition ConditionOf(Case op, const LinearForm& form) {
  if (form.terms.empty()) return std::nullopt;
  const std::optional<PrimExpr> sum = ToExpr(form, form.terms[0].atom->dtype, std::nullopt);
  if (!sum) return std::nullopt;
  State nothing;
  return nothing.rewriter.Simplify(Compare(op, *sum, 0), Means::kAll);
}

Condition ConditionOf(const VarFacts& facts) {
  const PrimExpr& var = facts.var;
  const ffi::Optional<PrimExpr>& value = facts.value.has_value() ? facts.value : facts.condition;
  if (value.has_value()) return MakeBinary(Case::kEQ, var, value.value(), std::nullopt);
  if (facts.congruence.coeff == 1) return ConditionOf(var, facts.bound);
  const PrimExpr coeff = MakeInt(var->dtype, facts.congruence.coeff);
  const PrimExpr rest = MakeBinary(Case::kFloorMod, var, coeff, std::nullopt);
  return Compare(Case::kEQ, rest, facts.congruence.base);
}

void AddTo(const VarFacts& one, ConstraintSet* facts) {
  const VarFacts* known = facts->Find(one.var.get());
  VarFacts all = known == nullptr ? VarFacts{one.var} : *known;
  all.bound = Intersect(all.bound, one.bound);
  all.congruence = Intersect(all.congruence, one.congruence);
  if (one.value.has_value()) all.value = one.value;
  if (one.condition.has_value()) all.condition = one.condition;
  all.is_data = all.is_data || one.is_data;
  facts->SetVar(std::move(all));
}

/*! \brief A fact that can be left out. */
struct Item {
  std::function<void(ConstraintSet*)> add_to;
  std::function<Condition()> condition;
};

/*! \brief The facts that have to do with an expression. */
class Collection {
 public:
  Collection(const ConstraintSet& known, const PrimExpr& expr) : known_(known) {
    about_.VisitPrimExpr(expr);
    for (size_t num_items = 0, num_vars = 0; true;) {
      while (num_vars < about_.vars.size()) AddVar(about_.vars[num_vars++]);
      AddOthers();
      if (items.size() == num_items && num_vars == about_.vars.size()) return;
      num_items = items.size();
    }
  }

  std::vector<Item> items;
  /*! \brief Which variables are data: that allows less, and is never left out. */
  std::vector<VarFacts> data;

 private:
  /*! \brief Add each thing that is known of a variable as one fact. */
  void AddVar(const tir::VarNode* var) {
    const VarFacts* facts = known_.Find(var);
    if (facts == nullptr) return;
    if (facts->is_data) {
      data.push_back({facts->var});
      data.back().is_data = true;
    }
    const auto add = [&](auto set) {
      VarFacts one{facts->var};
      set(&one);
      if (!(one == VarFacts{facts->var})) AddVarItem(std::move(one));
    };
    add([&](VarFacts* one) { one->bound.min = facts->bound.min; });
    add([&](VarFacts* one) { one->bound.max = facts->bound.max; });
    add([&](VarFacts* one) { one->congruence = facts->congruence; });
    add([&](VarFacts* one) { one->value = facts->value; });
    add([&](VarFacts* one) { one->condition = facts->condition; });
  }

  void AddVarItem(VarFacts one) {
    for (const ffi::Optional<PrimExpr>& value : {one.value, one.condition}) {
      if (value.has_value()) about_.VisitPrimExpr(value.value());
    }
    items.push_back(
        {[one](ConstraintSet* facts) { AddTo(one, facts); }, [one] { return ConditionOf(one); }});
  }

  /*! \brief Add the other facts, as far as they are about the variables. */
  void AddOthers() {
    const auto collect = [this](const auto& all, std::vector<bool>* is_in, auto visit, auto add) {
      is_in->resize(all.size());
      for (size_t i = 0; i < all.size(); ++i) {
        if ((*is_in)[i] || !IsAbout([&](VarCollector* vars) { visit(all[i], vars); })) continue;
        (*is_in)[i] = true;
        visit(all[i], &about_);
        items.push_back(add(all[i]));
      }
    };
    const auto of_form = [](const LinearForm& form, VarCollector* vars) { vars->Add(form); };
    collect(
        known_.facts(), &has_fact_,
        [](const Fact& fact, VarCollector* vars) { vars->VisitPrimExpr(fact.condition); },
        [](const Fact& fact) {
          return Item{[fact](ConstraintSet* facts) { facts->AddFact(fact); },
                      [fact]() -> Condition {
                        if (fact.holds) return fact.condition;
                        return tir::Not(fact.condition);
                      }};
        });
    collect(known_.non_negative(), &has_non_negative_, of_form, [](const LinearForm& form) {
      return Item{[form](ConstraintSet* facts) { facts->AddNonNegative(form); },
                  [form] { return ConditionOf(Case::kGE, form); }};
    });
    collect(known_.non_zero(), &has_non_zero_, of_form, [](const LinearForm& form) {
      return Item{[form](ConstraintSet* facts) { facts->AddNonZero(form); },
                  [form] { return ConditionOf(Case::kNE, form); }};
    });
    using Bound = std::pair<PrimExpr, Interval>;
    collect(
        known_.bounds(), &has_bound_,
        [](const Bound& bound, VarCollector* vars) { vars->VisitPrimExpr(bound.first); },
        [](const Bound& bound) {
          return Item{[bound](ConstraintSet* facts) { facts->AddBound(bound.first, bound.second); },
                      [bound] { return ConditionOf(bound.first, bound.second); }};
        });
  }

  template <typename Visit>
  bool IsAbout(Visit visit) const {
    VarCollector vars;
    visit(&vars);
    const auto is_about = [this](const tir::VarNode* var) {
      return std::find(about_.vars.begin(), about_.vars.end(), var) != about_.vars.end();
    };
    return std::any_of(vars.vars.begin(), vars.vars.end(), is_about);
  }

  const ConstraintSet& known_;
  VarCollector about_;
  std::vector<bool> has_fact_;
  std::vector<bool> has_non_negative_;
  std::vector<bool> has_non_zero_;
  std::vector<bool> has_bound_;
};

}  // namespace

ffi::Array<PrimExpr> NeededFacts(const ConstraintSet& known, const PrimExpr& expr,
                                 const std::function<bool(const ConstraintSet&)>& holds) {
  const Collection all(known, expr);
  std::vector<Item> items;
  const auto still_holds = [&] {
    ConstraintSet facts;
    for (const VarFacts& var : all.data) AddTo(var, &facts);
    for (const Item& item : items) item.add_to(&facts);
    return holds(facts);
  };
  ffi::Array<PrimExpr> conditions;
  if (all.items.empty() || still_holds()) return conditions;
  items = all.items;
  const bool may_shrink = still_holds();
  // Drop the latest facts first: early ones, such as ranges, explain more.
  for (size_t i = items.size(); may_shrink && i-- > 0;) {
    const auto place = items.begin() + static_cast<std::ptrdiff_t>(i);
    const Item item = *place;
    items.erase(place);
    if (!still_holds()) items.insert(items.begin() + static_cast<std::ptrdiff_t>(i), item);
  }
  for (const Item& item : items) {
    if (const Condition condition = item.condition()) conditions.push_back(*condition);
  }
  return conditions;
}

}  // namespace uir::arith
