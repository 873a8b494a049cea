#!/usr/bin/env bash
# Runs PgBouncer in transaction mode in front of a PostgreSQL server of postgres-server.sh, on a Unix socket in a folder.
#
#   Tests/Support/pgbouncer.sh FOLDER SERVER_FOLDER
#
# Connect with postgres:///postgres?host=FOLDER&port=6432&user=antena
set -euo pipefail
folder=$(realpath -m "$1")
server=$2
command=$(command -v pgbouncer || echo /usr/sbin/pgbouncer)
[[ -x $command ]] || { echo "there is no PgBouncer; install it with: apt-get install pgbouncer" >&2; exit 1; }
mkdir -p "$folder"
cat >"$folder/pgbouncer.ini" <<INI
[databases]
postgres = host=$server dbname=postgres user=antena
[pgbouncer]
listen_addr =
listen_port = 6432
unix_socket_dir = $folder
auth_type = any
pool_mode = transaction
# Few server connections, so that a client's transactions move between them.
default_pool_size = 3
max_client_conn = 100
logfile =
pidfile =
INI
as_user=()
if ((EUID == 0)); then
    # PgBouncer refuses to run as root.
    as_user=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
    chown -R nobody:nogroup "$folder"
fi
exec "${as_user[@]}" "$command" -q "$folder/pgbouncer.ini"
