#!/usr/bin/env python3
"""An RTSP server that answers publishers incorrectly, to test `antena broadcast`.

    hostile-rtsp-server.py WAY [SEED]

Prints its port as the first line. Standard library only. Ways up to "endless-challenges" affect the first responses,
the others take effect after the push has started.
"""
import random
import re
import socket
import sys
import threading
import time

WAY = sys.argv[1]
RANDOM = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)


def answer(client, request, status="200 OK", fields="", body=b""):
    number = re.search(rb"CSeq: (\d+)", request)
    head = f"RTSP/1.0 {status}\r\nCSeq: {number[1].decode() if number else 0}\r\n{fields}"
    client.sendall(head.encode() + b"\r\n" + body)


def noise(count):
    return bytes(RANDOM.randrange(256) for _ in range(count))


def requests(client):
    """Yields head and body of each request; interleaved frames are skipped."""
    data = b""
    while piece := client.recv(65536):
        data += piece
        while data:
            if data[0] == 0x24:
                if len(data) < 4 or len(data) < 4 + int.from_bytes(data[2:4], "big"):
                    break
                data = data[4 + int.from_bytes(data[2:4], "big"):]
                continue
            end = data.find(b"\r\n\r\n")
            if end < 0:
                break
            length = re.search(rb"Content-Length: (\d+)", data[:end])
            size = end + 4 + (int(length[1]) if length else 0)
            if len(data) < size:
                break
            yield data[:size]
            data = data[size:]


def push(client):
    """A server that behaves correctly until the push has started."""
    for request in requests(client):
        method = request.split(b" ", 1)[0]
        if method == b"OPTIONS":
            answer(client, request, fields="Public: OPTIONS, ANNOUNCE, SETUP, RECORD, TEARDOWN\r\n")
        elif method == b"SETUP":
            transport = re.search(rb"Transport: ([^\r]*)", request)[1].decode()
            answer(client, request, fields=f"Session: 1;timeout=10\r\nTransport: {transport}\r\n")
        else:
            answer(client, request, fields="Session: 1\r\n")
        if method == b"RECORD":
            return


def serve(client):
    if WAY == "noise":
        client.sendall(noise(4096))
    elif WAY == "noise-behind-answer":
        next(requests(client))
        client.sendall(b"RTSP/1.0 200 OK\r\nCSeq: 1\r\n\r\n" + noise(200_000))
    elif WAY == "huge-header":
        client.sendall(b"RTSP/1.0 200 OK\r\nCSeq: 1\r\nX: ")
        while True:
            client.sendall(b"x" * 65536)
    elif WAY == "endless-headers":
        client.sendall(b"RTSP/1.0 200 OK\r\n")
        while True:
            client.sendall(b"X: y\r\n" * 4096)
    elif WAY == "endless-body":
        client.sendall(b"RTSP/1.0 200 OK\r\nCSeq: 1\r\nContent-Length: 9999999999\r\n\r\n")
        while True:
            client.sendall(b"x" * 65536)
    elif WAY == "negative-body":
        client.sendall(b"RTSP/1.0 200 OK\r\nCSeq: 1\r\nContent-Length: -5\r\n\r\n")
        client.recv(65536)
    elif WAY == "half":
        client.sendall(b"RTSP/1.0 200 OK\r\nCSe")
        client.recv(1)
    elif WAY == "other-status":
        client.sendall(b"RTSP/1.0 99999999999999999999 Perhaps\r\nCSeq: 1\r\n\r\n")
        time.sleep(1)
    elif WAY == "mail":
        client.sendall(b"220 mail.example.org ESMTP\r\n")
        time.sleep(1)
    elif WAY == "shell":
        client.sendall(b"SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n")
        time.sleep(1)
    elif WAY == "endless-challenges":
        for count, request in enumerate(requests(client)):
            answer(client, request, "401 Unauthorized",
                   f'WWW-Authenticate: Digest realm="r", nonce="{count}", stale=true\r\n')
    elif WAY == "slow":
        for request in requests(client):
            time.sleep(1)
            method = request.split(b" ", 1)[0]
            transport = re.search(rb"Transport: ([^\r]*)", request)
            fields = "Session: 1\r\n" + (f"Transport: {transport[1].decode()}\r\n" if transport else "")
            answer(client, request, fields=fields)
    elif WAY == "frames-without-end":
        push(client)
        while True:
            client.sendall(b"$\x01\xff\xff" + noise(65535))
    elif WAY == "requests-without-end":
        push(client)
        threading.Thread(target=lambda: [None for _ in iter(lambda: client.recv(65536), b"")], daemon=True).start()
        while True:
            client.sendall(b"OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n" * 64)
    elif WAY == "questions-unread":
        push(client)
        while True:
            client.sendall(b"OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n" * 64)
    elif WAY == "noise-in-push":
        push(client)
        client.sendall(noise(65536))
    elif WAY == "deaf":
        push(client)
        time.sleep(600)
    elif WAY == "mute":
        push(client)
        while client.recv(65536):
            pass


def quietly(client):
    try:
        with client:
            serve(client)
    except OSError:
        pass


listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen()
print(listener.getsockname()[1], flush=True)
while True:
    client, _ = listener.accept()
    threading.Thread(target=quietly, args=[client], daemon=True).start()
