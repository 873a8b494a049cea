#!/usr/bin/env python3
"""Serves OpenStack Swift's s3api on a free loopback port, with the bucket `media`, until it is killed. Prints the port.

    .build/object-stores/bin/python Tests/Support/swift-server.py FOLDER

The four servers of Swift (proxy, account, container, object) run on one device, FOLDER/devices/one, with one replica and
a ring of their own. The access key is `test:tester`, the secret `test-secret`, and the region `us-east-1`.
"""
import ctypes
import os
import pwd
import signal
import socket
import subprocess
import sys
import threading
import time

import botocore.config
import botocore.exceptions
import botocore.session

USER, SECRET, REGION = "test:tester", "test-secret", "us-east-1"
BUCKET = "media"
PROGRAMS = os.path.dirname(os.path.abspath(sys.executable))
DEADLINE = 60  # s until the servers have to answer

COMMON = """
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = {port}
swift_dir = {folder}
user = {user}
devices = {folder}/devices
mount_check = false
workers = 0
log_level = WARNING
log_address = {folder}/no-syslog
fallocate_reserve = 0
"""
STORAGE = COMMON + """
[pipeline:main]
pipeline = {kind}-server

[app:{kind}-server]
use = egg:swift#{kind}
"""
PROXY = COMMON + """
[pipeline:main]
pipeline = catch_errors gatekeeper cache s3api tempauth slo proxy-server

[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
# Else ten requests that come before a server is ready close it off for a minute.
error_suppression_interval = 0

[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:cache]
use = egg:swift#memcache
# Nothing listens there: what Swift would keep in memcached, it looks up.
memcache_servers = 127.0.0.1:1
[filter:s3api]
use = egg:swift#s3api
location = {region}
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = {secret} .admin
[filter:slo]
use = egg:swift#slo
"""


def free_ports(count):
    probes = [socket.socket() for _ in range(count)]
    try:
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]
    finally:
        for probe in probes:
            probe.close()


def end_with_parent():
    """The children end when this program is killed (PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def make_ring(folder, kind, port):
    builder = os.path.join(folder, f"{kind}.builder")
    for arguments in (["create", "4", "1", "1"], ["add", f"r1z1-127.0.0.1:{port}/one", "1"], ["rebalance"]):
        done = subprocess.run([sys.executable, f"{PROGRAMS}/swift-ring-builder", builder, *arguments], check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        if done.returncode > 1:  # 1: a warning
            sys.exit(done.stdout)


def start(folder, kind, port, text):
    path = os.path.join(folder, f"{kind}-server.conf")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.format(folder=folder, kind=kind, port=port, secret=SECRET, region=REGION,
                               user=pwd.getpwuid(os.geteuid()).pw_name))
    log = open(os.path.join(folder, f"{kind}.log"), "w", encoding="utf-8")
    return subprocess.Popen([sys.executable, f"{PROGRAMS}/swift-{kind}-server", path, "--verbose"], stdout=log, stderr=log, preexec_fn=end_with_parent,
                            env={**os.environ, "SWIFT_DIR": folder})


def make_bucket(port, processes):
    client = botocore.session.get_session().create_client(
        "s3", endpoint_url=f"http://127.0.0.1:{port}", region_name=REGION, aws_access_key_id=USER,
        aws_secret_access_key=SECRET, config=botocore.config.Config(s3={"addressing_style": "path"}, proxies={}))
    deadline = time.monotonic() + DEADLINE
    while True:
        try:
            client.create_bucket(Bucket=BUCKET)
            return
        except (botocore.exceptions.BotoCoreError, botocore.exceptions.ClientError) as error:
            if time.monotonic() > deadline or any(process.poll() is not None for process in processes):
                sys.exit(f"Swift does not answer: {error}")
            time.sleep(0.1)


def main():
    folder = os.path.abspath(sys.argv[1])
    os.makedirs(os.path.join(folder, "devices", "one"), exist_ok=True)
    with open(os.path.join(folder, "swift.conf"), "w", encoding="utf-8") as file:
        file.write("[swift-hash]\nswift_hash_path_prefix = antena\nswift_hash_path_suffix = tests\n")
    kinds = ["account", "container", "object", "proxy"]
    ports = dict(zip(kinds, free_ports(len(kinds))))
    for kind in kinds[:3]:
        make_ring(folder, kind, ports[kind])
    processes = [start(folder, kind, ports[kind], PROXY if kind == "proxy" else STORAGE) for kind in kinds]
    make_bucket(ports["proxy"], processes)
    print(ports["proxy"], flush=True)
    threading.Event().wait()


main()
