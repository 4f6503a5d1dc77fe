#include "io/graph_format.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <utility>

#include "core/errors.hpp"

namespace breadth {

namespace {
constexpr std::array<std::string_view, 7> text_endings{".txt", ".el", ".wel", ".edges", ".edgelist", ".csv", ".tsv"};

/// Takes the ending, lower case, off a file's name.
std::string take_ending(std::filesystem::path& name) {
  std::string ending = name.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  name = name.stem();
  return ending;
}
}  // namespace

FileKind file_kind(const std::string& path) {
  std::filesystem::path name = std::filesystem::path(path).filename();
  std::string ending = take_ending(name);
  FileKind kind;
  if (ending == ".gz") kind.compression = Compression::gzip;
  if (ending == ".zst") kind.compression = Compression::zstd;
  if (kind.compression != Compression::none) ending = take_ending(name);

  const bool packed = ending == ".g500";
  if (packed || ending == ".breadth") {
    if (kind.compression != Compression::none) {
      fail("'{}': {} files are read in place and cannot be compressed; decompress it first", path, ending);
    }
    kind.format = packed ? GraphFormat::packed : GraphFormat::breadth;
  } else if (ending == ".mtx") {
    kind.format = GraphFormat::matrix_market;
  } else if (std::find(text_endings.begin(), text_endings.end(), ending) == text_endings.end()) {
    fail(
        "'{}' has no ending that tells its format; known are .txt .el .wel .edges .edgelist .csv .tsv (text), .mtx "
        "(Matrix Market), both also with .gz or .zst, .g500 (packed) and .breadth",
        path);
  }
  kind.table = ending == ".csv" || ending == ".tsv";
  return kind;
}

}  // namespace breadth
