#include "cli/commands/graph_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "cli/commands/expected_memory.hpp"
#include "comm/agreement.hpp"
#include "core/errors.hpp"
#include "graph500/run_prediction.hpp"
#include "io/binary/packed_file.hpp"
#include "io/graph_format.hpp"
#include "io/names/vertex_names.hpp"
#include "io/output/table_output.hpp"
#include "io/text/text_head.hpp"

namespace breadth::cli {

FileKind graph_kind(const std::string& path) {
  try {
    return file_kind(path);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
}

namespace {
/// Throws UsageError for standard input and pipes: a graph file is read several times, at several offsets.
void refuse_stream(const std::string& path) {
  constexpr std::array standard_input = {"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"};
  const bool standard = std::ranges::find(standard_input, path) != standard_input.end();
  std::error_code unknown;
  if (!standard && !std::filesystem::is_fifo(path, unknown)) return;
  fail<UsageError>("cannot read a graph from {}: a graph file is read several times, so save it to a file first",
                   standard ? "standard input" : fmt::format("the pipe '{}'", path));
}
}  // namespace

FileKind input_kind(const std::string& path) {
  refuse_stream(path);
  try {
    return file_kind(path);
  } catch (const Error& error) {
    std::error_code unknown;
    if (std::filesystem::exists(path, unknown) || unknown) throw UsageError(error.what());
    fail<UsageError>("there is no file '{}', and its name has no ending that tells its format, such as .txt", path);
  }
}

std::vector<std::string> files_with(const std::string& path) {
  std::vector<std::string> files = {path};
  const auto ends_path = [&path](const std::string& ending) { return path.ends_with(ending); };
  if (std::ranges::any_of(graph_formats::packed().endings, ends_path)) files.push_back(weights_path(path));
  if (is_npy(path)) {
    files.push_back(labels_path(path, NameKind::integers));
    files.push_back(labels_path(path, NameKind::strings));
  }
  return files;
}

namespace {
/// Whether both paths refer to one file, which may not exist yet.
bool same_file(const std::string& path, const std::string& other) {
  const auto whole = [](const std::string& name) { return std::filesystem::absolute(name).lexically_normal(); };
  std::error_code missing;
  return whole(path) == whole(other) || std::filesystem::equivalent(path, other, missing);
}

struct NamedFile {
  std::string path;
  const Option* option;
};

void keep_apart(const NamedFile& written, const NamedFile& other) {
  if (written.option == other.option || !same_file(written.path, other.path)) return;
  if (other.option->writes) {
    fail<UsageError>("{} and {} would both write '{}'", as_given(*written.option), as_given(*other.option),
                     written.path);
  }
  fail<UsageError>("'{}' is read, as {}, and would be replaced: choose another name for {}", written.path,
                   as_given(*other.option), as_given(*written.option));
}
}  // namespace

void keep_files_apart(const OptionSet& options) {
  std::vector<NamedFile> named;
  for (const auto& [name, text] : options.values()) {
    const Option* const option = options.find(name);
    if (option->takes != Takes::file || option->kind == OptionKind::flag || text == "-") continue;
    for (const std::string& path : files_with(text)) named.push_back({path, option});
  }
  for (const NamedFile& written : named) {
    if (!written.option->writes) continue;
    for (const NamedFile& other : named) keep_apart(written, other);
  }
}

void require_memory_for_file(const std::string& path, const GraphLayout& layout, std::size_t summary,
                             const Kernels& kernels, const Context& context) {
  const FileKind kind = graph_kind(path);
  if (!kind.is_text()) return;
  const Communicator& ranks = context.ranks;
  TextSize text = run_together(ranks, [&] { return ranks.rank() == 0 ? estimate_text_size(path, kind) : TextSize{}; });
  ranks.broadcast(std::span(&text, 1), 0);
  constexpr std::uint64_t more_than_any_machine_holds = std::uint64_t{1} << 50;  // prevents overflow of sums
  const std::uint64_t edges = std::min(text.fewest_edges, more_than_any_machine_holds);
  const GraphSize size = largest_size(text.head.vertices, edges, text.head.weighted,
                                      text.head.directedness.value_or(Directedness::undirected), layout, summary);
  std::string basis =
      text.head.says_entries()
          ? fmt::format("; the header of '{}' says {} vertices and {} entries", path, text.head.vertices, text.edges)
          : fmt::format("; '{}' seems to have {} edges, at least {}, an estimate from a part of it", path, text.edges,
                        text.fewest_edges);
  require_memory(predict_run(size, kernels, ranks.size(), context.threads.size(), true), ranks,
                 [&basis](std::uint64_t) { return basis; });
}

namespace {
/// The origin of a memory prediction, for messages. If names do not give the number of labels, only the labels
/// themselves do, and bytes of a file that is not packed look like valid labels.
std::string size_text(const GraphFile& file, std::uint64_t labels, bool names_say) {
  if (names_say) return fmt::format("; '{}' has {} vertices and {} edges", file.path, labels, file.edge_count);
  return fmt::format("; '{}' has {} edges and labels up to {}: is it a packed file?", file.path, file.edge_count,
                     labels - 1);
}
}  // namespace

void require_memory_for_graph(const GraphFile& file, const GraphLayout& layout, std::size_t summary,
                              const Kernels& kernels, const Context& context) {
  // Text is already in memory and other files are mapped, so the edge list takes no more memory. If every possible
  // label has a name, as in a packed file, the names do not give the number of labels.
  const bool names_say = file.names.count() < static_cast<std::uint64_t>(label_bound);
  const std::uint64_t labels = names_say ? file.names.count() : discover_vertex_count(*file.edges, context);
  const GraphSize size = largest_size(labels, file.edge_count, file.weighted,
                                      file.directedness.value_or(Directedness::undirected), layout, summary);
  require_memory(predict_run(size, kernels, context.ranks.size(), context.threads.size(), false), context.ranks,
                 [&](std::uint64_t) { return size_text(file, labels, names_say); });
}

GraphFile read_fitting_graph(const std::string& path, const GraphLayout& layout, std::size_t summary,
                             const ReadOptions& options, const Context& context) {
  Kernels kernels = options.weights == WeightUse::lengths ? KernelKind::sssp : KernelKind::bfs;
  require_memory_for_file(path, layout, summary, kernels, context);
  GraphFile file = read_graph(path, options, context);
  if (options.weights == WeightUse::lengths_if_any && file.weighted) kernels = KernelKind::sssp;
  require_memory_for_graph(file, layout, summary, kernels, context);
  return file;
}

Directedness directedness_of(const GraphFile& file, bool directed) {
  const Directedness said = file.directedness.value_or(directed_if(directed));
  if (directed && said == Directedness::undirected) {
    fail<AgreedError>("'{}' says that its edges are undirected: leave out --directed", file.path);
  }
  return said;
}

Graph build_file_graph(const GraphFile& file, Directedness directedness, const GraphLayout& layout,
                       const Context& context) {
  return build_graph(*file.edges,
                     {.directedness = directedness,
                      .layout = layout,
                      .min_vertex_count = file.every_label_is_vertex ? file.names.count() : 0},
                     context);
}

}  // namespace breadth::cli
