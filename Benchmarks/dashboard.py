#!/usr/bin/env python3
"""What open dashboards cost: 40 channels on the air, 10,000 viewers, ten dashboards.

The channels are published by one process with a recording. The viewers are answers to playlists: each of 10,000
programs asks for the playlist of a channel every 15 s, which is what the server counts.
The server's processor time is compared without and with ten listeners to the dashboard's events, in turns, each of
which also gets the pictures of twelve channels every 10 s, as a browser whose window shows twelve of them does.

Usage: dashboard.py [--binary .build/release/antena] [--channels 40] [--viewers 10000] [--dashboards 10] [--seconds 30]
"""
import argparse
import json
import os
import re
import socket
import statistics
import tempfile
import threading
import time
import urllib.parse
import urllib.request

from harness import OPENER, ROOT, Antena, Connection, Programs, fetch, say, wait_for
from recording import record
from rtsp import PRESET, Load

PASSWORD = "correct horse battery"
VIEWER_INTERVAL = 15  # s between requests of a viewer; the server counts those of the last 20 s
VISIBLE_COUNT = 12
PICTURE_INTERVAL = 10  # s
SETTLING_SECONDS = 25  # until every viewer has asked once


def channels_file(folder, count):
    channels = [{"name": f"canal{number}", "defaultPreset": "high", "presets": ["high"]} for number in range(count)]
    path = os.path.join(folder, "channels.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"presets": {"high": PRESET}, "channels": channels}, file)
    return path


def session_cookie(server):
    """Of an administrator, as a browser gets it."""
    account = json.dumps({"username": "ana", "password": PASSWORD, "role": "administrator"}).encode()
    fields = {"Authorization": f"Bearer {server.token}", "Content-Type": "application/json"}
    OPENER.open(urllib.request.Request(f"{server.origin}/api/v1/users", account, fields)).read()
    log_in = json.dumps({"username": "ana", "password": PASSWORD}).encode()
    request = urllib.request.Request(
        f"{server.origin}/api/v1/session", log_in, {"Content-Type": "application/json", "Origin": server.origin})
    with OPENER.open(request) as answer:
        return answer.headers["Set-Cookie"].split(";")[0]


class Crowd(threading.Thread):
    """All viewers, over one connection."""

    def __init__(self, server, channels, count):
        super().__init__(daemon=True)
        self.server, self.channels, self.count = server, channels, count
        self.stopped = threading.Event()
        self.asked = 0

    def run(self):
        connection = Connection(self.server.origin)
        playlists = []
        for name in self.channels:
            address = f"/live/{name}.stream/playlist.m3u8"
            text = connection.ask(address).decode()
            media = next(line for line in text.splitlines() if line and not line.startswith("#"))
            playlists.append(urllib.parse.urljoin(address, media))
        pause, due = VIEWER_INTERVAL / self.count, time.monotonic()
        while not self.stopped.is_set():
            number = self.asked % self.count
            agent = f"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 Viewer/{number}"
            connection.ask(playlists[number % len(playlists)], fields=f"User-Agent: {agent}\r\n")
            self.asked += 1
            due += pause
            if (wait := due - time.monotonic()) > 0:
                time.sleep(wait)


class Dashboard(threading.Thread):
    """One open page: its events, and the pictures that it shows."""

    def __init__(self, server, cookie, channels):
        super().__init__(daemon=True)
        self.server, self.cookie, self.channels = server, cookie, channels[:VISIBLE_COUNT]
        self.stopped = threading.Event()
        self.received = 0
        self.failure = "it did not begin"

    def run(self):
        try:
            self.listen()
            self.failure = None
        except SystemExit as failure:  # A thread would end without a word.
            self.failure = failure

    def listen(self):
        address = urllib.parse.urlsplit(self.server.origin)
        with socket.create_connection((address.hostname, address.port), timeout=1) as events:
            events.sendall(
                f"GET /operator/estado HTTP/1.1\r\nHost: {address.netloc}\r\nCookie: {self.cookie}\r\n"
                "Accept: text/event-stream\r\n\r\n".encode())
            pictures = Connection(self.server.origin)
            due = time.monotonic()
            while not self.stopped.is_set():
                try:
                    data = events.recv(1 << 16)
                    if not self.received and b" 200 " not in data:
                        raise SystemExit(data[:400].decode())
                    self.received += len(data)
                except socket.timeout:
                    pass
                if time.monotonic() >= due:
                    due += PICTURE_INTERVAL
                    for name in self.channels:
                        pictures.ask(f"/live/{name}.stream/thumbnail.jpg")


def share(server, seconds):
    """Per cent of a core that the server uses."""
    start, used = time.monotonic(), server.cpu_seconds()
    time.sleep(seconds)
    return 100 * (server.cpu_seconds() - used) / (time.monotonic() - start)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", default=os.path.join(ROOT, ".build/release/antena"))
    parser.add_argument("--channels", type=int, default=40)
    parser.add_argument("--viewers", type=int, default=10_000)
    parser.add_argument("--dashboards", type=int, default=10)
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    programs = Programs()
    with tempfile.TemporaryDirectory() as folder:
        try:
            recording = record(folder)
            server = Antena(programs, options.binary, folder, "server", channels_file(folder, options.channels),
                            ["--wowza-port", "off"])
            names = [f"canal{number}" for number in range(options.channels)]
            Load(programs, None, work="publish", recording=recording, port=server.rtsp, transport="tcp",
                 paths=[f"/live/{name}.stream" for name in names])
            wait_for("all channels are on the air",
                     lambda: all(b"#EXTM3U" in fetch(f"{server.origin}/live/{name}.stream/playlist.m3u8")
                                 for name in names), pause=1)
            cookie = session_cookie(server)
            crowd = Crowd(server, names, options.viewers)
            crowd.start()
            time.sleep(SETTLING_SECONDS)
            say(f"viewers that the server counts: {sum(item['viewers'] for item in server.api('channels')['items']):,}")
            without, with_them, received = [], [], 0
            for _ in range(options.rounds):
                without.append(share(server, options.seconds))
                dashboards = [Dashboard(server, cookie, names) for _ in range(options.dashboards)]
                for one in dashboards:
                    one.start()
                time.sleep(3)
                with_them.append(share(server, options.seconds))
                received += sum(one.received for one in dashboards)
                for one in dashboards:
                    one.stopped.set()
                for one in dashboards:
                    one.join()
                    if one.failure:
                        raise SystemExit(f"a dashboard: {one.failure}")
            crowd.stopped.set()
            crowd.join()
            differences = [after - before for before, after in zip(without, with_them)]
            for what, values in (("without dashboards", without), ("with them", with_them), ("difference", differences)):
                print(f"{what}, % of a core: {statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})")
            print(f"bytes of events for each dashboard and second: "
                  f"{received / options.dashboards / options.rounds / (options.seconds + 3):,.0f}")
        finally:
            programs.end_all()


if __name__ == "__main__":
    main()
