// Files of older versions of a schema: what loads, as what, and what is refused by name.
#include <gtest/gtest.h>
#include <tschema/binary.h>
#include <tschema/json.h>
#include <tvm/ffi/error.h>

#include <string>
#include <string_view>

#include "./nodes.h"

namespace versions_test {

namespace ffi = ::tvm::ffi;
using tschema::kAccess;
using tschema::LoadBinary;
using tschema::LoadJSON;

/*! \brief What was `versions_test.Point(x, weight)`, and `versions_test.Spot` in between. */
class PlaceNode : public ffi::Object {
 public:
  ffi::Optional<int64_t> at;
  double scale = 0;
  ffi::String mode;

  PlaceNode() = default;
  explicit PlaceNode(ffi::UnsafeInit) {}

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  static constexpr uint32_t _type_child_slots = 1;
  TVM_FFI_DECLARE_OBJECT_INFO("versions_test.Place", PlaceNode, ffi::Object);
};

/*! \brief A child, which files hold with the fields of its parent. */
class NamedPlaceNode : public PlaceNode {
 public:
  ffi::String name;

  NamedPlaceNode() = default;
  explicit NamedPlaceNode(ffi::UnsafeInit) {}

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("versions_test.NamedPlace", NamedPlaceNode, PlaceNode);
};

ffi::Any DefaultScale() { return 1.0; }
ffi::Any DefaultMode() { return ffi::String("fast"); }

constexpr tschema::Field kPlaceFields[] = {
    {"at", offsetof(PlaceNode, at), &kAccess<ffi::Optional<int64_t>>, 0, "Optional[int64]", ""},
    {"scale", offsetof(PlaceNode, scale), &kAccess<double>, tschema::kHasDefault, "float64", "",
     &DefaultScale},
    {"mode", offsetof(PlaceNode, mode), &kAccess<ffi::String>, tschema::kHasDefault, "String", "",
     &DefaultMode},
};
constexpr tschema::Field kNamedPlaceFields[] = {
    {"name", offsetof(NamedPlaceNode, name), &kAccess<ffi::String>, 0, "String", ""},
};
constexpr tschema::Callable kNewPlace = {
    "versions_test.Place", &tschema::New<PlaceNode>, {}, "versions_test.Place"};
constexpr tschema::Callable kNewNamedPlace = {
    "versions_test.NamedPlace", &tschema::New<NamedPlaceNode>, {}, "versions_test.NamedPlace"};
constexpr tschema::Type kTypes[] = {
    tschema::Concrete<PlaceNode>("place", "", kPlaceFields, kNewPlace),
    tschema::Concrete<NamedPlaceNode>("named", "", kNamedPlaceFields, kNewNamedPlace),
};
constexpr tschema::Unit kUnit = {kTypes, {}};
constexpr const tschema::Unit* kUnits[] = {&kUnit};
constexpr tschema::StoredForm kStoredForms[] = {
    {"versions_test.Place", "versions_test.Spot"},
    {"versions_test.Place", "versions_test.Point"},
    {"versions_test.Place", "place", "at"},
    {"versions_test.Place", "x", "at"},
    {"versions_test.Place", "weight", ""},
    {"versions_test.Place", nullptr, "mode", []() -> ffi::Any { return ffi::String("exact"); }},
};
constexpr tschema::Package kPackage = {"versions_test", "all", tschema::kFFIVersion, kUnits,
                                       kStoredForms};

/*! \brief Registered before the first test. */
const bool kIsRegistered = [] {
  tschema::Register(kPackage);
  return true;
}();

std::string Graph(const std::string& type, const std::string& data, const std::string& meta = "") {
  return R"({"metadata":{"tschema_json":1)" + meta +
         R"(},"nodes":[{"type":"None"},{"type":"int","data":7},{"type":")" + type + R"(","data":)" +
         data + R"(}],"root_index":2})";
}

const PlaceNode* Load(const std::string& text) {
  static ffi::Any kept;
  kept = LoadJSON(text);
  return kept.as<PlaceNode>();
}

template <typename Function>
std::string ErrorOf(Function function) {
  try {
    function();
  } catch (const ffi::Error& error) {
    return error.kind() + ": " + error.message();
  }
  return "";
}

TEST(Versions, FindTypesByTheKeysThatTheyHad) {
  for (const char* key : {"versions_test.Place", "versions_test.Spot", "versions_test.Point"}) {
    const PlaceNode* place = Load(Graph(key, R"({"at":1})"));
    EXPECT_EQ(place->type_index(), PlaceNode::RuntimeTypeIndex());
    EXPECT_EQ(place->at, 7);
  }
  EXPECT_EQ(ErrorOf([] { Load(Graph("versions_test.Dot", "{}")); }),
            "ValueError: there is no type `versions_test.Dot`; is its library loaded, and does its "
            "class say `renamed_from`? (byte 80, node 2)");
}

TEST(Versions, FindFieldsByTheNamesThatTheyHad) {
  EXPECT_EQ(Load(Graph("versions_test.Place", R"({"place":1})"))->at, 7);
  EXPECT_EQ(Load(Graph("versions_test.Place", R"({"scale":2.0,"x":1})"))->at, 7);
  ffi::Any named = LoadJSON(
      R"({"nodes":[{"type":"ffi.String","data":"home"},{"type":"int","data":7},)"
      R"({"type":"versions_test.NamedPlace","data":{"x":1,"weight":3,"name":0}}],"root_index":2})");
  EXPECT_EQ(named.as<NamedPlaceNode>()->at, 7);
  EXPECT_EQ(named.as<NamedPlaceNode>()->name, "home");
  EXPECT_EQ(ErrorOf([] { Load(Graph("versions_test.Place", R"({"x":1,"at":1})")); }).substr(0, 34),
            "ValueError: the field is repeated ");
}

TEST(Versions, SkipFieldsThatAreRemoved) {
  for (const char* weight : {"3", "true", "\"int32\"", "[1,{}]"}) {
    std::string data = R"({"weight":)" + std::string(weight) + R"(,"at":1})";
    EXPECT_EQ(Load(Graph("versions_test.Point", data))->at, 7);
  }
  EXPECT_EQ(ErrorOf([] { Load(Graph("versions_test.Point", R"({"at":1,"height":3})")); }),
            "ValueError: the type has no field `height`; files with it load where the declaration "
            "has `renamed_from` or `removed_fields` (byte 125, node 2 of type "
            "`versions_test.Place`)");
}

TEST(Versions, FillInFieldsThatFilesLack) {
  const PlaceNode* place = Load(Graph("versions_test.Place", R"({"at":1})"));
  EXPECT_EQ(place->scale, 1.0);
  EXPECT_EQ(place->mode, "exact");
  EXPECT_EQ(ErrorOf([] { Load(Graph("versions_test.Place", R"({"mode":0})")); }).substr(0, 10),
            "TypeError:");
  EXPECT_EQ(ErrorOf([] { Load(Graph("versions_test.Place", "{}")); }),
            "ValueError: the field is missing, and has no default; older files load where it has "
            "one, of type `Optional[int64]` (byte 80, node 2 of type `versions_test.Place`, field "
            "`at`)");
}

// Whether `"at":1` is a number or a node depends on the type that the field had.
TEST(Versions, ReadValuesAsTheFileHoldsThem) {
  const std::string held = R"(,"tschema_value_fields":{"versions_test.Point":["x"]})";
  const std::string none = R"(,"tschema_value_fields":{})";
  EXPECT_EQ(Load(Graph("versions_test.Point", R"({"x":1})", held))->at, 1);
  EXPECT_EQ(Load(Graph("versions_test.Point", R"({"x":1})", none))->at, 7);
  EXPECT_EQ(Load(Graph("versions_test.Point", R"({"x":1})"))->at, 7);
  EXPECT_EQ(Load(Graph("versions_test.Point", R"({"x":null})", held))->at, std::nullopt);
  EXPECT_EQ(
      ErrorOf([&] { Load(Graph("versions_test.Point", R"({"x":"int8"})", held)); }).substr(0, 11),
      "TypeError: ");
  // The scale was a node, which is the number 7.
  EXPECT_EQ(Load(Graph("versions_test.Point", R"({"x":0,"scale":1})", none))->scale, 7.0);
}

TEST(Versions, ReadMetadataBehindTheNodes) {
  const std::string text =
      R"({"nodes":[{"type":"None"},{"type":"versions_test.Point","data":{"x":1}},{"type":"int",)"
      R"("data":5}],"root_index":1,"metadata":{"tschema_value_fields":{"versions_test.Point":["x"]}}})";
  EXPECT_EQ(
      ErrorOf([&] { Load(text); }),
      "ValueError: node 1 leads back to itself (byte 68, node 1 of type `versions_test.Place`)");
  const std::string other = std::string(text).replace(text.find(R"("x":1)"), 5, R"("x":0)");
  EXPECT_EQ(Load(other)->at, 0);
}

TEST(Versions, KeepIntegersExact) {
  auto scale = [](const std::string& number) {
    return Load(Graph("versions_test.Place", R"({"at":0,"scale":)" + number + "}"))->scale;
  };
  EXPECT_EQ(scale("9007199254740992"), 9007199254740992.0);
  EXPECT_EQ(scale("9007199254740993.0"), 9007199254740992.0);
  EXPECT_EQ(scale("-9223372036854775808"), -9223372036854775808.0);
  EXPECT_EQ(ErrorOf([&] { scale("9007199254740993"); }),
            "ValueError: the integer 9007199254740993 is not exact as `float64` (byte 133, node 2 "
            "of type `versions_test.Place`, field `scale`)");
}

/*! \brief A binary file with one object of these fields, each a name, a letter and its bytes. */
struct BinaryField {
  std::string name;
  char wire;
  std::string bytes;
};

std::string Binary(const std::string& type, const std::vector<BinaryField>& fields) {
  auto text = [](const std::string& one) {
    return std::string(1, static_cast<char>(one.size())) + one;
  };
  std::string strings(1, static_cast<char>(fields.size() + 1));
  strings += text(type);
  std::string types = {1, 0, static_cast<char>(fields.size())};
  std::string body(1, 16);
  for (size_t index = 0; index < fields.size(); ++index) {
    strings += text(fields[index].name);
    types += {static_cast<char>(index + 1), fields[index].wire};
    body += fields[index].bytes;
  }
  return "\x89TSB\x01" + strings + std::string(1, 0) + types + std::string(1, 0) + text(body);
}

TEST(Versions, LoadBinaryFilesToo) {
  std::string double_bytes(8, '\0');
  ffi::Any loaded = LoadBinary(
      Binary("versions_test.Point",
             {{"weight", 'd', double_bytes}, {"x", 'i', "\x04"}, {"scale", 'i', "\x06"}}));
  const auto* place = loaded.as<PlaceNode>();
  EXPECT_EQ(place->at, 2);
  EXPECT_EQ(place->scale, 3.0);
  EXPECT_EQ(place->mode, "exact");
  EXPECT_EQ(ErrorOf([] { LoadBinary(Binary("versions_test.Point", {{"y", 'i', "\x04"}})); }),
            "ValueError: the type has no field `y`; files with it load where the declaration has "
            "`renamed_from` or `removed_fields` (byte 33, type `versions_test.Place`)");
  // 2^53 + 1, zigzag.
  const std::string large = "\x82\x80\x80\x80\x80\x80\x80\x20";
  EXPECT_EQ(
      ErrorOf([&] {
        LoadBinary(Binary("versions_test.Point", {{"x", 'i', "\x04"}, {"scale", 'i', large}}));
      }),
      "ValueError: the integer 9007199254740993 is not exact as `float64` (byte 44, value 0 "
      "of type `versions_test.Place`, field `scale`)");
}

TEST(Versions, SkipRemovedFieldsOfEveryKindInBinaryFiles) {
  const std::pair<char, std::string> kinds[] = {
      {'b', std::string(1, 1)},    {'i', "\x02"},
      {'f', std::string(4, '\0')}, {'d', std::string(8, '\0')},
      {'v', std::string(2, 2)},    {'s', std::string(1, 0)},
  };
  for (const auto& [wire, bytes] : kinds) {
    ffi::Any loaded =
        LoadBinary(Binary("versions_test.Point", {{"weight", wire, bytes}, {"x", 'i', "\x04"}}));
    EXPECT_EQ(loaded.as<PlaceNode>()->at, 2) << wire;
  }
}

}  // namespace versions_test
