"""An object store on loopback, as benchmarks need one: rclone, and in front of it the proxy with faults."""
import json
import os
import shutil
import subprocess
import time
import urllib.request

from harness import OPENER, ROOT, free_port, wait_for

KEYS = {"AWS_ACCESS_KEY_ID": "benchmark", "AWS_SECRET_ACCESS_KEY": "benchmark-secret"}
BUCKET = "media"


def rclone():
    """The program: the one that Scripts/setup.sh installs, or the machine's own."""
    installed = os.path.join(ROOT, ".build", "object-stores", "bin", "rclone")
    program = installed if os.path.exists(installed) else shutil.which("rclone")
    if not program:
        raise SystemExit("rclone is not installed: Scripts/setup.sh test, or apt-get install rclone")
    return program


def start_store(programs, folder):
    """`rclone serve s3` with an empty bucket; its port. It checks signatures."""
    os.makedirs(os.path.join(folder, "buckets", BUCKET))
    port = free_port()
    log = open(os.path.join(folder, "rclone.log"), "w")
    programs.start(
        rclone(), "serve", "s3", "--config", "/dev/null", "--cache-dir", os.path.join(folder, "rclone"), "--addr",
        f"127.0.0.1:{port}", "--auth-key", ",".join(KEYS.values()), os.path.join(folder, "buckets"), stdout=log,
        stderr=log)

    def answers():
        try:
            OPENER.open(f"http://127.0.0.1:{port}/", timeout=5)
        except urllib.request.HTTPError:
            pass
        return True
    wait_for("rclone serves S3", answers)
    return port


class FaultyStore:
    """A proxy in front of the store, which misbehaves as it is told; see Tests/Support/faulty-store-proxy.py."""

    def __init__(self, programs, folder, upstream):
        self.faults = os.path.join(folder, "faults.json")
        process = programs.start(
            "python3", os.path.join(ROOT, "Tests", "Support", "faulty-store-proxy.py"), str(upstream), self.faults,
            stdout=subprocess.PIPE)
        self.port = int(process.stdout.readline())

    def set(self, **faults):
        with open(f"{self.faults}.new", "w", encoding="utf-8") as file:
            json.dump(faults, file)
        os.replace(f"{self.faults}.new", self.faults)


def address(port, prefix):
    return f"s3://{BUCKET}/{prefix}?endpoint=http://127.0.0.1:{port}&region=us-east-1&style=path"


def operator_json(server, path):
    request = urllib.request.Request(
        f"{server.origin}/api/v1/{path}", headers={"Authorization": f"Bearer {server.token}"})
    with OPENER.open(request, timeout=60) as reply:
        return json.load(reply)


def wait_until_moved(server, count, seconds=900):
    """Until so many files are in the store and none waits; the seconds that it took."""
    start = time.monotonic()

    def moved():
        status = operator_json(server, "media-store")
        return status["storedCount"] >= count and not status["waitingCount"]
    wait_for(f"{count} files are in the media store", moved, seconds=seconds, pause=0.5)
    return time.monotonic() - start
