#!/usr/bin/env python3
"""A ladder of three: `antena transcode` against one ffmpeg process that makes the same three with the same settings.

Films of several lengths on several numbers of cores (both programs are held to the same ones); in each round all of them
by both, in turns, the other one first in every second round, and at the priority that Antena's workers have, which leave
the processor to live channels and viewers. Wall time from asking to all three being there.

LADDER_SECONDS=10,30,72,120,192 LADDER_CORES=2,4 LADDER_ROUNDS=3 ANTENA_BINARY=.build/release/antena
"""
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

from harness import OPENER, ROOT, Programs, fetch, ffmpeg, operator_token, say, wait_for

LENGTHS = [int(text) for text in os.environ.get("LADDER_SECONDS", "10,30,72,120,192").split(",")]
CORES = [int(text) for text in os.environ.get("LADDER_CORES", str(os.cpu_count())).split(",")]
ROUNDS = int(os.environ.get("LADDER_ROUNDS", "3"))
NICENESS = 10  # WorkerConfinement.swift
ANTENA = os.environ.get("ANTENA_BINARY", f"{ROOT}/.build/release/antena")
# name, width, height, bits a second: high, medium and low of channels.json at the source's 25 pictures a second
RUNGS = [("high", 1280, 720, 2_500_000), ("medium", 854, 480, 1_200_000), ("low", 426, 240, 400_000)]


LOOP_SECONDS = 24


def make_sources(folder):
    """Moving, noisy pictures in 1080p with key frames every two seconds, and sound; the same every 24 s."""
    path = f"{folder}/film"
    loop = f"{path}.loop.mp4"
    ffmpeg(
        "-f", "lavfi", "-i", f"testsrc2=size=1920x1080:rate=25:duration={LOOP_SECONDS},noise=alls=12:allf=t",
        "-f", "lavfi", "-i", f"sine=duration={LOOP_SECONDS}:sample_rate=48000",
        "-c:v", "libx264", "-preset", "veryfast", "-b:v", "8M", "-g", "50", "-pix_fmt", "yuv420p", "-c:a", "aac", loop)
    for seconds in LENGTHS:
        ffmpeg("-stream_loop", "-1", "-i", loop, "-t", str(seconds), "-c", "copy", f"{path}{seconds}.mp4")
    os.remove(loop)


def pinned(count):
    return ["taskset", "-c", ",".join(map(str, sorted(os.sched_getaffinity(0))[:count]))]


def by_ffmpeg(source, folder, cores):
    command = ["ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-i", source, "-filter_complex",
               f"[0:v]split={len(RUNGS)}" + "".join(f"[s{i}]" for i in range(len(RUNGS))) + ";"
               + ";".join(f"[s{i}]scale={w}:{h}:flags=bicubic[v{i}]" for i, (_, w, h, _) in enumerate(RUNGS))]
    for i, (name, _, _, rate) in enumerate(RUNGS):
        command += ["-map", f"[v{i}]", "-c:v", "libx264", "-preset", "veryfast", "-profile:v", "high", "-b:v", str(rate),
                    "-maxrate", str(rate * 3 // 2), "-bufsize", str(rate * 3 // 2), "-g", "50", "-keyint_min", "50",
                    "-sc_threshold", "0", "-pix_fmt", "yuv420p", f"{folder}/{name}.mp4"]
    started = time.monotonic()
    process = subprocess.Popen([*pinned(cores), "nice", "-n", str(NICENESS), *command])
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"ffmpeg: {status}")
    return time.monotonic() - started, usage.ru_utime + usage.ru_stime


def processor_seconds(pid):
    """Of a server and of the workers that have ended."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def ask(url, token, method, body=None):
    request = urllib.request.Request(
        url, method=method, data=body and json.dumps(body).encode(),
        headers={"Content-Type": "application/json", "Authorization": f"Bearer {token}"})
    with OPENER.open(request, timeout=60) as reply:
        return json.load(reply)


def by_antena(origin, token, pid, title):
    url = f"{origin}/api/v1/titles/{title}/transcode"
    before = processor_seconds(pid)
    started = time.monotonic()
    ask(url, token, "POST", {"presets": [name for name, *_ in RUNGS]})

    def settled():
        status = json.loads(fetch(url))
        return status if status["state"] not in ("queued", "transcoding") else None
    status = wait_for("a ladder", settled, seconds=3600, pause=0.02)
    seconds = time.monotonic() - started
    if status["state"] != "ready" or len(status["rungs"]) != len(RUNGS):
        raise SystemExit(f"no ladder: {status}")
    ask(url, token, "DELETE")
    return seconds, processor_seconds(pid) - before


def serve(programs, folder, cores):
    data = f"{folder}/data{cores}"
    os.makedirs(data)
    server = programs.start(
        *pinned(cores), ANTENA, "serve", "--http", "127.0.0.1:0", "--rtsp", "127.0.0.1:0", "--wowza-port", "0",
        "--print-ports", "--media", f"{folder}/media", "--data", data, "--channels", f"{folder}/channels.json",
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    origin = f"http://127.0.0.1:{json.loads(server.stdout.readline())['http']}"
    wait_for("the titles", lambda: sum(
        item["state"] == "ready" for item in json.loads(fetch(f"{origin}/api/v1/titles"))["items"]) == len(LENGTHS))
    return origin, operator_token(data), server.pid


def row(values):
    return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def main():
    programs, folder = Programs(), tempfile.mkdtemp(prefix="antena-ladder-")
    try:
        for name in ("media/vod", "media/audio", "ffmpeg"):
            os.makedirs(f"{folder}/{name}")
        say(f"making {LENGTHS} s of 1080p")
        make_sources(f"{folder}/media/vod")
        with open(f"{folder}/channels.json", "w") as file:
            presets = {name: {"width": w, "height": h, "frameRate": 30, "videoBitrate": rate, "audioBitrate": 96000}
                       for name, w, h, rate in RUNGS}
            json.dump({"presets": presets, "channels": [
                {"name": "canalA", "defaultPreset": "low", "presets": ["low"]}]}, file)
        servers = {cores: serve(programs, folder, cores) for cores in CORES}
        results = {(cores, seconds): [] for cores in CORES for seconds in LENGTHS}
        for number in range(ROUNDS):
            for cores, seconds in results:
                pair = {}
                for kind in ("antena", "ffmpeg") if number % 2 == 0 else ("ffmpeg", "antena"):
                    if kind == "antena":
                        pair[kind] = by_antena(*servers[cores], f"film{seconds}")
                    else:
                        pair[kind] = by_ffmpeg(f"{folder}/media/vod/film{seconds}.mp4", f"{folder}/ffmpeg", cores)
                results[cores, seconds].append(pair)
                ours, theirs = pair["antena"], pair["ffmpeg"]
                say(f"round {number + 1}, {cores} cores, {seconds} s: antena {ours[0]:.1f} s ({ours[1]:.1f} s of "
                    f"processor), ffmpeg {theirs[0]:.1f} s ({theirs[1]:.1f}), {ours[0] / theirs[0]:.2f}; load "
                    f"{os.getloadavg()[0]:.0f}")
        print(f"Ladder of three of 1080p, {ROUNDS} rounds, median (minimum to maximum); of what is best the minima, which "
              "say most where others use the machine, too.\n")
        print("| cores | film | Antena, s | ffmpeg, s | wall, ratio | of minima | processor, ratio | of minima |")
        print("| --- | --- | --- | --- | --- | --- | --- | --- |")
        failed = False
        for (cores, seconds), pairs in results.items():
            ours, theirs = [pair["antena"] for pair in pairs], [pair["ffmpeg"] for pair in pairs]
            ratios = [[a[i] / b[i] for a, b in zip(ours, theirs)] for i in (0, 1)]
            best = [min(a[i] for a in ours) / min(b[i] for b in theirs) for i in (0, 1)]
            failed = failed or statistics.median(ratios[0]) > 1
            print(f"| {cores} | {seconds} s | {row([a[0] for a in ours])} | {row([b[0] for b in theirs])} | "
                  f"{row(ratios[0])} | {best[0]:.2f} | {row(ratios[1])} | {best[1]:.2f} |")
        sys.exit(1 if failed else 0)
    finally:
        programs.end_all()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
