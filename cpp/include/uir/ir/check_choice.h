/*!
 * \file uir/ir/check_choice.h
 * \brief Checks that a text is one of a few.
 */
#ifndef UIR_IR_CHECK_CHOICE_H_
#define UIR_IR_CHECK_CHOICE_H_

#include <tvm/ffi/string.h>

#include <string>
#include <vector>

namespace uir::ir {

/*!
 * \brief Check that a text is one of some choices.
 * \param name The field or argument that has it.
 * \param value The text.
 * \param choices What it may be.
 * \param owner What the error begins with: `Target`; empty if the caller's error says it.
 * \throws ValueError if it is none of them.
 */
void CheckChoice(const char* name, const tvm::ffi::String& value,
                 const std::vector<std::string>& choices, const std::string& owner = "");

}  // namespace uir::ir

#endif  // UIR_IR_CHECK_CHOICE_H_
