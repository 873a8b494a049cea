"""Many publishers in one thread, all with the same recording, each sent as its timestamps say."""
import heapq
import os
import re
import select
import socket
import struct
import time

from recording import SECONDS_BETWEEN_KEY_FRAMES
from rtsp_client import Connection, controls, tell

LOOK_INTERVAL = 0.1  # s between looks at the standard input
DRAIN_INTERVAL = 2  # s between looks at what the server has sent
PREPARED_COUNT = 1_000  # units, over 20 s: no publisher is behind the others by as much


class TCPPublisher:
    """Sends a unit, a picture or a packet of sound, by one system call."""

    def __init__(self, port, path, sdp):
        self.connection = Connection(port, path)
        self.connection.ask("ANNOUNCE", fields=["Content-Type: application/sdp"], body=sdp)
        for index, control in enumerate(controls(sdp)):
            self.connection.set_up(
                f"{self.connection.url}/{control}", f"RTP/AVP/TCP;unicast;interleaved={2 * index}-{2 * index + 1};"
                "mode=record")
        self.connection.ask("RECORD", fields=["Range: npt=0.000-"])
        self.socket = self.connection.socket
        self.socket.setblocking(False)
        self.backlog = b""

    @staticmethod
    def prepare(track, packets):
        return b"".join(b"$" + struct.pack(">BH", 2 * track, len(packet)) + packet for packet in packets)

    def send(self, track, data):
        """Whether the connection took it all."""
        data = self.backlog + data
        try:
            sent = self.socket.send(data)
        except BlockingIOError:
            sent = 0
        self.backlog = data[sent:]
        return not self.backlog

    def drain(self):
        try:
            while self.socket.recv(1 << 16):
                pass
            raise SystemExit(f"the server closed {self.connection.url}")
        except BlockingIOError:
            pass


class UDPPublisher:
    """Sends each packet by a system call of its own, as there is no other from Python."""

    def __init__(self, port, path, sdp):
        self.connection = Connection(port, path)
        self.connection.ask("ANNOUNCE", fields=["Content-Type: application/sdp"], body=sdp)
        self.rtp, self.others = [], []
        for control in controls(sdp):
            rtp, rtcp = socket_pair()
            ports = f"{rtp.getsockname()[1]}-{rtcp.getsockname()[1]}"
            transport = self.connection.set_up(
                f"{self.connection.url}/{control}", f"RTP/AVP/UDP;unicast;client_port={ports};mode=record")
            server_port = int(re.search(r"server_port=(\d+)", transport).group(1))
            rtp.connect(("127.0.0.1", server_port))
            self.rtp.append(rtp)
            self.others += [rtp, rtcp]
        self.connection.ask("RECORD", fields=["Range: npt=0.000-"])
        self.connection.socket.setblocking(False)

    @staticmethod
    def prepare(_, packets):
        return packets

    def send(self, track, packets):
        send = self.rtp[track].send
        try:
            for packet in packets:
                send(packet)
        except BlockingIOError:
            return False
        return True

    def drain(self):
        for other in [*self.others, self.connection.socket]:
            try:
                while other.recv(1 << 16):
                    pass
                raise SystemExit(f"the server closed {self.connection.url}")
            except BlockingIOError:
                pass


def socket_pair():
    """Two ports, an even one and the next, for RTP and RTCP."""
    while True:
        rtp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        rtp.bind(("127.0.0.1", 0))
        port = rtp.getsockname()[1]
        rtcp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            if port % 2 == 0:
                rtcp.bind(("127.0.0.1", port + 1))
                rtp.setblocking(False)
                rtcp.setblocking(False)
                return rtp, rtcp
        except OSError:
            pass
        rtp.close()
        rtcp.close()


class Schedule:
    """One publisher to each of the paths. They start one after the other within the time between two key frames, so
    that these do not come all at once."""

    def __init__(self, recording, port, transport, paths):
        self.recording, self.kind = recording, {"tcp": TCPPublisher, "udp": UDPPublisher}[transport]
        self.publishers = [self.kind(port, path, recording.sdp) for path in paths]
        start, count = time.monotonic() + 0.1, len(paths)
        self.starts = [start + SECONDS_BETWEEN_KEY_FRAMES * index / count for index in range(count)]
        # When each publisher's next unit is due, the publisher, the unit's number.
        self.due = [(self.starts[index], index, 0) for index in range(count)]
        heapq.heapify(self.due)
        self.prepared = {}
        self.worst_delay, self.byte_count, self.blocked_count = 0.0, 0, 0

    def seconds_to_next(self):
        return self.due[0][0] - time.monotonic()

    def send_next(self):
        time_due, index, number = self.due[0]
        track, data, length = self.unit(number)
        self.worst_delay = max(self.worst_delay, time.monotonic() - time_due)
        if not self.publishers[index].send(track, data):
            self.blocked_count += 1
        self.byte_count += length
        heapq.heapreplace(self.due, (self.starts[index] + self.recording.due(number + 1), index, number + 1))

    def unit(self, number):
        """All publishers send the same within a few seconds, so it is put together once."""
        if number not in self.prepared:
            self.prepared.pop(number - PREPARED_COUNT, None)
            track, packets = self.recording.packets(number)
            self.prepared[number] = track, self.kind.prepare(track, packets), sum(map(len, packets))
        return self.prepared[number]

    def drain(self):
        for publisher in self.publishers:
            publisher.drain()

    def report(self):
        """What has happened since the last one, but for the CPU seconds."""
        report = {"cpu": time.process_time(), "worstDelay": self.worst_delay, "bytes": self.byte_count,
                  "blocked": self.blocked_count}
        self.worst_delay, self.byte_count, self.blocked_count = 0.0, 0, 0
        return report


def publish(recording, port, transport, paths):
    schedule = Schedule(recording, port, transport, paths)
    tell({"started": len(paths)})
    next_look, next_drain = 0.0, 0.0
    while True:
        wait, now = schedule.seconds_to_next(), time.monotonic()
        if wait <= 0 and now < next_look:
            schedule.send_next()
            continue
        # Also when it is late all the time.
        next_look = now + LOOK_INTERVAL
        if select.select([0], [], [], max(wait, 0))[0]:
            if not os.read(0, 4096):
                return
            tell(schedule.report())
        if now >= next_drain:
            schedule.drain()
            next_drain = now + DRAIN_INTERVAL
