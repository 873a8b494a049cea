"""An outage of PostgreSQL, as viewers and clients see it: the database is killed, stays away, and comes back.

    python3 Benchmarks/database_outage.py BINARY [--seconds 60]

Meanwhile a camera pushes to a channel, a viewer follows the channel's playlist, another one a title that was opened
before, and a client asks for a list that needs the database, each once or several times a second. Prints what they got.
"""
import argparse
import os
import shutil
import statistics
import sys
import tempfile
import threading
import time
import urllib.error

from catalogue import start_postgres
from harness import OPENER, Antena, Programs, fetch, ffmpeg, say, wait_for

CHANNEL = "canalA"


class Client(threading.Thread):
    """Asks for one URL again and again; notes the time, status, seconds and header of each answer."""

    def __init__(self, url, pause):
        super().__init__(daemon=True)
        self.url, self.pause, self.answers, self.stopped = url, pause, [], threading.Event()

    def run(self):
        while not self.stopped.wait(self.pause):
            start = time.monotonic()
            try:
                with OPENER.open(self.url, timeout=30) as reply:
                    status, retry, body = reply.status, None, reply.read()
            except urllib.error.HTTPError as error:
                status, retry, body = error.code, error.headers.get("Retry-After"), error.read()
            except OSError as error:
                status, retry, body = 0, None, str(error).encode()
            self.answers.append((start, status, time.monotonic() - start, retry, body))

    def between(self, start, end):
        return [answer for answer in self.answers if start <= answer[0] < end]


def kill_postgres(process, folder):
    """As a crash: without a farewell to its clients."""
    process.kill()
    process.wait()
    # The children notice within moments; a server that starts before is refused.
    time.sleep(2)
    note = os.path.join(folder, "data", "postmaster.pid")
    if os.path.exists(note):
        os.remove(note)


def longest_standstill(answers):
    """The longest time in s in which a live playlist did not change."""
    longest, last, since = 0.0, None, None
    for start, status, _, _, body in answers:
        if status == 200 and body != last:
            last, since = body, start
        elif since is not None:
            longest = max(longest, start - since)
    return longest


def report(what, answers):
    statuses = {}
    for answer in answers:
        statuses[answer[1]] = statuses.get(answer[1], 0) + 1
    times = sorted(answer[2] for answer in answers)
    print(f"{what}: " + ", ".join(f"{count} × {status}" for status, count in sorted(statuses.items()))
          + f"; median {statistics.median(times) * 1e3:.0f} ms, slowest {times[-1]:.2f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("binary")
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="antena-outage-")
    programs, postgres = Programs(), None
    try:
        database = os.path.join(folder, "server")
        postgres, url = start_postgres(database)
        server = Antena(programs, os.path.abspath(options.binary), folder, "antena", options=["--database", url])
        film = os.path.join(server.media, "vod", "film.mp4")
        ffmpeg("-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=30", "-c:v", "libx264", "-preset",
               "veryfast", "-g", "50", "-pix_fmt", "yuv420p", "-movflags", "+faststart", film)
        titles = wait_for("the title plays", lambda: [
            title for title in server.api("titles")["items"] if title["state"] == "ready"])
        programs.start(
            "ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-re", "-f", "lavfi", "-i",
            "testsrc2=size=320x180:rate=25", "-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-g",
            "25", "-pix_fmt", "yuv420p", "-f", "rtsp", "-rtsp_transport", "tcp",
            f"rtsp://127.0.0.1:{server.rtsp}/live/{CHANNEL}.stream")
        live = f"{server.origin}/live/{CHANNEL}.stream/video.m3u8"
        wait_for("the channel is on air", lambda: b"#EXTINF" in fetch(live))
        clients = {
            "live playlist": Client(live, 0.2),
            "title that was opened before": Client(server.origin + titles[0]["playlist"], 0.5),
            "list": Client(f"{server.origin}/api/v1/titles", 0.2),
            "readiness": Client(f"{server.origin}/readyz", 0.5),
        }
        for client in clients.values():
            client.start()
        time.sleep(10)
        say(f"the database is killed, and stays away for {options.seconds:.0f} s")
        start = time.monotonic()
        kill_postgres(postgres, database)
        time.sleep(max(0.0, options.seconds - (time.monotonic() - start)))
        postgres, _ = start_postgres(database)
        back = time.monotonic()
        wait_for("the list is there again", lambda: fetch(f"{server.origin}/api/v1/titles"), pause=0.02)
        recovered = time.monotonic()
        time.sleep(5)
        for client in clients.values():
            client.stopped.set()
        for what, client in clients.items():
            report(f"{what}, during the outage", client.between(start, back))
            report(f"{what}, afterwards", client.between(recovered + 1, time.monotonic()))
        refused = [answer for answer in clients["list"].between(start, back) if answer[1] == 503]
        print("Retry-After of the refused requests:", sorted({str(answer[3]) for answer in refused}))
        print(f"longest standstill of the live playlist: {longest_standstill(clients['live playlist'].answers):.1f} s")
        print(f"the list was there again {recovered - back:.2f} s after the database accepted connections")
    finally:
        programs.end_all()
        if postgres:
            postgres.terminate()
            postgres.wait()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
