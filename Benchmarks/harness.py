"""What every benchmark needs: programs started and ended, a server to measure, a table of results."""
import json
import os
import re
import signal
import socket
import statistics
import subprocess
import sys
import time
import urllib.parse
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))
POLL_PAUSE = 0.0005  # s; without one the asking takes the processor from the answer


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


def operator_token(data):
    """The secret that the server of this data folder made at its first start."""
    with open(os.path.join(data, "operator-token"), encoding="ascii") as file:
        return file.read().strip()


class Connection:
    """As little HTTP/1.1 as takes no time of its own: http.client spends half a millisecond on each answer."""

    def __init__(self, origin, token=""):
        """`token`: the operator's, for requests that change something."""
        self.token = token
        address = urllib.parse.urlsplit(origin)
        self.host = address.netloc
        self.socket = socket.create_connection((address.hostname, address.port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, path, body=None, fields=""):
        """Body of a 2xx answer to a GET, or to a POST of JSON. `fields`: more of the head, each ending with CRLF."""
        head = f"{'GET' if body is None else 'POST'} {path} HTTP/1.1\r\nHost: {self.host}\r\n{fields}"
        if body is not None:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body.encode())}\r\n"
            head += f"Authorization: Bearer {self.token}\r\n"
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
    def __init__(self, programs, binary, folder, name, channels=None, options=(), core=None):
        """`core`: the only one that it may use."""
        self.media, data = os.path.join(folder, name, "media"), os.path.join(folder, name, "data")
        for part in ("vod", "audio"):
            os.makedirs(os.path.join(self.media, part), exist_ok=True)
        self.log = open(os.path.join(folder, f"{name}.log"), "w")
        pinned = ["taskset", "-c", str(core)] if core is not None else []
        self.process = programs.start(
            *pinned, binary, "serve", "--http", "127.0.0.1:0", "--rtsp", "127.0.0.1:0", "--print-ports", "--data", data,
            "--media", self.media, "--channels", channels or os.path.join(ROOT, "channels.json"), "--log-level",
            "warning", *options, stdout=subprocess.PIPE, stderr=self.log)
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"antena did not start; see {self.log.name}")
        ports = json.loads(line)
        self.origin, self.rtsp = f"http://127.0.0.1:{ports['http']}", ports["rtsp"]
        self.https, self.rtmp = ports.get("https"), ports.get("rtmp")
        self.token = operator_token(data)

    def api(self, path):
        return json.loads(fetch(f"{self.origin}/api/v1/{path}"))

    def ingest(self, file):
        """Seconds from asking until the title's playlists have arrived, and the title; over one connection."""
        connection = Connection(self.origin, self.token)
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

    def cpu_seconds(self):
        """Of all its threads so far, in user and kernel mode."""
        with open(f"/proc/{self.process.pid}/stat", encoding="utf-8") as stat:
            fields = stat.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def playlist_addresses(base, text):
    """Of the media playlists that a multivariant playlist leads to, but for those of single pictures."""
    uris = re.findall(r'#EXT-X-MEDIA:.*URI="([^"]+\.m3u8[^"]*)"', text)
    uris += [line for line in text.splitlines() if line and not line.startswith("#")]
    return [urllib.parse.urljoin(base, uri) for uri in dict.fromkeys(uris)]


def media_playlists(url):
    """URL and text of every media playlist that a multivariant playlist leads to."""
    return {address: fetch(address).decode() for address in playlist_addresses(url, fetch(url).decode())}


def segment_urls(url, text):
    return [urllib.parse.urljoin(url, line) for line in text.splitlines() if line and not line.startswith("#")]


class Table:
    def __init__(self):
        self.rows = []

    @staticmethod
    def spread(values, form):
        return f"{form(statistics.median(values))} ({form(min(values))} to {form(max(values))})"

    def pair(self, work, ours, other, form, name, target, smaller_is_better=False):
        ratio = statistics.median(other) / statistics.median(ours)
        ratio = ratio if smaller_is_better else 1 / ratio
        self.rows.append(
            (work, self.spread(ours, form), f"{name} {self.spread(other, form)}", f"{ratio:.2f} ×", target))

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
