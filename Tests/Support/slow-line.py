#!/usr/bin/env python3
"""Forwards HTTP to a server at a changing rate, to test players that switch renditions.

    slow-line.py ORIGIN BYTES_PER_SECOND:PATH...

Each rate lasts until the first segment whose path contains PATH has been sent, however long that takes on a busy
machine; the last one stays. Prints its port as the first line, then the path of each requested segment. Standard library
only.
"""
import http.client
import http.server
import sys
import threading
import time
import urllib.parse

ORIGIN = urllib.parse.urlsplit(sys.argv[1])
RATES = [(int(rate), path) for rate, _, path in (text.partition(":") for text in sys.argv[2:])]
PIECE = 4096


class Line:
    """The rate limit, shared by all connections, as on a home network."""

    def __init__(self):
        self.lock, self.free_at, self.rate_index = threading.Lock(), 0.0, 0

    def sent(self, path):
        """Goes on to the next rate if the path ends this one."""
        with self.lock:
            end = RATES[self.rate_index][1]
            if end and end in path and self.rate_index + 1 < len(RATES):
                self.rate_index += 1

    def wait(self, count):
        with self.lock:
            now = time.monotonic()
            self.free_at = max(self.free_at, now) + count / RATES[self.rate_index][0]
            pause = self.free_at - now
        time.sleep(pause)


LINE = Line()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path.endswith(".m4s"):
            print(self.path, flush=True)
        upstream = http.client.HTTPConnection(ORIGIN.hostname, ORIGIN.port, timeout=30)
        upstream.request("GET", self.path, headers={
            name: value for name, value in self.headers.items() if name.lower() in ("range", "accept")})
        answer = upstream.getresponse()
        body = answer.read()
        self.send_response(answer.status)
        for name in ("Content-Type", "Content-Range", "ETag", "Cache-Control"):
            if answer.getheader(name):
                self.send_header(name, answer.getheader(name))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            for start in range(0, len(body), PIECE):
                LINE.wait(len(body[start:start + PIECE]))
                self.wfile.write(body[start:start + PIECE])
            if self.path.endswith(".m4s"):
                LINE.sent(self.path)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        upstream.close()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
