// Calls of global functions of tvm-ffi: arguments in its form, results, errors.
#include <uir/ir/dtype.h>
#include <uir/ir/expr.h>
#include <uir/ir/op.h>
#include <uir/tir/object_access.h>

#include <algorithm>

#include "./c_types.h"
#include "./call_emitter.h"
#include "./memory_emitter.h"
#include "./scalar_emitter.h"
#include "./statement_emitter.h"
#include "./vector_emitter.h"

namespace uir::target {

namespace {

bool Calls(const ir::PrimExpr& expr, const char* name) {
  const auto* call = expr.as<tir::CallNode>();
  const auto* op = call == nullptr ? nullptr : call->op.as<ir::OpNode>();
  return op != nullptr && op->name == name;
}

}  // namespace

/*! \brief Add a line with numbers of a tensor; returns the name of the array. */
std::string CallEmitter::TensorNumbers(const std::string& name, const ir::PrimExpr& expr) {
  if (!Calls(expr, "tir.tvm_stack_make_shape")) return "NULL";
  const auto* call = expr.as<tir::CallNode>();
  if (call->args.empty()) return "NULL";
  const std::vector<CExpr> values = scalars().EmitAll({call->args.begin(), call->args.end()});
  std::string text;
  for (const CExpr& value : values) text += (text.empty() ? "" : ", ") + value.code;
  const std::string array = names_.Take(name);
  writer_->Line("int64_t " + array + "[] = {" + text + "};");
  return array;
}

/*! \brief Add lines that make a tensor in a slot of outputs; returns the address of its elements.
 */
CExpr CallEmitter::AllocateOutput(const tir::CallNode* op) {
  const auto* slot = op->args[0].as<tir::VarNode>();
  if (slot == nullptr) return Refuse(op, "the slot of an output is a parameter");
  const DLDataType dtype = op->args[1]->dtype;
  const std::vector<CExpr> extents = scalars().EmitAll({op->args.begin() + 2, op->args.end()});
  std::string text;
  for (const CExpr& extent : extents) text += (text.empty() ? "" : ", ") + extent.code;
  const std::string shape = names_.Take("shape");
  writer_->Line("int64_t " + shape + "[] = {" + text + "};");
  // The indices of its elements may be as wide as its dimensions.
  const auto is_narrow = [](const ir::PrimExpr& extent) {
    return extent.as<ir::IntImmNode>() == nullptr && extent->dtype.bits < 64;
  };
  const auto narrow = std::find_if(op->args.begin() + 2, op->args.end(), is_narrow);
  if (narrow != op->args.end()) {
    const std::string check = context_->prelude()->Use("check_count");
    const std::string most = IntLiteral(ir::MaxValue((*narrow)->dtype), (*narrow)->dtype);
    statements().EmitFailure(
        check + "(" + ShownName() + ", " + NameLiteral(std::string(slot->name)) + ", " +
            std::to_string(extents.size()) + ", " + shape + ", " + most + ") != 0",
        "-1");
  }
  const std::string tensor = "(TVMFFIAny*)" + scalars().Emit(op->args[0]).code;
  const std::string allocate = context_->prelude()->Use("new_tensor");
  statements().EmitFailure(allocate + "(" + DTypeLiteral(dtype) + ", " +
                               std::to_string(extents.size()) + ", " + shape + ", " + tensor +
                               ") != 0",
                           "-1");
  return {context_->prelude()->Use("data_of") + "(" + tensor + ")"};
}

/*! \brief Add lines that make a tensor of a buffer, which ends with the block; returns its name. */
std::string CallEmitter::EmitTensor(const tir::CallNode* op) {
  const auto* ndim = op->args.size() == 6 ? op->args[3].as<ir::IntImmNode>() : nullptr;
  if (ndim == nullptr) {
    return Refuse(op,
                  "a tensor has data, shape, strides, a number of dimensions, a number of its "
                  "data type and an offset")
        .code;
  }
  const DLDataType dtype = op->args[4]->dtype;
  const CExpr data = scalars().Emit(op->args[0]);
  const CExpr offset = scalars().EmitExact(op->args[5]);
  const std::string shape = TensorNumbers("shape", op->args[1]);
  const std::string strides = TensorNumbers("strides", op->args[2]);
  const std::string bytes = offset.code == "0"
                                ? "0"
                                : "(uint64_t)" + Operand(offset, Binding::kUnary) + " * " +
                                      std::to_string(int64_t{BytesOf(dtype)} * ir::LanesOf(dtype));
  const std::string name = names_.Take("tensor");
  context_->prelude()->Use("tvm_ffi");
  writer_->Line("DLTensor " + name + " = {(void*)" + Operand(data, Binding::kUnary) + ", {1, 0}, " +
                std::to_string(ndim->value) + ", " + DTypeLiteral(dtype) + ", " + shape + ", " +
                strides + ", " + bytes + "};");
  return name;
}

/*! \brief An argument in the form of tvm-ffi. */
std::string CallEmitter::EmitBoxed(const ir::PrimExpr& arg) {
  const auto boxed = [](const char* kind, const std::string& member, const std::string& value) {
    return std::string("(TVMFFIAny){") + kind + ", 0, {." + member + " = " + value + "}}";
  };
  if (arg.as<ir::StringImmNode>() != nullptr) {
    return boxed("kText", "v_ptr", "(void*)" + scalars().Emit(arg).code);
  }
  if (Calls(arg, "tir.tvm_stack_make_array")) {
    return boxed("kDLTensor", "v_ptr", "&" + EmitTensor(arg.as<tir::CallNode>()));
  }
  const DLDataType dtype = arg->dtype;
  if (!ir::IsScalar(dtype) || IsBFloat16(dtype)) {
    Refuse(arg.get(),
           "an argument of a global function is a number, a boolean, a text, a "
           "reference or a tensor, got a `" +
               std::string(ffi::DLDataTypeToString(dtype)) + "`");
    return "(TVMFFIAny){0}";
  }
  const CExpr value = scalars().EmitExact(arg);
  if (ir::IsHandle(dtype)) {
    const bool is_object = tir::object_type_of(arg).has_value();
    const char* helper = is_object ? "box_object" : "box_pointer";
    return context_->prelude()->Use(helper) + "(" + value.code + ")";
  }
  if (ir::IsFloat(dtype)) return boxed("kFloat", "v_float64", value.code);
  return boxed(ir::IsBool(dtype) ? "kBool" : "kInt", "v_int64", Converted("int64_t", value));
}

/*! \brief Take the result of a global function. */
CExpr CallEmitter::Unboxed(const tir::CallNode* op, const std::string& shown,
                           const std::string& answer) {
  const DLDataType dtype = op->dtype;
  if (op == state_.discarded || dtype == ir::kVoid) {
    writer_->Line(context_->prelude()->Use("drop_result") + "(&" + answer + ");");
    return {"0"};
  }
  if (!ir::IsScalar(dtype) || IsHalf(dtype) || IsBFloat16(dtype)) {
    return Refuse(op,
                  "a global function returns a number of 32 or 64 bits, an integer, a boolean "
                  "or a pointer");
  }
  const Boxed boxed = BoxedAs(dtype);
  statements().EmitFailure(context_->prelude()->Use("check_result") + "(" + shown + ", " +
                               boxed.kind + ", &" + answer + ") != 0",
                           "-1");
  const CExpr value = {answer + "." + boxed.member};
  if (ir::IsHandle(dtype)) return value;
  return {Converted(TypeOf(op, dtype), value), Binding::kUnary};
}

CExpr CallEmitter::CallPacked(const tir::CallNode* op) {
  const auto* name = op->args.empty() ? nullptr : op->args[0].as<ir::StringImmNode>();
  if (name == nullptr) return Refuse(op, "the first argument must be the name of a function");
  const std::string shown = StringLiteral(std::string(name->value));
  const std::string function = context_->UsePacked(std::string(name->value));
  const std::string call = context_->prelude()->Use("call_packed");
  const std::string count = std::to_string(op->args.size() - 1);
  std::string args = "NULL";
  if (op->args.size() > 1) {
    args = names_.Take("packed");
    writer_->Line("TVMFFIAny " + args + "[" + count + "];");
  }
  for (size_t i = 1; i < op->args.size(); ++i) {
    const std::string value = EmitBoxed(op->args[static_cast<int64_t>(i)]);
    writer_->Line(args + "[" + std::to_string(i - 1) + "] = " + value + ";");
  }
  const std::string answer = names_.Take("answer");
  writer_->Line("TVMFFIAny " + answer + " = {kNone};");
  statements().EmitFailure(
      call + "(&" + function + ", " + args + ", " + count + ", &" + answer + ") != 0", "-1");
  return Unboxed(op, shown, answer);
}

}  // namespace uir::target
