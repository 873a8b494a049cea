#!/usr/bin/env python3
"""Plays a live worker that was compromised by a malicious stream: it answers every unit, and uses the processor for
something else as well.

It is started like `antena live-worker`: requests come on standard input, answers go to standard output, each with four
bytes of length and one byte of type. It is not confined. `swift test --filter HostileLiveWorkerTests` runs it.
"""

import sys
import threading


def compute():
    while True:
        pass


def read(count):
    data = sys.stdin.buffer.read(count)
    if len(data) < count:
        sys.exit(0)
    return data


sys.setswitchinterval(0.001)
threading.Thread(target=compute, daemon=True).start()
while True:
    message = read(int.from_bytes(read(4), "big"))
    if message[0] == 1:
        # A unit: it has been dealt with.
        sys.stdout.buffer.write(b"\0\0\0\1\0")
        sys.stdout.buffer.flush()
