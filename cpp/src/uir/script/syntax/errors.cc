// What is wrong with a text.
#include "./errors.h"

#include <tvm/ffi/error.h>
#include <uir/ir/near_names.h>

#include <algorithm>

namespace uir::script {

namespace {

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

size_t CountCharacters(std::string_view text) {
  return text.size() - std::count_if(text.begin(), text.end(), &IsContinuation);
}

}  // namespace

SourceText::SourceText(std::string_view text, std::string file, int64_t first_line)
    : text_(text), file_(std::move(file)), first_line_(first_line) {
  is_ascii_ = std::none_of(text.begin(), text.end(), &IsContinuation);
  starts_.push_back(0);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') starts_.push_back(static_cast<uint32_t>(i + 1));
  }
}

size_t SourceText::IndexOf(uint32_t offset) const {
  // Mostly the line is that of the last question, or the next one.
  for (size_t i = last_; i < last_ + 2 && i < starts_.size(); ++i) {
    if (starts_[i] <= offset && (i + 1 == starts_.size() || offset < starts_[i + 1])) {
      return last_ = i;
    }
  }
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  return last_ = static_cast<size_t>(after - starts_.begin()) - 1;
}

Place SourceText::PlaceOf(uint32_t offset) const {
  const size_t index = IndexOf(offset);
  const uint32_t start = starts_[index];
  const size_t column =
      is_ascii_ ? offset - start : CountCharacters(text_.substr(start, offset - start));
  return {static_cast<int32_t>(first_line_ + static_cast<int64_t>(index)),
          static_cast<int32_t>(column) + 1};
}

std::string_view SourceText::LineAt(uint32_t offset) const {
  const uint32_t start = starts_[IndexOf(offset)];
  std::string_view line = text_.substr(start, text_.find('\n', start) - start);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

void ErrorLog::Add(const Failure& failure) {
  if (!failure.is_silent) failures_.push_back(failure);
}

std::string ErrorLog::Render(const Failure& failure) const {
  const auto size = static_cast<uint32_t>(source_->text().size());
  const uint32_t begin = std::min(failure.begin, size);
  const Place place = source_->PlaceOf(begin);
  const std::string_view line = source_->LineAt(begin);
  const std::string number = std::to_string(place.line);
  const size_t length = CountCharacters(line);
  const size_t column = std::min<size_t>(place.column - 1, length);
  const size_t wanted = CountCharacters(source_->text().substr(begin, failure.end - begin));
  const size_t width = std::max<size_t>(1, std::min(wanted, length - column));
  std::string text = source_->file() + ":" + number + ":" + std::to_string(place.column) +
                     ": error: " + failure.message + "\n";
  const std::string margin(std::max<size_t>(number.size(), 4), ' ');
  text += margin.substr(number.size()) + number + " | " + std::string(line) + "\n";
  text += margin + " | " + std::string(column, ' ') + std::string(width, '^');
  if (!failure.help.empty()) text += "\n  help: " + failure.help;
  return text;
}

void ErrorLog::Check() {
  if (failures_.empty()) return;
  std::stable_sort(failures_.begin(), failures_.end(),
                   [](const Failure& a, const Failure& b) { return a.begin < b.begin; });
  std::string text;
  for (const Failure& failure : failures_) {
    if (!text.empty()) text += "\n";
    text += Render(failure);
  }
  if (is_full()) text += "\nnote: reading ended here; there may be more errors";
  throw ::tvm::ffi::Error("ScriptError", text, "");
}

std::string Suggestion(std::string_view name, const std::vector<std::string>& candidates) {
  for (const std::string& near : ir::NearNames(name, candidates)) {
    if (near != name) return "did you mean `" + near + "`?";
  }
  return "";
}

}  // namespace uir::script
