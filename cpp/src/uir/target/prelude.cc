// The beginning of an emitted text.
#include "./prelude.h"

#include <tvm/ffi/error.h>
#include <uir/target/unit_condition.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

#include "./c_types.h"

namespace uir::target {

namespace {

/*! \brief All helpers, in the order of emitted texts. */
constexpr Helper kHelpers[] = {
#include "helpers.inc"
};

/*! \brief The name of a helper function: its key up to the point. */
std::string_view NameOf(std::string_view key) { return key.substr(0, key.find('.')); }

std::string Replaced(std::string text, std::string_view mark, const std::string& value) {
  for (size_t i = text.find(mark); i != text.npos; i = text.find(mark, i + value.size())) {
    text.replace(i, mark.size(), value);
  }
  return text;
}

/*! \brief Whether a name is that of a function of a family: `min_float32` of `min`. */
bool IsOfFamily(std::string_view name, std::string_view family) {
  const bool is_longer = name.size() > family.size() && name[family.size()] == '_';
  return is_longer && name.substr(0, family.size()) == family &&
         IsTypeSuffix(name.substr(family.size() + 1));
}

/*! \brief Whether versions have functions of their own of this name. */
bool IsPerVersion(std::string_view name) {
  return std::any_of(std::begin(kHelpers), std::end(kHelpers), [&](const Helper& helper) {
    if (!helper.has_versions) return false;
    if (IsOfFamily(name, NameOf(helper.key))) return true;
    // The key of a family may be the name of a function of C: `pow`.
    const bool is_family = std::string_view(helper.text).find("$S") != std::string_view::npos;
    return !is_family && name == helper.key;
  });
}

/*! \brief All helpers by their keys. */
const std::unordered_map<std::string_view, const Helper*>& HelpersByKey() {
  static const auto* const by_key = [] {
    auto* helpers = new std::unordered_map<std::string_view, const Helper*>();
    for (const Helper& helper : kHelpers) helpers->emplace(helper.key, &helper);
    return helpers;
  }();
  return *by_key;
}

/*! \brief The names of all functions and families. */
const std::unordered_set<std::string_view>& HelperNames() {
  static const auto* const names = [] {
    auto* all = new std::unordered_set<std::string_view>();
    for (const Helper& helper : kHelpers) all->insert(NameOf(helper.key));
    return all;
  }();
  return *names;
}

bool IsInName(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

}  // namespace

bool IsHelperName(std::string_view name) {
  if (HelperNames().count(name) != 0) return true;
  for (size_t end = name.find('_'); end != name.npos; end = name.find('_', end + 1)) {
    if (IsTypeSuffix(name.substr(end + 1)) && HelperNames().count(name.substr(0, end)) != 0) {
      return true;
    }
  }
  return false;
}

void Prelude::Need(std::string_view names) {
  while (!names.empty()) {
    const size_t end = names.find(' ');
    const std::string name(names.substr(0, end));
    name[0] == '<' ? Include(name) : static_cast<void>(Add(name.c_str(), nullptr));
    names.remove_prefix(end == names.npos ? names.size() : end + 1);
  }
}

/*! \brief Add a helper, and return the suffix of its name for this version. */
std::string Prelude::Add(const char* key, const DLDataType* dtype) {
  const auto found = HelpersByKey().find(key);
  TVM_FFI_ICHECK(found != HelpersByKey().end()) << "there is no helper `" << key << "`";
  const Helper* helper = found->second;
  if (shared_ != nullptr && !helper->has_versions) return shared_->Add(key, dtype);
  std::string& text = helpers_[helper][dtype == nullptr ? "" : TypeSuffix(*dtype)];
  if (!text.empty()) return suffix_;
  text = WithSuffix(dtype == nullptr ? helper->text : Filled(helper->text, *dtype));
  Need(helper->needs);
  return suffix_;
}

std::string Prelude::Use(const char* key) { return key + Add(key, nullptr); }

std::string Prelude::Use(const char* key, DLDataType dtype) {
  const std::string suffix = Add(key, &dtype);
  return std::string(NameOf(key)) + "_" + TypeSuffix(dtype) + suffix;
}

/*! \brief A text with the suffix of this version on the names of helpers that versions have. */
std::string Prelude::WithSuffix(const std::string& text) const {
  if (suffix_.empty()) return text;
  std::string made;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin;
    while (end < text.size() && IsInName(text[end])) ++end;
    const std::string_view name = std::string_view(text).substr(begin, end - begin);
    made += name;
    if (IsPerVersion(name)) made += suffix_;
    if (end < text.size()) made += text[end];
    begin = end + 1;
  }
  return made;
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
  const auto fill_lanes = [&](const char* mark, DLDataType element) {
    if (text.find(mark) != text.npos) fill(mark, TypeOf(ir::WithLanes(element, lanes)));
  };
  fill_lanes("$W", ir::FloatType(32));
  fill_lanes("$V", ir::UIntType(32));
  fill_lanes("$X", ir::FloatType(64));
  fill_lanes("$Y", ir::IntType(32));
  fill("$S", TypeSuffix(dtype));
  fill("$T", type);
  fill("$E", type);
  fill("$U", (type[0] == 'u' ? "" : "u") + type);
  fill("$B", std::to_string(dtype.bits));
  fill("$F", dtype.bits == 32 ? "f" : "");
  fill("$D", dtype.bits == 32 ? "s" : "d");
  const bool is_byte = dtype.bits == 8;
  const bool is_long = dtype.bits == 64;
  fill("$N", is_byte ? "b" : is_long ? "q" : dtype.bits == 32 ? "d" : "w");
  fill("$G", is_byte ? "char" : is_long ? "long long" : dtype.bits == 32 ? "int" : "short");
  fill("$L", std::to_string(lanes));
  fill("$P", std::to_string(PaddedLanes(lanes)));
  return text;
}

std::string Prelude::TypeOf(DLDataType dtype) {
  if (shared_ != nullptr) return shared_->TypeOf(dtype);
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
  const std::string made = name + "_" + TypeSuffix(from) + suffix_;
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

std::string Prelude::MathName(const std::string& name, DLDataType dtype) const {
  return name + "_" + TypeSuffix(dtype) + suffix_;
}

std::string Prelude::HeadText() const {
  std::string text = "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n";
  // The code that loads libraries uses functions that only GNU's headers declare.
  if (headers_.count("<dlfcn.h>") != 0) text = "#define _GNU_SOURCE 1\n" + text;
  for (const std::string& header : headers_) text += "#include " + header + "\n";
  if (!vectors_.empty()) {
    // Vectors are passed to functions that are inlined.
    text += "\n#pragma GCC diagnostic ignored \"-Wpsabi\"\n\n";
  }
  for (const auto& [name, vector] : vectors_) text += vector;
  return text;
}

std::string Prelude::FunctionsText(bool has_units) const {
  std::string text;
  for (const auto& [helper, instances] : helpers_) {
    for (const auto& [suffix, instance] : instances) {
      text += has_units && helper->is_in_first_unit ? InUnit(0, instance) : "\n" + instance;
    }
  }
  if (!has_units) text = Replaced(std::move(text), "SHARED ", "static ");
  for (const auto& [name, helper] : lanewise_) text += "\n" + helper;
  return text + math_text_;
}

}  // namespace uir::target
