/*!
 * \file schema.cc
 * \brief Reads the JSON IR; missing members have their default values.
 */
#include "./schema.h"

#include <tvm/ffi/error.h>

#include <algorithm>
#include <set>
#include <utility>

#include "../reflection/structural_names.h"
#include "./schema_reader.h"

namespace tschema {
namespace dynamic {
namespace {

constexpr int64_t kVersion = 1;
TypeRef ReadTypeRef(const JsonObject& json) {
  TypeRef type;
  type.kind = json.Text("kind");
  type.key = json.Text("key", "");
  for (const JsonObject& arg : json.Objects("args")) type.args.push_back(ReadTypeRef(arg));
  return type;
}

std::optional<Default> ReadDefault(const JsonObject& json, const char* name = "default") {
  if (json.Get(name) == nullptr) return std::nullopt;
  JsonObject entry = json.Object(name);
  return Default{entry.Get("value"), entry.Text("factory", ""), entry.Flag("initializer", false)};
}

Field ReadField(const JsonObject& json) {
  Field field;
  field.name = json.Text("name");
  field.type = ReadTypeRef(json.Object("type"));
  field.doc = json.Text("doc", "");
  field.default_value = ReadDefault(json);
  field.kw_only = json.Flag("kw_only", false);
  field.init = json.Flag("init", true);
  field.repr = json.Flag("repr", true);
  field.renamed_from = json.Texts("renamed_from");
  field.stored_default = ReadDefault(json, "stored_default");
  field.structural = json.Text("structural", "");
  field.offset = json.Integer("offset");
  field.size = json.Integer("size");
  field.align = json.Has("align") ? json.Integer("align") : 1;
  return field;
}

TVMFFISEqHashKind ReadStructuralKind(const JsonObject& options) {
  if (options.Has("structural") && options.Get("structural") == nullptr) {
    return kTVMFFISEqHashKindUnsupported;
  }
  std::string name = options.Text("structural", "tree");
  for (size_t kind = kTVMFFISEqHashKindTreeNode; kind < kStructuralNames.size(); ++kind) {
    if (name == kStructuralNames[kind]) return static_cast<TVMFFISEqHashKind>(kind);
  }
  TVM_FFI_THROW(ValueError) << "malformed JSON IR: `" << options.At("structural") << "` is `"
                            << name << "`";
  TVM_FFI_UNREACHABLE();
}

void ReadOptions(const JsonObject& json, Type* type) {
  type->is_abstract = json.Flag("abstract", false);
  type->is_final = json.Flag("final", false);
  type->is_mutable = json.Flag("mutable", false);
  type->has_post_init = json.Flag("post_init", false);
  for (const char* name :
       {"default_visit_attrs", "default_sequal_reduce", "default_shash_reduce"}) {
    type->has_custom_methods |= !json.Flag(name, true);
  }
  type->structural = ReadStructuralKind(json);
  type->is_polymorphic = json.Flag("polymorphic", false);
  type->is_registered = json.Flag("register", true);
  type->extern_header = json.Text("extern", "");
  type->script = json.Text("script", "");
  std::string reference = json.Has("ref") && json.Get("ref") != nullptr ? json.Text("ref") : "";
  type->may_be_null = reference == "nullable" || reference == "hand";
}

Layout ReadLayout(const JsonObject& json) {
  Layout layout;
  layout.size = json.Integer("size");
  layout.offset = json.Integer("offset");
  layout.depth = json.Integer("depth");
  layout.child_slots = json.Integer("child_slots");
  layout.digest = json.Text("digest", "");
  return layout;
}

Type ReadType(const JsonObject& json) {
  Type type;
  type.key = json.Text("key");
  type.parent = json.Text("parent");
  type.doc = json.Text("doc", "");
  ReadOptions(json.Has("options") ? json.Object("options") : JsonObject(ffi::json::Object(), ""),
              &type);
  for (const JsonObject& field : json.Objects("fields")) type.fields.push_back(ReadField(field));
  for (const JsonObject& member : json.Objects("unregistered")) {
    type.unregistered.push_back(ReadField(member));
  }
  for (const JsonObject& entry : json.Objects("restated")) {
    type.restated.push_back({entry.Text("name"), ReadDefault(entry), entry.Flag("init", true)});
  }
  type.init = json.Texts("init");
  for (const JsonObject& method : json.Objects("methods")) {
    type.methods.push_back(method.Text("name"));
  }
  type.former_keys = json.Texts("former_keys");
  type.removed_fields = json.Texts("removed_fields");
  type.layout = ReadLayout(json.Object("layout"));
  return type;
}

Enum ReadEnum(const JsonObject& json) {
  Enum read;
  for (const JsonObject& member : json.Objects("members")) {
    read.members[member.Text("name")] = member.Integer("value");
  }
  return read;
}

void ReadNamespaces(const JsonObject& json, std::vector<Type>* types, Schema* schema) {
  for (const JsonObject& space : json.Objects("namespaces")) {
    for (const JsonObject& type : space.Objects("types")) types->push_back(ReadType(type));
    for (const JsonObject& entry : space.Objects("enums")) {
      schema->enums[entry.Text("key")] = ReadEnum(entry);
    }
  }
}

/*! \brief Turns types of fields into what languages other than C++ see. */
class Viewer {
 public:
  explicit Viewer(const Schema& schema) {
    for (const std::vector<Type>* list : {&schema.imported, &schema.types}) {
      for (const Type& type : *list) {
        if (type.may_be_null) maybe_null_.insert(type.key);
        if (!type.is_registered) hidden_.insert(type.key);
      }
    }
  }

  void View(std::vector<Type>* types) const {
    auto is_hidden = [](const Type& type) { return !type.is_registered; };
    types->erase(std::remove_if(types->begin(), types->end(), is_hidden), types->end());
    for (Type& type : *types) {
      for (Field& field : type.fields) View(&field);
    }
  }

 private:
  void View(Field* field) const {
    TypeRef seen = Seen(field->type);
    bool is_null = field->default_value && field->default_value->factory.empty() &&
                   !field->default_value->is_initializer && field->default_value->value == nullptr;
    bool takes_null = seen.kind == "Optional" || seen.kind == "Any" || seen.kind == "Union";
    if (is_null && !takes_null) seen = {"Optional", "", {seen}};
    if (seen.Text() == field->type.Text()) return;
    field->declared = std::move(field->type);
    field->type = std::move(seen);
  }

  TypeRef Seen(const TypeRef& type) const {
    if (type.kind == "node") {
      TypeRef seen = hidden_.count(type.key) != 0 ? TypeRef{"Object", "", {}} : type;
      return maybe_null_.count(type.key) != 0 ? TypeRef{"Optional", "", {seen}} : seen;
    }
    TypeRef seen{type.kind, type.key, {}};
    bool takes_null = type.kind == "Optional" || type.kind == "Union";
    for (const TypeRef& arg : type.args) {
      TypeRef one = Seen(arg);
      seen.args.push_back(takes_null && one.kind == "Optional" ? one.args[0] : one);
    }
    return seen;
  }

  std::set<std::string> maybe_null_;
  std::set<std::string> hidden_;
};

}  // namespace

std::string TypeRef::Text() const {
  std::string text = key.empty() ? kind : kind == "enum" ? "enum " + key : key;
  for (const TypeRef& arg : args) text += (&arg == &args.front() ? "[" : ", ") + arg.Text();
  return args.empty() ? text : text + "]";
}

bool Enum::Contains(int64_t value) const {
  return std::any_of(members.begin(), members.end(),
                     [value](const auto& member) { return member.second == value; });
}

const Type* Schema::Find(std::string_view key) const {
  auto found = by_key.find(key);
  return found == by_key.end() ? nullptr : found->second;
}

std::vector<const Type*> Schema::Ancestry(const Type& type) const {
  std::vector<const Type*> lineage;
  for (const Type* one = &type; one != nullptr; one = Find(one->parent)) {
    lineage.insert(lineage.begin(), one);
    if (lineage.size() > types.size() + imported.size()) {
      TVM_FFI_THROW(ValueError) << "malformed JSON IR: `" << type.key << "` is its own parent";
    }
  }
  return lineage;
}

std::vector<Field> Schema::Fields(const Type& type) const {
  std::vector<Field> fields;
  for (const Type* one : Ancestry(type)) {
    fields.insert(fields.end(), one->fields.begin(), one->fields.end());
    for (const Restatement& restated : one->restated) {
      for (Field& field : fields) {
        if (field.name != restated.name) continue;
        field.default_value = restated.default_value;
        field.init = restated.init;
      }
    }
  }
  return fields;
}

Schema ReadSchema(std::string_view json) {
  ffi::String error;
  ffi::json::Value value = ffi::json::Parse(ffi::String(json.data(), json.size()), &error);
  if (!error.empty()) TVM_FFI_THROW(ValueError) << "malformed JSON IR: " << error;
  JsonObject root(value, "");
  if (root.Integer("version") != kVersion) {
    TVM_FFI_THROW(ValueError) << "the JSON IR has version " << root.Integer("version")
                              << ", this version of tschema reads " << kVersion;
  }
  Schema schema;
  schema.package = root.Text("package");
  ReadNamespaces(root, &schema.types, &schema);
  for (const JsonObject& package : root.Objects("imports")) {
    ReadNamespaces(package, &schema.imported, &schema);
  }
  for (const JsonObject& space : root.Objects("namespaces")) {
    for (const JsonObject& function : space.Objects("functions")) {
      schema.functions.push_back(function.Text("key"));
    }
  }
  Viewer viewer(schema);
  for (std::vector<Type>* list : {&schema.imported, &schema.types}) {
    viewer.View(list);
    for (const Type& type : *list) {
      if (schema.by_key.emplace(type.key, &type).second) continue;
      TVM_FFI_THROW(ValueError) << "malformed JSON IR: type `" << type.key << "` is repeated";
    }
  }
  return schema;
}

}  // namespace dynamic
}  // namespace tschema
