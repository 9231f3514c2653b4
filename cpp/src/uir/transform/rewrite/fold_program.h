/*!
 * \file fold_program.h
 * \brief Functions that compute constant values.
 *
 * Values that depend on each other are computed by one function, which takes the constants as
 * arguments: the function for other constants of the same types is the same, and compiled once.
 * The weights of most layers differ only by their elements.
 */
#ifndef UIR_TRANSFORM_REWRITE_FOLD_PROGRAM_H_
#define UIR_TRANSFORM_REWRITE_FOLD_PROGRAM_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/extra/module.h>
#include <uir/ir/module.h>
#include <uir/relay/function.h>

#include <string>
#include <unordered_map>
#include <vector>

#include "../analysis/constant_values.h"

namespace uir::transform {

/*! \brief The elements of values, by their variables: a tensor or an array of tensors. */
using Elements = std::unordered_map<const ffi::Object*, ffi::Any>;

/*! \brief A call that computes constant values. */
struct FoldCall {
  /*! \brief The symbol of the function, which other calls may share. */
  std::string symbol;
  std::vector<ffi::Tensor> arguments;
  /*! \brief The values that the function returns. */
  std::vector<relay::Var> results;
};

/*! \brief Calls of functions of a module. */
struct FoldProgram {
  ir::IRModule module;
  std::vector<FoldCall> calls;
};

/*! \brief Make the functions that compute the constant values of bindings. */
FoldProgram MakeFoldProgram(const ConstantValues& values,
                            const std::vector<relay::Binding>& bindings);

/*! \brief Run the compiled functions. */
Elements RunFoldProgram(const FoldProgram& program, const ffi::Module& compiled);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_FOLD_PROGRAM_H_
