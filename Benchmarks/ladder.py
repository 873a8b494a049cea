#!/usr/bin/env python3
"""A ladder of three: `antena transcode` against one ffmpeg process that makes the same three with the same settings.

Both in turns, in each round the other one first, and at the priority that Antena's workers have, which leave the
processor to live channels and viewers; the wall time from asking to all three being there.
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

from harness import OPENER, ROOT, Programs, fetch, ffmpeg, say, wait_for

SECONDS = int(os.environ.get("LADDER_SECONDS", "120"))
ROUNDS = int(os.environ.get("LADDER_ROUNDS", "3"))
NICENESS = 10  # WorkerConfinement.swift
ANTENA = os.environ.get("ANTENA_BINARY", f"{ROOT}/.build/release/antena")
# name, width, height, bits a second: high, medium and low of channels.json at the source's 25 pictures a second
RUNGS = [("high", 1280, 720, 2_500_000), ("medium", 854, 480, 1_200_000), ("low", 426, 240, 400_000)]


LOOP_SECONDS = 24


def make_source(path):
    """Moving, noisy pictures in 1080p with key frames every two seconds, and sound; the same every 24 s."""
    loop = f"{path}.loop.mp4"
    ffmpeg(
        "-f", "lavfi", "-i", f"testsrc2=size=1920x1080:rate=25:duration={LOOP_SECONDS},noise=alls=12:allf=t",
        "-f", "lavfi", "-i", f"sine=duration={LOOP_SECONDS}:sample_rate=48000",
        "-c:v", "libx264", "-preset", "veryfast", "-b:v", "8M", "-g", "50", "-pix_fmt", "yuv420p", "-c:a", "aac", loop)
    ffmpeg("-stream_loop", "-1", "-i", loop, "-t", str(SECONDS), "-c", "copy", path)
    os.remove(loop)


def by_ffmpeg(source, folder):
    command = ["ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-i", source, "-filter_complex",
               f"[0:v]split={len(RUNGS)}" + "".join(f"[s{i}]" for i in range(len(RUNGS))) + ";"
               + ";".join(f"[s{i}]scale={w}:{h}:flags=bicubic[v{i}]" for i, (_, w, h, _) in enumerate(RUNGS))]
    for i, (name, _, _, rate) in enumerate(RUNGS):
        command += ["-map", f"[v{i}]", "-c:v", "libx264", "-preset", "veryfast", "-profile:v", "high", "-b:v", str(rate),
                    "-maxrate", str(rate * 3 // 2), "-bufsize", str(rate * 3 // 2), "-g", "50", "-keyint_min", "50",
                    "-sc_threshold", "0", "-pix_fmt", "yuv420p", f"{folder}/{name}.mp4"]
    started = time.monotonic()
    process = subprocess.Popen(["nice", "-n", str(NICENESS), *command])
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"ffmpeg: {status}")
    return time.monotonic() - started, usage.ru_utime + usage.ru_stime


def processor_seconds(pid):
    """Of a server and of the workers that have ended."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def ask(url, method, body=None):
    request = urllib.request.Request(
        url, method=method, data=body and json.dumps(body).encode(), headers={"Content-Type": "application/json"})
    with OPENER.open(request, timeout=60) as reply:
        return json.load(reply)


def by_antena(origin, pid):
    url = f"{origin}/api/v1/titles/film/transcode"
    before = processor_seconds(pid)
    started = time.monotonic()
    ask(url, "POST", {"presets": [name for name, *_ in RUNGS]})

    def settled():
        status = json.loads(fetch(url))
        return status if status["state"] not in ("queued", "transcoding") else None
    status = wait_for("a ladder", settled, seconds=3600, pause=0.2)
    seconds = time.monotonic() - started
    if status["state"] != "ready" or len(status["rungs"]) != len(RUNGS):
        raise SystemExit(f"no ladder: {status}")
    return seconds, processor_seconds(pid) - before


def main():
    programs, folder = Programs(), tempfile.mkdtemp(prefix="antena-ladder-")
    try:
        for name in ("media/vod", "media/audio", "data", "ffmpeg"):
            os.makedirs(f"{folder}/{name}")
        say(f"making {SECONDS} s of 1080p")
        make_source(f"{folder}/media/vod/film.mp4")
        with open(f"{folder}/channels.json", "w") as file:
            presets = {name: {"width": w, "height": h, "frameRate": 30, "videoBitrate": rate, "audioBitrate": 96000}
                       for name, w, h, rate in RUNGS}
            json.dump({"presets": presets, "channels": [
                {"name": "canalA", "defaultPreset": "low", "presets": ["low"]}]}, file)
        server = programs.start(
            ANTENA, "serve", "--http", "127.0.0.1:0", "--rtsp", "127.0.0.1:0", "--wowza-port", "0", "--print-ports",
            "--media", f"{folder}/media", "--data", f"{folder}/data", "--channels", f"{folder}/channels.json",
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        origin = f"http://127.0.0.1:{json.loads(server.stdout.readline())['http']}"
        wait_for("the title", lambda: any(
            item["state"] == "ready" for item in json.loads(fetch(f"{origin}/api/v1/titles"))["items"]))
        ours, theirs, ratios, processor_ratios = [], [], [], []
        for number in range(ROUNDS):
            pair = {}
            for kind in ("antena", "ffmpeg") if number % 2 == 0 else ("ffmpeg", "antena"):
                if kind == "antena":
                    pair[kind] = by_antena(origin, server.pid)
                    ask(f"{origin}/api/v1/titles/film/transcode", "DELETE")
                else:
                    pair[kind] = by_ffmpeg(f"{folder}/media/vod/film.mp4", f"{folder}/ffmpeg")
            ours.append(pair["antena"])
            theirs.append(pair["ffmpeg"])
            ratios.append(pair["antena"][0] / pair["ffmpeg"][0])
            processor_ratios.append(pair["antena"][1] / pair["ffmpeg"][1])
            say(f"round {number + 1}: antena {ours[-1][0]:.1f} s ({ours[-1][1]:.1f} s of processor), "
                f"ffmpeg {theirs[-1][0]:.1f} s ({theirs[-1][1]:.1f}), {ratios[-1]:.2f}")

        def median(pairs, index):
            return statistics.median(pair[index] for pair in pairs)
        print(f"ladder of three, {SECONDS} s of 1080p: antena {median(ours, 0):.1f} s, ffmpeg {median(theirs, 0):.1f} s, "
              f"ratio {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}); "
              f"processor {median(ours, 1):.1f} s and {median(theirs, 1):.1f} s, ratio "
              f"{statistics.median(processor_ratios):.2f} ({min(processor_ratios):.2f} to {max(processor_ratios):.2f})")
        sys.exit(0 if statistics.median(ratios) <= 1.0 else 1)
    finally:
        programs.end_all()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
