// Types as the tables spell them, as tvm-ffi's JSON type schemas.
#include "tschema/registration/type_text.h"

#include <gtest/gtest.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/function_detail.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/string.h>

namespace tschema {
namespace {

template <typename T>
std::string Peers() {
  return ffi::detail::TypeSchema<T>::v();
}

TEST(TypeText, AgreesWithTvmFfi) {
  EXPECT_EQ(TypeSchema("uint8"), Peers<uint8_t>());
  EXPECT_EQ(TypeSchema("bool"), Peers<bool>());
  EXPECT_EQ(TypeSchema("float32"), Peers<float>());
  EXPECT_EQ(TypeSchema("DataType"), Peers<DLDataType>());
  EXPECT_EQ(TypeSchema("String"), Peers<ffi::String>());
  EXPECT_EQ(TypeSchema("Object"), Peers<ffi::ObjectRef>());
  EXPECT_EQ(TypeSchema("Any"), Peers<ffi::Any>());
  EXPECT_EQ(TypeSchema("Map[String, Array[Optional[int64]]]"),
            (Peers<ffi::Map<ffi::String, ffi::Array<ffi::Optional<int64_t>>>>()));
  EXPECT_EQ(TypeSchema("Union[String, int64]"), (Peers<ffi::Variant<ffi::String, int64_t>>()));
}

TEST(TypeText, SpellsDeclaredTypes) {
  EXPECT_EQ(TypeSchema("Optional[uir.ir.Span]"),
            R"({"type":"Optional","args":[{"type":"uir.ir.Span"}]})");
  EXPECT_EQ(TypeSchema("Array[enum uir.tir.ForKind]"),
            R"({"type":"ffi.Array","args":[{"type":"int"}]})");
}

}  // namespace
}  // namespace tschema
