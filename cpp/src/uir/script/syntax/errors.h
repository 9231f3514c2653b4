/*!
 * \file errors.h
 * \brief The errors in a text: messages with places, all of them in one exception.
 */
#ifndef UIR_SCRIPT_SYNTAX_ERRORS_H_
#define UIR_SCRIPT_SYNTAX_ERRORS_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/string.h>
#include <uir/ir/diagnostics.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace uir::script {

/*! \brief One error; thrown, and caught where parsing can continue. */
struct Failure {
  uint32_t begin;
  uint32_t end;
  std::string message;
  /*! \brief What to do about it; may be empty. */
  std::string help;
  /*! \brief Whether it follows from another error, so that it is not reported. */
  bool is_silent = false;
};

/*! \brief A place in a text, 1-based; columns count characters. */
struct Place {
  int32_t line;
  int32_t column;
};

/*! \brief A text with a name, whose lines can be found. */
class SourceText {
 public:
  SourceText(std::string_view text, std::string file, int64_t first_line);

  Place PlaceOf(uint32_t offset) const;
  /*! \brief The line that an offset lies in, without its end. */
  std::string_view LineAt(uint32_t offset) const;
  std::string_view text() const { return text_; }
  const std::string& file() const { return file_; }

 private:
  size_t IndexOf(uint32_t offset) const;
  /*! \brief Count the characters before an offset in constant time. */
  size_t CharactersBefore(uint32_t offset) const;

  std::string_view text_;
  std::string file_;
  int64_t first_line_;
  /*! \brief Number of characters before each block of bytes; empty for ASCII. */
  std::vector<uint32_t> blocks_;
  std::vector<uint32_t> starts_;
  mutable size_t last_ = 0;
};

/*! \brief The errors of one text. */
class ErrorLog {
 public:
  explicit ErrorLog(const SourceText* source) : source_(source) {}

  void Add(const Failure& failure);
  bool empty() const { return failures_.empty(); }
  /*! \brief Whether there are so many that parsing stops. */
  bool is_full() const { return failures_.size() >= 20; }
  /*! \brief The errors in the order of the text, and a note if parsing stopped. */
  ffi::Array<ir::Diagnostic> Diagnostics();
  /*! \throws ScriptError if there are any. */
  void Check();

 private:
  void Sort();
  ir::Diagnostic Converted(const Failure& failure, const ir::SourceName& file) const;
  std::string Render(const Failure& failure) const;

  const SourceText* source_;
  std::vector<Failure> failures_;
};

/*! \brief ``did you mean `near`?``, the candidate nearest to a misspelt name; empty if none is
 * near. */
std::string Suggestion(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace uir::script

#endif  // UIR_SCRIPT_SYNTAX_ERRORS_H_
