// Finds shared nodes whose repetition makes a text too long.
#include "./sharing.h"

#include <tschema/walk.h>
#include <tvm/ffi/error.h>

#include <algorithm>

namespace uir::script {

namespace {

/*! \brief More than a node prints besides its children: its name, operator and parentheses. */
constexpr size_t kBytesPerObject = 64;
/*! \brief Shorter nodes print in place, in bytes. */
constexpr double kLongPart = 64;
/*! \brief The least ratio of the full text to the text with each node once. */
constexpr double kWorthSharing = 2;

size_t CountObjects(ffi::AnyView value) {
  size_t count = 0;
  tschema::Walk(value, [&](ffi::AnyView) { ++count; });
  return count;
}

}  // namespace

/*! \return Whether to print the node. */
bool Printer::EnterPart(const ffi::Object* object) {
  PrinterState& state = *state_;
  if (state.measure != nullptr) return EnterMeasured(object);
  if (!state.is_counted) {
    state.is_counted = true;
    state.limit = std::max(kShortText, kBytesPerObject * CountObjects(state.value));
    if (out_.size() < state.limit) return true;
  }
  // The rest of the round prints nothing: an exception would pass through user code.
  state.is_cut_off = true;
  state.limit = 0;
  return false;
}

bool Printer::EnterMeasured(const ffi::Object* object) {
  Measure& measure = *state_->measure;
  const auto found = measure.parts.find(object);
  if (found == measure.parts.end()) {
    measure.begins.push_back(measure.left_out);
    const bool is_held_once = object->use_count() == 1;
    if (!is_held_once) measure.parts[object].object = ffi::GetRef<ffi::ObjectRef>(object);
    return true;
  }
  MeasuredPart& part = found->second;
  if (part.is_open) {
    TVM_FFI_THROW(ValueError) << "print: `" << object->GetTypeKey()
                              << "` contains itself and has no text";
  }
  part.is_repeated = true;
  measure.left_out += part.size;
  return false;
}

void Printer::LeaveMeasured(const ffi::Object* object, size_t begin) {
  Measure& measure = *state_->measure;
  const double left_out = measure.left_out - measure.begins.back();
  measure.begins.pop_back();
  const auto found = measure.parts.find(object);
  if (found == measure.parts.end()) return;
  found->second.is_open = false;
  // Objects with an identity are always declared, and printed by their names.
  if (IsContainer(object) || !state_->TypeOf(object).has_identity) {
    // `begin` includes indentation, which is missing if everything in the statement was skipped.
    const size_t written = out_.size() - std::min(begin, out_.size());
    found->second.size = static_cast<double>(written) + left_out;
  }
}

void ShareParts(const Measure& measure, size_t length, Plan* plan) {
  plan->is_measured = true;
  const auto once = static_cast<double>(length);
  if (once + measure.left_out <= kWorthSharing * once) return;
  for (const auto& [object, part] : measure.parts) {
    if (!part.is_repeated || part.size < kLongPart) continue;
    plan->declared.insert(object);
    plan->shared.emplace(object, part.object);
  }
}

}  // namespace uir::script
