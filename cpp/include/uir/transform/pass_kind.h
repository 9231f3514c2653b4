/*!
 * \file uir/transform/pass_kind.h
 * \brief Registration of runners for subclasses of `uir.transform.Pass`.
 */
#ifndef UIR_TRANSFORM_PASS_KIND_H_
#define UIR_TRANSFORM_PASS_KIND_H_

#include <uir/ir/module.h>
#include <uir/transform/passes.h>

#include <cstdint>

namespace uir::transform {

/*! \brief Runs a pass, without instruments and levels. */
using PassRunner = ir::IRModule (*)(const Pass& pass, ir::IRModule module,
                                    const PassContext& context);

/*!
 * \brief Register the runner of a class of passes, before the first one runs.
 * \param type_index Returns the class's type index; called later, not in the static initializer.
 * \param runner The runner.
 */
void AddPassKind(int32_t (*type_index)(), PassRunner runner) noexcept;

}  // namespace uir::transform

/*! \brief Register the runner of a final class of passes, at namespace scope. */
#define UIR_TRANSFORM_REGISTER_PASS_KIND(Node, runner)                           \
  [[maybe_unused]] static const bool uir_pass_kind_##Node = [] {                 \
    ::uir::transform::AddPassKind(&Node::_GetOrAllocRuntimeTypeIndex, (runner)); \
    return true;                                                                 \
  }()

#endif  // UIR_TRANSFORM_PASS_KIND_H_
