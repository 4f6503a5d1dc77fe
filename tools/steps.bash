# Functions that tools/test and tools/check source: steps that pass or fail as a whole, builds, and tests by ctest.
#
# The first failure ends the script, because later steps cost minutes and often fail for the same reason. The last lines
# name the failures and count `N passed, N failed, N skipped`.
cd "$(dirname "${BASH_SOURCE[0]}")/.."

jobs=$(nproc)
last_second=  # no step begins after this second; empty: no limit
passed=0
failed=0
skipped=0
failures=()  # names of steps and tests
# The thread sanitizer does not work if the kernel randomises addresses widely. setarch -R turns that off.
runner=(env)
if setarch "$(uname -m)" -R true 2>/dev/null; then runner=(setarch "$(uname -m)" -R); fi

# All copies of the sources on this machine share one compiler cache.
if command -v ccache >/dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
fi

# Each test appends a line for each of its cases: the name, a tab, and the reason if the case was skipped.
export TEST_CASES=$PWD/build/test_cases
mkdir -p build
: >"$TEST_CASES"

no_time_for() {  # no_time_for NAME
  [[ -n $last_second && $SECONDS -gt $last_second ]] && left_out "$1" "$((last_second / 60)) minutes are over"
}

step() {  # step NAME COMMAND...: one check that passes or fails as a whole
  if no_time_for "$1"; then return; fi
  printf '== %s\n' "$1"
  local started=$SECONDS
  if "${@:2}"; then
    passed=$((passed + 1))
    printf '== %s: passed in %d s\n' "$1" $((SECONDS - started))
  else
    failed=$((failed + 1))
    failures+=("$1")
    printf '== %s: FAILED\n' "$1"
    finish
  fi
}

left_out() {  # left_out NAME REASON: counts a step that cannot run here and now
  skipped=$((skipped + 1))
  printf '== %s: left out, since %s\n' "$1" "$2"
}

build() {  # build PRESET [option of cmake --build...]
  { [[ -f build/$1/build.ninja ]] || cmake --preset "$1"; } && cmake --build --preset "$1" -j "$jobs" "${@:2}"
}

tests() {  # tests PRESET [option of ctest...]: runs and counts its tests; ends the script if one fails
  if no_time_for "tests, $*"; then return; fi
  local report=build/$1/tests.xml started=$SECONDS
  rm -f "$report"
  printf '== tests, %s\n' "$*"
  "${runner[@]}" ctest --preset "$1" -j "$jobs" --output-junit "$PWD/$report" "${@:2}"
  local status=$? ran=0 broken=0 omitted=0
  if [[ -f $report ]]; then
    ran=$(grep -c '<testcase .*status="run"' "$report")
    broken=$(grep -c '<testcase .*status="fail"' "$report")
    omitted=$(grep -cE '<testcase .*status="(notrun|disabled)"' "$report")
    local names='s/.*<testcase name="([^"]*)".*status="fail".*/\1/p'
    mapfile -t -O "${#failures[@]}" failures < <(sed -nE "$names" "$report")
  fi
  if [[ $status -ne 0 && $broken -eq 0 || $((ran + broken)) -eq 0 ]]; then
    broken=$((broken + 1))
    failures+=("ctest of $1 itself, status $status, $ran tests")
  fi
  passed=$((passed + ran))
  failed=$((failed + broken))
  skipped=$((skipped + omitted))
  printf '== tests, %s: %d passed, %d failed, %d skipped in %d s\n' \
    "$*" "$ran" "$broken" "$omitted" $((SECONDS - started))
  [[ $failed -eq 0 ]] || finish
}

skipped_cases() {  # counts skipped cases by reason, and those of them that no other run of the same test ran
  awk -F '\t' '
    $2 == "" { ran[$1] = 1; next }
    { runs[$2]++; reason[$1] = $2 }
    END {
      for (name in reason) if (!(name in ran)) nowhere[reason[name]]++
      for (why in runs) printf "%6d skipped, %d of them nowhere run: %s\n", runs[why], nowhere[why], why
    }' "$TEST_CASES" | sort -rn
}

finish() {
  echo "== cases"
  printf '%6d run\n' "$(grep -c $'\t$' "$TEST_CASES")"
  skipped_cases
  if [[ $failed -gt 0 ]]; then printf 'failed: %s\n' "${failures[@]}"; fi
  printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
  exit $((failed > 0))
}
