#!/usr/bin/env python3
"""How long a rental takes while 100 clients rent at the same time.

    python3 Benchmarks/rentals.py --binary .build/release/antena
    python3 Benchmarks/rentals.py --binary .build/release/antena --database postgres://user@host/empty-database

Each client is a member of its own on a connection of its own, and rents one title after the other; no title is rented
twice by the same member. With --rate the clients together send so many requests a second, evenly, and a latency counts
from the time at which the request was due, so that a stalled server does not slow its own measurement down. With
--rate 0 each client sends its next request when it has the answer, which shows the throughput instead. At the end the
ledger is checked. Needs ffmpeg.
"""
import argparse
import asyncio
import json
import os
import tempfile
import time
import urllib.parse
import urllib.request

from harness import OPENER, ROOT, Antena, Programs, ffmpeg, say, wait_for

PASSWORD = "correct horse battery"


def channels(folder):
    with open(os.path.join(ROOT, "channels.json"), encoding="utf-8") as file:
        document = json.load(file)
    document["accounts"] = {"apiRequests": 100_000}
    path = os.path.join(folder, "channels.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)
    return path


def ask(server, method, path, body=None, fields=()):
    request = urllib.request.Request(
        server.origin + path, None if body is None else json.dumps(body).encode(), method=method,
        headers={"Authorization": f"Bearer {server.token}", "Content-Type": "application/json", **dict(fields)})
    with OPENER.open(request, timeout=60) as reply:
        return json.loads(reply.read() or b"null"), reply.headers


def titles(server, film, count):
    """IDs of titles that cost one credit."""
    for number in range(count):
        os.link(film, os.path.join(server.media, "vod", f"film{number}.mp4"))

    def ready():
        items, cursor = [], ""
        while cursor is not None:
            page, _ = ask(server, "GET", f"/api/v1/titles?limit=100&cursor={cursor}" if cursor else "/api/v1/titles?limit=100")
            items += [item["id"] for item in page["items"] if item["state"] == "ready"]
            cursor = page["next"]
        return items if len(items) == count else None
    found = wait_for(f"{count} titles are ready", ready, seconds=600, pause=1)
    for title in found:
        _, fields = ask(server, "GET", f"/api/v1/titles/{title}/terms")
        ask(server, "PATCH", f"/api/v1/titles/{title}/terms", {"price": 1}, [("If-Match", fields["ETag"])])
    return found


def member(server, number, credits):
    """The token of a new member."""
    name = f"member{number}"
    ask(server, "POST", "/api/v1/users", {"username": name, "password": PASSWORD, "role": "member"})
    # Half of the credits end, so that paying has to choose.
    for reason, amount, life in (("gift", credits // 2, 86_400), ("top-up", credits - credits // 2, None)):
        if amount:
            ask(server, "POST", f"/api/v1/users/{name}/credits", {"amount": amount, "reason": reason, "expiresIn": life})
    return ask(server, "POST", "/api/v1/tokens", {"name": "bench", "user": name})[0]["secret"]


class Client:
    def __init__(self, port, token):
        self.port, self.token = port, token

    async def connect(self):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)

    async def rent(self, title, key):
        self.writer.write(
            f"POST /api/v1/titles/{title}/rentals HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            f"Authorization: Bearer {self.token}\r\nIdempotency-Key: {key}\r\nContent-Length: 0\r\n\r\n".encode())
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        length = next((line.split(":")[1] for line in head.lower().split("\r\n") if line.startswith("content-length:")), "0")
        body = await self.reader.readexactly(int(length))
        if head.split(" ")[1] != "201":
            raise SystemExit(f"a rental was refused: {head}{body.decode()}")


async def measure(port, tokens, found, rate):
    clients = [Client(port, token) for token in tokens]
    for client in clients:
        await client.connect()
    latencies = []
    start = time.perf_counter() + 0.5

    async def run(index, client):
        for number, title in enumerate(found):
            if rate:
                due = start + (number * len(clients) + index) / rate
                await asyncio.sleep(max(0, due - time.perf_counter()))
            else:
                due = time.perf_counter()
            await client.rent(title, f"{index}-{number}")
            latencies.append(time.perf_counter() - due)
    await asyncio.gather(*(run(index, client) for index, client in enumerate(clients)))
    return latencies, time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.path.join(ROOT, ".build/release/antena"))
    parser.add_argument("--database", help="an empty PostgreSQL database; SQLite without it")
    parser.add_argument("--clients", type=int, default=100)
    parser.add_argument("--titles", type=int, default=20, help="rentals of each client")
    parser.add_argument("--rate", type=float, default=200, help="rentals a second of all clients; 0 for as many as can be")
    options = parser.parse_args()
    programs = Programs()
    with tempfile.TemporaryDirectory() as folder:
        try:
            film = os.path.join(folder, "film.mp4")
            ffmpeg(
                "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-t", "4", "-c:v", "libx264", "-preset", "ultrafast",
                "-pix_fmt", "yuv420p", film)
            database = ["--database", options.database] if options.database else []
            server = Antena(programs, options.binary, folder, "server", channels(folder), database)
            found = titles(server, film, options.titles)
            tokens = [member(server, number, options.titles) for number in range(options.clients)]
            port = urllib.parse.urlsplit(server.origin).port
            latencies, seconds = asyncio.run(measure(port, tokens, found, options.rate))
            report, _ = ask(server, "GET", "/api/v1/credits/check")
            if report["findings"]:
                raise SystemExit(f"the ledger disagrees: {report['findings']}")
        finally:
            programs.end_all()
    latencies.sort()
    at = lambda share: latencies[min(len(latencies) - 1, int(len(latencies) * share))] * 1_000
    say(f"{len(latencies)} rentals in {seconds:.1f} s ({len(latencies) / seconds:.0f} a second), "
        f"median {at(0.5):.1f} ms, 99th percentile {at(0.99):.1f} ms, slowest {latencies[-1] * 1_000:.1f} ms; "
        f"{report['movements']} movements agree")


if __name__ == "__main__":
    main()
