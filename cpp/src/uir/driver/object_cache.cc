/*!
 * \file object_cache.cc
 * \brief Entries of the cache are folders `<key>` with a file, and its size and digest in
 * `file.digest`.
 *
 * The change time of an entry's folder is the time of its last use. Other folders are
 * `failed-<key>`, with the sources of failed builds, and `work-...`, of running or interrupted
 * builds.
 */
#include "./object_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <tvm/ffi/error.h>
#include <uir/driver/cache.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "./content_digest.h"

namespace uir::driver {

namespace fs = std::filesystem;

namespace {

constexpr const char* kDigestFile = "file.digest";
constexpr const char* kFailed = "failed-";
constexpr const char* kWork = "work-";
constexpr size_t kKeyLength = 64;
constexpr uintmax_t kDefaultLimit = uintmax_t{1} << 30;

/*! \brief Older builds were interrupted. */
constexpr std::chrono::hours kLongestBuild{24};

bool StartsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool IsKey(std::string_view name) {
  return name.size() == kKeyLength &&
         name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/*! \brief The limit in bytes, which tests and users with small disks set. */
uintmax_t Limit() {
  const char* variable = std::getenv("UIR_CACHE_LIMIT");
  if (variable == nullptr || *variable == '\0') return kDefaultLimit;
  char* end = nullptr;
  const long long bytes = std::strtoll(variable, &end, 10);
  if (*end != '\0' || bytes < 0) {
    TVM_FFI_THROW(ValueError)
        << "the environment variable `UIR_CACHE_LIMIT` must be a number of bytes, got `" << variable
        << "`";
  }
  return static_cast<uintmax_t>(bytes);
}

/*! \brief Whether a folder is this user's, and no other user may write to it. */
bool IsPrivate(const fs::path& folder) {
  struct stat status = {};
  return stat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/*! \brief One folder of the cache. */
struct Entry {
  fs::path path;
  fs::file_time_type used;
  uintmax_t size = 0;
};

uintmax_t SizeOf(const fs::path& folder) {
  uintmax_t size = 0;
  std::error_code error;
  // Another process may remove the folder, so no step of the loop may throw.
  for (fs::directory_iterator file(folder, error), end; !error && file != end;
       file.increment(error)) {
    std::error_code removed;
    const uintmax_t bytes = file->file_size(removed);
    if (!removed) size += bytes;
  }
  return size;
}

/*! \brief Removes a folder that other processes may be removing at the same time. */
void RemoveFolder(const fs::path& folder) {
  std::error_code error;
  do {
    fs::remove_all(folder, error);  // Ends where another process has removed a file first.
  } while (error == std::errc::no_such_file_or_directory && fs::exists(folder));
  if (error && error != std::errc::no_such_file_or_directory) {
    throw fs::filesystem_error("cannot remove", folder, error);
  }
}

/*! \brief The entries of the cache, failed builds, and interrupted builds. */
std::vector<Entry> Entries(const fs::path& folder) {
  std::vector<Entry> entries;
  std::error_code error;
  const auto oldest_build = fs::file_time_type::clock::now() - kLongestBuild;
  for (const fs::directory_entry& found : fs::directory_iterator(folder, error)) {
    const std::string name = found.path().filename().string();
    const fs::file_time_type used = found.last_write_time(error);
    if (error) continue;  // Another process has removed it.
    const bool interrupted = StartsWith(name, kWork) && used < oldest_build;
    if (IsKey(name) || StartsWith(name, kFailed) || interrupted) {
      entries.push_back({found.path(), used, SizeOf(found.path())});
    }
  }
  return entries;
}

}  // namespace

fs::path CacheFolder() {
  // A relative path has no meaning in a working folder that was removed.
  std::error_code error;
  const char* variable = std::getenv("UIR_CACHE_DIR");
  if (variable != nullptr && *variable != '\0') return fs::absolute(variable, error);
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') return {};
  const fs::path folder = fs::absolute(home, error);
  return folder.empty() ? folder : folder / ".cache" / "uir";
}

std::optional<ObjectCache> ObjectCache::Open() {
  fs::path folder = CacheFolder();
  if (folder.empty()) return std::nullopt;
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  mkdir(folder.c_str(), 0700);  // The folder may exist.
  if (!IsPrivate(folder)) return std::nullopt;
  Limit();  // An invalid limit is an error before anything is compiled or evicted.
  return ObjectCache(std::move(folder));
}

std::optional<fs::path> ObjectCache::Find(const std::string& key, const std::string& file) const {
  const fs::path entry = folder_ / key;
  try {
    if (!fs::exists(entry)) return std::nullopt;
    const std::string kept = ReadFile(entry / kDigestFile);
    // A file of another size is not read.
    const std::string size = std::to_string(fs::file_size(entry / file)) + " ";
    if (!StartsWith(kept, size) || kept != FileSizeAndDigest(entry / file)) {
      Remove(key);
      return std::nullopt;
    }
  } catch (const fs::filesystem_error&) {
    Remove(key);
    return std::nullopt;
  }
  utimensat(AT_FDCWD, entry.c_str(), nullptr, 0);
  return entry / file;
}

std::optional<fs::path> ObjectCache::Insert(const std::string& key, const std::string& file,
                                            WorkFolder* content) const {
  try {
    WriteFile(content->path() / kDigestFile, FileSizeAndDigest(content->path() / file));
  } catch (const fs::filesystem_error&) {
    return std::nullopt;
  }
  const fs::path entry = folder_ / key;
  if (!content->MoveTo(entry)) return Find(key, file);  // Another build was faster.
  Evict();
  return entry / file;
}

fs::path ObjectCache::KeepFailed(const std::string& key, WorkFolder content) const {
  const fs::path kept = folder_ / (kFailed + key);
  std::error_code ignored;
  fs::remove_all(kept, ignored);
  if (!content.MoveTo(kept)) return content.Keep();
  Evict();
  return kept;
}

void ObjectCache::Remove(const std::string& key) const {
  std::error_code ignored;
  fs::remove_all(folder_ / key, ignored);
}

void ObjectCache::Clear() const {
  for (const Entry& entry : Entries(folder_)) RemoveFolder(entry.path);
}

void ObjectCache::Evict() const {
  std::vector<Entry> entries = Entries(folder_);
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.used > b.used; });
  uintmax_t size = 0;
  const uintmax_t limit = Limit();
  bool newest = true;
  for (const Entry& entry : entries) {
    size += entry.size;
    std::error_code ignored;
    // The newest one is in use.
    if (size > limit && !std::exchange(newest, false)) fs::remove_all(entry.path, ignored);
    newest = false;
  }
}

ffi::String cache_folder() { return CacheFolder().string(); }

void clear_cache() {
  const std::optional<ObjectCache> cache = ObjectCache::Open();
  if (!cache) return;
  try {
    cache->Clear();
  } catch (const fs::filesystem_error& error) {
    TVM_FFI_THROW(RuntimeError) << "clear_cache: " << error.what();
  }
}

}  // namespace uir::driver
