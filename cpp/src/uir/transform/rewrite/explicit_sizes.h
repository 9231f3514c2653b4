/*!
 * \file explicit_sizes.h
 * \brief Calls of tensor-level and external functions by data pointers and sizes.
 */
#ifndef UIR_TRANSFORM_REWRITE_EXPLICIT_SIZES_H_
#define UIR_TRANSFORM_REWRITE_EXPLICIT_SIZES_H_

#include <uir/ir/module.h>
#include <uir/relay/expr.h>
#include <uir/tir/function.h>
#include <uir/tir/stmt.h>

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "./function_names.h"

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief Makes calls of a module's functions, with arguments for the sizes that buffers bind. */
class ExplicitSizes {
 public:
  explicit ExplicitSizes(const ir::IRModule& module);

  /*!
   * \brief Call a function with buffers.
   * \param call The call of `call_destination_passing`, for its callee and for errors.
   * \param buffers The arguments and the outputs.
   */
  tir::Stmt Call(const relay::CallNode* call, const std::vector<tir::Buffer>& buffers);

  /*! \brief The functions with new parameters, and the copies of public ones. */
  const ffi::Map<ir::GlobalVar, ir::BaseFunc>& functions() const { return functions_; }
  /*! \brief Whether a function is a copy, which binds the same variables. */
  bool has_copies() const { return has_copies_; }

 private:
  struct Callee {
    ir::GlobalVar var;
    tir::PrimFunc func;
    /*! \brief The variables that the shapes of its buffers bind. */
    std::vector<tir::Var> sizes;
  };

  void KeepSource(const ir::ExternFunc& callee);
  const Callee& Find(const ir::GlobalVar& var, const relay::CallNode* call);
  /*! \brief Turn the sizes into parameters, of a copy if other functions call it. */
  Callee WithSizes(const ir::GlobalVar& var, const tir::PrimFunc& func,
                   const relay::CallNode* call);

  ir::IRModule module_;
  FunctionNames names_;
  /*! \brief The functions that tensor-level functions call. */
  std::unordered_set<const ffi::Object*> called_;
  std::unordered_map<const ffi::Object*, Callee> callees_;
  ffi::Map<ir::GlobalVar, ir::BaseFunc> functions_;
  bool has_copies_ = false;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_EXPLICIT_SIZES_H_
