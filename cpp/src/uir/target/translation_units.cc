// A long text as several translation units, which compile at the same time.
#include "./translation_units.h"

#include <tschema/sha256.h>
#include <tvm/ffi/error.h>
#include <uir/ir/symbol.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace uir::target {

namespace {

/*! \brief The length in bytes of the text of a unit beyond which a further unit pays. */
constexpr size_t kUnitLength = 40000;
/*! \brief With the first unit a power of two, so that two, four or eight cores end together. */
constexpr size_t kMaxUnits = 7;

constexpr std::string_view kStatic = "static ";

/*! \brief Functions that belong in one unit, since they call each other. */
struct Group {
  std::string text;
  std::vector<const EmittedFunction*> functions;
};

/*! \brief Disjoint sets of the functions of a text (R. Tarjan's union-find, with halving). */
class Sets {
 public:
  explicit Sets(size_t size) : parents_(size) { std::iota(parents_.begin(), parents_.end(), 0); }

  size_t Find(size_t one) {
    while (parents_[one] != one) one = parents_[one] = parents_[parents_[one]];
    return one;
  }
  void Unite(size_t one, size_t other) { parents_[Find(other)] = Find(one); }

 private:
  std::vector<size_t> parents_;
};

/*! \brief The place where the head of a function begins, which may go over several lines. */
size_t HeadPlaceOf(const EmittedFunction& function) {
  constexpr std::string_view kBegin = "\nstatic int32_t";
  const std::string_view text = function.text;
  const std::string name = function.signature->name + "(";
  for (size_t at = text.find(kBegin); at != text.npos; at = text.find(kBegin, at + 1)) {
    const size_t next = text.find_first_not_of(" \n", at + kBegin.size());
    if (text.compare(next, name.size(), name) == 0) return at + 1;
  }
  TVM_FFI_ICHECK(false) << "`" << name << "` has no head";
  TVM_FFI_UNREACHABLE();
}

/*! \brief The text of a function with the head for several units. */
std::string WithSharedHead(const EmittedFunction& function) {
  const size_t at = HeadPlaceOf(function);
  return function.text.substr(0, at) + "SHARED " + function.text.substr(at + kStatic.size());
}

/*! \brief The declaration of a function, made of its head. */
std::string DeclarationOf(const EmittedFunction& function) {
  const size_t at = HeadPlaceOf(function) + kStatic.size();
  return "SHARED " + function.text.substr(at, function.text.find(" {\n", at) - at) + ";\n";
}

/*! \brief Whether each function can be in another unit than the first one. */
std::vector<bool> FindMovable(const std::vector<EmittedFunction>& functions,
                              const std::vector<const Signature*>& early) {
  std::unordered_map<const Signature*, bool> is_movable;
  std::vector<bool> found;
  for (const EmittedFunction& function : functions) {
    const auto can_move = [&](const Signature* callee) {
      const auto known = is_movable.find(callee);
      return known != is_movable.end() && known->second;
    };
    const auto& callees = function.callees;
    const bool is_early = std::find(early.begin(), early.end(), function.signature) != early.end();
    found.push_back(!is_early && !function.uses_first_unit &&
                    !ir::IsEntered(function.signature->func) &&
                    std::all_of(callees.begin(), callees.end(), can_move));
    is_movable[function.signature] = found.back();
  }
  return found;
}

/*! \brief The groups of functions that can be in other units, in the order of the text. */
std::vector<Group> FindGroups(const std::vector<EmittedFunction>& functions,
                              const std::vector<bool>& is_movable) {
  std::unordered_map<const Signature*, size_t> places;
  Sets sets(functions.size());
  for (size_t i = 0; i < functions.size(); ++i) {
    places[functions[i].signature] = i;
    if (!is_movable[i]) continue;
    for (const Signature* callee : functions[i].callees) sets.Unite(places.at(callee), i);
  }
  std::map<size_t, Group> by_first;
  for (size_t i = 0; i < functions.size(); ++i) {
    if (!is_movable[i]) continue;
    Group& group = by_first[sets.Find(i)];
    group.text += "\n" + WithSharedHead(functions[i]);
    group.functions.push_back(&functions[i]);
  }
  std::vector<Group> groups;
  for (auto& [first, group] : by_first) groups.push_back(std::move(group));
  return groups;
}

}  // namespace

TranslationUnits Distribute(const std::vector<EmittedFunction>& functions,
                            const std::vector<const Signature*>& early) {
  const std::vector<bool> is_movable = FindMovable(functions, early);
  std::vector<Group> groups = FindGroups(functions, is_movable);
  size_t length = 0;
  for (const Group& group : groups) length += group.text.size();
  const size_t num_units = std::min({length / kUnitLength, groups.size(), kMaxUnits});
  TranslationUnits units;
  const bool is_long = num_units > 1;
  for (size_t i = 0; i < functions.size(); ++i) {
    if (!is_long || !is_movable[i]) {
      units.first += "\n" + functions[i].text;
    } else {
      units.declarations += DeclarationOf(functions[i]);
      units.names.push_back(functions[i].signature->name);
    }
  }
  if (!is_long) return units;
  // The longest groups first, each to the unit that is the shortest so far (R. Graham, 1969).
  std::stable_sort(groups.begin(), groups.end(), [](const Group& one, const Group& other) {
    return one.text.size() > other.text.size();
  });
  units.others.resize(num_units);
  for (const Group& group : groups) {
    const auto shortest = std::min_element(
        units.others.begin(), units.others.end(),
        [](const std::string& one, const std::string& other) { return one.size() < other.size(); });
    *shortest += group.text;
  }
  return units;
}

std::string UnitMacros(const TranslationUnits& units) {
  std::string all = units.first;
  for (const std::string& text : units.others) all += text;
  const std::string digest = tschema::Sha256(all).substr(0, 8);
  std::string text = "\n// `cc -DUNIT=0 -c`, and so on to " + std::to_string(units.others.size()) +
                     ", compile parts of this text, which are linked then.\n#ifdef UNIT\n";
  text += "#define IN_UNIT(unit) (UNIT == (unit))\n";
  text += "#define HIDDEN __attribute__((visibility(\"hidden\")))\n";
  text += "#if IN_UNIT(0)\n#define SHARED HIDDEN\n#else\n#define SHARED extern HIDDEN\n#endif\n";
  for (const std::string& name : units.names) {
    text += "#define " + name + " " + name + digest + "\n";
  }
  return text + "#else\n#define IN_UNIT(unit) 1\n#define SHARED static\n#endif\n";
}

}  // namespace uir::target
