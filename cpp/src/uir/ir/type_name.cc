#include <uir/ir/type_name.h>

namespace uir::ir {

std::string TypeNameOf(ffi::AnyView value) {
  switch (value.type_index()) {
    case kTVMFFIRawStr:
    case kTVMFFISmallStr:
    case kTVMFFIStr:
      return "str";
    case kTVMFFIByteArrayPtr:
    case kTVMFFISmallBytes:
    case kTVMFFIBytes:
      return "bytes";
    default:
      return value.GetTypeKey();
  }
}

}  // namespace uir::ir
