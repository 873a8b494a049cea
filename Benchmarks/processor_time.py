#!/usr/bin/env python3
"""Processor time that Antena and nginx (`sendfile`) need for the same delivery over HTTP/1.1 on loopback.

Both serve the same bytes, in turns; the processor time is that of the server's process and nginx's workers, from the
scheduler's own count (/proc/PID/stat), threads and children that have ended included. It depends far less on what else
the machine does than a rate does.
With --neighbour everything is measured a second time beside a program that keeps the memory busy.

    python3 Benchmarks/processor_time.py --binary .build/release/antena --pairs 9 --neighbour

Needs nginx, wrk and ffmpeg; stress-ng for --neighbour.
"""
import argparse
import glob
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from delivery import PICK_SEGMENTS, make_hour, start_nginx
from harness import ROOT, Antena, Programs, fetch, ffmpeg, media_playlists, run, say, segment_urls, wait_for

UNITS = {"KB": 2**10, "MB": 2**20, "GB": 2**30, "TB": 2**40}


def processes(pid):
    """The process and its children."""
    children = []
    for path in glob.glob(f"/proc/{pid}/task/*/children"):
        try:
            with open(path, encoding="ascii") as file:
                children += file.read().split()
        except OSError:
            pass  # the thread has ended
    return [str(pid), *children]


def processor_seconds(pid):
    """All that the process, its threads and its children have used. The sum of /proc/PID/task would lose the time of
    threads that end in between, as those of an idle pool do."""
    total = 0
    for one in processes(pid):
        with open(f"/proc/{one}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        # utime, stime, and the same of children that were waited for.
        total += sum(int(value) for value in fields[11:15])
    return total / os.sysconf("SC_CLK_TCK")


def steal():
    """Share of the machine's time that the hypervisor has given to others so far, as ticks: stolen, all."""
    with open("/proc/stat", encoding="ascii") as file:
        ticks = [int(value) for value in file.readline().split()[1:9]]
    return ticks[7], sum(ticks)


def load(origin, path, connections, seconds, environment=None):
    """Requests and bytes of one run of wrk."""
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "30s"]
    command += ["-s", PICK_SEGMENTS] if environment else []
    text = run(*command, origin + path, env={**os.environ, **(environment or {})}).decode()
    if "Non-2xx" in text:
        raise SystemExit(f"{origin}{path} answers with errors:\n{text}")
    requests, size, unit = re.search(r"(\d+) requests in [\d.]+\w+, ([\d.]+)(\w+) read", text).groups()
    return int(requests), float(size) * UNITS[unit]


class Side:
    def __init__(self, name, pid, origin):
        self.name, self.pid, self.origin = name, pid, origin

    def measure(self, path, connections, seconds, environment=None):
        """Processor time of a request and of a gigabyte, and requests a second."""
        before = processor_seconds(self.pid)
        requests, size = load(self.origin, path, connections, seconds, environment)
        spent = processor_seconds(self.pid) - before
        return {"request": spent / requests * 1e6, "gigabyte": spent / (size / 1e9), "rate": requests / seconds}


class Report:
    def __init__(self):
        self.lines = []

    def add(self, work, condition, unit, pairs):
        ours, others = [pair[0][unit] for pair in pairs], [pair[1][unit] for pair in pairs]
        ratios = [one / other for one, other in zip(ours, others)]
        form = (lambda value: f"{value:.1f} µs") if unit == "request" else (lambda value: f"{value:.3f} s/GB")
        rates = statistics.median(pair[0]["rate"] / pair[1]["rate"] for pair in pairs)
        self.lines.append(
            f"| {work} | {condition} | {self.spread(ours, form)} | {self.spread(others, form)} "
            f"| {self.spread(ratios, lambda value: f'{value:.2f}')} | {rates:.2f} |")
        print(self.lines[-1], flush=True)

    @staticmethod
    def spread(values, form):
        return f"{form(statistics.median(values))} ({form(min(values))} to {form(max(values))})"

    def text(self):
        return "\n".join([
            "| work | neighbour | Antena's processor time | nginx's | ratio of pairs | rate of Antena / nginx |",
            "| --- | --- | --- | --- | --- | --- |", *self.lines])


def in_turns(pairs, sides, prepare, connections, seconds):
    """One warm-up of each, then A B A B; `prepare` gives the path, and wrk's environment."""
    results = []
    for index in range(pairs + 1):
        path, environment = prepare()
        pair = [side.measure(path, connections, seconds if index else 1, environment) for side in sides]
        if index:
            results.append(pair)
    return results


def mirror(www, server, address):
    """nginx gets the same bytes; the path of both."""
    path = address[len(server.origin):].split("?")[0]
    target = www + path
    os.makedirs(os.path.dirname(target), exist_ok=True)
    data = fetch(address)
    with open(target, "wb") as file:
        file.write(data)
    return path, len(data)


def title_segments(server, www, hour):
    os.link(hour, os.path.join(server.media, "vod", "hour.mp4"))

    def ready():
        return next((item for item in server.api("titles")["items"] if item["state"] == "ready"), None)
    title = wait_for("the title is ready", ready)
    lists = media_playlists(server.origin + title["playlist"])
    url, text = max(lists.items(), key=lambda item: len(fetch(segment_urls(*item)[0])))
    paths = [mirror(www, server, address)[0] for address in segment_urls(url, text)]
    listing = os.path.join(os.path.dirname(www), "segments.txt")
    with open(listing, "w", encoding="utf-8") as file:
        file.write("\n".join(paths))
    return "/", {"SEGMENTS": listing}


def publish(programs, server, folder):
    """A channel that is live, from a file that was encoded before, so that the encoder takes no processor time."""
    source = os.path.join(folder, "push.mp4")
    ffmpeg("-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=30:duration=20,noise=alls=12:allf=t", "-f", "lavfi", "-i",
           "sine=sample_rate=48000:duration=20", "-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-g",
           "60", "-b:v", "2560k", "-maxrate", "2560k", "-bufsize", "2560k", "-pix_fmt", "yuv420p", "-c:a", "aac", source)
    programs.start(
        "ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-re", "-stream_loop", "-1", "-i", source, "-c", "copy",
        "-f", "rtsp", "-rtsp_transport", "tcp", f"rtsp://127.0.0.1:{server.rtsp}/live/canalA.stream")
    master = f"{server.origin}/live/canalA.stream/playlist.m3u8"

    def full_window():
        lists = media_playlists(master)
        return lists if all(len(segment_urls(*item)) >= 7 for item in lists.items()) else None
    lists = wait_for("a full live window", full_window)
    return max(lists.items(), key=lambda item: len(fetch(segment_urls(*item)[-1])))[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.path.join(ROOT, ".build/release/antena"))
    parser.add_argument("--pairs", type=int, default=9)
    parser.add_argument("--seconds", type=int, default=4, help="of one run")
    parser.add_argument("--neighbour", action="store_true", help="a second time beside `stress-ng --stream 1`")
    parser.add_argument("--only", choices=["title", "live", "playlist"], action="append")
    parser.add_argument("--folder", help="where the temporary files go; 3 GB are needed")
    parser.add_argument("--output", help="a file for the table, as Markdown")
    arguments = parser.parse_args()
    for tool in ["nginx", "wrk", "ffmpeg"] + (["stress-ng"] if arguments.neighbour else []):
        if shutil.which(tool, path=os.environ["PATH"] + ":/usr/sbin") is None:
            sys.exit(f"{tool} is not installed: Scripts/setup.sh bench, or apt-get install {tool}")
    wanted = arguments.only or ["title", "live", "playlist"]
    folder = tempfile.mkdtemp(prefix="antena-processor-", dir=arguments.folder)
    os.chmod(folder, 0o755)
    www = os.path.join(folder, "www")
    os.makedirs(www)
    programs, report = Programs(), Report()
    begin = steal()
    try:
        origin = start_nginx(programs, folder, www)
        nginx = Side("nginx", programs.started[-1].pid, origin)
        server = Antena(programs, arguments.binary, folder, "serving")
        sides = [Side("Antena", server.process.pid, server.origin), nginx]
        titles = title_segments(server, www, make_hour(folder)) if "title" in wanted else None
        playlist = publish(programs, server, folder) if {"live", "playlist"} & set(wanted) else None

        def newest_segment():
            # One that stays in the window while both are measured.
            return mirror(www, server, segment_urls(playlist, fetch(playlist).decode())[-1])[0], None

        def newest_playlist():
            return mirror(www, server, playlist)[0], None
        for neighbour in ["none"] + (["stress-ng --stream 1"] if arguments.neighbour else []):
            busy = programs.start(*neighbour.split(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) \
                if neighbour != "none" else None
            if "title" in wanted:
                report.add("random title segments, 2 MB, 16 connections", neighbour, "gigabyte",
                           in_turns(arguments.pairs, sides, lambda: titles, 16, arguments.seconds))
            for connections in (16, 64) if "live" in wanted else ():
                report.add(f"live segment, 640 KB, {connections} connections", neighbour, "gigabyte",
                           in_turns(arguments.pairs, sides, newest_segment, connections, arguments.seconds))
            if "playlist" in wanted:
                report.add("live playlist, 64 connections", neighbour, "request",
                           in_turns(arguments.pairs, sides, newest_playlist, 64, arguments.seconds))
            if busy:
                programs.end(busy)
                time.sleep(1)
    finally:
        programs.end_all()
        shutil.rmtree(folder, ignore_errors=True)
    end = steal()
    share = (end[0] - begin[0]) / max(1, end[1] - begin[1])
    text = f"{report.text()}\n\nmedian (minimum to maximum) of {arguments.pairs} pairs of {arguments.seconds} s; " \
           f"load {os.getloadavg()[1]:.1f} in the last 5 minutes; steal {share:.1%}\n"
    print(f"\n{text}")
    if arguments.output:
        with open(arguments.output, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
