/*!
 * \file translation_units.h
 * \brief A long text as several translation units, which compile at the same time.
 *
 * It stays one text, and also compiles as one unit: `cc -DUNIT=k` compiles only the text between
 * `#if IN_UNIT(k)` and `#endif`, and the text that all units share. Functions that other units call
 * are `SHARED`: static in one unit, hidden and with unique names in several.
 */
#ifndef UIR_TARGET_TRANSLATION_UNITS_H_
#define UIR_TARGET_TRANSLATION_UNITS_H_

#include <string>
#include <string_view>
#include <vector>

#include "./signature.h"

namespace uir::target {

/*! \brief An emitted function, and the properties that decide its unit. */
struct EmittedFunction {
  const Signature* signature;
  std::string text;
  /*! \brief The functions of the module that it calls. */
  std::unordered_set<const Signature*> callees;
  /*! \brief Whether it uses parts of the first unit: constants, objects or global functions. */
  bool uses_first_unit;
};

/*! \brief The functions of a text, by unit. */
struct TranslationUnits {
  /*! \brief The functions of the first unit, which all others are called from. */
  std::string first;
  /*! \brief Those of the other units; none if the text is short. */
  std::vector<std::string> others;
  /*! \brief The declarations of the functions in the other units. */
  std::string declarations;
  /*! \brief The names of those functions. */
  std::vector<std::string> names;
};

/*!
 * \brief Distribute functions over units of about equal lengths, which depends only on the texts.
 * \param functions The functions, each after its callees.
 * \param early The functions that are called before their definitions; they stay in the first unit.
 */
TranslationUnits Distribute(const std::vector<EmittedFunction>& functions,
                            const std::vector<const Signature*>& early);

/*! \brief The lines that define `IN_UNIT`, `SHARED` and the names of shared functions. */
std::string UnitMacros(const TranslationUnits& units);

}  // namespace uir::target

#endif  // UIR_TARGET_TRANSLATION_UNITS_H_
