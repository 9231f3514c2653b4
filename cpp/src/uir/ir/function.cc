// The attributes of functions.
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>
#include <uir/ir/check_choice.h>
#include <uir/ir/function.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

namespace uir::ir {

namespace {

/*! \brief Make a shallow copy of a function of any type. */
BaseFunc ShallowCopy(const BaseFunc& func) {
  static const ffi::reflection::TypeAttrColumn column("__ffi_shallow_copy__");
  return column[func->type_index()].cast<ffi::Function>()(func).cast<BaseFunc>();
}

}  // namespace

void BaseFuncNode::PostInit() {
  if (!attrs.has_value()) attrs = DictAttrs(ffi::Map<ffi::String, ffi::Any>());
}

ffi::Any BaseFuncNode::GetAttr(ffi::String key) const {
  const ffi::Map<ffi::String, ffi::Any>& dict = attrs.value()->dict;
  const auto found = dict.find(key);
  return found == dict.end() ? ffi::Any() : (*found).second;
}

void ExternFuncNode::PostInit() {
  BaseFuncNode::PostInit();
  if (global_symbol.empty()) {
    TVM_FFI_THROW(ValueError) << "ExternFunc: `global_symbol` must not be empty";
  }
}

ExternFunc extern_func(ffi::String global_symbol, ffi::String source, ffi::String language) {
  const std::string symbol(global_symbol);
  const auto is_in_name = [](unsigned char c) { return c == '_' || std::isalnum(c) != 0; };
  const bool is_name = std::all_of(symbol.begin(), symbol.end(), is_in_name) && !symbol.empty() &&
                       std::isdigit(static_cast<unsigned char>(symbol[0])) == 0;
  if (!is_name) {
    TVM_FFI_THROW(ValueError) << "extern_func: `global_symbol` must be an identifier of C, got `"
                              << global_symbol << "`";
  }
  CheckChoice("language", language, {"c", "asm", "llvm"}, "extern_func");
  const ffi::Map<ffi::String, ffi::Any> attrs = {{"source", std::move(source)},
                                                 {"language", std::move(language)}};
  return ExternFunc(std::move(global_symbol), DictAttrs(attrs));
}

BaseFunc with_attr(BaseFunc func, ffi::String key, ffi::Any value) {
  return with_attrs(std::move(func), {{std::move(key), std::move(value)}});
}

BaseFunc with_attrs(BaseFunc func, ffi::Map<ffi::String, ffi::Any> attrs) {
  ffi::Map<ffi::String, ffi::Any> dict = func->attrs.value()->dict;
  for (const auto& [key, value] : attrs) {
    if (value == nullptr) {
      dict.erase(key);
    } else {
      dict.Set(key, value);
    }
  }
  // A function with one reference, or a fresh copy, may be written.
  BaseFunc updated = func.unique() ? std::move(func) : ShallowCopy(func);
  const_cast<BaseFuncNode*>(updated.get())->attrs = DictAttrs(std::move(dict));
  return updated;
}

}  // namespace uir::ir
