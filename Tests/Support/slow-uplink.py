#!/usr/bin/env python3
"""Forwards one connection after the other to a local port, with a limited upload rate in bytes per second.

    slow-uplink.py PORT BYTES_PER_SECOND

Prints its own port as the first line. SIGUSR1 removes the limit. Standard library only.
"""
import signal
import socket
import sys
import threading
import time

PORT, RATE = int(sys.argv[1]), int(sys.argv[2])
PIECE = 2048
RECOVERED = threading.Event()
signal.signal(signal.SIGUSR1, lambda *_: RECOVERED.set())
# Children of a Swift program inherit the signal mask of its worker threads, which block all signals.
signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGUSR1})


def up(client, server):
    free_at = time.monotonic()
    while data := client.recv(PIECE):
        server.sendall(data)
        free_at = max(free_at, time.monotonic()) + len(data) / RATE
        if not RECOVERED.is_set():
            RECOVERED.wait(max(0, free_at - time.monotonic()))
    server.shutdown(socket.SHUT_WR)


def down(server, client):
    while data := server.recv(65536):
        client.sendall(data)


def quietly(function, *arguments):
    try:
        function(*arguments)
    except OSError:
        pass


listener = socket.socket()
# Small, so that the sender notices the limit at once. Set before listen, because connections inherit it.
listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
listener.bind(("127.0.0.1", 0))
listener.listen()
print(listener.getsockname()[1], flush=True)
while True:
    client, _ = listener.accept()
    server = socket.create_connection(("127.0.0.1", PORT))
    for pair in ((up, client, server), (down, server, client)):
        threading.Thread(target=quietly, args=pair, daemon=True).start()
