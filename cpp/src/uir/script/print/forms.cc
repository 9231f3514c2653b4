// The tables of forms, filled in by static initializers and by users.
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <uir/script/forms.h>
#include <uir/script/script.h>

#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace uir::script {

namespace {

/*! \brief Entries by name; they are never taken back, and their addresses stay. */
template <typename Entry>
class Table {
 public:
  /*! \brief The one table of a kind of entries. */
  static Table& Global() {
    static auto* const table = new Table();
    return *table;
  }

  /*! \param what What messages call an entry. */
  void Add(const char* what, const std::string& name, Entry entry) {
    const std::lock_guard<std::mutex> lock(mutex_);
    auto [place, is_new] = entries_.try_emplace(name, nullptr);
    if (!is_new) TVM_FFI_THROW(ValueError) << what << " of `" << name << "` is registered already";
    place->second = std::make_unique<Entry>(std::move(entry));
  }

  const Entry* Find(std::string_view name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = entries_.find(std::string(name));
    return found == entries_.end() ? nullptr : found->second.get();
  }

  /*! \brief An entry that is a pointer; null if there is none. */
  Entry Get(std::string_view name) {
    const Entry* found = Find(name);
    return found == nullptr ? nullptr : *found;
  }

  void List(std::vector<std::string>* names) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [name, entry] : entries_) names->push_back(name);
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::unique_ptr<Entry>> entries_;
};

}  // namespace

void RegisterPrinter(const std::string& type_key, PrintFunction function) {
  Table<PrintFunction>::Global().Add("the form", type_key, std::move(function));
}

void RegisterStmtPrinter(const std::string& type_key, PrintStmtFunction function) {
  Table<PrintStmtFunction>::Global().Add("the form of lines", type_key, function);
}

void RegisterDefinitionPrinter(const std::string& type_key, PrintDefinitionFunction function) {
  Table<PrintDefinitionFunction>::Global().Add("the definition", type_key, function);
}

void RegisterDefinition(const std::string& decorator, ReadDefinitionFunction function) {
  Table<ReadDefinitionFunction>::Global().Add("the decorator", decorator, function);
}

void RegisterSyntax(const std::string& name, ReadFunction function) {
  Table<ReadFunction>::Global().Add("the meaning", name, std::move(function));
}

const PrintFunction* FindPrinter(std::string_view type_key) {
  return Table<PrintFunction>::Global().Find(type_key);
}

PrintStmtFunction FindStmtPrinter(std::string_view type_key) {
  return Table<PrintStmtFunction>::Global().Get(type_key);
}

PrintDefinitionFunction FindDefinitionPrinter(std::string_view type_key) {
  return Table<PrintDefinitionFunction>::Global().Get(type_key);
}

ReadDefinitionFunction FindDefinition(std::string_view decorator) {
  return Table<ReadDefinitionFunction>::Global().Get(decorator);
}

const ReadFunction* FindSyntax(std::string_view name) {
  return Table<ReadFunction>::Global().Find(name);
}

void ListSyntax(std::vector<std::string>* names) { Table<ReadFunction>::Global().List(names); }

}  // namespace uir::script
