/*!
 * \file decomposer.h
 * \brief Decomposes operators into calls of others, by the `decompose` of their declarations.
 */
#ifndef UIR_TRANSFORM_REWRITE_DECOMPOSER_H_
#define UIR_TRANSFORM_REWRITE_DECOMPOSER_H_

#include <uir/ir/op.h>
#include <uir/relay/function.h>

#include <functional>
#include <memory>
#include <unordered_map>
#include <utility>

#include "./operator_formula.h"

namespace uir::transform {

/*! \brief The decompositions that were used, by operator. */
class Decompositions {
 public:
  /*! \param keeps Whether not to decompose an operator. */
  explicit Decompositions(std::function<bool(const ir::Op&)> keeps) : keeps_(std::move(keeps)) {}

  /*! \brief The decomposition of an operator; null if it has none, or must stay. */
  const FormulaSteps* Find(const ir::Op& op);

 private:
  std::function<bool(const ir::Op&)> keeps_;
  std::unordered_map<const ffi::Object*, std::unique_ptr<FormulaSteps>> known_;
};

/*! \brief Decompose the operators of a function, and those of their decompositions. */
relay::Function Decompose(const relay::Function& func, Decompositions* decompositions);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_DECOMPOSER_H_
