#!/usr/bin/env python3
"""Processor time that low-latency viewers cost (`low_latency_viewers.c`): a channel of Antena, and the same two files from
nginx (`sendfile`), which never has to wait, in turns.

    python3 Benchmarks/low_latency_viewers.py --binary .build/release/antena --viewers 5000 --pairs 3 [--tls]

Needs nginx, ffmpeg, a C compiler and the headers of OpenSSL.
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time

from delivery import start_nginx
from harness import ROOT, Antena, Programs, fetch, ffmpeg, free_port, run, say, wait_for
from processor_time import processor_seconds, steal

CHANNEL = "/live/canalA.stream"
TLS_OF_NGINX = """
  server {{ listen 127.0.0.1:{port} ssl; root {folder}/www; ssl_certificate {folder}/tls/cert.pem;
    ssl_certificate_key {folder}/tls/key.pem; }}
"""


def publish(programs, server, folder):
    """600 kbit/s of video, encoded before, and nothing else."""
    source = os.path.join(folder, "push.mp4")
    ffmpeg("-f", "lavfi", "-i", "testsrc2=size=640x360:rate=30:duration=20,noise=alls=12:allf=t", "-c:v", "libx264",
           "-preset", "ultrafast", "-tune", "zerolatency", "-g", "60", "-b:v", "600k", "-maxrate", "600k", "-bufsize",
           "600k", "-pix_fmt", "yuv420p", source)
    programs.start(
        "ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-re", "-stream_loop", "-1", "-i", source, "-c",
        "copy", "-f", "rtsp", "-rtsp_transport", "tcp", f"rtsp://127.0.0.1:{server.rtsp}{CHANNEL}")
    playlist = f"{CHANNEL}/video.m3u8"
    wait_for("a full window", lambda: fetch(server.origin + playlist).decode().count("#EXTINF") >= 6)
    return playlist


def newest_part(text):
    """The address of the newest part of a playlist."""
    return [line for line in text.splitlines() if line.startswith("#EXT-X-PART:")][-1].split('URI="')[1].split('"')[0]


def mirror(server, www, playlist):
    text = fetch(server.origin + playlist).decode()
    part = newest_part(text)
    for path, data in [(playlist, text.encode()), (f"{CHANNEL}/{part}", fetch(f"{server.origin}{CHANNEL}/{part}"))]:
        os.makedirs(os.path.dirname(www + path), exist_ok=True)
        with open(www + path, "wb") as file:
            file.write(data)


def watch(client, pid, port, playlist, viewers, seconds, tls):
    process = subprocess.Popen([client, str(port), playlist, str(viewers), str(seconds)] + (["tls"] if tls else []),
                               stdout=subprocess.PIPE, text=True)
    process.stdout.readline()
    # The first reloads are those of players that begin, which do not wait.
    time.sleep(1)
    before = processor_seconds(pid)
    begin = time.monotonic()
    time.sleep(seconds - 2)
    spent, lasted = processor_seconds(pid) - before, time.monotonic() - begin
    result = json.loads(process.communicate()[0])
    # Requests are spread evenly enough to take a share of them.
    requests = (result["reloads"] + result["parts"]) * lasted / seconds
    return {**result, "microseconds": spent / requests * 1e6, "core": spent / lasted}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.path.join(ROOT, ".build/release/antena"))
    parser.add_argument("--viewers", type=int, default=5000)
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=12, help="of one run")
    parser.add_argument("--tls", action="store_true")
    arguments = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="antena-viewers-")
    os.chmod(folder, 0o755)
    www, tls = os.path.join(folder, "www"), os.path.join(folder, "tls")
    os.makedirs(www)
    os.makedirs(tls)
    client = os.path.join(folder, "viewers")
    run("cc", "-O2", os.path.join(ROOT, "Benchmarks/low_latency_viewers.c"), "-lssl", "-lcrypto", "-o", client)
    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
        "/CN=localhost", "-days", "2", "-keyout", f"{tls}/key.pem", "-out", f"{tls}/cert.pem")
    programs, stolen = Programs(), steal()
    try:
        secure = free_port()
        begin = TLS_OF_NGINX.format(folder=folder, port=secure) if arguments.tls else ""
        origin = start_nginx(programs, folder, www, more=begin, connections=2 * arguments.viewers)
        nginx = (programs.started[-1].pid, secure if arguments.tls else int(origin.rsplit(":", 1)[1]))
        options = ["--https", "127.0.0.1:0", "--tls-cert", f"{tls}/cert.pem", "--tls-key", f"{tls}/key.pem"]
        server = Antena(programs, arguments.binary, folder, "serving", options=options if arguments.tls else ())
        antena = (server.process.pid, server.https if arguments.tls else int(server.origin.rsplit(":", 1)[1]))
        playlist = publish(programs, server, folder)
        ratios = []
        for index in range(arguments.pairs + 1):
            pair = []
            for name, (pid, port) in (("Antena", antena), ("nginx", nginx)):
                mirror(server, www, playlist)
                result = watch(client, pid, port, playlist, arguments.viewers, arguments.seconds, arguments.tls)
                pair.append(result["microseconds"])
                say(f"{name}: {json.dumps(result)}")
            if index:
                ratios.append(pair[0] / pair[1])
        print(f"ratio of processor time per request: {statistics.median(ratios):.2f} "
              f"({min(ratios):.2f} to {max(ratios):.2f})")
        now = steal()
        print(f"steal: {(now[0] - stolen[0]) / (now[1] - stolen[1]):.1%}")
    finally:
        programs.end_all()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
