// What the JSON reader refuses, and what it says.
#include <gtest/gtest.h>
#include <tschema/json.h>
#include <tvm/ffi/error.h>

#include <string>

#include "../graphs.h"

namespace serialize_test {
namespace {

std::string ErrorOf(const std::string& text) {
  // A copy without a byte behind it, so that a sanitizer sees a reader that goes too far.
  std::vector<char> exact(text.begin(), text.end());
  try {
    tschema::LoadJSON({exact.data(), exact.size()});
  } catch (const ffi::Error& error) {
    return error.kind() + ": " + error.message();
  }
  return "";
}

/*! \brief A graph of these nodes, the last of which is the root. */
std::string Graph(const std::string& nodes, int root = 0) {
  return R"({"root_index":)" + std::to_string(root) + R"(,"nodes":[)" + nodes + "]}";
}

struct Case {
  std::string text;
  std::string error;
};

TEST(LoadJSONErrors, OfTheText) {
  const Case cases[] = {
      {"", "ValueError: expected `{`, found the end of the text (byte 0)"},
      {"[]", "ValueError: expected `{`, found `[` (byte 0)"},
      {"{}", "ValueError: `nodes` is missing (byte 0)"},
      {R"({"nodes":[]})", "ValueError: `root_index` is missing (byte 1)"},
      {Graph(""), "ValueError: `root_index` is 0, but there are 0 nodes (byte 14)"},
      {Graph(R"({"type":"None"})", 7),
       "ValueError: `root_index` is 7, but there are 1 nodes (byte "
       "14)"},
      {R"({"root_index":-1,"nodes":[]})", "ValueError: `root_index` is negative (byte 14)"},
      {R"({"root_index":0,"root_index":0})", "ValueError: `root_index` is repeated (byte 16)"},
      {R"({"nodes":[],"nodes":[]})", "ValueError: `nodes` is repeated (byte 12)"},
      {Graph(R"({"type":"None"})") + "x",
       "ValueError: expected the end of the text, found `x` (byte 42)"},
      {R"({"nodes":{}})", "ValueError: expected `[`, found `{` (byte 9)"},
      {R"({"nodes":[]]})", "ValueError: expected `}`, found `]` (byte 11)"},
      {R"({"metadata":{"tschema_json":2}})",
       "ValueError: the text has version 2 of the format, and only versions up to 1 are known; a "
       "newer version wrote it (byte 28)"},
      {R"({"x":)" + std::string(300, '['), "ValueError: values are nested too deeply (byte 262)"},
      {R"({"x":[1,]})", "ValueError: expected a value, found `]` (byte 8)"},
      {R"({"x":nul})", "TypeError: expected `null`, found `n` (byte 5)"},
  };
  for (const Case& test : cases) EXPECT_EQ(ErrorOf(test.text), test.error) << test.text;
}

TEST(LoadJSONErrors, OfNodes) {
  const Case cases[] = {
      {Graph("7"), "ValueError: expected `{`, found `7` (byte 25, node 0)"},
      {Graph("{}"), "ValueError: the node has no `type` (byte 25, node 0)"},
      {Graph(R"({"type":"int"})"), "ValueError: the node has no `data` (byte 33, node 0)"},
      {Graph(R"({"type":"int","type":"int"})"), "ValueError: `type` is repeated (byte 39, node 0)"},
      {Graph(R"({"data":1,"data":1})"), "ValueError: `data` is repeated (byte 35, node 0)"},
      {Graph(R"({"type":"int","data":1,"more":2})"),
       "ValueError: a node has `type` and `data`, but no `more` (byte 48, node 0)"},
      {Graph(R"({"type":"no.Such","data":{}})"),
       "ValueError: there is no type `no.Such`; is its library loaded, and does its class say "
       "`renamed_from`? (byte 25, node 0)"},
      {Graph(R"({"type":"uir.tir.Stmt","data":{}})"),
       "TypeError: objects of type `uir.tir.Stmt` cannot be made (byte 25, node 0)"},
      {Graph(R"({"type":"ffi.Function","data":{}})"),
       "TypeError: objects of type `ffi.Function` cannot be made (byte 25, node 0)"},
      {Graph(R"({"type":5})"), "TypeError: expected a string, found `5` (byte 33, node 0)"},
      {Graph(R"({"type":"ffi.Array","data":[0]})"),
       "ValueError: node 0 leads back to itself (byte 53, node 0)"},
      {Graph(R"({"type":"ffi.Array","data":[1]},{"type":"ffi.List","data":[0]})"),
       "ValueError: node 0 leads back to itself (byte 84, node 1)"},
      {Graph(R"({"type":"ffi.Array","data":[1]})"),
       "ValueError: there is no node 1, only 1 (byte 53, node 0)"},
      {Graph(R"({"type":"ffi.Array","data":[-1]})"),
       "ValueError: there is no node -1 (byte 53, node 0)"},
      {Graph(R"({"type":"ffi.Array","data":{}})"),
       "ValueError: expected `[`, found `{` (byte 52, node 0)"},
      {Graph(R"({"type":"int","data":1},{"type":"ffi.Map","data":[0]})", 1),
       "ValueError: a mapping has a key without a value (byte 75, node 1)"},
      {Graph(R"({"type":"int","data":1},{"type":"ffi.Map","data":[0,0,0,0]})", 1),
       "ValueError: a mapping has a key twice (byte 81, node 1)"},
      {Graph(R"({"type":"Device","data":[1,99999999999]})"),
       "ValueError: 99999999999 is out of the range of `int32` (byte 52, node 0)"},
      {Graph(R"({"type":"Device","data":[1]})"),
       "ValueError: expected `,`, found `]` (byte 51, node 0)"},
      {Graph(R"({"type":"ffi.Bytes","data":"AP8"})"),
       "ValueError: the text is not in base 64 (byte 52, node 0)"},
      {Graph(R"({"type":"ffi.Bytes","data":"A\u00ff8="})"),
       "ValueError: the text is not in base 64 (byte 52, node 0)"},
      {Graph(R"({"type":"ffi.String","data":7})"),
       "TypeError: expected a string, found `7` (byte 53, node 0)"},
      {Graph(R"({"type":"bool","data":0})"),
       "TypeError: expected `true` or `false`, found `0` (byte 47, node 0)"},
  };
  for (const Case& test : cases) EXPECT_EQ(ErrorOf(test.text), test.error) << test.text;
}

TEST(LoadJSONErrors, OfNumbers) {
  auto error = [](const std::string& number) {
    return ErrorOf(Graph(R"({"type":"int","data":)" + number + "}"));
  };
  EXPECT_EQ(error("1.5"), "TypeError: expected an integer, found `1.5` (byte 46, node 0)");
  EXPECT_EQ(error("1e3"), "TypeError: expected an integer, found `1e3` (byte 46, node 0)");
  EXPECT_EQ(
      error("9223372036854775808"),
      "ValueError: the integer `9223372036854775808` does not fit into 64 bits (byte 46, node "
      "0)");
  EXPECT_EQ(error("012"), "ValueError: a number starts with a zero (byte 47, node 0)");
  EXPECT_EQ(error("-"), "ValueError: expected a digit, found `}` (byte 47, node 0)");
  EXPECT_EQ(error("+1"), "ValueError: expected an integer, found `+` (byte 46, node 0)");
  EXPECT_EQ(error("true"), "TypeError: expected an integer, found `t` (byte 46, node 0)");
  EXPECT_EQ(ErrorOf(Graph(R"({"type":"float","data":1e999})")),
            "ValueError: the number `1e999` is out of the range of `float64` (byte 48, node 0)");
}

TEST(LoadJSONErrors, OfStrings) {
  auto error = [](const std::string& content) {
    return ErrorOf(Graph(R"({"type":"ffi.String","data":")" + content + "\"}"));
  };
  EXPECT_EQ(error(R"(\x)"), "ValueError: there is no such escape in a string (byte 55, node 0)");
  EXPECT_EQ(error(R"(\u12g4)"),
            "ValueError: `\\u` must be followed by four hexadecimal digits (byte 58, node 0)");
  EXPECT_EQ(error(R"(\ud800)"), "ValueError: a surrogate has no partner (byte 60, node 0)");
  EXPECT_EQ(error(R"(\ud800\u0041)"), "ValueError: a surrogate has no partner (byte 66, node 0)");
  EXPECT_EQ(error("\n"),
            "ValueError: a string holds a control character, which must be escaped (byte 54, node "
            "0)");
  EXPECT_EQ(error("a\xFF"), "ValueError: a string is not UTF-8 (byte 55, node 0)");
  EXPECT_EQ(error("\xC0\x80"), "ValueError: a string is not UTF-8 (byte 54, node 0)");
  EXPECT_EQ(error("\xED\xA0\x80"), "ValueError: a string is not UTF-8 (byte 54, node 0)");
  EXPECT_EQ(error("\\"), "ValueError: a string has no end (byte 59, node 0)");
}

/*! \brief The text of a saved value with one part of it replaced. */
std::string Edited(const ffi::Any& value, const std::string& part, const std::string& by) {
  std::string text = tschema::SaveJSON(value);
  // Only files of an older schema need to say which fields hold values.
  size_t begin = text.find(R"(,"tschema_value_fields")");
  text.erase(begin, text.find('}', begin) + 1 - begin);
  size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part << " in " << text;
  return text.replace(at, part.size(), by);
}

std::string ErrorOfKinds(const std::string& part, const std::string& by) {
  std::string error = ErrorOf(Edited(ffi::ObjectRef(Kinds()), part, by));
  // The byte and the node are told elsewhere.
  size_t begin = error.find(" (byte ");
  size_t end = error.find("field `");
  if (begin == std::string::npos || end == std::string::npos) return error;
  return error.substr(0, begin) + " (" + error.substr(end);
}

TEST(LoadJSONErrors, OfFields) {
  EXPECT_EQ(ErrorOfKinds(R"("i8":-128)", R"("i8":-129)"),
            "ValueError: -129 is out of the range of `int8`, -128 to 127 (field `i8`)");
  EXPECT_EQ(ErrorOfKinds(R"("u8":255)", R"("u8":-1)"),
            "ValueError: -1 is out of the range of `uint8`, 0 to 255 (field `u8`)");
  EXPECT_EQ(ErrorOfKinds(R"("u32":4294967295)", R"("u32":4294967296)"),
            "ValueError: 4294967296 is out of the range of `uint32`, 0 to 4294967295 (field "
            "`u32`)");
  EXPECT_EQ(ErrorOfKinds(R"("u64":9223372036854775807)", R"("u64":-5)"),
            "ValueError: -5 is out of the range of `uint64`, 0 to 9223372036854775807 (field "
            "`u64`)");
  EXPECT_EQ(ErrorOfKinds(R"("flag":true)", R"("flag":1)"),
            "TypeError: expected `true` or `false`, found `1` (field `flag`)");
  EXPECT_EQ(ErrorOfKinds(R"("f32":0.1)", R"("f32":1e300,"x":0.1)"),
            "ValueError: the number is out of the range of `float32` (field `f32`)");
  EXPECT_EQ(ErrorOfKinds(R"("dtype":"float16x4")", R"("dtype":"float1y")").substr(0, 10),
            "ValueError");
  EXPECT_EQ(ErrorOfKinds(R"("color":4)", R"("color":2)").substr(0, 10), "ValueError");
}

TEST(LoadJSONErrors, OfObjects) {
  uir::tir::Add add(IntImm(kInt32, 1), IntImm(kInt32, 2));
  auto error = [&](const std::string& part, const std::string& by) {
    return ErrorOf(Edited(add, part, by));
  };
  EXPECT_EQ(error(R"("value":2)", R"("value":2,"value":2)"),
            "ValueError: the field is repeated (byte 192, node 2 of type `uir.ir.IntImm`, field "
            "`value`)");
  EXPECT_EQ(error(R"("value":2)", R"("valve":2)"),
            "ValueError: the type has no field `valve`; files with it load where the declaration "
            "has `renamed_from` or `removed_fields` (byte 182, node 2 of type `uir.ir.IntImm`)");
  EXPECT_EQ(error(R"(,"value":2)", ""),
            "ValueError: the field is missing, and has no default; older files load where it has "
            "one, of type `int64` (byte 174, node 2 of type `uir.ir.IntImm`, field `value`)");
  EXPECT_EQ(error(R"("a":1)", R"("a":0)").find("TypeError: "), 0);
  EXPECT_EQ(error(R"("dtype":"int32","a")", R"("dtype":"int64","a")"),
            "ValueError: the field disagrees with its value derived from the other fields (byte "
            "259, node 3 of type `uir.tir.Add`, field `dtype`)");
  EXPECT_EQ(error(R"("dtype":"int32","value":2)", R"("dtype":"int8","value":200)"),
            "ValueError: IntImm: `value` must be between -128 and 127 for `int8`, got 200 (byte "
            "189, node 2 of type `uir.ir.IntImm`)");
}

TEST(LoadJSONErrors, OfDerivedObjects) {
  uir::ir::IRModule module({{uir::ir::GlobalVar("f"), uir::ir::ExternFunc("f")}});
  std::string text = tschema::SaveJSON(module);
  // Another map of names, which names nothing.
  std::string error = ErrorOf(Edited(module, R"("root_index")", R"("extra":0,"root_index")"));
  EXPECT_EQ(error, "");
  size_t at = text.rfind(R"("global_var_map_":)");
  size_t end = text.find('}', at);
  std::string other = text.substr(0, at) + R"("global_var_map_":)" + "0" + text.substr(end);
  EXPECT_EQ(ErrorOf(other).find("TypeError"), 0) << ErrorOf(other);
}

}  // namespace
}  // namespace serialize_test
