#!/usr/bin/env python3
"""What publishers cost by RTMP and by RTSP over TCP: the same frames on as many channels, in turns.

The server has a processor of its own, the publishers the other one. They are one thread that sends a recording as its
timestamps say.

Usage: rtmp.py [--binary .build/release/antena] [--publishers 20 100] [--runs 3] [--seconds 20]
"""
import argparse
import heapq
import os
import socket
import statistics
import struct
import sys
import tempfile
import time

from harness import ROOT, Programs, fetch, ffmpeg, say, wait_for
from recording import SECONDS, SECONDS_BETWEEN_KEY_FRAMES
from rtsp import Bench, live_count

CHUNK = 60_000
HANDSHAKE = 1_536
SETTLING = 8  # s until segments are made everywhere
WRAP_ROUNDS = 1_000


class Clip:
    """The tags of an FLV file: (milliseconds, type, body)."""

    def __init__(self, folder):
        path = os.path.join(folder, "clip.flv")
        ffmpeg("-f", "lavfi", "-i", f"testsrc2=size=1280x720:rate=30:duration={SECONDS},noise=alls=12:allf=t", "-f",
               "lavfi", "-i", f"sine=frequency=440:sample_rate=48000:duration={SECONDS}", "-c:v", "libx264", "-preset",
               "ultrafast", "-g", str(30 * SECONDS_BETWEEN_KEY_FRAMES), "-b:v", "2500k", "-maxrate", "2500k", "-bufsize",
               "2500k", "-pix_fmt", "yuv420p", "-c:a", "aac", "-ac", "2", "-b:a", "128k", "-f", "flv", path)
        with open(path, "rb") as file:
            content = file.read()
        self.parameters, self.tags, position = [], [], 13
        while position < len(content):
            kind, size = content[position], int.from_bytes(content[position + 1:position + 4])
            milliseconds = content[position + 7] << 24 | int.from_bytes(content[position + 4:position + 7])
            body = content[position + 11:position + 11 + size]
            position += size + 15
            if kind == 18 or body[1] == 0:
                self.parameters.append((kind, body))
            elif len(body) > 5:
                self.tags.append((milliseconds, kind, body))

    def unit(self, number):
        rounds, position = divmod(number, len(self.tags))
        milliseconds, kind, body = self.tags[position]
        return milliseconds + rounds * SECONDS * 1_000, kind, body


def message(kind, stream, milliseconds, body):
    stream_of_chunks = {8: 4, 9: 6}.get(kind, 3)
    head = bytes([stream_of_chunks]) + milliseconds.to_bytes(3) + len(body).to_bytes(3) + bytes([kind]) + struct.pack("<I", stream)
    pieces = [body[start:start + CHUNK] for start in range(0, len(body), CHUNK)]
    return head + bytes([0xC0 | stream_of_chunks]).join(pieces)


def text(value):
    return b"\x02" + struct.pack(">H", len(value)) + value.encode()


def number(value):
    return b"\x00" + struct.pack(">d", value)


class Publisher:
    def __init__(self, port, name, clip):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(bytes([3]) + bytes(HANDSHAKE))
        received = b""
        while len(received) < 1 + 2 * HANDSHAKE:
            received += self.socket.recv(1 << 16)
        self.socket.sendall(received[1:1 + HANDSHAKE])
        application = b"\x03" + struct.pack(">H", 3) + b"app" + text("live") + b"\x00\x00\x09"
        self.socket.sendall(
            b"\x02\0\0\0\0\0\x04\x01\0\0\0\0" + struct.pack(">I", CHUNK)
            + message(20, 0, 0, text("connect") + number(1) + application)
            + message(20, 0, 0, text("createStream") + number(2) + b"\x05"))
        self.wait_for(b"_result", 2)
        self.socket.sendall(message(20, 1, 0, text("publish") + number(3) + b"\x05" + text(name) + text("live")))
        self.wait_for(b"NetStream.Publish.Start", 1)
        for kind, body in clip.parameters:
            self.socket.sendall(message(kind, 1, 0, body))
        self.socket.setblocking(False)
        self.backlog = b""

    def wait_for(self, words, count):
        received = b""
        while received.count(words) < count:
            piece = self.socket.recv(1 << 16)
            if not piece or b"error" in piece:
                raise SystemExit(f"the server refuses: {received + piece}")
            received += piece

    def send(self, data):
        data = self.backlog + data
        try:
            sent = self.socket.send(data)
        except BlockingIOError:
            sent = 0
        self.backlog = data[sent:]


def publish(port, count, folder):
    """The work of the load's process."""
    clip = Clip(folder)
    publishers = [Publisher(port, f"bench{index}", clip) for index in range(count)]
    start = time.monotonic() + 0.1
    starts = [start + SECONDS_BETWEEN_KEY_FRAMES * index / count for index in range(count)]
    due = [(starts[index], index, 0) for index in range(count)]
    heapq.heapify(due)
    prepared, drained = {}, 0.0
    print("started", flush=True)
    while True:
        at, index, unit = due[0]
        now = time.monotonic()
        if at > now:
            if now - drained > 2:
                drained = now
                for publisher in publishers:
                    try:
                        while publisher.socket.recv(1 << 16):
                            pass
                    except BlockingIOError:
                        pass
            time.sleep(min(at - now, 0.1))
            continue
        if unit not in prepared:
            prepared.pop(unit - WRAP_ROUNDS, None)
            milliseconds, kind, body = clip.unit(unit)
            prepared[unit] = message(kind, 1, milliseconds, body)
        publishers[index].send(prepared[unit])
        heapq.heapreplace(due, (starts[index] + clip.unit(unit + 1)[0] / 1_000, index, unit + 1))


class NoTable:
    def single(self, *_):
        pass


def measured(server, count, seconds):
    """Seconds of processor time for each channel and second."""
    time.sleep(SETTLING)
    start, used = time.monotonic(), server.cpu_seconds()
    time.sleep(seconds)
    share = (server.cpu_seconds() - used) / (time.monotonic() - start)
    if live_count(server) != count:
        raise SystemExit(f"only {live_count(server)} of {count} channels are live")
    return share / count


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", default=os.path.join(ROOT, ".build/release/antena"))
    parser.add_argument("--publishers", type=int, nargs="+", default=[20, 100])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--load", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.load:
        return publish(int(options.load[0]), int(options.load[1]), options.load[2])
    programs = Programs()
    with tempfile.TemporaryDirectory(prefix="antena-rtmp-") as folder:
        try:
            bench = Bench(NoTable(), programs, options.binary, folder, options.runs, options.seconds)
            for count in options.publishers:
                values = {"RTSP over TCP": [], "RTMP": []}
                for run in range(options.runs):
                    for name, found in values.items():
                        server = bench.server(f"{name.split()[0]}-{count}-{run}", count, rtmp=True)
                        if name == "RTMP":
                            load = programs.start(
                                "taskset", "-c", str(bench.load_core), sys.executable, os.path.abspath(__file__), "--load",
                                str(server.rtmp), str(count), folder)
                            wait_for("every channel is live", lambda: live_count(server) == count)
                            found.append(measured(server, count, options.seconds))
                            programs.end(load)
                        else:
                            load = bench.publishers(server, "tcp", count)
                            found.append(measured(server, count, options.seconds))
                            programs.end(load.process)
                        programs.end(server.process)
                for name, found in values.items():
                    found = [1_000 * value for value in found]
                    say(f"{count} publishers by {name}: {statistics.median(found):.2f} ({min(found):.2f} to "
                        f"{max(found):.2f}) ms of processor time for each channel and second")
        finally:
            programs.end_all()


if __name__ == "__main__":
    main()
