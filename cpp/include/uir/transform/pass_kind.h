/*!
 * \file uir/transform/pass_kind.h
 * \brief How a class of passes is run: what a library adds that declares one below
 * `uir.transform.Pass`.
 */
#ifndef UIR_TRANSFORM_PASS_KIND_H_
#define UIR_TRANSFORM_PASS_KIND_H_

#include <uir/ir/module.h>
#include <uir/transform/passes.h>

#include <cstdint>

namespace uir::transform {

/*! \brief Does what a pass does; instruments and levels have been seen to. */
using PassRunner = ir::IRModule (*)(const Pass& pass, ir::IRModule module,
                                    const PassContext& context);

/*!
 * \brief Have passes of a class run by a function, before the first one is run.
 * \param type_index Returns the class's type index; called later, not in the static initializer.
 * \param runner What runs them.
 */
void AddPassKind(int32_t (*type_index)(), PassRunner runner) noexcept;

}  // namespace uir::transform

/*! \brief Have passes of a final class run by a function: once, at namespace scope. */
#define UIR_TRANSFORM_REGISTER_PASS_KIND(Node, runner)                           \
  [[maybe_unused]] static const bool uir_pass_kind_##Node = [] {                 \
    ::uir::transform::AddPassKind(&Node::_GetOrAllocRuntimeTypeIndex, (runner)); \
    return true;                                                                 \
  }()

#endif  // UIR_TRANSFORM_PASS_KIND_H_
