/*!
 * \file chain_module.h
 * \brief A chain of calls as a module of its own, so that it can be named, built and timed.
 */
#ifndef UIR_SCHEDULE_CHAIN_MODULE_H_
#define UIR_SCHEDULE_CHAIN_MODULE_H_

#include <uir/ir/module.h>

#include <optional>
#include <string>

#include "./channel_layouts.h"

namespace uir::schedule {

/*! \brief A module whose public function `main` makes the calls of a chain. */
struct ChainModule {
  /*! \brief The structural hash, without names and the values of constants. */
  std::string hash;
  ir::IRModule module;
};

/*!
 * \brief The module of a chain.
 *
 * `main` allocates the tensors of the chain. Its parameters are the other tensors that the calls
 * use, in the order of their use, and then the sizes that no shape of these is. It has the same
 * constants as the host function.
 *
 * \param module The module.
 * \param host The function of the module that makes the calls.
 * \param chain One of its chains.
 * \return The module; none if a call takes an address that is not a tensor's.
 */
std::optional<ChainModule> ModuleOf(const ir::IRModule& module, const tir::PrimFunc& host,
                                    const TensorChain& chain);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_CHAIN_MODULE_H_
