/*!
 * \file type_lookup.cc
 * \brief Finds types by the keys that stand in files.
 */
#include "./type_lookup.h"

#include <tschema/type_key.h>
#include <tvm/ffi/error.h>

#include <string>

#include "./load_error.h"

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

int32_t IndexOf(std::string_view key) {
  if (const std::optional<int32_t> type_index = FindTypeIndex(key)) return *type_index;
  FailValue("there is no type `" + std::string(key) + "`; is its library loaded?");
}

}  // namespace

FileType FindFileType(std::string_view key) {
  int32_t type_index = IndexOf(key);
  const TVMFFIByteArray& known = TVMFFIGetTypeInfo(type_index)->type_key;
  FileType type{{known.data, known.size}, type_index, nullptr};
  if (IsBuiltin(type_index)) return type;
  bool is_object = type_index >= kTVMFFIStaticObjectBegin;
  if (is_object) type.codec = &TypeCodecOf(type_index);
  if (!is_object || type.codec->form == DataForm::kNone) {
    FailType("objects of type `" + std::string(key) + "` cannot be made");
  }
  return type;
}

}  // namespace tschema
