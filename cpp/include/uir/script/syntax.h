/*!
 * \file uir/script/syntax.h
 * \brief The syntax tree of a text: Python expressions and statements.
 *
 * Nodes are allocated in an arena, without destructors, so that a deep tree is freed at once.
 */
#ifndef UIR_SCRIPT_SYNTAX_H_
#define UIR_SCRIPT_SYNTAX_H_

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace uir::script {

/*! \brief The kind of a node; the comments list its children. */
enum class Syntax : uint8_t {
  /*! \name Expressions */
  /*! \{ */
  kName,
  kInt,
  kFloat,
  kString,
  kBytes,
  kTrue,
  kFalse,
  kNone,
  /*! \brief `text` is the operator; the operand. */
  kUnary,
  /*! \brief `text` is the operator; the two operands. */
  kBinary,
  /*! \brief The condition, the value if it holds, and the other value. */
  kConditional,
  /*! \brief The callee, and the arguments; named ones are kKeyword. */
  kCall,
  /*! \brief `text` is the name; its value. */
  kKeyword,
  /*! \brief `text` is the attribute; the value. */
  kAttribute,
  /*! \brief The value, and the indices. */
  kSubscript,
  /*! \brief Begin, end and step; each may be null. */
  kSlice,
  kTuple,
  kList,
  /*! \brief Alternating keys and values. */
  kDict,
  /*! \brief The parameters, and the body last. */
  kLambda,
  /*! \brief `f"{name}"`; `text` is the text between the quotation marks. */
  kFormatted,
  /*! \brief `*values` among arguments, elements or the names of a loop. */
  kStarred,
  /*! \brief A value that the builder has computed. */
  kKnown,
  /*! \} */
  /*! \name Statements */
  /*! \{ */
  /*! \brief Statements of a body. */
  kSuite,
  /*! \brief `text` is the name; result (or null), suite, decorators suite, then parameters. */
  kFunction,
  /*! \brief `text` is the name; suite, decorators suite. */
  kClass,
  /*! \brief `text` is the name; the annotation, or null. */
  kParam,
  /*! \brief Target (a name, or a tuple of names), iterator, suite. */
  kFor,
  /*! \brief Condition, suite. */
  kWhile,
  /*! \brief Condition, suite, the other suite (or null). */
  kIf,
  /*! \brief Call, suite, the name after `as` (or null). */
  kWith,
  /*! \brief Condition, message (or null). */
  kAssert,
  /*! \brief The value, or null. */
  kReturn,
  /*! \brief Target, value. */
  kAssign,
  /*! \brief Target, annotation, value. */
  kAnnotated,
  /*! \brief `text` is the operator; target, value. */
  kAugmented,
  /*! \brief The expression. */
  kExpression,
  kPass,
  kBreak,
  kContinue,
  /*! \} */
};

/*! \brief A part of the text. */
struct SyntaxNode {
  Syntax kind;
  uint32_t size;
  /*! \brief Half-open range of bytes in the text. */
  uint32_t begin;
  uint32_t end;
  /*! \brief A name, an operator, digits, or the characters of a string. */
  std::string_view text;
  const SyntaxNode* const* children;

  const SyntaxNode* operator[](size_t index) const { return children[index]; }
};

/*! \brief Memory for nodes, freed as a whole. */
class SyntaxArena {
 public:
  SyntaxNode* New(Syntax kind, uint32_t begin, uint32_t end, std::string_view text = {},
                  const std::vector<const SyntaxNode*>& children = {}) {
    auto* slots = static_cast<const SyntaxNode**>(Allocate(children.size() * sizeof(void*)));
    if (!children.empty()) std::memcpy(slots, children.data(), children.size() * sizeof(void*));
    auto* node = static_cast<SyntaxNode*>(Allocate(sizeof(SyntaxNode)));
    *node = {kind, static_cast<uint32_t>(children.size()), begin, end, text, slots};
    return node;
  }

  /*! \brief Store characters that are not a substring of the text. */
  std::string_view Keep(const std::string& text) {
    auto* copy = static_cast<char*>(Allocate(text.size()));
    std::memcpy(copy, text.data(), text.size());
    return {copy, text.size()};
  }

 private:
  static constexpr size_t kBlock = size_t{1} << 16;

  void* Allocate(size_t size) {
    size = (size + 7) & ~size_t{7};
    if (size > left_) {
      const size_t block = size > kBlock ? size : kBlock;
      blocks_.push_back(std::make_unique<char[]>(block));
      next_ = blocks_.back().get();
      left_ = block;
    }
    void* result = next_;
    next_ += size;
    left_ -= size;
    return result;
  }

  std::vector<std::unique_ptr<char[]>> blocks_;
  char* next_ = nullptr;
  size_t left_ = 0;
};

}  // namespace uir::script

#endif  // UIR_SCRIPT_SYNTAX_H_
