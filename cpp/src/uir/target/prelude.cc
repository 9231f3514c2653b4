// The beginning of an emitted text.
#include "./prelude.h"

#include <tvm/ffi/error.h>

#include <array>

#include "./c_types.h"

namespace uir::target {

namespace {

std::array<HelperTable, 5> Tables() {
  return {EntryHelpers(), OutputHelpers(), PoolHelpers(), ScalarHelpers(), VectorHelpers()};
}

/*! \brief The name of a helper function: its key up to the point. */
std::string_view NameOf(std::string_view key) { return key.substr(0, key.find('.')); }

std::string Replaced(std::string text, std::string_view mark, const std::string& value) {
  for (size_t i = text.find(mark); i != text.npos; i = text.find(mark, i + value.size())) {
    text.replace(i, mark.size(), value);
  }
  return text;
}

}  // namespace

bool IsHelperName(std::string_view name) {
  for (const HelperTable& table : Tables()) {
    for (size_t i = 0; i < table.size; ++i) {
      const std::string_view helper = NameOf(table.begin[i].key);
      if (name == helper) return true;
      const bool is_longer = name.size() > helper.size() && name[helper.size()] == '_';
      if (!is_longer || name.substr(0, helper.size()) != helper) continue;
      if (IsTypeSuffix(name.substr(helper.size() + 1))) return true;
    }
  }
  return false;
}

void Prelude::Need(std::string_view names) {
  while (!names.empty()) {
    const size_t end = names.find(' ');
    const std::string name(names.substr(0, end));
    name[0] == '<' ? Include(name) : Add(name.c_str(), nullptr);
    names.remove_prefix(end == names.npos ? names.size() : end + 1);
  }
}

void Prelude::Add(const char* key, const DLDataType* dtype) {
  const auto tables = Tables();
  for (size_t number = 0; number < tables.size(); ++number) {
    for (size_t i = 0; i < tables[number].size; ++i) {
      const Helper& helper = tables[number].begin[i];
      if (std::string_view(helper.key) != key) continue;
      std::string& text = helpers_[{number, i}][dtype == nullptr ? "" : TypeSuffix(*dtype)];
      if (!text.empty()) return;
      text = dtype == nullptr ? helper.text : Filled(helper.text, *dtype);
      return Need(helper.needs);
    }
  }
  TVM_FFI_ICHECK(false) << "there is no helper `" << key << "`";
}

std::string Prelude::Use(const char* key) {
  Add(key, nullptr);
  return key;
}

std::string Prelude::Use(const char* key, DLDataType dtype) {
  Add(key, &dtype);
  return std::string(NameOf(key)) + "_" + TypeSuffix(dtype);
}

std::string Prelude::Filled(std::string text, DLDataType dtype) {
  const int lanes = ir::LanesOf(dtype);
  const std::string type = ScalarTypeOf(ir::ElementOf(dtype)).value_or("void");
  const auto fill = [&](const char* mark, const std::string& value) {
    text = Replaced(std::move(text), mark, value);
  };
  // A type that the text names is declared.
  const auto fill_vector = [&](const char* mark, int bits) {
    if (text.find(mark) != text.npos) fill(mark, TypeOf(ir::IntType(bits, lanes)));
  };
  if (lanes > 1 && !ir::IsBool(dtype)) TypeOf(dtype);
  fill_vector("$M", dtype.bits);
  fill_vector("$K", 8);
  fill_vector("$I", 64);
  fill("$S", TypeSuffix(dtype));
  fill("$T", type);
  fill("$E", type);
  fill("$U", (type[0] == 'u' ? "" : "u") + type);
  fill("$B", std::to_string(dtype.bits));
  fill("$F", dtype.bits == 32 ? "f" : "");
  fill("$L", std::to_string(lanes));
  fill("$P", std::to_string(PaddedLanes(lanes)));
  return text;
}

std::string Prelude::TypeOf(DLDataType dtype) {
  const DLDataType element = ir::ElementOf(dtype);
  const std::string type = ScalarTypeOf(element).value_or("void");
  if (ir::IsScalar(dtype)) return type;
  std::string name = TypeSuffix(dtype);
  const int bytes = BytesOf(dtype) * PaddedLanes(ir::LanesOf(dtype));
  vectors_[name] = "typedef " + type + " " + name + " __attribute__((vector_size(" +
                   std::to_string(bytes) + ")));\n";
  return name;
}

std::string Prelude::UseLanewise(const std::string& name, const std::string& function, int num_args,
                                 DLDataType from, DLDataType to) {
  const std::string made = name + "_" + TypeSuffix(from);
  std::string params;
  std::string args;
  for (int i = 0; i < num_args; ++i) {
    const std::string param(1, static_cast<char>('a' + i));
    params += (i == 0 ? "" : ", ") + TypeOf(from) + " " + param;
    args += (i == 0 ? "" : ", ") + param + "[lane]";
  }
  const std::string type = TypeOf(to);
  lanewise_[made] =
      "static inline " + type + " " + made + "(" + params + ") {\n  " + type +
      " result;\n  for (int lane = 0; lane < " + std::to_string(PaddedLanes(ir::LanesOf(from))) +
      "; ++lane) result[lane] = " + function + "(" + args + ");\n  return result;\n}\n";
  return made;
}

std::string Prelude::Text() const {
  std::string text = "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n";
  // What loads libraries has functions that only GNU's headers declare, if asked.
  if (headers_.count("<dlfcn.h>") != 0) text = "#define _GNU_SOURCE 1\n" + text;
  for (const std::string& header : headers_) text += "#include " + header + "\n";
  if (!vectors_.empty()) {
    // Vectors are passed to functions that are inlined.
    text += "\n#pragma GCC diagnostic ignored \"-Wpsabi\"\n\n";
  }
  for (const auto& [name, vector] : vectors_) text += vector;
  for (const auto& [place, instances] : helpers_) {
    for (const auto& [suffix, helper] : instances) text += "\n" + helper;
  }
  for (const auto& [name, helper] : lanewise_) text += "\n" + helper;
  return text;
}

}  // namespace uir::target
