/*!
 * \file declared_options.h
 * \brief Options that are fields of subclasses of `PassOptions`.
 */
#ifndef UIR_TRANSFORM_INFRA_DECLARED_OPTIONS_H_
#define UIR_TRANSFORM_INFRA_DECLARED_OPTIONS_H_

#include <tschema/type_info.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/string.h>
#include <uir/transform/config.h>

#include <functional>
#include <string>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief An option that a type declares. */
struct DeclaredOption {
  const tschema::TypeInfo* type;
  const tschema::FieldInfo* field;

  /*! \brief The name: the pass, a dot, and the field. */
  std::string Name() const;
  /*! \brief `bool`, `int`, `float`, `str`, or the type in the syntax of schemas. */
  ffi::String TypeName() const;
  /*! \brief The default, or None. */
  ffi::Any Default() const;
};

/*! \brief Call a function on each declared option of types that it has not seen. */
void ForNewOptions(const std::function<void(const DeclaredOption&)>& add);

/*!
 * \brief Make the options of a pass.
 * \param type A subclass of `PassOptions`.
 * \param value_of Returns the value of an option.
 * \throws TypeError, ValueError if the type rejects the values.
 */
PassOptions MakeOptions(const tschema::TypeInfo& type,
                        const std::function<ffi::Any(const DeclaredOption&)>& value_of);

/*!
 * \brief The type of options with a type key.
 * \throws TypeError if the type is not a registered, concrete subclass of `PassOptions`.
 */
const tschema::TypeInfo& OptionsTypeOf(const ffi::String& type_key);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_INFRA_DECLARED_OPTIONS_H_
