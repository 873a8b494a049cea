"""One publisher over TCP that writes into each picture when it sends it: what latency is measured against."""
import os
import re
import select
import struct
import time

from rtsp_client import tell
from rtsp_publishers import TCPPublisher

SEI, USER_DATA_UNREGISTERED = 6, 5  # ITU-T H.264 tables 7-1 and D.1
IDENTIFIER = b"Antena latency 1"  # stands where a UUID would, 16 bytes
DIGITS = 16  # of the monotonic clock's nanoseconds, in hexadecimal: no byte of it needs to be escaped
STAMP = re.compile(re.escape(IDENTIFIER) + rb"([0-9a-f]{%d})" % DIGITS)
DRAIN_INTERVAL = 2  # s


def stamp_message(nanoseconds):
    """An SEI NAL unit."""
    payload = IDENTIFIER + f"{nanoseconds:0{DIGITS}x}".encode()
    return bytes([SEI, USER_DATA_UNREGISTERED, len(payload)]) + payload + b"\x80"


def stamps(media):
    """Seconds on the monotonic clock, of each picture in it."""
    return [int(match, 16) / 1e9 for match in STAMP.findall(media)]


class StampedTrack:
    """Renumbers a track's packets, because each picture gets one more."""

    def __init__(self):
        self.count = 0

    def numbered(self, packet):
        self.count += 1
        return packet[:2] + struct.pack(">H", self.count & 0xFFFF) + packet[4:]

    def stamped(self, packets):
        head = bytes([packets[0][0], packets[0][1] & 0x7F]) + packets[0][2:12]  # not the picture's last: no marker
        return [self.numbered(packet) for packet in [head + stamp_message(time.monotonic_ns()), *packets]]


def publish_stamped(recording, port, path):
    publisher = TCPPublisher(port, path, recording.sdp)
    start = time.monotonic()
    tell({"recordedAt": start})
    track, number, next_drain, worst_delay, blocked = StampedTrack(), 0, start, 0.0, 0
    while True:
        due = start + recording.due(number)
        if select.select([0], [], [], max(due - time.monotonic(), 0))[0]:
            if not os.read(0, 4096):
                return
            tell({"worstDelay": worst_delay, "blocked": blocked, "units": number})
            worst_delay = 0.0
            continue
        worst_delay = max(worst_delay, time.monotonic() - due)
        index, packets = recording.packets(number)
        if index == recording.video:
            packets = track.stamped(packets)
        if not publisher.send(index, publisher.prepare(index, packets)):
            blocked += 1
        number += 1
        if time.monotonic() >= next_drain:
            publisher.drain()
            next_drain += DRAIN_INTERVAL
