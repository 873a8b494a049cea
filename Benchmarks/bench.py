#!/usr/bin/env python3
"""Measures Antena against nginx and ffmpeg, in pairs, on this machine; `make bench` runs it.

A figure is the median of several runs after a warm-up, with its minimum and maximum; the two sides take turns
(A B A B). Nothing here is a test: a slow machine fails nothing. Results go to Benchmarks/results/ as Markdown.
"""
import argparse
import datetime
import json
import os
import platform
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PICK_SEGMENTS = os.path.join(ROOT, "Benchmarks", "pick-segments.lua")
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))
POLL_PAUSE = 0.0005  # s; without one the asking takes the processor from the answer
MASTER_BYTES = 1_200_000_000
NGINX = """
daemon off; worker_processes 2; pid {folder}/nginx.pid; error_log {folder}/nginx-error.log;
events {{ worker_connections 1024; }}
http {{
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; default_type application/octet-stream;
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
  uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  server {{ listen 127.0.0.1:{port}; root {folder}/www; }}
}}
"""


def say(text):
    print(f"==> {text}", file=sys.stderr, flush=True)


def run(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options).stdout


def ffmpeg(*arguments):
    run("ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y", *arguments)


def fetch(url):
    with OPENER.open(url, timeout=60) as reply:
        return reply.read()


def wait_for(what, ask, seconds=120, pause=0.05):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            value = ask()
            if value:
                return value
        except OSError:
            pass
        time.sleep(pause)
    raise SystemExit(f"not within {seconds} s: {what}")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Programs:
    """What was started here, ended here, by its own process number."""

    def __init__(self):
        self.started = []

    def start(self, *command, **options):
        process = subprocess.Popen(command, **options)
        self.started.append(process)
        return process

    def end(self, process):
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def end_all(self):
        for process in reversed(self.started):
            self.end(process)


class Connection:
    """As little HTTP/1.1 as takes no time of its own: http.client spends half a millisecond on each answer."""

    def __init__(self, origin):
        address = urllib.parse.urlsplit(origin)
        self.host = address.netloc
        self.socket = socket.create_connection((address.hostname, address.port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, path, body=None):
        """Body of a 2xx answer to a GET, or to a POST of JSON."""
        head = f"{'GET' if body is None else 'POST'} {path} HTTP/1.1\r\nHost: {self.host}\r\n"
        if body is not None:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body.encode())}\r\n"
        self.socket.sendall(f"{head}\r\n{body or ''}".encode())
        answer = b""
        while (end := answer.find(b"\r\n\r\n")) < 0:
            answer += self.receive()
        length = re.search(rb"(?i)\r\ncontent-length: (\d+)", answer[:end])
        if not answer.startswith(b"HTTP/1.1 2") or not length:
            raise SystemExit(f"{path}: {answer[:end].decode()}")
        while len(answer) < end + 4 + int(length.group(1)):
            answer += self.receive()
        return answer[end + 4:]

    def receive(self):
        data = self.socket.recv(1 << 20)
        if not data:
            raise SystemExit("the server closed the connection")
        return data

    def close(self):
        self.socket.close()


class Antena:
    def __init__(self, programs, binary, folder, name):
        self.media, data = os.path.join(folder, name, "media"), os.path.join(folder, name, "data")
        for part in ("vod", "audio"):
            os.makedirs(os.path.join(self.media, part))
        self.log = open(os.path.join(folder, f"{name}.log"), "w")
        self.process = programs.start(
            binary, "serve", "--http", "127.0.0.1:0", "--rtsp", "127.0.0.1:0", "--print-ports", "--data", data,
            "--media", self.media, "--channels", os.path.join(ROOT, "channels.json"), "--log-level", "warning",
            stdout=subprocess.PIPE, stderr=self.log)
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"antena did not start; see {self.log.name}")
        ports = json.loads(line)
        self.origin, self.rtsp = f"http://127.0.0.1:{ports['http']}", ports["rtsp"]

    def api(self, path):
        return json.loads(fetch(f"{self.origin}/api/v1/{path}"))

    def ingest(self, file):
        """Seconds from asking until the title's playlists have arrived, and the title; over one connection."""
        connection = Connection(self.origin)
        start = time.monotonic()
        title = json.loads(connection.ask("/api/v1/titles", json.dumps({"path": file})))
        while title["state"] not in ("ready", "failed"):
            time.sleep(POLL_PAUSE)
            title = json.loads(connection.ask(f"/api/v1/titles/{title['id']}"))
        if title["state"] == "failed":
            raise SystemExit(f"antena could not ingest {file}: {title['error']}")
        playlist = title["playlist"]
        for address in playlist_addresses(playlist, connection.ask(playlist).decode()):
            connection.ask(address)
        seconds = time.monotonic() - start
        connection.close()
        return seconds, title

    def resident_megabytes(self):
        with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1)) / 1024


def playlist_addresses(base, text):
    """Of the media playlists that a multivariant playlist leads to."""
    uris = re.findall(r'URI="([^"]+\.m3u8[^"]*)"', text)
    uris += [line for line in text.splitlines() if line and not line.startswith("#")]
    return [urllib.parse.urljoin(base, uri) for uri in dict.fromkeys(uris)]


def media_playlists(url):
    """URL and text of every media playlist that a multivariant playlist leads to."""
    return {address: fetch(address).decode() for address in playlist_addresses(url, fetch(url).decode())}


def segment_urls(url, text):
    return [urllib.parse.urljoin(url, line) for line in text.splitlines() if line and not line.startswith("#")]


def wrk(origin, path, connections, seconds, script=None, environment=None):
    """Requests and bytes a second."""
    command = ["wrk", "-t2", f"-c{connections}", f"-d{seconds}s", "--timeout", "30s"]
    command += ["-s", script] if script else []
    text = run(*command, origin + path, env={**os.environ, **(environment or {})}).decode()
    if re.search(r"Non-2xx", text):
        raise SystemExit(f"{origin}{path} answers with errors:\n{text}")
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1))
    transfer, unit = re.search(r"Transfer/sec:\s+([\d.]+)(\w+)", text).groups()
    return rate, float(transfer) * {"B": 1, "KB": 2**10, "MB": 2**20, "GB": 2**30}[unit]


class Table:
    def __init__(self):
        self.rows = []

    @staticmethod
    def spread(values, form):
        return f"{form(statistics.median(values))} ({form(min(values))} to {form(max(values))})"

    def pair(self, work, ours, other, form, name, target, smaller_is_better=False):
        ratio = statistics.median(other) / statistics.median(ours)
        ratio = ratio if smaller_is_better else 1 / ratio
        self.rows.append((work, self.spread(ours, form), f"{name} {self.spread(other, form)}", f"{ratio:.2f} ×", target))

    def single(self, work, values, form, target):
        self.rows.append((work, self.spread(values, form), "", "", target))

    def text(self):
        head = ["| work | Antena | against | Antena is | must reach |", "| --- | --- | --- | --- | --- |"]
        return "\n".join(head + ["| " + " | ".join(row) + " |" for row in self.rows]) + "\n"


def alternate(runs, ours, other):
    """One warm-up of each, then A B A B."""
    ours(), other()
    results = [(ours(), other()) for _ in range(runs)]
    return [pair[0] for pair in results], [pair[1] for pair in results]


def make_hour(folder):
    """One hour, about 1.2 GB, H.264 and AAC: a minute of noise, looped without encoding it again."""
    minute, hour = os.path.join(folder, "minute.mp4"), os.path.join(folder, "hour.mp4")
    say("making a one-hour MP4 of about 1.2 GB")
    ffmpeg("-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=30:duration=60,noise=alls=12:allf=t", "-f", "lavfi", "-i",
           "sine=frequency=440:sample_rate=48000:duration=60", "-c:v", "libx264", "-preset", "ultrafast", "-b:v",
           "2540k", "-maxrate", "2540k", "-bufsize", "5080k", "-g", "60", "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a",
           "128k", minute)
    ffmpeg("-stream_loop", "59", "-i", minute, "-c", "copy", hour)
    os.remove(minute)
    return hour


def measure_ingest(table, programs, binary, folder, hour, runs):
    say("ingest of the one-hour MP4")
    server = Antena(programs, binary, folder, "ingest")
    count = [0]

    def ours():
        count[0] += 1
        # A link, as for any library: the file is indexed where it is. The server runs already, as it would.
        link = os.path.join(server.media, "vod", f"hour-{count[0]}.mp4")
        os.link(hour, link)
        seconds, title = server.ingest(link)
        say(f"    playable after {seconds * 1000:.1f} ms, ingestSeconds {title['ingestSeconds']}")
        return seconds

    def theirs():
        target = tempfile.mkdtemp(dir=folder)
        start = time.monotonic()
        ffmpeg("-i", hour, "-c", "copy", "-f", "hls", "-hls_time", "6", "-hls_playlist_type", "vod",
               os.path.join(target, "index.m3u8"))
        seconds = time.monotonic() - start
        shutil.rmtree(target)
        return seconds

    table.pair("one-hour MP4 to playable", *alternate(runs, ours, theirs), lambda v: f"{v * 1000:.1f} ms",
               "ffmpeg -c copy -f hls", "200 × faster", smaller_is_better=True)
    programs.end(server.process)


def measure_segments(table, server, nginx, www, hour, runs, seconds):
    say("random segments of that title, 16 connections")
    link = os.path.join(server.media, "vod", "hour.mp4")
    os.link(hour, link)
    _, title = server.ingest(link)
    lists = media_playlists(server.origin + title["playlist"])
    url, text = max(lists.items(), key=lambda item: len(fetch(segment_urls(*item)[0])))
    paths = [address[len(server.origin):] for address in segment_urls(url, text)]
    sizes = []
    for path in paths:
        target = www + path
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as file:
            sizes.append(file.write(fetch(server.origin + path)))
    listing = os.path.join(os.path.dirname(www), "segments.txt")
    with open(listing, "w", encoding="utf-8") as file:
        file.write("\n".join(paths))
    environment = {"SEGMENTS": listing}
    results = alternate(runs, *[lambda origin=origin: wrk(origin, "/", 16, seconds, PICK_SEGMENTS, environment)[1]
                                for origin in (server.origin, nginx)])
    table.pair(f"random segments of it, {statistics.mean(sizes) / 1e6:.1f} MB, 16 connections", *results,
               lambda v: f"{v / 1e9:.2f} GB/s", "nginx", "1.1 ×")


def measure_live(table, programs, server, nginx, www, runs, seconds):
    say("live playlist and live segment from memory")
    address = f"rtsp://127.0.0.1:{server.rtsp}/live/canalA.stream"
    publisher = programs.start(
        "ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-re", "-f", "lavfi", "-i",
        "testsrc2=size=1280x720:rate=30,noise=alls=12:allf=t", "-re", "-f", "lavfi", "-i",
        "sine=sample_rate=48000", "-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-g", "60", "-b:v",
        "2560k", "-maxrate", "2560k", "-bufsize", "2560k", "-pix_fmt", "yuv420p", "-c:a", "aac", "-t", "30", "-f",
        "rtsp", "-rtsp_transport", "tcp", address)
    master = f"{server.origin}/live/canalA.stream/playlist.m3u8"

    def full_window():
        lists = media_playlists(master)
        return lists if all(len(segment_urls(*item)) >= 7 for item in lists.items()) else None
    wait_for("a full live window", full_window)
    # The encoder's core is needed for measuring; an interrupted channel's playlists and segments stay as they are.
    programs.end(publisher)
    time.sleep(1)
    lists = media_playlists(master)
    url, text = max(lists.items(), key=lambda item: len(fetch(segment_urls(*item)[-1])))
    segment = max(segment_urls(url, text)[-5:], key=lambda one: len(fetch(one)))
    playlist_size, segment_size = 0, 0
    for address in (url, segment):
        target = www + address[len(server.origin):].split("?")[0]
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as file:
            size = file.write(fetch(address))
        playlist_size, segment_size = (size, segment_size) if address == url else (playlist_size, size)
    path = url[len(server.origin):]
    results = alternate(runs, *[lambda origin=origin: wrk(origin, path, 64, seconds)[0]
                                for origin in (server.origin, nginx)])
    table.pair(f"live playlist, {playlist_size / 1000:.1f} KB, 64 connections", *results, lambda v: f"{v:,.0f}/s",
               "nginx", "1.0 ×")
    path = segment[len(server.origin):].split("?")[0]
    results = alternate(runs, *[lambda origin=origin: wrk(origin, path, 16, seconds)[1]
                                for origin in (server.origin, nginx)])
    table.pair(f"live segment, {segment_size / 1000:.0f} KB, 16 connections", *results,
               lambda v: f"{v / 1e9:.2f} GB/s", "nginx", "1.0 ×")


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
    parser.add_argument("--only", choices=["ingest", "segments", "live", "memory"], action="append")
    parser.add_argument("--folder", help="where the temporary files go; 6 GB are needed")
    arguments = parser.parse_args()
    wanted = arguments.only or ["memory", "ingest", "segments", "live"]
    for tool in ("nginx", "wrk", "ffmpeg"):
        if shutil.which(tool, path=os.environ["PATH"] + ":/usr/sbin") is None:
            sys.exit(f"{tool} is not installed: Scripts/setup.sh bench")
    folder = tempfile.mkdtemp(prefix="antena-bench-", dir=arguments.folder)
    # nginx's workers run as nobody where its master is root.
    os.chmod(folder, 0o755)
    if shutil.disk_usage(folder).free < 5 * MASTER_BYTES:
        sys.exit(f"{folder} has less than 6 GB left; name another folder with --folder")
    programs, table = Programs(), Table()
    www = os.path.join(folder, "www")
    os.makedirs(www)
    try:
        measure(arguments, wanted, programs, table, folder, www)
    finally:
        programs.end_all()
        shutil.rmtree(folder, ignore_errors=True)
    stamp = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
    text = f"# Benchmark of {stamp}\n\n" + "\n".join(f"- {line}" for line in versions())
    text += (f"\n- median of {arguments.runs} runs after a warm-up (minimum to maximum), the two sides in turn, "
             f"{arguments.seconds} s a run under load, loopback\n\n{table.text()}")
    results = os.path.join(ROOT, "Benchmarks", "results")
    os.makedirs(results, exist_ok=True)
    with open(os.path.join(results, f"{stamp}.md"), "w", encoding="utf-8") as file:
        file.write(text)
    print(text)


def measure(arguments, wanted, programs, table, folder, www):
    if "memory" in wanted:
        say("idle memory")
        started, idle = [], []
        for index in range(arguments.runs):
            server = Antena(programs, arguments.binary, folder, f"idle-{index}")
            wait_for("it is ready", lambda server=server: fetch(server.origin + "/readyz"))
            time.sleep(2)
            started.append(server.resident_megabytes())
            # Five seconds after its start it gives back what only the start needed.
            time.sleep(8)
            idle.append(server.resident_megabytes())
            programs.end(server.process)
        table.single("memory, just started (resident)", started, lambda v: f"{v:.1f} MB", "")
        table.single("memory, idle (resident)", idle, lambda v: f"{v:.1f} MB", "≤ 31 MB")
    hour = make_hour(folder) if {"ingest", "segments"} & set(wanted) else None
    if "ingest" in wanted:
        measure_ingest(table, programs, arguments.binary, folder, hour, arguments.runs)
    if {"segments", "live"} & set(wanted):
        port = free_port()
        configuration = os.path.join(folder, "nginx.conf")
        with open(configuration, "w", encoding="utf-8") as file:
            file.write(NGINX.format(folder=folder, port=port))
        nginx = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
        programs.start(nginx, "-c", configuration, "-p", folder, stderr=subprocess.DEVNULL)
        with open(os.path.join(www, "up"), "w", encoding="utf-8") as file:
            file.write("up")
        origin = f"http://127.0.0.1:{port}"
        wait_for("nginx is up", lambda: fetch(origin + "/up"))
        server = Antena(programs, arguments.binary, folder, "serving")
        if "segments" in wanted:
            measure_segments(table, server, origin, www, hour, arguments.runs, arguments.seconds)
        if "live" in wanted:
            measure_live(table, programs, server, origin, www, arguments.runs, arguments.seconds)


if __name__ == "__main__":
    main()
