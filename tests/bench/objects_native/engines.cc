// Each engine beside tvm-ffi's, in turns in one process: what objects.py calls.
#include <tschema/binary.h>
#include <tschema/copy.h>
#include <tschema/json.h>
#include <tschema/map.h>
#include <tschema/repr.h>
#include <tschema/structural_equal.h>
#include <tschema/structural_hash.h>
#include <tschema/tvm_ffi_compat.h>
#include <tschema/walk.h>
#include <tvm/ffi/extra/json.h>
#include <tvm/ffi/extra/serialization.h>
#include <tvm/ffi/extra/structural_equal.h>
#include <tvm/ffi/extra/structural_hash.h>
#if TSCHEMA_FFI_HAS_MUTATE
#include <tvm/ffi/extra/structural_mutate.h>
#endif
#if TSCHEMA_FFI_HAS_VISIT
#include <tvm/ffi/extra/structural_visit.h>
#endif

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "./trees.h"

namespace bench {
namespace {

using Step = std::function<void()>;
using Clock = std::chrono::steady_clock;

/*! \brief One engine on one tree: what is timed, and what comes before, untimed. */
struct Case {
  Step ours;
  Step peer;
  Step prepare_ours = [] {};
  Step prepare_peer = [] {};
};

/*! \brief Keeps the compiler from leaving out what computes a value. */
template <typename T>
void Keep(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

void Expect(bool holds, const char* what) {
  if (!holds) TVM_FFI_THROW(RuntimeError) << "benchmark: " << what;
}

template <typename Text>
std::string_view View(const Text& text) {
  return {text.data(), text.size()};
}

/*! \brief The inputs of all cases of one size. */
struct Input {
  uir::ir::PrimExpr tree;
  uir::ir::PrimExpr copy;
  Expr reflected;
  ffi::String json;
  ffi::Bytes binary;
  int depth;
  bool shuffled;

  Input(int depth, bool shuffled)
      : tree(MakeTree<Ours>(depth, shuffled)),
        copy(MakeTree<Ours>(depth, shuffled)),
        reflected(MakeTree<Reflected>(depth, shuffled)),
        json(tschema::SaveJSON(tree)),
        binary(tschema::SaveBinary(tree)),
        depth(depth),
        shuffled(shuffled) {}
};

ffi::String SavePeer(const ffi::Any& value) {
  return ffi::json::Stringify(ffi::ToJSONGraph(value));
}

ffi::Any LoadPeer(const ffi::String& text) { return ffi::FromJSONGraph(ffi::json::Parse(text)); }

/*! \brief Whether the release has the engine: the walk came with 0.1.13, the map with 0.1.14. */
bool HasPeer(const ffi::String& engine) {
  const std::string_view name = View(engine);
  if (name.substr(0, 4) == "walk") return TSCHEMA_FFI_HAS_VISIT != 0;
  return name.substr(0, 3) != "map" || TSCHEMA_FFI_HAS_MUTATE != 0;
}

template <typename Root>
int64_t CountPeer([[maybe_unused]] const Root& root) {
  int64_t count = 0;
#if TSCHEMA_FFI_HAS_VISIT
  ffi::StructuralWalk<ffi::WalkOrder::kPreOrder>(
      root, [&count](const ffi::ObjectRef&) -> ffi::Expected<ffi::WalkResult> {
        ++count;
        return ffi::WalkResult::Advance();
      });
#endif
  return count;
}

template <typename Root>
Root MapPeer(const Root& root) {
#if TSCHEMA_FFI_HAS_MUTATE
  ffi::Any result = ffi::StructuralMap<ffi::WalkOrder::kPostOrder>(
      root, [](const ffi::Function& function) -> ffi::Expected<ffi::Any> { return function; });
  return result.cast<Root>();
#else
  return root;
#endif
}

int64_t CountOurs(const uir::ir::PrimExpr& root) {
  int64_t count = 0;
  tschema::Walk(root, [&count](const ffi::Object*) { ++count; });
  return count;
}

Case WalkCase(const Input& input, bool hooked) {
  Step ours = [&input] { Keep(CountOurs(input.tree)); };
  if (hooked) return {ours, [&input] { Keep(CountPeer(input.tree)); }};
  return {ours, [&input] { Keep(CountPeer(input.reflected)); }};
}

Case MapCase(const Input& input) {
  auto ours = [&input] {
    auto result = tschema::Map(
        input.tree, [](const uir::tir::SubNode*) { return std::optional<uir::ir::PrimExpr>(); });
    Expect(result.same_as(input.tree), "nothing was to change");
  };
  auto peer = [&input] {
    Expect(MapPeer(input.reflected).same_as(input.reflected), "nothing was to change");
  };
  return {ours, peer};
}

Case DestroyCase(const Input& input) {
  auto ours = std::make_shared<std::optional<uir::ir::PrimExpr>>();
  auto peer = std::make_shared<std::optional<Expr>>();
  return {[ours] { ours->reset(); }, [peer] { peer->reset(); },
          [ours, &input] { ours->emplace(MakeTree<Ours>(input.depth, input.shuffled)); },
          [peer, &input] { peer->emplace(MakeTree<Reflected>(input.depth, input.shuffled)); }};
}

Case MakeCase(const std::string& name, const Input& input) {
  static const ffi::Function peer_copy = ffi::Function::GetGlobalRequired("ffi.DeepCopy");
  const Input* in = &input;
  if (name == "equal") {
    return {[in] { Expect(tschema::StructuralEqual(in->tree, in->copy), "equal"); },
            [in] { Expect(ffi::StructuralEqual()(in->tree, in->copy), "equal"); }};
  }
  if (name == "hash") {
    return {[in] { Keep(tschema::StructuralHash(in->tree)); },
            [in] { Keep(ffi::StructuralHash()(in->tree)); }};
  }
  if (name == "json.save") {
    return {[in] { Keep(tschema::SaveJSON(in->tree)); }, [in] { Keep(SavePeer(in->tree)); }};
  }
  if (name == "json.load") {
    return {[in] { Keep(tschema::LoadJSON(View(in->json))); }, [in] { Keep(LoadPeer(in->json)); }};
  }
  if (name == "binary.save") {
    return {[in] { Keep(tschema::SaveBinary(in->tree)); }, [in] { Keep(SavePeer(in->tree)); }};
  }
  if (name == "binary.load") {
    return {[in] { Keep(tschema::LoadBinary(View(in->binary))); },
            [in] { Keep(LoadPeer(in->json)); }};
  }
  if (name == "walk.cpp") return WalkCase(input, /*hooked=*/false);
  if (name == "walk.hooks") return WalkCase(input, /*hooked=*/true);
  if (name == "map.cpp") return MapCase(input);
  if (name == "deepcopy") {
    return {[in] { Keep(tschema::DeepCopy(in->tree)); }, [in] { Keep(peer_copy(in->reflected)); }};
  }
  if (name == "destroy") return DestroyCase(input);
  TVM_FFI_THROW(ValueError) << "there is no case `" << name << "`";
  TVM_FFI_UNREACHABLE();
}

double Seconds(const Step& prepare, const Step& step) {
  prepare();
  Clock::time_point start = Clock::now();
  step();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

const Input& InputOf(int64_t depth, bool shuffled) {
  static std::map<std::pair<int64_t, bool>, Input> inputs;
  return inputs.try_emplace({depth, shuffled}, static_cast<int>(depth), shuffled).first->second;
}

/*! \return Nanoseconds a node, ours and the peer's: medians of rounds taken in turns. */
ffi::Array<double> Time(const ffi::String& name, int64_t depth, bool shuffled, int64_t rounds) {
  const Input& input = InputOf(depth, shuffled);
  Case one = MakeCase(name, input);
  std::vector<double> ours, peer;
  for (int64_t round = 0; round <= rounds; ++round) {
    double our_time = Seconds(one.prepare_ours, one.ours);
    double peer_time = Seconds(one.prepare_peer, one.peer);
    if (round == 0) continue;  // The first one warms up.
    ours.push_back(our_time);
    peer.push_back(peer_time);
  }
  double per_node = 1e9 / static_cast<double>((int64_t{2} << depth) - 1);
  return {Median(ours) * per_node, Median(peer) * per_node};
}

/*! \return Bytes a node in the binary form, and in tvm-ffi's JSON. */
ffi::Array<double> Size(int64_t depth) {
  const Input& input = InputOf(depth, false);
  double nodes = static_cast<double>((int64_t{2} << depth) - 1);
  return {static_cast<double>(input.binary.size()) / nodes,
          static_cast<double>(SavePeer(input.tree).size()) / nodes};
}

/*! \brief Run an engine on a chain; it returns if it passes. */
void Deep(const ffi::String& engine, int64_t depth) {
  uir::ir::PrimExpr chain = MakeChain(depth);
  if (engine == "equal") Expect(tschema::StructuralEqual(chain, MakeChain(depth)), "equal");
  if (engine == "hash") Keep(tschema::StructuralHash(chain));
  if (engine == "json") {
    ffi::String text = tschema::SaveJSON(chain);
    Expect(tschema::StructuralEqual(tschema::LoadJSON(View(text)), chain), "equal");
  }
  if (engine == "binary") {
    ffi::Bytes bytes = tschema::SaveBinary(chain);
    Expect(tschema::StructuralEqual(tschema::LoadBinary(View(bytes)), chain), "equal");
  }
  // The constant is shared: a walk comes to it once.
  if (engine == "walk") Expect(CountOurs(chain) == depth + 1, "every node is counted");
  if (engine == "map") {
    tschema::Map(chain, [](const uir::ir::IntImmNode*) -> uir::ir::PrimExpr {
      return uir::ir::IntImm(kInt32, 2);
    });
  }
  if (engine == "deepcopy") Keep(tschema::DeepCopy(chain));
  if (engine == "repr") Keep(tschema::Repr(chain));
}

/*! \brief The same with tvm-ffi's engine, which ends the process where its stack does. */
void DeepPeer(const ffi::String& engine, int64_t depth) {
  static const ffi::Function repr = ffi::Function::GetGlobalRequired("ffi.ReprPrint");
  static const ffi::Function copy = ffi::Function::GetGlobalRequired("ffi.DeepCopy");
  Expr chain = MakeReflectedChain(depth);
  Expr other = MakeReflectedChain(depth);
  if (engine == "equal") Expect(ffi::StructuralEqual()(chain, other), "equal");
  if (engine == "hash") Keep(ffi::StructuralHash()(chain));
  if (engine == "json" || engine == "binary") Keep(ffi::FromJSONGraph(ffi::ToJSONGraph(chain)));
  if (engine == "walk") Expect(CountPeer(chain) == 2 * depth + 1, "every path is counted");
  if (engine == "map") Keep(MapPeer(chain));
  if (engine == "deepcopy") Keep(copy(chain));
  if (engine == "repr") Keep(repr(chain));
}

TVM_FFI_STATIC_INIT_BLOCK() {
  RegisterPeer();
  refl::GlobalDef()
      .def("bench.has_peer", HasPeer)
      .def("bench.time", Time)
      .def("bench.size", Size)
      .def("bench.deep", Deep)
      .def("bench.deep_peer", DeepPeer);
}

}  // namespace
}  // namespace bench
