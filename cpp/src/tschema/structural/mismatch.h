/*!
 * \file mismatch.h
 * \brief The path to a difference, and its description.
 */
#ifndef TSCHEMA_SRC_STRUCTURAL_MISMATCH_H_
#define TSCHEMA_SRC_STRUCTURAL_MISMATCH_H_

#include <tschema/type_info.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/reflection/access_path.h>

#include <string>
#include <string_view>
#include <vector>

namespace tschema {

/*! \brief One step into both values. */
struct MismatchStep {
  ffi::reflection::AccessStep lhs;
  ffi::reflection::AccessStep rhs;
};

/*! \brief The steps to the first difference, and what differs there. */
struct MismatchPath {
  /*! \brief The innermost first. */
  std::vector<MismatchStep> reversed_steps;
  ffi::Any lhs;
  ffi::Any rhs;
};

/*! \brief The step to a field. */
ffi::reflection::AccessStep StepTo(const FieldInfo& field);

/*! \brief The field at an address within an object, or null. */
const FieldInfo* FieldAt(const ffi::Object* object, const void* address);

/*! \brief Whether an address lies within an object, which then keeps the value there alive. */
bool IsWithin(const ffi::Object* object, const void* address);

/*!
 * \brief Append the steps from two objects to parts of them, which a method has passed.
 * \param where The address from which the left part was read.
 */
void AppendPartSteps(const ffi::Object* lhs_object, const ffi::Object* rhs_object,
                     const TVMFFIAny& lhs_part, const TVMFFIAny& rhs_part, const void* where,
                     std::vector<MismatchStep>* reversed_steps);

/*! \brief The path as text, and the different values: `<root>.body.value: 1 != 2`. */
std::string DescribeMismatch(const MismatchPath& path);

}  // namespace tschema

#endif  // TSCHEMA_SRC_STRUCTURAL_MISMATCH_H_
