// Lines of traces: printing and parsing.
#include "./trace.h"

#include <tvm/ffi/error.h>
#include <tvm/ffi/string.h>

#include <charconv>
#include <string_view>

#include "./nest/list_call.h"
#include "./parameters.h"

namespace uir::schedule {

namespace {

constexpr std::string_view kForm =
    "`Recipe: nest: choice(parameter=1, ...)`, with `; ` between choices";

/*! \brief Reads a line from left to right. */
class LineParser {
 public:
  explicit LineParser(const std::string& text) : text_(text), rest_(text) {}

  TraceLine Run() {
    TraceLine line;
    line.recipe = UpTo(": ");
    // The name of a nest may have any characters, choices have no colon.
    const size_t end = rest_.rfind(": ");
    if (end == std::string_view::npos) Fail();
    line.nest = rest_.substr(0, end);
    rest_.remove_prefix(end + 2);
    do {
      line.choices.push_back(OneChoice());
    } while (Take("; "));
    if (!rest_.empty() || line.recipe.empty() || line.nest.empty()) Fail();
    return line;
  }

 private:
  [[noreturn]] void Fail() const {
    TVM_FFI_THROW(ValueError) << "`" << text_ << "` is not a line of a trace: expected " << kForm
                              << Where();
    TVM_FFI_UNREACHABLE();
  }

  std::string Where() const {
    return rest_.empty() ? ", got its end" : ", got `" + std::string(rest_) + "`";
  }

  bool Take(std::string_view word) {
    if (rest_.substr(0, word.size()) != word) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  std::string UpTo(std::string_view end) {
    const size_t length = rest_.find(end);
    if (length == std::string_view::npos || length == 0) Fail();
    std::string word(rest_.substr(0, length));
    rest_.remove_prefix(length + end.size());
    return word;
  }

  Choice OneChoice() {
    Choice choice;
    choice.way = UpTo("(");
    if (Take(")")) return choice;
    if (choice.way == kList) return WithSteps(std::move(choice));
    do {
      std::string name = UpTo("=");
      const int64_t value = Number();
      CheckParameter(name, value);
      choice.parameters.emplace_back(std::move(name), value);
    } while (Take(", "));
    if (!Take(")")) Fail();
    return choice;
  }

  Choice WithSteps(Choice choice) {
    do {
      const size_t length = nest::LengthOfCall(rest_);
      if (length == 0) Fail();
      choice.steps.emplace_back(rest_.substr(0, length));
      rest_.remove_prefix(length);
    } while (Take(", "));
    if (!Take(")")) Fail();
    return choice;
  }

  int64_t Number() {
    int64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) Fail();
    rest_.remove_prefix(end - rest_.data());
    return value;
  }

  const std::string& text_;
  std::string_view rest_;
};

std::string PrintChoice(const Choice& choice) {
  std::string text = choice.way + "(";
  const char* separator = "";
  for (const auto& [name, value] : choice.parameters) {
    text += separator + name + "=" + std::to_string(value);
    separator = ", ";
  }
  for (const std::string& step : choice.steps) {
    text += separator + step;
    separator = ", ";
  }
  return text + ")";
}

}  // namespace

int64_t Choice::operator[](const char* name) const {
  for (const auto& [found, value] : parameters) {
    if (found == name) return value;
  }
  TVM_FFI_THROW(ValueError) << "the choice `" << PrintChoice(*this) << "` has no parameter `"
                            << name << "`";
  TVM_FFI_UNREACHABLE();
}

std::string PrintTraceLine(const TraceLine& line) {
  std::string text = line.recipe + ": " + line.nest + ": ";
  for (size_t i = 0; i < line.choices.size(); ++i) {
    text += (i == 0 ? "" : "; ") + PrintChoice(line.choices[i]);
  }
  return text;
}

TraceLine ParseTraceLine(const std::string& text) { return LineParser(text).Run(); }

}  // namespace uir::schedule
