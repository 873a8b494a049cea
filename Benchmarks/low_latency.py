"""The live edge: how long a picture takes from the publisher to a player, how soon a channel can be played, and what
thousands of players cost that all wait for the same part."""
import os
import shutil
import statistics
import threading
import time

from delivery import wrk
from harness import ROOT, fetch, ffmpeg, run, say, wait_for
from hls_viewers import Viewer, percentile
from rtsp import Bench, Load, lost_packets, milliseconds

CROWD = 5_000
PART_DURATION = 0.5  # s, the default
SETTLED_AFTER = 14  # s: the window is full
WINDOW_HOURS, FILL_RATE = 2, 100


class Edge(Bench):
    """Server and load share the cores, as they would."""

    def publisher(self, server, channel="bench0"):
        load = Load(self.programs, None, work="publish-stamped", recording=self.recording, port=server.rtsp,
                    path=f"/live/{channel}.stream")
        return load

    @staticmethod
    def playlist(channel="bench0", rendition="video"):
        return f"/live/{channel}.stream/{rendition}.m3u8"


def http_port(server):
    return int(server.origin.rsplit(":", 1)[1])


def tenths(value):
    return f"{value * 1000:.1f} ms"


def measure_latency(bench):
    say("a stamped picture from the publisher to a player")
    server = bench.server("latency", 1, pinned=False)
    publisher = bench.publisher(server)
    wait_for("the first segment", lambda: is_playable(server))
    time.sleep(SETTLED_AFTER)
    ways = {"reload": "blocking reload, then the part", "hint": "the hinted part"}
    for way, name in ways.items():
        viewer = Load(bench.programs, None, work="watch", port=http_port(server), playlist=bench.playlist(), way=way)
        viewer.report()
        medians, slowest, counts, misses = [], [], [], []
        for _ in range(bench.runs):
            time.sleep(bench.seconds / 2)
            report = viewer.report()
            medians.append(percentile(report["seconds"], 0.5))
            slowest.append(percentile(report["seconds"], 0.99))
            counts.append(len(report["seconds"]))
            misses.append(report["misses"])
            say(f"    {name}: p50 {tenths(medians[-1])}, p99 {tenths(slowest[-1])} of {counts[-1]} parts, "
                f"{misses[-1]} not there")
        bench.programs.end(viewer.process)
        bench.add(f"last picture of a part, sent to received ({name}): p50", medians, tenths, "≤ 5 ms")
        bench.add(f"… p99 of {statistics.median(counts):.0f} parts a run", slowest, tenths, "≤ 15 ms")
        if way == "hint":
            bench.add("… hints for a part that did not come", misses, lambda v: f"{v:.0f}")
    bench.programs.end(publisher.process)
    bench.programs.end(server.process)


def is_playable(server, channel="bench0"):
    return bool(fetch(f"{server.origin}{Edge.playlist(channel)}"))


def measure_start(bench):
    say("RECORD to the first playlist")
    server = bench.server("start", bench.runs, pinned=False)
    first, edge, whole = [], [], []
    for index in range(bench.runs):
        channel = f"bench{index}"
        times = {}
        askers = [threading.Thread(target=ask_until_there, args=(server, path, name, times)) for name, path in {
            "first": Edge.playlist(channel, "playlist"), "edge": Edge.playlist(channel) + "?ll=1",
            "whole": Edge.playlist(channel)}.items()]
        for asker in askers:
            asker.start()
        publisher = bench.publisher(server, channel)
        for asker in askers:
            asker.join()
        for values, name in ((first, "first"), (edge, "edge"), (whole, "whole")):
            values.append(times[name] - publisher.beginning["recordedAt"])
        bench.programs.end(publisher.process)
        say("    " + ", ".join(f"{name} {tenths(values[-1])}" for values, name in
                               ((first, "first"), (edge, "edge"), (whole, "whole"))))
    bench.programs.end(server.process)
    bench.add("RECORD to the multivariant playlist, key frame first", first, milliseconds_of,
              f"≤ {PART_DURATION * 1000 + 100:.0f} ms")
    bench.add("… to a playlist with the first part (`?ll=1`, or `_HLS_msn=0&_HLS_part=0`)", edge, milliseconds_of,
              f"≤ {PART_DURATION * 1000 + 100:.0f} ms")
    bench.add("… to a playlist with the first segment, for players that say nothing", whole, milliseconds_of)


def milliseconds_of(seconds):
    return milliseconds(seconds * 1000)


def ask_until_there(server, path, name, times):
    viewer = Viewer(http_port(server))
    while True:
        status, _ = viewer.ask(path)
        if status == 200:
            times[name] = time.monotonic()
            return
        time.sleep(0.002)


def crowd_program(folder):
    """In C: Python would take more of the processors than the server."""
    program = os.path.join(folder, "crowd-load")
    compiler = shutil.which("clang") or shutil.which("cc")
    run(compiler, "-O2", "-o", program, os.path.join(ROOT, "Benchmarks", "crowd.c"))
    return program


def measure_crowd(bench):
    say(f"{CROWD} players wait for each part")
    server = bench.server("crowd", 1, pinned=False)
    publisher = bench.publisher(server)
    wait_for("the first segment", lambda: is_playable(server))
    time.sleep(SETTLED_AFTER)
    before = server.resident_megabytes()
    crowd = Load(bench.programs, None, crowd_program(bench.folder), str(http_port(server)), Edge.playlist(), str(CROWD))
    time.sleep(5)
    crowd.report()
    slowest, lasts, memory, cpu, lost, refused, late = [], [], [], [], [], [], []
    for _ in range(bench.runs):
        publisher.report()
        start, cpu_before, lost_before = time.monotonic(), server.cpu_seconds(), lost_packets(server)
        time.sleep(bench.seconds / 2)
        report = crowd.report()
        slowest.append(statistics.median(report["p99"]))
        lasts.append(max(report["p99"]))
        cpu.append((server.cpu_seconds() - cpu_before) / (time.monotonic() - start) * 100)
        memory.append((server.resident_megabytes() - before) * 1000 / CROWD)
        lost.append(lost_packets(server) - lost_before)
        refused.append(report["refused"] + report["unfinished"])
        late.append(publisher.report()["worstDelay"])
        say(f"    p99 {tenths(slowest[-1])} ({tenths(lasts[-1])} at worst) of {len(report['p99'])} parts, CPU "
            f"{cpu[-1]:.0f} %, {memory[-1]:.1f} KB each")
    for process in (crowd.process, publisher.process, server.process):
        bench.programs.end(process)
    bench.add(f"{CROWD} players in blocking reload: 99 % have the playlist after the last picture of a part was sent",
              slowest, milliseconds_of, "≤ 150 ms")
    bench.add("… at the worst part of a run", lasts, milliseconds_of)
    bench.add("… answers that were no playlist, and parts that not all got in 4 s", refused, lambda v: f"{v:.0f}", "0")
    bench.add("… memory for each that waits", memory, lambda v: f"{v:.1f} KB", "≤ 20 KB")
    bench.add("… CPU of the server", cpu, lambda v: f"{v:.0f} % of a core")
    bench.add("… RTP packets lost or of no use", lost, lambda v: f"{v:.0f}", "0")
    bench.add("… the publisher's own worst delay", late, milliseconds_of)


def measure_window(bench):
    say(f"a window of {WINDOW_HOURS} hours, from the disk; it is filled {FILL_RATE} times as fast as it plays")
    clip = os.path.join(bench.folder, "window-clip.mp4")
    ffmpeg("-f", "lavfi", "-i", "testsrc2=size=640x360:rate=25:duration=60", "-f", "lavfi", "-i",
           "sine=sample_rate=48000:duration=60", "-c:v", "libx264", "-preset", "ultrafast", "-g", "50", "-b:v", "400k",
           "-maxrate", "400k", "-bufsize", "800k", "-pix_fmt", "yuv420p", "-c:a", "aac", clip)
    short = bench.server("window-short", 1, pinned=False)
    long = bench.server("window-long", 1, pinned=False, dvrWindow=f"{WINDOW_HOURS}h")
    for server in (short, long):
        filler = bench.programs.start(
            "ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-readrate", str(FILL_RATE), "-stream_loop",
            str(WINDOW_HOURS * 60 + 10), "-i", clip, "-c", "copy", "-f", "rtsp", "-rtsp_transport", "tcp",
            f"rtsp://127.0.0.1:{server.rtsp}/live/bench0.stream")
        wait_for("a first segment", lambda server=server: is_playable(server))
        time.sleep(SETTLED_AFTER)
        server.resident_early = server.resident_megabytes()
        if server is long:
            wait_for("a full window", lambda: WINDOW_HOURS * 1_790 < segment_count(long), seconds=300, pause=1)
        # A playlist that nobody adds to is a revision that stays.
        bench.programs.end(filler)
        time.sleep(1)
    sizes = {path: len(fetch(long.origin + path)) for path in (Edge.playlist(), Edge.playlist() + "?_HLS_skip=YES")}
    rates = {name: [] for name in ("short", "delta", "whole")}
    for _ in range(bench.runs):
        for name, server, query in (("short", short, "?_HLS_skip=YES"), ("delta", long, "?_HLS_skip=YES"),
                                    ("whole", long, "")):
            rates[name].append(wrk(server.origin, Edge.playlist() + query, 64, 3)[0])
    bench.add(f"playlist of a {WINDOW_HOURS} h window ({segment_count(long)} segments), resident memory after "
              f"{SETTLED_AFTER * FILL_RATE / 60:.0f} min of it", [long.resident_early], lambda v: f"{v:.1f} MB")
    bench.add("… when it is full", [long.resident_megabytes()], lambda v: f"{v:.1f} MB")
    per_second = "{:,.0f}/s".format
    whole, delta = sizes.values()
    bench.add(f"… delta updates ({delta / 1000:.1f} KB), 64 connections", rates["delta"], per_second)
    bench.add("… the same of a window of half a minute", rates["short"], per_second)
    bench.add(f"… the whole playlist ({whole / 1000:.0f} KB)", rates["whole"], per_second)
    for server in (short, long):
        bench.programs.end(server.process)


def segment_count(server):
    return fetch(server.origin + Edge.playlist()).count(b"#EXTINF")


def conditions(seconds):
    """How it was measured, in a line."""
    return (f"low latency: {seconds / 2:.0f} s a run; server, publisher and players share the cores; the publisher "
            "writes the time into each picture (SEI) as it sends it, 720p30 at 2.5 Mbit/s with sound, parts of "
            f"{PART_DURATION} s; the players' own time counts")


MEASUREMENTS = {"latency": measure_latency, "start": measure_start, "crowd": measure_crowd,
                "window": measure_window}


def measure(wanted, *arguments):
    bench = Edge(*arguments)
    for name, measurement in MEASUREMENTS.items():
        if name in wanted:
            measurement(bench)
