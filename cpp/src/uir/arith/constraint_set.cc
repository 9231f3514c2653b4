// What an analyzer has been told, and how it forgets.
#include "./constraint_set.h"

#include <tvm/ffi/error.h>

#include "./const_fold.h"

namespace uir::arith {

void ConstraintSet::SetVar(VarFacts facts) {
  const tir::VarNode* var = facts.var.get();
  has_data_ = has_data_ || facts.is_data;
  const auto found = vars_.find(var);
  if (found != vars_.end() && found->second == facts) return;
  version_ = ++num_versions_;
  if (!marks_.empty()) {
    changes_.emplace_back(
        facts.var, found == vars_.end() ? std::nullopt : std::optional<VarFacts>(found->second));
  }
  if (found == vars_.end()) {
    vars_.emplace(var, std::move(facts));
  } else {
    found->second = std::move(facts);
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
  facts_.erase(facts_.begin() + static_cast<std::ptrdiff_t>(mark.num_facts), facts_.end());
  non_negative_.erase(non_negative_.begin() + static_cast<std::ptrdiff_t>(mark.num_non_negative),
                      non_negative_.end());
  non_zero_.erase(non_zero_.begin() + static_cast<std::ptrdiff_t>(mark.num_non_zero),
                  non_zero_.end());
  bounds_.erase(bounds_.begin() + static_cast<std::ptrdiff_t>(mark.num_bounds), bounds_.end());
  while (changes_.size() > mark.num_changes) {
    auto& [var, before] = changes_.back();
    vars_.erase(var.get());
    if (before) vars_.emplace(var.get(), std::move(*before));
    changes_.pop_back();
  }
}

}  // namespace uir::arith
