/*! \brief What the code base has had by hand, and keeps. */
#ifndef ACME_BASE_H_
#define ACME_BASE_H_

#include <tvm/ffi/object.h>

#include <cstdint>

namespace acme {

using Grams = int64_t;

/*! \brief A base that reflection does not know. */
class Counted : public ::tvm::ffi::Object {
 public:
  static constexpr bool kIsCounted = true;
};

struct Stamp {
  int32_t year = 1999;
  int32_t month = 0;
  int32_t day = 0;
};

}  // namespace acme

#endif  // ACME_BASE_H_
