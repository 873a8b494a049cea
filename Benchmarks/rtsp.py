"""RTSP: a hundred publishers over TCP, 200 Mbit/s over UDP, five hundred readers; the server on one core, its load on
another one. There is nothing to compare with here, so these rows have figures of Antena alone."""
import glob
import json
import os
import re
import statistics
import subprocess
import sys
import time
import urllib.error
import urllib.request

from harness import OPENER, ROOT, Antena, fetch, media_playlists, say, segment_urls, wait_for
from recording import Recording, record

LOAD = os.path.join(ROOT, "Benchmarks", "live_load.py")
PUBLISHER_COUNT, DATAGRAM_PUBLISHER_COUNT, READER_COUNT, CHECKED_READER_COUNT = 100, 80, 500, 8
UDP_PORTS = (24_000, 25_999)
PRESET = {"width": 1280, "height": 720, "frameRate": 30, "videoBitrate": 2_500_000, "audioBitrate": 128_000}
FRAME_RATE = 30
WARM_UP = 10  # s, where no windows need to fill
MEMORY_RETURNED_AFTER = 7  # s; the server gives back what only its start needed
COMPARABLE_WINDOW = 14  # s of media; the memory to reach was measured with this much


class Load:
    """A load generator, which tells what it has done each time it is asked."""

    def __init__(self, programs, core, *command, **specification):
        """`core`: the only one that it may use. `command`: another program than live_load.py."""
        pinned = ["taskset", "-c", str(core)] if core is not None else []
        command = command or (sys.executable, LOAD, json.dumps(specification))
        self.process = programs.start(*pinned, *command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.beginning = self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("the load generator ended")
        return json.loads(line)

    def report(self):
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()
        return self.answer()


class Bench:
    """What the three measurements share."""

    def __init__(self, table, programs, binary, folder, runs, seconds):
        self.table, self.programs, self.binary, self.folder = table, programs, binary, folder
        self.runs, self.seconds = runs, seconds
        cores = sorted(os.sched_getaffinity(0))
        self.server_core, self.load_core = cores[0], cores[-1]
        if len(cores) == 1:
            say("one core only: the server shares it with its load")
        self.recording = record(folder)
        self.megabits = Recording.load(self.recording).bits_a_second / 1e6

    def server(self, name, channel_count, pinned=True, rtmp=False, **fields):
        """`rtmp`: whether it has a listener for that. `fields`: more of each channel's."""
        path = os.path.join(self.folder, f"{name}.channels.json")
        channels = [{"name": f"bench{index}", "defaultPreset": "high", "presets": ["high"], **fields}
                    for index in range(channel_count)]
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"presets": {"high": PRESET}, "channels": channels}, file)
        server = Antena(
            self.programs, self.binary, self.folder, name, channels=path,
            core=self.server_core if pinned else None,
            options=["--udp-ports", f"{UDP_PORTS[0]}-{UDP_PORTS[1]}", "--wowza-port", "off"]
            + (["--rtmp", "127.0.0.1:0"] if rtmp else []))
        wait_for("it is ready", lambda: fetch(server.origin + "/readyz"))
        time.sleep(MEMORY_RETURNED_AFTER)
        return server

    def publishers(self, server, transport, count):
        load = Load(
            self.programs, self.load_core, work="publish", recording=self.recording, port=server.rtsp,
            transport=transport, paths=[f"/live/bench{index}.stream" for index in range(count)])
        wait_for("every channel is live", lambda: live_count(server) == count)
        return load

    def add(self, work, values, form, target=""):
        self.table.single(work, values, form, target)


def live_count(server):
    return sum(channel["state"] == "live" for channel in channels(server))


def channels(server):
    return server.api("channels")["items"]


def faults(server, count):
    """What is wrong with the channels now, for people. Pictures are counted in the media itself, in which a load that
    is late does not show."""
    found = []
    for channel in channels(server):
        if channel["state"] != "live":
            found.append(f"{channel['name']} is {channel['state']}")
            continue
        playlist = fetch(server.origin + channel["playlist"]).decode()
        rate = re.search(r"FRAME-RATE=([\d.]+)", playlist)
        if not rate or abs(float(rate.group(1)) - FRAME_RATE) > 0.1:
            found.append(f"{channel['name']} has {rate.group(1) if rate else 'no'} pictures a second")
        found += [f"{channel['name']}: {error['message']}" for error in channel["errors"]]
    if len(channels(server)) != count:
        found.append(f"{len(channels(server))} channels instead of {count}")
    return found


def lost_packets(server):
    """RTP packets that never came, or were of no use: of all channels, whatever the reason."""
    text = fetch(server.origin + "/metrics").decode()
    counts = re.findall(r"(?m)^antena_rtp_packets_dropped_total\{.*\} (\d+)$", text)
    return sum(map(int, counts)) + sum(channel["packetsLost"] for channel in channels(server))


def metric(server, name):
    match = re.search(rf"(?m)^{name} (\d+)$", fetch(server.origin + "/metrics").decode())
    return int(match.group(1))


def byte_count(url):
    """Of what is there; `None` where nothing is."""
    try:
        with OPENER.open(urllib.request.Request(url, method="HEAD"), timeout=60) as reply:
            return int(reply.headers["Content-Length"])
    except urllib.error.HTTPError:
        return None


def held(server, name):
    """Bytes, and seconds of picture and sound, that a channel holds in finished segments: those listed, and those that
    have just left the playlist and can still be fetched. Walks down from the newest until there is none."""
    total, seconds = 0, 0.0
    for address, text in media_playlists(f"{server.origin}/live/{name}.stream/playlist.m3u8").items():
        newest = segment_urls(address, text)[-1].split("?")[0]
        duration = statistics.mean(map(float, re.findall(r"#EXTINF:([\d.]+)", text)))
        folder, number = newest.rsplit("/", 1)
        number, count = int(number.removesuffix(".m4s")), 0
        while (size := byte_count(f"{folder}/{number - count}.m4s")) is not None:
            total += size
            count += 1
        seconds += count * duration / 2
    return total, seconds


def kernel_drops():
    """Datagrams that found a receive buffer full: of the server's ports, and of the whole machine."""
    ours = 0
    for path in glob.glob("/proc/net/udp*"):
        if path.endswith(("udp", "udp6")):
            with open(path, encoding="utf-8") as file:
                for line in file.readlines()[1:]:
                    fields = line.split()
                    if UDP_PORTS[0] <= int(fields[1].rsplit(":", 1)[1], 16) <= UDP_PORTS[1]:
                        ours += int(fields[-1])
    with open("/proc/net/snmp", encoding="utf-8") as file:
        names, values = [line.split()[1:] for line in file if line.startswith("Udp:")]
    return ours, int(dict(zip(names, values))["RcvbufErrors"])


class Runs:
    """The same load goes on; each run is a stretch of it."""

    def __init__(self, bench, server, loads, seconds):
        self.figures = []
        before = self.look(server, loads)
        if early := sum(load.get("lost", 0) for load in before["loads"]):
            say(f"    {early} readers were lost before the first run: too much else goes on for this measurement")
        for _ in range(bench.runs):
            time.sleep(seconds - 0.1)
            after = self.look(server, loads)
            length = after["time"] - before["time"]
            one = {name: after[name] - before[name] for name in ("cpu", "lost", "ours", "machine", "slow")}
            one |= {"memory": after["memory"], "growth": after["memory"] - before["memory"], "loads": after["loads"]}
            one["cpu"] = one["cpu"] / length * 100
            one["loadCPU"] = sum(load["cpu"] - earlier["cpu"] for load, earlier in
                                 zip(after["loads"], before["loads"])) / length * 100
            one["megabits"] = after["loads"][-1]["bytes"] * 8 / length / 1e6
            one["late"] = max(load.get("worstDelay", 0) for load in after["loads"]) * 1000
            self.figures.append(one)
            say(f"    CPU {one['cpu']:.1f} %, memory {one['memory']:.1f} MB ({one['growth']:+.1f} MB), lost "
                f"{one['lost']}; the load: {one['megabits']:.0f} Mbit/s, CPU {one['loadCPU']:.0f} %, late by "
                f"{one['late']:.0f} ms")
            before = after

    @staticmethod
    def look(server, loads):
        ours, machine = kernel_drops()
        return {"time": time.monotonic(), "cpu": server.cpu_seconds(), "memory": server.resident_megabytes(),
                "lost": lost_packets(server), "ours": ours, "machine": machine,
                "slow": metric(server, "antena_rtsp_slow_readers_total"), "loads": [load.report() for load in loads]}

    def of(self, name):
        return [one[name] for one in self.figures]

    def of_load(self, name, index=-1):
        return [one["loads"][index][name] for one in self.figures]


def percent(value):
    return f"{value:.1f} %"


def count(value):
    return f"{value:.0f}"


def megabytes(value):
    return f"{value:.1f} MB"


def milliseconds(value):
    return f"{value:.0f} ms"


def add_ending(bench, runs, wrong):
    bench.add("… faults of channels at the end: not live, not 30 pictures/s", [len(wrong)], count, "0")
    bench.add("… the load's own worst delay", runs.of("late"), milliseconds)
    bench.add("… the load's own CPU, on the other core", runs.of("loadCPU"), percent)
    for fault in wrong[:10]:
        say(f"    {fault}")


def measure_publishing(bench):
    number = PUBLISHER_COUNT
    say(f"{number} publishers over TCP; the windows fill first")
    server = bench.server("publishing", number)
    idle = server.resident_megabytes()
    load = bench.publishers(server, "tcp", number)
    last = f"{server.origin}/live/bench{number - 1}.stream/playlist.m3u8"
    address, text = wait_for("a playlist", lambda: oldest_playlist(last))
    oldest = segment_urls(address, text)[0].split("?")[0]
    wait_for("the windows are full", lambda: byte_count(oldest) is None, pause=1)
    time.sleep(5)
    runs = Runs(bench, server, [load], bench.seconds)
    wrong = faults(server, number)
    media, seconds = held(server, "bench0")
    bench.programs.end(load.process)
    bench.programs.end(server.process)
    per_channel = [(memory - idle) / number for memory in runs.of("memory")]
    what = f"{number} publishers, TCP, {bench.megabits:.1f} Mbit/s each"
    bench.add(f"{what}: CPU", runs.of("cpu"), percent, "≤ 30 % of a core")
    bench.add("… for each channel", [cpu / number for cpu in runs.of("cpu")], lambda v: f"{v:.2f} %", "≤ 0.3 %")
    bench.add("… RTP packets lost or of no use", runs.of("lost"), count, "0")
    bench.add("… resident memory", runs.of("memory"), megabytes)
    bench.add(f"… growth in {bench.seconds} s with full windows", runs.of("growth"), megabytes, "0 MB")
    bench.add(f"… for each channel, which holds {seconds:.0f} s in finished segments of {media / 1e6:.1f} MB",
              per_channel, megabytes)
    bench.add(f"… scaled to {COMPARABLE_WINDOW} s", [one * COMPARABLE_WINDOW / seconds for one in per_channel],
              megabytes, "≤ 8 MB")
    add_ending(bench, runs, wrong)


def oldest_playlist(multivariant):
    try:
        return next(iter(media_playlists(multivariant).items()))
    except urllib.error.HTTPError:
        return None


def measure_datagrams(bench):
    number = DATAGRAM_PUBLISHER_COUNT
    say(f"{number} publishers over UDP")
    server = bench.server("udp", number)
    load = bench.publishers(server, "udp", number)
    time.sleep(WARM_UP)
    runs = Runs(bench, server, [load], bench.seconds / 2)
    wrong = faults(server, number)
    bench.programs.end(load.process)
    bench.programs.end(server.process)
    bench.add(f"{number} publishers, UDP, {statistics.median(runs.of('megabits')):.0f} Mbit/s in all: CPU",
              runs.of("cpu"), percent)
    bench.add("… RTP packets lost or of no use", runs.of("lost"), count, "0")
    bench.add("… dropped by the kernel (`/proc/net/udp`)", runs.of("ours"), count, "0")
    bench.add("… on the whole machine (`RcvbufErrors`)", runs.of("machine"), count)
    add_ending(bench, runs, wrong)


def measure_reading(bench):
    say(f"{READER_COUNT} readers over TCP")
    server = bench.server("reading", 1)
    publisher = bench.publishers(server, "tcp", 1)
    idle = server.resident_megabytes()
    readers = Load(bench.programs, bench.load_core, work="read", port=server.rtsp, path="/live/bench0.stream",
                   count=READER_COUNT, checked=CHECKED_READER_COUNT)
    time.sleep(WARM_UP)
    runs = Runs(bench, server, [publisher, readers], bench.seconds / 2)
    wrong = faults(server, 1)
    for process in (readers.process, publisher.process, server.process):
        bench.programs.end(process)
    bench.add(f"{READER_COUNT} readers, TCP, {statistics.median(runs.of('megabits')):.0f} Mbit/s in all: CPU",
              runs.of("cpu"), percent, "≤ 100 % of a core")
    bench.add("… resident memory", runs.of("memory"), megabytes)
    bench.add("… for each reader", [(memory - idle) * 1000 / READER_COUNT for memory in runs.of("memory")],
              lambda v: f"{v:.0f} KB")
    checked = statistics.median(runs.of_load("checkedPackets"))
    bench.add(f"… packets missing of {checked:,.0f}, all that {CHECKED_READER_COUNT} readers should get",
              runs.of_load("missing"), count, "0")
    bench.add("… readers that got more or fewer bytes than those", runs.of_load("differing"), count, "0")
    bench.add("… readers whose connection the server closed", runs.of_load("lost"), count, "0")
    bench.add("… readers dropped for being slow", runs.of("slow"), count, "0")
    add_ending(bench, runs, wrong)


def conditions(seconds):
    """How it was measured, in a line."""
    return (f"RTSP: {seconds} s a run with {PUBLISHER_COUNT} publishers, else {seconds / 2:.0f} s; the server on one "
            "core, the load on another; publishers send what ffmpeg has sent, a picture or a packet of sound at once, "
            "without sender reports; readers send an empty receiver report every 10 s")


MEASUREMENTS = {"publishing": measure_publishing, "udp": measure_datagrams, "reading": measure_reading}


def measure(wanted, *arguments):
    bench = Bench(*arguments)
    for name, measurement in MEASUREMENTS.items():
        if name in wanted:
            measurement(bench)
