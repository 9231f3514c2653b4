/*!
 * \file object_cache.h
 * \brief A folder of compiled objects by the digest of all their inputs.
 *
 * Processes and threads share it without locks: an entry is a folder that is made under another
 * name and then renamed. An entry that is damaged, unreadable or owned by another user counts as
 * missing.
 */
#ifndef UIR_SRC_DRIVER_OBJECT_CACHE_H_
#define UIR_SRC_DRIVER_OBJECT_CACHE_H_

#include <filesystem>
#include <optional>
#include <string>

#include "./work_folder.h"

namespace uir::driver {

/*! \brief The folder of the cache; empty if there is none. It need not exist. */
std::filesystem::path CacheFolder();

/*! \brief The cache in `CacheFolder`. */
class ObjectCache {
 public:
  /*! \brief Make the folder; no cache if that fails, or other users may write to it. */
  static std::optional<ObjectCache> Open();

  const std::filesystem::path& folder() const { return folder_; }

  /*! \brief The file of an entry, which is now the most recently used one. */
  std::optional<std::filesystem::path> Find(const std::string& key, const std::string& file) const;

  /*!
   * \brief Move a folder with a file into the cache, then remove what exceeds the limit.
   * \return The file in the cache; none if the entry cannot be made: the folder is as it was.
   */
  std::optional<std::filesystem::path> Insert(const std::string& key, const std::string& file,
                                              WorkFolder* content) const;

  /*! \brief Keep the sources of a failed build, in place of those of an earlier try. */
  std::filesystem::path KeepFailed(const std::string& key, WorkFolder content) const;

  /*! \brief Remove an entry. */
  void Remove(const std::string& key) const;

  /*!
   * \brief Remove all entries.
   * \throws std::filesystem::filesystem_error If one cannot be removed.
   */
  void Clear() const;

 private:
  explicit ObjectCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /*! \brief Remove the least recently used entries until the rest is within the limit. */
  void Evict() const;

  std::filesystem::path folder_;
};

}  // namespace uir::driver

#endif  // UIR_SRC_DRIVER_OBJECT_CACHE_H_
