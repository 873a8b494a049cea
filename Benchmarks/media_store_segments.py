#!/usr/bin/env python3
"""Random segments of a title in the server's folder, in the disk cache of a media store, and in the store itself.

    python3 Benchmarks/media_store_segments.py --binary .build/release/antena --rounds 9

Three servers have the same hour of video of 1.2 GB. One has it in its folder; one in an S3 store (`rclone serve s3` on
loopback) with a cache that holds all of it; one in the same store with a cache of 256 MiB, so that about four of five
segments come from the store. They are asked in turns. With --latency the third one's store answers each request that
much later, through a proxy.

Needs wrk, ffmpeg and rclone.
"""
import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

from delivery import PICK_SEGMENTS, make_hour
from harness import ROOT, Antena, Programs, fetch, media_playlists, run, say, segment_urls, wait_for
from object_store import KEYS, FaultyStore, address, start_store, wait_until_moved
from processor_time import UNITS, processor_seconds, steal

CONNECTIONS = 4
PLACES = {"folder": "the server's folder", "cache": "the disk cache", "store": "the S3 store, four of five segments"}
MILLISECONDS = {"us": 0.001, "ms": 1.0, "s": 1000.0, "m": 60_000.0}


def load(origin, seconds, listing):
    """Requests, bytes, and the median and 99th percentile in ms of one run of wrk."""
    text = run("wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--timeout", "30s", "--latency", "-s", PICK_SEGMENTS,
               origin, env={**os.environ, "SEGMENTS": listing}).decode()
    if "Non-2xx" in text or "Socket errors" in text:
        raise SystemExit(f"{origin} answers with errors:\n{text}")
    requests, size, unit = re.search(r"(\d+) requests in [\d.]+\w+, ([\d.]+)(\w+) read", text).groups()
    times = [float(value) * MILLISECONDS[unit] for value, unit in
             (re.search(rf"{share}%\s+([\d.]+)(\w+)", text).groups() for share in (50, 99))]
    return int(requests), float(size) * UNITS[unit], *times


def measure(server, seconds, listing):
    before = processor_seconds(server.process.pid)
    requests, size, median, slow = load(server.origin, seconds, listing)
    spent = processor_seconds(server.process.pid) - before
    return {"rate": size / seconds / 1e6, "median": median, "slow": slow, "processor": spent / (size / 1e9),
            "requests": requests}


def add_title(server, hour):
    target = os.path.join(server.media, "vod", "hour.mp4")
    # A copy: a file that moves to the store is deleted here.
    subprocess.run(["cp", "--reflink=auto", hour, target], check=True)


def playing_title(server):
    def ready():
        return next((item for item in server.api("titles")["items"] if item["state"] == "ready"), None)
    return wait_for("the title is ready", ready)


def segment_paths(server):
    lists = media_playlists(server.origin + playing_title(server)["playlist"])
    url, text = max(lists.items(), key=lambda item: len(fetch(segment_urls(*item)[0])))
    return [path[len(server.origin):].split("?")[0] for path in segment_urls(url, text)]


def cell(values, form):
    return f"{form(statistics.median(values))} ({form(min(values))} to {form(max(values))})"


def table(results, latency):
    lines = ["| segments from | MB/s | median | 99th percentile | processor time |", "| --- | --- | --- | --- | --- |"]
    for place, rounds in results.items():
        words = PLACES[place] + (f", {latency * 1e3:.0f} ms each" if place == "store" and latency else "")
        lines.append(f"| {words} | " + " | ".join([
            cell([one["rate"] for one in rounds], lambda value: f"{value:.0f}"),
            cell([one["median"] for one in rounds], lambda value: f"{value:.1f} ms"),
            cell([one["slow"] for one in rounds], lambda value: f"{value:.0f} ms"),
            cell([one["processor"] for one in rounds], lambda value: f"{value:.2f} s/GB")]) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.path.join(ROOT, ".build/release/antena"))
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=int, default=4, help="of one run")
    parser.add_argument("--latency", type=float, default=0, help="seconds before each answer of the store")
    parser.add_argument("--folder", help="where the temporary files go; 7 GB are needed")
    arguments = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="antena-segments-", dir=arguments.folder)
    programs, begin = Programs(), steal()
    os.environ.update(KEYS)
    try:
        port = start_store(programs, folder)
        slow = FaultyStore(programs, folder, port)
        hour = make_hour(folder)
        options = {
            "folder": [],
            "cache": ["--media-store", address(port, "cached"), "--media-cache", "4G"],
            "store": ["--media-store", address(slow.port if arguments.latency else port, "stored"), "--media-cache",
                      "256M"],
        }
        servers = {place: Antena(programs, arguments.binary, folder, place, options=option)
                   for place, option in options.items()}
        listings, expected = {}, None
        for place, server in servers.items():
            add_title(server, hour)
            # The names hold the revision of the file, which is each server's own.
            paths = segment_paths(server)
            listings[place] = os.path.join(folder, f"{place}.txt")
            with open(listings[place], "w", encoding="utf-8") as file:
                file.write("\n".join(paths))
            if place != "folder":
                say(f"in the store after {wait_until_moved(server, 1):.0f} s")
            # Fills the cache, too.
            answers = [hash(fetch(server.origin + path)) for path in paths]
            if expected not in (None, answers):
                raise SystemExit(f"the bytes from {PLACES[place]} differ")
            expected = answers
        slow.set(latency=arguments.latency)
        results = {place: [] for place in servers}
        for round_number in range(arguments.rounds + 1):
            for place, server in servers.items():
                one = measure(server, arguments.seconds if round_number else 1, listings[place])
                if round_number:
                    results[place].append(one)
        end = steal()
        share = (end[0] - begin[0]) / max(1, end[1] - begin[1])
        print(table(results, arguments.latency))
        print(f"\nmedian (minimum to maximum) of {arguments.rounds} rounds of {arguments.seconds} s, {CONNECTIONS} "
              f"connections; processor time of the server alone; load {os.getloadavg()[1]:.1f} in the last 5 minutes; "
              f"steal {share:.1%}")
    finally:
        programs.end_all()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
