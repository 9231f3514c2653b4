/*!
 * \file nodes.h
 * \brief Node types of the tests: one with a field of every kind, and two versions of one type.
 */
#ifndef TSCHEMA_TESTS_SERIALIZE_NODES_H_
#define TSCHEMA_TESTS_SERIALIZE_NODES_H_

#include <tschema/registry.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/device.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/error.h>

#include <cstdint>

namespace serialize_test {

namespace ffi = ::tvm::ffi;
using tschema::kAccess;

enum class Color : int32_t { kRed = 1, kBlue = 4 };

}  // namespace serialize_test

template <>
struct tschema::EnumTraits<serialize_test::Color> {
  static constexpr bool Contains(int64_t value) { return value == 1 || value == 4; }
};

namespace serialize_test {

/*! \brief A field of every kind. */
class KindsNode : public ffi::Object {
 public:
  bool flag = false;
  int8_t i8 = 0;
  int16_t i16 = 0;
  int32_t i32 = 0;
  int64_t i64 = 0;
  uint8_t u8 = 0;
  uint16_t u16 = 0;
  uint32_t u32 = 0;
  uint64_t u64 = 0;
  float f32 = 0;
  double f64 = 0;
  Color color = Color::kRed;
  DLDataType dtype{kDLInt, 32, 1};
  DLDevice device{kDLCPU, 0};
  ffi::String text;
  ffi::Bytes bytes;
  ffi::Any any;
  ffi::Optional<int64_t> maybe;
  ffi::Variant<int64_t, ffi::String> either = int64_t{0};
  ffi::Optional<ffi::ObjectRef> object;
  ffi::List<ffi::Any> list;
  ffi::Dict<ffi::String, ffi::Any> dict;
  ffi::Map<ffi::Any, ffi::Any> map;
  ffi::Tuple<int64_t, ffi::String> pair{0, ffi::String("")};
  ffi::Array<Color> colors;
  ffi::Array<double> numbers;
  ffi::Optional<ffi::Shape> shape;

  KindsNode() = default;
  explicit KindsNode(ffi::UnsafeInit) {}

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("serialize_test.Kinds", KindsNode, ffi::Object);
};

inline constexpr tschema::Field kKindsFields[] = {
    {"flag", offsetof(KindsNode, flag), &kAccess<bool>, 0, "bool", ""},
    {"i8", offsetof(KindsNode, i8), &kAccess<int8_t>, 0, "int8", ""},
    {"i16", offsetof(KindsNode, i16), &kAccess<int16_t>, 0, "int16", ""},
    {"i32", offsetof(KindsNode, i32), &kAccess<int32_t>, 0, "int32", ""},
    {"i64", offsetof(KindsNode, i64), &kAccess<int64_t>, 0, "int64", ""},
    {"u8", offsetof(KindsNode, u8), &kAccess<uint8_t>, 0, "uint8", ""},
    {"u16", offsetof(KindsNode, u16), &kAccess<uint16_t>, 0, "uint16", ""},
    {"u32", offsetof(KindsNode, u32), &kAccess<uint32_t>, 0, "uint32", ""},
    {"u64", offsetof(KindsNode, u64), &kAccess<uint64_t>, 0, "uint64", ""},
    {"f32", offsetof(KindsNode, f32), &kAccess<float>, 0, "float32", ""},
    {"f64", offsetof(KindsNode, f64), &kAccess<double>, 0, "float64", ""},
    {"color", offsetof(KindsNode, color), &kAccess<Color>, 0, "enum serialize_test.Color", ""},
    {"dtype", offsetof(KindsNode, dtype), &kAccess<DLDataType>, 0, "DataType", ""},
    {"device", offsetof(KindsNode, device), &kAccess<DLDevice>, 0, "Device", ""},
    {"text", offsetof(KindsNode, text), &kAccess<ffi::String>, 0, "String", ""},
    {"bytes", offsetof(KindsNode, bytes), &kAccess<ffi::Bytes>, 0, "Bytes", ""},
    {"any", offsetof(KindsNode, any), &kAccess<ffi::Any>, 0, "Any", ""},
    {"maybe", offsetof(KindsNode, maybe), &kAccess<ffi::Optional<int64_t>>, 0, "Optional[int64]",
     ""},
    {"either", offsetof(KindsNode, either), &kAccess<ffi::Variant<int64_t, ffi::String>>, 0,
     "Union[int64, String]", ""},
    {"object", offsetof(KindsNode, object), &kAccess<ffi::Optional<ffi::ObjectRef>>, 0,
     "Optional[Object]", ""},
    {"list", offsetof(KindsNode, list), &kAccess<ffi::List<ffi::Any>>, 0, "List[Any]", ""},
    {"dict", offsetof(KindsNode, dict), &kAccess<ffi::Dict<ffi::String, ffi::Any>>, 0,
     "Dict[String, Any]", ""},
    {"map", offsetof(KindsNode, map), &kAccess<ffi::Map<ffi::Any, ffi::Any>>, 0, "Map[Any, Any]",
     ""},
    {"pair", offsetof(KindsNode, pair), &kAccess<ffi::Tuple<int64_t, ffi::String>>, 0,
     "Tuple[int64, String]", ""},
    {"colors", offsetof(KindsNode, colors), &kAccess<ffi::Array<Color>>, 0,
     "Array[enum serialize_test.Color]", ""},
    {"numbers", offsetof(KindsNode, numbers), &kAccess<ffi::Array<double>>, 0, "Array[float64]",
     ""},
    {"shape", offsetof(KindsNode, shape), &kAccess<ffi::Optional<ffi::Shape>>, 0, "Optional[Shape]",
     ""},
};

/*! \brief Two coordinates; the key has as many letters as that of the next version. */
class OldPointNode : public ffi::Object {
 public:
  int64_t x = 0;
  int64_t y = 0;

  OldPointNode() = default;
  OldPointNode(int64_t x, int64_t y) : x(x), y(y) {}
  explicit OldPointNode(ffi::UnsafeInit) {}

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("serialize_test.OldPoint", OldPointNode, ffi::Object);
};

/*! \brief The next version: other order, other widths, two more fields, one of them derived. */
class NewPointNode : public ffi::Object {
 public:
  ffi::String label;
  int32_t y = 0;
  ffi::Optional<int64_t> x;
  int64_t norm = 0;

  NewPointNode() = default;
  explicit NewPointNode(ffi::UnsafeInit) {}

  void PostInit() {
    if (y < 0) TVM_FFI_THROW(ValueError) << "NewPoint: `y` must not be negative";
    norm = x.value_or(0) * x.value_or(0) + int64_t{y} * y;
  }

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("serialize_test.NewPoint", NewPointNode, ffi::Object);
};

inline ffi::Any DefaultLabel() { return ffi::String("a point without a label"); }

inline constexpr tschema::Field kOldPointFields[] = {
    {"x", offsetof(OldPointNode, x), &kAccess<int64_t>, 0, "int64", ""},
    {"y", offsetof(OldPointNode, y), &kAccess<int64_t>, 0, "int64", ""},
};
inline constexpr tschema::Field kNewPointFields[] = {
    {"label", offsetof(NewPointNode, label), &kAccess<ffi::String>, tschema::kHasDefault, "String",
     "", &DefaultLabel},
    {"y", offsetof(NewPointNode, y), &kAccess<int32_t>, 0, "int32", ""},
    {"x", offsetof(NewPointNode, x), &kAccess<ffi::Optional<int64_t>>, 0, "Optional[int64]", ""},
    {"norm", offsetof(NewPointNode, norm), &kAccess<int64_t>, tschema::kInitOff, "int64", ""},
};

inline constexpr tschema::Callable kNewKinds = {
    "serialize_test.Kinds", &tschema::New<KindsNode>, {}, "serialize_test.Kinds"};
inline constexpr tschema::Callable kNewOldPoint = {
    "serialize_test.OldPoint", &tschema::New<OldPointNode>, {}, "serialize_test.OldPoint"};
inline constexpr tschema::Callable kNewNewPoint = {
    "serialize_test.NewPoint", &tschema::New<NewPointNode>, {}, "serialize_test.NewPoint"};

inline constexpr tschema::Type kTypes[] = {
    tschema::Concrete<KindsNode>("kinds", "", kKindsFields, kNewKinds),
    tschema::Concrete<OldPointNode>("old", "", kOldPointFields, kNewOldPoint),
    tschema::Concrete<NewPointNode>("new", "", kNewPointFields, kNewNewPoint),
};
inline constexpr tschema::Unit kUnit = {kTypes, {}};
inline constexpr const tschema::Unit* kUnits[] = {&kUnit};
inline constexpr tschema::Package kPackage = {"serialize_test", "all", tschema::kFFIVersion,
                                              kUnits};

/*! \brief Registered before the first test; again does nothing. */
inline const bool kIsRegistered = [] {
  tschema::Register(kPackage);
  return true;
}();

}  // namespace serialize_test

#endif  // TSCHEMA_TESTS_SERIALIZE_NODES_H_
