// Cuts a text into tokens.
#include "./lexer.h"

#include <tschema/utf8.h>

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "./literals.h"

namespace uir::script {

namespace {

bool IsDigit(char c) { return '0' <= c && c <= '9'; }

bool IsNameStart(char c) {
  return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_' || (c & 0x80) != 0;
}

bool IsNamePart(char c) { return IsNameStart(c) || IsDigit(c); }

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f'; }

constexpr std::string_view kSymbols[] = {
    "**=", "//=", ">>=", "<<=", "...", "->", "==", "!=", "<=", ">=", "<<", ">>",
    "//",  "**",  "+=",  "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", ":="};
/*! \brief The second characters of symbols that have several. */
constexpr std::string_view kSecondCharacters = "*/><.=";
constexpr std::string_view kCharacters = "+-*/%&|^~<>()[]{},:.=@;";

class Lexer {
 public:
  Lexer(std::string_view text, SyntaxArena* arena, ErrorLog* log)
      : text_(text), arena_(arena), log_(log) {
    tokens_.reserve(text.size() / 4 + 8);
  }

  std::vector<TokenInfo> Run() {
    while (at_ < text_.size() && !log_->is_full()) {
      try {
        Next();
      } catch (const Failure& failure) {
        log_->Add(failure);
      }
    }
    EndLine();
    while (depths_.size() > 1) {
      depths_.pop_back();
      Push(Token::kDedent, at_);
    }
    Push(Token::kEnd, at_);
    return std::move(tokens_);
  }

 private:
  [[noreturn]] void Fail(size_t begin, std::string message) {
    throw Failure{static_cast<uint32_t>(begin), static_cast<uint32_t>(at_), std::move(message), ""};
  }

  char Peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void Push(Token kind, size_t begin) {
    tokens_.push_back({kind, static_cast<uint32_t>(begin), static_cast<uint32_t>(at_),
                       text_.substr(begin, at_ - begin)});
  }

  void Next() {
    if (is_line_start_ && brackets_ == 0) return StartLine();
    const char c = Peek();
    if (IsBlank(c)) {
      ++at_;
    } else if (c == '#') {
      SkipComment();
    } else if (c == '\n') {
      ++at_;
      if (brackets_ == 0) EndLine();
    } else if (c == '\\' && (Peek(1) == '\n' || (Peek(1) == '\r' && Peek(2) == '\n'))) {
      at_ += Peek(1) == '\n' ? 2 : 3;
    } else if (IsNameStart(c)) {
      NameOrString();
    } else if (IsDigit(c) || (c == '.' && IsDigit(Peek(1)))) {
      Number();
    } else if (c == '"' || c == '\'') {
      String(at_, /*is_raw=*/false, Token::kString);
    } else {
      Symbol();
    }
  }

  void SkipComment() {
    while (at_ < text_.size() && Peek() != '\n') ++at_;
  }

  void EndLine() {
    is_line_start_ = true;
    if (!tokens_.empty() && tokens_.back().kind != Token::kNewline &&
        tokens_.back().kind != Token::kIndent && tokens_.back().kind != Token::kDedent) {
      // The token is at the end of the last one, where messages about it point.
      const uint32_t end = tokens_.back().end;
      tokens_.push_back({Token::kNewline, end, end, text_.substr(end, 0)});
    }
  }

  void StartLine() {
    const size_t begin = at_;
    size_t depth = 0;
    for (; IsBlank(Peek()); ++at_) depth = Peek() == '\t' ? (depth / 8 + 1) * 8 : depth + 1;
    if (Peek() == '#') SkipComment();
    if (Peek() == '\n') ++at_;
    // A line without tokens has no depth.
    if (at_ > begin && text_[at_ - 1] == '\n') return;
    if (at_ >= text_.size()) return;
    is_line_start_ = false;
    if (depths_.empty()) depths_.push_back(depth);
    if (depth > depths_.back()) {
      depths_.push_back(depth);
      return Push(Token::kIndent, at_);
    }
    while (depths_.size() > 1 && depth < depths_.back()) {
      depths_.pop_back();
      Push(Token::kDedent, at_);
    }
    if (depth != depths_.back()) Fail(begin, "the line is not as deep as any line before it");
  }

  void NameOrString() {
    const size_t begin = at_;
    while (IsNamePart(Peek())) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    const bool is_quote = Peek() == '"' || Peek() == '\'';
    if (is_quote && name.size() <= 2) {
      if (name == "r" || name == "R") return String(begin, true, Token::kString);
      if (name == "b" || name == "B") return String(begin, false, Token::kBytes);
    }
    for (const char c : name) {
      if ((c & 0x80) != 0) Fail(begin, "a name has ASCII letters, digits and `_` only");
    }
    Push(Token::kName, begin);
  }

  void Number() {
    const size_t begin = at_;
    bool is_float = false;
    if (Peek() == '0' && (Peek(1) == 'x' || Peek(1) == 'X')) {
      at_ += 2;
      while (IsNamePart(Peek())) ++at_;
      return Push(Token::kInt, begin);
    }
    const auto digits = [this] {
      while (IsDigit(Peek()) || Peek() == '_') ++at_;
    };
    digits();
    if (Peek() == '.') {
      is_float = true;
      ++at_;
      digits();
    }
    const bool is_signed = Peek(1) == '+' || Peek(1) == '-';
    if ((Peek() == 'e' || Peek() == 'E') && IsDigit(Peek(is_signed ? 2 : 1))) {
      is_float = true;
      at_ += is_signed ? 2 : 1;
      digits();
    }
    if (IsNamePart(Peek())) {
      while (IsNamePart(Peek())) ++at_;
      Fail(begin, "malformed number `" + std::string(text_.substr(begin, at_ - begin)) + "`");
    }
    Push(is_float ? Token::kFloat : Token::kInt, begin);
  }

  // Strings.

  void String(size_t begin, bool is_raw, Token kind) {
    const char quote = Peek();
    const bool is_long = Peek(1) == quote && Peek(2) == quote;
    at_ += is_long ? 3 : 1;
    std::string value;
    while (!IsClosed(quote, is_long)) {
      if (at_ >= text_.size() || (Peek() == '\n' && !is_long))
        Fail(begin, "the string is not closed");
      if (Peek() == '\\' && !is_raw) {
        Escape(kind, &value);
      } else {
        value.push_back(text_[at_++]);
        if (value.back() == '\\' && at_ < text_.size()) value.push_back(text_[at_++]);
      }
    }
    at_ += is_long ? 3 : 1;
    // Python concatenates neighbouring strings.
    tokens_.push_back(
        {kind, static_cast<uint32_t>(begin), static_cast<uint32_t>(at_), arena_->Keep(value)});
  }

  bool IsClosed(char quote, bool is_long) const {
    return Peek() == quote && (!is_long || (Peek(1) == quote && Peek(2) == quote));
  }

  void Escape(Token kind, std::string* value) {
    const size_t begin = at_++;
    const char c = Peek();
    ++at_;
    constexpr std::string_view kCodes = "\\\"'ntrabfv0";
    constexpr std::string_view kValues("\\\"'\n\t\r\a\b\f\v\0", 11);
    const size_t known = kCodes.find(c);
    if (c == '\n') return;
    if (known != kCodes.npos && !(c == '0' && IsDigit(Peek()))) {
      value->push_back(kValues[known]);
      return;
    }
    const size_t length = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (length == 0) Fail(begin, "unknown escape in a string");
    const unsigned code = Hex(begin, length);
    if (kind == Token::kBytes) {
      value->push_back(static_cast<char>(code));
    } else {
      if (code > 0x10FFFF) Fail(begin, "no such character");
      if (0xD800 <= code && code <= 0xDFFF) Fail(begin, "a surrogate is not a character");
      tschema::AppendUtf8(code, value);
    }
  }

  unsigned Hex(size_t begin, size_t length) {
    unsigned code = 0;
    for (size_t i = 0; i < length; ++i, ++at_) {
      const char c = Peek();
      const int digit = IsDigit(c)             ? c - '0'
                        : 'a' <= c && c <= 'f' ? c - 'a' + 10
                        : 'A' <= c && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) Fail(begin, "an escape needs more hexadecimal digits");
      code = code << 4 | static_cast<unsigned>(digit);
    }
    return code;
  }

  // Symbols.

  void Symbol() {
    const size_t begin = at_;
    at_ += SymbolLength();
    const char c = text_[begin];
    if (c == '(' || c == '[' || c == '{') ++brackets_;
    if ((c == ')' || c == ']' || c == '}') && brackets_ > 0) --brackets_;
    if (kCharacters.find(c) == kCharacters.npos && c != '!') {
      while ((Peek() & 0xC0) == 0x80) ++at_;
      Fail(begin, "unexpected character `" + std::string(text_.substr(begin, at_ - begin)) + "`");
    }
    Push(Token::kSymbol, begin);
  }

  size_t SymbolLength() const {
    if (kSecondCharacters.find(Peek(1)) == kSecondCharacters.npos) return 1;
    for (const std::string_view symbol : kSymbols) {
      if (text_.substr(at_, symbol.size()) == symbol) return symbol.size();
    }
    return 1;
  }

  std::string_view text_;
  SyntaxArena* arena_;
  ErrorLog* log_;
  std::vector<TokenInfo> tokens_;
  size_t at_ = 0;
  bool is_line_start_ = true;
  int brackets_ = 0;
  std::vector<size_t> depths_;
};

}  // namespace

std::vector<TokenInfo> Tokenize(std::string_view text, SyntaxArena* arena, ErrorLog* log) {
  return Lexer(text, arena, log).Run();
}

}  // namespace uir::script
