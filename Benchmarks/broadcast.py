#!/usr/bin/env python3
"""`antena broadcast start --file` against ffmpeg that pushes the same file with the same encoder settings.

Both push to the same running server, in turns, in each round the other one first; processor time of each for the same
seconds of media. Then the same for a file that is copied. "Once it runs" leaves out the first seconds, in which programs
load, libav looks at the file, and ours examines whether it keeps to the preset.
"""
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from harness import ROOT, Antena, Programs, ffmpeg, say

SECONDS = int(os.environ.get("BROADCAST_SECONDS", "60"))
START_SECONDS = 5
ROUNDS = int(os.environ.get("BROADCAST_ROUNDS", "3"))
# "encoded" or "copied" for one of the two.
ONLY = os.environ.get("BROADCAST_ONLY", "")
ANTENA = os.environ.get("ANTENA_BINARY", f"{ROOT}/.build/release/antena")
# The preset `high` of channels.json.
WIDTH, HEIGHT, RATE, VIDEO, AUDIO = 1280, 720, 30, 2_500_000, 128_000


def make_source(path, video):
    """Moving, noisy pictures with sound, in the preset's size."""
    ffmpeg(
        "-f", "lavfi", "-i", f"testsrc2=size={WIDTH}x{HEIGHT}:rate={RATE}:duration={SECONDS + 20},noise=alls=8:allf=t",
        "-f", "lavfi", "-i", f"sine=duration={SECONDS + 20}:sample_rate=48000", "-c:v", "libx264", "-preset",
        "veryfast", "-b:v", str(video), "-maxrate", str(video), "-bufsize", str(video), "-g", "60", "-bf", "0",
        "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "128k", "-ac", "2", path)


def run(command):
    """Processor seconds of a command and what it started: of all its life, and behind its first seconds."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    time.sleep(START_SECONDS)
    at_start = processor_seconds(process.pid)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{command[0]}: {status}")
    whole = usage.ru_utime + usage.ru_stime
    return whole, whole - at_start


def processor_seconds(identifier):
    """Of a process that runs; its children are those that it has waited for."""
    with open(f"/proc/{identifier}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")


def by_ffmpeg(source, url, copies):
    encoding = ["-c", "copy"] if copies else [
        "-c:v", "libx264", "-preset", "veryfast", "-tune", "zerolatency", "-profile:v", "high", "-b:v", str(VIDEO),
        "-maxrate", str(VIDEO), "-bufsize", str(VIDEO), "-g", str(2 * RATE), "-x264-params",
        "open-gop=0:bframes=0:scenecut=0", "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", str(AUDIO), "-ac", "2"]
    return run(["ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-re", "-i", source, "-t", str(SECONDS),
                *encoding, "-f", "rtsp", "-rtsp_transport", "tcp", url])


def by_antena(source, origin, rtsp):
    return run([ANTENA, "broadcast", "start", "--json", "--server", origin, "--rtsp", rtsp, "--channel", "canalA",
                "--preset", "high", "--file", source, "--duration", str(SECONDS)])


def row(name, values, seconds):
    shares = [100 * value / seconds for value in values]
    return f"| {name} | {statistics.median(shares):.2f} % ({min(shares):.2f} to {max(shares):.2f}) |"


def main():
    programs, folder = Programs(), tempfile.mkdtemp(prefix="antena-broadcast-")
    try:
        server = Antena(programs, ANTENA, folder, "server")
        origin, rtsp = server.origin, f"rtsp://127.0.0.1:{server.rtsp}"
        for title, bits, copies in (("re-encoded", 6_000_000, False), ("copied", 2_300_000, True)):
            if ONLY and ONLY not in title:
                continue
            source = f"{folder}/{title.split()[0]}.mp4"
            make_source(source, bits)
            ours, theirs = [], []
            for round_number in range(ROUNDS):
                turns = [lambda: ours.append(by_antena(source, origin, rtsp)),
                         lambda: theirs.append(by_ffmpeg(source, f"{rtsp}/live/canalA.stream?preset=high", copies))]
                for turn in turns if round_number % 2 == 0 else reversed(turns):
                    turn()
                    time.sleep(1)
            for index, (what, seconds) in enumerate(
                    (("from start to end", SECONDS), ("once it runs", SECONDS - START_SECONDS))):
                one, other = [pair[index] for pair in ours], [pair[index] for pair in theirs]
                ratios = [mine / yours for mine, yours in zip(one, other)]
                say(f"\n720p30 at 2.5 Mbit/s, {title}, {what}: processor time, of one core, {seconds} s, "
                    f"{ROUNDS} rounds")
                print("| | median (min to max) |\n| --- | --- |")
                print(row("antena broadcast", one, seconds))
                print(row("ffmpeg", other, seconds))
                print(f"| ratio | {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}) |",
                      flush=True)
    finally:
        programs.end_all()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
