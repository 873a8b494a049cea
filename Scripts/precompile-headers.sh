#!/usr/bin/env bash
# Precompiles the headers of the C++ standard library, and prints the options with which a build uses them.
#
#   Scripts/precompile-headers.sh debug|release
#
# The C++ is that of two copies of BoringSSL. Their 526 files spend a third of the compiler's time on these headers. One
# copy defines _POSIX_C_SOURCE, which C++ overrides. Prints nothing if it does not work: the build takes longer then.
set -uo pipefail
cd "$(dirname "$0")/.."

case ${1:-} in
    debug) options=(-O0 -fno-omit-frame-pointer) ;;
    release) options=(-O2) ;;
    *)
        echo "usage: $0 debug|release" >&2
        exit 2
        ;;
esac
headers=$PWD/.build/standard-library-$1.pch
clang=$(dirname "$(realpath "$(command -v "${SWIFT:-swift}")")")/clang
mkdir -p .build
# Nothing is compiled again as long as the headers are newer than the compiler: each file depends on them.
if [[ ! $headers -nt $clang ]]; then
    printf '#include <%s>\n' stddef.h stdint.h stdio.h stdlib.h string.h assert.h errno.h inttypes.h limits.h \
        algorithm array atomic cstring functional iterator limits memory optional string_view tuple type_traits utility \
        variant vector |
        "$clang" -std=c++17 "${options[@]}" -g0 -fPIC -fblocks -Xclang -fpch-instantiate-templates \
            -x c++-header - -o "$headers.new" && mv "$headers.new" "$headers" || exit 0
fi
echo "-Xcxx -include-pch -Xcxx $headers -Xcxx -Xclang -Xcxx -fno-validate-pch"
