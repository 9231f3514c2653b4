/*!
 * \file uir/transform/relay_pass.h
 * \brief Passes over each high-level function separately.
 */
#ifndef UIR_TRANSFORM_RELAY_PASS_H_
#define UIR_TRANSFORM_RELAY_PASS_H_

#include <uir/relay/function.h>
#include <uir/transform/pass.h>

#include <functional>

namespace uir::transform {

/*!
 * \brief Make a pass over each high-level function separately.
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
Pass MakeFunctionPass(
    std::function<relay::Function(relay::Function, ir::IRModule, PassContext)> run, int opt_level,
    ffi::String name, ffi::Array<ffi::String> required = {});

/*! \brief Make a pass from a transformation that needs neither the module nor the context. */
Pass MakeRelayPass(std::function<relay::Function(relay::Function)> run, int opt_level,
                   ffi::String name, ffi::Array<ffi::String> required = {});

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_RELAY_PASS_H_
