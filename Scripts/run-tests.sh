#!/usr/bin/env bash
# Runs the tests that are built, one at a time, and ends with what failed.
#
#   Scripts/run-tests.sh [OPTIONS OF swift test]
#
# A run prints thousands of lines, and who reads a log reads its end first: the failures are repeated there. Tests with
# real clients share two cores with encoders and browsers; where no more than a few fail, those are run once more by
# themselves. One that passes then is named as such, and wants mending all the same.
set -uo pipefail
cd "$(dirname "$0")/.."

maximum_repeated=3
log=$(mktemp)
trap 'rm -f "$log"' EXIT

run() { "${SWIFT:-swift}" test --skip-build --disable-xctest --no-parallel "$@"; }

# An issue is a line with a cross and, below it, lines that begin with an arrow.
failures() { grep -E '^(✘|↳|.*error: )' "$log" | grep -vE '^(✘ (Suite|Test run) |↳ Testing Library|↳ Target)' | cut -c 1-600 | head -n 100; }

run "$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
summary=$(grep -E '^. Test run with ' "$log" | tail -n 1)
mapfile -t names < <(grep -E '^✘ Test [A-Za-z0-9_]+\(.* failed after ' "$log" | sed -E 's/^✘ Test ([A-Za-z0-9_]+)\(.*/\1/' | sort -u)
if ((status == 0)); then exit 0; fi

echo "==> what failed:"
failures
if [[ -n $summary ]] && ((${#names[@]} > 0 && ${#names[@]} <= maximum_repeated)); then
    echo "==> once more, by themselves: ${names[*]}"
    run --filter "/($(IFS='|'; echo "${names[*]}"))\\(" "$@" 2>&1 | tee "$log"
    status_again=${PIPESTATUS[0]}
    repeated=$(sed -nE 's/^✔ Test run with ([0-9]+) tests? .* passed .*/\1/p' "$log" | tail -n 1)
    if ((status_again == 0 && ${repeated:-0} >= ${#names[@]})); then
        echo "==> passed only when run again: ${names[*]}"
        sed -E 's/.*Test run with ([0-9]+) tests.*/\1 passed, 0 failed/' <<<"$summary"
        exit 0
    fi
fi
echo "$summary"
exit "$status"
