/*!
 * \file type_memo.h
 * \brief The results of one run of type inference: each rule runs once for each question.
 *
 * In: calls of operators whose operands have types. Out: the type and the assumptions of an earlier
 * call of the same operator, with operands of the same types and equal attributes. Equal types
 * become one object, as in MLIR's context, so that questions compare addresses. It runs no rules.
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

/*! \brief The type of a call, and the assumptions of its rule. */
struct TypedResult {
  ir::Type type;
  ffi::Optional<ffi::Array<ir::PrimExpr>> assumptions;
};

/*! \brief The operator and the operands' types of a call, which with the attributes determine its
 * type. */
class TypeQuestion {
 public:
  /*! \brief The question of a call of an operator. */
  explicit TypeQuestion(const CallNode* call);

  /*!
   * \brief Whether to store its answer: it has few operands, each absent or a variable of a tensor
   * type.
   *
   * A rule may read the value of an operand that is a constant, which a question does not have.
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

/*! \brief Stores the types of calls, and keeps the compared types alive. */
class TypeMemo {
 public:
  /*! \brief The earlier answer; null if the question is new. */
  const TypedResult* Find(const TypeQuestion& question,
                          const ffi::Optional<ir::Attrs>& attrs) const;

  /*!
   * \brief Store an answer.
   * \return The type, or the stored object that equals it.
   */
  ir::Type Add(const TypeQuestion& question, const ffi::Optional<ir::Attrs>& attrs,
               TypedResult result);

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  /*! \brief The maximal number of answers to a question, whose attributes are compared in turn. */
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

  /*! \brief The slot of the first answer to a question, or the free slot for it. */
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
