#include "io/graph_output.hpp"

#include <fmt/format.h>

#include "comm/agreement.hpp"
#include "core/errors.hpp"

namespace breadth {

namespace {
FileKind writable_kind(const std::string& path) {
  const FileKind kind = file_kind(path);
  if (kind.compression != Compression::none) fail("cannot write '{}': Breadth does not write compressed files", path);
  return kind;
}
}  // namespace

void require_fits(const GraphFormat& format, const std::string& path, const GraphFile& graph, const Context& context) {
  if (format.first_number && graph.names.kind() != NameKind::range) {
    throw AgreedError(fmt::format(
        "'{}' cannot hold the names of '{}': {} files know numbers from {} on only; a .breadth file keeps them", path,
        graph.path, format.name, *format.first_number));
  }
  if (format.directions == Directions::undirected && graph.directedness == Directedness::directed) {
    throw AgreedError(fmt::format("'{}' cannot hold the directed edges of '{}': {} files are undirected", path,
                                  graph.path, format.name));
  }
  if (format.weights != nullptr && graph.weighted) require_weights(graph, *format.weights, context);
}

GraphOutput::GraphOutput(const std::string& path, const Communicator& ranks)
    : kind_(run_together(ranks, [&] { return writable_kind(path); })), file_(path, ranks) {}

void GraphOutput::write(const GraphFile& graph, const Context& context) {
  require_fits(*kind_.format, file_.path(), graph, context);
  kind_.format->write(file_, graph, context);
  file_.commit();
}

}  // namespace breadth
