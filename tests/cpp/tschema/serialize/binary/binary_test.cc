// Graphs as bytes: size, round trips, the same bytes for equal graphs, files of older schemas.
#include <gtest/gtest.h>
#include <tschema/binary.h>
#include <tschema/json.h>
#include <tschema/structural_equal.h>
#include <tvm/ffi/function.h>

#include <string>

#include "../graphs.h"

namespace serialize_test {
namespace {

using tschema::LoadBinary;
using tschema::SaveBinary;
using tschema::SaveJSON;
using tschema::StructuralEqual;

std::string SavedBytes(const ffi::Any& value) {
  ffi::Bytes bytes = SaveBinary(value);
  return {bytes.data(), bytes.size()};
}

TEST(Binary, RoundTripsEveryKindOfValue) {
  for (const ffi::Any& value : ManyValues()) {
    std::string data = SavedBytes(value);
    ffi::Any loaded = LoadBinary(data);
    EXPECT_EQ(SavedBytes(loaded), data);
    EXPECT_EQ(std::string(SaveJSON(loaded)), std::string(SaveJSON(value)));
  }
}

TEST(Binary, LoadsEqualObjects) {
  EXPECT_TRUE(StructuralEqual(LoadBinary(SavedBytes(Tree(6))), Tree(6)));
  ffi::ObjectRef kinds(Kinds());
  EXPECT_TRUE(StructuralEqual(LoadBinary(SavedBytes(kinds)), kinds));
}

TEST(Binary, KeepsWhatJSONCannot) {
  ffi::String not_utf8("\xFF\xFE and more of it");
  EXPECT_EQ(LoadBinary(SavedBytes(not_utf8)).cast<ffi::String>(), not_utf8);
  DLDataType handle = {kDLOpaqueHandle, 32, 1};
  EXPECT_EQ(LoadBinary(SavedBytes(handle)).cast<DLDataType>(), handle);
}

TEST(Binary, TakesFewBytes) {
  std::string data = SavedBytes(Tree(12));
  EXPECT_LE(data.size(), 8191 * 5);
}

TEST(Binary, GivesEqualGraphsEqualBytes) {
  PrimExpr tree = Tree(3);
  std::string expected = SavedBytes(tree);
  // Someone else holds every node of it.
  ffi::Array<ffi::Any> held{tree};
  for (PrimExpr part = tree; const auto* add = part.as<uir::tir::AddNode>(); part = add->a) {
    held.push_back(add->a);
    held.push_back(add->b);
  }
  EXPECT_EQ(SavedBytes(tree), expected);
  EXPECT_EQ(SavedBytes(Tree(3)), expected);
}

TEST(Binary, TellsSharedObjectsFromEqualOnes) {
  IntImm two(kInt32, 2);
  uir::tir::Add shared(two, two);
  uir::tir::Add equal(two, IntImm(kInt32, 2));
  EXPECT_NE(SavedBytes(shared), SavedBytes(equal));
  auto loaded = LoadBinary(SavedBytes(shared)).cast<uir::tir::Add>();
  EXPECT_TRUE(loaded->a.same_as(loaded->b));
  EXPECT_EQ(loaded->a.use_count(), 2);
  loaded = LoadBinary(SavedBytes(equal)).cast<uir::tir::Add>();
  EXPECT_FALSE(loaded->a.same_as(loaded->b));
}

TEST(Binary, LoadsFilesOfAnOlderSchema) {
  ffi::ObjectRef old(ffi::make_object<OldPointNode>(3, 4));
  std::string data = SavedBytes(ffi::Array<ffi::Any>{old, old});
  data.replace(data.find("OldPoint"), 8, "NewPoint");
  auto points = LoadBinary(data).cast<ffi::Array<ffi::ObjectRef>>();
  EXPECT_TRUE(points[0].same_as(points[1]));
  const auto* point = points[0].as<NewPointNode>();
  EXPECT_EQ(point->label, "a point without a label");
  EXPECT_EQ(point->x, 3);
  EXPECT_EQ(point->y, 4);
  EXPECT_EQ(point->norm, 25);
}

std::string ErrorOfLoading(const std::string& data) {
  try {
    LoadBinary(data);
  } catch (const ffi::Error& error) {
    return error.kind() + ": " + error.message();
  }
  return "";
}

TEST(Binary, ChecksFilesOfAnOlderSchema) {
  ffi::ObjectRef wide(ffi::make_object<OldPointNode>(3, int64_t{1} << 40));
  std::string data = SavedBytes(wide);
  data.replace(data.find("OldPoint"), 8, "NewPoint");
  EXPECT_EQ(ErrorOfLoading(data),
            "ValueError: 1099511627776 is out of the range of `int32`, -2147483648 to 2147483647 "
            "(byte 44, value 0 of type `serialize_test.NewPoint`, field `y`)");
  data = SavedBytes(ffi::ObjectRef(ffi::make_object<OldPointNode>(3, -1)));
  data.replace(data.find("OldPoint"), 8, "NewPoint");
  EXPECT_EQ(ErrorOfLoading(data),
            "ValueError: NewPoint: `y` must not be negative "
            "(byte 44, value 0 of type `serialize_test.NewPoint`)");
}

TEST(Binary, HasGlobalFunctions) {
  auto save = ffi::Function::GetGlobalRequired("tschema.save_binary");
  auto load = ffi::Function::GetGlobalRequired("tschema.load_binary");
  EXPECT_EQ(load(save(Tree(2))).cast<PrimExpr>()->dtype, kInt32);
}

// Malformed files, made by hand: magic, version, strings, data types, types, shared, size, body.

std::string File(const std::string& tables_and_body) {
  return std::string("\x89TSB\x01", 5) + tables_and_body;
}

std::string Text(const std::string& text) { return static_cast<char>(text.size()) + text; }

/*! \brief No string, data type, type or shared object. */
std::string Body(const std::string& body) { return File(std::string(4, '\0') + Text(body)); }

/*! \brief A file with one type of one field, held as `wire`. */
std::string Point(const std::string& key, const std::string& name, char wire,
                  const std::string& body) {
  return File("\x02" + Text(key) + Text(name) + std::string("\0\x01\0\x01\x01", 5) + wire + '\0' +
              Text(body));
}

TEST(Binary, RefusesMalformedFiles) {
  std::string integer("\x03\x02", 2);
  struct Case {
    std::string data;
    std::string error;
  };
  const Case cases[] = {
      {"", "ValueError: the data are not a graph in the binary form of tschema (byte 0)"},
      {"{\"nodes\":[]}",
       "ValueError: the data are not a graph in the binary form of tschema "
       "(byte 4)"},
      {"\x89TSB\x02",
       "ValueError: the data have version 2 of the format, and only versions up to "
       "1 are known; a newer version wrote them (byte 5)"},
      {Body(""), "ValueError: the data leave 0 values, not one (byte 10)"},
      {Body(integer + integer), "ValueError: the data leave 2 values, not one (byte 14)"},
      {Body("\x03"),
       "ValueError: the data end too early: more is announced than there is "
       "(byte 10, value 0)"},
      {Body("\x03\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02"),
       "ValueError: a number does not fit into 64 bits (byte 10, value 0)"},
      {Body("\x10"), "ValueError: there is no type 0 (byte 10, value 0)"},
      {Body(std::string("\x05\0", 2)), "ValueError: there is no string 0 (byte 10, value 0)"},
      {Body(std::string("\x07\0", 2)), "ValueError: there is no data type 0 (byte 10, value 0)"},
      {Body(std::string("\x09\0", 2)),
       "ValueError: an object is used again before it is there (byte 10, value 0)"},
      {Body(integer + "\x0A\x02"),
       "ValueError: the value has 2 parts, but only 1 values are there (byte 12, value 1)"},
      {Body("\x0C\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"),
       "ValueError: the value has 18446744073709551615 parts, but only 0 values are there "
       "(byte 10, value 0)"},
      {Body(integer + integer + integer + integer + "\x0C\x02"),
       "ValueError: a mapping has a key twice (byte 18, value 4)"},
      {Body("\x08\x80\x80\x80\x80\x20\x02"),
       "ValueError: 4294967296 is out of the range of `int32` (byte 10, value 0)"},
      {File("\x7F"),
       "ValueError: the data end too early: more is announced than there is "
       "(byte 6)"},
      {File(std::string("\0\0\0\x01\0\x00", 6)),
       "ValueError: an object that is used again is not there (byte 11)"},
      {File(std::string("\0\0\0\x02\0\0", 6)),
       "ValueError: an object that is used again is in the table twice (byte 11)"},
      {File(std::string("\0\x01\xF0\x20\x01\0", 6)),
       "ValueError: there is no data type of code 240 (byte 11)"},
      {Point("no.Such", "x", 'i', ""),
       "ValueError: there is no type `no.Such`; is its library loaded, and does its class say "
       "`renamed_from`? (byte 19)"},
      {Point("ffi.Array", "x", 'i', ""),
       "TypeError: objects of type `ffi.Array` have no fields (byte 21)"},
      {Point("ffi.Function", "x", 'i', ""),
       "TypeError: objects of type `ffi.Function` cannot be made (byte 24)"},
      {Point("uir.ir.IntImm", "nope", 'i', ""),
       "ValueError: the type has no field `nope`; files with it load where the declaration has "
       "`renamed_from` or `removed_fields` (byte 30, type `uir.ir.IntImm`)"},
      {Point("uir.ir.IntImm", "value", '?', ""),
       "ValueError: the field is held in an unknown way (byte 32, type `uir.ir.IntImm`, field "
       "`value`)"},
      {Point("uir.ir.SourceName", "name", 'i', "\x10\x02"),
       "TypeError: the field cannot hold `int`; `String` is expected (byte 37, value 0 of type "
       "`uir.ir.SourceName`, field `name`)"},
      {Point("uir.ir.SourceName", "name", 'e', "\x10"),
       "ValueError: the value has 1 parts, but only 0 values are there (byte 37, value 0 of type "
       "`uir.ir.SourceName`)"},
      {Point("serialize_test.OldPoint", "x", 'i', "\x10\x02"),
       "ValueError: the field is missing, and has no default; older files load where it has one, "
       "of type `int64` (byte 40, value 0 of type `serialize_test.OldPoint`, field `y`)"},
  };
  for (const Case& test : cases) EXPECT_EQ(ErrorOfLoading(test.data), test.error);
}

}  // namespace
}  // namespace serialize_test
