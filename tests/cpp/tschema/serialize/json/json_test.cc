// Graphs as JSON: what is written, that it is read back, and that tvm-ffi and we read each other.
#include <gtest/gtest.h>
#include <tschema/json.h>
#include <tschema/structural_equal.h>
#include <tvm/ffi/extra/json.h>
#include <tvm/ffi/extra/serialization.h>
#include <tvm/ffi/function.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "../graphs.h"
#include "tschema/serialize/json/json_scanner.h"

namespace serialize_test {
namespace {

namespace json = ffi::json;
using tschema::LoadJSON;
using tschema::SaveJSON;
using tschema::StructuralEqual;

std::string Saved(const ffi::Any& value) { return SaveJSON(value); }

/*! \brief The nodes of a graph, without what stands around them. */
std::string NodesOf(const std::string& text) {
  size_t begin = text.find("\"nodes\":[") + 8;
  return text.substr(begin, text.rfind(']') + 1 - begin);
}

std::string SavedNodes(const ffi::Any& value) { return NodesOf(Saved(value)); }

TEST(SaveJSON, WritesChildrenFirstAndSharedObjectsOnce) {
  IntImm two(kInt32, 2);
  EXPECT_EQ(Saved(uir::tir::Add(two, two)),
            R"({"metadata":{"tschema_json":1,"tschema_value_fields":{)"
            R"("uir.ir.IntImm":["dtype","value"],"uir.tir.Add":["dtype"]}},)"
            R"("nodes":[{"type":"None"},)"
            R"({"type":"uir.ir.IntImm","data":{"span":0,"dtype":"int32","value":2}},)"
            R"({"type":"uir.tir.Add","data":{"span":0,"dtype":"int32","a":1,"b":1}}],)"
            R"("root_index":2})");
}

TEST(SaveJSON, WritesPlainValuesAsNodes) {
  EXPECT_EQ(SavedNodes(nullptr), R"([{"type":"None"}])");
  EXPECT_EQ(SavedNodes(true), R"([{"type":"bool","data":true}])");
  EXPECT_EQ(SavedNodes(INT64_MIN), R"([{"type":"int","data":-9223372036854775808}])");
  EXPECT_EQ(SavedNodes(kInt32), R"([{"type":"DataType","data":"int32"}])");
  EXPECT_EQ(SavedNodes(DLDevice{kDLCUDA, 3}), R"([{"type":"Device","data":[2,3]}])");
  EXPECT_EQ(SavedNodes(ffi::Bytes("\x00\xFF", 2)), R"([{"type":"ffi.Bytes","data":"AP8="}])");
  EXPECT_EQ(SavedNodes(ffi::Shape({4, -1})), R"([{"type":"ffi.Shape","data":[4,-1]}])");
}

TEST(SaveJSON, WritesTheShortestNumberThatReadsBack) {
  auto text = [](double value) { return SavedNodes(value); };
  EXPECT_EQ(text(0.1), R"([{"type":"float","data":0.1}])");
  EXPECT_EQ(text(2), R"([{"type":"float","data":2.0}])");
  EXPECT_EQ(text(-0.0), R"([{"type":"float","data":-0.0}])");
  EXPECT_EQ(text(1e300), R"([{"type":"float","data":1e+300}])");
  EXPECT_EQ(text(std::nan("")), R"([{"type":"float","data":NaN}])");
  EXPECT_EQ(text(-HUGE_VAL), R"([{"type":"float","data":-Infinity}])");
}

TEST(SaveJSON, EscapesWhatJSONRequiresAndKeepsUtf8) {
  EXPECT_EQ(SavedNodes(ffi::String("\"\\/\b\f\n\r\t\x01\x7F \xE2\x82\xAC \xF0\x9F\x98\x80")),
            "[{\"type\":\"ffi.String\",\"data\":"
            "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\x7F \xE2\x82\xAC \xF0\x9F\x98\x80\"}]");
  EXPECT_EQ(SavedNodes(ffi::String("a\0b", 3)), R"([{"type":"ffi.String","data":"a\u0000b"}])");
}

std::string ErrorOfSaving(const ffi::Any& value) {
  try {
    SaveJSON(value);
  } catch (const ffi::Error& error) {
    return error.kind() + ": " + error.message();
  }
  return "";
}

TEST(SaveJSON, RefusesWhatHasNoForm) {
  ffi::Function function = ffi::Function::FromTyped([] {});
  EXPECT_EQ(ErrorOfSaving(function),
            "TypeError: cannot save a value of type `ffi.Function`, at root");
  ffi::Array<ffi::Any> inner{1, function};
  EXPECT_EQ(ErrorOfSaving(ffi::Map<ffi::Any, ffi::Any>{{1, inner}}),
            "TypeError: cannot save a value of type `ffi.Function`, at root.values[0][1]");
  EXPECT_EQ(ErrorOfSaving(static_cast<void*>(&inner)),
            "TypeError: cannot save a value of type `void*`, at root");
  EXPECT_EQ(ErrorOfSaving(ffi::Array<ffi::Any>{ffi::String("\xFF")})
                .find("ValueError: cannot save a String that is not UTF-8"),
            0);
}

TEST(SaveJSON, RefusesCycles) {
  ffi::List<ffi::Any> list;
  list.push_back(ffi::Array<ffi::Any>{list});
  EXPECT_EQ(ErrorOfSaving(list),
            "ValueError: cannot save a cycle: an object of type `ffi.List` leads back to itself, "
            "at root[0][0]");
  list.clear();
}

// Round trips.

TEST(JSON, RoundTripsEveryKindOfValue) {
  for (const ffi::Any& value : ManyValues()) {
    std::string text = Saved(value);
    EXPECT_EQ(Saved(LoadJSON(text)), text);
  }
}

TEST(JSON, LoadsEqualObjects) {
  EXPECT_TRUE(StructuralEqual(LoadJSON(Saved(Tree(6))), Tree(6)));
  ffi::ObjectRef kinds(Kinds());
  EXPECT_TRUE(StructuralEqual(LoadJSON(Saved(kinds)), kinds));
}

TEST(JSON, KeepsSharedObjectsShared) {
  IntImm two(kInt32, 2);
  ffi::Any loaded = LoadJSON(Saved(uir::tir::Add(two, two)));
  auto add = loaded.cast<uir::tir::Add>();
  EXPECT_TRUE(add->a.same_as(add->b));
  EXPECT_EQ(add->a.use_count(), 2);
}

TEST(JSON, KeepsBitsOfNumbers) {
  for (double value : {0.1, 1.0 / 3, 5e-324, std::numeric_limits<double>::max(), -0.0, HUGE_VAL}) {
    double loaded = LoadJSON(Saved(value)).cast<double>();
    EXPECT_EQ(std::memcmp(&loaded, &value, sizeof(value)), 0) << value;
  }
  EXPECT_TRUE(std::isnan(LoadJSON(Saved(std::nan(""))).cast<double>()));
}

// tvm-ffi.

std::string SavedByFFI(const ffi::Any& value) {
  return json::Stringify(ffi::ToJSONGraph(value, nullptr));
}

TEST(JSON, WritesTheSameGraphAsFFI) {
  for (const ffi::Any& value : ManyValues()) {
    json::Value ours = json::Parse(Saved(value)).cast<json::Object>()["nodes"];
    json::Value theirs = ffi::ToJSONGraph(value, nullptr).cast<json::Object>()["nodes"];
    EXPECT_EQ(json::Stringify(ours), json::Stringify(theirs));
  }
}

TEST(JSON, ReadsWhatFFIWrites) {
  for (const ffi::Any& value : ManyValues()) {
    EXPECT_EQ(Saved(LoadJSON(SavedByFFI(value))), Saved(value));
    std::string indented = json::Stringify(ffi::ToJSONGraph(value, nullptr), 2);
    EXPECT_EQ(Saved(LoadJSON(indented)), Saved(value));
  }
}

TEST(JSON, WritesWhatFFIReads) {
  for (const ffi::Any& value : ManyValues()) {
    ffi::Any theirs = ffi::FromJSONGraph(json::Parse(Saved(value)));
    EXPECT_EQ(Saved(theirs), Saved(value));
  }
}

TEST(JSON, ReadsMetadataOfOthers) {
  std::string text = json::Stringify(
      ffi::ToJSONGraph(7, json::Object{{"version", 99}, {"nested", json::Array{1, "x", nullptr}}}));
  EXPECT_EQ(LoadJSON(text).cast<int>(), 7);
}

// Order.

TEST(LoadJSON, TakesMembersAndNodesInAnyOrder) {
  ffi::Any loaded = LoadJSON(R"({
    "root_index": 0, "extra": [{}, {"a": [1.5e3, "\u20ac"]}],
    "nodes": [
      {"data": {"b": 2, "a": 1, "dtype": "int32", "span": 3}, "type": "uir.tir.Add"},
      {"type": "uir.ir.IntImm", "data": {"value": 1, "dtype": "int32", "span": 3}},
      {"type": "uir.ir.IntImm", "data": {"dtype": "int32", "span": 3, "value": 2}},
      {"type": "None", "data": null}
    ]
  })");
  uir::tir::Add expected(IntImm(kInt32, 1), IntImm(kInt32, 2));
  EXPECT_TRUE(StructuralEqual(loaded, expected));
}

TEST(LoadJSON, TakesWideAndDeepGraphsInReverse) {
  constexpr int kSize = 100000;
  std::string wide = R"({"nodes":[{"type":"ffi.Array","data":[)";
  std::string deep = R"({"nodes":[)";
  for (int node = 1; node <= kSize; ++node) {
    wide += (node == 1 ? "" : ",") + std::to_string(node);
    deep += R"({"type":"ffi.Array","data":[)" + std::to_string(node) + "]},";
  }
  wide += "]}";
  for (int node = 1; node <= kSize; ++node) wide += R"(,{"type":"int","data":7})";
  wide += R"(],"root_index":0})";
  deep += R"({"type":"None"}],"root_index":0})";
  EXPECT_EQ(LoadJSON(wide).cast<ffi::Array<ffi::Any>>().size(), kSize);
  ffi::Any loaded = LoadJSON(deep);
  EXPECT_EQ(loaded.as<ffi::ArrayObj>()->size(), 1);
}

TEST(JSONScanner, TakesAnEmptyLabel) {
  std::string text = "sixteen bytes, or more";
  tschema::JSONScanner scanner(text);
  std::string label(tschema::JSONScanner::kLabelPadding, ' ');
  EXPECT_TRUE(scanner.TryLabel(std::string_view(label).substr(0, 0)));
  EXPECT_EQ(scanner.position(), text.data());
}

TEST(LoadJSON, TakesEscapedNames) {
  EXPECT_EQ(
      LoadJSON(R"({"nodes":[{"t\u0079pe":"\u0069nt","d\u0061ta":5}],"root_index":0})").cast<int>(),
      5);
}

TEST(LoadJSON, FillsInDefaultsOfFieldsThatAnOlderFileLacks) {
  ffi::Any loaded = LoadJSON(
      R"({"nodes":[{"type":"None"},{"type":"serialize_test.NewPoint","data":{"y":3,"x":0}}],)"
      R"("root_index":1})");
  const auto* point = loaded.as<NewPointNode>();
  EXPECT_EQ(point->label, "a point without a label");
  EXPECT_EQ(point->norm, 9);
}

TEST(LoadJSON, ConvertsWhereTheSetterDoes) {
  std::string text = Saved(ffi::ObjectRef(Kinds()));
  // An Array of numbers whose first element is an integer.
  size_t at = text.find(R"({"type":"float","data":1.0})");
  text.replace(at, 27, R"({"type":"int","data":1})");
  EXPECT_EQ(LoadJSON(text).as<KindsNode>()->numbers[0], 1.0);
}

TEST(LoadJSON, HasGlobalFunctions) {
  auto save = ffi::Function::GetGlobalRequired("tschema.save_json");
  auto load = ffi::Function::GetGlobalRequired("tschema.load_json");
  EXPECT_EQ(load(save(Tree(2))).cast<PrimExpr>()->dtype, kInt32);
}

}  // namespace
}  // namespace serialize_test
