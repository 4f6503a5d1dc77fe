#include "cli/commands/profile.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "cli/config_file.hpp"
#include "cli/options/tunables.hpp"
#include "core/text.hpp"

namespace breadth::cli {

namespace {
constexpr const char* options_table = "options";

using Tables = std::map<std::string, std::vector<std::string>>;

Tables make_tables() {
  Tables keys = {
      {"tuning", {"version", "date", "speedup", "spread", "noise", "keys", "seconds", "graphs", "not-tried"}},
      {"machine", {"cpu", "cores", "ranks", "threads"}},
      {"graph", {"file", "scale", "edgefactor", "seed", "adjacency", "vertices", "edges"}}};
  for (const Tunable& tunable : engine_tunables()) keys[options_table].push_back(tunable.option);
  return keys;
}

/// The tables of a profile and the keys that each may have; profile_text() writes them.
const Tables& known_tables() {
  static const Tables tables = make_tables();
  return tables;
}

/// Throws UsageError for a table or key that no profile has.
void require_known(const std::string& path, const ConfigEntry& entry) {
  const Tables& tables = known_tables();
  const auto table = tables.find(entry.section);
  if (table == tables.end()) {
    const std::vector<std::string> names = texts_of(tables, [](const auto& one) { return one.first; });
    if (entry.section.empty()) {
      fail<UsageError>("{}:{}: {} stands before the first table; the tables of a profile are [{}]", path, entry.line,
                       entry.key, joined(names, "], ["));
    }
    fail<UsageError>("{}:{}: a profile has no table [{}]; its tables are [{}]", path, entry.line, entry.section,
                     joined(names, "], ["));
  }
  if (entry.kind == ConfigKind::table) return;
  if (std::ranges::find(table->second, entry.key) == table->second.end()) {
    fail<UsageError>("{}:{}: a profile has no {} in [{}]{}", path, entry.line, entry.key, entry.section,
                     nearest_if_near(entry.key, table->second));
  }
  constexpr std::array texts = {"version", "date", "cpu", "file", "adjacency"};
  const bool is_text = std::ranges::find(texts, entry.key) != texts.end();
  if (entry.section == options_table || is_text == (entry.kind == ConfigKind::text)) return;
  fail<UsageError>("{}:{}: {} in [{}] must be {}", path, entry.line, entry.key, entry.section,
                   is_text ? "a text in quotes" : "a number, or values in brackets");
}

int parse_count(const std::string& path, const ConfigEntry& entry) {
  const std::string range = "a whole number from 1 to 16777216";
  try {
    return static_cast<int>(parse_number<std::uint64_t>(entry.value, 1, 1 << 24, range));
  } catch (const UsageError& error) {
    fail<UsageError>("{}:{}: {} is '{}'; it {}", path, entry.line, entry.key, entry.value, error.what());
  }
}

void read_setup(const std::string& path, const ConfigEntry& entry, ProfileSetup& setup) {
  if (entry.key == "cpu") setup.cpu = entry.value;
  if (entry.key == "cores") setup.cores = parse_count(path, entry);
  if (entry.key == "ranks") setup.ranks = parse_count(path, entry);
  if (entry.key == "threads") setup.threads = parse_count(path, entry);
}

/// Sets the options that the file gives and that were not given otherwise.
void apply(OptionSet& options, Profile& profile) {
  const std::string& path = profile.used.path;
  if (path.empty()) return;
  const std::vector<ConfigEntry> entries = read_config_file("profile", path, options);
  for (const ConfigEntry& entry : entries) {
    require_known(path, entry);
    if (entry.kind == ConfigKind::table) continue;
    if (entry.section == "machine") read_setup(path, entry, profile.made_for);
    if (entry.section != options_table || options.given(entry.key)) continue;
    options.set_default(*options.find(entry.key), entry.value, origin_in(path, entry));
    profile.used.options.emplace_back(entry.key, entry.value);
  }
  if (std::ranges::find(entries, options_table, &ConfigEntry::section) == entries.end())
    fail<UsageError>("{} is not a profile of breadth tune: it has no table [{}]", path, options_table);
}

std::string counted(int count, const char* thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

template <class Value>
std::string toml_text(const Value& value) {
  std::ostringstream text;
  text << toml::value(value);
  return text.str();
}

/// A value in TOML: numbers unchanged, words in quotes.
std::string toml_value(const std::string& value) {
  const bool number = !value.empty() && value.find_first_not_of("0123456789.") == std::string::npos;
  return number ? value : toml_text(value);
}

std::string toml_list(const std::vector<std::string>& texts) {
  return fmt::format("[{}]", joined(texts_of(texts, toml_text<std::string>), ", "));
}
}  // namespace

bool is_profile_table(const std::string& name) { return known_tables().contains(name); }

void add_profile(Command& command, Profile& profile) {
  command.options.add_text("profile", profile.used.path, "a profile of breadth tune",
                           {.group = OptionGroup::everyday,
                            .meaning = "profile written by breadth tune; all options that you give override it",
                            .on_processors = true});
  command.complete = [&profile](OptionSet& options) { apply(options, profile); };
}

std::optional<UsedProfile> used_profile(const Profile& profile) {
  return profile.used.path.empty() ? std::nullopt : std::make_optional(profile.used);
}

void warn_of_misfit(const Profile& profile, const Communicator& ranks, const Placement& placement) {
  if (ranks.rank() != 0) return;
  const ProfileSetup& made_for = profile.made_for;
  const Machine here = describe_machine(placement);
  std::vector<std::string> differences;
  const auto compare = [&differences](int then, int now, const char* thing) {
    if (then != 0 && now != 0 && then != now)
      differences.push_back(fmt::format("{}, not {}", counted(then, thing), now));
  };
  if (!made_for.cpu.empty() && made_for.cpu != here.cpu) {
    differences.push_back(fmt::format("{}, not {}", made_for.cpu, here.cpu.empty() ? "this processor" : here.cpu));
  }
  compare(made_for.cores, here.cores, "core");
  compare(made_for.ranks, ranks.size(), "rank");
  compare(made_for.threads, placement.threads, "thread");
  if (differences.empty()) return;
  say(fmt::format("warning: the profile {} was made for {}\n", profile.used.path, joined(differences, "; ")));
}

std::string profile_text(const ProfileRecord& record) {
  std::string text =
      "# The fastest options of a search that `breadth tune` found; for --profile of breadth graph500 and breadth "
      "bfs.\n"
      "\n[options]\n";
  for (const auto& [option, value] : record.options) text += fmt::format("{} = {}\n", option, toml_value(value));
  text += fmt::format(
      "\n[tuning]\nversion = {}\ndate = {}\n"
      "speedup = {:.4f}  # over the defaults, measured on keys that were not used for the choice\n"
      "spread = {:.4f}  # of the speedup: its standard error over keys\n"
      "noise = {:.4f}  # relative difference between measurements of the same options\n"
      "keys = {}  # per measurement; none of them is a key that the benchmark times\n"
      "seconds = {:.1f}\n"
      "graphs = {}  # built by kernel 1, one for each value of hubs that was tried\nnot_tried = {}\n",
      toml_text(record.version), toml_text(record.date), record.speedup, record.spread, record.noise, record.keys,
      record.seconds, record.graphs, toml_list(record.not_tried));
  text += fmt::format("\n[machine]\ncpu = {}\ncores = {}\nranks = {}\nthreads = {}  # per rank\n",
                      toml_text(record.setup.cpu), record.setup.cores, record.setup.ranks, record.setup.threads);
  text += "\n[graph]\n";
  if (record.file.empty()) {
    text += fmt::format("scale = {}\nedgefactor = {}\nseed = [{}]\n", record.scale, record.edgefactor,
                        joined(record.seed, ", "));
  } else {
    text += fmt::format("file = {}\n", toml_text(record.file));
  }
  text += fmt::format("adjacency = {}\nvertices = {}  # with edges\nedges = {}  # distinct, without self-loops\n",
                      toml_text(record.adjacency), record.vertices, record.edges);
  return text;
}

}  // namespace breadth::cli
