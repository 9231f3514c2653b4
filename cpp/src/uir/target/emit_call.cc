// Calls: of functions of the module, of functions of other libraries, and of intrinsics.
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/ir/function.h>
#include <uir/ir/op.h>
#include <uir/tir/op.h>

#include <string_view>
#include <unordered_map>
#include <utility>

#include "./c_types.h"
#include "./function_emitter.h"
#include "./intrinsics.h"

namespace uir::target {

CExpr FunctionEmitter::VisitCall(const tir::CallNode* op) {
  if (const auto* callee = op->op.as<ir::GlobalVarNode>()) return CallFunction(op, callee);
  const auto* named = op->op.as<ir::OpNode>();
  if (named == nullptr) return Refuse(op, "C has no way to call this");
  constexpr std::string_view kPrefix = "tir.";
  const std::string name(named->name);
  return CallIntrinsic(op, name.substr(name.rfind(kPrefix, 0) == 0 ? kPrefix.size() : 0));
}

/*! \brief Add a line for a call with an effect; its value is kept, unless it is discarded. */
CExpr FunctionEmitter::Effect(const tir::CallNode* op, const std::string& code) {
  NoteEffect();
  if (op == discarded_ || op->dtype == ir::kVoid) {
    writer_->Line(code + ";");
    return {"0"};
  }
  return {Keep("value", op->dtype, code)};
}

/*! \brief An argument of a function whose parameter has a type in C. */
std::string FunctionEmitter::Argument(const ir::PrimExpr& arg, const CExpr& text,
                                      const std::string& type) {
  if (!ir::IsHandle(arg->dtype)) return text.code;
  const DLDataType pointee = PointeeOf(arg);
  if (pointee == ir::kVoid || type == "void*" || type == "const void*") return text.code;
  const std::string own = context_->prelude()->TypeOf(pointee) + "*";
  return type == own || type == "const " + own ? text.code : Converted(type, text);
}

CExpr FunctionEmitter::CallFunction(const tir::CallNode* op, const ir::GlobalVarNode* callee) {
  const std::string shown = "`" + std::string(callee->name_hint) + "`";
  const Signature* signature = context_->CalleeOf(callee);
  if (signature == nullptr) return CallOther(op, callee);
  if (signature->num_sizes != 0) {
    return Refuse(op, "the sizes of the buffers of " + shown + " are known to its entry only");
  }
  if (signature->params.size() != op->args.size()) {
    return Refuse(op, shown + " takes " + std::to_string(signature->params.size()) +
                          " arguments, got " + std::to_string(op->args.size()));
  }
  const std::vector<ir::PrimExpr> args(op->args.begin(), op->args.end());
  const std::vector<CExpr> texts = EmitAll(args);
  std::string code;
  for (size_t i = 0; i < args.size(); ++i) {
    code += (i == 0 ? "" : ", ") + Argument(args[i], texts[i], signature->params[i].type);
  }
  std::string result;
  if (signature->result) {
    const std::string name = signature->name.substr(0, signature->name.size() - 1);
    result = names_.Take(name);
    writer_->Line(TypeOf(op, *signature->result) + " " + result + " = 0;");
    code += std::string(code.empty() ? "&" : ", &") + result;
  }
  EmitFailure(signature->name + "(" + code + ") != 0", "-1");
  return {signature->result ? result : "0"};
}

/*! \brief Call an external function by its symbol. */
CExpr FunctionEmitter::CallOther(const tir::CallNode* op, const ir::GlobalVarNode* callee) {
  const auto& functions = context_->module()->functions;
  const auto found = functions.find(ffi::GetRef<ir::GlobalVar>(callee));
  const std::string shown = "`" + std::string(callee->name_hint) + "`";
  if (found == functions.end()) return Refuse(op, "the module has no function " + shown);
  const auto* external = (*found).second.as<ir::ExternFuncNode>();
  if (external == nullptr) {
    return Refuse(op, shown + " is a function on tensors; run `LowerOps` before");
  }
  return CallNamed(op, std::string(external->global_symbol), 0);
}

CExpr FunctionEmitter::CallExtern(const tir::CallNode* op) {
  const auto* name = op->args.empty() ? nullptr : op->args[0].as<ir::StringImmNode>();
  if (name == nullptr) return Refuse(op, "the first argument must be the name of a function");
  return CallNamed(op, std::string(name->value), 1);
}

CExpr FunctionEmitter::CallNamed(const tir::CallNode* op, const std::string& name,
                                 size_t first_arg) {
  if (!IsIdentifier(name)) return Refuse(op, "`" + name + "` is not a name in C");
  const std::vector<ir::PrimExpr> args(op->args.begin() + static_cast<int64_t>(first_arg),
                                       op->args.end());
  const std::vector<CExpr> texts = EmitAll(args);
  std::string code;
  std::string types;
  for (size_t i = 0; i < args.size(); ++i) {
    const std::string comma = i == 0 ? "" : ", ";
    const bool is_string = args[i].as<ir::StringImmNode>() != nullptr;
    types += comma + (is_string ? "const char*" : TypeOf(op, args[i]->dtype));
    code += comma + texts[i].code;
  }
  const std::string result = op->dtype == ir::kVoid ? "void" : TypeOf(op, op->dtype);
  const std::string declaration =
      "extern " + result + " " + name + "(" + (types.empty() ? "void" : types) + ");";
  if (IsLibraryFunction(name)) {
    context_->prelude()->Include("<math.h>");
  } else if (!context_->DeclareExtern(name, declaration)) {
    return Refuse(op,
                  "function `" + name + "` is called with arguments or a result of other types");
  }
  code = name + "(" + code + ")";
  const auto* caller = op->op.as<ir::OpNode>();
  if (caller == nullptr || caller->name != "tir.call_pure_extern") return Effect(op, code);
  return {code};
}

CExpr FunctionEmitter::VisitStringImm(const ir::StringImmNode* op) {
  return {StringLiteral(std::string(op->value))};
}

CExpr FunctionEmitter::CallInfix(const tir::CallNode* op, const char* symbol, Binding binding) {
  std::vector<CExpr> texts = EmitTyped(op->args[0], op->args[1]);
  EqualizeMasks(&texts, op->dtype);
  if (binding == Binding::kShift && !texts[0].is_typed) {
    // A number that is shifted by a vector keeps the type of an element.
    texts[0] = {Converted(TypeOf(op, ir::ElementOf(op->dtype)), texts[0]), Binding::kUnary};
  }
  for (CExpr& text : texts) text = Exact(std::move(text), op->dtype);
  CExpr made = Infix(texts[0], symbol, texts[1], binding);
  made.mask_bits = texts[0].mask_bits;
  if (IsPromoted(op->dtype) && std::string_view(symbol) == "<<") made.is_wrapped = false;
  return made;
}

/*! \brief Call a function of numbers; of halves it takes and returns `float`. */
CExpr FunctionEmitter::CallMath(const std::string& function, DLDataType dtype,
                                const std::vector<CExpr>& args) {
  CExpr made;
  for (const CExpr& arg : args) {
    const std::string text = IsHalf(dtype) ? Converted("float", arg) : arg.code;
    made.code += (made.code.empty() ? "" : ", ") + text;
    made.reads_memory |= arg.reads_memory;
  }
  made.code = function + "(" + made.code + ")";
  return made;
}

/*! \brief Call a function of `<math.h>` that rounds to the type of its arguments. */
CExpr FunctionEmitter::CallLibrary(const std::string& function, DLDataType dtype,
                                   const std::vector<CExpr>& args) {
  context_->prelude()->Include("<math.h>");
  CExpr made = CallMath(function + (dtype.bits == 64 ? "" : "f"), dtype, args);
  return IsHalf(dtype) ? CExpr{"(_Float16)" + made.code, Binding::kUnary} : made;
}

/*! \brief Use a function of mathematics, which is emitted once; returns its name. */
std::string FunctionEmitter::UseMath(const MathFunction& math, int lanes) {
  Prelude* prelude = context_->prelude();
  std::string name = prelude->MathName(math.name, ir::FloatType(32, lanes));
  if (prelude->HasMath(name)) return name;
  const tir::PrimFunc func = MakeMathFunction(math, lanes);
  const Signature signature = MathSignature(math, func, name, prelude);
  prelude->AddMath(name, FunctionEmitter(context_, &signature).Run());
  return name;
}

/*! \brief Use a function that is not inlined, and calls the one that is; returns its name. */
std::string FunctionEmitter::UseMathOutOfLine(const MathFunction& math, int lanes) {
  Prelude* prelude = context_->prelude();
  const std::string inlined = UseMath(math, lanes);
  std::string name = "call_" + inlined;
  if (prelude->HasMath(name)) return name;
  const std::string type = prelude->TypeOf(ir::FloatType(32, lanes));
  std::string params;
  std::string args;
  for (const char* param = math.params; *param != '\0'; ++param) {
    params += (params.empty() ? "" : ", ") + type + " " + *param;
    args += (args.empty() ? "" : ", ") + std::string(1, *param);
  }
  const std::string head = "static " + prelude->Use("OUT_OF_LINE") + " " + type + " " + name;
  prelude->AddMath(name, head + "(" + params + ") {\n  return " + inlined + "(" + args + ");\n}\n");
  return name;
}

/*! \brief Call a function of float32, which halves are converted to. */
CExpr FunctionEmitter::CallMathFunction(const tir::CallNode* op, const MathFunction& math) {
  const DLDataType dtype = op->args[0]->dtype;
  const int lanes = ir::LanesOf(dtype);
  TypeOf(op, dtype);
  const DLDataType computed = ir::FloatType(32, lanes);
  const bool out_of_line = calls_math_out_of_line_ && lanes > 1;
  CExpr made = {(out_of_line ? UseMathOutOfLine(math, lanes) : UseMath(math, lanes)) + "("};
  const std::vector<CExpr> args = EmitAll({op->args.begin(), op->args.end()});
  for (size_t i = 0; i < args.size(); ++i) {
    const CExpr arg = IsHalf(dtype) ? ConvertFloat(args[i], computed) : args[i];
    made.code += (i == 0 ? "" : ", ") + arg.code;
    made.reads_memory |= arg.reads_memory;
  }
  made.code += ")";
  return IsHalf(dtype) ? ConvertFloat(made, dtype) : made;
}

CExpr FunctionEmitter::CallTable(const tir::CallNode* op, const Intrinsic& intrinsic) {
  if (intrinsic.kind == IntrinsicKind::kInfix) {
    return CallInfix(op, intrinsic.in_c, intrinsic.binding);
  }
  const DLDataType dtype = op->args[0]->dtype;
  if (IsBFloat16(dtype)) return RefuseBFloat16(op);
  const bool is_narrow = ir::IsFloat(dtype) && dtype.bits <= 32;
  const MathFunction* math = is_narrow ? FindMathFunction(intrinsic.name) : nullptr;
  if (math != nullptr) return CallMathFunction(op, *math);
  if (!ir::IsScalar(dtype)) return CallTableVector(op, intrinsic);
  TypeOf(op, dtype);
  const std::vector<CExpr> args = EmitAll({op->args.begin(), op->args.end()});
  switch (intrinsic.kind) {
    case IntrinsicKind::kLibrary:
      return CallLibrary(intrinsic.in_c, dtype, args);
    case IntrinsicKind::kPredicate: {
      context_->prelude()->Include("<math.h>");
      CExpr made = CallMath(intrinsic.in_c, dtype, args);
      // `isinf` returns the sign of an infinite number.
      if (std::string_view(intrinsic.in_c) == "isinf") {
        made = Infix(made, "!=", {"0"}, Binding::kEquality);
      }
      return made;
    }
    case IntrinsicKind::kFloatHelper: {
      const DLDataType computed = IsHalf(dtype) ? ir::FloatType(32) : dtype;
      CExpr made = CallMath(context_->prelude()->Use(intrinsic.in_c, computed), dtype, args);
      return IsHalf(dtype) ? CExpr{"(_Float16)" + made.code, Binding::kUnary} : made;
    }
    default:
      if (dtype.code == kDLUInt && std::string_view(intrinsic.name) == "abs") return args[0];
      return CallMath(context_->prelude()->Use(intrinsic.in_c, dtype), dtype, args);
  }
}

CExpr FunctionEmitter::CallIntrinsic(const tir::CallNode* op, std::string_view name) {
  using Method = CExpr (FunctionEmitter::*)(const tir::CallNode*);
  static const auto* const special = new std::unordered_map<std::string_view, Method>{
      {"access_ptr", &FunctionEmitter::AccessPtr},
      {"address_of", &FunctionEmitter::AddressOf},
      {"array_item", &FunctionEmitter::ArrayItem},
      {"array_size", &FunctionEmitter::ArraySize},
      {"as_object", &FunctionEmitter::AsObject},
      {"assume", &FunctionEmitter::Nothing},
      {"atomic_add", &FunctionEmitter::AtomicAdd},
      {"bitwise_not", &FunctionEmitter::BitwiseNot},
      {"call_extern", &FunctionEmitter::CallExtern},
      {"call_packed", &FunctionEmitter::CallPacked},
      {"call_pure_extern", &FunctionEmitter::CallExtern},
      {"constant_data", &FunctionEmitter::ConstantData},
      {"get_field", &FunctionEmitter::GetField},
      {"if_then_else", &FunctionEmitter::IfThenElse},
      {"is_object", &FunctionEmitter::IsObject},
      {"isnullptr", &FunctionEmitter::IsNull},
      {"likely", &FunctionEmitter::Likely},
      {"memory_barrier", &FunctionEmitter::MemoryBarrier},
      {"nonzero", &FunctionEmitter::Nonzero},
      {"object_field", &FunctionEmitter::ObjectField},
      {"parallel_for", &FunctionEmitter::ParallelFor},
      {"pow", &FunctionEmitter::Power},
      {"prefetch", &FunctionEmitter::Prefetch},
      {"reinterpret", &FunctionEmitter::Reinterpret},
      {"ret", &FunctionEmitter::Returned},
      {"vload", &FunctionEmitter::VLoad},
  };
  const auto method = special->find(name);
  return method != special->end() ? (this->*method->second)(op) : CallNumeric(op, name);
}

/*! \brief Call an operator on numbers that a table has. */
CExpr FunctionEmitter::CallNumeric(const tir::CallNode* op, std::string_view name) {
  const bool is_float = !op->args.empty() && ir::IsFloat(op->args[0]->dtype);
  const Intrinsic* intrinsic = FindIntrinsic(name, is_float);
  if (intrinsic != nullptr) return CallTable(op, *intrinsic);
  return Refuse(op, "C has nothing for operator `tir." + std::string(name) + "`");
}

}  // namespace uir::target
