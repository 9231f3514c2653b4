/*!
 * \file constraint_set.h
 * \brief The facts of an analyzer about variables and conditions.
 */
#ifndef UIR_ARITH_CONSTRAINT_SET_H_
#define UIR_ARITH_CONSTRAINT_SET_H_

#include <tvm/ffi/optional.h>
#include <uir/arith/integer_domain.h>
#include <uir/ir/expr.h>
#include <uir/tir/var.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "./linear_form.h"
#include "./node_index.h"

namespace uir::arith {

/*! \brief The facts about a variable. */
struct VarFacts {
  /*! \brief How many values of it are sampled. */
  static constexpr size_t kNumPoints = 2;

  tir::Var var;
  Interval bound = {};
  Congruence congruence = {};
  /*! \brief The value that replaces it. */
  ffi::Optional<ir::PrimExpr> value = std::nullopt;
  /*! \brief Whether sums of it may wrap around. */
  bool is_data = false;
  /*! \brief The condition that a boolean is bound to. */
  ffi::Optional<ir::PrimExpr> condition = std::nullopt;
  /*! \brief Values in its range, which `SamplePoints` chooses. */
  std::array<int64_t, kNumPoints> samples = {};
  bool is_sampled = false;

  bool operator==(const VarFacts& other) const {
    return bound == other.bound && congruence == other.congruence && value.same_as(other.value) &&
           is_data == other.is_data && condition.same_as(other.condition) &&
           samples == other.samples && is_sampled == other.is_sampled;
  }
};

/*! \brief A condition or its negation. */
struct Fact {
  ir::PrimExpr condition;
  bool holds;
};

/*! \brief A stack of facts, with scopes. */
class ConstraintSet {
 public:
  /*! \brief The facts about a variable; null if there are none. */
  const VarFacts* Find(const tir::VarNode* var) const {
    const size_t place = vars_.Find(var);
    return place == vars_.size() ? nullptr : &facts_of_vars_[place];
  }

  /*! \brief Replace the facts about a variable. */
  void SetVar(VarFacts facts);

  void AddFact(Fact fact) { Add(std::move(fact), &facts_); }
  /*! \brief State that a sum is not negative. */
  void AddNonNegative(LinearForm form) { Add(std::move(form), &non_negative_); }
  /*! \brief State that a sum is not 0. */
  void AddNonZero(LinearForm form) { Add(std::move(form), &non_zero_); }
  /*! \brief State the bounds of an expression other than a variable. */
  void AddBound(ir::PrimExpr expr, Interval bound) {
    Add(std::pair(std::move(expr), bound), &bounds_);
  }

  const std::vector<Fact>& facts() const { return facts_; }
  const std::vector<LinearForm>& non_negative() const { return non_negative_; }
  const std::vector<LinearForm>& non_zero() const { return non_zero_; }
  /*! \brief The stated bounds of expressions other than variables. */
  const std::vector<std::pair<ir::PrimExpr, Interval>>& bounds() const { return bounds_; }

  /*! \brief The stated bounds of an expression other than a variable. */
  Interval BoundOf(const ir::PrimExpr& expr) const;
  bool HasBounds() const { return !bounds_.empty(); }
  /*! \brief Whether any variable is, or has been, data. */
  bool HasData() const { return has_data_; }

  /*! \brief A number that identifies the set of facts: each change gives a new one, and the end of
   * a scope restores the old one. */
  int64_t version() const { return version_; }

  /*! \brief Begin a scope, which `Leave` ends. */
  void Enter();
  /*! \throws ValueError if there is no scope to leave. */
  void Leave();

 private:
  struct Mark {
    size_t num_facts;
    size_t num_non_negative;
    size_t num_non_zero;
    size_t num_bounds;
    size_t num_changes;
    int64_t version;
  };

  template <typename T>
  void Add(T fact, std::vector<T>* facts) {
    facts->push_back(std::move(fact));
    version_ = ++num_versions_;
  }

  NodeIndex vars_;
  /*! \brief The facts about each variable, by its index in `vars_`. */
  std::vector<VarFacts> facts_of_vars_;
  bool has_data_ = false;
  std::vector<Fact> facts_;
  std::vector<LinearForm> non_negative_;
  std::vector<LinearForm> non_zero_;
  std::vector<std::pair<ir::PrimExpr, Interval>> bounds_;
  /*! \brief The facts about variables before a scope changed them. */
  std::vector<std::pair<tir::Var, std::optional<VarFacts>>> changes_;
  std::vector<Mark> marks_;
  int64_t version_ = 0;
  int64_t num_versions_ = 0;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_CONSTRAINT_SET_H_
