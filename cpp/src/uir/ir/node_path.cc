// Access paths from a node to others below it, found without recursion.
#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/reflection/accessor.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/expr.h>
#include <uir/ir/node_path.h>

#include <string_view>
#include <unordered_set>
#include <utility>

namespace uir::ir {

namespace {

/*! \brief An object, and the text by which its parent accesses it. */
struct Step {
  ffi::ObjectRef object;
  std::string name;
};

/*! \brief The text of a map's key; the quoted name of a global variable. */
std::string KeyText(const ffi::Any& key) {
  if (const std::optional<GlobalVar> var = key.as<GlobalVar>()) {
    return std::string(describe((*var)->name_hint));
  }
  return std::string(describe(key));
}

/*! \brief The objects that an object refers to. */
std::vector<Step> StepsBelow(const ffi::Object* object) {
  std::vector<Step> steps;
  auto add = [&](const ffi::Any& value, auto make_name) {
    if (std::optional<ffi::ObjectRef> held = value.as<ffi::ObjectRef>()) {
      if (held->defined()) steps.push_back({*std::move(held), make_name()});
    }
  };
  if (object->IsInstance<ffi::ArrayObj>()) {
    const auto* array = static_cast<const ffi::ArrayObj*>(object);
    for (size_t i = 0; i < array->size(); ++i) {
      add((*array)[static_cast<int64_t>(i)], [&] { return "[" + std::to_string(i) + "]"; });
    }
    return steps;
  }
  if (object->IsInstance<ffi::MapObj>()) {
    const auto* map = static_cast<const ffi::MapObj*>(object);
    for (const auto& [key, value] : *map) {
      const ffi::Any& held = key;
      add(value, [&] { return "[" + KeyText(held) + "]"; });
    }
    return steps;
  }
  ffi::reflection::ForEachFieldInfo(
      TVMFFIGetTypeInfo(object->type_index()), [&](const TVMFFIFieldInfo* field) {
        add(ffi::reflection::FieldGetter(field)(object),
            [&] { return "." + std::string(field->name.data, field->name.size); });
      });
  return steps;
}

/*! \brief Searches the objects below a root, and notes the paths to the wanted ones. */
class PathFinder {
 public:
  explicit PathFinder(const std::vector<const ffi::Object*>& wanted)
      : wanted_(wanted.begin(), wanted.end()) {}

  std::unordered_map<const ffi::Object*, std::string> Run(const ffi::Object* root) {
    Enter(root, "");
    while (!frames_.empty() && paths_.size() < wanted_.size()) {
      Frame& frame = frames_.back();
      if (frame.next == frame.steps.size()) {
        frames_.pop_back();
        continue;
      }
      const Step& step = frame.steps[frame.next++];
      if (seen_.insert(step.object.get()).second) Enter(step.object.get(), step.name);
    }
    return std::move(paths_);
  }

 private:
  struct Frame {
    std::string name;
    std::vector<Step> steps;
    size_t next;
  };

  void Enter(const ffi::Object* object, std::string name) {
    frames_.push_back({std::move(name), StepsBelow(object), 0});
    if (wanted_.count(object) != 0) paths_.emplace(object, Path());
  }

  /*! \brief The names of all steps; a very long path omits those in the middle. */
  std::string Path() const {
    constexpr size_t kEnds = 16;
    std::string path;
    for (size_t i = 1; i < frames_.size(); ++i) {
      if (i > kEnds && i + kEnds < frames_.size()) {
        path += " ... ";
        i = frames_.size() - kEnds;
      }
      path += frames_[i].name;
    }
    return !path.empty() && path[0] == '.' ? path.substr(1) : path;
  }

  std::unordered_set<const ffi::Object*> wanted_;
  std::unordered_set<const ffi::Object*> seen_;
  std::vector<Frame> frames_;
  std::unordered_map<const ffi::Object*, std::string> paths_;
};

}  // namespace

std::unordered_map<const ffi::Object*, std::string> FindPaths(
    const ffi::Object* root, const std::vector<const ffi::Object*>& nodes) {
  return PathFinder(nodes).Run(root);
}

}  // namespace uir::ir
