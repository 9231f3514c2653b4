/*!
 * \file type_text.cc
 * \brief A parser of `name[argument, ...]`.
 */
#include "./type_text.h"

#include <algorithm>
#include <array>

#include "../support/starts_with.h"

namespace tschema {
namespace {

constexpr std::string_view kEnumPrefix = "enum ";

/*! \brief Names that tvm-ffi spells without a prefix; others have the prefix `ffi.`. */
constexpr std::array<std::string_view, 8> kBareNames = {"bool", "DataType", "Device", "Any",
                                                        "None", "Optional", "Tuple",  "Variant"};

std::string SchemaName(std::string_view name) {
  if (StartsWith(name, "int") || StartsWith(name, "uint") || StartsWith(name, kEnumPrefix)) {
    return "int";
  }
  if (StartsWith(name, "float")) return "float";
  if (name == "Union") return "Variant";
  bool is_type_key = name.find('.') != std::string_view::npos;
  bool is_bare = std::find(kBareNames.begin(), kBareNames.end(), name) != kBareNames.end();
  return is_type_key || is_bare ? std::string(name) : "ffi." + std::string(name);
}

/*! \brief Writes the schema of one type and moves past it. */
void WriteSchema(std::string_view* rest, std::string* schema) {
  size_t end = rest->find_first_of("[],");
  *schema += R"({"type":")" + SchemaName(rest->substr(0, end)) + "\"";
  rest->remove_prefix(std::min(end, rest->size()));
  if (StartsWith(*rest, "[")) {
    *schema += R"(,"args":[)";
    rest->remove_prefix(1);
    while (true) {
      WriteSchema(rest, schema);
      if (!StartsWith(*rest, ", ")) break;
      *schema += ",";
      rest->remove_prefix(2);
    }
    *schema += "]";
    rest->remove_prefix(1);
  }
  *schema += "}";
}

/*! \brief A string of JSON. \pre The text has no control characters. */
std::string QuotedText(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

}  // namespace

std::string TypeSchema(std::string_view text) {
  std::string schema;
  WriteSchema(&text, &schema);
  return schema;
}

std::string CallableSchema(const Callable& callable) {
  std::string schema = R"({"type":"ffi.Function","args":[)" + TypeSchema(callable.result);
  for (const Parameter& parameter : callable.parameters) {
    schema += "," + TypeSchema(parameter.type);
  }
  return schema + "]}";
}

std::string FunctionMetadata(std::string_view type_schema) {
  return R"({"type_schema":)" + QuotedText(type_schema) + "}";
}

std::string FieldMetadata(std::string_view type) {
  return R"({"type_schema":)" + QuotedText(TypeSchema(type)) + R"(,"tschema_type":)" +
         QuotedText(type) + "}";
}

}  // namespace tschema
