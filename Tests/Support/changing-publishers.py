#!/usr/bin/env python3
"""Tests players with publishers that reconnect with different tracks.

    changing-publishers.py ANTENA [--changes av-v,v-av,…|all] [--players ffmpeg,mpv,…|all] [--parallel N]
                           [--join-after SECONDS] [--folder FOLDER]

For each change A-B a channel of a server of its own is pushed to as A, and a player starts to watch. Then A is killed
and B pushes. The first player has to go on ("through"), a second one starts while A is still in the window ("joins"),
and a third one when nothing of A is left ("later"). Each has to show what B has, as far as it knows of it: a player
counts as playing when video frames (or audio, for what has no video) come at half their rate, at least. If a track has
another codec in B, the first player may end as well: what it must not do is stand still.

Kinds of publishers: see KINDS. Players: see PLAYERS; those that are not installed are left out. Prints a line a player
as it is done and a table of all at the end, and exits with 1 if one of them neither played nor ended as it should.
Needs ffmpeg with libx264, libx265 and libopus. All changes with all players take three hours on two cores.
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
import urllib.error
import urllib.request

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


def changes_codec(first, second):
    before, after = codecs(first), codecs(second)
    return any(before[name] != after[name] for name in before.keys() & after.keys())


class Player:
    """A player that runs until it is terminated, and counts what it has shown."""
    executable = None

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
                "--no-video-title-show", self.url + "?format=ts"]

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

    def arguments(self):
        return [argument + "?format=ts" if argument.startswith("uri=") else argument for argument in super().arguments()]


class Chromium(Player):
    executable = "chromium"

    def arguments(self):
        page = "/".join(self.url.split("/")[:3]) + "/healthz"
        show = f'document.body.innerHTML = `<video autoplay muted src="{self.url}"></video>`; 1'
        state = ("JSON.stringify((v => [v.getVideoPlaybackQuality().totalVideoFrames, v.currentTime, v.ended])"
                 "(document.querySelector('video')))")
        script = pathlib.Path(__file__).with_name("drive-chromium.py")
        # Polls every half second and does not end by itself.
        steps = ["--eval", "new Promise(r => setTimeout(r, 500))", "--eval", state] * 400
        return [sys.executable, "-u", str(script), page, "--seconds", "400", "--eval", show] + steps

    def counts(self):
        frames, seconds, last = 0, 0.0, None
        for line in self.text().splitlines():
            try:
                value = json.loads(line).get("value")
                shown, now, *_ = json.loads(value)
            except (ValueError, TypeError, AttributeError):
                continue
            frames = max(frames, shown)
            if last is not None and 0 < now - last < 3:
                seconds += now - last
            last = now
        return frames, seconds


    def has_ended(self):
        # The site plays the channel again then.
        return ", true]" in self.text() or ",true]" in self.text()


PLAYERS = {"ffmpeg": FFmpeg, "mpv": MPV, "vlc": VLC, "playbin3": GStreamer, "playbin": OldGStreamer,
           "chromium": Chromium}


class Server:
    def __init__(self, executable, folder, count):
        self.folder = pathlib.Path(folder)
        for name in ["media/vod", "media/audio", "data"]:
            (self.folder / name).mkdir(parents=True)
        channels = [
            {"name": f"c{index}", "title": f"c{index}", "defaultPreset": "medium", "presets": ["medium"],
             "segmentDuration": 1, "targetDuration": 2} for index in range(count)]
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


def rate_of(player, seconds):
    before = player.counts()
    start = time.monotonic()
    time.sleep(seconds)
    passed = time.monotonic() - start
    after = player.counts()
    return (after[0] - before[0]) / passed, (after[1] - before[1]) / passed


def judge(rates, kind, joined=None):
    """`joined`: the publisher's tracks when the player started, which are those that it knows."""
    frames, heard = rates
    joined = joined or kind
    if kind != "a" and joined != "a":
        return frames >= RATE / 2
    # A still image, of which a video-only player shows one frame per part.
    return heard >= 0.5 if joined != "v" else frames >= 1


PLAYS, ENDS, FAILS = "plays", "ends", "FAILS"


def play(server, channel, change, player_class, sources, folder, join_after):
    """Returns [(role, verdict, figures)]."""
    first, second = change.split("-")
    folder = pathlib.Path(folder)
    folder.mkdir()
    results = []
    players = []

    def note(role, player, kind, seconds, joined=None):
        rates = rate_of(player, seconds)
        if judge(rates, kind, joined) and player.running():
            verdict = PLAYS
        else:
            verdict = ENDS if joined and changes_codec(first, second) and player.has_ended() else FAILS
        results.append((role, verdict, rates))

    pushes = [push(sources[first], server.push_url(channel), folder, "A")]
    try:
        wait("segments", lambda: server.get(
            server.url(channel).replace("playlist.m3u8", "video.m3u8" if first != "a" else "audio.m3u8")).count(
            "#EXTINF") >= 6, 30)
        through = player_class(server.url(channel), folder / "through")
        players.append(through)
        time.sleep(8)
        note("before", through, first, 3)
        old = epochs_of(server, channel)
        pushes[0].kill()
        pushes[0].wait()
        pushes.append(push(sources[second], server.push_url(channel), folder, "B"))
        wait("the other push", lambda: epochs_of(server, channel) - old, 20)
        time.sleep(join_after)
        joins = player_class(server.url(channel), folder / "joins")
        players.append(joins)
        time.sleep(12)
        note("through", through, second, 4, joined=first)
        note("joins", joins, second, 4)
        try:
            wait("the old window to pass", lambda: is_current(server, channel, old), 60)
        except RuntimeError:
            results.append(("window", FAILS, (0, 0)))
        later = player_class(server.url(channel), folder / "later")
        players.append(later)
        time.sleep(8)
        note("later", later, second, 4)
        note("through2", through, second, 4, joined=first)
        for name in ("playlist", "video", "audio"):
            (folder / f"{name}.m3u8").write_text(
                server.get(server.url(channel).replace("playlist.m3u8", f"{name}.m3u8")))
    except RuntimeError as error:
        results.append((str(error), FAILS, (0, 0)))
    finally:
        for player in players:
            player.end()
        for process in pushes:
            process.kill()
            process.wait()
    return results


def print_table(changes, names, verdicts):
    """Returns the result of each player (through, joins, later), in one word if they are equal."""
    print("| change | " + " | ".join(names) + " |")
    print("| --- |" + " --- |" * len(names))
    for change in changes:
        cells = []
        for name in names:
            found = {role: verdict for role, verdict, _ in verdicts.get((change, name), [])}
            found["through"] = max(found.get("through", FAILS), found.get("through2", FAILS), key=[
                PLAYS, ENDS, FAILS].index)
            words = [found.get(role, FAILS) for role in ("through", "joins", "later")]
            cells.append(words[0] if len(set(words)) == 1 else ", ".join(words))
        print(f"| {change} | " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("antena")
    parser.add_argument("--changes", default="all")
    parser.add_argument("--players", default="all")
    parser.add_argument("--parallel", type=int, default=3)
    parser.add_argument("--join-after", type=float, default=1, help="seconds after the first segment of B")
    parser.add_argument("--folder", help="for logs, which are kept")
    arguments = parser.parse_args()
    changes = CHANGES if arguments.changes == "all" else arguments.changes.split(",")
    names = list(PLAYERS) if arguments.players == "all" else arguments.players.split(",")
    names = [name for name in names if PLAYERS[name].available() or print(f"{name} is not installed; left out")]
    folder = arguments.folder or tempfile.mkdtemp(prefix="changing-publishers-")
    os.makedirs(folder, exist_ok=True)
    os.chmod(folder, 0o755)
    sources = make_sources(folder, {kind for change in changes for kind in change.split("-")})
    jobs = [(change, name) for change in changes for name in names]
    server = Server(arguments.antena, f"{folder}/server", len(jobs))
    verdicts = {}
    try:
        with concurrent.futures.ThreadPoolExecutor(arguments.parallel) as pool:
            futures = {
                pool.submit(play, server, f"c{index}", change, PLAYERS[name], sources, f"{folder}/{change}-{name}",
                            arguments.join_after):
                (change, name) for index, (change, name) in enumerate(jobs)}
            for future in concurrent.futures.as_completed(futures):
                change, name = futures[future]
                verdicts[change, name] = results = future.result()
                line = "  ".join(
                    f"{role} {verdict} ({rates[0]:.0f}/s, {rates[1]:.2f})" for role, verdict, rates in results)
                print(f"{change:9} {name:9} {line}", flush=True)
    finally:
        server.end()
    print_table(changes, names, verdicts)
    failures = sum(verdict == FAILS for results in verdicts.values() for _, verdict, _ in results)
    print(f"{failures} failures; logs in {folder}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
