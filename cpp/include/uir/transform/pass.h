/*!
 * \file uir/transform/pass.h
 * \brief Writing and running passes in C++.
 *
 * \code
 *   Pass MakeSimplify() {
 *     auto simplify = [](tir::PrimFunc func, ir::IRModule, PassContext) { return Run(func); };
 *     return MakePrimFuncPass(simplify, 0, "Simplify");
 *   }
 *   UIR_TRANSFORM_REGISTER_PASS("Simplify", MakeSimplify);
 * \endcode
 */
#ifndef UIR_TRANSFORM_PASS_H_
#define UIR_TRANSFORM_PASS_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/string.h>
#include <uir/ir/module.h>
#include <uir/tir/function.h>
#include <uir/transform/pass_registry.h>
#include <uir/transform/passes.h>

#include <functional>
#include <utility>

namespace uir::transform {

/*!
 * \brief Make a pass over whole modules.
 * \param run The transformation; it returns its argument if nothing changed.
 * \param opt_level The lowest level of a context in which sequences run the pass; at least 0.
 * \param name The pass's name; not empty.
 * \param required Names of registered passes that sequences run first.
 * \return The pass.
 * \throws ValueError if the level is negative or the name is empty.
 */
Pass MakeModulePass(std::function<ir::IRModule(ir::IRModule, PassContext)> run, int opt_level,
                    ffi::String name, ffi::Array<ffi::String> required = {});

/*!
 * \brief Make a pass over each tensor-level function separately.
 *
 * The module that `run` gets is the one before the pass. If no function changes, the pass returns
 * its argument itself.
 *
 * \param run The transformation; it returns its argument if nothing changed.
 * \param opt_level The lowest level of a context in which sequences run the pass; at least 0.
 * \param name The pass's name; not empty.
 * \param required Names of registered passes that sequences run first.
 * \return The pass.
 * \throws ValueError if the level is negative or the name is empty.
 */
Pass MakePrimFuncPass(std::function<tir::PrimFunc(tir::PrimFunc, ir::IRModule, PassContext)> run,
                      int opt_level, ffi::String name, ffi::Array<ffi::String> required = {});

/*!
 * \brief Make a pass that runs passes in order: `MakeSequential({one, other})`.
 * \param passes The passes, in order.
 * \param opt_level The level of the sequence inside an outer one.
 * \param name The name of the sequence; not empty.
 * \param required Names of registered passes that an outer sequence runs first.
 * \return The pass.
 * \throws ValueError if the level is negative or the name is empty.
 */
inline Pass MakeSequential(ffi::Array<Pass> passes, int opt_level = 0,
                           ffi::String name = "sequential", ffi::Array<ffi::String> required = {}) {
  return Sequential(std::move(passes), opt_level, std::move(name), std::move(required));
}

/*!
 * \brief Run a pass on a module, with the instruments of a context.
 *
 * The context's level and names only affect passes in sequences.
 *
 * \param pass The pass.
 * \param module The module, which is not changed.
 * \param context The context.
 * \return The transformed module.
 * \throws tvm::ffi::Error The error of the pass or an instrument, with the name of the pass.
 */
ir::IRModule RunPass(const Pass& pass, ir::IRModule module, const PassContext& context);

/*! \brief The current context of this thread, or the default one.
 */
PassContext CurrentPassContext();

/*! \brief Makes a context current during its lifetime. */
class PassContextScope {
 public:
  /*! \throws tvm::ffi::Error The error of an instrument on entry. */
  explicit PassContextScope(PassContext context);
  /*! \throws tvm::ffi::Error The error of an instrument on exit, unless another exception is
   * active. */
  ~PassContextScope() noexcept(false);
  PassContextScope(const PassContextScope&) = delete;
  PassContextScope& operator=(const PassContextScope&) = delete;

 private:
  PassContext context_;
  int exceptions_;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_PASS_H_
