#!/usr/bin/env bash
# Runs the tests that are built, and ends with what failed.
#
#   Scripts/run-tests.sh [--filter REGEX | --skip REGEX …]
#
# In eight lanes beside one another, because most tests wait most of the time: two of live channels with real servers and
# clients, which have to keep up with the clock; two of the library with real servers, and four of what computes, which
# get the time that is left; one of these repeats tests without the paths of docs/fast-paths.md. Within a lane one test at a time: many start servers, encoders and browsers. With options
# there is one lane.
# What each lane took is said at the end: if one takes much longer than the others, move a suite.
#
# The doc comments are rendered beside the tests, because that mostly waits for the disk.
#
# A run prints thousands of lines, and a reader begins at the end: the slowest tests and the failures are repeated there.
# If no more than a few tests fail, those are run once more by themselves. A test that passes then is unstable: it is
# named, and the run ends with status 3, unless TEST_UNSTABLE allows that many.
set -uo pipefail
cd "$(dirname "$0")/.."

# Processors to keep to, as `taskset -c` takes them. A virtual machine that shows more than it has time for stands still
# with all of them at once when they are used, and what has to come at its time does not.
if [[ -n ${TEST_CPUS:-} ]]; then
    taskset -cp "$TEST_CPUS" $$ >/dev/null || echo "==> there are no processors $TEST_CPUS; all are used" >&2
fi

# The programs that tests and their helpers find in PATH: those of Scripts/programs.txt, and those that every Debian has.
# One that only this machine has would be missing on another. What is not Debian keeps its own PATH.
restrict_path() {
    command -v dpkg-query >/dev/null || return 0
    local programs=$PWD/.build/programs toolchain program path
    toolchain=$(dirname "$(realpath "$(command -v "${SWIFT:-swift}")")")
    rm -rf "$programs"
    mkdir -p "$programs"
    {
        dpkg-query -W -f '${Essential} ${Package}\n' | sed -n 's/^yes //p' | xargs dpkg -L | grep -E '^(/usr)?/s?bin/[^/]+$'
        while read -r program _; do
            # Debian's own, not one of the same name that the machine has before it.
            path=$(PATH=/usr/bin:/usr/sbin:/bin:/sbin command -v "$program") && echo "$path"
        done < <(awk '$1 !~ /^#/ && NF == 3 && $3 !~ /^manual$/ { print $1 }' Scripts/programs.txt)
    } | while read -r path; do
        # A link of the same name as its target, because some programs look at the name that they are called by.
        ln -sfn "$path" "$programs/$(basename "$path")"
    done
    export PATH=$programs:$toolchain
}
restrict_path

maximum_repeated=8
unstable_status=3
unstable_limit=${TEST_UNSTABLE:-0}
# The suites with real servers in which nothing has to come at its time: those of ladders and conversions, which take less
# time than others and so have databases and the video club with them, and the others.
conversion_suites='(Container|Job|MemberUpload|Ladder|LadderPlaying|VideoForm|VideoClub|LedgerTorture|CommunityTorture'
conversion_suites+='|Database)Tests/'
library_suites='(Archive|Command|Edge|Export|Import|Interface|Image|MediaStore|Metrics|Radio|RTSPRefusal|Schema|Subtitle|TitleFeature'
library_suites+='|VideoOnDemand|Webhook)Tests/'
# The suites of programs that publish, and some of live channels and of browsers with them, because they take less time; the
# other ones have players and browsers.
publishing_suites='(Broadcast[A-Za-z]*|RTMP|Slate|ChangingPublisher|PublisherLoss|Publishing|RTSPReading|Reload|Live|LowLatency'
publishing_suites+='|SignedLink|PlayerChange|SiteBudget|Accessibility)Tests/'
# The targets whose tests run ffmpeg and workers.
media_targets='^(VODLibrary|MediaWorker|Transcoding|LibAV|Capture)Tests\.'
# The targets that make and deliver media; the others have databases, accounts and pages.
streaming_targets='^(LiveChannels|Packaging|RTSP[A-Za-z]*|RTPTransport|HLS[A-Za-z]*|ISOBMFF|Codecs|MediaStorage|MediaAccess'
streaming_targets+='|LibraryStorage|Broadcaster)Tests\.'
# The targets with paths that exist for speed only, which also have to work without them.
plain_targets='^(RTSPServer|HLSDelivery)Tests\.|^LiveChannelsTests\.LowLatencyTests/'
folder=$(mktemp -d)
log=$folder/log

# The databases are in memory where there is room for them: each test makes hundreds of tables, which are files, of 2.5 GB
# in all.
database_kilobytes=$((6 << 20))
in_memory=/dev/shm
[[ $(df --output=avail "$in_memory" 2>/dev/null | tail -n 1) -gt $database_kilobytes ]] || in_memory=
database=$(mktemp -d ${in_memory:+--tmpdir="$in_memory"})
trap 'kill $(jobs -p) 2>/dev/null; wait; rm -rf "$folder" "$database"' EXIT
# The server may run as another user.
chmod 711 "$database"

# One server for all tests; each has a schema of its own. None of their statements is worth compiling, and none of their
# tables is large enough to be looked after in the background.
begin_postgres() {
    Tests/Support/postgres-server.sh "$database/postgres" jit=off autovacuum=off >"$folder/postgres.log" 2>&1 &
    local server=$!
    for _ in {1..600}; do
        if [[ $(tail -n 1 "$database/postgres/data/postmaster.pid" 2>/dev/null) == ready* ]]; then
            export ANTENA_TEST_POSTGRES="postgres:///postgres?host=$database/postgres&user=antena"
            return
        fi
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    echo "==> PostgreSQL did not start:" >&2
    cat "$folder/postgres.log" >&2
    echo "0 passed, 1 failed"
    exit 1
}
begin_postgres

# What `swift test` runs, too: two of those at once would quarrel over the build's database.
tests=$("${SWIFT:-swift}" build --show-bin-path ${TEST_FLAGS:-})/antenaPackageTests.xctest
export NO_COLOR=1
# Below `nohup` the programs that are tested would inherit that they have to ignore SIGHUP.
tests=(env --default-signal=HUP "$tests")

options=(--testing-library swift-testing --no-parallel)
declare -A process=()

run() { "${tests[@]}" "${options[@]}" "$@"; }

# An issue is a line with a cross and, below it, lines that begin with an arrow, or with no sign at all where a message has
# several: its end says the most, such as the last step of a browser.
failures() {
    awk -v lines=12 '
        function flush(  i) {
            for (i = (count > lines ? count - lines : 0); i < count; i++) print rest[i]
            count = 0
        }
        /^(✘|↳|.*error: )/ { flush(); isShown = !/^(✘ (Suite|Test run) |↳ Testing Library|↳ Target)/; if (isShown) print; next }
        /^(◇|✔|➜|⚠)/ { flush(); isShown = 0; next }
        isShown { rest[count++] = $0 }
        END { flush() }' "$log" | cut -c 1-600 | head -n 150
}

# The names of the tests that failed, each once.
failed_names() { grep -E '^✘ Test [A-Za-z0-9_]+\(.* failed after ' "$log" | sed -E 's/^✘ Test ([A-Za-z0-9_]+)\(.*/\1/' | sort -u; }

# The 20 tests that took longest, in seconds.
slowest() {
    echo "==> the slowest tests:"
    sed -nE 's/^. Test (case passing .* to )?([A-Za-z0-9_]+)\(.* (passed|failed) after ([0-9.]+) seconds.*/\4 \2/p' "$log" \
        | awk '$1 > longest[$2] { longest[$2] = $1 } END { for (name in longest) print longest[name], name }' \
        | sort -rn | head -n 20
}

# What each lane took, in seconds.
lane_durations() {
    echo "==> the lanes took:"
    for lane in "${lanes[@]}"; do
        sed -nE "s/^. Test run with ([0-9]+) tests? .* after ([0-9]+)\\.[0-9]+ seconds.*/\\2 $lane (\\1 tests)/p" "$folder/$lane"
    done
}

# How many tests the runs in the log had, all together; nothing where one of them was cut off.
test_count() {
    local expected=$1
    sed -nE 's/^. Test run with ([0-9]+) tests? .*/\1/p' "$log" \
        | awk -v expected="$expected" '{ sum += $1 } END { if (NR == expected) print sum }'
}

# Priorities. Encoders that publish must not miss a frame; players and servers only wait a little longer; the rest takes the
# time that is left. In each step a process gets six times or more of what one of the next step gets.
punctual=0
patient=8
background=17

# Runs beside the other lanes, or once the lane $after has ended; its log is in the folder:
# begin_lane NAME PRIORITY OPTION…
begin_lane() {
    local name=$1 priority=$2
    shift 2
    lanes+=("$name")
    {
        [[ -z ${after:-} ]] || tail -f /dev/null --pid="${process[$after]}"
        exec nice -n "$priority" "${tests[@]}" "${options[@]}" "$@"
    } >"$folder/$name" 2>&1 &
    process[$name]=$!
}

nice -n "$background" python3 Scripts/check-docs.py >"$folder/docs" 2>&1 &
docs=$!

lanes=()
if (($# > 0)); then
    lanes=(all)
    run "$@" 2>&1 | tee "$log"
    status=${PIPESTATUS[0]}
else
    begin_lane publishing "$punctual" --filter "^EndToEndTests\\.EndToEnd/$publishing_suites"
    begin_lane playing "$patient" --filter '^EndToEndTests\.' --skip "/($publishing_suites|$library_suites|$conversion_suites)"
    begin_lane library "$background" --filter "^EndToEndTests\\.EndToEnd/$library_suites"
    begin_lane conversion "$background" --filter "^EndToEndTests\\.EndToEnd/$conversion_suites"
    begin_lane media "$background" --filter "$media_targets"
    begin_lane streaming "$background" --filter "$streaming_targets"
    after=streaming ANTENA_WITHOUT_FAST_PATHS=all begin_lane plain "$background" --filter "$plain_targets"
    begin_lane computing "$background" --skip "^EndToEndTests\\.|$media_targets|$streaming_targets"
    status=0
    for lane in "${lanes[@]}"; do
        echo "==> tests of the lane '$lane'; the others run beside it and are shown behind it"
        tail -n +1 -f --pid="${process[$lane]}" "$folder/$lane"
        wait "${process[$lane]}" || status=1
        cat "$folder/$lane" >>"$log"
    done
    lane_durations
fi

# A test more that has failed if the doc comments cannot be rendered: finish PASSED FAILED STATUS.
finish() {
    local passed=$1 failed=$2 status=$3
    if ! wait "$docs"; then
        echo "==> rendering the doc comments (Scripts/check-docs.py) failed:"
        head -n 100 "$folder/docs"
        failed=$((failed + 1))
        status=1
    fi
    echo "$passed passed, $failed failed"
    exit "$status"
}

slowest
mapfile -t names < <(failed_names)
count=$(test_count "${#lanes[@]}")
if ((status == 0)) && [[ -n $count ]]; then finish "$count" 0 0; fi

echo "==> what failed:"
failures
if [[ -z $count ]]; then
    echo "a run of tests was cut off; the last lines above say where"
    finish 0 1 1
fi
failed=${#names[@]}
# What belongs to no test, such as a suite that could not be made.
if ((failed == 0)); then finish "$count" 1 1; fi
if ((failed <= maximum_repeated)); then
    echo "==> once more, by themselves: ${names[*]}"
    run --filter "/($(IFS='|'; echo "${names[*]}"))\\(" 2>&1 | tee "$log"
    status_again=${PIPESTATUS[0]}
    repeated=$(test_count 1)
    if ((status_again == 0 && ${repeated:-0} >= failed)); then
        echo "==> UNSTABLE, passed only when run again: ${names[*]}"
        if ((failed <= unstable_limit)); then finish "$count" 0 0; fi
        finish "$count" 0 "$unstable_status"
    fi
fi
finish "$((count - failed))" "$failed" 1
