// Ranges of data types.
#include <uir/ir/dtype.h>

#include <limits>

namespace uir::ir {

int64_t MinValue(DLDataType dtype) {
  if (dtype.code != kDLInt) return 0;
  return dtype.bits >= 64 ? std::numeric_limits<int64_t>::min() : -(int64_t{1} << (dtype.bits - 1));
}

int64_t MaxValue(DLDataType dtype) {
  if (IsBool(dtype)) return 1;
  const int value_bits = dtype.code == kDLInt ? dtype.bits - 1 : dtype.bits;
  return value_bits >= 63 ? std::numeric_limits<int64_t>::max() : (int64_t{1} << value_bits) - 1;
}

double MaxFinite(DLDataType dtype) {
  switch (static_cast<int>(dtype.code)) {
    case kDLFloat:
      if (dtype.bits == 16) return 65504.0;
      if (dtype.bits == 32) return std::numeric_limits<float>::max();
      if (dtype.bits == 64) return std::numeric_limits<double>::max();
      break;
    case kDLBfloat:
      return 0x1.FEp127;
    case kDLFloat8_e3m4:
      return 15.5;
    case kDLFloat8_e4m3:
    case kDLFloat8_e4m3fnuz:
      return 240.0;
    case kDLFloat8_e4m3b11fnuz:
      return 30.0;
    case kDLFloat8_e4m3fn:
      return 448.0;
    case kDLFloat8_e5m2:
    case kDLFloat8_e5m2fnuz:
      return 57344.0;
    case kDLFloat8_e8m0fnu:
      return 0x1p127;
    case kDLFloat6_e2m3fn:
      return 7.5;
    case kDLFloat6_e3m2fn:
      return 28.0;
    case kDLFloat4_e2m1fn:
      return 6.0;
    default:
      break;
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace uir::ir
