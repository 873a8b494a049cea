"""Players of low-latency HLS, as far as the load generator needs them: they reload playlists that block, and take
parts."""
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


def percentile(values, share):
    return statistics.quantiles(values, n=100, method="inclusive")[round(share * 100) - 1]
