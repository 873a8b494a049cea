#!/usr/bin/env python3
"""Processor time of a live channel whose packets come one by one, as cameras send them.

  camera.py BINARY [OTHER]      two programs run side by side, with the same packets at the same moments

One publisher a server: 720p30 of 2.5 Mbit/s with AAC, over TCP and then over UDP; each picture's packets are spread over
its time. Measured are nanoseconds on a processor for each RTP packet: while nobody watches,
while a viewer with low latency asks for each part of the video, and while a player asks for those of both tracks.
"""
import argparse
import json
import os
import sys
import tempfile
import threading
import time
import urllib.parse

from harness import Antena, Programs, Table, fetch, free_port, say, wait_for
from hls_viewers import HINT, PART, Viewer, first_position, position, reload_path
from recording import Recording, record
from rtsp_publishers import TCPPublisher, UDPPublisher

PRESET = {"width": 1280, "height": 720, "frameRate": 30, "videoBitrate": 2_500_000, "audioBitrate": 128_000}
KINDS = {"tcp": TCPPublisher, "udp": UDPPublisher}
# What each kind of work is called, and the playlists that are followed meanwhile.
WORK = {
    "nobody": ("nobody watches", []),
    "viewer": ("a viewer with low latency", ["video"]),
    "player": ("a player with low latency, video and audio", ["video", "audio"]),
}
SPREAD = 0.9  # of the time to the next picture
WARM_UP = 26  # s: the window fills, bursts of UDP are measured, and what only the start needed is given back
SETTLING = 2  # s between one measurement and the next


def processor_nanoseconds(pid):
    """Of all threads, also those that have ended, by the process's own clock (clock_getcpuclockid(3))."""
    return time.clock_gettime_ns((~pid << 3) | 2)


class Camera(threading.Thread):
    """Sends each packet by itself to all servers, one after the other."""

    def __init__(self, recording, transport, ports):
        super().__init__(daemon=True)
        kind = KINDS[transport]
        self.recording, self.kind = recording, kind
        self.publishers = [kind(port, "/live/bench0.stream", recording.sdp) for port in ports]
        self.packet_count, self.is_over, self.worst_delay = 0, False, 0.0

    def run(self):
        start, number, next_drain = time.monotonic() + 0.1, 0, 0.0
        frame = 1 / PRESET["frameRate"]
        pending = []  # (when, track, packet) in order
        while not self.is_over:
            while len(pending) < 64:
                track, packets = self.recording.packets(number)
                due = start + self.recording.due(number)
                for index, packet in enumerate(packets):
                    pending.append((due + frame * SPREAD * index / len(packets), track, packet))
                pending.sort(key=lambda one: one[0])
                number += 1
            when, track, packet = pending.pop(0)
            wait = when - time.monotonic()
            if wait > 0:
                time.sleep(wait)
            self.worst_delay = max(self.worst_delay, -wait)
            data = self.kind.prepare(track, [packet])
            for publisher in self.publishers:
                publisher.send(track, data)
            self.packet_count += 1
            if time.monotonic() > next_drain:
                next_drain = time.monotonic() + 1
                for publisher in self.publishers:
                    publisher.drain()


class LowLatencyViewer(threading.Thread):
    """Asks for each part of a rendition as players with low latency do, over one connection."""

    def __init__(self, origin, rendition):
        super().__init__(daemon=True)
        self.viewer = Viewer(urllib.parse.urlsplit(origin).port)
        self.playlist = f"/live/bench0.stream/{rendition}.m3u8"
        self.is_over = False

    def run(self):
        last = first_position(self.viewer, self.playlist)
        while not self.is_over:
            text = self.viewer.ask(reload_path(self.playlist, last))[1].decode()
            last = position(PART.findall(text)[-1])
            if found := HINT.search(text):
                self.viewer.ask(urllib.parse.urljoin(self.playlist, found.group(1)))


def server(programs, binary, folder, name):
    path = os.path.join(folder, "camera.channels.json")
    channel = {"name": "bench0", "defaultPreset": "high", "presets": ["high"]}
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"presets": {"high": PRESET}, "channels": [channel]}, file)
    first = free_port() // 2 * 2
    started = Antena(programs, binary, folder, name, channels=path,
                     options=["--udp-ports", f"{first}-{min(first + 63, 65_535)}", "--wowza-port", "off"])
    wait_for("it is ready", lambda: fetch(started.origin + "/readyz"))
    return started


def measure(servers, camera, seconds):
    """Microseconds for each packet, of each server."""
    before = [processor_nanoseconds(one.process.pid) for one in servers], camera.packet_count
    time.sleep(seconds)
    after = [processor_nanoseconds(one.process.pid) for one in servers], camera.packet_count
    packets = after[1] - before[1]
    return [(new - old) / packets / 1000 for new, old in zip(after[0], before[0])]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", nargs="+")
    parser.add_argument("--seconds", type=float, default=20, help="of each run")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--transports", default="tcp,udp")
    parser.add_argument("--work", default=",".join(WORK))
    options = parser.parse_args()
    programs, table = Programs(), Table()
    with tempfile.TemporaryDirectory() as folder:
        try:
            recording = Recording.load(record(folder))
            for transport in options.transports.split(","):
                measure_transport(options, programs, table, folder, recording, transport)
        finally:
            programs.end_all()
    print(table.text(), end="")


def measure_transport(options, programs, table, folder, recording, transport):
    servers = [server(programs, binary, folder, f"{transport}{index}")
               for index, binary in enumerate(options.binary)]
    camera = Camera(recording, transport, [one.rtsp for one in servers])
    camera.start()
    time.sleep(WARM_UP)
    for work in options.work.split(","):
        title, renditions = WORK[work]
        viewers = [LowLatencyViewer(one.origin, rendition) for one in servers for rendition in renditions]
        for viewer in viewers:
            viewer.start()
        time.sleep(SETTLING)
        figures = []
        for _ in range(options.runs):
            figures.append(measure(servers, camera, options.seconds))
            say(f"    {transport}, {work}: " + ", ".join(f"{value:.1f} µs" for value in figures[-1]))
        name = f"{transport.upper()}, {title}"
        for index, values in enumerate(zip(*figures)):
            path = os.path.basename(os.path.dirname(os.path.dirname(options.binary[index]))) or "program"
            table.single(f"{name}: processor time for an RTP packet, program {index + 1} ({path})", values,
                         lambda value: f"{value:.1f} µs", "≤ 12 µs" if viewers else "≤ 8 µs")
        for viewer in viewers:
            viewer.is_over = True
        for viewer in viewers:
            viewer.join()
    say(f"    {camera.packet_count} packets, late by {camera.worst_delay * 1000:.0f} ms at most; "
        + ", ".join(f"{one.resident_megabytes():.1f} MB" for one in servers))
    camera.is_over = True
    camera.join()
    for one in servers:
        programs.end(one.process)


if __name__ == "__main__":
    sys.exit(main())
