/*!
 * \file registered.h
 * \brief A registry of named entries, each registered once.
 */
#ifndef UIR_TRANSFORM_INFRA_REGISTERED_H_
#define UIR_TRANSFORM_INFRA_REGISTERED_H_

#include <tschema/registration_error.h>
#include <tvm/ffi/error.h>

#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <utility>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief A source location, in the form of messages. */
inline std::string PlaceOf(const char* file, int line) {
  return std::string(file) + ":" + std::to_string(line);
}

/*!
 * \brief Named entries; registering a name twice is an error that names both places.
 * \tparam Entry Has a `std::string place`.
 */
template <typename Entry>
class Registered {
 public:
  /*! \param noun The word for an entry in messages. */
  explicit Registered(const char* noun) : noun_(noun) {}

  /*! \throws ValueError if the name is taken. */
  void Add(const std::string& name, Entry entry) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto [found, added] = entries_.try_emplace(name, std::move(entry));
    if (!added) TVM_FFI_THROW(ValueError) << Clash(name, found->second.place, entry.place);
  }

  /*! \brief Add an entry in a static initializer; a clash is an error of later queries. */
  void AddLate(const std::string& name, Entry entry) noexcept {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto [found, added] = entries_.try_emplace(name, std::move(entry));
    if (added) return;
    const std::string clash = Clash(name, found->second.place, entry.place);
    clashes_.emplace(name, clash);
    tschema::RecordError(clash);
  }

  /*!
   * \brief Return the entry of a name.
   * \param who The beginning of the message.
   * \throws ValueError if the name is unknown (the message lists the names), or registered twice.
   */
  Entry Get(const std::string& name, const char* who) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto clash = clashes_.find(name);
    if (clash != clashes_.end()) TVM_FFI_THROW(ValueError) << clash->second;
    const auto found = entries_.find(name);
    if (found == entries_.end()) {
      TVM_FFI_THROW(ValueError) << who << "there is no " << noun_ << " `" << name << "`"
                                << Listed();
    }
    return found->second;
  }

  /*! \brief Whether a name is registered. */
  bool Has(const std::string& name) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return entries_.count(name) != 0;
  }

  /*! \brief All entries, by name. */
  std::map<std::string, Entry> All() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return entries_;
  }

 private:
  std::string Clash(const std::string& name, const std::string& first,
                    const std::string& second) const {
    return std::string(noun_) + " `" + name + "` is registered already, at " + first +
           "; the second one is at " + second;
  }

  std::string Listed() const {
    std::ostringstream listed;
    for (const auto& [name, entry] : entries_) {
      listed << (listed.tellp() > 0 ? ", `" : "; there are `") << name << '`';
    }
    return listed.str();
  }

  const char* noun_;
  mutable std::mutex mutex_;
  std::map<std::string, Entry> entries_;
  std::map<std::string, std::string> clashes_;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_INFRA_REGISTERED_H_
