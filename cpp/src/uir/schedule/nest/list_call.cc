// Calls of primitives as text.
#include "./list_call.h"

#include <tvm/ffi/error.h>

#include <cctype>
#include <charconv>

namespace uir::schedule::nest {

namespace {

/*! \brief Reads a call from left to right. */
class CallParser {
 public:
  explicit CallParser(const std::string& text) : text_(text), rest_(text) {}

  std::string Name() {
    size_t length = 0;
    while (length < rest_.size() && IsLetter(rest_[length])) ++length;
    if (length == 0) Fail();
    const std::string name(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return name;
  }

  Call::Value Value() {
    Spaces();
    if (Take("True")) return true;
    if (Take("False")) return false;
    if (Take("\"")) return UpTo('"');
    if (Take("'")) return UpTo('\'');
    int64_t number = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    if (error != std::errc()) Fail();
    rest_.remove_prefix(end - rest_.data());
    return number;
  }

  /*! \brief The name of the next argument; empty if it has none. */
  std::string Keyword() {
    Spaces();
    const std::string_view before = rest_;
    if (!rest_.empty() && std::isalpha(static_cast<unsigned char>(rest_[0])) != 0) {
      const std::string name = Name();
      Spaces();
      if (Take("=")) return name;
    }
    rest_ = before;
    return "";
  }

  bool Take(std::string_view word) {
    if (rest_.substr(0, word.size()) != word) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  void Expect(std::string_view word) {
    Spaces();
    if (!Take(word)) Fail();
  }
  void Spaces() {
    while (!rest_.empty() && rest_[0] == ' ') rest_.remove_prefix(1);
  }
  bool IsAtEnd() const { return rest_.empty(); }

  [[noreturn]] void Fail() const {
    const std::string found = rest_.empty() ? "its end" : "`" + std::string(rest_) + "`";
    TVM_FFI_THROW(ValueError) << "expected a call such as `tile(\"k\", 64, tail=\"min\")`, got "
                              << found;
    TVM_FFI_UNREACHABLE();
  }

 private:
  static bool IsLetter(char letter) {
    return letter == '_' || std::isalnum(static_cast<unsigned char>(letter)) != 0;
  }
  std::string UpTo(char quote) {
    const size_t length = rest_.find(quote);
    if (length == std::string_view::npos) Fail();
    const std::string word(rest_.substr(0, length));
    rest_.remove_prefix(length + 1);
    return word;
  }

  const std::string& text_;
  std::string_view rest_;
};

}  // namespace

Call::Call(const std::string& text) {
  CallParser parser(text);
  parser.Spaces();
  name_ = parser.Name();
  parser.Expect("(");
  parser.Spaces();
  while (!parser.Take(")")) {
    const std::string keyword = parser.Keyword();
    Value value = parser.Value();
    if (keyword.empty()) {
      if (!named_.empty()) Fail("arguments without a name come first");
      values_.push_back(std::move(value));
    } else {
      named_.emplace_back(keyword, std::move(value));
    }
    parser.Spaces();
    if (parser.Take(")")) break;
    parser.Expect(",");
    parser.Spaces();
  }
  parser.Spaces();
  if (!parser.IsAtEnd()) parser.Fail();
}

void Call::Fail(const std::string& why) const {
  TVM_FFI_THROW(ValueError) << "`" << name_ << "`: " << why;
  TVM_FFI_UNREACHABLE();
}

template <typename T>
T Call::Take(const char* type) {
  if (values_.empty()) Fail(std::string("expected ") + type);
  T* value = std::get_if<T>(&values_.front());
  if (value == nullptr) Fail(std::string("expected ") + type + " as the next argument");
  T taken = std::move(*value);
  values_.erase(values_.begin());
  return taken;
}

template <typename T>
std::optional<T> Call::Named(const char* keyword, const char* type) {
  for (size_t i = 0; i < named_.size(); ++i) {
    if (named_[i].first != keyword) continue;
    T* value = std::get_if<T>(&named_[i].second);
    if (value == nullptr) Fail("`" + std::string(keyword) + "` must be " + type);
    T taken = std::move(*value);
    named_.erase(named_.begin() + static_cast<int64_t>(i));
    return taken;
  }
  return std::nullopt;
}

int64_t Call::Number() { return Take<int64_t>("an integer"); }
std::string Call::Word() { return Take<std::string>("a string"); }

std::vector<std::string> Call::Words() {
  std::vector<std::string> words;
  while (!values_.empty()) words.push_back(Word());
  return words;
}

std::optional<std::string> Call::MaybeWord(const char* keyword) {
  if (!values_.empty()) return Word();
  return NamedWord(keyword);
}

std::optional<std::string> Call::NamedWord(const char* keyword) {
  return Named<std::string>(keyword, "a string");
}
std::optional<int64_t> Call::NamedNumber(const char* keyword) {
  return Named<int64_t>(keyword, "an integer");
}
bool Call::NamedTruth(const char* keyword) {
  return Named<bool>(keyword, "True or False").value_or(false);
}

void Call::Finish() const {
  if (!values_.empty()) Fail("got more arguments than it takes");
  if (!named_.empty()) Fail("there is no argument `" + named_[0].first + "`");
}

size_t LengthOfCall(std::string_view text) {
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    if (quote != 0) {
      if (letter == quote) quote = 0;
    } else if (letter == '"' || letter == '\'') {
      quote = letter;
    } else if (letter == ')') {
      return i + 1;
    }
  }
  return 0;
}

}  // namespace uir::schedule::nest
