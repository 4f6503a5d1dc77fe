// Writing of results, one row per vertex, as text or for numpy.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "comm/communicator.hpp"
#include "core/data/bitmap.hpp"
#include "core/data/label_array.hpp"
#include "core/ids.hpp"
#include "core/parallel/parallel.hpp"
#include "io/files/output_file.hpp"
#include "io/names/vertex_names.hpp"

namespace breadth {

/// A result for each vertex that this rank holds, in the order of their labels. A LabelArray is a column of vertices,
/// which are written by their names (no_label as -1).
struct TableColumn {
  std::string name;
  std::variant<std::span<const std::int64_t>, std::span<const std::int32_t>, std::span<const float>, const LabelArray*>
      values;
};

/// A table with one row for each vertex of a distribution, or only for those in `rows` if given (one bit for each
/// vertex that this rank holds). Everything that it points to must outlive it.
struct Table {
  const VertexNames& names;
  const BlockDistribution& distribution;
  std::vector<TableColumn> columns;
  const Bitmap* rows = nullptr;
};

/// This rank's rows, as offsets among the vertices that the rank holds.
inline std::vector<std::uint64_t> row_offsets(const Table& table, int rank) {
  const std::size_t held = table.distribution.count(rank);
  std::vector<std::uint64_t> offsets;
  for (std::size_t offset = 0; offset < held; ++offset) {
    if (table.rows == nullptr || table.rows->contains(offset)) offsets.push_back(offset);
  }
  return offsets;
}

/// Writes a comment with the columns' names, then `label value value ...` for each row in the order of labels. Names
/// with blanks are in quotes. Collective; throws AgreedError. The caller commits the file, here and in the functions
/// below.
void write_table_text(const SharedOutputFile& file, const Table& table, const Context& context);

/// Writes numpy's format 1.0: for one column an array of its type, for several a structured array with their names.
/// Columns of vertices are int64: the names if those are integers, otherwise row numbers in the labels file.
void write_table_npy(const SharedOutputFile& file, const Table& table, const Context& context);

/// The name of the labels file of an .npy file: result.npy has result.labels.npy, or result.labels.txt if names are
/// strings.
std::string labels_path(const std::string& path, NameKind kind);

/// Writes the names of the rows: an int64 array in numpy's format, or text with one name per line if names are strings.
void write_labels(const SharedOutputFile& file, const Table& table, const Context& context);

}  // namespace breadth
