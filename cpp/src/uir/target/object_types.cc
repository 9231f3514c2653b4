// The definitions in C of the types whose fields a text reads.
#include "./object_types.h"

#include "./c_types.h"
#include "./names.h"

namespace uir::target {

namespace {

/*! \brief The kind of a field in the emitted tables: that of a number, or a reference. */
const char* KindOf(DLDataType dtype) {
  if (ir::IsHandle(dtype)) return "kReference";
  if (ir::IsBool(dtype)) return "kBool";
  return ir::IsFloat(dtype) ? "kFloat" : "kInt";
}

}  // namespace

ObjectTypes::Type& ObjectTypes::Find(const std::string& key) {
  const auto [place, is_new] = types_.try_emplace(key);
  Type& type = place->second;
  if (is_new) {
    type.name = take_name_(Identifier(key));
    type.table = take_name_(Identifier(key) + "_layout");
  }
  return type;
}

const std::string& ObjectTypes::Use(const std::string& key) { return Find(key).name; }

std::string ObjectTypes::UseField(const std::string& key, const std::string& field, int64_t offset,
                                  DLDataType dtype) {
  const auto [place, is_new] = Find(key).fields.try_emplace(field);
  Field& found = place->second;
  if (is_new) found = {take_name_(Identifier(key + "_" + field)), offset, dtype};
  return found.offset == offset && found.dtype == dtype ? found.name : "";
}

const std::string& ObjectTypes::UseFinder() {
  if (finder_.empty()) finder_ = take_name_("find_types");
  return finder_;
}

std::string ObjectTypes::Text() const {
  std::string text;
  std::string all;
  for (const auto& [key, type] : types_) {
    text += "\n" + Definition(key, type);
    all += "  if (find_type(function, &" + type.name + ") != 0) return -1;\n";
  }
  if (finder_.empty()) return text;
  return text + "\nstatic int32_t " + finder_ + "(const char* function) {\n" + all +
         "  return 0;\n}\n";
}

std::string ObjectTypes::Definition(const std::string& key, const Type& type) {
  std::string offsets;
  std::string rows;
  for (const auto& [name, field] : type.fields) {
    offsets += "  " + field.name + " = " + std::to_string(field.offset) + ",\n";
    rows += "  {" + StringLiteral(name) + ", " + field.name + ", " +
            std::to_string(BytesOf(field.dtype)) + ", " + KindOf(field.dtype) + "},\n";
  }
  std::string text;
  if (!rows.empty()) {
    text += "// The offsets of fields of `" + key + "`, in bytes.\nenum {\n" + offsets +
            "};\n\nstatic const object_field " + type.table + "[] = {\n" + rows + "};\n\n";
  }
  return text + "static object_type " + type.name + " = {" + StringLiteral(key) + ", " +
         (rows.empty() ? "NULL" : type.table) + ", " + std::to_string(type.fields.size()) + "};\n";
}

}  // namespace uir::target
