/*!
 * \file library_load.cc
 * \brief Loads libraries under names that the system does not know yet.
 *
 * `dlopen` returns a library that it has loaded before under the same name, or from the same inode,
 * without reading the file. A replaced file has another inode, and is loaded under a path that is
 * spelled differently. An overwritten file is loaded from a copy.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <tvm/ffi/cast.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <uir/runtime/library_file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace uir::runtime {

namespace {

namespace fs = std::filesystem;

/*! \brief The longest time between two ticks of a file system's clock. */
constexpr std::chrono::milliseconds kTick{10};

std::chrono::nanoseconds SinceEpoch(const timespec& time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

std::chrono::nanoseconds ChangeTime(const struct stat& status) {
#if defined(__APPLE__)
  return SinceEpoch(status.st_ctimespec);
#else
  return SinceEpoch(status.st_ctim);
#endif
}

/*! \brief The identity of a file: its device and inode. */
using FileId = std::pair<dev_t, ino_t>;

/*! \brief The change time and size of a file, which differ after it was overwritten. */
using FileVersion = std::pair<std::chrono::nanoseconds, off_t>;

struct stat StatusOf(const fs::path& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) {
    TVM_FFI_THROW(RuntimeError) << "cannot load `" << path.string() << "`: it was removed";
  }
  return status;
}

/*!
 * \brief The status of a file that does not change within the same tick of the clock.
 *
 * A later write then changes the status, even to a content of the same size.
 */
struct stat SettledStatusOf(const fs::path& path) {
  const struct stat status = StatusOf(path);
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  const std::chrono::nanoseconds age = SinceEpoch(now) - ChangeTime(status);
  if (age < std::chrono::nanoseconds(0) || age > kTick) return status;
  std::this_thread::sleep_for(kTick);
  return StatusOf(path);
}

/*! \brief A library loaded from a file. */
struct LoadedFile {
  FileVersion version;
  ffi::WeakObjectPtr<ffi::ModuleObj> module;
  /*! \brief The name under which the system mapped the file; empty if it mapped a copy. */
  std::string name;
};

/*! \brief The libraries that this process has loaded; a loading thread holds the lock. */
struct LoadedFiles {
  // Loading a module may load others, when its parts are read.
  std::recursive_mutex mutex;
  std::map<FileId, LoadedFile> files;
  size_t num_names = 0;

  static LoadedFiles& Global() {
    static auto* files = new LoadedFiles();
    return *files;
  }

  /*! \brief Spell a path uniquely: `./` and `/` before the file encode the bits of a counter. */
  std::string NewName(const fs::path& path) {
    std::string spelling;
    for (size_t bits = ++num_names; bits != 0; bits /= 2) spelling += bits % 2 == 0 ? "/" : "./";
    return (path.parent_path() / "").string() + spelling + path.filename().string();
  }
};

/*! \brief Whether the system has a library with this name in memory. */
bool IsMapped(const std::string& name) {
  if (name.empty()) return false;
  void* library = dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return false;
  dlclose(library);
  return true;
}

/*! \brief A path without links and `.`; the path itself if its file has no name, as in `/proc`. */
fs::path CanonicalPath(const std::string& path) {
  std::error_code error;
  const fs::path canonical = fs::canonical(path, error);
  return error || !fs::equivalent(canonical, path, error) ? fs::absolute(path) : canonical;
}

/*!
 * \brief Have tvm-ffi load a library.
 * \param name The name for the system.
 * \param path The name for messages.
 */
ffi::Module Open(const std::string& name, const std::string& path) {
  static const ffi::Function load =
      ffi::Function::GetGlobalRequired("ffi.Module.load_from_file.so");
  try {
    return load(name, "so").cast<ffi::Module>();
  } catch (const ffi::Error& error) {
    const std::string message = error.message();
    const std::string begin = "Failed to load dynamic shared library " + name + " ";
    const size_t at = message.find(begin);
    if (at == message.npos) throw;
    TVM_FFI_THROW(RuntimeError) << "cannot load `" << path
                                << "`: " << message.substr(at + begin.size());
  }
  TVM_FFI_UNREACHABLE();
}

/*! \brief A temporary file, removed with its owner. */
class TemporaryFile {
 public:
  TemporaryFile() : path_((fs::temp_directory_path() / "uir-library-XXXXXX").string()) {
    const int file = mkstemp(path_.data());
    if (file < 0) {
      throw fs::filesystem_error("cannot make a file", path_,
                                 std::error_code(errno, std::generic_category()));
    }
    close(file);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { unlink(path_.c_str()); }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/*! \brief Load the current contents of a file, even if an older version of it is in memory. */
ffi::Module LoadVersion(const fs::path& path, LoadedFile* file, bool is_unchanged) {
  LoadedFiles& loaded = LoadedFiles::Global();
  const bool is_mapped = IsMapped(file->name);
  if (is_mapped && !is_unchanged) return LoadCopy(path.string());
  if (!is_mapped) file->name = loaded.NewName(path);
  return Open(file->name, path.string());
}

}  // namespace

ffi::Module LoadLibrary(const std::string& path) {
  CheckLibrary(path);
  const fs::path canonical = CanonicalPath(path);
  const struct stat status = SettledStatusOf(canonical);
  const FileVersion version{ChangeTime(status), status.st_size};
  LoadedFiles& loaded = LoadedFiles::Global();
  const std::scoped_lock lock(loaded.mutex);
  LoadedFile& file = loaded.files[{status.st_dev, status.st_ino}];
  const bool is_unchanged = file.version == version;
  if (is_unchanged) {
    if (auto module = file.module.lock()) return ffi::Module(module);
  }
  file.version = version;
  file.module = {};
  ffi::Module module = LoadVersion(canonical, &file, is_unchanged);
  file.module = ffi::GetObjectPtr<ffi::ModuleObj>(module.get());
  return module;
}

ffi::Module LoadCopy(const std::string& path) {
  CheckLibrary(path);
  try {
    const TemporaryFile copy;
    fs::copy_file(path, copy.path(), fs::copy_options::overwrite_existing);
    return Open(copy.path(), path);
  } catch (const fs::filesystem_error& error) {
    TVM_FFI_THROW(RuntimeError) << "cannot load a copy of `" << path << "`: " << error.what();
    TVM_FFI_UNREACHABLE();
  }
}

}  // namespace uir::runtime
