"""A library of thousands: taking it in, starting with it, listing and searching it; and a file of many gigabytes."""
import base64
import json
import os
import shutil
import struct
import time
import urllib.parse

from delivery import start_nginx
from harness import Antena, Connection, fetch, ffmpeg, say, segment_urls, wait_for

TITLE_COUNT = 10_000
BULK_COUNT = 3_000
REQUEST_COUNT = 1_000
PAGE_SIZE = 50
LARGE_BYTES = 20_000_000_000
NEEDED_BYTES = 2 * LARGE_BYTES + 2_000_000_000
WORDS = ("winter", "harbour", "orchestra", "interview", "mountain", "football", "cooking", "election", "theatre",
         "railway", "garden", "concert", "history", "island", "market", "science")

COLD_SECONDS = 180

MEASUREMENTS = ("library", "large", "cold")


def milliseconds(value):
    return f"{value * 1e3:.1f} ms"


def seconds(value):
    return f"{value:.2f} s"


def megabytes(value):
    return f"{value:.1f} MB"


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def box(kind, body):
    return struct.pack(">I4s", 8 + len(body), kind) + body


def make_titles(folder, count):
    """`count` short films, each with content of its own."""
    film = os.path.join(os.path.dirname(folder), "short.mp4")
    if not os.path.exists(film):
        ffmpeg("-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=8", "-f", "lavfi", "-i",
               "sine=frequency=440:duration=8", "-c:v", "libx264", "-preset", "veryfast", "-g", "50", "-pix_fmt",
               "yuv420p", "-c:a", "aac", "-movflags", "+faststart", film)
    with open(film, "rb") as file:
        content = file.read()
    for index in range(count):
        name = f"{WORDS[index % 16]} {WORDS[index // 16 % 16]} {index}.mp4"
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content + box(b"free", struct.pack(">Q", index)))


def take_in(programs, binary, folder, name, count):
    """Files lie there when the server starts: seconds until all play, and its processor time; the server."""
    media = os.path.join(folder, name, "media", "vod")
    os.makedirs(media)
    make_titles(media, count)
    start = time.monotonic()
    server = Antena(programs, binary, folder, name)
    wait_for(f"{count} titles play", lambda: ready(server) >= count, 900, 0.05)
    return time.monotonic() - start, server.cpu_seconds(), server


def ready(server):
    return server.api("about")["titles"]["count"]


def ask_all(server, paths):
    """Seconds of each answer, over one connection."""
    connection = Connection(server.origin)
    times = []
    for path in paths:
        start = time.perf_counter()
        connection.ask(path)
        times.append(time.perf_counter() - start)
    connection.close()
    return times


def list_paths(server):
    """Pages from all over the list, each by the cursor of the one before."""
    paths, next_page = [], ""
    while next_page is not None and len(paths) < REQUEST_COUNT:
        paths.append(f"/api/v1/titles?limit={PAGE_SIZE}" + (f"&cursor={next_page}" if next_page else ""))
        next_page = json.loads(fetch(server.origin + paths[-1]))["next"]
    return (paths * (REQUEST_COUNT // len(paths) + 1))[:REQUEST_COUNT]


def search_paths():
    queries = [f"{first} {second}" for first in WORDS for second in WORDS] + [word[:4] for word in WORDS]
    paths = [f"/api/v1/titles?limit={PAGE_SIZE}&q={query.replace(' ', '%20')}" for query in queries]
    return (paths * (REQUEST_COUNT // len(paths) + 1))[:REQUEST_COUNT]


def start_again(programs, binary, folder, name):
    """Seconds from the program's start until it has answered with a page of the list."""
    shutil.move(os.path.join(folder, name), os.path.join(folder, "moved"))
    os.makedirs(os.path.join(folder, name))
    for part in ("media", "data"):
        shutil.move(os.path.join(folder, "moved", part), os.path.join(folder, name, part))
    shutil.rmtree(os.path.join(folder, "moved"))
    start = time.monotonic()
    server = Antena(programs, binary, folder, name)
    page = json.loads(fetch(f"{server.origin}/api/v1/titles?limit=1"))
    elapsed = time.monotonic() - start
    if not page["items"]:
        raise SystemExit("the library has gone")
    return elapsed, server


def measure_library(table, programs, binary, folder, runs):
    say(f"{BULK_COUNT:,} titles at once")
    bulk, bulk_cpu = [], []
    for index in range(runs):
        elapsed, cpu, server = take_in(programs, binary, folder, f"bulk-{index}", BULK_COUNT)
        bulk.append(elapsed)
        bulk_cpu.append(cpu)
        programs.end(server.process)
        shutil.rmtree(os.path.join(folder, f"bulk-{index}"))
    table.single(f"{BULK_COUNT:,} titles taken in, from start to playable", bulk, seconds, "")
    table.single("processor time of that", bulk_cpu, seconds, "")

    say(f"{TITLE_COUNT:,} titles: list, search, start")
    _, _, server = take_in(programs, binary, folder, "many", TITLE_COUNT)
    # Posters are being made meanwhile, by another process.
    for what, paths in (("a page of the list", list_paths(server)), ("search", search_paths())):
        rounds = [ask_all(server, paths) for _ in range(runs)]
        table.single(f"{what}, median of {REQUEST_COUNT:,}, while posters are made",
                     [percentile(times, 0.5) for times in rounds], milliseconds, "")
        table.single(f"{what}, p99 of {REQUEST_COUNT:,}, while posters are made",
                     [percentile(times, 0.99) for times in rounds], milliseconds, "≤ 10 ms")
    programs.end(server.process)
    starts = []
    for _ in range(runs + 1):
        elapsed, server = start_again(programs, binary, folder, "many")
        starts.append(elapsed)
        programs.end(server.process)
    table.single(f"start with {TITLE_COUNT:,} titles, to the first page", starts[1:], seconds, "≤ 1 s")
    shutil.rmtree(os.path.join(folder, "many"))


def make_large(path, byte_count):
    """A film that plays, whose `mdat` has most of its bytes behind the last sample: as large as a film of a day."""
    ffmpeg("-f", "lavfi", "-i", "testsrc2=size=640x360:rate=25:duration=20", "-c:v", "libx264", "-preset",
           "veryfast", "-g", "50", "-pix_fmt", "yuv420p", "-movflags", "+faststart", path)
    piece = os.urandom(1 << 24)
    rest = byte_count - os.path.getsize(path)
    with open(path, "ab") as file:
        file.write(struct.pack(">I4sQ", 1, b"free", rest))
        rest -= 16
        while rest > 0:
            file.write(piece[:min(len(piece), rest)])
            rest -= min(len(piece), rest)


def send_by_tus(server, path):
    """The whole file as one upload; how much the server's memory rose meanwhile at most."""
    connection = Connection(server.origin)
    name = base64.b64encode(b"sent.mp4").decode()
    byte_count = os.path.getsize(path)
    connection.socket.sendall((
        f"POST /api/v1/uploads HTTP/1.1\r\nHost: {connection.host}\r\nAuthorization: Bearer {server.token}\r\n"
        "Tus-Resumable: 1.0.0\r\n"
        f"Upload-Length: {byte_count}\r\nUpload-Metadata: filename {name}\r\nContent-Length: 0\r\n\r\n").encode())
    answer = connection.receive().decode()
    location = next(line.split(": ", 1)[1] for line in answer.split("\r\n") if line.lower().startswith("location"))
    connection.socket.sendall((
        f"PATCH {location} HTTP/1.1\r\nHost: {connection.host}\r\nAuthorization: Bearer {server.token}\r\n"
        "Tus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\n"
        f"Content-Type: application/offset+octet-stream\r\nContent-Length: {byte_count}\r\n\r\n").encode())
    connection.socket.settimeout(None)
    highest, next_look = 0.0, 0
    with open(path, "rb") as file:
        sent = 0
        while sent < byte_count:
            count = os.sendfile(connection.socket.fileno(), file.fileno(), sent, 1 << 24)
            if count == 0:
                raise SystemExit("the server takes no more")
            sent += count
            if sent >= next_look:
                highest, next_look = max(highest, server.resident_megabytes()), sent + (1 << 26)
    if b" 204 " not in connection.receive().split(b"\r\n")[0]:
        raise SystemExit("the upload was not taken")
    connection.close()
    return max(highest, server.resident_megabytes())


def measure_large(table, programs, binary, folder, runs):
    byte_count = min(LARGE_BYTES, (shutil.disk_usage(folder).free - 2_000_000_000) // 2)
    say(f"a file of {byte_count / 1e9:.0f} GB")
    size = f"{byte_count / 1e9:.0f} GB"
    server = Antena(programs, binary, folder, "large")
    wait_for("it is ready", lambda: fetch(server.origin + "/readyz"))
    time.sleep(8)
    idle = server.resident_megabytes()
    path = os.path.join(server.media, "vod", "large.mp4")
    highest = [idle]
    make_large(path, byte_count)
    wait_for("it plays", lambda: highest.append(server.resident_megabytes()) or ready(server) >= 1)
    table.single(f"memory, idle, before {size}", [idle], megabytes, "")
    table.single(f"memory at most, {size} written into the watch folder", [max(highest)], megabytes, "")
    highest = send_by_tus(server, path)
    wait_for("it plays", lambda: ready(server) >= 2)
    table.single(f"memory at most, {size} sent by tus", [highest], megabytes, "")
    # Equal files are read whole, to say so.
    highest, deadline = [highest], time.monotonic() + 240
    while time.monotonic() < deadline and not any(
            title["duplicateOf"] for title in server.api("titles")["items"]):
        highest.append(server.resident_megabytes())
        time.sleep(0.5)
    table.single("memory at most, the two compared", [max(highest)], megabytes, "")
    programs.end(server.process)
    shutil.rmtree(os.path.join(folder, "large"))


def drop_from_page_cache(path):
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def measure_cold(table, programs, binary, folder):
    """Each segment once, from the disk: out of the title's file, and as a file of its own from nginx."""
    say("cold segments")
    www = os.path.join(folder, "cold-nginx", "www")
    os.makedirs(www)
    nginx = start_nginx(programs, os.path.dirname(www), www)
    server = Antena(programs, binary, folder, "cold")
    film = os.path.join(server.media, "vod", "cold.mp4")
    ffmpeg("-f", "lavfi", "-i", f"nullsrc=size=640x360:rate=25:duration={COLD_SECONDS},geq=random(1)*255:128:128",
           "-c:v", "libx264", "-preset", "ultrafast", "-g", "50", "-b:v", "4M", "-pix_fmt", "yuv420p", film)
    title = server.ingest(film)[1]
    url = server.origin + title["playlist"].replace("playlist.m3u8", "video.m3u8")
    source = os.path.join(server.media, "vod", title["file"])
    urls = segment_urls(url, fetch(url).decode())
    for index, address in enumerate(urls):
        with open(os.path.join(www, f"{index}.m4s"), "wb") as file:
            file.write(fetch(address))
    programs.end(server.process)
    # Nothing of it is in the segment cache any longer.
    server = start_again(programs, binary, folder, "cold")[1]
    ours, theirs = Connection(server.origin), Connection(nginx)
    # Of this run: the file's name in URLs may be another one.
    urls = segment_urls(server.origin + title["playlist"],
                        ours.ask(title["playlist"].replace("playlist.m3u8", "video.m3u8")).decode())
    times = ([], [])
    for index, address in enumerate(urls):
        drop_from_page_cache(source)
        drop_from_page_cache(os.path.join(www, f"{index}.m4s"))
        for connection, path, values in ((ours, urllib.parse.urlsplit(address).path, times[0]),
                                         (theirs, f"/{index}.m4s", times[1])):
            start = time.perf_counter()
            connection.ask(path)
            values.append(time.perf_counter() - start)
    table.pair(f"cold segment, {os.path.getsize(source) / len(urls) / 1e6:.1f} MB", *times, milliseconds, "nginx",
               "0.5 ×", smaller_is_better=True)
    programs.end(server.process)


def measure(wanted, table, programs, binary, folder, runs):
    if "library" in wanted:
        measure_library(table, programs, binary, folder, runs)
    if "large" in wanted:
        measure_large(table, programs, binary, folder, runs)
    if "cold" in wanted:
        measure_cold(table, programs, binary, folder)
