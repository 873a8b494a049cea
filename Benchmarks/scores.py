#!/usr/bin/env python3
"""Measures a server that keeps the scores of matches on several channels, while displays show them.

    scores.py ORIGIN TOKEN_FILE PID [--channels N] [--displays N] [--matches N] [--pace SECONDS]

On each channel a referee keeps so many matches, one after the other, of racquetball (two games to 15), with a point every
PACE seconds. Displays are spread over the channels: each listens to the events and asks for the states of its channel when there is a
new one, as the site's boards do. Prints the time from a tap to its answer, which is when it is stored; the time from the tap to a
display that has the new state; memory before and after; and processor time of the server. Standard library only.
"""
import argparse
import asyncio
import json
import os
import time
import urllib.parse

TICKS = os.sysconf("SC_CLK_TCK")


class Client:
    """One connection that is kept."""

    def __init__(self, host, port, token=None):
        (self.host, self.port, self.token, self.reader) = (host, port, token, None)

    async def request(self, method, path, body=None):
        if self.reader is None:
            self.reader, self.writer = await asyncio.open_connection(self.host, self.port)
        content = b"" if body is None else json.dumps(body).encode()
        head = [f"{method} {path} HTTP/1.1", f"Host: {self.host}:{self.port}", f"Content-Length: {len(content)}",
                "Content-Type: application/json"]
        if self.token:
            head.append(f"Authorization: Bearer {self.token}")
        self.writer.write(("\r\n".join(head) + "\r\n\r\n").encode() + content)
        status, length = int((await self.reader.readline()).split()[1]), 0
        while (line := await self.reader.readline()) != b"\r\n":
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        text = await self.reader.readexactly(length)
        if not 200 <= status < 300:
            raise SystemExit(f"{method} {path}: {status} {text[:300]}")
        return json.loads(text or b"null")


class Board:
    """What one channel shows, and when its referee has tapped."""

    def __init__(self, channel):
        self.channel = channel
        self.tapped = {}


async def display(host, port, board, delays, ready):
    reader, writer = await asyncio.open_connection(host, port)
    path = f"/api/v1/events?types=score.changed&resource=channel/{board.channel}"
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept: text/event-stream\r\n\r\n".encode())
    while await reader.readline() != b"\r\n":
        pass
    ready()
    client, seen = Client(host, port), 0
    while line := await reader.readline():
        if not line.startswith(b"data:"):
            continue
        answer = await client.request("GET", f"/api/v1/channels/{board.channel}/scoreboard?seconds=120")
        if answer["items"]:
            newest = answer["items"][-1]
            key = (newest["match"], newest["sequence"])
            if key != seen and key in board.tapped:
                delays.append(time.monotonic() - board.tapped[key])
            seen = key


async def referee(host, port, token, board, options, taps):
    client = Client(host, port, token)
    for _ in range(options.matches):
        match = (await client.request("POST", "/api/v1/matches", {
            "channel": board.channel, "rules": "racquetball3", "sideA": ["Ana"], "sideB": ["Berta"]}))["match"]
        path, sequence, phase = f"/api/v1/matches/{match}/events", 0, "ready"
        while phase not in ("finished", "abandoned"):
            event = {"ready": {"type": "start"}, "gameOver": {"type": "nextGame"}}.get(phase, {"type": "point", "side": "a"})
            begin = time.monotonic()
            board.tapped[(match, sequence + 1)] = begin
            state = await client.request("POST", path, {"events": [event]})
            taps.append(time.monotonic() - begin)
            sequence, phase = state["sequence"], state["phase"]
            await asyncio.sleep(max(0, options.pace - (time.monotonic() - begin)))
        board.tapped = {key: value for key, value in board.tapped.items() if key[0] == match}


def usage(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        resident = next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))
    return (int(fields[11]) + int(fields[12])) / TICKS, resident / 1024


def figures(values):
    values = sorted(values)
    if not values:
        return "none"
    at = lambda share: values[min(len(values) - 1, int(len(values) * share))] * 1000
    return f"median {at(0.5):.1f} ms, p99 {at(0.99):.1f} ms, max {values[-1] * 1000:.1f} ms of {len(values)}"


async def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("origin")
    parser.add_argument("token")
    parser.add_argument("pid", type=int)
    parser.add_argument("--channels", type=int, default=8)
    parser.add_argument("--displays", type=int, default=500)
    parser.add_argument("--matches", type=int, default=50)
    parser.add_argument("--pace", type=float, default=0.05)
    options = parser.parse_args()
    address = urllib.parse.urlsplit(options.origin)
    with open(options.token, encoding="utf-8") as file:
        token = file.read().strip()
    boards = [Board(f"court{number}") for number in range(options.channels)]
    (taps, delays, ready) = ([], [], asyncio.Semaphore(0))
    displays = []
    for number in range(options.displays):
        displays.append(asyncio.create_task(display(
            address.hostname, address.port, boards[number % options.channels], delays, ready.release)))
        await ready.acquire()
    begin, (processor, resident) = time.monotonic(), usage(options.pid)
    print(f"{options.displays} displays: {resident:.0f} MiB", flush=True)

    async def watch():
        while True:
            await asyncio.sleep(30)
            print(f"  {time.monotonic() - begin:.0f} s: {usage(options.pid)[1]:.0f} MiB, {len(taps)} taps", flush=True)

    watcher = asyncio.create_task(watch())
    await asyncio.gather(*(
        referee(address.hostname, address.port, token, board, options, taps) for board in boards))
    seconds = time.monotonic() - begin
    after, resident = usage(options.pid)
    watcher.cancel()
    print(f"tap to stored: {figures(taps)}\ntap to display: {figures(delays)}\n"
          f"{resident:.0f} MiB after {seconds:.0f} s; {(after - processor) / seconds * 100:.1f} % of a processor, "
          f"{(after - processor) / max(1, len(taps)) * 1000:.2f} ms for each tap")
    for task in displays:
        task.cancel()


if __name__ == "__main__":
    asyncio.run(main())
