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
  explicit Table(const char* what) : what_(what) {}

  void Add(const std::string& name, Entry entry) {
    const std::lock_guard<std::mutex> lock(mutex_);
    auto [place, is_new] = entries_.try_emplace(name, nullptr);
    if (!is_new) TVM_FFI_THROW(ValueError) << what_ << " of `" << name << "` is registered already";
    place->second = std::make_unique<Entry>(std::move(entry));
  }

  const Entry* Find(std::string_view name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = entries_.find(std::string(name));
    return found == entries_.end() ? nullptr : found->second.get();
  }

  void List(std::vector<std::string>* names) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [name, entry] : entries_) names->push_back(name);
  }

 private:
  const char* what_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::unique_ptr<Entry>> entries_;
};

Table<PrintFunction>& Printers() {
  static auto* const table = new Table<PrintFunction>("the form");
  return *table;
}

Table<PrintStmtFunction>& StmtPrinters() {
  static auto* const table = new Table<PrintStmtFunction>("the form of lines");
  return *table;
}

Table<PrintDefinitionFunction>& DefinitionPrinters() {
  static auto* const table = new Table<PrintDefinitionFunction>("the definition");
  return *table;
}

Table<ReadDefinitionFunction>& Definitions() {
  static auto* const table = new Table<ReadDefinitionFunction>("the decorator");
  return *table;
}

Table<ReadFunction>& Syntax() {
  static auto* const table = new Table<ReadFunction>("the meaning");
  return *table;
}

}  // namespace

void RegisterPrinter(const std::string& type_key, PrintFunction function) {
  Printers().Add(type_key, std::move(function));
}

void RegisterStmtPrinter(const std::string& type_key, PrintStmtFunction function) {
  StmtPrinters().Add(type_key, function);
}

void RegisterDefinitionPrinter(const std::string& type_key, PrintDefinitionFunction function) {
  DefinitionPrinters().Add(type_key, function);
}

void RegisterDefinition(const std::string& decorator, ReadDefinitionFunction function) {
  Definitions().Add(decorator, function);
}

void RegisterSyntax(const std::string& name, ReadFunction function) {
  Syntax().Add(name, std::move(function));
}

const PrintFunction* FindPrinter(std::string_view type_key) { return Printers().Find(type_key); }

PrintStmtFunction FindStmtPrinter(std::string_view type_key) {
  const PrintStmtFunction* found = StmtPrinters().Find(type_key);
  return found == nullptr ? nullptr : *found;
}

PrintDefinitionFunction FindDefinitionPrinter(std::string_view type_key) {
  const PrintDefinitionFunction* found = DefinitionPrinters().Find(type_key);
  return found == nullptr ? nullptr : *found;
}

ReadDefinitionFunction FindDefinition(std::string_view decorator) {
  const ReadDefinitionFunction* found = Definitions().Find(decorator);
  return found == nullptr ? nullptr : *found;
}

const ReadFunction* FindSyntax(std::string_view name) { return Syntax().Find(name); }

void ListSyntax(std::vector<std::string>* names) { Syntax().List(names); }

}  // namespace uir::script
