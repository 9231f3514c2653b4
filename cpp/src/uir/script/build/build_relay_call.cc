// Calls of operators with tensors as operands, by name and by symbol.
#include <tschema/type_key.h>
#include <uir/ir/op.h>
#include <uir/ir/operator_table.h>
#include <uir/relay/call.h>
#include <uir/relay/infer.h>
#include <uir/script/forms.h>

#include <string>
#include <utility>
#include <vector>

#include "../print/infix.h"
#include "../print/type_fields.h"
#include "./builder_state.h"

namespace uir::script {

namespace {

using ir::RelayExpr;

ffi::Any ReadOperand(Builder* builder, const SyntaxNode* node, const ir::OperandRow& row) {
  if (row.is_variadic) return ReadRelayElements(builder, node);
  if (row.is_optional && node->kind == Syntax::kNone) return nullptr;
  return ReadRelayOrNumber(builder, node);
}

bool IsList(const tschema::TypeExpr& type) {
  using Kind = tschema::TypeExpr::Kind;
  return type.kind == Kind::kArray || (type.kind == Kind::kOptional && IsList(type.arguments[0]));
}

ffi::Optional<ir::Attrs> ReadAttributes(Builder* builder, const CallArguments& arguments,
                                        const ir::OperatorRow& row) {
  if (row.attrs_key == nullptr) return std::nullopt;
  const TypeFields& type = TypeFields::Of(tschema::RequireTypeIndex(row.attrs_key));
  std::vector<ffi::Any> values(type.arguments.size());
  std::vector<bool> is_given(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const TypeFields::Argument& argument = type.arguments[i];
    const SyntaxNode* node = arguments[argument.field->name];
    is_given[i] = node != nullptr;
    if (node != nullptr) {
      const ffi::Any value = builder->Value(node, argument.field->type);
      values[i] = IsList(*argument.field->type) ? ir::ListOfOne(value) : value;
    } else if (!argument.has_default) {
      arguments.Required(argument.field->name);
    }
  }
  return builder->At(arguments.call(),
                     [&] { return ConstructObject(type, values, is_given).cast<ir::Attrs>(); });
}

/*! \brief The attributes of an operator that has a symbol, none of which is given. */
ffi::Optional<ir::Attrs> DefaultAttributes(const ir::OperatorRow& row) {
  if (row.attrs_key == nullptr) return std::nullopt;
  const TypeFields& type = TypeFields::Of(tschema::RequireTypeIndex(row.attrs_key));
  const std::vector<ffi::Any> values(type.arguments.size());
  return ConstructObject(type, values, std::vector<bool>(values.size())).cast<ir::Attrs>();
}

RelayExpr MakeOperatorCall(const ir::Op& op, const ir::OperatorRow& row,
                           std::vector<ffi::Any> operands, ffi::Optional<ir::Attrs> attrs) {
  ir::ConvertNumbers(row, &operands);
  return relay::make_call(op, ffi::Array<ffi::Any>(operands.begin(), operands.end()),
                          std::move(attrs));
}

/*! \brief The operator of a symbol; empty for another symbol. */
std::string_view OperatorOfSymbol(const SyntaxNode* node) {
  constexpr std::pair<std::string_view, std::string_view> kReadOnly[] = {
      {"%", "relay.mod"},           {"**", "relay.power"},      {"//", "relay.floor_divide"},
      {"and", "relay.logical_and"}, {"or", "relay.logical_or"}, {"not", "relay.logical_not"},
  };
  for (const auto& [symbol, name] : kReadOnly) {
    if (symbol == node->text) return name;
  }
  const Infix* infix = FindInfix(node->text, static_cast<int>(node->size));
  return infix == nullptr ? std::string_view() : infix->op;
}

}  // namespace

ffi::Any BuildOperatorSymbol(Builder* builder, const SyntaxNode* node) {
  const std::string name(OperatorOfSymbol(node));
  if (name.empty() || !ir::has_op(name)) {
    builder->Fail(node, "`" + std::string(node->text) + "` is not an operator of `relay`");
  }
  std::vector<ffi::Any> operands;
  for (uint32_t i = 0; i < node->size; ++i) {
    operands.push_back(ReadRelayOrNumber(builder, (*node)[i]));
  }
  const ir::Op op = ir::get_op(name);
  const ir::OperatorRow* row = ir::FindOperatorRow(op);
  if (row == nullptr) builder->Fail(node, "`" + name + "` has no row in the table of operators");
  return builder->At(node,
                     [&] { return MakeOperatorCall(op, *row, operands, DefaultAttributes(*row)); });
}

ffi::Any BuildOperatorCall(Builder* builder, const SyntaxNode* call, const ir::Op& op,
                           const ir::OperatorRow& row) {
  const CallArguments arguments(builder, call, ir::ArgumentNamesOf(row));
  std::vector<ffi::Any> operands;
  for (const ir::OperandRow& operand : row.operands) {
    const SyntaxNode* node = arguments[operand.name];
    if (node == nullptr && !operand.is_optional) arguments.Required(operand.name);
    operands.push_back(node == nullptr ? ffi::Any() : ReadOperand(builder, node, operand));
  }
  const ffi::Optional<ir::Attrs> attrs = ReadAttributes(builder, arguments, row);
  return builder->At(call, [&] {
    return builder->Spanned(MakeOperatorCall(op, row, std::move(operands), attrs), call);
  });
}

}  // namespace uir::script
