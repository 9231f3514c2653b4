/*!
 * \file uir/relay/atom.h
 * \brief A-normal form: the operands of a bound value are atoms.
 */
#ifndef UIR_RELAY_ATOM_H_
#define UIR_RELAY_ATOM_H_

#include <uir/relay/expr.h>

#include <functional>

namespace uir::relay {

/*!
 * \brief Whether an expression needs no binding: variables, constants, operators, functions by
 * name, external functions, and tuples of atoms.
 */
bool IsAtom(const ir::RelayExpr& expr);

/*!
 * \brief The operands of a value in A-normal form.
 * \param value A value.
 * \param bind Binds an operand whose operands are atoms; returns the variable.
 * \return The value with variables in place of the operands that are not atoms, which are bound
 * first, from the left; the value itself if all are. Branches of an `If` do not change.
 */
ir::RelayExpr WithAtoms(ir::RelayExpr value,
                        const std::function<ir::RelayExpr(const ir::RelayExpr&)>& bind);

}  // namespace uir::relay

#endif  // UIR_RELAY_ATOM_H_
