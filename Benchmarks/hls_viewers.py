"""Players of low-latency HLS, as far as the load generator needs them: they reload playlists that block, and take
parts."""
import heapq
import os
import re
import select
import socket
import statistics
import time
import urllib.parse

from rtsp_client import tell
from stamped_publisher import stamps

PART = re.compile(r'#EXT-X-PART:.*URI="([^"]+)"')
HINT = re.compile(r'#EXT-X-PRELOAD-HINT:TYPE=PART,URI="([^"]+)"')
ADDRESS = re.compile(r"(\d+)\.(\d+)\.m4s")
RECEIVE_SIZE = 1 << 16


class Viewer:
    """One connection, one request at a time."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, path):
        """Status and body."""
        self.socket.sendall(request(path))
        answer = b""
        while not is_complete(answer):
            data = self.socket.recv(1 << 20)
            if not data:
                raise SystemExit(f"the server closed the connection instead of answering {path}")
            answer += data
        return int(answer[9:12]), answer[answer.find(b"\r\n\r\n") + 4:]


def request(path):
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()


def is_complete(answer):
    end = answer.find(b"\r\n\r\n")
    if end < 0:
        return False
    length = re.search(rb"(?i)\r\ncontent-length: (\d+)", answer[:end])
    return len(answer) >= end + 4 + int(length.group(1))


def position(uri):
    """Media sequence number and part."""
    return tuple(map(int, ADDRESS.search(uri).groups()))


def reload_path(playlist, after):
    """Of the playlist that has one part more; a part behind a segment's last is the next segment's first."""
    return f"{playlist}?_HLS_msn={after[0]}&_HLS_part={after[1] + 1}"


def first_position(viewer, playlist):
    status, text = viewer.ask(playlist)
    if status != 200:
        raise SystemExit(f"{playlist}: {status}")
    return position(PART.findall(text.decode())[-1])


# Latency

def watch(port, playlist, way):
    """Takes each part of a channel as soon as it is there, by `reload`s of the playlist or by the `hint` in it, and tells
    how long after its last picture was sent it was here."""
    viewer, samples, misses = Viewer(port), [], 0
    last = first_position(viewer, playlist)
    tell({"watching": playlist})
    hint = None
    while True:
        if select.select([0], [], [], 0)[0]:
            if not os.read(0, 4096):
                return
            tell({"seconds": samples, "misses": misses})
            samples, misses = [], 0
        if hint is not None:
            status, media = viewer.ask(urllib.parse.urljoin(playlist, hint))
            if status == 200:
                samples.append(time.monotonic() - stamps(media)[-1])
            else:
                misses += 1
        status, text = viewer.ask(reload_path(playlist, last))
        if status != 200:
            raise SystemExit(f"{reload_path(playlist, last)}: {status}")
        text = text.decode()
        uri = PART.findall(text)[-1]
        last = position(uri)
        if way == "hint":
            found = HINT.search(text)
            hint = found.group(1) if found else None
            continue
        _, media = viewer.ask(urllib.parse.urljoin(playlist, uri))
        samples.append(time.monotonic() - stamps(media)[-1])


# A crowd

class Round:
    """All wait for the same part."""

    def __init__(self, after):
        self.after = after
        self.arrivals = []
        self.uri = None


class Crowd:
    """Viewers who all have the playlist reloaded. Nothing is done for one of them but to receive and to ask again, so
    that the load takes as little as it can of what the server needs."""

    def __init__(self, port, playlist, count):
        self.playlist = playlist
        self.checker = Viewer(port)
        self.round = Round(first_position(self.checker, playlist))
        self.poll = select.epoll()
        self.sockets, self.received, self.rounds_of = {}, {}, {}
        for _ in range(count):
            one = socket.create_connection(("127.0.0.1", port), timeout=60)
            one.setblocking(False)
            self.sockets[one.fileno()] = one
            self.poll.register(one.fileno(), select.EPOLLIN)
        self.refused, self.latencies, self.lasts = 0, [], []

    def begin(self):
        for number in self.sockets:
            self.ask(number)

    def ask(self, number):
        self.received[number] = b""
        self.rounds_of[number] = self.round
        self.sockets[number].send(request(reload_path(self.playlist, self.round.after)))

    def run(self):
        """Until the standard input ends."""
        self.poll.register(0, select.EPOLLIN | select.EPOLLHUP)
        while True:
            for number, _ in self.poll.poll():
                if number == 0:
                    if not os.read(0, 4096):
                        return
                    tell({"p99": self.latencies, "last": self.lasts, "refused": self.refused})
                    self.latencies, self.lasts, self.refused = [], [], 0
                else:
                    self.receive(number)

    def receive(self, number):
        data = self.sockets[number].recv(RECEIVE_SIZE)
        if not data:
            raise SystemExit("the server closed a viewer's connection")
        answer = self.received[number] + data
        self.received[number] = answer
        mine = self.rounds_of[number]
        if not is_complete(answer):
            return
        mine.arrivals.append(time.monotonic())
        if not answer.startswith(b"HTTP/1.1 200"):
            self.refused += 1
        elif mine is self.round:
            # The first of its round: the next one waits for the part behind the newest.
            mine.uri = PART.findall(answer.decode())[-1]
            self.round = Round(position(mine.uri))
        self.ask(number)
        if len(mine.arrivals) == len(self.sockets):
            self.finish(mine)

    def finish(self, one):
        if one.uri is None:
            return
        status, media = self.checker.ask(urllib.parse.urljoin(self.playlist, one.uri))
        if status != 200 or not (sent := stamps(media)):
            return
        arrivals = heapq.nlargest(len(one.arrivals) // 100 + 1, one.arrivals)
        self.latencies.append(arrivals[-1] - sent[-1])
        self.lasts.append(arrivals[0] - sent[-1])


def gather_crowd(port, playlist, count):
    crowd = Crowd(port, playlist, count)
    crowd.begin()
    tell({"viewers": count})
    crowd.run()


def percentile(values, share):
    return statistics.quantiles(values, n=100, method="inclusive")[round(share * 100) - 1]
