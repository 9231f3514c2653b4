// The facts of an analyzer, and the end of a scope of them.
#include "./constraint_set.h"

#include <tvm/ffi/error.h>

#include "./const_fold.h"

namespace uir::arith {

void ConstraintSet::SetVar(VarFacts facts) {
  has_data_ = has_data_ || facts.is_data;
  const size_t place = vars_.Find(facts.var.get());
  const bool is_new = place == vars_.size();
  if (!is_new && facts_of_vars_[place] == facts) return;
  version_ = ++num_versions_;
  if (!marks_.empty()) {
    changes_.emplace_back(facts.var, is_new ? std::nullopt : std::optional(facts_of_vars_[place]));
  }
  if (is_new) {
    vars_.Add(facts.var);
    facts_of_vars_.push_back(std::move(facts));
  } else {
    facts_of_vars_[place] = std::move(facts);
  }
}

Interval ConstraintSet::BoundOf(const ir::PrimExpr& expr) const {
  Interval bound;
  for (const auto& [known, known_bound] : bounds_) {
    if (IsSame(known, expr)) bound = Intersect(bound, known_bound);
  }
  return bound;
}

void ConstraintSet::Enter() {
  marks_.push_back({facts_.size(), non_negative_.size(), non_zero_.size(), bounds_.size(),
                    changes_.size(), version_});
}

void ConstraintSet::Leave() {
  if (marks_.empty()) TVM_FFI_THROW(ValueError) << "no constraint has been entered";
  const Mark mark = marks_.back();
  marks_.pop_back();
  version_ = mark.version;
  const auto keep = [](size_t size, auto* facts) {
    facts->erase(facts->begin() + static_cast<std::ptrdiff_t>(size), facts->end());
  };
  keep(mark.num_facts, &facts_);
  keep(mark.num_non_negative, &non_negative_);
  keep(mark.num_non_zero, &non_zero_);
  keep(mark.num_bounds, &bounds_);
  while (changes_.size() > mark.num_changes) {
    auto& [var, before] = changes_.back();
    // A variable without earlier facts is the last one: those after it have been removed.
    if (before) {
      facts_of_vars_[vars_.Find(var.get())] = std::move(*before);
    } else {
      vars_.RemoveLast();
      facts_of_vars_.pop_back();
    }
    changes_.pop_back();
  }
}

}  // namespace uir::arith
