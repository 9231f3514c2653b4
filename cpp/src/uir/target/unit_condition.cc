// Which part of an emitted text belongs to which translation unit.
#include <uir/target/unit_condition.h>

namespace uir::target {

namespace {

std::string ConditionOf(size_t unit) { return "\n#if IN_UNIT(" + std::to_string(unit) + ")\n"; }

}  // namespace

std::string InUnit(size_t unit, const std::string& text) {
  return ConditionOf(unit) + text + "\n#endif\n";
}

size_t CountUnits(std::string_view text) {
  size_t count = 1;
  while (text.find(ConditionOf(count)) != text.npos) ++count;
  return count;
}

}  // namespace uir::target
