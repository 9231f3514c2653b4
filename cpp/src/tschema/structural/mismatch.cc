/*!
 * \file mismatch.cc
 * \brief The path to a difference, and its description.
 */
#include "./mismatch.h"

#include <tvm/ffi/dtype.h>
#include <tvm/ffi/string.h>

#include <optional>
#include <sstream>

#include "./value.h"

namespace tschema {

namespace {

using ffi::reflection::AccessKind;
using ffi::reflection::AccessStep;

bool IsSame(const TVMFFIAny& lhs, const TVMFFIAny& rhs) {
  return lhs.type_index == rhs.type_index && lhs.v_uint64 == rhs.v_uint64;
}

/*! \brief The step to an element of a container, if the value is one. */
std::optional<AccessStep> ElementStep(const TVMFFIAny& container, const TVMFFIAny& element) {
  if (container.type_index == kTVMFFIArray || container.type_index == kTVMFFIList) {
    const TVMFFIAny* elements = ElementsOf(ObjectOf(container));
    for (size_t i = 0; i < SizeOfSequence(ObjectOf(container)); ++i) {
      if (IsSame(elements[i], element)) return AccessStep::ArrayItem(static_cast<int64_t>(i));
    }
  }
  if (container.type_index == kTVMFFIMap || container.type_index == kTVMFFIDict) {
    const ffi::MapBaseObj* mapping = MappingOf(ObjectOf(container));
    for (auto item = mapping->begin(); item != mapping->end(); ++item) {
      if (IsSame(RawOf(item->second), element)) return AccessStep::MapItem(item->first);
    }
  }
  return std::nullopt;
}

/*! \brief Append the steps to a part that is a field of both, or an element of both's field. */
bool AppendStepsThrough(const FieldInfo& field, const ffi::Any& lhs, const ffi::Any& rhs,
                        const TVMFFIAny& lhs_part, const TVMFFIAny& rhs_part,
                        std::vector<MismatchStep>* reversed_steps) {
  if (!IsSame(RawOf(lhs), lhs_part) || !IsSame(RawOf(rhs), rhs_part)) {
    std::optional<AccessStep> lhs_step = ElementStep(RawOf(lhs), lhs_part);
    std::optional<AccessStep> rhs_step = ElementStep(RawOf(rhs), rhs_part);
    if (!lhs_step || !rhs_step) return false;
    reversed_steps->push_back({*lhs_step, *rhs_step});
  }
  reversed_steps->push_back({StepTo(field), StepTo(field)});
  return true;
}

void PrintValue(const ffi::Any& value, std::ostream& out) {
  switch (value.type_index()) {
    case kTVMFFINone:
      out << "None";
      break;
    case kTVMFFIBool:
      out << (value.cast<bool>() ? "True" : "False");
      break;
    case kTVMFFIInt:
      out << value.cast<int64_t>();
      break;
    case kTVMFFIFloat:
      out << value.cast<double>();
      break;
    case kTVMFFIDataType:
      out << ffi::DLDataTypeToString(value.cast<DLDataType>());
      break;
    case kTVMFFIStr:
    case kTVMFFISmallStr:
      out << ffi::EscapeStringJSON(value.cast<ffi::String>());
      break;
    default:
      out << "`" << value.GetTypeKey() << "`";
  }
}

void PrintKey(const ffi::Any& key, std::ostream& out) {
  out << "[";
  PrintValue(key, out);
  out << "]";
}

void PrintStep(const AccessStep& step, std::ostream& out) {
  switch (step->kind) {
    case AccessKind::kAttr:
    case AccessKind::kAttrMissing:
      out << "." << step->key.cast<ffi::String>();
      break;
    default:
      PrintKey(step->key, out);
  }
}

bool IsMissing(const AccessStep& step) {
  return step->kind == AccessKind::kArrayItemMissing || step->kind == AccessKind::kMapItemMissing;
}

/*! \brief The left steps; a long path loses its middle. */
void PrintSteps(const std::vector<MismatchStep>& reversed_steps, std::ostream& out) {
  constexpr size_t kShownAtEachEnd = 16;
  size_t count = reversed_steps.size();
  out << "<root>";
  for (size_t i = 0; i < count; ++i) {
    if (count > 2 * kShownAtEachEnd && i == kShownAtEachEnd) {
      size_t num_skipped = count - 2 * kShownAtEachEnd;
      out << ".(" << num_skipped << " more steps)";
      i += num_skipped;
    }
    PrintStep(reversed_steps[count - 1 - i].lhs, out);
  }
}

void PrintDifference(const MismatchPath& path, std::ostream& out) {
  PrintValue(path.lhs, out);
  if (path.lhs.type_index() == path.rhs.type_index() &&
      path.lhs.type_index() >= kTVMFFIStaticObjectBegin && !IsHeapBytes(path.lhs.type_index())) {
    out << " differs";
    return;
  }
  out << " != ";
  PrintValue(path.rhs, out);
}

}  // namespace

ffi::reflection::AccessStep StepTo(const FieldInfo& field) {
  return AccessStep::Attr(ffi::String(field.name.data(), field.name.size()));
}

bool IsWithin(const ffi::Object* object, const void* address) {
  auto offset = static_cast<const char*>(address) - reinterpret_cast<const char*>(object);
  return offset >= 0 && offset < TypeInfoOf(object).size;
}

const FieldInfo* FieldAt(const ffi::Object* object, const void* address) {
  auto offset = static_cast<const char*>(address) - reinterpret_cast<const char*>(object);
  for (const FieldInfo& field : TypeInfoOf(object).fields) {
    if (static_cast<ptrdiff_t>(field.offset) == offset) return &field;
  }
  return nullptr;
}

void AppendPartSteps(const ffi::Object* lhs_object, const ffi::Object* rhs_object,
                     const TVMFFIAny& lhs_part, const TVMFFIAny& rhs_part, const void* where,
                     std::vector<MismatchStep>* reversed_steps) {
  if (const FieldInfo* field = FieldAt(lhs_object, where)) {
    return reversed_steps->push_back({StepTo(*field), StepTo(*field)});
  }
  for (const FieldInfo& field : TypeInfoOf(lhs_object).fields) {
    if (AppendStepsThrough(field, field.Read(lhs_object), field.Read(rhs_object), lhs_part,
                           rhs_part, reversed_steps)) {
      return;
    }
  }
}

std::string DescribeMismatch(const MismatchPath& path) {
  std::ostringstream out;
  PrintSteps(path.reversed_steps, out);
  out << ": ";
  if (!path.reversed_steps.empty() && IsMissing(path.reversed_steps.front().lhs)) {
    out << "only on the right";
  } else if (!path.reversed_steps.empty() && IsMissing(path.reversed_steps.front().rhs)) {
    out << "only on the left";
  } else {
    PrintDifference(path, out);
  }
  return out.str();
}

}  // namespace tschema
