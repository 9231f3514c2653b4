/*!
 * \file uir/transform/pass.h
 * \brief How passes are written and run in C++.
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
 * \brief Make a pass that takes the whole module.
 * \param run What the pass does; it returns the module that it was given where nothing changes.
 * \param opt_level Sequences run the pass in contexts of this level and above; at least 0.
 * \param name The pass's name; not empty.
 * \param required Names of registered passes that sequences run before it.
 * \return The pass.
 * \throws ValueError if the level or the name makes no sense.
 */
Pass MakeModulePass(std::function<ir::IRModule(ir::IRModule, PassContext)> run, int opt_level,
                    ffi::String name, ffi::Array<ffi::String> required = {});

/*!
 * \brief Make a pass that takes each tensor-level function by itself.
 *
 * The module that `run` sees is the one before the pass.  Where no function changes, the pass
 * returns its argument itself.
 *
 * \param run What the pass does; it returns the function that it was given where nothing changes.
 * \param opt_level Sequences run the pass in contexts of this level and above; at least 0.
 * \param name The pass's name; not empty.
 * \param required Names of registered passes that sequences run before it.
 * \return The pass.
 * \throws ValueError if the level or the name makes no sense.
 */
Pass MakePrimFuncPass(std::function<tir::PrimFunc(tir::PrimFunc, ir::IRModule, PassContext)> run,
                      int opt_level, ffi::String name, ffi::Array<ffi::String> required = {});

/*!
 * \brief Make a pass that runs others one after the other: `MakeSequential({one, other})`.
 * \param passes The passes, in order.
 * \param opt_level The level of the sequence, which counts in another one.
 * \param name The name of the sequence; not empty.
 * \param required Names of registered passes that another sequence runs before this one.
 * \return The pass.
 * \throws ValueError if the level or the name makes no sense.
 */
inline Pass MakeSequential(ffi::Array<Pass> passes, int opt_level = 0,
                           ffi::String name = "sequential", ffi::Array<ffi::String> required = {}) {
  return Sequential(std::move(passes), opt_level, std::move(name), std::move(required));
}

/*!
 * \brief Run a pass on a module, with the instruments of a context.
 *
 * The context's levels and names count in sequences only.
 *
 * \param pass The pass.
 * \param module The module; who holds it sees no change.
 * \param context What the pass is run with.
 * \return The module after the pass.
 * \throws tvm::ffi::Error What the pass or an instrument throws, with the name of the pass.
 */
ir::IRModule RunPass(const Pass& pass, ir::IRModule module, const PassContext& context);

/*! \brief The context that passes are run with in this thread: the one entered last, or a default.
 */
PassContext CurrentPassContext();

/*! \brief Makes a context the current one while it lives. */
class PassContextScope {
 public:
  /*! \throws tvm::ffi::Error What an instrument throws when it is entered. */
  explicit PassContextScope(PassContext context);
  /*! \throws tvm::ffi::Error What an instrument throws when it is exited, unless another error is
   * on its way. */
  ~PassContextScope() noexcept(false);
  PassContextScope(const PassContextScope&) = delete;
  PassContextScope& operator=(const PassContextScope&) = delete;

 private:
  PassContext context_;
  int exceptions_;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_PASS_H_
