// The forms of statements: a table of names for each place that takes a call.
#include <string>
#include <unordered_map>

#include "./builder_state.h"

namespace uir::script {

namespace {

/*! \brief The forms of one place, by name; a name is registered once, when the library loads. */
template <typename Form>
class FormTable {
 public:
  void Add(std::string_view path, Form form) { forms_.emplace(path, form); }
  Form Find(std::string_view path) const {
    const auto found = forms_.find(path);
    return found == forms_.end() ? nullptr : found->second;
  }
  void ListNames(std::vector<std::string>* names) const {
    for (const auto& [path, form] : forms_) {
      // A single letter is near every other one.
      if (path[path.size() - 2] != '.') names->emplace_back(path);
    }
  }

 private:
  std::unordered_map<std::string_view, Form> forms_;
};

/*! \brief Made on first use, as the files of the forms fill it in any order. */
template <typename Form>
FormTable<Form>* TableOf() {
  static auto* const table = new FormTable<Form>();
  return table;
}

}  // namespace

void RegisterStmt(std::string_view path, StmtForm form) { TableOf<StmtForm>()->Add(path, form); }

void RegisterWith(std::string_view path, WithForm form) { TableOf<WithForm>()->Add(path, form); }

void RegisterAssign(std::string_view path, AssignForm form) {
  TableOf<AssignForm>()->Add(path, form);
}

StmtForm FindStmtForm(std::string_view path) { return TableOf<StmtForm>()->Find(path); }

WithForm FindWithForm(std::string_view path) { return TableOf<WithForm>()->Find(path); }

AssignForm FindAssignForm(std::string_view path) { return TableOf<AssignForm>()->Find(path); }

void ListStmtForms(std::vector<std::string>* names) {
  TableOf<StmtForm>()->ListNames(names);
  TableOf<WithForm>()->ListNames(names);
  TableOf<AssignForm>()->ListNames(names);
  for (const char* name :
       {"range", "tir.serial", "tir.parallel", "tir.vectorized", "tir.unroll", "tir.thread_binding",
        "tir.grid", "tir.prim_func", "uir.script.ir_module"}) {
    names->emplace_back(name);
  }
}

}  // namespace uir::script
