/*!
 * \file emit_versions.h
 * \brief The functions of a text, and which of their versions entries call.
 *
 * `MultiversionFunctions` makes versions of functions for several instruction sets. Each set has a
 * part of the text, which the compiler translates with its instructions. Pointers to those
 * functions that entries call get their values when the library is loaded.
 */
#ifndef UIR_TARGET_EMIT_VERSIONS_H_
#define UIR_TARGET_EMIT_VERSIONS_H_

#include <string>
#include <unordered_map>

#include "./signature.h"
#include "./translation_units.h"

namespace uir::target {

/*! \brief Whether the functions of a module have versions. */
bool HasVersions(const ir::IRModule& module);

/*! \brief The emitted functions of a module. */
struct FunctionsText {
  TranslationUnits units;
  /*! \brief The callees of entries, functions or pointers to them, by function of the module. */
  std::unordered_map<const Signature*, std::string> callees;
};

/*! \brief Emit the functions of a module that were asked for, and all versions of them. */
FunctionsText EmitFunctions(ModuleContext* context);

}  // namespace uir::target

#endif  // UIR_TARGET_EMIT_VERSIONS_H_
