/*!
 * \file library_check.cc
 * \brief Reads the headers of objects and libraries (System V ABI, "Object Files").
 *
 * Only ELF is read: the loaders of other systems check what they map.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <tvm/ffi/error.h>
#include <uir/runtime/library_file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#if __has_include(<elf.h>)
#include <elf.h>
#endif

namespace uir::runtime {

namespace {

/*! \brief A file that is read at places, and never mapped. */
class LibraryFile {
 public:
  /*! \brief Open a file; a pipe without a writer does not block. */
  explicit LibraryFile(const std::string& path)
      : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (fd_ < 0 || fstat(fd_, &status_) != 0) problem_ = std::strerror(errno);
    if (problem_.empty() && S_ISDIR(status_.st_mode)) problem_ = "it is a folder";
    if (problem_.empty() && !S_ISREG(status_.st_mode)) problem_ = "it is not a regular file";
    if (problem_.empty() && size() == 0) problem_ = "the file is empty";
  }
  LibraryFile(const LibraryFile&) = delete;
  LibraryFile& operator=(const LibraryFile&) = delete;
  ~LibraryFile() {
    if (fd_ >= 0) close(fd_);
  }

  /*! \brief Why it cannot be read; empty if it can. */
  const std::string& problem() const { return problem_; }
  uint64_t size() const { return static_cast<uint64_t>(status_.st_size); }

  /*! \brief Whether the file has all of these bytes. */
  bool Has(uint64_t offset, uint64_t count) const {
    return offset <= size() && count <= size() - offset;
  }

  /*! \brief Read plain values; false if the file ends before. */
  template <typename T>
  bool Read(uint64_t offset, std::vector<T>* values) const {
    const size_t count = values->size() * sizeof(T);
    if (!Has(offset, count)) return false;
    auto* bytes = reinterpret_cast<char*>(values->data());
    for (size_t done = 0; done < count;) {
      const ssize_t read =
          pread(fd_, bytes + done, count - done, static_cast<off_t>(offset + done));
      if (read < 0 && errno == EINTR) continue;
      if (read <= 0) return false;
      done += static_cast<size_t>(read);
    }
    return true;
  }

 private:
  int fd_;
  struct stat status_ = {};
  std::string problem_;
};

std::string CutOff(const LibraryFile& file) {
  return "the file is cut off after " + std::to_string(file.size()) +
         " bytes: what wrote or copied it did not finish";
}

#if __has_include(<elf.h>)

#if __SIZEOF_POINTER__ == 8
using Header = Elf64_Ehdr;
using Segment = Elf64_Phdr;
using Section = Elf64_Shdr;
using Symbol = Elf64_Sym;
constexpr unsigned char kClass = ELFCLASS64;
#else
using Header = Elf32_Ehdr;
using Segment = Elf32_Phdr;
using Section = Elf32_Shdr;
using Symbol = Elf32_Sym;
constexpr unsigned char kClass = ELFCLASS32;
#endif

constexpr unsigned char kByteOrder =
    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;

struct NamedMachine {
  unsigned number;
  const char* name;
};

constexpr NamedMachine kMachines[] = {
    {EM_X86_64, "x86-64"}, {EM_AARCH64, "aarch64"}, {EM_386, "i386"},   {EM_ARM, "arm"},
    {EM_PPC64, "ppc64"},   {EM_S390, "s390x"},      {EM_RISCV, "riscv"}};

constexpr unsigned kMachine =
#if defined(__x86_64__)
    EM_X86_64;
#elif defined(__aarch64__)
    EM_AARCH64;
#else
    EM_NONE;  // Any is taken.
#endif

std::string MachineName(unsigned machine) {
  for (const NamedMachine& known : kMachines) {
    if (known.number == machine) return known.name;
  }
  return "number " + std::to_string(machine) + " of ELF";
}

/*! \brief The headers of an ELF file, read as far as the file goes. */
class ElfFile {
 public:
  explicit ElfFile(const LibraryFile& file) : file_(file) {
    is_elf_ = ReadHeader();
    is_complete_ = is_elf_ && ReadTables() && HasContents();
  }

  bool is_elf() const { return is_elf_; }
  bool is_complete() const { return is_complete_; }
  const Header& header() const { return header_[0]; }

  /*! \brief Whether the words of the headers are those of this machine. */
  bool is_native() const {
    return header().e_ident[EI_CLASS] == kClass && header().e_ident[EI_DATA] == kByteOrder;
  }

  /*! \brief Whether it defines a symbol with a prefix; true if its sections were removed. */
  bool Defines(std::string_view prefix) const {
    if (sections_.empty()) return true;
    for (const Section& section : sections_) {
      if (section.sh_type == SHT_DYNSYM && TableDefines(section, prefix)) return true;
    }
    return false;
  }

 private:
  bool ReadHeader() {
    std::vector<char> magic(SELFMAG);
    if (!file_.Read(0, &magic) || std::memcmp(magic.data(), ELFMAG, SELFMAG) != 0) return false;
    header_.resize(1);
    file_.Read(0, &header_);  // If the file ends before, the header stays zero.
    return true;
  }

  bool ReadTables() {
    if (!file_.Has(0, sizeof(Header))) return false;
    if (!is_native()) return true;
    if (header().e_phnum != 0 && header().e_phentsize != sizeof(Segment)) return false;
    if (header().e_shnum != 0 && header().e_shentsize != sizeof(Section)) return false;
    segments_.resize(header().e_phnum);
    sections_.resize(header().e_shnum);
    return file_.Read(header().e_phoff, &segments_) && file_.Read(header().e_shoff, &sections_);
  }

  bool HasContents() const {
    return std::all_of(
               segments_.begin(), segments_.end(),
               [this](const Segment& one) { return file_.Has(one.p_offset, one.p_filesz); }) &&
           std::all_of(sections_.begin(), sections_.end(), [this](const Section& one) {
             return one.sh_type == SHT_NOBITS || file_.Has(one.sh_offset, one.sh_size);
           });
  }

  bool TableDefines(const Section& table, std::string_view prefix) const {
    if (table.sh_link >= sections_.size()) return false;
    const Section& strings = sections_[table.sh_link];
    std::vector<Symbol> symbols(table.sh_size / sizeof(Symbol));
    std::vector<char> names(strings.sh_size);
    if (!file_.Read(table.sh_offset, &symbols) || !file_.Read(strings.sh_offset, &names)) {
      return false;
    }
    const std::string_view text(names.data(), names.size());
    return std::any_of(symbols.begin(), symbols.end(), [&](const Symbol& symbol) {
      return symbol.st_shndx != SHN_UNDEF && symbol.st_name < text.size() &&
             text.substr(symbol.st_name, prefix.size()) == prefix;
    });
  }

  const LibraryFile& file_;
  std::vector<Header> header_;
  std::vector<Segment> segments_;
  std::vector<Section> sections_;
  bool is_elf_ = false;
  bool is_complete_ = false;
};

/*! \brief What keeps this process from loading a file that can be read; empty if nothing does. */
std::string FindObstacle(const LibraryFile& file) {
  const ElfFile elf(file);
  if (!elf.is_elf()) return "it is not a shared library";
  if (!elf.is_complete()) return CutOff(file);
  const Header& header = elf.header();
  const bool other = kMachine != EM_NONE && header.e_machine != kMachine;
  if (other || !elf.is_native()) {
    return "it is for processors of kind " + MachineName(header.e_machine) + ", and this one is " +
           MachineName(kMachine);
  }
  if (header.e_type == ET_REL) return "it is an object to link, not a shared library";
  if (header.e_type != ET_DYN) return "it is not a shared library";
  if (!elf.Defines("__tvm_ffi_")) {
    return "it has no compiled functions, whose symbols begin with `__tvm_ffi_`";
  }
  return "";
}

/*! \brief Whether a file is ELF whose end is missing. */
bool IsCutOff(const LibraryFile& file) {
  const ElfFile elf(file);
  return elf.is_elf() && !elf.is_complete();
}

#else

std::string FindObstacle(const LibraryFile&) { return ""; }
bool IsCutOff(const LibraryFile&) { return false; }

#endif

}  // namespace

std::optional<std::string> FindDamage(const std::string& path) {
  const LibraryFile file(path);
  if (!file.problem().empty()) return file.problem();
  if (IsCutOff(file)) return CutOff(file);
  return std::nullopt;
}

void CheckLibrary(const std::string& path) {
  const LibraryFile file(path);
  const std::string problem = file.problem().empty() ? FindObstacle(file) : file.problem();
  if (!problem.empty()) TVM_FFI_THROW(RuntimeError) << "cannot load `" << path << "`: " << problem;
}

}  // namespace uir::runtime
