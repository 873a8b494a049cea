#!/usr/bin/env bash
# Runs the tests that are built, and ends with what failed.
#
#   Scripts/run-tests.sh [--filter REGEX | --skip REGEX …]
#
# In two lanes: tests with real servers and clients wait most of the time, and the others compute, at a lower priority.
# Within a lane one test at a time: many start servers, encoders and browsers. With options there is one lane.
#
# A run prints thousands of lines, and who reads a log reads its end first: the failures are repeated there. Where no
# more than a few fail, those are run once more by themselves. One that passes then is named as such, and wants mending
# all the same.
set -uo pipefail
cd "$(dirname "$0")/.."

maximum_repeated=3
log=$(mktemp)
computing_log=$(mktemp)
trap 'rm -f "$log" "$computing_log"' EXIT

# What `swift test` runs, too: two of those at once would quarrel over the build's database.
tests=$("${SWIFT:-swift}" build --show-bin-path ${TEST_FLAGS:-})/antenaPackageTests.xctest
export NO_COLOR=1

run() { "$tests" --testing-library swift-testing --no-parallel "$@"; }

# An issue is a line with a cross and, below it, lines that begin with an arrow.
failures() { grep -E '^(✘|↳|.*error: )' "$log" | grep -vE '^(✘ (Suite|Test run) |↳ Testing Library|↳ Target)' | cut -c 1-600 | head -n 100; }

# The names of the tests that failed, each once.
failed_names() { grep -E '^✘ Test [A-Za-z0-9_]+\(.* failed after ' "$log" | sed -E 's/^✘ Test ([A-Za-z0-9_]+)\(.*/\1/' | sort -u; }

# How many tests the runs in the log had, all together; nothing where one of them was cut off.
test_count() {
    local expected=$1
    sed -nE 's/^. Test run with ([0-9]+) tests? .*/\1/p' "$log" \
        | awk -v expected="$expected" '{ sum += $1 } END { if (NR == expected) print sum }'
}

if (($# > 0)); then
    lanes=1
    run "$@" 2>&1 | tee "$log"
    status=${PIPESTATUS[0]}
else
    lanes=2
    (
        renice -n 10 "$BASHPID" >/dev/null
        run --skip '^EndToEndTests\.'
    ) >"$computing_log" 2>&1 &
    computing=$!
    trap 'kill "$computing" 2>/dev/null; rm -f "$log" "$computing_log"' EXIT
    echo "==> tests with real servers and clients; the others run beside them and are shown behind them"
    run --filter '^EndToEndTests\.' 2>&1 | tee "$log"
    status=${PIPESTATUS[0]}
    wait "$computing" || status=1
    echo "==> the other tests"
    tee -a "$log" <"$computing_log"
fi

mapfile -t names < <(failed_names)
count=$(test_count "$lanes")
if ((status == 0)) && [[ -n $count ]]; then
    echo "$count passed, 0 failed"
    exit 0
fi

echo "==> what failed:"
failures
if [[ -z $count ]]; then
    echo "a run of tests was cut off; the last lines above say where"
    echo "0 passed, 1 failed"
    exit 1
fi
failed=${#names[@]}
# What belongs to no test, such as a suite that could not be made.
if ((failed == 0)); then
    echo "$count passed, 1 failed"
    exit 1
fi
if ((failed <= maximum_repeated)); then
    echo "==> once more, by themselves: ${names[*]}"
    run --filter "/($(IFS='|'; echo "${names[*]}"))\\(" 2>&1 | tee "$log"
    status_again=${PIPESTATUS[0]}
    repeated=$(test_count 1)
    if ((status_again == 0 && ${repeated:-0} >= failed)); then
        echo "==> passed only when run again: ${names[*]}"
        echo "$count passed, 0 failed"
        exit 0
    fi
fi
echo "$((count - failed)) passed, $failed failed"
exit 1
