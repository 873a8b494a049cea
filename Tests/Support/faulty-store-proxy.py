#!/usr/bin/env python3
"""An HTTP proxy in front of an object store, which misbehaves as a file tells it. Prints its port.

    faulty-store-proxy.py UPSTREAM_PORT FAULTS_FILE

The file holds a JSON object, which is read for each request; without a file nothing is wrong:

    latency     seconds before each answer
    failEvery   every n-th request is answered with 503
    cutEvery    the body of every n-th answer that has one ends in the middle
    away        `refuse` closes each connection at once, `silent` never answers
    clockSkew   seconds by which the store's clock is ahead; beyond 900, requests are refused
"""
import email.utils
import http.client
import http.server
import itertools
import json
import socket
import struct
import sys
import time

UPSTREAM, FAULTS = int(sys.argv[1]), sys.argv[2]
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding"}
requests, bodies = itertools.count(1), itertools.count(1)


def faults():
    try:
        with open(FAULTS, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_request(self):
        wanted = faults()
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if wanted.get("away") == "refuse":
            return self.reset()
        if wanted.get("away") == "silent":
            while faults().get("away") == "silent":
                time.sleep(0.05)
            return self.reset()
        time.sleep(wanted.get("latency", 0))
        skew = wanted.get("clockSkew", 0)
        if abs(skew) > 900:
            return self.refuse(403, "RequestTimeTooSkewed", skew)
        number = next(requests)
        if wanted.get("failEvery") and number % wanted["failEvery"] == 0:
            return self.refuse(503, "SlowDown", skew)
        return self.forward(body, wanted)

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = handle_request

    def reset(self):
        # A reset instead of an orderly end.
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()

    def refuse(self, status, code, skew):
        body = f"<Error><Code>{code}</Code><Message>{code}</Message></Error>".encode()
        self.send_response_only(status)
        self.send_header("Date", email.utils.formatdate(time.time() + skew, usegmt=True))
        self.send_header("Content-Type", "application/xml")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def forward(self, body, wanted):
        upstream = http.client.HTTPConnection("127.0.0.1", UPSTREAM, timeout=30)
        upstream.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
        for name, value in self.headers.items():
            if name.lower() not in HOP_BY_HOP:
                upstream.putheader(name, value)
        upstream.endheaders(body)
        answer = upstream.getresponse()
        content = answer.read()
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in HOP_BY_HOP and (name.lower() != "content-length" or self.command == "HEAD"):
                self.send_header(name, value)
        if self.command != "HEAD":
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        upstream.close()
        if self.command == "HEAD":
            return
        if content and wanted.get("cutEvery") and next(bodies) % wanted["cutEvery"] == 0:
            self.wfile.write(content[:len(content) // 2])
            self.wfile.flush()
            return self.reset()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request, client_address):
        # Clients and tests end connections as they like.
        pass


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
