#!/usr/bin/env python3
"""Pushes a test card with a clock in the picture, by RTSP, until it is ended.

    clock-card.py ADDRESS [--clock-error SECONDS]

Each frame shows the machine's time at which it was made, in milliseconds since 1970, as 48 cells of black and white: eight
in a row, the highest bit first, from a quarter of the height to three quarters. `overlay-screens.py` beside it reads them
from screenshots. ffmpeg's sender reports (RFC 3550 §6.4.1) date its own start, which is later than the first frame. They are
changed on their way to those of a camera that knows when it has captured a frame, and whose clock is wrong by SECONDS.
"""
import argparse
import socket
import struct
import subprocess
import threading
import time
import urllib.parse

WIDTH, HEIGHT, RATE = 320, 192, 25
COLUMNS, ROWS = 8, 6
SENDER_REPORT = 200
INTERLEAVED = ord("$")
RTP_CLOCK = 90_000
NTP_EPOCH = 2_208_988_800


def card(milliseconds):
    """A gray frame."""
    cell_width, cell_height = WIDTH // COLUMNS, HEIGHT // 2 // ROWS
    gray = bytes([128]) * WIDTH
    rows = [gray] * (HEIGHT // 4)
    for row in range(ROWS):
        line = b""
        for column in range(COLUMNS):
            bit = COLUMNS * ROWS - 1 - (row * COLUMNS + column)
            line += bytes([235 if milliseconds >> bit & 1 else 16]) * cell_width
        rows += [line] * cell_height
    return b"".join(rows + [gray] * (HEIGHT - len(rows)))


class Reports:
    """Dates frames by the time at which they were made."""

    def __init__(self, error):
        self.error = error
        self.made_at = None
        self.first_timestamp = None
        self.early = []

    def changed(self, channel, message):
        """The packets that the camera would send for one of ffmpeg's: `[(channel, packet)]`."""
        is_report = channel % 2 == 1
        if not is_report and self.first_timestamp is None:
            self.first_timestamp = struct.unpack(">I", message[4:8])[0]
            early, self.early = self.early, []
            return [(channel, message)] + [(number, self.dated(report)) for number, report in early]
        if is_report and self.first_timestamp is None:
            # ffmpeg's first report comes before the packet that says how timestamps count.
            self.early.append((channel, message))
            return []
        return [(channel, self.dated(message) if is_report else message)]

    def dated(self, report):
        if len(report) < 20 or report[1] != SENDER_REPORT:
            return report
        now = time.time()
        ticks = self.first_timestamp + round((now - self.made_at) * RTP_CLOCK)
        shown = round((now + self.error + NTP_EPOCH) * (1 << 32)) % (1 << 64)
        return report[:8] + struct.pack(">QI", shown, ticks % (1 << 32)) + report[20:]


def forward_changed(source, target, reports):
    """Forwards the publisher's side: requests are lines up to an empty one, and a body."""
    stream = source.makefile("rb")
    while first := stream.read(1):
        if first[0] == INTERLEAVED:
            head = stream.read(3)
            body = stream.read(struct.unpack(">H", head[1:])[0])
            for channel, packet in reports.changed(head[0], body):
                target.sendall(struct.pack(">BBH", INTERLEAVED, channel, len(packet)) + packet)
            continue
        text, length = first, 0
        while not text.endswith(b"\r\n\r\n"):
            text += stream.readline()
        for line in text.lower().split(b"\r\n"):
            if line.startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        target.sendall(text + stream.read(length))
    target.close()


def forward(source, target):
    while data := source.recv(65536):
        target.sendall(data)
    target.close()


def proxy(address, reports):
    """The address of a proxy on this machine."""
    parts = urllib.parse.urlsplit(address)
    place = socket.create_server(("127.0.0.1", 0))

    def serve():
        while True:
            near, _ = place.accept()
            far = socket.create_connection((parts.hostname, parts.port))
            threading.Thread(target=forward_changed, args=(near, far, reports), daemon=True).start()
            threading.Thread(target=forward, args=(far, near), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    return parts._replace(netloc=f"127.0.0.1:{place.getsockname()[1]}").geturl()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("address")
    parser.add_argument("--clock-error", type=float, default=0)
    options = parser.parse_args()
    reports = Reports(options.clock_error)
    encoder = subprocess.Popen(
        ["ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "gray", "-s", f"{WIDTH}x{HEIGHT}", "-r", str(RATE),
         "-probesize", "32", "-i", "-", "-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency",
         "-pix_fmt", "yuv420p", "-g", str(RATE), "-b:v", "800k", "-f", "rtsp", "-rtsp_transport", "tcp",
         proxy(options.address, reports)],
        stdin=subprocess.PIPE)
    begin, number = time.monotonic(), 0
    try:
        while encoder.poll() is None:
            time.sleep(max(0, begin + number / RATE - time.monotonic()))
            now = time.time()
            reports.made_at = reports.made_at or now
            encoder.stdin.write(card(round(now * 1000)))
            encoder.stdin.flush()
            number += 1
    except BrokenPipeError:
        pass
    finally:
        encoder.kill()
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
