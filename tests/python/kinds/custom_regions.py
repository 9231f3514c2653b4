"""What a user writes by hand in the headers of the package: custom regions, by the block."""

from __future__ import annotations

__all__ = ["CUSTOM_REGIONS"]

CUSTOM_REGIONS = {
    "file": """
#include <kinds/limits.h>
""",
    "PairNode": """
  int64_t Count() const { return 2; }
  int64_t Count(int64_t more) const { return 2 + more; }
""",
    "Pair": """
  Pair(int64_t left, int64_t right) : Pair(ffi::Any(left), ffi::Any(right)) {}
  Pair(ffi::Any left, ffi::Any right) : ffi::ObjectRef(ffi::UnsafeInit{}) {
    data_ = ffi::make_object<PairNode>(std::move(left), std::move(right));
  }
""",
    "GoalNode": """
  virtual int64_t Reach() const = 0;
""",
    "NearGoalNode": """
  int64_t Reach() const override { return limit / 2; }
""",
    "StepNode": """
  virtual int64_t Run(int64_t value) const = 0;
""",
    "AddStepNode": """
  int64_t Run(int64_t value) const override { return value + amount; }
""",
    "BothStepsNode": """
  int64_t Run(int64_t value) const override { return second->Run(first->Run(value)); }
""",
    "Hand": """
class Hand : public ffi::ObjectRef {
 public:
  explicit Hand(int64_t value) : ffi::ObjectRef(ffi::make_object<HandNode>(value)) {}
  int64_t Doubled() const { return 2 * get()->value; }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Hand, ffi::ObjectRef, HandNode);
};
""",
}
