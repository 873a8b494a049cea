#!/usr/bin/env python3
"""Measures the server's memory with connections that request media and do not read it.

Starts `antena serve` with a title of 40 Mbit/s (or takes a running server), opens many connections that each ask for a
segment and never read, and prints the server's resident memory while they last. The exit status is 1 if the memory has
grown by more than --limit.

    python3 Tests/Support/unread-connections.py --antena .build/debug/antena
    python3 Tests/Support/unread-connections.py --pid 1234 --origin http://127.0.0.1:8080 --playlist /vod/film/playlist.m3u8
"""
import argparse
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

OPENER = urllib.request.build_opener(
    urllib.request.ProxyHandler({}),
    urllib.request.HTTPSHandler(context=ssl._create_unverified_context()))  # loopback, a certificate made for tests


def fetch(url):
    with OPENER.open(url, timeout=30) as reply:
        return reply.read().decode()


def resident_megabytes(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:")) / 1024


def uris(url, text):
    return [urllib.parse.urljoin(url, line) for line in text.splitlines() if line and not line.startswith("#")]


def segments_of(url):
    """Returns the segments of the variant with the highest quality."""
    text = fetch(url)
    if "#EXT-X-STREAM-INF" in text:
        bandwidths = [int(value) for value in re.findall(r"#EXT-X-STREAM-INF:.*?BANDWIDTH=(\d+)", text)]
        url = max(zip(bandwidths, uris(url, text)))[1]
        text = fetch(url)
    return uris(url, text)


def make_title(path, seconds, megabits):
    subprocess.run(
        ["ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "lavfi", "-i",
         f"testsrc2=size=1280x720:rate=25:duration={seconds},noise=alls=60:allf=t", "-c:v", "libx264", "-preset",
         "ultrafast", "-b:v", f"{megabits}M", "-minrate", f"{megabits}M", "-maxrate", f"{megabits}M", "-bufsize",
         f"{megabits}M", "-g", "50", "-pix_fmt", "yuv420p", path], check=True)


class Server:
    """Runs `antena serve` in a temporary folder."""

    def __init__(self, program, folder):
        os.makedirs(os.path.join(folder, "media", "vod"))
        os.makedirs(os.path.join(folder, "media", "audio"))
        channels = os.path.join(os.path.dirname(__file__), "..", "..", "channels.json")
        self.media = os.path.join(folder, "media")
        self.process = subprocess.Popen(
            [program, "serve", "--channels", channels, "--media", self.media, "--data", os.path.join(folder, "data"),
             "--http", "127.0.0.1:0", "--rtsp", "127.0.0.1:0", "--wowza-port", "off", "--print-ports"],
            stdout=subprocess.PIPE, stderr=open(os.path.join(folder, "server.log"), "wb"))
        ports = json.loads(self.process.stdout.readline())
        self.origin = f"http://127.0.0.1:{ports['http']}"

    def playlist(self):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            for title in json.loads(fetch(self.origin + "/api/v1/titles"))["items"]:
                if title["state"] == "ready":
                    return title["playlist"]
            time.sleep(0.2)
        raise SystemExit("the title is not ready after 60 s")


def connect(url):
    parts = urllib.parse.urlsplit(url)
    connection = socket.create_connection((parts.hostname, parts.port or (443 if parts.scheme == "https" else 80)))
    if parts.scheme == "https":
        connection = ssl._create_unverified_context().wrap_socket(connection)
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    connection.sendall(f"GET {target} HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode())
    return connection


def watch(arguments, pid, url):
    segments = segments_of(url)
    before = resident_megabytes(pid)
    print(f"{len(segments)} segments; resident before: {before:.0f} MB")
    connections = [connect(segments[index % len(segments)]) for index in range(arguments.connections)]
    largest, deadline = before, time.monotonic() + arguments.seconds
    while time.monotonic() < deadline:
        time.sleep(1)
        now = resident_megabytes(pid)
        largest = max(largest, now)
        print(f"{len(connections)} connections that do not read: {now:.0f} MB", flush=True)
    begin = time.monotonic()
    fetch(url)
    print(f"another client gets the playlist within {time.monotonic() - begin:.2f} s")
    for connection in connections:
        connection.close()
    time.sleep(2)
    print(f"after they have closed: {resident_megabytes(pid):.0f} MB")
    print(f"grown by {largest - before:.0f} MB; the limit is {arguments.limit:.0f} MB")
    return 0 if largest - before <= arguments.limit else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--antena", default=".build/debug/antena", help="the program to start")
    parser.add_argument("--pid", type=int, help="of a server that runs already; with --origin and --playlist")
    parser.add_argument("--origin", help="http://HOST:PORT of that server")
    parser.add_argument("--playlist", help="path of the title's playlist on that server")
    parser.add_argument("--connections", type=int, default=60)
    parser.add_argument("--megabits", type=int, default=40, help="bit rate of the title that is made")
    parser.add_argument("--seconds", type=float, default=20, help="how long the connections stay")
    parser.add_argument("--format", choices=["fmp4", "ts"], default="fmp4")
    parser.add_argument("--limit", type=float, default=64, help="MB that the memory may grow by")
    arguments = parser.parse_args()
    suffix = "?format=ts" if arguments.format == "ts" else ""
    if arguments.pid:
        return watch(arguments, arguments.pid, arguments.origin + arguments.playlist + suffix)
    folder = tempfile.mkdtemp(prefix="unread-")
    server = Server(os.path.abspath(arguments.antena), folder)
    try:
        incoming = os.path.join(folder, "film.mp4")
        make_title(incoming, 24, arguments.megabits)
        os.rename(incoming, os.path.join(server.media, "vod", "film.mp4"))
        return watch(arguments, server.process.pid, server.origin + server.playlist() + suffix)
    finally:
        server.process.terminate()
        server.process.wait(20)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
