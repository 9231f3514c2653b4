/*!
 * \file type_memo.h
 * \brief What one run of type inference has found: each rule runs once for each question.
 *
 * In: calls of operators whose operands have types. Out: the type of an earlier call of the same
 * operator with operands of the same types and equal attributes, and what its rule assumed. Types
 * that are equal become one object, as in MLIR's context, so that questions compare addresses. It
 * runs no rules.
 */
#ifndef UIR_SRC_RELAY_TYPE_MEMO_H_
#define UIR_SRC_RELAY_TYPE_MEMO_H_

#include <tschema/structural_equal.h>
#include <tschema/structural_hash.h>
#include <uir/ir/op.h>
#include <uir/relay/expr.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

namespace uir::relay {

/*! \brief The type of a call, and what its rule assumed. */
struct TypedResult {
  ir::Type type;
  ffi::Optional<ffi::Array<ir::PrimExpr>> assumptions;
};

/*! \brief What the type of a call follows from, but for the attributes. */
class TypeQuestion {
 public:
  /*! \brief The question of a call of an operator. */
  explicit TypeQuestion(const CallNode* call);

  /*!
   * \brief Whether it can be remembered: few operands, each a variable of a tensor type or absent.
   *
   * A rule may read the value of a constant, of which a variable has none.
   */
  bool is_valid() const { return op_ != nullptr; }
  uint64_t hash() const { return hash_; }
  /*! \brief The types of the operands; null for an absent one, and after the last. */
  const auto& types() const { return types_; }

  bool operator==(const TypeQuestion& other) const {
    return op_ == other.op_ && count_ == other.count_ && types_ == other.types_;
  }

 private:
  static constexpr size_t kMaxOperands = 4;

  const ir::OpNode* op_ = nullptr;
  std::array<const ir::TypeNode*, kMaxOperands> types_{};
  size_t count_ = 0;
  uint64_t hash_ = 0;
};

/*! \brief Remembers the types of calls, and keeps alive what it compares. */
class TypeMemo {
 public:
  /*! \brief The earlier answer; null if the question is new. */
  const TypedResult* Find(const TypeQuestion& question,
                          const ffi::Optional<ir::Attrs>& attrs) const;

  /*!
   * \brief Remember an answer.
   * \return The type, or the object of an equal one.
   */
  ir::Type Add(const TypeQuestion& question, const ffi::Optional<ir::Attrs>& attrs,
               TypedResult result);

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  /*! \brief Of answers to one question, which differ in attributes that are compared in turn. */
  static constexpr int kMaxAnswers = 4;

  struct Entry {
    TypeQuestion question;
    ffi::Optional<ir::Attrs> attrs;
    TypedResult result;
    /*! \brief The next answer to the same question. */
    uint32_t next;
  };

  struct Hasher {
    size_t operator()(const ir::Type& type) const { return tschema::StructuralHash(type); }
  };
  struct Comparer {
    bool operator()(const ir::Type& a, const ir::Type& b) const {
      return tschema::StructuralEqual(a, b);
    }
  };

  /*! \brief Where the first answer to a question stands, or the free place where it belongs. */
  size_t PlaceOf(const TypeQuestion& question) const;
  void Grow();

  std::vector<Entry> entries_;
  /*! \brief Indices of first answers: open addressing with linear probing, at most half full. */
  std::vector<uint32_t> places_;
  size_t num_questions_ = 0;
  std::unordered_set<ir::Type, Hasher, Comparer> types_;
  /*! \brief The types of the operands of all questions. */
  std::vector<ir::Type> operands_;
};

}  // namespace uir::relay

#endif  // UIR_SRC_RELAY_TYPE_MEMO_H_
