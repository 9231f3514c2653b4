/*! \brief A base between two generated classes. */
#ifndef ACME_PACKED_H_
#define ACME_PACKED_H_

#include <depot/item.h>

#include <cstdint>

namespace acme {

class Packed : public ItemNode {
 public:
  using ItemNode::ItemNode;

  int64_t GrossWeight() const { return weight() + kWood; }

 private:
  static constexpr Grams kWood = 100;
};

}  // namespace acme

#endif  // ACME_PACKED_H_
