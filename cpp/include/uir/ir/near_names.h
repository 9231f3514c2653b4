/*!
 * \file uir/ir/near_names.h
 * \brief What to say about a name that is not there: the names that are spelt nearly so.
 */
#ifndef UIR_IR_NEAR_NAMES_H_
#define UIR_IR_NEAR_NAMES_H_

#include <string>
#include <string_view>
#include <vector>

namespace uir::ir {

/*!
 * \brief The names that are spelt nearly as another, nearest first, three at most.
 *
 * Near are those a third of the name's letters away, by the distance of Damerau and Levenshtein
 * with neighbours swapped; a dotted name is compared by its last part too.
 */
std::vector<std::string> NearNames(std::string_view name, const std::vector<std::string>& known);

/*! \brief ``; did you mean `a`, `b`?`` of `NearNames`; empty where nothing is near. */
std::string DidYouMean(std::string_view name, const std::vector<std::string>& known);

}  // namespace uir::ir

#endif  // UIR_IR_NEAR_NAMES_H_
