/*!
 * \file list_call.h
 * \brief Calls in the form of Python's: `tile("k", 64, tail="min")`.
 */
#ifndef UIR_SCHEDULE_NEST_LIST_CALL_H_
#define UIR_SCHEDULE_NEST_LIST_CALL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace uir::schedule::nest {

class Call {
 public:
  using Value = std::variant<std::string, int64_t, bool>;

  /*! \brief Read a call.
   * \throws ValueError if the text is not one call of strings, integers and truth values. */
  explicit Call(const std::string& text);

  const std::string& name() const { return name_; }
  /*! \brief The next argument, an integer or a string.
   * \throws ValueError if there is none, or it is of another type. */
  int64_t Number();
  std::string Word();
  /*! \brief The strings that are left. */
  std::vector<std::string> Words();
  /*! \brief A string that may be there, in order or by its name. */
  std::optional<std::string> MaybeWord(const char* keyword);
  /*! \brief An argument that may be given by its name. */
  std::optional<std::string> NamedWord(const char* keyword);
  std::optional<int64_t> NamedNumber(const char* keyword);
  bool NamedTruth(const char* keyword);
  /*! \throws ValueError if an argument is left. */
  void Finish() const;

 private:
  [[noreturn]] void Fail(const std::string& why) const;
  template <typename T>
  T Take(const char* type);
  template <typename T>
  std::optional<T> Named(const char* keyword, const char* type);

  std::string name_;
  std::vector<Value> values_;
  std::vector<std::pair<std::string, Value>> named_;
};

/*! \brief The length of the call that a text begins with; 0 if its parentheses do not close. */
size_t LengthOfCall(std::string_view text);

}  // namespace uir::schedule::nest

#endif  // UIR_SCHEDULE_NEST_LIST_CALL_H_
