/*!
 * \file constant_values.h
 * \brief The values of high-level functions that depend on constants alone.
 *
 * In: functions in A-normal form, with types. Out: the constant values, and those among them that
 * other values need, so that only these are computed. Views of constants share their elements and
 * need no computation. A value that is much larger than the constants it is computed from, and
 * takes little work for its size, is not folded.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_CONSTANT_VALUES_H_
#define UIR_TRANSFORM_ANALYSIS_CONSTANT_VALUES_H_

#include <tvm/ffi/container/tensor.h>
#include <uir/relay/function.h>

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief Limits on the size of computed constants; a value may satisfy either. */
struct ConstantLimits {
  /*! \brief The maximal size in bytes of a value that takes at most one operation per byte; of one
   * that takes more, this size times its operations per byte. */
  int64_t max_bytes;
  /*! \brief The maximal ratio of a value's size to that of the constants it is computed from. */
  int64_t max_growth;
};

/*! \brief The constant values of the functions of a module, by their variables. */
struct ConstantValues {
  /*! \brief Every binding of a value that depends on constants alone, in order. */
  std::vector<relay::Binding> bindings;
  /*! \brief The variables of these bindings, without those that stay because constants would be
   * too large. */
  std::unordered_set<const ffi::Object*> vars;
  /*! \brief The variables that other values need, to replace by constants, in order. */
  std::vector<relay::Var> results;
  /*! \brief Tuples that other values need, whose fields are among the results or constants. */
  std::unordered_set<const ffi::Object*> needed_tuples;
  /*! \brief The elements of the tensors that need no computation. */
  std::unordered_map<const ffi::Object*, ffi::Tensor> known;
};

/*! \brief Find the constant values of functions. */
ConstantValues FindConstantValues(const std::vector<relay::Function>& functions,
                                  const ConstantLimits& limits);

/*!
 * \brief The bindings that must be computed for the results, in order.
 *
 * Values with known elements are omitted.
 */
std::vector<relay::Binding> BindingsToCompute(const ConstantValues& values);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_CONSTANT_VALUES_H_
