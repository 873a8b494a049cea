"""The catalogue on SQLite and on PostgreSQL: taking titles in, listing, searching and looking them up, starting.

    python3 Benchmarks/catalogue.py BINARY [--titles 10000] [--rounds 3] [--engine sqlite|postgresql] [--calls PROGRAM]

Both engines in turns, each with the same files; the PostgreSQL server is started from Debian's packages, as tests do.
The titles have audio only, so that no posters are made beside the measurement.

With --calls, the program `catalogue-benchmark` (`swift build -c release --product catalogue-benchmark`) measures the
catalogue's own calls as well, without HTTP.
"""
import argparse
import html
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from harness import Antena, Connection, Programs, fetch, ffmpeg, say
from library import WORDS, ask_all, box, list_paths, percentile, search_paths

SERVER_SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Tests/Support/postgres-server.sh")
LOOKUP_COUNT = 1_000
SETTLING_SECONDS = 15
CLUB_COUNT = 300
HTML = "Accept: text/html\r\n"


def make_titles(folder, count):
    os.makedirs(folder)
    film = os.path.join(os.path.dirname(folder), "short.mp4")
    ffmpeg("-f", "lavfi", "-i", "sine=frequency=440:duration=2", "-c:a", "aac", "-b:a", "16k", "-movflags",
           "+faststart", film)
    with open(film, "rb") as file:
        content = file.read()
    os.remove(film)
    for index in range(count):
        name = f"{WORDS[index % 16]} {WORDS[index // 16 % 16]} {index}.mp4"
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content + box(b"free", index.to_bytes(8, "big")))


def start_postgres(folder):
    os.chmod(os.path.dirname(folder), 0o711)
    process = subprocess.Popen([SERVER_SCRIPT, folder, "fsync=on", "shared_buffers=128MB"], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    note = os.path.join(folder, "data", "postmaster.pid")
    for _ in range(600):
        if os.path.exists(note):
            with open(note) as file:
                if file.read().strip().endswith("ready"):
                    return process, f"postgres:///postgres?host={folder}&user=antena"
        time.sleep(0.1)
    raise SystemExit("PostgreSQL did not start")


def processor_seconds_of_children(process):
    """Of all processes that a PostgreSQL server has started, ended ones included."""
    numbers = [process.pid]
    with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="ascii") as file:
        numbers += file.read().split()
    total = 0
    for number in numbers:
        try:
            with open(f"/proc/{number}/stat", encoding="utf-8") as stat:
                fields = stat.read().rpartition(")")[2].split()
        except OSError:
            continue
        total += sum(int(field) for field in fields[11:15 if number == process.pid else 13])
    return total / os.sysconf("SC_CLK_TCK")


def measure_calls(program, folder, engine, url, postgres, count, results):
    """The catalogue's own calls, in a database of their own."""
    address = f"{url}&schema=calls" if url else f"sqlite:{os.path.join(folder, 'calls.sqlite')}"
    before = processor_seconds_of_children(postgres) if postgres else 0
    output = subprocess.run([program, address, str(count)], check=True, stdout=subprocess.PIPE).stdout
    for what, value in sorted(json.loads(output).items()):
        results.setdefault(f"call: {what}", {})[engine] = [value]
    if postgres:
        used = processor_seconds_of_children(postgres) - before
        results.setdefault("call: processor time of the database server for all of that, s", {})[engine] = [used]


def ready(server):
    return server.api("about")["titles"]["count"]


def club_paths(server):
    """Pages of the video club as a browser asks for them: "more" from the first on, orders, filters, searches."""
    paths, following = [], "/videoclub"
    connection = Connection(server.origin)
    while following and len(paths) < CLUB_COUNT:
        paths.append(following)
        link = re.search(r'href="(\?[^"]*cursor=[^"]+)"', connection.ask(following, fields=HTML).decode())
        following = f"/videoclub{html.unescape(link.group(1))}" if link else None
    connection.close()
    paths += [f"/videoclub?sort={order}" for order in ("title", "newest", "duration", "-duration")] * (CLUB_COUNT // 4)
    return paths + [f"/videoclub?q={first}%20{second}" for first in WORDS for second in WORDS]


def ask_pages(server, paths):
    connection, times = Connection(server.origin), []
    for path in paths:
        start = time.perf_counter()
        connection.ask(path, fields=f"{HTML}Accept-Encoding: gzip\r\n")
        times.append(time.perf_counter() - start)
    connection.close()
    return times


def measure(programs, binary, folder, name, database, count, rounds, results):
    def note(what, values):
        results.setdefault(what, {}).setdefault(name, []).extend(values)

    arguments = ["--database", database] if database else []
    start = time.monotonic()
    server = Antena(programs, binary, folder, name, options=arguments)
    while ready(server) < count:
        time.sleep(0.2)
    note(f"{count:,} titles taken in, s", [time.monotonic() - start])
    note("processor time of that (server), s", [server.cpu_seconds()])
    lists, searches = list_paths(server), search_paths()
    ids = [item["id"] for item in json.loads(fetch(f"{server.origin}/api/v1/titles?limit=100"))["items"]]
    lookups = [f"/api/v1/titles/{name}" for name in ids] * (LOOKUP_COUNT // len(ids))
    for what, paths in (("list of 50", lists), ("search, 50", searches), ("look-up", lookups)):
        ask_all(server, paths[:100])
        for _ in range(rounds):
            times = ask_all(server, paths)
            note(f"{what}: median, ms", [percentile(times, 0.5) * 1e3])
            note(f"{what}: p99, ms", [percentile(times, 0.99) * 1e3])
    pages = club_paths(server)
    ask_pages(server, pages[:100])
    for _ in range(rounds):
        times = ask_pages(server, pages)
        note("page of the video club: median, ms", [percentile(times, 0.5) * 1e3])
        note("page of the video club: p99, ms", [percentile(times, 0.99) * 1e3])
    note("memory afterwards, MB", [server.resident_megabytes()])
    programs.end(server.process)
    time.sleep(1)
    for _ in range(rounds):
        start = time.monotonic()
        server = Antena(programs, binary, folder, name, options=arguments)
        if not json.loads(fetch(f"{server.origin}/api/v1/titles?limit=1"))["items"]:
            raise SystemExit("the library has gone")
        note("start to the first page, s", [time.monotonic() - start])
        # The library is read and scanned after that.
        time.sleep(SETTLING_SECONDS)
        note(f"memory {SETTLING_SECONDS} s after the start, MB", [server.resident_megabytes()])
        note(f"processor time {SETTLING_SECONDS} s after the start, s", [server.cpu_seconds()])
        programs.end(server.process)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("binary")
    parser.add_argument("--titles", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--engine", choices=["sqlite", "postgresql"])
    parser.add_argument("--calls", metavar="PROGRAM")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="antena-catalogue-")
    results = {}
    postgres = None
    programs = Programs()
    try:
        for engine in ["sqlite", "postgresql"]:
            if options.engine not in (None, engine):
                continue
            say(engine)
            url = None
            if engine == "postgresql":
                postgres, url = start_postgres(os.path.join(folder, "server"))
            if options.calls:
                measure_calls(os.path.abspath(options.calls), folder, engine, url, postgres, options.titles, results)
            make_titles(os.path.join(folder, engine, "media", "vod"), options.titles)
            measure(programs, os.path.abspath(options.binary), folder, engine, url, options.titles, options.rounds,
                    results)
            shutil.rmtree(os.path.join(folder, engine))
    finally:
        programs.end_all()
        if postgres:
            postgres.terminate()
            postgres.wait()
        shutil.rmtree(folder, ignore_errors=True)
    for what, engines in results.items():
        for engine, values in engines.items():
            print(f"{what} | {engine} | {statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})")


if __name__ == "__main__":
    sys.exit(main())
