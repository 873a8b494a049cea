#!/usr/bin/env python3
"""A media store that is slow, fails one request in ten and goes away, as viewers, publishers and clients see it.

    python3 Benchmarks/media_store_faults.py BINARY [--seconds 600]

A camera pushes to a channel that is recorded; a viewer follows the channel's playlist and fetches each new segment, one
plays a title that is in the disk cache, one asks for random segments of a title that is not. Uploads come one after the
other. The store (`rclone serve s3` behind a proxy) is well for 60 s, answers each request 500 ms later for 60 s, fails
one request in ten for 60 s, is away for --seconds, and is well again. Printed is what each of them got in each phase, and
at the end whether every upload and recording that was acknowledged is in the store, byte for byte.

Needs ffmpeg and rclone.
"""
import argparse
import hashlib
import http.client
import itertools
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

from harness import OPENER, ROOT, Antena, Programs, fetch, ffmpeg, media_playlists, say, segment_urls, wait_for
from object_store import KEYS, FaultyStore, address, operator_json, start_store, wait_until_moved

CHANNEL = "canalA"
PHASE = 60  # s


class Client(threading.Thread):
    """Does something again and again; notes when, whether it worked, and the seconds that it took."""

    def __init__(self, act, pause):
        super().__init__(daemon=True)
        self.act, self.pause, self.results, self.stopped = act, pause, [], threading.Event()

    def run(self):
        while not self.stopped.wait(self.pause):
            start = time.monotonic()
            try:
                outcome = self.act() or "ok"
            except urllib.error.HTTPError as error:
                outcome = str(error.code)
            except (OSError, http.client.HTTPException) as error:
                outcome = type(getattr(error, "reason", error)).__name__
            self.results.append((start, outcome, time.monotonic() - start))

    def report(self, start, end):
        found = [result for result in self.results if start <= result[0] < end]
        counts = {}
        for _, outcome, _ in found:
            counts[outcome] = counts.get(outcome, 0) + 1
        times = sorted(seconds for _, _, seconds in found)
        if not times:
            return "nothing"
        words = ", ".join(f"{count} × {outcome}" for outcome, count in sorted(counts.items()))
        return f"{words}; median {statistics.median(times) * 1e3:.0f} ms, slowest {times[-1] * 1e3:.0f} ms"


class TitleViewer:
    """Fetches segments of a title; other bytes than the first time are an error."""

    def __init__(self, urls, choose):
        self.urls, self.choose, self.sums = urls, choose, {}

    def __call__(self):
        url = self.choose(self.urls)
        found = hashlib.sha256(fetch(url)).digest()
        return None if self.sums.setdefault(url, found) == found else "wrong bytes"


class LiveViewer:
    """Follows a live playlist and fetches each new segment; an old playlist is an error."""

    def __init__(self, url):
        self.url, self.seen, self.changed = url, set(), time.monotonic()

    def __call__(self):
        new = [url for url in segment_urls(self.url, fetch(self.url).decode()) if url not in self.seen]
        for url in new:
            fetch(url)
            self.seen.add(url)
        now = time.monotonic()
        if new:
            self.changed = now
        elif now - self.changed > 8:
            return "no new segment for 8 s"
        return None


class Uploads:
    """Uploads small films, each with another content, and notes those that were acknowledged."""

    def __init__(self, server, film):
        self.server, self.acknowledged = server, {}
        with open(film, "rb") as file:
            self.film = file.read()

    def __call__(self):
        name = f"upload-{len(self.acknowledged)}.mp4"
        box = os.urandom(32)
        body = self.film + (len(box) + 8).to_bytes(4, "big") + b"free" + box
        request = urllib.request.Request(
            f"{self.server.origin}/api/v1/titles?name={name}", data=body, method="POST",
            headers={"Authorization": f"Bearer {self.server.token}", "Content-Type": "video/mp4"})
        with OPENER.open(request, timeout=60) as reply:
            title = json.load(reply)
        self.acknowledged[title["id"]] = hashlib.sha256(body).hexdigest()


def post(server, path, body=None):
    request = urllib.request.Request(
        f"{server.origin}/api/v1/{path}", data=json.dumps(body).encode() if body is not None else b"", method="POST",
        headers={"Authorization": f"Bearer {server.token}", "Content-Type": "application/json"})
    with OPENER.open(request, timeout=600) as reply:
        return json.loads(reply.read() or b"null")


def film(path, seconds, rate, seed):
    ffmpeg("-f", "lavfi", "-i", f"testsrc2=size=640x360:rate=25:duration={seconds},noise=alls=20:allf=t:all_seed={seed}",
           "-c:v", "libx264", "-preset", "ultrafast", "-b:v", rate, "-g", "50", "-pix_fmt", "yuv420p", "-movflags",
           "+faststart", path)


def video_segments(server, title):
    lists = media_playlists(server.origin + title["playlist"])
    url, text = max(lists.items(), key=lambda item: len(fetch(segment_urls(*item)[0])))
    return segment_urls(url, text)


def ready_titles(server):
    return {title["id"]: title for title in server.api("titles?limit=100")["items"] if title["state"] == "ready"}


def all_titles(server):
    titles, cursor = [], ""
    while cursor is not None:
        page = server.api(f"titles?limit=100{cursor and '&cursor=' + cursor}")
        titles += page["items"]
        cursor = page["next"]
    return titles


def stored_sums(folder):
    """The SHA-256 of every object."""
    sums = set()
    for place, _, names in os.walk(os.path.join(folder, "buckets")):
        for name in names:
            with open(os.path.join(place, name), "rb") as file:
                sums.add(hashlib.file_digest(file, "sha256").hexdigest())
    return sums


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--seconds", type=float, default=600, help="that the store is away")
    parser.add_argument("--folder", help="where the temporary files go; 5 GB are needed")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="antena-faults-", dir=options.folder)
    programs = Programs()
    os.environ.update(KEYS)
    try:
        store = FaultyStore(programs, folder, start_store(programs, folder))
        server = Antena(
            programs, os.path.abspath(options.binary), folder, "antena",
            options=["--media-store", address(store.port, "library"), "--media-cache", "256M"])
        say("making two films")
        film(os.path.join(server.media, "vod", "watched.mp4"), 60, "2M", 1)
        film(os.path.join(folder, "minute.mp4"), 60, "8M", 2)
        ffmpeg("-stream_loop", "14", "-i", os.path.join(folder, "minute.mp4"), "-c", "copy", "-movflags", "+faststart",
               os.path.join(folder, "long.mp4"))
        os.rename(os.path.join(folder, "long.mp4"), os.path.join(server.media, "vod", "long.mp4"))
        film(os.path.join(folder, "small.mp4"), 4, "500k", 3)
        titles = wait_for("both titles play", lambda: len(found := ready_titles(server)) == 2 and found)
        say(f"in the store after {wait_until_moved(server, 2):.0f} s")
        watched, long = (video_segments(server, titles[name]) for name in ("watched", "long"))
        programs.start(
            "ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-re", "-f", "lavfi", "-i",
            "testsrc2=size=320x180:rate=25", "-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-g",
            "25", "-pix_fmt", "yuv420p", "-f", "rtsp", "-rtsp_transport", "tcp",
            f"rtsp://127.0.0.1:{server.rtsp}/live/{CHANNEL}.stream")
        live = f"{server.origin}/live/{CHANNEL}.stream/video.m3u8"
        wait_for("the channel is on air", lambda: b"#EXTINF" in fetch(live))
        positions = itertools.count()

        def record():
            post(server, f"channels/{CHANNEL}/recording", {"action": "start"})
            time.sleep(20)
            post(server, f"channels/{CHANNEL}/recording", {"action": "stop"})
        uploads = Uploads(server, os.path.join(folder, "small.mp4"))
        clients = {
            "live playlist and segments": Client(LiveViewer(live), 0.5),
            "cached title": Client(TitleViewer(watched, lambda urls: urls[next(positions) % len(urls)]), 0.25),
            "title that is not cached": Client(TitleViewer(long, random.choice), 1),
            "uploads": Client(uploads, 5),
            "recordings": Client(record, 10),
            "list of titles": Client(lambda: server.api("titles") and None, 0.5),
            "readiness": Client(lambda: fetch(f"{server.origin}/readyz") and None, 1),
        }
        for client in clients.values():
            client.start()
        phases = [("the store is well", {}, PHASE), ("500 ms before each answer", {"latency": 0.5}, PHASE),
                  ("one request in ten fails", {"failEvery": 10}, PHASE),
                  ("the store is away", {"away": "refuse"}, options.seconds), ("well again", {}, PHASE)]
        for name, faults, seconds in phases:
            say(name)
            store.set(**faults)
            start = time.monotonic()
            time.sleep(seconds)
            print(f"{name}, {seconds:.0f} s; memory {server.resident_megabytes():.0f} MB")
            for what, client in clients.items():
                print(f"    {what}: {client.report(start, time.monotonic())}", flush=True)
        for client in clients.values():
            client.stopped.set()
        clients["recordings"].join(60)
        start, missing = time.monotonic(), []

        def all_stored():
            sums = stored_sums(folder)
            missing[:] = [name for name, digest in uploads.acknowledged.items() if digest not in sums]
            return not missing and not operator_json(server, "media-store")["waitingCount"]
        try:
            wait_for("all are in the store", all_stored, seconds=300, pause=2)
        except SystemExit as error:
            print(error)
        titles = all_titles(server)
        lost = [name for name in uploads.acknowledged if name not in {title["id"] for title in titles}]
        unready = [title["id"] for title in titles if title["state"] != "ready"]
        recorded = len(titles) - len(uploads.acknowledged) - 2
        print(f"{len(titles)} titles: 2, {len(uploads.acknowledged)} uploads, {recorded} recordings; in the store "
              f"{time.monotonic() - start:.0f} s later")
        print(f"acknowledged uploads that are gone: {lost}; not ready: {unready}; not in the store as sent: {missing}")
        verified = subprocess.run(
            [options.binary, "media", "verify", "--read", "--server", server.origin], check=False, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, "ANTENA_TOKEN": server.token})
        print(verified.stdout.strip())
    finally:
        programs.end_all()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
