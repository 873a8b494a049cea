#!/usr/bin/env bash
# Runs the tests that are built, one at a time, and ends with what failed.
#
#   Scripts/run-tests.sh [OPTIONS OF swift test]
#
# A run prints thousands of lines, and who reads a log reads its end first: the
# failures are repeated there, and the last line is the runner's own summary.
set -uo pipefail
cd "$(dirname "$0")/.."

log=$(mktemp)
trap 'rm -f "$log"' EXIT

"${SWIFT:-swift}" test --skip-build --disable-xctest --no-parallel "$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
if [ "$status" -ne 0 ]; then
  echo "==> what failed:"
  # An issue is a line with a cross and, below it, lines that begin with an arrow.
  grep -E '^(✘|↳|.*error: )' "$log" | grep -vE '^✘ (Suite|Test run) ' | cut -c 1-600 | head -n 100
  grep -E '^. Test run with ' "$log" | tail -n 1
fi
exit "$status"
