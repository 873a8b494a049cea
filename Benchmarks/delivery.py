"""Ingest of titles and delivery over HTTP, against nginx and ffmpeg; and what the idle server needs."""
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time

from harness import (ROOT, Antena, alternate, fetch, ffmpeg, free_port, media_playlists, run, say, segment_urls,
                     wait_for)

PICK_SEGMENTS = os.path.join(ROOT, "Benchmarks", "pick-segments.lua")
NGINX = """
daemon off; worker_processes 2; pid {folder}/nginx.pid; error_log {folder}/nginx-error.log;
events {{ worker_connections {connections}; }}
http {{
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; default_type application/octet-stream;
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
  uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  server {{ listen 127.0.0.1:{port}; root {folder}/www; }}
  {more}
}}
"""


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

    # What one side has written is on the disk before the other begins: a catalogue entry is on the disk when it is
    # acknowledged, and would wait for the gigabyte that ffmpeg has left to be written.

    def ours():
        count[0] += 1
        os.sync()
        # A link, as for any library: the file is indexed where it is. The server runs already, as it would.
        link = os.path.join(server.media, "vod", f"hour-{count[0]}.mp4")
        os.link(hour, link)
        seconds, title = server.ingest(link)
        say(f"    playable after {seconds * 1000:.1f} ms, ingestSeconds {title['ingestSeconds']}")
        return seconds

    def theirs():
        os.sync()
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


def measure_memory(table, programs, binary, folder, runs):
    say("idle memory")
    started, idle = [], []
    for index in range(runs):
        server = Antena(programs, binary, folder, f"idle-{index}")
        wait_for("it is ready", lambda server=server: fetch(server.origin + "/readyz"))
        time.sleep(2)
        started.append(server.resident_megabytes())
        # Five seconds after its start it gives back what only the start needed.
        time.sleep(8)
        idle.append(server.resident_megabytes())
        programs.end(server.process)
    table.single("memory, just started (resident)", started, lambda v: f"{v:.1f} MB", "")
    table.single("memory, idle (resident)", idle, lambda v: f"{v:.1f} MB", "≤ 31 MB")


def start_nginx(programs, folder, www, more="", connections=1024):
    """Its origin, once it answers; `more` is further configuration of its HTTP."""
    port = free_port()
    configuration = os.path.join(folder, "nginx.conf")
    with open(configuration, "w", encoding="utf-8") as file:
        file.write(NGINX.format(folder=folder, port=port, more=more, connections=connections))
    nginx = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
    programs.start(nginx, "-c", configuration, "-p", folder, stderr=subprocess.DEVNULL)
    with open(os.path.join(www, "up"), "w", encoding="utf-8") as file:
        file.write("up")
    origin = f"http://127.0.0.1:{port}"
    wait_for("nginx is up", lambda: fetch(origin + "/up"))
    return origin


MEASUREMENTS = ("memory", "ingest", "segments", "live")


def measure(wanted, table, programs, binary, folder, runs, seconds):
    if "memory" in wanted:
        measure_memory(table, programs, binary, folder, runs)
    hour = make_hour(folder) if {"ingest", "segments"} & set(wanted) else None
    if "ingest" in wanted:
        measure_ingest(table, programs, binary, folder, hour, runs)
    if {"segments", "live"} & set(wanted):
        www = os.path.join(folder, "www")
        os.makedirs(www)
        origin = start_nginx(programs, folder, www)
        server = Antena(programs, binary, folder, "serving")
        if "segments" in wanted:
            measure_segments(table, server, origin, www, hour, runs, seconds)
        if "live" in wanted:
            measure_live(table, programs, server, origin, www, runs, seconds)
        programs.end(server.process)
