/*!
 * \file print_relay.h
 * \brief Values of high-level functions.
 */
#ifndef UIR_SCRIPT_PRINT_PRINT_RELAY_H_
#define UIR_SCRIPT_PRINT_PRINT_RELAY_H_

#include <uir/script/printer.h>

namespace uir::script {

/*! \brief Write a value. */
void PrintRelay(Printer* printer, const ir::RelayExpr& expr,
                Precedence at_least = Precedence::kNone);

/*! \brief Write values with commas between them. */
void PrintRelayElements(Printer* printer, const ffi::Array<ir::RelayExpr>& elements);

}  // namespace uir::script

#endif  // UIR_SCRIPT_PRINT_PRINT_RELAY_H_
