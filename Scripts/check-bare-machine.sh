#!/usr/bin/env bash
# Runs `make run` and `make test` as a newcomer would: on a bare Debian 12 in a folder of its own, with a Swift toolchain
# and nothing else that Antena needs, from a fresh clone of HEAD. Done before each release (CONTRIBUTING.md).
#
#   Scripts/check-bare-machine.sh [--as root|user] [--folder FOLDER] [--keep] [run|test|ci|TARGET=VALUE …]
#
#   --as root|user    who calls make: root (the default), or an ordinary user with sudo
#   --folder FOLDER   where the system goes, instead of a new folder in /var/tmp; 15 GB are needed
#   --keep            leaves the system there; a kept one in FOLDER is used again, with a new clone
#   run, test, ci     only this command (ci: `.ci/run`, which is `make test` with CI's settings);
#                     others, such as TESTS=ZIPWriterTests, go to `make test`
#
# Needs root and the package debootstrap. This machine's settings of apt, pip and git go along, so that packages come from
# where this machine gets them; of the rest of this machine the system sees only processor, memory and network.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
here=$PWD
fail() {
    printf 'check-bare-machine.sh: %s\n' "$*" >&2
    exit 1
}
say() { printf '==> %s\n' "$*"; }

as=root folder= keep= wanted=() make_arguments=()
while (($# > 0)); do
    case $1 in
        --as) as=${2:-}; shift ;;
        --folder) folder=${2:-}; shift ;;
        --keep) keep=yes ;;
        run | test | ci) wanted+=("$1") ;;
        *=*) make_arguments+=("$1") ;;
        *) fail "$1 is not known; the head of this script lists the options" ;;
    esac
    shift
done
((${#wanted[@]} > 0)) || wanted=(run test)
[[ $as == root || $as == user ]] || fail "--as takes root or user"
((EUID == 0)) || fail "making a system in a folder takes root"
command -v debootstrap >/dev/null || fail "debootstrap is missing: apt-get install debootstrap"
swift=$(realpath "$(command -v "${SWIFT:-swift}")") || fail "there is no Swift toolchain in PATH"
toolchain=${swift%/usr/bin/*}
[[ $toolchain != "" && -d $toolchain/usr/lib/swift ]] || fail "$swift is not in a toolchain's usr/bin"

folder=${folder:-$(mktemp -d /var/tmp/antena-bare-XXXXXX)}
folder=$(realpath -m "$folder")
root=$folder/root
mkdir -p "$folder"
clean_up() { [[ -n $keep ]] || rm -rf --one-file-system "$folder"; }
trap clean_up EXIT

# The folders that this machine's git uses instead of a host, which must be seen from inside.
mirrors=()
while read -r mirror; do
    [[ $mirror == /* && -d $mirror ]] && mirrors+=("${mirror%/}")
done < <(git config --get-regexp '^url\..*\.insteadof$' 2>/dev/null | sed -E 's/^url\.(.*)\.insteadof .*/\1/' | sort -u)

# Copies files of this machine to the same paths in the system, if they are there.
bring() {
    local path
    for path in "$@"; do
        [[ -e $path ]] || continue
        mkdir -p "$root$(dirname "$path")"
        cp -rL "$path" "$root$(dirname "$path")/"
    done
}

make_system() {
    local mirror
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Codename: bookworm' | head -n 1)
    say "debootstrap of a minimal Debian 12 into $root"
    debootstrap --variant=minbase bookworm "$root" ${mirror:+"$mirror"} >"$folder/debootstrap.log" 2>&1 \
        || { tail -n 20 "$folder/debootstrap.log" >&2; fail "debootstrap failed"; }
    rm -f "$root/etc/apt/sources.list"
    bring /etc/apt/sources.list /etc/apt/sources.list.d /etc/apt/apt.conf.d /etc/apt/trusted.gpg.d /etc/apt/keyrings \
        /usr/share/keyrings /usr/local/share/ca-certificates /etc/pip.conf /etc/gitconfig /etc/resolv.conf /etc/hosts
    # What a clone by hand takes: git, make, certificates; and sudo for an ordinary user.
    inside root / "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
        make git ca-certificates sudo >/dev/null && useradd --create-home --shell /bin/bash newcomer \
        && echo 'newcomer ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/newcomer"
    if ((${#mirrors[@]} > 0)); then inside root / "git config --system --replace-all safe.directory '*'"; fi
    touch "$folder/is-complete"
}

# Runs a shell command in the system, in namespaces of its own, so that everything that it leaves running ends with it,
# and with this script: inside USER FOLDER COMMAND. The root is pivoted, not changed by chroot, because browsers make user namespaces.
inside() {
    local user=$1 place=$2 command=$3
    local variables=(PATH="$toolchain/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" LANG=C.UTF-8
        USER="$user" HOME="$([[ $user == root ]] && echo /root || echo "/home/$user")" TERM=dumb)
    local name
    # How packages are reached.
    for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY PIP_INDEX_URL PIP_EXTRA_INDEX_URL; do
        [[ -z ${!name:-} ]] || variables+=("$name=${!name}")
    done
    setpriv --pdeathsig KILL unshare --mount --pid --ipc --uts --fork --kill-child --propagation private bash -euc '
        root=$1 user=$2 place=$3 command=$4 toolchain=$5
        shift 5
        mount --bind "$root" "$root"
        for folder in "$toolchain" '"${mirrors[*]@Q}"'; do
            mkdir -p "$root$folder"
            mount --rbind "$folder" "$root$folder"
            mount -o remount,bind,ro "$root$folder"
        done
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
        mount -t sysfs -o ro sysfs "$root/sys"
        mkdir -p "$root/.machine"
        cd "$root"
        pivot_root . .machine
        umount -l /.machine
        exec setpriv --reuid "$user" --regid "$(id -g "$user")" --init-groups -- \
            env -i "$@" bash -c "cd \"\$0\" || exit; $command" "$place"
    ' -- "$root" "$user" "$place" "$command" "$toolchain" "${variables[@]}"
}

[[ -e $folder/is-complete ]] || make_system
user=$([[ $as == root ]] && echo root || echo newcomer)
home=$([[ $as == root ]] && echo /root || echo /home/newcomer)
clone=$home/antena
rm -rf --one-file-system "${root:?}$clone"
say "cloning $(git rev-parse --short HEAD) as $user"
git clone --quiet --no-hardlinks "$here" "$root$clone"
chown -R --reference "$root$home" "$root$clone"

# Serves, asks once from inside, and is ended by Ctrl-C.
serve_once='setsid env --default-signal=INT make run >run.log 2>&1 & make=$!
    for ((second = 0; second < 3600; second++)); do
        if (exec 3<>/dev/tcp/127.0.0.1/8080 && printf "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" >&3 \
            && head -n 1 <&3 | grep "200 OK") 2>/dev/null; then
            echo "make run: serving after $second s"
            tail -n 3 run.log; kill -INT -- -$make; wait $make
            # make itself ends by the signal, whatever the server did.
            grep -q "server stopped" run.log && echo "make run: ended by Ctrl-C"; exit
        fi
        kill -0 $make 2>/dev/null || break
        sleep 1
    done
    tail -n 50 run.log; echo "make run: not serving"; exit 1'

status=0
for command in "${wanted[@]}"; do
    line="make $command"
    [[ $command == ci ]] && line=.ci/run
    [[ $command == test ]] && line+=" ${make_arguments[*]@Q}"
    say "$line, as $user, on a bare Debian 12"
    if [[ $command == run ]]; then
        inside "$user" "$clone" "$serve_once" || status=1
    else
        inside "$user" "$clone" "$line" >"$folder/test.log" 2>&1 || status=1
        tail -n 30 "$folder/test.log"
    fi
done
((status == 0)) && say "both hold on a bare machine" || say "a bare machine has failed; the log of the tests is test.log in $folder"
((status == 0)) || keep=yes
exit "$status"
