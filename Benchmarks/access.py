#!/usr/bin/env python3
"""What it costs to find out who may: the decision itself, a signature in the path of a segment, and a log-in.

    python3 Benchmarks/access.py --binary .build/release/antena --benchmark .build/release/access-benchmark --pairs 9

Two servers with the same title, one public and one for members, send the same segment in turns: by its plain path, and
by a path with a signature. Log-ins come one after the other on a few connections, with the right password. Needs wrk and
ffmpeg.
"""
import argparse
import concurrent.futures
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

from harness import OPENER, ROOT, Antena, Programs, fetch, ffmpeg, media_playlists, run, segment_urls, wait_for
from processor_time import Report, Side, in_turns, processor_seconds, steal

PASSWORD = "correct horse battery"


def channels_for_members(folder):
    with open(os.path.join(ROOT, "channels.json"), encoding="utf-8") as file:
        channels = json.load(file)
    channels["viewing"] = {"vod": "members"}
    channels["accounts"] = {"apiRequests": 100_000}
    path = os.path.join(folder, "channels.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(channels, file)
    return path


def post(server, path, body, token=None):
    request = urllib.request.Request(server.origin + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    with OPENER.open(request, timeout=60) as reply:
        return json.load(reply)


def token_of(server):
    with open(os.path.join(os.path.dirname(server.media), "data", "operator-token"), encoding="ascii") as file:
        return file.read().strip()


def title(server, film):
    os.link(film, os.path.join(server.media, "vod", "film.mp4"))
    request = urllib.request.Request(server.origin + "/api/v1/titles", headers={"Authorization": f"Bearer {token_of(server)}"})

    def ready():
        with OPENER.open(request, timeout=60) as reply:
            return next((item for item in json.load(reply)["items"] if item["state"] == "ready"), None)
    return wait_for("the title is ready", ready)


def video_segment(origin, playlist):
    lists = media_playlists(origin + playlist)
    url, text = max(lists.items(), key=lambda item: len(fetch(segment_urls(*item)[0])))
    address = segment_urls(url, text)[0]
    return address[len(origin):], len(fetch(address))


def decisions(benchmark, rounds):
    results = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            results.append(json.loads(run(benchmark, folder)))
    for name in results[0]:
        values = [result[name] for result in results]
        unit, factor = ("", 1) if name.startswith("share") else (" ns", 1) if max(values) < 1e6 else (" ms", 1e-6)
        spread = [value * factor for value in (statistics.median(values), min(values), max(values))]
        print(f"{name}: {spread[0]:.3g}{unit} ({spread[1]:.3g} to {spread[2]:.3g})", flush=True)


def log_ins(server, count, connections):
    names = [f"ana{connections}-{number}" for number in range(connections)]
    for name in names:
        post(server, "/api/v1/users", {"username": name, "password": PASSWORD, "role": "member"}, token_of(server))

    def some(name):
        times = []
        for _ in range(count // connections):
            begin = time.monotonic()
            post(server, "/api/v1/session", {"username": name, "password": PASSWORD})
            times.append(time.monotonic() - begin)
        return times
    before = processor_seconds(server.process.pid)
    with concurrent.futures.ThreadPoolExecutor(connections) as pool:
        times = sorted(sum(pool.map(some, names), []))
    spent = (processor_seconds(server.process.pid) - before) / len(times)
    print(f"{len(times)} log-ins on {connections} connections: median {times[len(times) // 2] * 1e3:.0f} ms, 99th "
          f"percentile {times[len(times) * 99 // 100] * 1e3:.0f} ms, {spent * 1e3:.0f} ms of processor time each", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.path.join(ROOT, ".build/release/antena"))
    parser.add_argument("--benchmark", default=os.path.join(ROOT, ".build/release/access-benchmark"))
    parser.add_argument("--pairs", type=int, default=9)
    parser.add_argument("--seconds", type=int, default=4, help="of one run")
    parser.add_argument("--log-ins", type=int, default=200, help="0 for none")
    arguments = parser.parse_args()
    for tool in ["wrk", "ffmpeg"]:
        if shutil.which(tool) is None:
            sys.exit(f"{tool} is not installed: Scripts/setup.sh bench")
    folder = tempfile.mkdtemp(prefix="antena-access-")
    programs, report, begin = Programs(), Report(), steal()
    try:
        decisions(arguments.benchmark, 5)
        film = os.path.join(folder, "film.mp4")
        ffmpeg("-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=30:duration=30,noise=alls=12:allf=t", "-c:v", "libx264",
               "-preset", "ultrafast", "-g", "60", "-b:v", "900k", "-maxrate", "900k", "-bufsize", "900k", "-pix_fmt",
               "yuv420p", film)
        public = Antena(programs, arguments.binary, folder, "public")
        members = Antena(programs, arguments.binary, folder, "members", channels=channels_for_members(folder))
        plain, size = video_segment(public.origin, title(public, film)["playlist"])
        path = title(members, film)["playlist"]
        link = post(members, "/api/v1/links", {"name": "benchmark", "path": path, "expiresIn": 86_400}, token_of(members))["link"]
        signed, signed_size = video_segment(members.origin, "/signed/" + link.split("/signed/", 1)[1])
        assert signed.startswith("/signed/") and signed_size == size, (signed, signed_size, size)
        sides = [Side("signed", members.process.pid, members.origin), Side("public", public.process.pid, public.origin)]

        class OwnPath(Side):
            """Asks its own server for its own path."""

            def measure(self, path, connections, seconds, environment=None):
                return super().measure(self.own, connections, seconds, environment)
        for side, own in zip(sides, (signed, plain)):
            side.__class__, side.own = OwnPath, own
        for connections in (16, 64):
            report.add(f"a segment of {size // 1000} KB, signed / public, {connections} connections", "none", "request",
                       in_turns(arguments.pairs, sides, lambda: (None, None), connections, arguments.seconds))
        for connections in (1, 2, 8) if arguments.log_ins else ():
            log_ins(members, arguments.log_ins, connections)
    finally:
        programs.end_all()
        shutil.rmtree(folder, ignore_errors=True)
    end = steal()
    print(f"\n{report.text().replace('nginx', 'public').replace('Antena', 'signed')}\n\nload {os.getloadavg()[1]:.1f}; "
          f"steal {(end[0] - begin[0]) / max(1, end[1] - begin[1]):.1%}")


if __name__ == "__main__":
    main()
