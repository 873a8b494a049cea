#!/usr/bin/env python3
"""What 10,000 listeners to the events cost: memory of the server for each, and how late an event reaches them.

Events are the states of imports from an address at which nobody answers. The delay is counted from the time in the
event, when it was noted: writing it to the database is a part of it.

Usage: event_listeners.py [--binary .build/release/antena] [--listeners 10000] [--imports 10] [--own-filters]
Needs `ulimit -n` above the number of listeners.
"""
import argparse
import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.parse

from harness import ROOT, Antena, Connection, Programs, operator_token, run, say


SETTLING_SECONDS = 10


def resident_byte_count(process):
    with open(f"/proc/{process.pid}/smaps_rollup", encoding="ascii") as file:
        for line in file:
            if line.startswith("Rss:"):
                return int(line.split()[1]) * 1024
    raise SystemExit("no resident size")


def processor_seconds(process):
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Crowd:
    def __init__(self, programs, program, port, count, token, *own):
        self.process = programs.start(
            program, str(port), str(count), token, *own, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if not self.process.stdout.readline():
            raise SystemExit("not all listeners have an answer")

    def report(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def measure(programs, program, server, token, options):
    port = urllib.parse.urlsplit(server.origin).port
    # The first listeners make the server's caches and pools.
    Crowd(programs, program, port, 50, token).end()
    # After its start the server returns memory to the system, which would count for the listeners.
    time.sleep(SETTLING_SECONDS)
    before = resident_byte_count(server.process)
    start = time.monotonic()
    crowd = Crowd(programs, program, port, options.listeners, token, *(["own"] if options.own_filters else []))
    say(f"{options.listeners} listeners have an answer after {time.monotonic() - start:.1f} s")
    time.sleep(1)
    idle = resident_byte_count(server.process)
    used = processor_seconds(server.process)
    time.sleep(options.rest)
    resting = (processor_seconds(server.process) - used) / options.rest
    used, start = processor_seconds(server.process), time.monotonic()
    asker = Connection(server.origin, token)
    delays = []
    for number in range(options.imports):
        asker.ask("/api/v1/titles", json.dumps({"url": f"http://127.0.0.1:9/film{number}.mp4"}))
        time.sleep(options.pause)
    used = processor_seconds(server.process) - used - resting * (time.monotonic() - start)
    for event in crowd.report():
        if event["count"] < options.listeners:
            raise SystemExit(f"event {event['id']}: only {event['count']} of {options.listeners} listeners have it")
        say(f"event {event['id']}: median {event['median']} ms, 99th percentile {event['p99']} ms, last {event['last']} ms")
        delays.append(event)
    if not delays:
        raise SystemExit("there were no events")
    after = resident_byte_count(server.process)
    print(f"memory: {(idle - before) / options.listeners / 1024:.1f} KiB for each of {options.listeners} listeners, "
          f"{(after - before) / options.listeners / 1024:.1f} KiB after {len(delays)} events")
    p99 = sorted(event["p99"] for event in delays)
    print(f"delay of the {len(delays)} events: 99th percentile of the listeners {p99[len(p99) // 2]:.0f} ms for the median "
          f"event, {p99[-1]:.0f} ms for the slowest")
    medians = sorted(event["median"] for event in delays)
    print(f"median of the listeners: {medians[0]:.0f} ms, {medians[len(medians) // 2]:.0f} ms, {medians[-1]:.0f} ms for the "
          f"quickest, median and slowest event")
    print(f"processor time: {used / len(delays) / options.listeners * 1e6:.1f} us for each event and listener, "
          f"{resting * 100:.1f} % of a processor while nothing happens")
    crowd.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=os.path.join(ROOT, ".build/release/antena"))
    parser.add_argument("--listeners", type=int, default=10_000)
    parser.add_argument("--imports", type=int, default=10)
    parser.add_argument("--pause", type=float, default=3, help="seconds between two imports")
    parser.add_argument("--own-filters", action="store_true", help="each listener wants other types of events")
    parser.add_argument("--rest", type=float, default=30, help="seconds in which the server at rest is measured")
    options = parser.parse_args()
    compiler = shutil.which("cc") or shutil.which("clang")
    if not compiler:
        raise SystemExit("a C compiler is needed")
    programs = Programs()
    with tempfile.TemporaryDirectory() as folder:
        try:
            program = os.path.join(folder, "listeners")
            run(compiler, "-O2", "-o", program, os.path.join(ROOT, "Benchmarks", "listeners.c"))
            server = Antena(programs, options.binary, folder, "events", options=["--allow-private-imports"])
            measure(programs, program, server, operator_token(os.path.join(folder, "events", "data")), options)
        finally:
            programs.end_all()


if __name__ == "__main__":
    main()
