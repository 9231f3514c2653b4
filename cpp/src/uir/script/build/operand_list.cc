// Operands of a call, some of which are given by name.
#include "./operand_list.h"

#include <uir/tir/packed.h>

#include <iterator>
#include <string>
#include <string_view>

namespace uir::script {

namespace {

/*! \brief What TVM calls the first operands of its operators. */
constexpr std::string_view kNames[] = {" x x1 a lhs cond value val arg buffer_load data call ",
                                       " y x2 b rhs t true_value ", " z f false_value "};

}  // namespace

void OperandList::Add(const SyntaxNode* argument) { Put(operands_.size(), argument, argument); }

void OperandList::AddNamed(const SyntaxNode* argument) {
  const bool is_empty_span = argument->text == "span" && (*argument)[0]->kind == Syntax::kNone;
  if (is_empty_span) return;
  Put(PlaceOf(argument), argument, (*argument)[0]);
}

ffi::Array<ir::PrimExpr> OperandList::Take() const {
  ffi::Array<ir::PrimExpr> args;
  for (const std::optional<ir::PrimExpr>& operand : operands_) {
    if (!operand) builder_->Fail(call_, "an operand in front of the named ones is missing");
    args.push_back(*operand);
  }
  return args;
}

size_t OperandList::PlaceOf(const SyntaxNode* argument) const {
  const size_t count = op_ == nullptr ? 0 : op_->arguments.size();
  for (size_t i = 0; i < count; ++i) {
    if (Text(op_->arguments[i]->name) == argument->text) return i;
  }
  const std::string name = " " + std::string(argument->text) + " ";
  for (size_t i = 0; op_ != nullptr && i < std::size(kNames); ++i) {
    if (kNames[i].find(name) != std::string_view::npos) return i;
  }
  builder_->Fail(argument, "unknown argument `" + std::string(argument->text) + "`",
                 "a call has arguments without names, and `dtype=`");
}

/*! \brief An operand; of a global function a buffer is a tensor. */
ir::PrimExpr OperandList::Built(const SyntaxNode* value) const {
  const bool is_packed = op_ != nullptr && op_->name == "tir.call_packed";
  if (is_packed && value->kind == Syntax::kName) {
    const std::optional<tir::Buffer> buffer = builder_->Value(value).as<tir::Buffer>();
    if (buffer) return builder_->At(value, [&] { return tir::tensor_argument(*buffer); });
  }
  return BuildArgument(builder_, value);
}

void OperandList::Put(size_t place, const SyntaxNode* argument, const SyntaxNode* value) {
  if (operands_.size() <= place) operands_.resize(place + 1);
  if (operands_[place]) builder_->Fail(argument, "the operand is given twice");
  operands_[place] = Built(value);
}

}  // namespace uir::script
