#include "tschema/animal.h"
#include "tschema/herd.h"

namespace farm {

double CowNode::Yearly(int64_t days) const { return litres * static_cast<double>(days); }

double milk(Herd herd, ::tvm::ffi::Optional<Cow> leader) {
  double sum = leader.has_value() ? leader.value()->litres : 0;
  for (const Animal& animal : herd->animals) {
    if (const auto* cow = animal.as<CowNode>()) sum += cow->litres;
  }
  return sum;
}

}  // namespace farm
