#!/usr/bin/env python3
"""Measures the server's memory while a channel with time shift is live and its disk stops responding.

    frozen-disk.py ANTENA [--seconds 40] [--rate 40]

Creates an ext4 file system in a file, mounts it in a separate mount namespace, runs the server with its data there,
pushes RATE Mbit/s to a channel with a time shift of two hours, freezes the file system (fsfreeze) for SECONDS and
prints the resident memory every two seconds. Exits with 1 if memory still grows after the archive's queue (64 MiB) is
full, if the channel's playlist stops growing, or if the server does not write again after the thaw.

Needs root, loop devices, and ffmpeg with libx264. Touches nothing outside of a temporary folder.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

QUEUE_MIB = 64


def run(*command):
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def resident_mib(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("the server has ended")


def wait(what, condition, seconds):
    deadline = time.monotonic() + seconds
    while True:
        try:
            if value := condition():
                return value
        except OSError:
            pass
        if time.monotonic() > deadline:
            raise RuntimeError(f"waited in vain for {what}")
        time.sleep(0.2)


def serve(executable, folder, disk):
    for name in ["vod", "audio"]:
        (folder / "media" / name).mkdir(parents=True)
    (folder / "channels.json").write_text(json.dumps({
        "presets": {"full": {"width": 1280, "height": 720, "frameRate": 25, "videoBitrate": 40000000,
                             "audioBitrate": 96000}},
        "channels": [{"name": "canalA", "title": "Canal A", "defaultPreset": "full", "presets": ["full"],
                      "dvrWindow": "2h"}]}))
    with open(folder / "ports", "w") as ports, open(folder / "log", "w") as log:
        process = subprocess.Popen(
            [executable, "serve", "--http", "127.0.0.1:0", "--rtsp", "127.0.0.1:0", "--wowza-port", "0",
             "--print-ports", "--data", f"{disk}/data", "--media", str(folder / "media"), "--channels",
             str(folder / "channels.json")], stdin=subprocess.DEVNULL, stdout=ports, stderr=log)
    text = wait("the server", lambda: (lambda t: t.endswith("\n") and t)((folder / "ports").read_text()), 20)
    return process, json.loads(text)


def newest_segment(ports):
    url = f"http://127.0.0.1:{ports['http']}/live/canalA.stream/video.m3u8"
    with urllib.request.urlopen(url, timeout=10) as answer:
        names = [line for line in answer.read().decode().splitlines() if line.endswith(".m4s")]
    return int(names[-1].split("/")[-1].split(".")[0])


def archived_byte_count(disk):
    return sum(path.stat().st_size for path in pathlib.Path(f"{disk}/data").rglob("*.mp4"))


def measure(process, seconds, label, samples):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(2)
        samples.append(resident_mib(process.pid))
        print(f"{label:7} {samples[-1]:7.0f} MiB", flush=True)


def trial(options, folder, disk):
    clip = folder / "noise.mkv"
    run("ffmpeg", "-hide_banner", "-loglevel", "error", "-f", "lavfi", "-i",
        "color=gray:size=1280x720:rate=25,noise=alls=100:allf=t+u", "-t", "4", "-c:v", "libx264", "-preset", "ultrafast",
        "-pix_fmt", "yuv420p", "-g", "50", "-b:v", f"{options.rate}M", "-minrate", f"{options.rate}M", "-maxrate",
        f"{options.rate}M", "-bufsize", f"{options.rate}M", str(clip))
    server, ports = serve(options.antena, folder, disk)
    push = subprocess.Popen(
        ["ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-re", "-stream_loop", "-1", "-i", str(clip), "-c",
         "copy", "-f", "rtsp", "-rtsp_transport", "tcp", f"rtsp://127.0.0.1:{ports['rtsp']}/live/canalA.stream"])
    failures = []
    try:
        wait("the channel", lambda: newest_segment(ports) >= 0, 30)
        measure(server, 20, "running", running := [])
        before = newest_segment(ports)
        run("fsfreeze", "--freeze", disk)
        try:
            measure(server, options.seconds, "frozen", frozen := [])
            after = newest_segment(ports)
        finally:
            run("fsfreeze", "--unfreeze", disk)
        size = archived_byte_count(disk)
        wait("the disk to be written to again", lambda: archived_byte_count(disk) > size, 20)
        fill = int(QUEUE_MIB / (options.rate / 8) / 2) + 5
        late = frozen[fill:]
        growth = (late[-1] - late[0]) / (2 * (len(late) - 1)) if len(late) > 1 else 0
        print(f"after {2 * fill} s frozen: {growth:+.2f} MiB/s, {late[-1] - running[-1]:+.0f} MiB since the freeze; "
              f"segments {before} to {after}")
        if growth > 0.5:
            failures.append("memory grows while the disk stands still")
        if after - before < options.seconds / 4:
            failures.append("the channel stands still with the disk")
    finally:
        push.kill()
        push.wait()
        server.kill()
        server.wait()
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("antena", type=os.path.abspath)
    parser.add_argument("--seconds", type=int, default=40)
    parser.add_argument("--rate", type=int, default=40, help="Mbit/s")
    options = parser.parse_args()
    if os.environ.get("FROZEN_DISK_NAMESPACE") != "1":
        os.environ["FROZEN_DISK_NAMESPACE"] = "1"
        os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", sys.executable] + sys.argv)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="frozen-disk-"))
    disk = folder / "disk"
    disk.mkdir()
    try:
        image = folder / "image"
        with open(image, "wb") as file:
            file.truncate(2 << 30)
        run("mkfs.ext4", "-q", "-F", str(image))
        run("mount", "-o", "loop", str(image), str(disk))
        try:
            failures = trial(options, folder, str(disk))
        finally:
            run("umount", str(disk))
        for failure in failures:
            print(f"FAILED: {failure}")
        return 1 if failures else 0
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
