// Profiles: files with the fastest options that tuning found, and the setup of its measurements.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "cli/options/option_set.hpp"
#include "graph500/report/report.hpp"
#include "placement/placement.hpp"

namespace breadth::cli {

/// The setup that a profile is for. Fields that are empty or 0 are unknown.
struct ProfileSetup {
  std::string cpu;
  int cores = 0;
  int ranks = 0;
  int threads = 0;  ///< per rank
};

/// The profile that a run was given.
struct Profile {
  UsedProfile used;  ///< its path is empty if none was given
  ProfileSetup made_for;
};

/// Whether profiles have a table with this name.
bool is_profile_table(const std::string& name);

/// Adds --profile, and makes the command take from the file the options that were not given otherwise. `profile` must
/// outlive the command.
void add_profile(Command& command, Profile& profile);

/// The profile for the output of a run; nothing if none was given.
std::optional<UsedProfile> used_profile(const Profile& profile);

/// Warns on standard error, on the first rank, if a profile was made for another machine, another number of ranks, or
/// another number of threads per rank.
void warn_of_misfit(const Profile& profile, const Communicator& ranks, const Placement& placement);

/// The content of a profile. Text is assumed to be UTF-8.
struct ProfileRecord {
  std::vector<std::pair<std::string, std::string>> options;  ///< with values as on the command line
  std::string version;
  std::string date;          ///< 2026-11-21
  double speedup = 1;        ///< over the defaults
  double spread = 0;         ///< standard error of the speedup over keys
  double noise = 0;          ///< relative
  std::uint64_t keys = 0;    ///< per measurement
  double seconds = 0;        ///< duration of tuning
  std::uint64_t graphs = 1;  ///< graphs that kernel 1 built, one for each value of --hubs that was tried
  std::vector<std::string> not_tried;
  ProfileSetup setup;
  std::string file;  ///< the graph; empty if it was generated
  int scale = 0;
  std::uint64_t edgefactor = 0;
  std::array<std::uint64_t, 2> seed = {0, 0};
  std::string adjacency;
  std::uint64_t vertices = 0;  ///< vertices with edges
  std::uint64_t edges = 0;     ///< distinct edges without self-loops
};

/// A profile in TOML, with comments for the user.
std::string profile_text(const ProfileRecord& record);

}  // namespace breadth::cli
