#!/usr/bin/env python3
"""Measures Antena on this machine, against nginx and ffmpeg where they do the same; `make bench` runs it.

A figure is the median of several runs after a warm-up, with its minimum and maximum; where there are two sides they
take turns (A B A B). Nothing here is a test: a slow machine fails nothing. Results go to Benchmarks/results/ as
Markdown.
"""
import argparse
import datetime
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile

import delivery
import library
import low_latency
import rtsp
from harness import ROOT, Programs, Table

EVERYTHING = [*delivery.MEASUREMENTS, *rtsp.MEASUREMENTS, *low_latency.MEASUREMENTS,
              *library.MEASUREMENTS]
TOOLS = {"ffmpeg": EVERYTHING, "nginx": delivery.MEASUREMENTS, "wrk": (*delivery.MEASUREMENTS, "window"),
         "taskset": tuple(rtsp.MEASUREMENTS)}
NEEDED_BYTES = 6_000_000_000


def versions():
    def first(*command):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.stdout.decode().splitlines()[0]

    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = re.search(r"model name\s*: (.*)", file.read())
    with open("/proc/meminfo", encoding="utf-8") as file:
        memory = int(re.search(r"MemTotal:\s+(\d+)", file.read()).group(1)) / 2**20
    commit = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, check=False).stdout.decode().strip()
    return [f"{model.group(1) if model else platform.machine()}, {os.cpu_count()} cores, {memory:.0f} GiB, "
            f"Linux {platform.release()}", f"Antena {commit}", first("swift", "--version"), first("nginx", "-v"),
            first("ffmpeg", "-version").split(" Copyright")[0], first("wrk", "-v").split(" Copyright")[0]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.path.join(ROOT, ".build/release/antena"))
    parser.add_argument("--runs", type=int, default=5, help="measured runs of each side")
    parser.add_argument("--seconds", type=int, default=6, help="length of one run under load")
    parser.add_argument("--rtsp-seconds", type=int, default=60, help="the same for publishing; all else that is live: half")
    parser.add_argument("--only", choices=EVERYTHING, action="append")
    parser.add_argument("--folder", help="where the temporary files go; 6 GB are needed")
    arguments = parser.parse_args()
    wanted = arguments.only or EVERYTHING
    for tool, users in TOOLS.items():
        if set(users) & set(wanted) and shutil.which(tool, path=os.environ["PATH"] + ":/usr/sbin") is None:
            sys.exit(f"{tool} is not installed: Scripts/setup.sh bench")
    folder = tempfile.mkdtemp(prefix="antena-bench-", dir=arguments.folder)
    # nginx's workers run as nobody where its master is root.
    os.chmod(folder, 0o755)
    if {"ingest", "segments"} & set(wanted) and shutil.disk_usage(folder).free < NEEDED_BYTES:
        sys.exit(f"{folder} has less than 6 GB left; name another folder with --folder")
    programs, table = Programs(), Table()
    shared = (table, programs, arguments.binary, folder, arguments.runs)
    try:
        if set(delivery.MEASUREMENTS) & set(wanted):
            delivery.measure(wanted, *shared, arguments.seconds)
        if set(library.MEASUREMENTS) & set(wanted):
            library.measure(wanted, *shared)
        if set(rtsp.MEASUREMENTS) & set(wanted):
            rtsp.measure(wanted, *shared, arguments.rtsp_seconds)
        if set(low_latency.MEASUREMENTS) & set(wanted):
            low_latency.measure(wanted, *shared, arguments.rtsp_seconds)
    finally:
        programs.end_all()
        shutil.rmtree(folder, ignore_errors=True)
    stamp = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
    text = f"# Benchmark of {stamp}\n\n" + "\n".join(f"- {line}" for line in versions())
    text += f"\n- median of {arguments.runs} runs after a warm-up (minimum to maximum), loopback\n"
    if set(delivery.MEASUREMENTS) & set(wanted):
        text += f"- HTTP: {arguments.seconds} s a run under load, the two sides in turn\n"
    if set(rtsp.MEASUREMENTS) & set(wanted):
        text += f"- {rtsp.conditions(arguments.rtsp_seconds)}\n"
    if set(low_latency.MEASUREMENTS) & set(wanted):
        text += f"- {low_latency.conditions(arguments.rtsp_seconds)}\n"
    text += f"\n{table.text()}"
    results = os.path.join(ROOT, "Benchmarks", "results")
    os.makedirs(results, exist_ok=True)
    # A part of it does not take the whole day's place.
    name = "-".join([stamp, *(arguments.only or [])])
    with open(os.path.join(results, f"{name}.md"), "w", encoding="utf-8") as file:
        file.write(text)
    print(text)


if __name__ == "__main__":
    main()
