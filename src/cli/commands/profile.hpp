// Profiles: files with the options that tuning found best, and what they were measured on.
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

/// What a profile fits. Fields that are empty or 0 are not known.
struct ProfileSetup {
  std::string cpu;
  int cores = 0;
  int ranks = 0;
  int threads = 0;  ///< of each rank
};

/// The profile that a run was given.
struct Profile {
  UsedProfile used;  ///< its path is empty where none was given
  ProfileSetup made_for;
};

/// Whether profiles have a table of that name.
bool is_profile_table(const std::string& name);

/// Declares --profile, and has the command take from the file what nobody gave otherwise. `profile` outlives it.
void add_profile(Command& command, Profile& profile);

/// For the output of a run; nothing where no profile was given.
std::optional<UsedProfile> used_profile(const Profile& profile);

/// Warns on the first rank's standard error where a profile was made for another machine, or for other ranks or threads
/// of each.
void warn_of_misfit(const Profile& profile, const Communicator& ranks, const Placement& placement);

/// All that tuning writes down. Text is taken to be UTF-8.
struct ProfileRecord {
  std::vector<std::pair<std::string, std::string>> options;  ///< with values as on the command line
  std::string version;
  std::string date;          ///< 2026-11-21
  double speedup = 1;        ///< over the defaults
  double spread = 0;         ///< standard error of the speedup over keys
  double noise = 0;          ///< relative
  std::uint64_t keys = 0;    ///< of each measurement
  double seconds = 0;        ///< that tuning took
  std::uint64_t graphs = 1;  ///< that kernel 1 built, one for each value of --hubs that was tried
  std::vector<std::string> not_tried;
  ProfileSetup setup;
  std::string file;  ///< the graph; empty if it was generated
  int scale = 0;
  std::uint64_t edgefactor = 0;
  std::array<std::uint64_t, 2> seed = {0, 0};
  std::string adjacency;
  std::uint64_t vertices = 0;  ///< with edges
  std::uint64_t edges = 0;     ///< distinct, no self-loops
};

/// A profile in TOML, with comments for people.
std::string profile_text(const ProfileRecord& record);

}  // namespace breadth::cli
