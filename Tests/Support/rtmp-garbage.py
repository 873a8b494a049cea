#!/usr/bin/env python3
"""Strangers at a port that speaks RTMP: rtmp-garbage.py PORT

Connections that say nothing, stop in the middle of the handshake, shake hands and send noise, or announce messages that
never come. All stay open until the end; the random numbers are always the same.
"""
import random
import socket
import sys

COUNT = 300
HELLO = bytes([3]) + bytes(1_536)
LONG_MESSAGE = bytes([3, 0, 0, 0, 0xFF, 0xFF, 0xFF, 20, 0, 0, 0, 0])


def main():
    chance = random.Random(1)
    openings = [
        lambda: b"",
        lambda: HELLO[:700],
        lambda: HELLO + bytes(1_536) + chance.randbytes(4_000),
        lambda: HELLO + bytes(1_536) + LONG_MESSAGE + bytes(128),
        lambda: bytes([3]) + chance.randbytes(3_072 + chance.randrange(2_000)),
        lambda: chance.randbytes(500),
    ]
    sockets = []
    for index in range(COUNT):
        connection = socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=10)
        sockets.append(connection)
        try:
            connection.sendall(openings[index % len(openings)]())
        except OSError:
            # The server has seen enough.
            pass
    print(f"{len(sockets)} connections")


main()
