#!/usr/bin/env python3
"""Shows that blocked operations do not delay others: a silent name server, one slow file call, links and mounts.

    stalls.py names ANTENA    a cold segment's time before and during two imports whose name server never answers
    stalls.py disk ANTENA     one title's stat, then a deletion's unlink, takes 8 s: what else answers, and when
    stalls.py mounts ANTENA   how soon a hard link and a bind mount in the media folder become titles

Runs the server on free loopback ports in temporary folders; needs root (a mount namespace, port 53 of a loopback
address), ffmpeg, and strace for `disk`. The exit status is 1 if something took too long. Standard library only.
"""
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

SLOW = 8.0
LIMIT = 1.0
NAME_SERVER = "127.0.0.9"


class Server:
    def __init__(self, antena, folder):
        self.media, self.data = f"{folder}/media", f"{folder}/data"
        for name in ("vod", "audio"):
            os.makedirs(f"{self.media}/{name}", exist_ok=True)
        shutil.copy(f"{os.path.dirname(__file__)}/../../channels.json", f"{folder}/channels.json")
        self.log = open(f"{folder}/log", "w")
        self.process = subprocess.Popen(
            [antena, "serve", "--http", "127.0.0.1:0", "--rtsp", "127.0.0.1:0", "--wowza-port", "off",
             "--media", self.media, "--data", self.data, "--channels", f"{folder}/channels.json",
             "--allow-private-imports", "--print-ports"],
            stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.port = json.loads(self.process.stdout.readline())["http"]

    def request(self, path, method="GET", body=None):
        """Returns status, body and duration in seconds of a request."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data=body, method=method)
        if body is not None:
            request.add_header("Content-Type", "application/json")
        token = f"{self.data}/operator-token"
        if os.path.exists(token):
            request.add_header("Authorization", f"Bearer {open(token).read().strip()}")
        begin = time.monotonic()
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.read(), time.monotonic() - begin
        except urllib.error.HTTPError as error:
            return error.code, error.read(), time.monotonic() - begin

    def until_ready(self, title, limit=30):
        begin = time.monotonic()
        while time.monotonic() - begin < limit:
            status, body, _ = self.request(f"/api/v1/titles/{title}")
            if status == 200 and json.loads(body).get("state") == "ready":
                return time.monotonic() - begin
            time.sleep(0.005)
        raise SystemExit(f"{title} is not ready after {limit} s")

    def segments(self, title):
        """Returns the paths of the video segments."""
        base = f"/vod/{title}/"
        text = self.request(base + "playlist.m3u8")[1].decode()
        video = next(line for line in text.splitlines() if line and not line.startswith("#"))
        text = self.request(base + video)[1].decode()
        return [base + line for line in text.splitlines() if line and not line.startswith("#")]

    def stop(self):
        self.process.terminate()
        self.process.wait()


def film(path, seconds=60):
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"testsrc2=size=640x360:rate=25:duration={seconds}",
         "-c:v", "libx264", "-preset", "ultrafast", "-g", "50", "-movflags", "+faststart", "-f", "mp4",
         f"{path}.part"], check=True)
    old = time.time() - 3600
    os.utime(f"{path}.part", (old, old))
    os.rename(f"{path}.part", path)


def evict(path):
    """Drops a file from the page cache, so that reading waits for the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    os.fsync(descriptor)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)


def timed(failures, what, seconds, status=200):
    print(f"{what:60} {seconds:7.3f} s  {status}")
    if seconds > LIMIT or status >= 500:
        failures.append(what)


def names(antena, folder, failures):
    resolver = f"{folder}/resolv.conf"
    with open(resolver, "w") as file:
        file.write(f"nameserver {NAME_SERVER}\n")
    subprocess.run(["mount", "--bind", resolver, os.path.realpath("/etc/resolv.conf")], check=True)
    silent = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    silent.bind((NAME_SERVER, 53))
    server = Server(antena, folder)
    try:
        path = f"{server.media}/vod/film.mp4"
        film(path)
        server.until_ready("film")
        segments = server.segments("film")
        evict(path)
        status, _, seconds = server.request(segments[0])
        timed(failures, "cold segment", seconds, status)
        for number in range(2):
            server.request("/api/v1/titles", "POST", json.dumps({"url": f"http://silent{number}.test/a.mp4"}).encode())
        time.sleep(1)
        for segment in segments[1:7]:
            evict(path)
            status, _, seconds = server.request(segment)
            timed(failures, "cold segment during two imports", seconds, status)
            time.sleep(1)
        for job in json.loads(server.request("/api/v1/jobs")[1]).get("items", []):
            print(f"import: {job.get('state')} {job.get('error') or ''}")
    finally:
        server.stop()


def during(server, failures, label, paths):
    """Runs all requests concurrently, because a blocked one would delay the next."""
    results = {}
    threads = [threading.Thread(target=lambda path=path: results.update({path: server.request(path)})) for path in paths]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for path in paths:
        status, _, seconds = results[path]
        timed(failures, f"{label}: {path}", seconds, status)


def disk(antena, folder, failures):
    server = Server(antena, folder)
    try:
        for name in ("slow", "film", "deleted"):
            film(f"{server.media}/vod/{name}.mp4", seconds=4)
        for name in ("slow", "film", "deleted"):
            server.until_ready(name)
            server.request(f"/vod/{name}/playlist.m3u8")
        # Workers make posters and storyboards; they must not be slowed down.
        time.sleep(8)
        others = ["/vod/film/playlist.m3u8", "/", "/videoclub", "/api/v1/titles", "/api/v1/jobs", "/healthz", "/readyz"]
        for name, calls, request in (
            ("slow", "newfstatat,stat,statx", ("/vod/slow/playlist.m3u8", "GET")),
            ("deleted", "unlink,unlinkat", ("/api/v1/titles/deleted", "DELETE")),
        ):
            path = f"{server.media}/vod/{name}.mp4"
            tracer = subprocess.Popen(
                ["strace", "-f", "-qq", "-o", f"{folder}/trace", "-p", str(server.process.pid), "-P", path,
                 "-e", f"trace={calls}", "-e", f"inject={calls}:delay_enter={int(SLOW * 1e6)}"])
            # A result of the probe stays valid for 2 s.
            time.sleep(3)
            results = []
            thread = threading.Thread(target=lambda: results.append(server.request(*request)))
            thread.start()
            time.sleep(0.5)
            during(server, failures, f"while {calls.split(',')[0]} of {name}.mp4 waits", others)
            is_held = thread.is_alive()
            tracer.terminate()
            tracer.wait()
            thread.join()
            print(f"{'the request itself: ' + ' '.join(request):60} {results[0][2]:7.3f} s  {results[0][0]}")
            if not is_held:
                failures.append("nothing was slow: strace could not delay the call")
    finally:
        server.stop()


def mounts(antena, folder, failures):
    os.makedirs(f"{folder}/elsewhere")
    film(f"{folder}/elsewhere/mounted.mp4", seconds=2)
    film(f"{folder}/linked.mp4", seconds=2)
    server = Server(antena, folder)
    try:
        time.sleep(4)
        os.link(f"{folder}/linked.mp4", f"{server.media}/vod/linked.mp4")
        timed(failures, "hard link", server.until_ready("linked"))
        os.makedirs(f"{server.media}/vod/disk")
        time.sleep(4)
        subprocess.run(["mount", "--bind", f"{folder}/elsewhere", f"{server.media}/vod/disk"], check=True)
        timed(failures, "bind mount", server.until_ready("mounted"))
        time.sleep(4)
        subprocess.run(["umount", f"{server.media}/vod/disk"], check=True)
        begin = time.monotonic()
        while server.request("/api/v1/titles/mounted")[0] == 200 and time.monotonic() - begin < 30:
            time.sleep(0.005)
        timed(failures, "unmounted", time.monotonic() - begin)
    finally:
        server.stop()


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("names", "disk", "mounts"):
        raise SystemExit(__doc__)
    if "STALLS_NAMESPACE" not in os.environ:
        os.environ["STALLS_NAMESPACE"] = "1"
        os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", sys.executable] + sys.argv)
    folder = tempfile.mkdtemp(prefix="antena-stalls-")
    failures = []
    try:
        {"names": names, "disk": disk, "mounts": mounts}[sys.argv[1]](os.path.abspath(sys.argv[2]), folder, failures)
    except BaseException:
        with open(f"{folder}/log") as log:
            sys.stderr.write("".join(log.readlines()[-20:]))
        raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if failures:
        raise SystemExit("too slow: " + "; ".join(failures))


if __name__ == "__main__":
    main()
