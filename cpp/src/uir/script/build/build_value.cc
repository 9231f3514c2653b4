// Values: names, literals, containers, and their conversion to expected types.
#include <tschema/release.h>
#include <tschema/stack_guard.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/dtype.h>
#include <uir/ir/dtype.h>
#include <uir/tir/buffer.h>
#include <uir/tir/object_access.h>

#include <charconv>
#include <cstdlib>
#include <string>

#include "../print/names.h"
#include "../print/type_fields.h"
#include "../syntax/device.h"
#include "./builder_state.h"
#include "./fold.h"

namespace uir::script {

namespace {

using Kind = tschema::TypeExpr::Kind;

std::string Digits(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (c != '_') digits.push_back(c);
  }
  return digits;
}

/*! \brief An integer literal with its sign, which belongs to it at the end of the range. */
int64_t ReadIntLiteral(Builder* builder, const SyntaxNode* node, bool is_negative) {
  const std::string digits = Digits(node->text);
  const bool is_hex = digits.size() > 2 && (digits[1] == 'x' || digits[1] == 'X');
  const std::string text = (is_negative ? "-" : "") + digits.substr(is_hex ? 2 : 0);
  int64_t value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, is_hex ? 16 : 10);
  if (error == std::errc::result_out_of_range) {
    builder->Fail(node, "the integer does not fit 64 bits");
  }
  if (error != std::errc() || end != text.data() + text.size()) {
    builder->Fail(node, "malformed number `" + std::string(node->text) + "`");
  }
  return value;
}

double ReadFloatLiteral(const SyntaxNode* node) {
  return std::strtod(Digits(node->text).c_str(), nullptr);
}

ffi::Any ReadSequence(Builder* builder, const SyntaxNode* node, const tschema::TypeExpr* expected) {
  std::vector<ffi::Any> elements;
  node = Spread(builder, node);
  for (uint32_t i = 0; i < node->size; ++i) {
    elements.push_back(builder->Value((*node)[i], ElementType(expected, i)));
  }
  if (expected != nullptr && expected->kind == Kind::kList) {
    return tschema::DestroyedIteratively(ffi::List<ffi::Any>(elements.begin(), elements.end()));
  }
  return tschema::DestroyedIteratively(ffi::Array<ffi::Any>(elements.begin(), elements.end()));
}

ffi::Any ReadMapping(Builder* builder, const SyntaxNode* node, const tschema::TypeExpr* expected) {
  ffi::Map<ffi::Any, ffi::Any> map;
  for (uint32_t i = 0; i < node->size; i += 2) {
    ffi::Any key = builder->Value((*node)[i], ArgumentType(expected, 0));
    map.Set(std::move(key), builder->Value((*node)[i + 1], ArgumentType(expected, 1)));
  }
  if (expected == nullptr || expected->kind != Kind::kDict) {
    return tschema::DestroyedIteratively(std::move(map));
  }
  ffi::Dict<ffi::Any, ffi::Any> dict;
  for (const auto& [key, value] : map) dict.Set(key, value);
  return tschema::DestroyedIteratively(std::move(dict));
}

ffi::Any ReadString(Builder* builder, const SyntaxNode* node, const tschema::TypeExpr* expected) {
  const ffi::String text(node->text.data(), node->text.size());
  const Kind kind = expected == nullptr ? Kind::kAny : expected->kind;
  if (kind == Kind::kDataType) return builder->DType(node);
  if (kind == Kind::kDevice) {
    const std::optional<DLDevice> device = DeviceOf({text.data(), text.size()});
    if (!device) builder->Fail(node, "no device `" + std::string(text) + "`");
    return *device;
  }
  if (TakesExpr(expected)) return builder->Spanned(ir::StringImm(text), node);
  return text;
}

ffi::Any ReadName(Builder* builder, const SyntaxNode* node);

/*! \brief The text of a number or a string in `f"{name}"`. */
std::string ShowPart(Builder* builder, const SyntaxNode* node, const ffi::Any& value) {
  if (const auto text = value.as<ffi::String>()) return std::string(*text);
  if (value.type_index() == kTVMFFIBool) return value.cast<bool>() ? "True" : "False";
  if (value.type_index() == kTVMFFIInt) return std::to_string(value.cast<int64_t>());
  if (const auto* number = value.as<ir::IntImmNode>()) return std::to_string(number->value);
  if (value.type_index() == kTVMFFIDataType) {
    return std::string(ffi::DLDataTypeToString(value.cast<DLDataType>()));
  }
  builder->Fail(node, "expected a name of an integer or a string between `{` and `}`");
}

/*! \brief `f"float{bits}"`, with names of integers and strings between `{` and `}`. */
ffi::Any ReadFormatted(Builder* builder, const SyntaxNode* node) {
  std::string result;
  std::string_view rest = node->text;
  while (true) {
    const size_t open = rest.find_first_of("{}");
    result += rest.substr(0, open);
    if (open == rest.npos) return ffi::String(result);
    const bool is_doubled = open + 1 < rest.size() && rest[open + 1] == rest[open];
    if (is_doubled) {
      result += rest[open];
      rest.remove_prefix(open + 2);
      continue;
    }
    const size_t close = rest.find('}', open);
    if (close == rest.npos || close == open) builder->Fail(node, "a brace is not closed");
    const SyntaxNode name{
        Syntax::kName, 0, node->begin, node->end, rest.substr(open + 1, close - open - 1), nullptr};
    const std::string part = ShowPart(builder, node, ReadName(builder, &name));
    CountExpanded(builder, node, part.size());
    result += part;
    rest.remove_prefix(close + 1);
  }
}

/*! \brief The value of a name that refers to the only element of a buffer. */
ir::PrimExpr ElementOf(Builder* builder, const SyntaxNode* node, const tir::Buffer& buffer) {
  return builder->Spanned(tir::BufferLoad(buffer, {MakeInt(0, kNoType)}), node);
}

/*! \brief The value of a name that the text, or else its surroundings, defines. */
ffi::Any ReadName(Builder* builder, const SyntaxNode* node) {
  BuilderState& state = builder->state();
  if (const Meaning* known = state.Find(node->text)) {
    if (known->is_poisoned) throw Failure{node->begin, node->end, "", "", true};
    if (known->is_element) return ElementOf(builder, node, known->value.cast<tir::Buffer>());
    return known->value;
  }
  if (state.resolve.has_value()) {
    ffi::Any value = state.resolve.value()(ffi::String(std::string(node->text)));
    if (value != nullptr) return value;
  }
  builder->FailUnknown(node, node->text);
}

/*! \brief The offset of a buffer; by default, the buffer of a region begins at the region. */
ffi::Any OffsetOf(Builder* builder, const tir::Buffer& buffer) {
  const auto& regions = builder->state().region_offsets;
  const auto found = regions.find(buffer.get());
  if (found != regions.end()) return found->second;
  return buffer->elem_offset.value_or(MakeInt(0, ir::IntType(32)));
}

/*! \brief A function of the module that is being parsed. */
ffi::Any ReadModuleMember(Builder* builder, const SyntaxNode* node) {
  const auto& functions = builder->state().functions;
  const auto found = functions.find(node->text);
  if (found != functions.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [name, var] : functions) names.emplace_back(name);
  builder->Fail(node, "the module has no function `" + std::string(node->text) + "`",
                Suggestion(node->text, names));
}

ffi::Any ReadMember(Builder* builder, const SyntaxNode* node, const ffi::Any& object) {
  const std::optional<tir::Buffer> buffer = object.as<tir::Buffer>();
  if (buffer && node->text == "data") return (*buffer)->data;
  if (buffer && node->text == "shape") return (*buffer)->shape;
  if (buffer && node->text == "strides") return StridesOf(*buffer);
  if (buffer && node->text == "elem_offset") return OffsetOf(builder, *buffer);
  if (buffer && node->text == "name") return (*buffer)->name;
  if (buffer && node->text == "dtype") return (*buffer)->dtype;
  if (const auto expr = object.as<ir::PrimExpr>(); expr && node->text == "dtype")
    return (*expr)->dtype;
  if (const auto expr = object.as<ir::PrimExpr>(); expr && tir::object_type_of(*expr).has_value()) {
    return builder->At(node, [&] {
      return builder->Spanned(tir::get_field(*expr, std::string(node->text)), node);
    });
  }
  const SyntaxNode* value = (*node)[0];
  const bool is_hidden = value->kind == Syntax::kName && IsReserved(value->text);
  if (!buffer && !is_hidden) {
    builder->Fail(node, "`" + object.GetTypeKey() + "` has no attributes here");
  }
  builder->Fail(node,
                "a " + std::string(buffer ? "buffer" : "variable") + " has no attribute `" +
                    std::string(node->text) + "`",
                is_hidden ? "the name `" + std::string(value->text) + "` hides the package here"
                          : "there are `data`, `shape`, `strides`, `elem_offset`, `dtype`, "
                            "`access_ptr`, `vload` and `vstore`");
}

/*! \brief The value of a dotted name that the text does not define. */
ffi::Any ReadPath(Builder* builder, const SyntaxNode* node, std::string_view path) {
  BuilderState& state = builder->state();
  if (state.resolve.has_value()) {
    ffi::Any known = state.resolve.value()(ffi::String(std::string(path)));
    if (known != nullptr) return known;
  }
  builder->FailUnknown(node, path);
}

ffi::Any ReadAttribute(Builder* builder, const SyntaxNode* node) {
  const std::string_view path = builder->Path(node);
  if (!path.empty()) return ReadPath(builder, node, path);
  std::vector<const SyntaxNode*> members;
  const SyntaxNode* root = node;
  for (; root->kind == Syntax::kAttribute; root = (*root)[0]) members.push_back(root);
  const BuilderState& state = builder->state();
  const bool is_module = root->kind == Syntax::kName && root->text == state.module_name &&
                         state.Find(root->text) == nullptr;
  ffi::Any value = is_module ? ReadModuleMember(builder, members.back()) : builder->Value(root);
  if (is_module) members.pop_back();
  for (; !members.empty(); members.pop_back()) {
    value = ReadMember(builder, members.back(), value);
  }
  return value;
}

ffi::Any ReadSubscript(Builder* builder, const SyntaxNode* node,
                       const tschema::TypeExpr* expected) {
  if (IsMetadata(node)) return BuildMetadata(builder, node);
  if (expected != nullptr && expected->type_index == tir::BufferRegionNode::RuntimeTypeIndex()) {
    return builder->Region(node);
  }
  const ffi::Any value = BuildSubscript(builder, node);
  return TakesExpr(expected) ? builder->ToExpr(value, node) : value;
}

/*! \brief The value of a literal or a name; none for other nodes. */
std::optional<ffi::Any> ReadPlain(Builder* builder, const SyntaxNode* node) {
  switch (node->kind) {
    case Syntax::kNone:
      return ffi::Any(nullptr);
    case Syntax::kTrue:
    case Syntax::kFalse:
      return ffi::Any(node->kind == Syntax::kTrue);
    case Syntax::kInt:
      return ffi::Any(ReadIntLiteral(builder, node, false));
    case Syntax::kFloat:
      return ffi::Any(ReadFloatLiteral(node));
    case Syntax::kBytes:
      return ffi::Any(ffi::Bytes(node->text.data(), node->text.size()));
    case Syntax::kName:
      return ReadName(builder, node);
    case Syntax::kAttribute:
      return ReadAttribute(builder, node);
    case Syntax::kUnary: {
      const SyntaxNode* operand = (*node)[0];
      if (node->text != "-") return std::nullopt;
      if (operand->kind == Syntax::kInt) return ffi::Any(ReadIntLiteral(builder, operand, true));
      if (operand->kind == Syntax::kFloat) return ffi::Any(-ReadFloatLiteral(operand));
      return std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

ffi::Any Builder::Value(const SyntaxNode* node, const tschema::TypeExpr* expected) {
  if (!tschema::EnoughStack()) {
    return tschema::RunOnNewStack([&] { return Value(node, expected); });
  }
  if (expected != nullptr && expected->kind == Kind::kOptional) expected = &expected->arguments[0];
  switch (node->kind) {
    case Syntax::kFormatted:
      return ReadFormatted(this, node);
    case Syntax::kKnown:
      return state_->spread.values.at(node);
    case Syntax::kStarred:
      Fail(node, "`*` cannot stand here");
    case Syntax::kString:
      return ReadString(this, node, expected);
    case Syntax::kCall:
      return BuildCall(this, node, expected);
    case Syntax::kSubscript:
      return ReadSubscript(this, node, expected);
    case Syntax::kTuple:
    case Syntax::kList:
      return ReadSequence(this, node, expected);
    case Syntax::kDict:
      return ReadMapping(this, node, expected);
    default:
      break;
  }
  std::optional<ffi::Any> value = ReadPlain(this, node);
  if (!value.has_value()) {
    const bool is_operation = node->kind == Syntax::kBinary || node->kind == Syntax::kUnary ||
                              node->kind == Syntax::kConditional;
    value = is_operation ? BuildOperation(this, node) : Expr(node);
  }
  const int32_t index = value->type_index();
  const bool is_plain =
      (index < kTVMFFIStaticObjectBegin || index == kTVMFFIStr) && index != kTVMFFINone;
  if (is_plain && TakesExpr(expected)) return ToExpr(*value, node);
  return *std::move(value);
}

ffi::String Builder::String(const SyntaxNode* node) {
  const ffi::Any value = Value(node);
  if (std::optional<ffi::String> text = value.as<ffi::String>()) return *text;
  Fail(node, "expected a string");
}

int64_t Builder::Int(const SyntaxNode* node) {
  const ffi::Any value = Value(node);
  if (value.type_index() == kTVMFFIInt) return value.cast<int64_t>();
  Fail(node, "expected an integer");
}

bool Builder::Bool(const SyntaxNode* node) {
  const ffi::Any value = Value(node);
  if (value.type_index() == kTVMFFIBool) return value.cast<bool>();
  Fail(node, "expected `True` or `False`");
}

/*! \brief `tir.handle("int64").ty`, the type of an address. */
static bool IsPointerType(Builder* builder, const SyntaxNode* node) {
  const bool is_type = node->kind == Syntax::kAttribute && node->text == "ty";
  const SyntaxNode* call = is_type ? (*node)[0] : node;
  return call->kind == Syntax::kCall && builder->Path((*call)[0]) == "tir.handle";
}

DLDataType Builder::DType(const SyntaxNode* node) {
  if (IsPointerType(this, node)) return ir::kHandle;
  std::string_view text = node->text;
  ffi::Any value;
  if (node->kind != Syntax::kString) {
    // `tir.int32`, or an expression whose value is a name.
    const bool is_path = node->kind == Syntax::kAttribute || node->kind == Syntax::kName;
    text = is_path ? Path(node) : std::string_view();
    if (text.substr(0, 4) == "tir.") {
      text.remove_prefix(4);
    } else {
      value = Value(node);
      if (value.type_index() == kTVMFFIDataType) return value.cast<DLDataType>();
      const std::optional<ffi::String> name = value.as<ffi::String>();
      if (!name) Fail(node, "expected a data type");
      const std::optional<DLDataType> dtype = ParseDType(Text(*name));
      if (dtype) return *dtype;
      Fail(node, "no data type `" + std::string(*name) + "`");
    }
  }
  if (const std::optional<DLDataType> dtype = ParseDType(text)) return *dtype;
  if (text.empty() && node->kind == Syntax::kString) return ir::kVoid;
  std::vector<std::string> names = {"int8",    "int16",   "int32",  "int64",   "uint8",
                                    "uint16",  "uint32",  "uint64", "float16", "bfloat16",
                                    "float32", "float64", "bool",   "handle",  "void"};
  Fail(node, "no data type `" + std::string(text) + "`", Suggestion(text, names));
}

ffi::Map<ffi::String, ffi::Any> Builder::Attrs(const SyntaxNode* node) {
  ffi::Map<ffi::String, ffi::Any> attrs;
  if (node->kind != Syntax::kDict) {
    const auto known = Value(node).as<ffi::Map<ffi::String, ffi::Any>>();
    if (!known) Fail(node, "expected attributes: `{\"name\": value}`");
    return *known;
  }
  for (uint32_t i = 0; i < node->size; i += 2) {
    attrs.Set(String((*node)[i]), Value((*node)[i + 1]));
  }
  return tschema::DestroyedIteratively(std::move(attrs));
}

std::string_view Builder::Path(const SyntaxNode* node) {
  const SyntaxNode* root = node;
  while (root->kind == Syntax::kAttribute) root = (*root)[0];
  if (root->kind != Syntax::kName || state_->Find(root->text) != nullptr) return {};
  if (root == node && state_->aliases.count(std::string(node->text)) == 0) return node->text;
  if (root != node && root->text == state_->module_name) return {};
  const auto [place, is_new] = state_->paths.try_emplace(node);
  if (is_new) {
    std::vector<std::string_view> parts;
    for (; node != root; node = (*node)[0]) parts.push_back(node->text);
    std::string path(root->text);
    for (; !parts.empty(); parts.pop_back()) path.append(".").append(parts.back());
    place->second = state_->WithoutAliases(std::move(path));
  }
  return place->second;
}

}  // namespace uir::script
