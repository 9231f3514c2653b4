/*!
 * \file domains.h
 * \brief Short names of the domains, for the tables of rules.
 */
#ifndef UIR_ARITH_RULES_DOMAINS_H_
#define UIR_ARITH_RULES_DOMAINS_H_

#include "../rewrite_rule.h"

namespace uir::arith {

inline constexpr Domain kAny = Domain::kAny;
inline constexpr Domain kIndex = Domain::kIndex;
inline constexpr Domain kFloat = Domain::kFloat;
inline constexpr Domain kBool = Domain::kBool;
inline constexpr Domain kValue = Domain::kValue;

}  // namespace uir::arith

#endif  // UIR_ARITH_RULES_DOMAINS_H_
