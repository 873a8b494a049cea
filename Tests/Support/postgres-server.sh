#!/usr/bin/env bash
# Runs a PostgreSQL server of its own in a folder, for tests: on a Unix socket in that folder, without a TCP port, as a
# user without rights if started by root. Nothing else on the machine is touched. Ends with its process.
#
#   Tests/Support/postgres-server.sh FOLDER [SETTING=VALUE …]
#
# Connect with postgres:///postgres?host=FOLDER&user=antena
set -euo pipefail
folder=$(realpath -m "$1")
shift
programs=$(find /usr/lib/postgresql -mindepth 3 -maxdepth 3 -path '*/bin/postgres' 2>/dev/null | sort -V | tail -n 1)
[[ -n $programs ]] || { echo "there is no PostgreSQL server; install it with: apt-get install postgresql" >&2; exit 1; }
programs=$(dirname "$programs")
as_user=()
mkdir -p "$folder"
if ((EUID == 0)); then
    # PostgreSQL refuses to run as root.
    as_user=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
    chown nobody:nogroup "$folder"
fi
# The tests' data survives a kill of the server, but not a power cut, which no test makes.
settings=(
    -c listen_addresses= -c "unix_socket_directories=$folder" -c max_connections=300 -c max_locks_per_transaction=256
    -c shared_buffers=16MB
    -c synchronous_commit=on -c fsync=off -c full_page_writes=off -c log_min_messages=warning
)
for setting in "$@"; do settings+=(-c "$setting"); done
cd "$folder"
if [[ ! -e $folder/data/PG_VERSION ]]; then
    "${as_user[@]}" "$programs/initdb" --pgdata="$folder/data" --username=antena --auth=trust --encoding=UTF8 \
        --locale=C.UTF-8 --no-sync --no-instructions >"$folder/initdb.log" 2>&1 || { cat "$folder/initdb.log" >&2; exit 1; }
fi
exec "${as_user[@]}" "$programs/postgres" -D "$folder/data" "${settings[@]}"
