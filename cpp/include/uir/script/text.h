/*!
 * \file uir/script/text.h
 * \brief Views of strings of any class.
 */
#ifndef UIR_SCRIPT_TEXT_H_
#define UIR_SCRIPT_TEXT_H_

#include <tvm/ffi/string.h>

#include <string>
#include <string_view>

namespace uir::script {

namespace ffi = ::tvm::ffi;

/*! \brief A view of characters, made from any string. */
struct Text : std::string_view {
  using std::string_view::string_view;
  // NOLINTBEGIN(google-explicit-constructor)
  Text(std::string_view text) : std::string_view(text) {}
  Text(const std::string& text) : std::string_view(text) {}
  Text(const ffi::String& text) : std::string_view(text.data(), text.size()) {}
  Text(const ffi::Bytes& bytes) : std::string_view(bytes.data(), bytes.size()) {}
  // NOLINTEND(google-explicit-constructor)
};

}  // namespace uir::script

#endif  // UIR_SCRIPT_TEXT_H_
