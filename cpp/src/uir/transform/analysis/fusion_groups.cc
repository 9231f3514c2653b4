// Fusion groups: one walk over the bindings of each block, from the last to the first.
#include "./fusion_groups.h"

#include <tschema/structural_equal.h>
#include <uir/ir/op.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/atom.h>
#include <uir/relay/relay_expr_functor.h>
#include <uir/transform/effects.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "./bound_sizes.h"
#include "./converted_bytes.h"
#include "./joined_operands.h"

namespace uir::transform {

namespace {

/*! \brief The rules for operators of a kind in groups. */
struct KindRow {
  std::string_view name;
  /*! \brief Whether each element of the result needs few elements of the operands. Any number of
   * such operators share a loop; a group has at most one other operator. */
  bool is_injective;
  /*! \brief Whether it may be fused after an operator that is not injective. */
  bool is_epilogue;
  /*! \brief Whether injective operators may compute its operands in its loop. */
  bool takes_prologue;
};

// Operators of the kind `opaque` and of unlisted kinds are never fused. Contractions and windows
// read each element of an operand many times, so their operands are not computed in their loops.
constexpr KindRow kKinds[] = {
    // name, is_injective, is_epilogue, takes_prologue
    {"elementwise", true, true, true},    {"broadcast", true, true, true},
    {"injective", true, false, true},     {"view", true, false, true},
    {"reduction", false, false, true},    {"row", false, false, true},
    {"contraction", false, false, false}, {"window", false, false, false},
};

constexpr const KindRow& kView = kKinds[3];

// A convolution with one channel in each group reads a pixel for few elements: it converts bytes.
constexpr KindRow kDepthwise = {"depthwise", false, false, false};

constexpr int kUnused = -1;
/*! \brief Used by a value outside groups, by two groups, or as a result. */
constexpr int kEscapes = -2;

/*! \brief The uses of a variable so far. */
struct GroupUses {
  int group = kUnused;
  /*! \brief Whether all paths from here to the group's output are epilogues. */
  bool are_epilogue = true;
  /*! \brief Whether a broadcast reads, and therefore computes, each element more than once. */
  bool is_replicated = false;
  /*! \brief The non-injective operator that uses this value, or null. */
  const KindRow* feeds = nullptr;
};

struct Group {
  const relay::BlockNode* block;
  ir::Type output;
  /*! \brief The bindings, the last one first. */
  FusionGroup bindings;
  int64_t num_ops = 0;
  bool has_only_views = true;
  bool has_anchor = false;
  /*! \brief Whether the output is a result of its block, which has memory of its own. */
  bool is_result = false;
};

bool AreEqualDimensions(const ir::PrimExpr& one, const ir::PrimExpr& other) {
  const auto* left = one.as<ir::IntImmNode>();
  const auto* right = other.as<ir::IntImmNode>();
  if (left != nullptr && right != nullptr) return left->value == right->value;
  return one.same_as(other) || tschema::StructuralEqual(one, other);
}

bool HaveSameShape(const ir::Type& one, const ir::Type& other) {
  const auto* left = one.as<ir::TensorTypeNode>();
  const auto* right = other.as<ir::TensorTypeNode>();
  if (left == nullptr || right == nullptr) return false;
  if (left->shape.same_as(right->shape)) return true;
  return std::equal(left->shape.begin(), left->shape.end(), right->shape.begin(),
                    right->shape.end(), AreEqualDimensions);
}

class FusionPlanner : private relay::RelayExprVisitor {
 public:
  explicit FusionPlanner(int64_t max_ops) : max_ops_(max_ops) {}

  std::vector<FusionGroup> Run(const relay::Function& func) {
    VisitBlock(func->body.get());
    std::vector<FusionGroup> found;
    for (size_t i = 0; i < groups_.size(); ++i) {
      Group& group = groups_[i];
      if (group.num_ops < 2 || group.has_only_views) continue;
      RemoveItemsOfOthers(static_cast<int>(i), &group.bindings);
      std::reverse(group.bindings.begin(), group.bindings.end());
      found.push_back(std::move(group.bindings));
    }
    std::reverse(found.begin(), found.end());
    return found;
  }

 private:
  void VisitBlock(const relay::BlockNode* block) override {
    const relay::BlockNode* outer = std::exchange(block_, block);
    NoteComputed(block);
    VisitRelayExpr(block->result);
    for (auto i = static_cast<int64_t>(block->bindings.size()); i-- > 0;) {
      Plan(block->bindings[i]);
    }
    block_ = outer;
  }

  /*! \brief Note a use by a value outside groups. */
  void VisitVar(const relay::VarNode* op) override { uses_[op].group = kEscapes; }
  void VisitConstant(const relay::ConstantNode*) override {}
  void VisitIf(const relay::IfNode* op) override {
    VisitBlock(op->false_branch.get());
    VisitBlock(op->true_branch.get());
    VisitRelayExpr(op->condition);
  }

  void VisitWhile(const relay::WhileNode* op) override {
    VisitBlock(op->body.get());
    for (const ir::RelayExpr& value : op->initial) VisitRelayExpr(value);
    VisitRelayExpr(op->condition);
  }

  /*! \brief Note the values of a block's calls, which may be placed in a concatenation's result. */
  void NoteComputed(const relay::BlockNode* block) {
    for (const relay::Binding& binding : block->bindings) {
      converted_.Add(binding);
      const auto* call = binding->value.as<relay::CallNode>();
      const auto op = call == nullptr ? std::nullopt : call->op.as<ir::Op>();
      const bool has_memory =
          op && KindOf(binding->value) != &kView && BoundSizeOf(binding->value) == nullptr;
      if (has_memory) computed_.insert(binding->var.get());
    }
    const auto note_result = [&](const ir::RelayExpr& value) {
      // A result of the function has its own memory.
      computed_.erase(value.get());
      results_.insert(value.get());
    };
    note_result(block->result);
    if (const auto* tuple = block->result.as<relay::TupleNode>()) {
      for (const ir::RelayExpr& field : tuple->fields) note_result(field);
    }
  }

  /*!
   * \brief Whether the kernels of a concatenation's operands can write directly into its result.
   *
   * Then nothing is copied, and each operand may be the epilogue of another operator.
   */
  bool IsJoinedInMemory(const relay::Binding& binding) {
    const auto* call = binding->value.as<relay::CallNode>();
    if (call == nullptr || computed_.count(binding->var.get()) == 0) return false;
    const auto fields = JoinedOperandsOf(call);
    if (!fields) return false;
    // A value can have only one place.
    const auto is_free = [&](const ir::RelayExpr& field) {
      return computed_.count(field.get()) != 0 && joined_.insert(field.get()).second;
    };
    return std::all_of(fields->begin(), fields->end(), is_free);
  }

  void Plan(const relay::Binding& binding) {
    const KindRow* kind = IsJoinedInMemory(binding) ? nullptr : KindOf(binding->value);
    if (kind == nullptr) return VisitRelayExpr(binding->value);
    const auto known = uses_.find(binding->var.get());
    const GroupUses uses = known == uses_.end() ? GroupUses() : known->second;
    const ir::Type type = binding->value->checked_type.value();
    const bool converts = uses.feeds == &kDepthwise && converted_.Has(binding->var);
    const int joined = Accepts(uses, *kind, type, converts) ? uses.group : NewGroup(type);
    Group& group = groups_[joined];
    const bool is_output = group.bindings.empty();
    if (is_output) group.is_result = results_.count(binding->var.get()) != 0;
    group.bindings.push_back(binding);
    group_of_.emplace(binding->var.get(), joined);
    const bool is_call = binding->value.as<relay::CallNode>() != nullptr;
    group.num_ops += is_call ? 1 : 0;
    group.has_only_views = group.has_only_views && kind == &kView;
    group.has_anchor = group.has_anchor || !kind->is_injective;
    GroupUses use;
    use.group = joined;
    use.are_epilogue =
        kind->is_epilogue && HaveSameShape(type, group.output) && (is_output || uses.are_epilogue);
    use.is_replicated = kind->is_injective && !kind->is_epilogue && uses.is_replicated;
    use.feeds = kind->is_injective ? (is_output ? nullptr : uses.feeds) : kind;
    NoteOperands(binding->value, kind->is_epilogue, use);
  }

  /*! \brief The kind of a value's operator; null if it is never fused. */
  const KindRow* KindOf(const ir::RelayExpr& value) {
    if (!value->checked_type.has_value()) return nullptr;
    if (const auto* item = value.as<relay::TupleGetItemNode>()) {
      return item->tuple_value.as<relay::VarNode>() != nullptr ? &kView : nullptr;
    }
    const auto* call = value.as<relay::CallNode>();
    const auto op = call == nullptr ? std::nullopt : call->op.as<ir::Op>();
    if (!op) return nullptr;
    const auto [known, is_new] = kinds_.emplace(op->get(), nullptr);
    if (is_new) known->second = IsPure(value) ? FindKind(*op) : nullptr;
    for (const ir::RelayExpr& arg : call->args) {
      if (!relay::IsAtom(arg)) return nullptr;
    }
    return known->second != nullptr && IsDepthwise(call) ? &kDepthwise : known->second;
  }

  static const KindRow* FindKind(const ir::Op& op) {
    const std::optional<ffi::String> name = ir::op_attr(op, "kind").as<ffi::String>();
    if (!name) return nullptr;
    for (const KindRow& row : kKinds) {
      if (row.name == std::string_view(name->data(), name->size())) return &row;
    }
    return nullptr;
  }

  /*!
   * \brief Whether a value may join the group that uses it.
   * \param converts Whether a depthwise convolution converts it from bytes.
   */
  bool Accepts(const GroupUses& uses, const KindRow& kind, const ir::Type& type,
               bool converts) const {
    if (uses.group < 0) return false;
    const Group& group = groups_[uses.group];
    if (group.block != block_ || group.num_ops >= max_ops_) return false;
    // Views are free, unless one is a result. Without them, their operand is computed in its own
    // shape, of which a product may be part.
    if (group.has_only_views && !group.is_result && &kind != &kView) return false;
    if (kind.is_epilogue && uses.is_replicated) return false;
    if (converts) return true;
    if (kind.is_injective) return uses.feeds == nullptr || uses.feeds->takes_prologue;
    return !group.has_anchor && uses.are_epilogue && HaveSameShape(type, group.output);
  }

  int NewGroup(const ir::Type& output) {
    groups_.push_back({block_, output, {}});
    return static_cast<int>(groups_.size()) - 1;
  }

  void NoteOperands(const ir::RelayExpr& value, bool broadcasts, const GroupUses& use) {
    if (const auto* item = value.as<relay::TupleGetItemNode>()) {
      return NoteOperand(item->tuple_value, use);
    }
    for (const ir::RelayExpr& arg : value.as<relay::CallNode>()->args) {
      GroupUses of_arg = use;
      if (broadcasts && arg->checked_type.has_value()) {
        of_arg.is_replicated =
            !HaveSameShape(arg->checked_type.value(), value->checked_type.value());
      }
      NoteOperand(arg, of_arg);
    }
  }

  void NoteOperand(const ir::RelayExpr& atom, const GroupUses& use) {
    if (const auto* tuple = atom.as<relay::TupleNode>()) {
      for (const ir::RelayExpr& field : tuple->fields) NoteOperand(field, use);
    }
    const auto* var = atom.as<relay::VarNode>();
    if (var == nullptr) return;
    GroupUses& uses = uses_[var];
    const bool is_other = uses.group != kUnused && uses.group != use.group;
    uses.group = is_other ? kEscapes : use.group;
    uses.are_epilogue = uses.are_epilogue && use.are_epilogue;
    uses.is_replicated = uses.is_replicated || use.is_replicated;
    // A group has at most one such operator.
    if (use.feeds != nullptr) uses.feeds = use.feeds;
  }

  /*! \brief Leave items of tuples that the group does not compute outside, so that no kernel takes
   * a tuple. */
  void RemoveItemsOfOthers(int group, FusionGroup* bindings) const {
    const auto is_other = [&](const relay::Binding& binding) {
      const auto* item = binding->value.as<relay::TupleGetItemNode>();
      if (item == nullptr) return false;
      const auto found = group_of_.find(item->tuple_value.get());
      return found == group_of_.end() || found->second != group;
    };
    bindings->erase(std::remove_if(bindings->begin(), bindings->end(), is_other), bindings->end());
  }

  int64_t max_ops_;
  const relay::BlockNode* block_ = nullptr;
  std::vector<Group> groups_;
  std::unordered_map<const ffi::Object*, GroupUses> uses_;
  std::unordered_map<const ffi::Object*, int> group_of_;
  std::unordered_map<const ffi::Object*, const KindRow*> kinds_;
  /*! \brief The values of operators, other than results of the function. */
  std::unordered_set<const ffi::Object*> computed_;
  ConvertedBytes converted_;
  /*! \brief The results of blocks. */
  std::unordered_set<const ffi::Object*> results_;
  /*! \brief The values that are placed in a concatenation's result. */
  std::unordered_set<const ffi::Object*> joined_;
};

}  // namespace

std::vector<FusionGroup> FindFusionGroups(const relay::Function& func, int64_t max_ops) {
  return FusionPlanner(max_ops).Run(func);
}

}  // namespace uir::transform
