#!/usr/bin/env bash
# Makes a self-signed certificate for trials of HTTPS and RTSPS on this machine and its network, and prints what to do
# with it. Clients have to be told to trust it; the public needs one from an authority.
#
#   Scripts/make-cert.sh [FOLDER]     (data/tls by default)
set -euo pipefail

folder=${1:-data/tls}
certificate=$folder/cert.pem
key=$folder/key.pem
# Apple's systems refuse a certificate that is valid for longer.
days=397

# What a viewer may write into the address: names and addresses of this machine.
names() {
    printf 'DNS:localhost\n'
    local name address
    for name in "$(hostname)" "$(hostname -f 2>/dev/null || true)"; do
        [[ $name =~ ^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$ ]] && printf 'DNS:%s\n' "$name"
    done
    printf 'IP:127.0.0.1\nIP:::1\n'
    for address in $(hostname -I 2>/dev/null || true); do
        printf 'IP:%s\n' "$address"
    done
}

if [[ -e $key || -e $certificate ]]; then
    printf 'antena: %s and %s exist; remove them to have others made\n' "$certificate" "$key" >&2
else
    mkdir -p "$folder"
    alternatives=$(names | awk '!seen[$0]++' | paste -sd, -)
    # The key is never readable by others, not even while it is written.
    umask 077
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -sha256 -nodes -days "$days" \
        -subj "/CN=$(hostname | cut -c 1-64)" -addext "subjectAltName=$alternatives" \
        -addext "extendedKeyUsage=serverAuth" -addext "basicConstraints=critical,CA:FALSE" \
        -keyout "$key.new" -out "$certificate.new" 2>/dev/null
    chmod 644 "$certificate.new"
    mv "$key.new" "$key"
    mv "$certificate.new" "$certificate"
    printf '==> %s and %s, for %s\n' "$certificate" "$key" "${alternatives//,/, }"
fi
cat <<END
==> serve HTTPS with it: https://localhost:8443

    .build/release/antena serve --tls-cert $certificate --tls-key $key
END
