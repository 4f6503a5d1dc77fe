#include "io/output/table_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "comm/agreement.hpp"
#include "core/text.hpp"
#include "io/files/line_columns.hpp"

namespace breadth {

// As text.

namespace {
/// The labels whose names are needed for some rows: those of the rows, then those in each column of vertices.
std::vector<Label> labels_of(const Table& table, std::span<const std::uint64_t> rows, int rank) {
  std::vector<Label> labels;
  for (const std::uint64_t row : rows) labels.push_back(table.distribution.label(rank, row));
  for (const TableColumn& column : table.columns) {
    const auto* vertices = std::get_if<const LabelArray*>(&column.values);
    if (vertices == nullptr) continue;
    for (const std::uint64_t row : rows) labels.push_back((**vertices)[row]);
  }
  return labels;
}

void append_row(const Table& table, std::uint64_t row, std::size_t i, std::size_t rows, const NamesOfLabels& names,
                std::string& text) {
  text += spaced_value(names.text(i));
  std::size_t at = i;
  for (const TableColumn& column : table.columns) {
    text += ' ';
    std::visit(
        [&](const auto& values) {
          if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(values)>>) {
            at += rows;
            text += spaced_value(names.text(at));
          } else {
            append(text, "{}", values[row]);  // the shortest exact form; inf or nan if not finite
          }
        },
        column.values);
  }
  text += '\n';
}
}  // namespace

void write_table_text(const SharedOutputFile& file, const Table& table, const Context& context) {
  const Communicator& ranks = context.ranks;
  const std::vector<std::uint64_t> rows = run_together(ranks, [&] { return row_offsets(table, ranks.rank()); });
  std::string head = "# label";
  for (const TableColumn& column : table.columns) head += ' ' + column.name;
  write_lines(file, head + '\n', rows.size(), [&](std::uint64_t first, std::uint64_t last) {
    const std::span some = std::span(rows).subspan(first, last - first);
    const std::vector<Label> labels = labels_of(table, some, ranks.rank());
    const NamesOfLabels names(table.names, labels, ranks);
    return make_lines(context.threads, some.size(), [&](std::size_t i, std::string& text) {
      append_row(table, some[i], i, some.size(), names, text);
    });
  });
}

// For numpy: numpy.lib.format, version 1.0: magic, version, length of the header, a Python literal, then the values.

namespace {
struct NumpyType {
  const char* name;
  std::size_t bytes;
};

NumpyType type_of(const TableColumn& column) {
  if (std::holds_alternative<std::span<const std::int32_t>>(column.values)) return {"<i4", 4};
  if (std::holds_alternative<std::span<const float>>(column.values)) return {"<f4", 4};
  return {"<i8", 8};
}

std::string header_of(const std::vector<TableColumn>& columns, std::uint64_t rows) {
  std::string type;
  if (columns.size() == 1) {
    type = fmt::format("'{}'", type_of(columns.front()).name);
  } else {
    for (const TableColumn& column : columns) type += fmt::format("('{}', '{}'), ", column.name, type_of(column).name);
    type = "[" + type + "]";
  }
  constexpr std::size_t alignment = 64;
  constexpr std::size_t before = 10;  // magic, version, length
  std::string literal = fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': ({},), }}", type, rows);
  literal.append(alignment - 1 - (before + literal.size()) % alignment, ' ');
  literal += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(literal.size() & 0xFF);
  header += static_cast<char>(literal.size() >> 8);
  return header + literal;
}

template <class Value>
void put(Value value, std::size_t i, std::size_t stride, std::byte* first) {
  std::memcpy(first + i * stride, &value, sizeof(value));
}

/// The values of a column of vertices in some rows. Collective for a dictionary of integers.
std::vector<std::int64_t> vertex_values(const VertexNames& names, const std::vector<Label>& labels,
                                        const Communicator& ranks) {
  std::vector<std::int64_t> values(labels.size());
  if (names.kind() == NameKind::strings) {
    std::ranges::transform(labels, values.begin(), [](Label label) { return label.value; });
    return values;
  }
  const NamesOfLabels texts(names, labels, ranks);
  for (std::size_t i = 0; i < labels.size(); ++i) values[i] = texts.integer(i);
  return values;
}

/// Writes a column's values of some rows at a distance of `stride` bytes.
void put_column(const Table& table, const TableColumn& column, std::span<const std::uint64_t> rows,
                const Communicator& ranks, std::size_t stride, std::byte* first) {
  if (const auto* vertices = std::get_if<const LabelArray*>(&column.values)) {
    std::vector<Label> labels;
    for (const std::uint64_t row : rows) labels.push_back((**vertices)[row]);
    const std::vector<std::int64_t> values = vertex_values(table.names, labels, ranks);
    for (std::size_t i = 0; i < values.size(); ++i) put(values[i], i, stride, first);
    return;
  }
  std::visit(
      [&](const auto& values) {
        if constexpr (!std::is_pointer_v<std::remove_cvref_t<decltype(values)>>) {
          for (std::size_t i = 0; i < rows.size(); ++i) put(values[rows[i]], i, stride, first);
        }
      },
      column.values);
}

/// Writes the rows' own labels as a table with one column.
void write_own_labels(const SharedOutputFile& file, const Table& table, const Context& context) {
  const int rank = context.ranks.rank();
  const LabelArray own = run_together(context.ranks, [&] {
    LabelArray labels(table.distribution.count(rank), table.distribution.vertex_count());
    for (std::size_t i = 0; i < labels.size(); ++i) labels.set(i, table.distribution.label(rank, i));
    return labels;
  });
  write_table_npy(file, {table.names, table.distribution, {{"label", &own}}, table.rows}, context);
}
}  // namespace

void write_table_npy(const SharedOutputFile& file, const Table& table, const Context& context) {
  constexpr std::uint64_t round_rows = std::uint64_t{1} << 18;
  const Communicator& ranks = context.ranks;
  const std::vector<std::uint64_t> rows = run_together(ranks, [&] { return row_offsets(table, ranks.rank()); });
  const std::string header = header_of(table.columns, ranks.all_reduce(std::uint64_t{rows.size()}, Reduction::sum));
  std::size_t row_bytes = 0;
  for (const TableColumn& column : table.columns) row_bytes += type_of(column).bytes;
  std::uint64_t at = header.size() + row_bytes * ranks.sum_before(rows.size());

  run_together(ranks, [&] {
    if (ranks.rank() == 0) file.write_at(0, header);
  });
  for_each_round(rows.size(), round_rows, ranks, [&](std::uint64_t first, std::uint64_t last) {
    const std::span some = std::span(rows).subspan(first, last - first);
    std::vector<std::byte> bytes(some.size() * row_bytes);
    std::size_t column_at = 0;
    for (const TableColumn& column : table.columns) {
      put_column(table, column, some, ranks, row_bytes, bytes.data() + column_at);
      column_at += type_of(column).bytes;
    }
    run_together(ranks, [&] { file.write_at(at, bytes); });
    at += bytes.size();
  });
}

std::string labels_path(const std::string& path, NameKind kind) {
  const std::string_view ending = ".npy";
  const std::string stem = path.ends_with(ending) ? path.substr(0, path.size() - ending.size()) : path;
  return stem + (kind == NameKind::strings ? ".labels.txt" : ".labels.npy");
}

void write_labels(const SharedOutputFile& file, const Table& table, const Context& context) {
  if (table.names.kind() != NameKind::strings) {
    write_own_labels(file, table, context);
    return;
  }
  const int rank = context.ranks.rank();
  const std::vector<std::uint64_t> rows = run_together(context.ranks, [&] { return row_offsets(table, rank); });
  write_lines(file, "", rows.size(), [&](std::uint64_t first, std::uint64_t last) {
    std::vector<Label> labels;
    for (std::uint64_t i = first; i < last; ++i) labels.push_back(table.distribution.label(rank, rows[i]));
    const NamesOfLabels names(table.names, labels, context.ranks);
    return make_lines(context.threads, labels.size(), [&](std::size_t i, std::string& text) {
      text += names.text(i);
      text += '\n';
    });
  });
}

}  // namespace breadth
