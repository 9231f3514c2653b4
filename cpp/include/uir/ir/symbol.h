/*!
 * \file uir/ir/symbol.h
 * \brief Public functions, and the symbols that they export.
 */
#ifndef UIR_IR_SYMBOL_H_
#define UIR_IR_SYMBOL_H_

#include <tvm/ffi/string.h>
#include <uir/ir/function.h>

#include <optional>

namespace uir::ir {

/*! \brief The attribute with the symbol of a public function. */
inline constexpr const char* kGlobalSymbol = "global_symbol";
/*! \brief The attribute with the symbol of the function that a function is a version of. */
inline constexpr const char* kVersionOf = "version_of";

/*! \brief The symbol that a function exports; none for a private function. */
inline std::optional<ffi::String> SymbolOf(const BaseFuncNode* func) {
  return func->GetAttr(kGlobalSymbol).as<ffi::String>();
}

/*! \brief Whether a compiled library exports a function. */
inline bool IsPublic(const BaseFuncNode* func) { return func->GetAttr(kGlobalSymbol) != nullptr; }

/*! \brief Whether callers outside the module enter a function: a public one, or a version of one.
 */
inline bool IsEntered(const BaseFuncNode* func) {
  return IsPublic(func) || func->GetAttr(kVersionOf) != nullptr;
}

}  // namespace uir::ir

#endif  // UIR_IR_SYMBOL_H_
