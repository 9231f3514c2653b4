/*!
 * \file bounded_text.h
 * \brief A text of bounded length: the middle of a long text is left out.
 */
#ifndef UIR_SRC_DRIVER_BOUNDED_TEXT_H_
#define UIR_SRC_DRIVER_BOUNDED_TEXT_H_

#include <tschema/utf8.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace uir::driver {

/*! \brief The two ends of a text. */
class BoundedText {
 public:
  void Append(std::string_view text) {
    const size_t begin = text.size() < kEnd - begin_.size() ? text.size() : kEnd - begin_.size();
    begin_ += text.substr(0, begin);
    end_ += text.substr(begin);
    // Cut when it is twice too long, so that each byte is moved once.
    if (end_.size() > 2 * kEnd) Cut();
  }

  /*! \brief The text as UTF-8, with a line for the number of omitted bytes. */
  std::string Text() {
    if (end_.size() > kEnd) Cut();
    if (left_out_ == 0) return AsUtf8(begin_ + end_);
    const std::string note = "\n... " + std::to_string(left_out_) + " bytes left out ...\n";
    return AsUtf8(begin_) + note + AsUtf8(end_);
  }

 private:
  static constexpr size_t kEnd = 16384;
  static constexpr uint32_t kReplacement = 0xFFFD;

  /*! \brief A text with invalid UTF-8, such as half of a character, replaced. */
  static std::string AsUtf8(std::string_view text) {
    std::string valid;
    while (!text.empty()) {
      const size_t length = tschema::Utf8SequenceLength(text);
      if (length == 0) {
        tschema::AppendUtf8(kReplacement, &valid);
      } else {
        valid += text.substr(0, length);
      }
      text.remove_prefix(length == 0 ? 1 : length);
    }
    return valid;
  }

  void Cut() {
    const size_t too_many = end_.size() - kEnd;
    end_.erase(0, too_many);
    left_out_ += too_many;
  }

  std::string begin_;
  std::string end_;
  size_t left_out_ = 0;
};

}  // namespace uir::driver

#endif  // UIR_SRC_DRIVER_BOUNDED_TEXT_H_
