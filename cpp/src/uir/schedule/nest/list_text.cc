// Lists of primitives: printed, and read back one by one.
#include "./list_text.h"

#include <tvm/ffi/error.h>
#include <uir/ir/near_names.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <utility>

#include "./list_call.h"
#include "./list_check.h"

namespace uir::schedule::nest {

namespace {

const std::vector<std::pair<std::string, Tail>>& Tails() {
  static const std::vector<std::pair<std::string, Tail>> tails = {
      {"peel", Tail::kPeel}, {"powers", Tail::kPowers}, {"pad", Tail::kPad}, {"min", Tail::kMin}};
  return tails;
}

std::string InQuotes(const std::string& word) { return "\"" + word + "\""; }

/*! \brief A call with strings, of which an empty one is left out. */
std::string CallOf(const std::string& name, const std::vector<std::string>& words) {
  std::string text = name + "(";
  for (size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : ", ") + InQuotes(words[i]);
  return text + ")";
}

std::string PrintTile(const Nest& nest, const Loop& loop) {
  const std::string axis = nest.NameOf(loop.axis), step = std::to_string(loop.step);
  std::string text = "tile(" + InQuotes(axis) + ", " + step;
  if (loop.options.name != axis + ":" + step) text += ", " + InQuotes(loop.options.name);
  for (const auto& [word, tail] : Tails()) {
    const bool is_tail = tail == loop.options.tail && tail != Tail::kPeel;
    if (is_tail) text += ", tail=" + InQuotes(word);
  }
  if (loop.options.lanes != 1) text += ", lanes=" + std::to_string(loop.options.lanes);
  return text + ")";
}

std::string PrintIndex(const Nest& nest, const CacheIndex& index) {
  const std::string axis = nest.NameOf(index.axis), block = std::to_string(index.block);
  if (index.part == Part::kBlock) return axis + " // " + block;
  return index.part == Part::kWithin ? axis + " % " + block : axis;
}

std::string PrintCopy(const Nest& nest, const Copy& copy) {
  std::vector<std::string> words = {std::string(copy.operand->name), copy.at};
  for (const CacheIndex& index : copy.map) words.push_back(PrintIndex(nest, index));
  std::string text = CallOf("cache", words);
  if (copy.kind != tir::ForKind::kParallel) return text;
  text.pop_back();
  return text + ", parallel=True)";
}

template <typename Names>
[[noreturn]] void FailUnknown(const char* what, const std::string& name, const Names& known) {
  TVM_FFI_THROW(ValueError) << "there is no " << what << " `" << name << "`"
                            << ir::DidYouMean(name, known);
  TVM_FFI_UNREACHABLE();
}

/*! \brief The axis of a name. */
tir::Var AxisNamed(const Nest& nest, const std::string& name) {
  std::vector<std::string> known;
  for (const Axis& axis : nest.axes) {
    known.push_back(nest.NameOf(axis.var));
    if (known.back() == name) return axis.var;
  }
  FailUnknown("axis", name, known);
}

/*! \brief A name of a loop of a user. */
std::string Checked(const std::string& name) {
  const auto is_plain = [](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
           std::string("_.:#").find(letter) != std::string::npos;
  };
  if (!name.empty() && std::all_of(name.begin(), name.end(), is_plain)) return name;
  TVM_FFI_THROW(ValueError) << "a name has letters, digits and `_.:#`, got `" << name << "`";
  TVM_FFI_UNREACHABLE();
}

Tail TailNamed(const std::string& name) {
  std::vector<std::string> known;
  for (const auto& [word, tail] : Tails()) {
    known.push_back(word);
    if (word == name) return tail;
  }
  FailUnknown("tail", name, known);
}

Nest TileStep(const Nest& nest, Call* call) {
  const tir::Var axis = AxisNamed(nest, call->Word());
  const int64_t step = call->Number();
  TileOptions options;
  if (const auto name = call->MaybeWord("name")) options.name = Checked(*name);
  if (const auto tail = call->NamedWord("tail")) options.tail = TailNamed(*tail);
  options.lanes = call->NamedNumber("lanes").value_or(1);
  return nest.Tile(axis, step, std::move(options));
}

Nest FuseStep(const Nest& nest, Call* call) {
  const tir::Var fused(Checked(call->Word()), nest.axes[0].var->dtype);
  std::vector<tir::Var> of;
  for (const std::string& name : call->Words()) of.push_back(AxisNamed(nest, name));
  const AxisKind kind = of.empty() ? AxisKind::kData : nest.AxisOf(of[0]).kind;
  return nest.Fuse(of, fused, kind);
}

CacheIndex IndexNamed(const Nest& nest, const std::string& text) {
  const size_t space = text.find(' ');
  const tir::Var axis = AxisNamed(nest, text.substr(0, space));
  if (space == std::string::npos) return {axis};
  const std::string rest = text.substr(space + 1);
  const bool is_block = rest.rfind("// ", 0) == 0;
  const std::string size = rest.substr(std::min<size_t>(rest.size(), is_block ? 3 : 2));
  const bool is_number =
      !size.empty() && size.size() < 10 &&
      std::all_of(
          size.begin(), size.end(), [](unsigned char digit) { return std::isdigit(digit) != 0; });
  if ((!is_block && rest.rfind("% ", 0) != 0) || !is_number || std::stoll(size) == 0) {
    TVM_FFI_THROW(ValueError) << "an index of a copy is `axis`, `axis // 8` or `axis % 8`, got `"
                              << text << "`";
  }
  return {axis, is_block ? Part::kBlock : Part::kWithin, std::stoll(size)};
}

Nest CacheStep(const Nest& nest, Call* call) {
  const std::string name = call->Word(), at = call->Word();
  std::vector<CacheIndex> map;
  for (const std::string& text : call->Words()) map.push_back(IndexNamed(nest, text));
  const auto kind = call->NamedTruth("parallel") ? tir::ForKind::kParallel : tir::ForKind::kSerial;
  std::vector<std::string> known;
  for (const Operand& operand : nest.operands) {
    known.emplace_back(operand.var->name);
    if (known.back() == name) return nest.Cache(operand.var, at, std::move(map), kind);
  }
  FailUnknown("operand", name, known);
}

using Primitive = std::function<Nest(const Nest&, Call*)>;

/*! \brief The primitives that change loops; `registers` ends them. */
const std::map<std::string, Primitive>& LoopPrimitives() {
  static const std::map<std::string, Primitive> primitives = {
      {"fuse", FuseStep},
      {"tile", TileStep},
      {"reorder", [](const Nest& nest, Call* call) { return nest.Reorder(call->Words()); }},
      {"vectorize", [](const Nest& nest, Call* call) { return nest.Vectorize(call->Word()); }},
      {"registers", [](const Nest& nest, Call* call) { return nest.Registers(call->Word()); }},
  };
  return primitives;
}

const std::map<std::string, Primitive>& OtherPrimitives() {
  static const std::map<std::string, Primitive> primitives = {
      {"parallel", [](const Nest& nest, Call* call) { return nest.Parallel(call->Word()); }},
      {"unroll", [](const Nest& nest, Call* call) { return nest.Unroll(call->Word()); }},
      {"cache", CacheStep},
  };
  return primitives;
}

const Primitive& PrimitiveNamed(const Nest& nest, const std::string& name) {
  const auto other = OtherPrimitives().find(name);
  if (other != OtherPrimitives().end()) return other->second;
  const auto of_loops = LoopPrimitives().find(name);
  if (of_loops != LoopPrimitives().end()) {
    if (!nest.around_registers) return of_loops->second;
    TVM_FFI_THROW(ValueError) << "`" << name << "` comes before `registers`";
  }
  std::vector<std::string> known;
  for (const auto& [word, primitive] : LoopPrimitives()) known.push_back(word);
  for (const auto& [word, primitive] : OtherPrimitives()) known.push_back(word);
  FailUnknown("primitive", name, known);
}

}  // namespace

std::vector<std::string> PrintList(const Nest& nest) {
  std::vector<std::string> lines;
  for (const Fusion& fusion : nest.fusions) {
    std::vector<std::string> words = {fusion.fused};
    words.insert(words.end(), fusion.of.begin(), fusion.of.end());
    lines.push_back(CallOf("fuse", words));
  }
  for (const Loop& loop : nest.loops) lines.push_back(PrintTile(nest, loop));
  for (const Loop& loop : nest.loops) {
    const char* word = loop.kind == tir::ForKind::kParallel     ? "parallel"
                       : loop.kind == tir::ForKind::kUnrolled   ? "unroll"
                       : loop.kind == tir::ForKind::kVectorized ? "vectorize"
                                                                : nullptr;
    if (word != nullptr) lines.push_back(CallOf(word, {loop.options.name}));
  }
  for (const Copy& copy : nest.copies) lines.push_back(PrintCopy(nest, copy));
  if (nest.around_registers) {
    lines.push_back(CallOf("registers", {nest.loops[*nest.around_registers - 1].options.name}));
  }
  return lines;
}

Nest ApplyStep(const Nest& nest, const std::string& step) {
  Call call(step);
  Nest made = PrimitiveNamed(nest, call.name())(nest, &call);
  call.Finish();
  if (const std::optional<std::string> reason = WhyWrong(made)) {
    TVM_FFI_THROW(ValueError) << *reason;
  }
  return made;
}

}  // namespace uir::schedule::nest
