/*! \brief Constants of the package, which initializers name. */
#ifndef KINDS_LIMITS_H_
#define KINDS_LIMITS_H_

#include <cstdint>

namespace kinds::ir {

inline constexpr int32_t kDefaultLimit = 42;

}  // namespace kinds::ir

#endif  // KINDS_LIMITS_H_
