/*!
 * \file elf_file.cc
 * \brief Reads the headers, symbols and versions of ELF files.
 */
#include "./elf_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

namespace uir::runtime {

LibraryFile::LibraryFile(const std::string& path)
    : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (fd_ < 0 || fstat(fd_, &status_) != 0) problem_ = std::strerror(errno);
  if (problem_.empty() && S_ISDIR(status_.st_mode)) problem_ = "it is a folder";
  if (problem_.empty() && !S_ISREG(status_.st_mode)) problem_ = "it is not a regular file";
  if (problem_.empty() && size() == 0) problem_ = "the file is empty";
}

LibraryFile::~LibraryFile() {
  if (fd_ >= 0) close(fd_);
}

bool LibraryFile::ReadBytes(uint64_t offset, size_t count, char* bytes) const {
  if (!Has(offset, count)) return false;
  for (size_t done = 0; done < count;) {
    const ssize_t read = pread(fd_, bytes + done, count - done, static_cast<off_t>(offset + done));
    if (read < 0 && errno == EINTR) continue;
    if (read <= 0) return false;
    done += static_cast<size_t>(read);
  }
  return true;
}

#if __has_include(<elf.h>)

namespace {

constexpr unsigned char kClass = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
constexpr unsigned char kByteOrder =
    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;

/*! \brief The name at an offset of a string table. */
std::string_view NameAt(const std::vector<char>& names, uint64_t offset) {
  if (offset >= names.size()) return {};
  const auto begin = names.begin() + static_cast<ptrdiff_t>(offset);
  return {&*begin, static_cast<size_t>(std::find(begin, names.end(), '\0') - begin)};
}

}  // namespace

ElfFile::ElfFile(const LibraryFile& file) : file_(file) {
  is_elf_ = ReadHeader();
  is_complete_ = is_elf_ && ReadTables() && HasContents();
}

bool ElfFile::is_native() const {
  return header().e_ident[EI_CLASS] == kClass && header().e_ident[EI_DATA] == kByteOrder;
}

bool ElfFile::Defines(std::string_view prefix) const {
  if (sections_.empty()) return true;
  for (const Section& section : sections_) {
    if (section.sh_type == SHT_DYNSYM && TableDefines(section, prefix)) return true;
  }
  return false;
}

std::set<std::string> ElfFile::NeededVersions() const {
  std::set<std::string> versions;
  for (const Section& section : sections_) {
    if (section.sh_type == SHT_GNU_verneed) AddVersions(section, &versions);
  }
  return versions;
}

bool ElfFile::ReadHeader() {
  std::vector<char> magic(SELFMAG);
  if (!file_.Read(0, &magic) || std::memcmp(magic.data(), ELFMAG, SELFMAG) != 0) return false;
  header_.resize(1);
  file_.Read(0, &header_);  // If the file ends before, the header stays zero.
  return true;
}

bool ElfFile::ReadTables() {
  if (!file_.Has(0, sizeof(Header))) return false;
  if (!is_native()) return true;
  if (header().e_phnum != 0 && header().e_phentsize != sizeof(Segment)) return false;
  if (header().e_shnum != 0 && header().e_shentsize != sizeof(Section)) return false;
  segments_.resize(header().e_phnum);
  sections_.resize(header().e_shnum);
  return file_.Read(header().e_phoff, &segments_) && file_.Read(header().e_shoff, &sections_);
}

bool ElfFile::HasContents() const {
  return std::all_of(
             segments_.begin(), segments_.end(),
             [this](const Segment& one) { return file_.Has(one.p_offset, one.p_filesz); }) &&
         std::all_of(sections_.begin(), sections_.end(), [this](const Section& one) {
           return one.sh_type == SHT_NOBITS || file_.Has(one.sh_offset, one.sh_size);
         });
}

bool ElfFile::TableDefines(const Section& table, std::string_view prefix) const {
  if (table.sh_link >= sections_.size()) return false;
  const std::vector<char> names = Content(sections_[table.sh_link]);
  std::vector<Symbol> symbols(table.sh_size / sizeof(Symbol));
  if (!file_.Read(table.sh_offset, &symbols)) return false;
  const std::string_view text(names.data(), names.size());
  return std::any_of(symbols.begin(), symbols.end(), [&](const Symbol& symbol) {
    return symbol.st_shndx != SHN_UNDEF && symbol.st_name < text.size() &&
           text.substr(symbol.st_name, prefix.size()) == prefix;
  });
}

std::vector<char> ElfFile::Content(const Section& section) const {
  if (!file_.Has(section.sh_offset, section.sh_size)) return {};
  std::vector<char> bytes(section.sh_size);
  if (!file_.Read(section.sh_offset, &bytes)) return {};
  return bytes;
}

void ElfFile::AddVersions(const Section& section, std::set<std::string>* versions) const {
  if (section.sh_link >= sections_.size()) return;
  const std::vector<char> names = Content(sections_[section.sh_link]);
  uint64_t at = section.sh_offset;
  for (size_t file = 0; file < section.sh_info; ++file) {
    std::vector<NeededFile> needed(1);
    if (!file_.Read(at, &needed)) return;
    uint64_t entry = at + needed[0].vn_aux;
    for (size_t i = 0; i < needed[0].vn_cnt; ++i) {
      std::vector<NeededVersion> version(1);
      if (!file_.Read(entry, &version)) return;
      versions->emplace(NameAt(names, version[0].vna_name));
      if (version[0].vna_next == 0) break;
      entry += version[0].vna_next;
    }
    if (needed[0].vn_next == 0) break;
    at += needed[0].vn_next;
  }
}

#endif

}  // namespace uir::runtime
