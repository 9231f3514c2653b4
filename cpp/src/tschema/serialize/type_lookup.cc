/*!
 * \file type_lookup.cc
 * \brief Finds types by their keys in files.
 */
#include "./type_lookup.h"

#include <tschema/type_key.h>
#include <tvm/ffi/error.h>

#include <mutex>
#include <set>
#include <string>

#include "../reflection/stored_forms.h"
#include "./load_error.h"
#include "./tensor_data.h"

namespace tschema {
namespace {

/*! \brief Whether values of the type are read by the readers themselves. */
bool IsBuiltin(int32_t type_index) {
  switch (type_index) {
    case kTVMFFINone:
    case kTVMFFIInt:
    case kTVMFFIBool:
    case kTVMFFIFloat:
    case kTVMFFIDataType:
    case kTVMFFIDevice:
    case kTVMFFIStr:
    case kTVMFFIBytes:
    case kTVMFFIArray:
    case kTVMFFIList:
    case kTVMFFIMap:
    case kTVMFFIDict:
    case kTVMFFIShape:
      return true;
    default:
      return false;
  }
}

/*! \brief A view of the same text that is valid until the process ends. */
std::string_view Lasting(std::string_view key) {
  static std::mutex mutex;
  static auto* const keys = new std::set<std::string, std::less<>>();
  const std::lock_guard<std::mutex> lock(mutex);
  const auto found = keys->find(key);
  return found != keys->end() ? *found : *keys->emplace(key).first;
}

/*! \brief The type that has a key, or had it. */
FileType FindByKey(std::string_view key) {
  if (key == kSavedTensorKey) return {kSavedTensorKey, kTVMFFITensor, nullptr};
  if (const std::optional<int32_t> type_index = FindTypeIndex(key)) {
    const TVMFFIByteArray& known = TVMFFIGetTypeInfo(*type_index)->type_key;
    return {{known.data, known.size}, *type_index, nullptr};
  }
  const int32_t type_index = FindFormerKey(key);
  if (type_index >= 0) return {Lasting(key), type_index, nullptr};
  FailValue("there is no type `" + std::string(key) +
            "`; is its library loaded, and does its class say `renamed_from`?");
}

}  // namespace

FileType FindFileType(std::string_view key) {
  FileType type = FindByKey(key);
  const int32_t type_index = type.type_index;
  if (IsBuiltin(type_index)) return type;
  bool is_object = type_index >= kTVMFFIStaticObjectBegin;
  if (is_object) type.codec = &TypeCodecOf(type_index);
  if (!is_object || type.codec->form == DataForm::kNone) {
    FailType("objects of type `" + std::string(key) + "` cannot be made");
  }
  return type;
}

}  // namespace tschema
