/*!
 * \file value_numbers.h
 * \brief Value numbering: expressions with provably equal values get the same number.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_VALUE_NUMBERS_H_
#define UIR_TRANSFORM_ANALYSIS_VALUE_NUMBERS_H_

#include <tschema/pointer_map.h>
#include <uir/tir/function.h>
#include <uir/tir/logic.h>
#include <uir/tir/stmt_functor.h>

#include <cstdint>
#include <initializer_list>
#include <unordered_map>
#include <utility>
#include <vector>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief A position in a function: a statement in a list of statements. */
struct Place {
  int32_t list;
  int32_t position;
};

/*! \brief The facts about a value. */
struct ValueEntry {
  /*! \brief The first expression that has it. */
  const ir::PrimExprNode* expr;
  /*! \brief The operands of the expression, a range of `ValueNumbers::uses`. */
  int32_t first_use;
  int32_t num_uses;
  /*! \brief The number of expressions and statements that compute it. */
  int32_t count;
  /*! \brief The first computation, as a position in the innermost list that holds all of them. */
  Place place;
  /*! \brief Whether `place` always computes it. */
  bool is_sure;
  /*! \brief Whether a variable may hold it. */
  bool is_kept;
  /*! \brief Whether it divides, so that it must not be computed where the program does not. */
  bool is_partial;
  /*! \brief The list of statements in which no divisor of a partial value is 0; -1 for none. */
  int32_t total_in;
};

/*! \brief Whether an expression is a comparison or logic; it stays where it is used, so that later
 * passes see the condition of each branch. */
inline bool IsCondition(const ir::PrimExprNode* expr) {
  return expr->IsInstance<tir::CmpOpNode>() || expr->IsInstance<tir::LogicalOpNode>() ||
         expr->IsInstance<tir::NotNode>();
}

/*! \brief An operand of a value. */
struct ValueUse {
  int32_t value;
  /*! \brief Whether it is computed only for some values of another operand. */
  bool is_lazy;
};

/*!
 * \brief Hash-based value numbering (Cocke and Schwartz, "Programming Languages and Their
 * Compilers", 1970) of a function, in one traversal. The place of a value is the lowest common
 * ancestor of its uses.
 *
 * The number of a value is larger than those of its operands. A second expression of the same value
 * is a use of it, and its operands are not visited.
 */
class ValueNumbers : public tir::PrimExprFunctor<int32_t(const ir::PrimExpr&)> {
 public:
  int32_t VisitPrimExpr(const ir::PrimExpr& expr) override;

  std::vector<ValueEntry> entries;
  std::vector<ValueUse> uses;
  /*! \brief The value of each visited expression. */
  tschema::PointerMap<int32_t> values;
  /*! \brief Whether two nodes are the same choice. */
  bool has_equal_choices = false;

  /*! \brief Give a variable a new value from here on. */
  void Bind(const tir::VarNode* var, bool is_local);
  /*! \brief Note another binding of a variable. No single scope then contains all its uses, so
   * values computed from it are not stored in variables. */
  void BindAgain(const tir::VarNode* var);
  /*! \brief Note that a statement computes a value. */
  void Use(const ir::PrimExpr& expr, Place place);
  /*! \brief Note that no factor of a loop's extent is 0 in the list of its body, and return those
   * of which it was not known. */
  std::vector<int32_t> EnterLoop(const ir::PrimExpr& extent, int32_t body);
  /*! \brief Forget what `EnterLoop` noted and returned. */
  void LeaveLoop(const std::vector<int32_t>& factors);
  /*! \brief Whether the place of a value may compute it: no divisor is 0 there. */
  bool IsComputable(const ValueEntry& entry) const;
  /*! \brief Find the innermost list that contains two places, and the first of them in it. */
  Place Meet(Place a, Place b) const;
  /*! \brief Begin a list of statements inside the statement at a position. */
  int32_t NewList(Place outer);
  /*! \brief After all statements are counted, add the uses that values make of their operands. */
  void Settle();

 protected:
  int32_t VisitDefault(const ir::PrimExprNode* op) override;
  int32_t VisitIntImm(const ir::IntImmNode* op) override;
  int32_t VisitFloatImm(const ir::FloatImmNode* op) override;
  int32_t VisitVar(const tir::VarNode* op) override;
  int32_t VisitSizeVar(const tir::SizeVarNode* op) override;
  int32_t VisitBinaryOp(const tir::BinaryOpNode* op) override;
  int32_t VisitCmpOp(const tir::CmpOpNode* op) override;
  int32_t VisitLogicalOp(const tir::LogicalOpNode* op) override;
  int32_t VisitNot(const tir::NotNode* op) override;
  int32_t VisitCast(const tir::CastNode* op) override;
  int32_t VisitSelect(const tir::SelectNode* op) override;
  int32_t VisitLet(const tir::LetNode* op) override;
  int32_t VisitCall(const tir::CallNode* op) override;
  int32_t VisitBufferLoad(const tir::BufferLoadNode* op) override;
  int32_t VisitProducerLoad(const tir::ProducerLoadNode* op) override;
  int32_t VisitRamp(const tir::RampNode* op) override;
  int32_t VisitBroadcast(const tir::BroadcastNode* op) override;
  int32_t VisitShuffle(const tir::ShuffleNode* op) override;

 private:
  struct Key {
    int32_t type_index;
    DLDataType dtype;
    int64_t words[3];
    bool operator==(const Key& other) const {
      return type_index == other.type_index && dtype == other.dtype && words[0] == other.words[0] &&
             words[1] == other.words[1] && words[2] == other.words[2];
    }
  };
  static uint64_t HashOf(const Key& key);
  /*! \brief A list of statements; `jump` is an ancestor, for a search in logarithmic time. */
  struct List {
    Place outer;
    int32_t depth;
    int32_t jump;
  };

  void ForgetUnkept();
  int32_t AncestorAt(int32_t list, int32_t depth) const;
  int32_t Leaf(const ir::PrimExprNode* op, int64_t word, bool is_local);
  int32_t Compound(const ir::PrimExprNode* op, std::initializer_list<ValueUse> parts);
  int32_t Keyed(const ir::PrimExprNode* op, const Key& key, std::initializer_list<ValueUse> parts,
                bool is_kept);
  /*! \brief Note that a value may be computed only in a list, or only where the program does. */
  void LimitTo(int32_t list, int32_t value);
  int32_t NumberChoice(const tir::CallNode* op);
  int32_t Opaque(const ir::PrimExprNode* op, std::initializer_list<ValueUse> parts);
  /*! \brief Add a value whose operands are the elements of `parts_` from `first_part`, and pop
   * these. */
  int32_t OpaqueOf(const ir::PrimExprNode* op, size_t first_part);
  int32_t Add(const ir::PrimExprNode* op, const ValueUse* parts, size_t num_parts);
  void AddParts(const ffi::Array<ir::PrimExpr>& exprs);
  /*! \brief The slot of a key: the number of its value counted from 1, or 0 if it has none yet. */
  int32_t& SlotOf(const Key& key);
  void Number(const Key& key, int32_t value);
  void AddUse(int32_t value, Place place, bool is_sure);

  struct Variable {
    int64_t number;
    /*! \brief Whether it is bound inside an expression. */
    bool is_local;
  };

  /*! \brief Values by the hash of their keys: open addressing, at most half full. */
  std::vector<int32_t> slots_;
  int32_t num_numbered_ = 0;
  /*! \brief The key of each value, except opaque ones. */
  std::vector<Key> keys_;
  tschema::PointerMap<Variable> variables_;
  /*! \brief The operands of the values that are being visited. */
  std::vector<ValueUse> parts_;
  int64_t num_bindings_ = 0;
  /*! \brief Changes with each statement and each effect; loads of one state read the same. */
  int64_t memory_state_ = 0;
  /*! \brief Whether a leaf of a numbered value was found later not to be kept. */
  bool has_unkept_leaf_ = false;
  std::vector<List> lists_;
  /*! \brief The outermost list around the present place in which a value is not 0. */
  std::unordered_map<int32_t, int32_t> nonzero_in_;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_VALUE_NUMBERS_H_
