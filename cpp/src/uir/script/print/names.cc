// Identifiers for variables.
#include "./names.h"

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/function.h>

#include <algorithm>
#include <mutex>
#include <unordered_set>

namespace uir::script {

namespace {

bool IsNameDigit(char c) { return '0' <= c && c <= '9'; }

bool IsLetter(char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_'; }

const std::unordered_set<std::string_view>& Keywords() {
  static const auto* const keywords = new std::unordered_set<std::string_view>{
      "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
      "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
      "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
      "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield",    "range",
      "float", "metadata", "ir",    "tir",    "te",   "relay",  "uir",    "Module",   "_"};
  return *keywords;
}

/*! \brief The first parts of the keys of all types; types are never taken back. */
class Packages {
 public:
  static Packages& Global() {
    static Packages* const packages = new Packages();
    return *packages;
  }

  void Refresh() {
    static const ffi::Function list = ffi::Function::GetGlobalRequired("ffi.GetRegisteredTypeKeys");
    const auto keys = list().cast<ffi::Array<ffi::String>>();
    const std::lock_guard<std::mutex> lock(mutex_);
    if (keys.size() == num_keys_) return;
    num_keys_ = keys.size();
    for (const ffi::String& key : keys) {
      const std::string_view text = Text(key);
      if (text.find('.') != text.npos) names_.emplace(text.substr(0, text.find('.')));
    }
  }

  bool Contains(std::string_view name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return names_.count(std::string(name)) != 0;
  }

 private:
  std::mutex mutex_;
  size_t num_keys_ = 0;
  std::unordered_set<std::string> names_;
};

std::string Sanitized(std::string_view wanted) {
  std::string name;
  for (const char c : wanted) name.push_back(IsLetter(c) || IsNameDigit(c) ? c : '_');
  if (name.empty()) return "v";
  return IsNameDigit(name[0]) ? "_" + name : name;
}

}  // namespace

bool IsIdentifier(Text text) {
  return !text.empty() && !IsNameDigit(text[0]) && Keywords().count(text) == 0 &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return IsLetter(c) || IsNameDigit(c); });
}

bool IsReserved(Text name) {
  return Keywords().count(name) != 0 || Packages::Global().Contains(name);
}

NameTable::NameTable() { Packages::Global().Refresh(); }

std::string NameTable::Find(Text wanted, int blocking) {
  const std::string base = Sanitized(wanted);
  auto [entry, is_new] = flags_.try_emplace(base, 0);
  if (is_new && IsReserved(base)) entry->second = kTaken | kEver;
  if ((entry->second & blocking) == 0) {
    entry->second = kTaken | kEver;
    return base;
  }
  Next& numbers = next_[base];
  int& next = blocking == kTaken ? numbers.free : numbers.unused;
  while (true) {
    std::string name = base + "_" + std::to_string(next++);
    int& flags = flags_[name];
    if ((flags & blocking) != 0) continue;
    flags = kTaken | kEver;
    return name;
  }
}

void NameTable::Release(const std::string& name) {
  flags_[name] = kEver;
  const size_t end = name.rfind('_');
  if (end == name.npos) return;
  const auto found = next_.find(name.substr(0, end));
  if (found == next_.end()) return;
  const std::string number = name.substr(end + 1);
  const bool is_number = !number.empty() && number.size() < 9 &&
                         std::all_of(number.begin(), number.end(), &IsNameDigit);
  int& free = found->second.free;
  if (is_number) free = std::max(1, std::min(free, std::stoi(number)));
}

}  // namespace uir::script
