#include <toy/link.h>

namespace toy {

int64_t sum_values(ffi::Optional<List> first) {
  uint64_t sum = 0;
  const auto* link = first.as<LinkNode>();
  for (; link != nullptr; link = link->next.as<LinkNode>()) {
    sum += static_cast<uint64_t>(link->value);
  }
  return static_cast<int64_t>(sum);
}

}  // namespace toy
