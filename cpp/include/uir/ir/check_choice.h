/*!
 * \file uir/ir/check_choice.h
 * \brief Checks that a text is one of some choices.
 */
#ifndef UIR_IR_CHECK_CHOICE_H_
#define UIR_IR_CHECK_CHOICE_H_

#include <tvm/ffi/string.h>

#include <string>
#include <vector>

namespace uir::ir {

/*!
 * \brief Check that a text is one of some choices.
 * \param name The field or argument with the text.
 * \param value The text.
 * \param choices The valid texts.
 * \param owner The first word of the error, such as `Target`; empty if the caller adds it.
 * \throws ValueError if the text is not among the choices.
 */
void CheckChoice(const char* name, const tvm::ffi::String& value,
                 const std::vector<std::string>& choices, const std::string& owner = "");

}  // namespace uir::ir

#endif  // UIR_IR_CHECK_CHOICE_H_
