/*!
 * \file uir/ir/op_registry.h
 * \brief How a dialect brings its operators along.
 *
 * The functions of `uir/ir/op.h` are the registry itself.  A dialect adds its operators in a
 * static initializer, where nothing may throw and no object should be made: it leaves a function,
 * and the registry calls it when it is first asked.
 */
#ifndef UIR_IR_OP_REGISTRY_H_
#define UIR_IR_OP_REGISTRY_H_

namespace uir::ir {

/*! \brief Adds a dialect's operators by `register_op` and `set_op_attr`. */
using OpProvider = void (*)();

/*! \brief Have a dialect's operators added before the registry answers its first question. */
void AddOpProvider(OpProvider provider) noexcept;

}  // namespace uir::ir

#endif  // UIR_IR_OP_REGISTRY_H_
