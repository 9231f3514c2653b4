// Objects of tvm-ffi: their fields, checks of their types, and elements of arrays.
#include <uir/ir/dtype.h>
#include <uir/ir/expr.h>

#include "./c_types.h"
#include "./call_emitter.h"
#include "./scalar_emitter.h"
#include "./statement_emitter.h"

namespace uir::target {

namespace {

std::string TextOf(const ir::PrimExpr& expr) {
  const auto* text = expr.as<ir::StringImmNode>();
  return text == nullptr ? "" : std::string(text->value);
}

}  // namespace

/*! \brief The name of the function, for messages. */
std::string CallEmitter::ShownName() const {
  return StringLiteral(signature_->name.substr(0, signature_->name.size() - 1));
}

CExpr CallEmitter::GetField(const tir::CallNode* op) {
  return Refuse(op, "a field is read by its name; run `LowerObjectFields` before");
}

CExpr CallEmitter::ObjectField(const tir::CallNode* op) {
  const auto* offset = op->args[3].as<ir::IntImmNode>();
  const std::string key = TextOf(op->args[1]);
  const std::string field = TextOf(op->args[2]);
  if (offset == nullptr || offset->value < 0 || key.empty() || field.empty() ||
      !ir::IsScalar(op->dtype)) {
    return Refuse(op, "a field has a type, a name, and an offset that is a constant");
  }
  const std::string place = context_->objects()->UseField(key, field, offset->value, op->dtype);
  if (place.empty()) {
    return Refuse(op, "field `" + field + "` of `" + key + "` has several offsets or data types");
  }
  context_->prelude()->Use("find_type");
  const CExpr object = scalars().Emit(op->args[0]);
  const std::string type = TypeOf(op, op->dtype);
  const std::string pointer = ir::IsHandle(op->dtype) ? "void* const*" : "const " + type + "*";
  CExpr read = {"*(" + pointer + ")(" + Converted("const char*", object) + " + " + place + ")",
                Binding::kUnary};
  read.reads_memory = true;
  return read;
}

CExpr CallEmitter::AsObject(const tir::CallNode* op) {
  const std::string& type = context_->objects()->Use(TextOf(op->args[1]));
  const std::string check = context_->prelude()->Use("check_object");
  std::string name = scalars().Emit(op->args[0]).code;
  if (Identifier(name) != name) {
    const std::string taken = names_.Take("object");
    writer_->Line("void* " + taken + " = " + name + ";");
    name = taken;
  }
  statements().EmitFailure(check + "(" + ShownName() + ", " + StringLiteral(TextOf(op->args[2])) +
                               ", " + name + ", &" + type + ") != 0",
                           "-1");
  return {name};
}

CExpr CallEmitter::IsObject(const tir::CallNode* op) {
  const std::string& type = context_->objects()->Use(TextOf(op->args[1]));
  CExpr made = {context_->prelude()->Use("is_object") + "(" + scalars().Emit(op->args[0]).code +
                ", &" + type + ")"};
  made.reads_memory = true;
  return made;
}

CExpr CallEmitter::ArraySize(const tir::CallNode* op) {
  CExpr made = {context_->prelude()->Use("array_size") + "(" + scalars().Emit(op->args[0]).code +
                ")"};
  made.reads_memory = true;
  return made;
}

CExpr CallEmitter::ArrayItem(const tir::CallNode* op) {
  if (!ir::IsScalar(op->dtype) || IsHalf(op->dtype) || IsBFloat16(op->dtype)) {
    return Refuse(op,
                  "an element of an array is a number of 32 or 64 bits, an integer, a boolean "
                  "or a reference");
  }
  const std::string item = names_.Take("item");
  const Boxed boxed = BoxedAs(op->dtype);
  const std::vector<CExpr> args = scalars().EmitAll({op->args[0], op->args[1]});
  const CExpr index = scalars().Exact(args[1], op->args[1]->dtype);
  const std::string read = context_->prelude()->Use("array_item");
  writer_->Line("TVMFFIAny " + item + ";");
  statements().EmitFailure(read + "(" + ShownName() + ", " + args[0].code + ", " + index.code +
                               ", " + boxed.kind + ", &" + item + ") != 0",
                           "-1");
  const CExpr value = {item + "." + boxed.member};
  if (ir::IsHandle(op->dtype)) return value;
  return {Converted(TypeOf(op, op->dtype), value), Binding::kUnary};
}

}  // namespace uir::target
