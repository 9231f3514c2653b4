/*!
 * \file bounded_text.h
 * \brief A text that grows without using more and more memory: its middle is left out.
 */
#ifndef UIR_SRC_DRIVER_BOUNDED_TEXT_H_
#define UIR_SRC_DRIVER_BOUNDED_TEXT_H_

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

  /*! \brief The text, with a line that says how much of it is missing. */
  std::string Text() {
    if (end_.size() > kEnd) Cut();
    if (left_out_ == 0) return begin_ + end_;
    return begin_ + "\n... " + std::to_string(left_out_) + " bytes left out ...\n" + end_;
  }

 private:
  static constexpr size_t kEnd = 16384;

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
