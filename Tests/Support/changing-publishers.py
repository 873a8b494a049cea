#!/usr/bin/env python3
"""Tests players with publishers that reconnect with different tracks.

    changing-publishers.py ANTENA [--changes av-v,v-av,…|all] [--players ffmpeg,mpv,…|all] [--parallel N]
                           [--join-after SECONDS] [--time-shift 1m] [--folder FOLDER]

A change A-B is a publisher that pushes as A to a channel, is killed, and comes back as B. All players watch the same
channel, and three instances of each have to show what B has, as far as they know of it: one that watches since before
the change ("through", judged twice), one that starts while A is still in the window ("joins"), and one that starts when
nothing of A is left ("later"). A player plays if video frames (or audio, for what has no video) come at half their
rate, at least. If a track has another codec in B, the first instance may end as well: what it must not do is stand
still.

Changes follow each other on a channel, and the instance that came later to one watches through the next. A chain has
up to CHAIN changes; then another begins on a fresh channel.

Kinds of publishers: see KINDS. Players: see PLAYERS; those that are not installed are left out. Prints a line for each
player and change as it is done, then a table and the reasons of failures, and exits with 1 if a player neither played
nor ended as it should. Needs ffmpeg with libx264, libx265 and libopus. All changes with all players take half an hour
on two cores.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import typing
import urllib.error
import urllib.request

from beside import module

RATE = 25
H264 = ["-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-pix_fmt", "yuv420p", "-g", "25",
        "-b:v", "300k"]
HEVC = ["-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-x265-params",
        "keyint=25:min-keyint=25:bframes=0:log-level=none", "-b:v", "300k", "-tag:v", "hvc1"]
AAC = ["-c:a", "aac", "-b:a", "64k"]
OPUS = ["-c:a", "libopus", "-b:a", "64k"]


def video(size="320x180", codec=H264):
    return ["-f", "lavfi", "-i", f"testsrc2=size={size}:rate={RATE}"], codec


def audio(rate=48000, channels=2, codec=AAC):
    return ["-f", "lavfi", "-i", f"sine=frequency=440:sample_rate={rate}"], ["-ac", str(channels), "-ar", str(rate)] + codec


KINDS = {
    "av": [video(), audio()],
    "v": [video()],
    "a": [audio()],
    "size": [video("640x360"), audio()],
    "hevc": [video(codec=HEVC), audio()],
    "rate": [video(), audio(44100)],
    "mono": [video(), audio(channels=1)],
    "opus": [video(), audio(codec=OPUS)],
}
CHANGES = [f"{first}-{second}" for first in KINDS for second in KINDS]


def codecs(kind):
    """Returns {"video": …, "audio": …}."""
    found = {} if kind == "a" else {"video": "HEVC" if kind == "hevc" else "H.264"}
    return found if kind == "v" else found | {"audio": "Opus" if kind == "opus" else "AAC"}


class Player:
    """A player that runs until it is terminated, and counts what it has shown."""
    executable = None
    # Kinds of publishers that it cannot play at all.
    unable = set()

    def __init__(self, url, folder):
        self.url, self.folder = url, pathlib.Path(folder)
        self.folder.mkdir(parents=True)
        self.output = open(self.folder / "out", "w+")
        self.errors = open(self.folder / "err", "w+")
        self.process = subprocess.Popen(
            self.arguments(), stdin=subprocess.DEVNULL, stdout=self.output, stderr=self.errors,
            start_new_session=True, cwd=self.folder, **self.options())
        self.begin()

    def options(self):
        return {}

    def begin(self):
        pass

    @classmethod
    def available(cls):
        return shutil.which(cls.executable) is not None

    def text(self, name="out"):
        return (self.folder / name).read_text(errors="replace")

    def running(self):
        return self.process.poll() is None

    def counts(self):
        """Returns (video frames, seconds of audio) so far."""
        raise NotImplementedError

    def has_ended(self):
        """Tells whether the player reports the end of the stream, not an error."""
        return self.process.poll() == 0

    def last_words(self):
        lines = [line.strip() for name in ("err", "out") for line in self.text(name).splitlines()
                 if re.search(r"error|fail|not found|invalid|cannot|unsupported", line, re.IGNORECASE)]
        return lines[-1][:200] if lines else ""

    def end(self):
        if self.running():
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class FFmpeg(Player):
    executable = "ffmpeg"

    def arguments(self):
        return ["ffmpeg", "-hide_banner", "-loglevel", "warning", "-nostdin", "-i", self.url, "-map", "0:v?", "-map",
                "0:a?", "-fps_mode", "passthrough", "-flush_packets", "1", "-f", "framecrc", "-"]

    def counts(self):
        frames, seconds, bases, kinds = 0, 0.0, {}, {}
        for line in self.text().splitlines():
            if line.startswith("#tb"):
                number, base = re.match(r"#tb (\d+): (\S+)", line).groups()
                bases[number] = eval(base)
            elif line.startswith("#media_type"):
                number, kind = re.match(r"#media_type (\d+): (\w+)", line).groups()
                kinds[number] = kind
            elif line[:1].isdigit():
                fields = [field.strip() for field in line.split(",")]
                if len(fields) < 5 or not fields[3].isdigit():
                    continue
                if kinds.get(fields[0]) == "video":
                    frames += 1
                else:
                    seconds += int(fields[3]) * bases.get(fields[0], 0)
        return frames, seconds


class MPV(Player):
    executable = "mpv"

    def arguments(self):
        return ["mpv", "--no-config", "--vo=null", "--ao=null", "--terminal=no", "--hwdec=no", "--log-file=log",
                "--input-ipc-server=ipc", self.url]

    def ask(self, name):
        try:
            with socket.socket(socket.AF_UNIX) as line:
                line.settimeout(3)
                line.connect(str(self.folder / "ipc"))
                line.sendall(json.dumps({"command": ["get_property", name], "request_id": 7}).encode() + b"\n")
                data = b""
                while True:
                    data += line.recv(65536)
                    for text in data.split(b"\n")[:-1]:
                        answer = json.loads(text)
                        if answer.get("request_id") == 7:
                            return answer.get("data")
        except (OSError, ValueError):
            return None

    def begin(self):
        self.frames, self.seconds, self.last = 0, 0.0, None
        self.lock = threading.Lock()
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self):
        # The position jumps at discontinuities; it only has to move.
        last = None
        while self.running():
            now = self.ask("time-pos")
            shown = self.ask("estimated-frame-number")
            if isinstance(now, (int, float)):
                with self.lock:
                    if last is not None and 0 < now - last < 2:
                        self.seconds += now - last
                        if isinstance(shown, int):
                            self.frames = int(self.seconds * RATE)
                last = now
            time.sleep(0.3)

    def counts(self):
        with self.lock:
            return self.frames, self.seconds


class VLC(Player):
    """Version 3 starts a new demuxer at a discontinuity and does not give it the initialization section: it plays fMP4
    up to the first reconnect of a publisher, whatever its tracks are, and MPEG-TS beyond that."""
    executable = "cvlc"
    # MPEG-TS does not carry it in HLS.
    unable = {"opus"}

    def options(self):
        # It does not run as root.
        os.chmod(self.folder, 0o777)
        return {"user": "nobody", "group": "nogroup", "env": {**os.environ, "HOME": str(self.folder)}} \
            if os.getuid() == 0 else {}

    def arguments(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        return ["cvlc", "-v", "-I", "oldrc", "--rc-fake-tty", "--rc-host", f"127.0.0.1:{self.port}", "--vout", "vdummy", "--aout", "adummy",
                "--play-and-exit", "--no-video-title-show", self.url + "?format=ts"]

    def counts(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=3) as line:
                line.sendall(b"stats\nlogout\n")
                data = b""
                while True:
                    more = line.recv(65536)
                    if not more:
                        break
                    data += more
        except OSError:
            return getattr(self, "last", (0, 0.0))
        shown = re.search(rb"frames displayed\s*:\s*(\d+)", data)
        heard = re.search(rb"buffers played\s*:\s*(\d+)", data)
        self.last = (int(shown[1]) if shown else 0, int(heard[1]) * 1024 / 48000 if heard else 0.0)
        return self.last


class GStreamer(Player):
    executable = "gst-launch-1.0"
    element = "playbin3"

    def arguments(self):
        return ["gst-launch-1.0", "-v", self.element, f"uri={self.url}",
                "video-sink=fakesink sync=true silent=false name=v", "audio-sink=fakesink sync=true silent=false name=a"]

    def counts(self):
        frames, seconds = 0, 0.0
        for line in self.text().splitlines():
            if "last-message = chain" not in line:
                continue
            if "GstFakeSink:v" in line:
                frames += 1
            elif match := re.search(r"duration: (\d+):(\d+):([\d.]+)", line):
                seconds += float(match[3])
        return frames, seconds


class OldGStreamer(GStreamer):
    """Interprets times in fMP4 as relative to its own start: an hour-old channel shows its first frame after an hour."""
    element = "playbin"
    unable = {"opus"}

    def arguments(self):
        return [argument + "?format=ts" if argument.startswith("uri=") else argument for argument in super().arguments()]


class Browser:
    """One Chromium for all videos of a run. Each has a tab and a profile of its own, because videos with the same URL in
    one profile share what they have loaded."""
    flags = ["--disable-background-media-suspend", "--disable-renderer-backgrounding",
             "--disable-backgrounding-occluded-windows", "--disable-background-timer-throttling"]

    def __init__(self):
        self.driver = module("drive-chromium")
        self.driver.BROWSER_FLAGS.extend(self.flags)
        self.lock = threading.Lock()
        self.profile = tempfile.mkdtemp(prefix="antena-chromium-")
        self.process, self.port = self.driver.start_browser(self.profile, shutil.which("chromium"))
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/json/version", timeout=10) as answer:
            self.browser = self.driver.Page(json.load(answer)["webSocketDebuggerUrl"])

    def open(self, url):
        """Returns a new tab and its profile."""
        with self.lock:
            context = self.browser.call("Target.createBrowserContext")["browserContextId"]
            target = self.browser.call("Target.createTarget", url=url, browserContextId=context)["targetId"]
        page = self.driver.Page(f"ws://127.0.0.1:{self.port}/devtools/page/{target}")
        page.wait("document.readyState === 'complete' && location.href !== 'about:blank'", 20)
        return page, context

    def close(self, context):
        with self.lock:
            self.browser.call("Target.disposeBrowserContext", browserContextId=context)

    def end(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


class Chromium(Player):
    """The moving position counts as audio that is heard."""
    executable = "chromium"
    # Debian's build has no decoder for it.
    unable = {"hevc"}
    browser = None
    lock = threading.Lock()

    def __init__(self, url, folder):
        with Chromium.lock:
            Chromium.browser = Chromium.browser or Browser()
        self.frames, self.seconds, self.state, self.failure = 0, 0.0, [0, 0, False, None], None
        self.page, self.context = self.browser.open("/".join(url.split("/")[:3]) + "/healthz")
        self.page.evaluate(
            "document.body.innerHTML = '<video muted autoplay></video>'; "
            f"document.querySelector('video').src = {json.dumps(url)}; 1")
        self.gone = False
        self.watching = threading.Thread(target=self.watch, daemon=True)
        self.watching.start()

    def watch(self):
        last = None
        while not self.gone:
            try:
                state = self.page.evaluate(
                    "(v => [v.getVideoPlaybackQuality().totalVideoFrames, v.currentTime, v.ended, "
                    "v.error && v.error.message])(document.querySelector('video'))")
            except (RuntimeError, OSError) as error:
                self.failure = str(error)
                return
            self.frames, now = max(self.frames, state[0]), state[1]
            if last is not None and 0 < now - last < 3:
                self.seconds += now - last
            last, self.state = now, state
            time.sleep(0.5)

    def running(self):
        return not self.gone and not self.failure and not self.state[3]

    def counts(self):
        return self.frames, self.seconds

    def has_ended(self):
        # The site plays the channel again then.
        return bool(self.state[2])

    def last_words(self):
        return self.failure or self.state[3] or f"position {self.state[1]}, ended {self.state[2]}"

    def end(self):
        self.gone = True
        self.watching.join()
        self.browser.close(self.context)


PLAYERS = {"ffmpeg": FFmpeg, "mpv": MPV, "vlc": VLC, "playbin3": GStreamer, "playbin": OldGStreamer,
           "chromium": Chromium}


class Server:
    def __init__(self, executable, folder, count, time_shift):
        self.folder = pathlib.Path(folder)
        for name in ["media/vod", "media/audio", "data"]:
            (self.folder / name).mkdir(parents=True)
        channels = [
            {"name": f"c{index}", "title": f"c{index}", "defaultPreset": "medium", "presets": ["medium"],
             "segmentDuration": 1, "targetDuration": 2} | ({"dvrWindow": time_shift} if time_shift else {})
            for index in range(count)]
        (self.folder / "channels.json").write_text(json.dumps({
            "presets": {"medium": {"width": 854, "height": 480, "frameRate": 30, "videoBitrate": 1200000,
                                   "audioBitrate": 96000}}, "channels": channels}))
        ports = open(self.folder / "ports", "w+")
        self.process = subprocess.Popen(
            [executable, "serve", "--http", "127.0.0.1:0", "--rtsp", "127.0.0.1:0", "--wowza-port", "0",
             "--print-ports", "--data", f"{folder}/data", "--media", f"{folder}/media", "--channels",
             f"{folder}/channels.json"],
            stdin=subprocess.DEVNULL, stdout=ports, stderr=open(self.folder / "log", "w"))
        wait("the server", lambda: (self.folder / "ports").read_text().endswith("\n"), 20)
        self.ports = json.loads((self.folder / "ports").read_text())

    def url(self, channel):
        return f"http://127.0.0.1:{self.ports['http']}/live/{channel}.stream/playlist.m3u8"

    def push_url(self, channel):
        return f"rtsp://127.0.0.1:{self.ports['rtsp']}/live/{channel}.stream"

    def get(self, url):
        try:
            with urllib.request.urlopen(url, timeout=15) as answer:
                return answer.read().decode()
        except (urllib.error.URLError, OSError):
            return ""

    def end(self):
        self.process.terminate()
        self.process.wait()


def wait(what, condition, seconds):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise RuntimeError(f"waited in vain for {what}")
        time.sleep(0.1)


def make_sources(folder, kinds):
    paths = {}
    for kind in kinds:
        inputs = [argument for source in KINDS[kind] for argument in source[0]]
        codecs = [argument for source in KINDS[kind] for argument in source[1]]
        paths[kind] = f"{folder}/{kind}.mkv"
        subprocess.run(["ffmpeg", "-hide_banner", "-loglevel", "error", "-y", *inputs, *codecs, "-t", "10", paths[kind]],
                       check=True, stdin=subprocess.DEVNULL)
    return paths


def push(path, url, folder, name):
    return subprocess.Popen(
        ["ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-re", "-stream_loop", "-1", "-i", path, "-c",
         "copy", "-f", "rtsp", "-rtsp_transport", "tcp", url],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=open(f"{folder}/push-{name}", "w"))


def is_current(server, channel, epochs):
    """Tells whether the window contains only the newest epoch."""
    found = epochs_of(server, channel)
    return len(found) == 1 and not found & epochs


def epochs_of(server, channel):
    """Returns the epochs of the segments in all playlists that the multivariant playlist refers to."""
    found = set()
    for uri in set(re.findall(r"(?:video|audio)\.m3u8[^\s\"]*", server.get(server.url(channel)))):
        text = server.get(server.url(channel).replace("playlist.m3u8", uri))
        found |= {line.split("/")[0] for line in text.splitlines() if line.endswith(".m4s")}
    return found


def rates_of(players, seconds):
    """Returns the rates of players that are measured at the same time."""
    before = {player: (player.counts(), time.monotonic()) for player in players}
    time.sleep(seconds)
    rates = {}
    for player, (old, start) in before.items():
        new, passed = player.counts(), time.monotonic() - start
        rates[player] = (new[0] - old[0]) / passed, (new[1] - old[1]) / passed
    return rates


def judge(rates, kind, joined=None):
    """`joined`: the publisher's tracks when the player started, which are those that it knows."""
    frames, heard = rates
    joined = joined or kind
    if kind == "a":
        # A still image, of which a player that knows only video shows one frame per part.
        return heard >= 0.5 or joined == "v" and frames >= 1
    # A player that knows only audio hears it, or silence; with MPEG-TS it may see the video as well.
    return frames >= RATE / 2 or joined == "a" and heard >= 0.5


PLAYS, ENDS, FAILS, CANNOT = "plays", "ends", "FAILS", "-"
CHAIN = 16
LATER, THROUGH = 8, 12


class Result(typing.NamedTuple):
    verdict: str
    frames: float = 0
    seconds: float = 0
    why: str = ""


class Chain:
    """Changes that follow each other on one channel."""

    def __init__(self, server, channel, changes, players, sources, folder, join_after):
        self.server, self.channel, self.changes, self.players = server, channel, changes, players
        self.sources, self.folder, self.join_after = sources, pathlib.Path(folder), join_after
        self.folder.mkdir()
        self.results = {}
        self.number = 0

    def start(self, role, kind):
        """Returns the players by their names."""
        url = self.server.url(self.channel)
        return {name: PLAYERS[name](url, self.folder / f"{role}-{name}") for name in self.players
                if kind not in PLAYERS[name].unable}

    def ends(self, kind):
        """Tells whether the playlists end because a codec of this kind is not the one that the channel had last."""
        known = {}
        for change in self.changes[:self.number + 1]:
            known |= codecs(change.split("-")[0])
        return any(known.get(name, codec) != codec for name, codec in codecs(kind).items())

    def judge(self, change, role, players, kind, rates, joined=None):
        for name in self.players:
            player = players.get(name)
            # Something that the player cannot play is still in the window.
            is_blocked = role == "joins" and change.split("-")[0] in PLAYERS[name].unable and not self.ends(kind)
            if player is None or kind in player.unable and joined is None or is_blocked:
                result = Result(CANNOT)
            else:
                frames, seconds = rates[player]
                may_end = joined and (self.ends(kind) or kind in player.unable)
                if player.running() and judge(rates[player], kind, joined):
                    result = Result(PLAYS, frames, seconds)
                elif may_end and player.has_ended():
                    result = Result(ENDS, frames, seconds)
                else:
                    result = Result(FAILS, frames, seconds, player.last_words())
            self.results[change, name, role] = result

    def report(self, change):
        for name in self.players:
            line = "  ".join(
                f"{role} {result.verdict} ({result.frames:.0f}/s, {result.seconds:.2f})"
                for (of, player, role), result in self.results.items() if (of, player) == (change, name))
            print(f"{change:9} {name:9} {line}", flush=True)

    def run(self):
        current, pushing = {}, None
        try:
            first = self.changes[0].split("-")[0]
            pushing = push(self.sources[first], self.server.push_url(self.channel), self.folder, "first")
            wait("segments", lambda: self.server.get(self.server.url(self.channel).replace(
                "playlist.m3u8", "video.m3u8" if first != "a" else "audio.m3u8")).count("#EXTINF") >= 6, 30)
            current = self.start("first", first)
            time.sleep(LATER)
            for self.number, change in enumerate(self.changes):
                pushing.kill()
                pushing.wait()
                try:
                    current, pushing = self.change(f"{self.number:02}-{change}", change, current)
                finally:
                    self.report(change)
        except (RuntimeError, OSError) as error:
            print(f"{self.channel}: {error}", flush=True)
        finally:
            for player in current.values():
                player.end()
            if pushing:
                pushing.kill()
                pushing.wait()
        return self.results

    def keep_playlists(self, label):
        """Stores the playlists as players find them now."""
        text = self.server.get(self.server.url(self.channel))
        for uri in ["playlist.m3u8", *sorted(set(re.findall(r"\w+\.m3u8[^\s\"]*", text)))]:
            name = re.sub(r"\W", "-", uri)
            (self.folder / f"{label}-{name}").write_text(
                self.server.get(self.server.url(self.channel).replace("playlist.m3u8", uri)))

    def change(self, label, change, through):
        """Returns the players that watch then, and the push."""
        first, second = change.split("-")
        old = epochs_of(self.server, self.channel)
        joins, later = {}, {}
        pushing = push(self.sources[second], self.server.push_url(self.channel), self.folder, label)
        try:
            wait("the other push", lambda: epochs_of(self.server, self.channel) - old, 20)
            time.sleep(self.join_after)
            self.keep_playlists(f"{label}-joins")
            joins = self.start(f"{label}-joins", second)
            time.sleep(THROUGH)
            rates = rates_of([*through.values(), *joins.values()], 6)
            self.judge(change, "through", through, second, rates, joined=first)
            self.judge(change, "joins", joins, second, rates)
            for player in joins.values():
                player.end()
            try:
                wait("the old window to pass", lambda: is_current(self.server, self.channel, old), 60)
            except RuntimeError:
                print(f"{change}: the window of the push before does not pass", flush=True)
            later = self.start(f"{label}-later", second)
            time.sleep(LATER)
            rates = rates_of([*through.values(), *later.values()], 6)
            self.judge(change, "through2", through, second, rates, joined=first)
            self.judge(change, "later", later, second, rates)
            self.keep_playlists(f"{label}-later")
        except BaseException:
            pushing.kill()
            pushing.wait()
            for player in [*joins.values(), *later.values()]:
                player.end()
            raise
        for player in through.values():
            player.end()
        return later, pushing


def chains(changes):
    """Returns lists of up to CHAIN changes, in which each begins with the kind with which the one before it ends."""
    left, found = list(changes), []
    while left:
        chain = [left.pop(0)]
        while len(chain) < CHAIN:
            # Kinds with many changes left come first, so that few chains end early.
            kind = chain[-1].split("-")[1]
            follow = [change for change in left if change.startswith(f"{kind}-")]
            if not follow:
                break
            count = {change: sum(other.startswith(change.split("-")[1] + "-") for other in left) for change in follow}
            chain.append(max(follow, key=count.get))
            left.remove(chain[-1])
        found.append(chain)
    return found


def print_table(changes, names, results):
    """Prints the result of each player (through, joins, later), in one word if they are equal, and why some failed."""
    print("| change | " + " | ".join(names) + " |")
    print("| --- |" + " --- |" * len(names))
    for change in changes:
        cells = []
        for name in names:
            found = {role: results.get((change, name, role), Result(FAILS)).verdict
                     for role in ("through", "through2", "joins", "later")}
            found["through"] = max(found["through"], found.pop("through2"), key=[CANNOT, PLAYS, ENDS, FAILS].index)
            words = list(found.values())
            cells.append(words[0] if len(set(words)) == 1 else ", ".join(words))
        print(f"| {change} | " + " | ".join(cells) + " |")
    for (change, name, role), result in results.items():
        if result.verdict == FAILS:
            print(f"{change} {name} {role}: {result.frames:.1f} frames/s, {result.seconds:.2f} s/s; {result.why}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("antena")
    parser.add_argument("--changes", default="all")
    parser.add_argument("--players", default="all")
    parser.add_argument("--parallel", type=int, default=2)
    parser.add_argument("--join-after", type=float, default=1, help="seconds after the first segment of B")
    parser.add_argument("--time-shift", help="dvrWindow of the channels, such as 1m; none by default")
    parser.add_argument("--folder", help="for logs, which are kept")
    arguments = parser.parse_args()
    changes = CHANGES if arguments.changes == "all" else arguments.changes.split(",")
    names = list(PLAYERS) if arguments.players == "all" else arguments.players.split(",")
    names = [name for name in names if PLAYERS[name].available() or print(f"{name} is not installed; left out")]
    folder = arguments.folder or tempfile.mkdtemp(prefix="changing-publishers-")
    os.makedirs(folder, exist_ok=True)
    os.chmod(folder, 0o755)
    sources = make_sources(folder, {kind for change in changes for kind in change.split("-")})
    lists = chains(changes)
    server = Server(arguments.antena, f"{folder}/server", len(lists), arguments.time_shift)
    results = {}
    try:
        with concurrent.futures.ThreadPoolExecutor(arguments.parallel) as pool:
            runs = [
                Chain(server, f"c{index}", chain, names, sources, f"{folder}/c{index}", arguments.join_after).run
                for index, chain in enumerate(lists)]
            for future in [pool.submit(run) for run in runs]:
                results |= future.result()
    finally:
        if Chromium.browser:
            Chromium.browser.end()
        server.end()
    print_table(changes, names, results)
    failures = sum(result.verdict == FAILS for result in results.values())
    missing = len(changes) * len(names) * 4 - len(results)
    print(f"{failures} failures, {missing} not tried; logs in {folder}")
    return 1 if failures or missing else 0


if __name__ == "__main__":
    sys.exit(main())
