/*!
 * \file uir/ir/near_names.h
 * \brief Suggestions of similar names for an unknown name.
 */
#ifndef UIR_IR_NEAR_NAMES_H_
#define UIR_IR_NEAR_NAMES_H_

#include <string>
#include <string_view>
#include <vector>

namespace uir::ir {

/*!
 * \brief The names most similar to another, nearest first, at most three.
 *
 * The Damerau-Levenshtein distance (optimal string alignment) must be at most a third of the name's
 * length; the last part of a dotted name is compared too.
 */
std::vector<std::string> NearNames(std::string_view name, const std::vector<std::string>& known);

/*! \brief ``; did you mean `a`, `b`?`` from `NearNames`; empty if there are none. */
std::string DidYouMean(std::string_view name, const std::vector<std::string>& known);

}  // namespace uir::ir

#endif  // UIR_IR_NEAR_NAMES_H_
