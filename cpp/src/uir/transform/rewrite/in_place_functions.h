/*!
 * \file in_place_functions.h
 * \brief Copies of functions that overwrite an operand.
 */
#ifndef UIR_TRANSFORM_REWRITE_IN_PLACE_FUNCTIONS_H_
#define UIR_TRANSFORM_REWRITE_IN_PLACE_FUNCTIONS_H_

#include <uir/ir/module.h>
#include <uir/tir/call.h>
#include <uir/tir/expr.h>
#include <uir/tir/function.h>

#include <map>
#include <utility>
#include <vector>

#include "./function_names.h"

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief Makes in-place copies of a module's functions, each once. */
class InPlaceFunctions {
 public:
  explicit InPlaceFunctions(ir::IRModule module)
      : module_(std::move(module)), names_(module_->functions) {}

  /*!
   * \brief The call of an in-place copy, without the argument that it overwrites.
   * \param places The indices of the output and of that argument.
   */
  tir::Call Call(const tir::Call& call, std::pair<size_t, size_t> places);

  /*! \brief Note that a call is removed. */
  void RemoveCall(const tir::Call& call) {
    replaced_.push_back(call->op.as<ir::GlobalVar>().value());
  }

  /*! \brief Add the copies to functions, and remove the originals without other callers. */
  ffi::Map<ir::GlobalVar, ir::BaseFunc> AddTo(
      ffi::Map<ir::GlobalVar, ir::BaseFunc> functions) const;
  bool empty() const { return functions_.empty(); }

 private:
  ir::IRModule module_;
  FunctionNames names_;
  /*! \brief The copies of a function, by the index of the argument. */
  std::map<std::pair<const ffi::Object*, size_t>, ir::GlobalVar> copies_;
  ffi::Map<ir::GlobalVar, ir::BaseFunc> functions_;
  /*! \brief The functions with copies or removed calls. */
  std::vector<ir::GlobalVar> replaced_;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_IN_PLACE_FUNCTIONS_H_
