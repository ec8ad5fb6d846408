#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
# run_all.sh [BUILD]: configures BUILD (build-fuzz) as tools/ci/builds.json has it, compiles the fuzzers (ULPFFT_FUZZERS: those) and runs
# each for ULPFFT_FUZZ_SECONDS (60), from the files of corpus/, which stay as they are. A find ends its fuzzer and lies in BUILD/finds: put
# it into corpus/ when it is fixed.
# Harnesses hold processor time themselves. The minute that an input may take counts other work of the machine and ends only what hangs.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$root/build-fuzz}
seconds=${ULPFFT_FUZZ_SECONDS:-60}
harnesses=${ULPFFT_FUZZERS:-wisdom_text problem_text recipe_text descriptor api_sequence recipe_plan real_plan wisdom_plan problem_plan time_and_memory error_limit scheme_batch}
if ! command -v clang++-19 >/dev/null; then
  echo "SKIP fuzzers: clang++-19 is not installed"
  exit 77
fi
[ -f "$build/build.ninja" ] || python3 "$root/tools/ci/builds.py" setup "$build" fuzz
# shellcheck disable=SC2046
ninja -C "$build" $(for name in $harnesses; do echo "tests/fuzz/fuzz_$name"; done)
mkdir -p "$build/finds"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
for name in $harnesses; do
  mkdir "$work/$name"
  if "$build/tests/fuzz/fuzz_$name" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=2048 -max_len=4096 -print_final_stats=1 \
    -artifact_prefix="$build/finds/$name-" "$work/$name" "$root/tests/fuzz/corpus/$name" >"$work/log" 2>&1; then
    echo "PASS fuzz_$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log") inputs in $seconds s"
  else
    tail -n 60 "$work/log"
    echo "FAIL fuzz_$name"
    failed=1
  fi
done
exit $failed
