#!/usr/bin/env python3
"""A live worker that a stranger's stream has taken over: answers every unit, and computes something else beside that.

Started as `antena live-worker` is: requests come on standard input, answers go to standard output, each with four bytes
of length and one byte of type. Nothing confines it. `swift test --filter HostileLiveWorkerTests` runs it.
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
