/*!
 * \file unit_condition.h
 * \brief The translation units of an emitted text.
 */
#ifndef UIR_TARGET_UNIT_CONDITION_H_
#define UIR_TARGET_UNIT_CONDITION_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace uir::target {

/*! \brief Text for only one unit, between `#if IN_UNIT(unit)` and `#endif`. */
std::string InUnit(size_t unit, const std::string& text);

/*!
 * \brief The number of units that `cc -DUNIT=0 -c`, `cc -DUNIT=1 -c` and so on compile from a text.
 * \param text A text of `emit_c`, or any text with `#if IN_UNIT(<number>)`.
 * \return 1 if the text compiles only as a whole.
 */
size_t CountUnits(std::string_view text);

}  // namespace uir::target

#endif  // UIR_TARGET_UNIT_CONDITION_H_
