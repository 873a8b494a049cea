#!/usr/bin/env bash
# Fuzzes the parsers of what strangers send: builds once, then runs each target for a bounded time.
#
#   Fuzzing/run.sh [SECONDS [TARGET…]]     60 seconds each of all targets, unless told otherwise
#   FUZZ_RUNS=10000000 Fuzzing/run.sh 600  ten million executions or ten minutes, whichever comes first
#
# Inputs that were found interesting stay in Fuzzing/corpus/TARGET, those that break something in
# Fuzzing/findings/TARGET; both are left out of git. A finding becomes a test, and with that a seed.
set -euo pipefail
cd "$(dirname "$0")"

seconds=${1:-60}
shift || true
library=$(find "$(dirname "$(readlink -f "$(command -v swift)")")/.." \
    -name "libclang_rt.fuzzer_no_main-$(uname -m).a" | head -n 1)
[[ -n $library ]] || { echo "antena: this Swift toolchain has no libFuzzer" >&2; exit 1; }
export ANTENA_FUZZER_LIBRARY=$library

echo "==> building the fuzz targets"
swift build -c release --scratch-path .build
binary=.build/release/antena-fuzz
targets=("$@")
if ((${#targets[@]} == 0)); then mapfile -t targets < <("$binary" --list); fi

failed=()
for target in "${targets[@]}"; do
    mkdir -p "corpus/$target" "findings/$target"
    "$binary" --write-seeds "$target" "corpus/$target"
    echo "==> $target: $seconds s at most"
    # Enumerations hide pointers in their tag bits, so that every global with one looks like a leak. What leaks per
    # execution meets the memory limit.
    if ! "$binary" "$target" -max_total_time="$seconds" -runs="${FUZZ_RUNS:--1}" -timeout=5 -rss_limit_mb=1024 -detect_leaks=0 -max_len=65536 \
        -artifact_prefix="findings/$target/" -print_final_stats=1 "corpus/$target" 2> "findings/$target/log"; then
        failed+=("$target")
    fi
    grep -E "number_of_executed_units|ERROR|SUMMARY|Fatal error" "findings/$target/log" || true
done
((${#failed[@]} == 0)) || { echo "==> broken: ${failed[*]}; see Fuzzing/findings" >&2; exit 1; }
echo "==> ${#targets[@]} targets clean"
