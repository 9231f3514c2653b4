#include "tschema/animal.h"
#include "tschema/animal_functor.h"
#include "tschema/herd.h"

namespace farm {

double CowNode::Yearly(int64_t days) const { return litres * static_cast<double>(days); }

class Litres : public AnimalFunctor<double(const Animal&)> {
 protected:
  double VisitCow(const CowNode* cow) override { return cow->litres; }
  double VisitDefault(const AnimalNode*) override { return 0; }
};

double milk(Herd herd, ::tvm::ffi::Optional<Cow> leader) {
  double sum = leader.has_value() ? leader.value()->litres : 0;
  for (const Animal& animal : herd->animals) sum += Litres()(animal);
  return sum;
}

}  // namespace farm
