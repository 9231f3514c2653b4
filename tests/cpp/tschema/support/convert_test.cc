// Conversion of containers: integers in them are never truncated, whichever container comes in.
#include <gtest/gtest.h>
#include <tschema/convert.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/string.h>

#include <string>

namespace tschema {
namespace {

constexpr Slot kSlot = {"test.owner", "values", "what is asked for"};

template <typename T>
std::string ErrorOf(const ffi::Any& value) {
  try {
    Convert<T>(value, kSlot);
  } catch (const ffi::Error& error) {
    return error.kind() + ": " + std::string(error.message());
  }
  return "no error";
}

constexpr const char* k300 =
    "ValueError: test.owner: argument `values` must be between 0 and 255, not 300";

using Bytes = ffi::Array<uint8_t>;
using ByteMap = ffi::Map<ffi::String, uint8_t>;

TEST(Convert, ChecksElementsOfEverySequence) {
  ffi::Array<ffi::Any> array{1, 300};
  ffi::List<ffi::Any> list{1, 300};
  ffi::Array<ffi::Any> of_bools{true, 300};
  for (const ffi::Any& value : {ffi::Any(array), ffi::Any(list), ffi::Any(of_bools)}) {
    EXPECT_EQ(ErrorOf<Bytes>(value), k300);
    EXPECT_EQ(ErrorOf<ffi::List<uint8_t>>(value), k300);
    EXPECT_EQ(ErrorOf<ffi::Optional<Bytes>>(value), k300);
    EXPECT_EQ(ErrorOf<ffi::Array<Bytes>>(ffi::List<ffi::Any>{value}), k300);
    EXPECT_EQ((ErrorOf<ffi::Variant<ffi::String, Bytes>>(value)), k300);
  }
}

TEST(Convert, ChecksEntriesOfEveryMapping) {
  ffi::Map<ffi::Any, ffi::Any> map{{ffi::String("a"), 300}};
  ffi::Dict<ffi::Any, ffi::Any> dict{{ffi::String("a"), 300}};
  for (const ffi::Any& value : {ffi::Any(map), ffi::Any(dict)}) {
    EXPECT_EQ(ErrorOf<ByteMap>(value), k300);
    EXPECT_EQ((ErrorOf<ffi::Dict<ffi::String, uint8_t>>(value)), k300);
  }
  // As bytes, both keys would be the same.
  ffi::Dict<ffi::Any, ffi::Any> keys{{44, 1}, {300, 2}};
  EXPECT_EQ((ErrorOf<ffi::Map<uint8_t, ffi::Any>>(keys)), k300);
}

TEST(Convert, ChecksElementsOfTuples) {
  using Pair = ffi::Tuple<uint8_t, int64_t>;
  EXPECT_EQ(ErrorOf<Pair>(ffi::Array<ffi::Any>{300, 1}), k300);
  EXPECT_EQ(ErrorOf<Pair>(ffi::Array<ffi::Any>{300, true}), k300);
  EXPECT_EQ(ErrorOf<Pair>(ffi::Array<ffi::Any>{200, true}), "no error");
}

TEST(Convert, KeepsAnIntegerOutOfRangeFromBeingAnotherAlternative) {
  using Number = ffi::Variant<double, uint8_t>;
  EXPECT_EQ(ErrorOf<Number>(ffi::Any(300)), k300);
  EXPECT_EQ(ErrorOf<Number>(ffi::Any(200)), "no error");
  EXPECT_EQ((ErrorOf<ffi::Variant<Bytes, double>>(ffi::List<ffi::Any>{300})), k300);
}

TEST(Convert, TakesWhatFits) {
  Bytes bytes = Convert<Bytes>(ffi::List<ffi::Any>{0, 255, true}, kSlot);
  ASSERT_EQ(bytes.size(), 3);
  EXPECT_EQ(bytes[1], 255);
  EXPECT_EQ(bytes[2], 1);
  ffi::Dict<ffi::Any, ffi::Any> dict{{ffi::String("a"), 200}};
  EXPECT_EQ(Convert<ByteMap>(dict, kSlot).at("a"), 200);
  using Either = ffi::Variant<int64_t, Bytes>;
  EXPECT_EQ(Convert<Either>(ffi::Any(300), kSlot).get<int64_t>(), 300);
  EXPECT_EQ(Convert<Either>(ffi::List<ffi::Any>{7}, kSlot).get<Bytes>()[0], 7);
}

}  // namespace
}  // namespace tschema
