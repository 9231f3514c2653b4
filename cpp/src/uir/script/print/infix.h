/*!
 * \file infix.h
 * \brief The operators of Python that spell operators of relay.
 */
#ifndef UIR_SCRIPT_PRINT_INFIX_H_
#define UIR_SCRIPT_PRINT_INFIX_H_

#include <uir/script/printer.h>

#include <string_view>

namespace uir::script {

struct Infix {
  std::string_view symbol;
  /*! \brief The operator's name in the registry: `relay.add`. */
  std::string_view op;
  int num_operands;
  Precedence precedence;
};

/*! \brief The operator that a symbol spells, or null. */
const Infix* FindInfix(std::string_view symbol, int num_operands);

/*! \brief The symbol that spells an operator, or null. */
const Infix* FindInfixOf(std::string_view op);

}  // namespace uir::script

#endif  // UIR_SCRIPT_PRINT_INFIX_H_
