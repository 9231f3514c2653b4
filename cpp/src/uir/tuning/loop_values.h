/*!
 * \file loop_values.h
 * \brief The values of integer expressions in loops: at their first and last steps, and on average.
 */
#ifndef UIR_TUNING_LOOP_VALUES_H_
#define UIR_TUNING_LOOP_VALUES_H_

#include <tvm/ffi/container/map.h>
#include <tvm/ffi/string.h>
#include <uir/ir/expr.h>
#include <uir/tir/var.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace uir::tuning {

namespace ffi = ::tvm::ffi;

/*! \brief The size of a symbolic dimension that has none. */
constexpr int64_t kSymbolicSize = 128;

/*! \brief A loop around an expression. */
struct OuterLoop {
  const tir::VarNode* var;
  int64_t first;
  /*! \brief The mean number of steps of one execution. */
  double trips;
};

/*! \brief Loops, outermost first, and the sizes of symbolic dimensions by name. */
class LoopValues {
 public:
  explicit LoopValues(ffi::Map<ffi::String, int64_t> sizes) : sizes_(std::move(sizes)) {}

  std::vector<OuterLoop>& loops() { return loops_; }
  const std::vector<OuterLoop>& loops() const { return loops_; }

  /*!
   * \brief The value where all loops are at their first step, but one that is some steps later.
   * \param moved The place of that loop; none for all at the first step.
   * \return None if the value depends on data.
   */
  std::optional<int64_t> At(const ir::PrimExpr& expr, std::optional<size_t> moved = std::nullopt,
                            int64_t steps = 1) const;

  /*! \brief A mean of all steps, from the first, second and last ones, and whether they differ. */
  struct Mean {
    double value;
    /*! \brief The part of the steps at which the value is smaller than at the first one. */
    double smaller;
  };
  std::optional<Mean> MeanOf(const ir::PrimExpr& expr) const;

 private:
  /*! \brief Give the value of a variable. */
  template <typename StepOf>
  std::optional<int64_t> Evaluate(const ir::PrimExpr& expr, const StepOf& step_of) const;

  ffi::Map<ffi::String, int64_t> sizes_;
  std::vector<OuterLoop> loops_;
};

}  // namespace uir::tuning

#endif  // UIR_TUNING_LOOP_VALUES_H_
