#include "io/graph_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/errors.hpp"
#include "core/text.hpp"
#include "io/files/line_parser.hpp"

namespace breadth {

namespace {
/// Removes the ending from a file name and returns it in lower case.
std::string take_ending(std::filesystem::path& name) {
  std::string ending = lower_case(name.extension().string());
  name = name.stem();
  return ending;
}

/// The endings of all formats: ".mtx (matrix market, also with .gz or .zst), .g500 (packed)".
std::string known_endings() {
  std::vector<std::string> known;
  for (const auto& row : graph_formats::all) {
    const GraphFormat& format = row();
    known.push_back(fmt::format("{} ({}{})", joined(format.endings, " "), format.name,
                                format.text != nullptr ? ", also with .gz or .zst" : ""));
  }
  return joined(known, ", ");
}
}  // namespace

bool FileKind::is_text() const { return format->text != nullptr; }

FileKind file_kind(const std::string& path) {
  std::filesystem::path name = std::filesystem::path(path).filename();
  std::string ending = take_ending(name);
  FileKind kind;
  if (ending == ".gz") kind.compression = Compression::gzip;
  if (ending == ".zst") kind.compression = Compression::zstd;
  if (kind.compression != Compression::none) ending = take_ending(name);
  for (const auto& row : graph_formats::all) {
    const GraphFormat& format = row();
    const auto found = std::ranges::find(format.endings, ending);
    if (found == format.endings.end()) continue;
    kind.format = &format;
    kind.ending = *found;
  }
  if (kind.format == nullptr) {
    fail("'{}' has no ending that tells its format; the known endings are {}", path, known_endings());
  }
  if (!kind.is_text() && kind.compression != Compression::none) {
    fail("'{}': {} files are read in place and cannot be compressed; decompress it first", path, ending);
  }
  return kind;
}

std::string endings_read_in_place() {
  std::vector<std::string> endings;
  for (const auto& row : graph_formats::all) {
    const GraphFormat& format = row();
    if (format.text == nullptr) endings.insert(endings.end(), format.endings.begin(), format.endings.end());
  }
  return joined(endings, " or ");
}

}  // namespace breadth
