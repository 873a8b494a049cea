"""The community on SQLite and on PostgreSQL: pages of 100,000 videos and a million comments, search, publishing.

    swift build -c release --product community-benchmark
    python3 Benchmarks/community.py .build/release/community-benchmark [--videos 100000] [--comments 1000000]
        [--followers 10000] [--rounds 1] [--engine sqlite|postgresql]

Each engine in turns, each round with an empty database; the PostgreSQL server writes to the disk (`fsync`).
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

from catalogue import start_postgres
from harness import say


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--videos", type=int, default=100_000)
    parser.add_argument("--comments", type=int, default=1_000_000)
    parser.add_argument("--followers", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--engine", choices=["sqlite", "postgresql"])
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="antena-community-")
    results, postgres, url = {}, None, ""
    try:
        for number in range(options.rounds):
            for engine in ["sqlite", "postgresql"]:
                if options.engine not in (None, engine):
                    continue
                say(f"round {number + 1}, {engine}")
                if engine == "postgresql" and not postgres:
                    postgres, url = start_postgres(os.path.join(folder, "server"))
                address = (f"{url}&schema=community{number}" if engine == "postgresql"
                           else f"sqlite:{os.path.join(folder, f'community{number}.sqlite')}")
                counts = [str(count) for count in (options.videos, options.comments, options.followers)]
                output = subprocess.run([os.path.abspath(options.program), address, *counts], check=True,
                                        stdout=subprocess.PIPE).stdout
                for what, value in json.loads(output).items():
                    results.setdefault(what, {}).setdefault(engine, []).append(value)
    finally:
        if postgres:
            postgres.terminate()
            postgres.wait()
        shutil.rmtree(folder, ignore_errors=True)
    for what, engines in sorted(results.items()):
        for engine, values in engines.items():
            print(f"{what} | {engine} | {statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})")


if __name__ == "__main__":
    sys.exit(main())
