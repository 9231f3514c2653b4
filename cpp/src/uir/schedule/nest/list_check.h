/*!
 * \file list_check.h
 * \brief Checks of the lists of users, beyond those of the primitives.
 */
#ifndef UIR_SCHEDULE_NEST_LIST_CHECK_H_
#define UIR_SCHEDULE_NEST_LIST_CHECK_H_

#include <optional>
#include <string>

#include "./nest.h"

namespace uir::schedule::nest {

/*! \brief Why the loops and copies so far cannot be part of a list that computes the nest; none if
 * they can. */
std::optional<std::string> WhyWrong(const Nest& nest);

/*! \brief Why the list does not compute the whole nest; none if it does. */
std::optional<std::string> WhyIncomplete(const Nest& nest);

/*! \brief Whether vectors may read an operand behind its last column: those that fill up a panel
 * where no copy of the operand does. */
bool ReadsBehindColumns(const Nest& nest, const Operand& operand);

}  // namespace uir::schedule::nest

#endif  // UIR_SCHEDULE_NEST_LIST_CHECK_H_
